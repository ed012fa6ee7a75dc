package solve

import "meldhall/engine/tile"

// stuckWalk holds the tiles of one search: of each colour and number how many must be used and how many
// there are. Index 0 and the numbers above 13 hold nothing.
type stuckWalk struct {
	must, have [colours][numbers + 3]uint8
	frugal     bool // no joker has to be used, so none stands where a tile lies idle
	steps      []step
}

func (w *stuckWalk) fill(must, may tile.Counts) {
	for c := range colours {
		for n := 1; n <= numbers; n++ {
			f := tile.NewFace(tile.Colour(c), n)
			w.must[c][n] = min(must[f], maxCopies)
			w.have[c][n] = min(must[f]+may[f], maxCopies)
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
func (w *stuckWalk) through(s state, n int) []step {
	w.steps = w.steps[:0]
	p := partial{jokers: s.jokers()}
	w.colour(s, n, 0, p)
	return w.steps
}

// colour tries every choice for colour c and those after it.
func (w *stuckWalk) colour(s state, n, c int, p partial) {
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
func (w *stuckWalk) finish(n int, p partial) {
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
func (w *stuckWalk) settle(s state, n, jokers int) state {
	for c := range colours {
		ones, twos, longs := s.runs(c)
		can := max(0, int(w.have[c][n+1])+jokers-ones-twos)
		if longs > can {
			s -= state(longs-can) << (c*runBits + 6)
		}
	}
	return s
}
