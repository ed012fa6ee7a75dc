package solve

import (
	"math/bits"

	"meldhall/engine/tile"
)

// solver searches for the answer to one question. Its memory is reused.
//
// Invariant: sets is the table of the best play found so far and least its cost. proven is false once a search has
// stopped early.
type solver struct {
	search
	position Position
	question Question
	counts   tile.Counts
	weights  weights
	cases    []joined
	nothing  int32 // cost of laying nothing
	useless  int32 // cost of tiles that no play can lay
	has      bool  // a play has been found
	proven   bool
	least    int32 // cost of the best play found
	sets     [][]tile.Face
	kept     int
	few      few
	slow     *slow // the search that found the last way, if that was the slow one
}

// weights combine tiles and value into one cost. One unit of what the aim puts first always outweighs all of the other.
type weights struct{ tile, point int32 }

func (w weights) of(value int) int32 { return w.tile + w.point*int32(value) }

func (s *solver) ask(p Position, q Question) {
	s.position, s.question = p, q
	s.first, s.has, s.proven = false, false, true
	s.limit, s.work = q.Limit, 0
	s.counts = tile.CountFaces(p.Table...)
	tiles, value := p.sum(&p.Rack)
	s.weights = weights{tile: int32(value) + 1, point: 1}
	if q.Aim == MostValue {
		s.weights = weights{tile: 1, point: int32(tiles) + 1}
	}
	s.levels.of, s.levels.joker, s.levels.byValue = s.weights, p.Rules.JokerPoints, q.Aim == MostValue
	s.nothing = s.weights.tile*int32(tiles) + s.weights.point*int32(value)
	if s.cases = s.cases[:0]; !s.position.searchable(&s.counts) {
		s.proven = false
	} else if tiles > int(p.Rack[tile.Joker]) || len(p.Table) > 0 { // jokers alone are not a set
		s.cases = s.position.cases(s.cases, &s.counts)
	}
}

// sum returns the number of tiles and their total charge.
func (p *Position) sum(counts *tile.Counts) (tiles, value int) {
	for c := range colours {
		for n, k := range (*[numbers]uint8)(counts[c*numbers:]) {
			tiles += int(k)
			value += int(k) * (n + 1)
		}
	}
	jokers := int(counts[tile.Joker])
	return tiles + jokers, value + jokers*p.Rules.JokerPoints
}

// optimum finds the best play over all cases.
func (s *solver) optimum() {
	s.least = s.nothing
	for i := range s.cases {
		s.fill(&s.cases[i], unit)
		if s.solve(s.least * unit) {
			s.has, s.least = true, s.best/unit
			s.sets, s.kept = s.answer()
			if s.first {
				return
			}
			s.has = len(s.sets) > 0
		}
	}
}

// solve searches for a way below a cost, and reports whether it found one.
func (s *solver) solve(below int32) bool {
	s.floor, s.slow = 0, nil
	host := s.host
	found, err := s.solveByNumbers(below)
	if err != nil {
		s.host = host
		return s.solveSlowly(below)
	}
	return found
}

// answer returns the table of the way that solve found, and how many sets of the old table are in it.
func (s *solver) answer() (sets [][]tile.Face, kept int) {
	if s.slow != nil {
		return s.slow.sets, s.slow.kept
	}
	return s.laid().answer()
}

// solveByNumbers is solve with the chains. If jokers need hosts, it first searches without that requirement. The error
// is errTooMany.
func (s *solver) solveByNumbers(below int32) (found bool, err error) {
	if !s.host {
		return s.solveCase(below)
	}
	s.host = false
	if found, err := s.solveCase(below); !found {
		return false, err
	}
	table, played := s.laid(), s.played(&s.found)
	if s.turned {
		played = turnedCounts(played)
	}
	if table.waits(0, played) <= s.rack-s.jokersLeft()+table.placed {
		return true, nil
	}
	if s.turned {
		s.turn()
	}
	s.host = true
	if s.proven {
		s.floor = s.best - s.useless
	}
	return s.solveCase(below)
}

// solveCase searches with thrift where possible. If thrift may have missed a better way, it searches again without it.
// It reports whether a way was found. The error is errTooMany.
func (s *solver) solveCase(below int32) (found bool, err error) {
	s.thrift = !s.host
	below -= s.useless
	if s.solveFew(below) {
		s.best += s.useless
		return s.any, nil
	}
	ended, err := s.run(below)
	if err != nil {
		return false, err
	}
	if s.unsure && s.bound <= s.goal {
		best, way, any, turned := s.best, s.found, s.any, s.foundTurned
		s.thrift = false
		again, err := s.run(best)
		if err != nil {
			return false, err
		}
		ended = ended && again
		if !s.any && any {
			s.best, s.found, s.any, s.foundTurned, s.thrift = best, way, true, turned, true
		}
	}
	s.proven = s.proven && (ended || s.first && s.any)
	s.best += s.useless
	return s.any, nil
}

