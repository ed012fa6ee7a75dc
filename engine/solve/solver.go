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
	tiles    *tiles // those of the search, filled with one case
	search   search
	few      few
	slow     *slow // the search that found the last way, if that was the slow one
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
	stayed   int // sets of the old table in that play
}

// weights combine tiles and value into one cost. One unit of what the aim puts first always outweighs all of the other.
type weights struct{ tile, point int32 }

func (w weights) of(value int) int32 { return w.tile + w.point*int32(value) }

func (s *solver) ask(p Position, q Question) {
	s.position, s.question = p, q
	s.search.first, s.has, s.proven = false, false, true
	s.search.limit, s.search.work = q.Limit, 0
	s.counts = tile.CountFaces(p.Table...)
	tiles, value := p.sum(&p.Rack)
	s.weights = weights{tile: int32(value) + 1, point: 1}
	if q.Aim == MostValue {
		s.weights = weights{tile: 1, point: int32(tiles) + 1}
	}
	levels := &s.search.levels
	levels.of, levels.joker, levels.byValue = s.weights, p.Rules.JokerPoints, q.Aim == MostValue
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
			s.has, s.least = true, s.search.best/unit
			s.sets, s.stayed = s.answer()
			if s.search.first {
				return
			}
			s.has = len(s.sets) > 0
		}
	}
}

// solve searches for a way that costs less than below, and reports whether it found one.
func (s *solver) solve(below int32) bool {
	s.search.floor, s.slow = 0, nil
	host := s.tiles.host
	found, err := s.solveByNumbers(below)
	if err != nil {
		s.tiles.host = host
		return s.solveSlowly(below)
	}
	return found
}

// answer returns the table of the way that solve found, and how many sets of the old table are in it.
func (s *solver) answer() (sets [][]tile.Face, kept int) {
	if s.slow != nil {
		return s.slow.sets, s.slow.stayed
	}
	return s.laid().answer()
}

// solveByNumbers is solve with the chains. If jokers need hosts, it first searches without that requirement. The error
// is errTooMany.
func (s *solver) solveByNumbers(below int32) (found bool, err error) {
	if !s.tiles.host {
		return s.solveCase(below)
	}
	s.tiles.host = false
	if found, err := s.solveCase(below); !found {
		return false, err
	}
	table, played := s.laid(), s.tiles.played(&s.search.found)
	if s.tiles.turned {
		played = turnedCounts(played)
	}
	if table.waits(0, played) <= s.tiles.rack-s.tiles.jokersLeft(&s.search.found)+table.placed {
		return true, nil
	}
	if s.tiles.turned {
		s.search.turn()
	}
	s.tiles.host = true
	if s.proven {
		s.search.floor = s.search.best - s.useless
	}
	return s.solveCase(below)
}

// solveCase searches with thrift where possible. If thrift may have missed a better way, it searches again without it.
// It reports whether a way was found. The error is errTooMany.
func (s *solver) solveCase(below int32) (found bool, err error) {
	s.tiles.thrift = !s.tiles.host
	below -= s.useless
	if s.solveFew(below) {
		s.search.best += s.useless
		return s.search.any, nil
	}
	ended, err := s.search.run(below)
	if err != nil {
		return false, err
	}
	if search := &s.search; search.unsure && search.bound <= search.goal {
		best, way, any, turned := search.best, search.found, search.any, search.foundTurned
		s.tiles.thrift = false
		again, err := search.run(best)
		if err != nil {
			return false, err
		}
		ended = ended && again
		if !search.any && any {
			search.best, search.found, search.any, search.foundTurned, s.tiles.thrift = best, way, true, turned, true
		}
	}
	s.proven = s.proven && (ended || s.search.first && s.search.any)
	s.search.best += s.useless
	return s.search.any, nil
}

// solveFew searches by listing the sets if there are few tiles. It reports whether that search was complete; if not,
// the other search is needed.
func (s *solver) solveFew(below int32) bool {
	if limit := s.search.limit; s.tiles.host || s.tiles.kept.broken > 0 ||
		limit > 0 && limit-s.search.work <= fewWork || !s.few.fill(s.tiles) || !s.few.list() {
		return false
	}
	s.few.first = s.search.first
	ended := s.few.run(below)
	s.search.work += s.few.work
	if !ended {
		return false
	}
	if s.search.any = s.few.any; s.search.any {
		s.search.best, s.search.foundTurned = s.few.base-s.few.best, s.tiles.turned
		s.few.trace(s.tiles, &s.search.found)
	}
	return true
}

// laid returns the table of the way found.
func (s *solver) laid() *laying {
	if s.tiles.turned != s.search.foundTurned {
		s.search.turn()
	}
	table, way := &s.search.table, &s.search.found
	table.lay(s.tiles, way)
	table.placed = 0
	if left := s.tiles.jokersLeft(way); left > 0 && s.tiles.thrift {
		played := s.tiles.played(way)
		table.placed, _ = table.place(left, &played)
	}
	if s.tiles.turned {
		table.turn()
	}
	if s.tiles.jokers > maxJokers {
		table.mix()
	}
	return table
}

// fill sets the tiles to those of case c. each is the number of cost units in one unit of the weights.
func (s *solver) fill(c *joined, each int32) {
	t := s.tiles
	*t = tiles{kept: t.kept}
	t.kept.clear()
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
	table := &s.search.table
	table.old, table.turned, table.extra, table.staying = s.position.Table, false, c.set, -1
	s.useless = s.dropUseless()
	s.search.levels.listed = false
	t.host = s.position.Rules.WithRackTile && c.free > 0
}

// dropUseless removes the rack tiles that can be in no set, whatever else is laid, and returns their cost.
func (s *solver) dropUseless() (cost int32) {
	t := s.tiles
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
	p := Play{Proven: s.proven, Work: s.search.work, Table: s.position.Table, Kept: len(s.position.Table)}
	if !s.has {
		return p
	}
	p.Table, p.Kept = s.sets, s.stayed
	p.Played = tile.CountFaces(s.sets...).Minus(s.counts)
	p.Tiles, p.Value = s.position.sum(&p.Played)
	s.sets = nil
	return p
}
