package solve

import "meldhall/engine/tile"

const (
	colours   = 4
	maxJokers = 2
	maxCopies = 4 // the game has two; counted racks that say more are searched all the same
	numbers   = tile.Highest
)

// state is what the numbers below leave behind: for each colour, in 9 bits, how many open runs have
// one, two, and three or more tiles (3 bits each); then 2 bits of jokers left, then what the caller adds.
type state uint64

const (
	runBits    = 9
	jokerShift = colours * runBits
	extraShift = jokerShift + 2
	lowMask    = state(1)<<extraShift - 1
)

func (s state) runs(c int) (ones, twos, longs int) {
	r := s >> (c * runBits)
	return int(r & 7), int(r >> 3 & 7), int(r >> 6 & 7)
}

func (s state) jokers() int { return int(s >> jokerShift & 3) }

func withJokers(jokers int) state { return state(jokers) << jokerShift }

func withExtra(extra int) state { return state(extra) << extraShift }

// step is one way through one number, and what the numbers above get.
type step struct {
	next   state // extra bits empty
	tiles  uint8 // tiles and jokers used at this number
	jokers uint8 // jokers among them
	groups uint8
	choice [colours]choice
}

// sets is how many sets begin at this number.
func (s *step) sets() uint8 {
	sets := s.groups
	for _, c := range s.choice {
		sets += c.begun
	}
	return sets
}

// choice is what happens to one colour at one number: jokers that stand there, long runs that go on,
// runs that begin. Open runs of one or two tiles always go on.
type choice struct{ jokers, longer, begun uint8 }

// walk holds the tiles of one search: of each colour and number how many must be used and how many
// there are. Index 0 and the numbers above 13 hold nothing.
type walk struct {
	must, have [colours][numbers + 3]uint8
	frugal     bool // no joker has to be used, so none stands where a tile lies idle
	steps      []step
}

func (w *walk) fill(must, may tile.Counts) {
	for c := range colours {
		for n := 1; n <= numbers; n++ {
			f := tile.NewFace(tile.Colour(c), n)
			w.must[c][n] = min(must[f], maxCopies)
			w.have[c][n] = min(must[f]+may[f], maxCopies)
		}
	}
}

// dropUseless forgets the tiles that no set can hold, with so many jokers: nothing else is laid with them.
func (w *walk) dropUseless(jokers int) {
	least := 3 - jokers // tiles that a set holds besides jokers, if it has just three
	var inRun, inGroup [numbers + 3]uint8
	for n := 1; n <= numbers; n++ {
		for c := range colours {
			inGroup[n] += min(w.have[c][n], 1)
		}
	}
	for c := range colours {
		have := &w.have[c]
		for n := 1; n <= numbers-2; n++ {
			inRun[n] = min(have[n], 1) + min(have[n+1], 1) + min(have[n+2], 1)
		}
		for n := 1; n <= numbers; n++ {
			run := inRun[n]
			if n > 1 {
				run = max(run, inRun[n-1])
			}
			if n > 2 {
				run = max(run, inRun[n-2])
			}
			if int(max(run, inGroup[n])) < least {
				have[n] = 0
			}
		}
	}
}

// partial is a step under way: colours below c are chosen.
type partial struct {
	step
	spare   [colours]uint8 // tiles for groups
	idle    [colours]bool  // a long run of the colour does not go on
	jokers  int            // left
	deficit int            // jokers that the open runs need above, at least
}

// through appends to steps every way through number n from s that can still be completed.
func (w *walk) through(s state, n int) []step {
	w.steps = w.steps[:0]
	p := partial{jokers: s.jokers()}
	w.colour(s, n, 0, p)
	return w.steps
}

// colour tries every choice for colour c and those after it.
func (w *walk) colour(s state, n, c int, p partial) {
	if c == colours {
		w.finish(n, p)
		return
	}
	ones, twos, longs := s.runs(c)
	bound := ones + twos
	for jokers := range p.jokers + 1 {
		free := int(w.have[c][n]) + jokers - bound
		if free < 0 {
			continue
		}
		for longer := range min(longs, free) + 1 {
			most := free - longer
			if n > numbers-2 {
				most = 0
			}
			for begun := range most + 1 {
				q := p
				q.jokers -= jokers
				lack1 := max(0, begun+ones-int(w.have[c][n+1]))
				lack2 := max(0, begun-int(w.have[c][n+2]))
				q.deficit += lack1 + lack2
				if q.deficit > q.jokers || n == numbers && ones > 0 {
					break
				}
				q.choice[c] = choice{uint8(jokers), uint8(longer), uint8(begun)}
				q.spare[c] = uint8(free - longer - begun)
				q.idle[c] = longer < longs
				q.tiles += uint8(bound + longer + begun)
				q.step.jokers += uint8(jokers)
				q.next |= state(begun|ones<<3|(twos+longer)<<6) << (c * runBits)
				w.colour(s, n, c+1, q)
			}
		}
	}
}

// finish makes the groups of what no run took, and keeps the step unless a tile that must be used lies
// idle or a better step is sure to exist.
func (w *walk) finish(n int, p partial) {
	if p.deficit > p.jokers {
		return
	}
	groups, grouped := groupsOf(p.spare)
	for c, spare := range p.spare {
		rest := spare - min(spare, groups)
		if rest == 0 {
			continue
		}
		placed := w.have[c][n] - min(w.have[c][n], rest)
		switch {
		case p.idle[c], p.choice[c].jokers > 0 && w.frugal:
			return
		case rest > w.have[c][n], placed < w.must[c][n]:
			return
		}
	}
	p.groups = groups
	p.tiles += grouped
	p.next = w.settle(p.next, n, p.jokers) | withJokers(p.jokers)
	w.steps = append(w.steps, p.step)
}

// settle forgets long runs that cannot go on, so that more states are the same.
func (w *walk) settle(s state, n, jokers int) state {
	for c := range colours {
		ones, twos, longs := s.runs(c)
		can := max(0, int(w.have[c][n+1])+jokers-ones-twos)
		if longs > can {
			s -= state(longs-can) << (c*runBits + 6)
		}
	}
	return s
}

// groupsOf gives the most groups that tiles of one number make, and how many tiles they take: with k
// groups each colour gives at most k, and the groups can be balanced when there are 3k in all. More groups
// never take fewer tiles of any colour.
func groupsOf(spare [colours]uint8) (groups, tiles uint8) {
	for k := uint8(1); ; k++ {
		total := uint8(0)
		for _, s := range spare {
			total += min(s, k)
		}
		if total < 3*k {
			return groups, tiles
		}
		groups, tiles = k, total
	}
}