// solveFew searches by listing the sets if there are few tiles. It reports whether that search was complete; if not,
// the other search is needed.
func (s *solver) solveFew(below int32) bool {
	if s.host || s.search.kept.broken > 0 || s.limit > 0 && s.limit-s.work <= fewWork || !s.few.fill(&s.tiles) ||
		!s.few.list() {
		return false
	}
	s.few.first = s.first
	ended := s.few.run(below)
	s.work += s.few.work
	if !ended {
		return false
	}
	if s.any = s.few.any; s.any {
		s.best, s.foundTurned = s.few.base-s.few.best, s.turned
		s.few.trace(&s.tiles, &s.found)
	}
	return true
}

// laid returns the table of the way found.
func (s *solver) laid() *laying {
	if s.turned != s.foundTurned {
		s.turn()
	}
	s.table.lay(&s.tiles, &s.found)
	s.table.placed = 0
	if left := s.jokersLeft(); left > 0 && s.thrift {
		played := s.played(&s.found)
		s.table.placed, _ = s.table.place(left, &played)
	}
	if s.turned {
		s.table.turn()
	}
	if s.jokers > maxJokers {
		s.table.mix()
	}
	return &s.table
}

// jokersLeft returns how many jokers the way found leaves to be placed.
func (s *solver) jokersLeft() int {
	left := s.jokers
	if left == 0 {
		return 0
	}
	for n := 1; n <= numbers; n++ {
		t := &s.found[n]
		left -= int(t.used)
		for c := range colours {
			left -= int(t.arcs[c].jokers)
		}
		for i, g := range s.search.kept.at[n] {
			if t.chosen>>i&1 == 1 {
				left -= int(g.jokers)
			}
		}
	}
	return left
}

// fill sets the tiles to those of case c. each is the number of cost units in one unit of the weights.
func (s *solver) fill(c *joined, each int32) {
	t := &s.tiles
	*t = tiles{kept: t.kept}
	t.kept.clear()
	s.table.old, s.table.turned = s.position.Table, false
	for colour := range colours {
		table, rack := (*[numbers]uint8)(s.counts[colour*numbers:]), (*[numbers]uint8)(s.position.Rack[colour*numbers:])
		fixed, must := (*[numbers]uint8)(c.fixed[colour*numbers:]), (*[numbers]uint8)(c.must[colour*numbers:])
		for i := range numbers {
			t.fixed[colour][i+1] = fixed[i]
			t.have[colour][i+1] = table[i] + fixed[i] + rack[i]
			t.rackTiles[colour][i+1] = rack[i]
			t.idle[colour][i+1] = rack[i] - must[i]
		}
	}
	for f := tile.Face(0); c.set.size > 0 && f < tile.Joker; f++ {
		if c.set.tiles[f] > 0 {
			colour, n := f.Colour(), f.Number()
			t.have[colour][n]--
			t.idle[colour][n] = min(t.idle[colour][n], t.have[colour][n])
		}
	}
	for n := 1; n <= numbers; n++ {
		t.cost[n] = s.weights.of(n) * each
	}
	t.jokers = c.free + int(s.position.Rack[tile.Joker])
	t.rack = int(s.position.Rack[tile.Joker])
	t.jokerCost = s.weights.of(s.position.Rules.JokerPoints) * each
	s.table.extra, s.table.staying = c.set, -1
	s.useless = s.dropUseless()
	s.levels.listed = false
	t.host = s.position.Rules.WithRackTile && c.free > 0
}

// dropUseless removes the rack tiles that can be in no set, whatever else is laid, and returns their cost.
func (s *solver) dropUseless() (cost int32) {
	t := &s.tiles
	if t.jokers >= 2 {
		return 0 // any tile and two jokers are a set
	}
	var have, runs [colours]uint16 // bit n: a tile of the number exists; one that can be in a run exists
	for c := range colours {
		for n := 1; n <= numbers; n++ {
			have[c] |= uint16(min(t.have[c][n], 1)) << n
		}
		h := have[c]
		if next, over := h&(h>>1), h&(h>>2); t.jokers == 1 {
			runs[c] = next | next<<1 | over | over<<2
		} else {
			all := next & (h >> 2)
			runs[c] = all | all<<1 | all<<2
		}
	}
	a, b, c, d := have[0], have[1], have[2], have[3]
	groups := a&b&(c|d) | c&d&(a|b)
	if t.jokers == 1 {
		groups = a&(b|c|d) | b&(c|d) | c&d
	}
	for c := range colours {
		for rest := have[c] &^ (runs[c] | groups); rest != 0; rest &= rest - 1 {
			n := bits.TrailingZeros16(rest)
			idle := t.idle[c][n]
			cost += int32(idle) * t.cost[n]
			t.have[c][n] -= idle
			t.rackTiles[c][n] -= idle
			t.idle[c][n] = 0
		}
	}
	return cost
}

func (s *solver) play() Play {
	p := Play{Proven: s.proven, Work: s.work, Table: s.position.Table, Kept: len(s.position.Table)}
	if !s.has {
		return p
	}
	p.Table, p.Kept = s.sets, s.kept
	p.Played = tile.CountFaces(s.sets...).Minus(s.counts)
	p.Tiles, p.Value = s.position.sum(&p.Played)
	s.sets = nil
	return p
}
