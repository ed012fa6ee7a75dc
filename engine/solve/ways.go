package solve

// way is one use of the tiles of one colour at one number, for an opening (walk.go).
//
// This file keeps one invariant: a way is left out only if it cannot be completed with all jokers of the search.
type way struct {
	choice choice
	cost   uint8                 // jokers used here, plus those that the open runs will need above
	spare  uint8                 // tiles and jokers for groups
	tiles  uint8                 // tiles and jokers used by runs
	unused uint8                 // how many of the spare may lie idle; with more, a better way exists
	next   [maxJokers + 1]uint16 // open runs above, by the number of jokers left for all colours
}

// ways holds the ways at one number, by colour and by the runs that are open below it.
type ways struct {
	all   []way
	first [colours][1 << runBits]uint16 // index in all plus 1; 0: not computed yet
	count [colours][1 << runBits]uint8
	known []uint16 // used entries of first and count, as colour<<runBits + runs
}

func (w *ways) forget() {
	for _, at := range w.known {
		w.first[at>>runBits][at&(1<<runBits-1)] = 0
	}
	w.all, w.known = w.all[:0], w.known[:0]
}

// of returns the ways of colour c at number n from state s, the cheapest first.
func (w *ways) of(walk *walk, s state, n, c int) []way {
	runs := s >> (c * runBits) & (1<<runBits - 1)
	if w.first[c][runs] == 0 {
		from := len(w.all)
		walk.add(w, s, n, c)
		sortWays(w.all[from:])
		w.known = append(w.known, uint16(c<<runBits)+uint16(runs))
		w.first[c][runs], w.count[c][runs] = uint16(from+1), uint8(len(w.all)-from)
	}
	from := int(w.first[c][runs]) - 1
	return w.all[from : from+int(w.count[c][runs])]
}

func sortWays(list []way) {
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j].cost < list[j-1].cost; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// add appends every way of colour c at number n that can still be completed with all jokers of the search.
func (w *walk) add(to *ways, s state, n, c int) {
	ones, twos, longs := s.runs(c)
	have, have1, have2 := int(w.have[c][n]), int(w.have[c][n+1]), int(w.have[c][n+2])
	for jokers := range w.jokers + 1 {
		free := have + jokers - ones - twos
		for longer := range min(longs, free) + 1 {
			for begun := range free - longer + 1 {
				cost := jokers + max(0, begun+ones-have1) + max(0, begun-have2)
				if cost > w.jokers || n > numbers-2 && begun > 0 || n == numbers && ones > 0 {
					break
				}
				one := way{
					choice: choice{uint8(jokers), uint8(longer), uint8(begun)}, cost: uint8(cost),
					spare: uint8(free - longer - begun), tiles: uint8(ones + twos + longer + begun),
					unused: uint8(have),
				}
				if longer < longs || jokers > 0 && w.frugal {
					one.unused = 0
				}
				for left := range one.next {
					longs := min(twos+longer, max(0, have1+left-begun-ones)) // long runs that cannot go on are dropped
					one.next[left] = uint16(begun | ones<<3 | longs<<6)
				}
				if w.groupable[n] || one.spare <= one.unused {
					to.all = append(to.all, one)
				}
			}
		}
	}
}
