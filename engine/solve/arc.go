package solve

// leave makes the arcs of link i at number n of colour c, for every choice of old runs to keep.
//
// This file keeps one invariant: an arc is left out only if its runs cannot be finished, or if another way is at least
// as good.
func (s *chains) leave(c, n int, i int32) {
	from := s.links[i]
	going := from.runs.kept()
	begin := s.kept.beginning(c, n)
	for sub := begin; ; sub = (sub - 1) & begin {
		on := going | sub
		naturals, jokers := s.kept.takes(c, n, on)
		still := s.kept.goingOn(c, n, on)
		if naturals <= int(s.have[c][n]) && int(from.used)+jokers <= s.jokers &&
			(still == 0 || s.jokers > 0 || s.have[c][n+1] > 0) {
			by, have := arc{from: uint16(i), jokers: uint8(jokers), broken: ones(begin &^ sub)},
				int(s.have[c][n])-naturals
			if s.host {
				s.leaveHosting(c, n, from, by, have, still)
			} else {
				s.leaveKeeping(c, n, by, have, still)
			}
		}
		if sub == 0 {
			return
		}
	}
}

// leaveKeeping makes the arcs at number n of colour c. have is the number of tiles that the kept runs leave. by holds
// the tiles and jokers that the kept runs use, and on has a bit for each kept run that continues.
func (s *chains) leaveKeeping(c, n int, by arc, have int, on uint32) {
	from := &s.links[by.from]
	r, used := from.runs, int(from.used)+int(by.jokers)
	ones, twos, longs := r.ones(), r.twos(), r.longs()
	must, most := ones+twos, s.jokers-used
	above, further := int(s.have[c][n+1]), int(s.have[c][n+2])
	ends := n == numbers || s.jokers == 0 && above == 0
	if ends && ones > 0 {
		return
	}
	if have == 0 && must == 0 && most == 0 {
		by.to = s.reach(c, n+1, openRuns(0, 0, 0, on), int8(used))
		s.add(&by, false)
		return
	}
	mostBegun := have + most
	if n > numbers-2 || ends {
		mostBegun = 0
	}
	wanted, mayIdle, groups := int(s.kept.wanted[c][n]), int(s.idle[c][n]), int(s.groups[n])
	for jokers := max(0, must-have); jokers <= most; jokers++ {
		free := have + jokers - must
		taken := max(0, free-groups-mayIdle) // groups and the rack cannot take more
		if jokers > 0 && s.thrift {
			taken = max(0, free-wanted) // a spare tile for a new group could go here, and the joker there
		}
		for ; taken <= free; taken++ {
			longer := min(longs, taken)
			begun, spare := taken-longer, free-taken
			if begun > mostBegun || max(0, begun+ones-above)+max(0, begun-further) > most-jokers {
				break // the runs cannot be finished
			}
			idle := min(mayIdle, spare)
			if longer < longs {
				idle = 0 // a long run takes the tile instead
			}
			if spare-idle > groups || jokers > 0 && s.thrift && s.wasteful(c, n, have, jokers, longer, begun) {
				continue
			}
			by.to = s.reach(c, n+1, openRuns(begun, ones, twos+longer, on), int8(used+jokers))
			s.arcs = append(s.arcs, by)
			a := &s.arcs[len(s.arcs)-1]
			a.jokers += uint8(jokers)
			a.spare, a.idle, a.longer, a.begun = uint8(spare), uint8(idle), uint8(longer), uint8(begun)
			s.charge(a, false)
		}
	}
}

// wasteful reports whether fewer jokers than those used at a number could do the same, or the same jokers could do it
// at another number. A run begins with a joker only if it could not end with it. A joker lengthens a long run only if
// more tiles can follow.
func (s *chains) wasteful(c, n, have, jokers, longer, begun int) bool {
	if begun > have && n != numbers-2 {
		return true
	}
	return longer > 0 && s.have[c][n+1] == 0 && (n >= numbers-1 || s.have[c][n+2] == 0 || s.jokers == jokers)
}

// reach returns the index of the link with the runs r at number n of colour c, and creates it if it is new. It drops
// long runs that nothing can lengthen.
func (s *chains) reach(c, n int, r runs, used int8) uint16 {
	if n > numbers {
		r = 0
	} else if most := max(0, int(s.have[c][n])+s.jokers-int(used)-r.ones()-r.twos()); r.longs() > most {
		r = r.with(plain, 3, most-r.longs())
	}
	first := int(s.places[c][n].links)
	at := s.find(first, r)
	if at < len(s.links) {
		s.links[at].used = min(s.links[at].used, used)
		return uint16(at)
	}
	if at-first >= s.mostStates {
		s.tooMany = true
		return uint16(first)
	}
	s.newLink(link{runs: r, used: used, rank: int8(2*r.ones() + r.twos() - 2*r.longs())})
	return uint16(at)
}

// find returns the index of the link with the given runs, searching from first on, or the number of links if there is
// none.
func (s *chains) find(first int, r runs) int {
	if r < 1<<keptShift {
		if at := int(s.plain[r]); first <= at && at < len(s.links) && s.links[at].runs == r {
			return at
		}
		return len(s.links)
	}
	for at := len(s.links) - 1; at >= first; at-- {
		if s.links[at].runs == r {
			return at
		}
	}
	return len(s.links)
}

func (s *chains) newLink(l link) {
	if l.runs < 1<<keptShift {
		s.plain[l.runs] = uint16(len(s.links))
	}
	s.links = append(s.links, l)
}

// add appends an arc and sets its cost.
func (s *chains) add(a *arc, exactly bool) {
	s.arcs = append(s.arcs, *a)
	s.charge(&s.arcs[len(s.arcs)-1], exactly)
}

// charge sets the cost of an arc.
func (s *chains) charge(a *arc, exactly bool) {
	a.fee = int32(a.jokers)*s.joker + int32(a.broken)*s.kept.broken
	a.setSlot(exactly)
}

// way is one use of the tiles of one colour at one number.
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
