package solve

import (
	"slices"

	"meldhall/engine/tile"
)

// slow is the exact search for positions that exceed a limit of the chains. It takes the first tile that is left, by
// number and then by colour, and tries every set that begins with it. It also tries to leave the tile and its copies
// idle.
//
// Invariant: each tile and joker is left, in a set of the table, in the set in the making, or idle. cost is that of the
// idle tiles.
type slow struct {
	tiles            // those that are left
	search   *search // holds the limit and counts the states
	table    laying  // the sets laid so far
	played   tile.Counts
	waiting  int // sets with a joker that cannot claim a rack tile
	keepable int // sets of the old table that may stay
	idleCost int32
	best     int32 // cost of the best way found, or the cost to beat
	limited  bool  // the limit ended the search
	done     bool  // no better way is needed
	any      bool  // a way has been found
	sets     [][]tile.Face
	stayed   int // sets of the old table among sets
}

// solveSlowly searches for a way below a cost, and reports whether it found one.
func (s *solver) solveSlowly(below int32) bool {
	if s.tiles.turned {
		s.search.turn()
	}
	s.search.table.lay(&tiles{}, &[numbers + 1]stepTaken{})
	w := &slow{tiles: *s.tiles, search: &s.search, table: s.search.table, best: below - s.useless}
	for c := range colours {
		for n := 1; n <= numbers; n++ {
			w.played[tile.NewFace(tile.Colour(c), n)] = s.tiles.rackTiles[c][n]
		}
		w.keepable += len(w.tiles.kept.runs[c])
	}
	for n := 1; n <= numbers; n++ {
		w.keepable += len(w.tiles.kept.at[n])
	}
	if s.search.table.staying >= 0 {
		w.keepable++
	}
	w.next()
	s.slow, s.search.best, s.search.any = w, w.best+s.useless, w.any
	s.proven = s.proven && !w.limited
	return s.search.any
}

// next tries every place for the first tile that is left.
func (s *slow) next() {
	s.search.work++
	s.limited = s.limited || s.search.limit > 0 && s.search.work > s.search.limit
	if s.limited || s.done || s.idleCost >= s.best {
		return
	}
	c, n := s.firstTile()
	if n > numbers {
		s.finish()
		return
	}
	for before := range min(s.jokers, n-1) + 1 {
		r := row{old: -1, first: n - before}
		for range before {
			r.addFree()
		}
		s.jokers -= before
		s.addTile(c, n, r, func(r row) { s.run(c, n+1, r) })
		s.jokers += before
	}
	s.addTile(c, n, row{old: -1}, func(r row) { s.group(c+1, n, r) })
	if have := s.have[c][n]; have <= s.idle[c][n] && s.fixed[c][n] == 0 {
		f := tile.NewFace(tile.Colour(c), n)
		s.have[c][n], s.played[f], s.idleCost = 0, s.played[f]-have, s.idleCost+int32(have)*s.cost[n]
		s.next()
		s.have[c][n], s.played[f], s.idleCost = have, s.played[f]+have, s.idleCost-int32(have)*s.cost[n]
	}
}

// firstTile returns the colour and number of the first tile that is left, or a number above 13.
func (s *slow) firstTile() (c, n int) {
	for n = 1; n <= numbers; n++ {
		for c = range colours {
			if s.have[c][n] > 0 {
				return c, n
			}
		}
	}
	return 0, n
}

// addTile adds a tile, then a joker that stands for it, to a set in the making, and continues with each.
func (s *slow) addTile(c, n int, r row, then func(row)) {
	have, fixed := &s.have[c][n], &s.fixed[c][n]
	if *have > *fixed {
		with := r
		with.add(tile.NewFace(tile.Colour(c), n))
		*have--
		then(with)
		*have++
	}
	if *fixed > 0 {
		r.add(tile.Joker)
		*have, *fixed = *have-1, *fixed-1
		then(r)
		*have, *fixed = *have+1, *fixed+1
	}
}

// addJoker adds a joker that may stand for anything, if one is left.
func (s *slow) addJoker(r row, then func(row)) {
	if s.jokers > 0 {
		r.addFree()
		s.jokers--
		then(r)
		s.jokers++
	}
}

// run continues a run with number n, or ends it.
func (s *slow) run(c, n int, r row) {
	if n <= numbers {
		longer := func(r row) { s.run(c, n+1, r) }
		s.addTile(c, n, r, longer)
		s.addJoker(r, longer)
	}
	s.lay(r)
}

// group adds tiles of colour c and of those after it to a group, and then jokers.
func (s *slow) group(c, n int, r row) {
	switch {
	case c < colours:
		s.addTile(c, n, r, func(r row) { s.group(c+1, n, r) })
		s.group(c+1, n, r)
		return
	case r.tiles < colours:
		s.addJoker(r, func(r row) { s.group(c, n, r) })
	}
	s.lay(r)
}

// lay lays a set if it has enough tiles, and continues with the next one.
func (s *slow) lay(r row) {
	if r.tiles < 3 {
		return
	}
	waits := 0
	if s.host && r.free > 0 && !r.holdsPlayed(&s.played) {
		waits = 1
	}
	if s.waiting += waits; s.waiting <= s.rack {
		s.table.sets = append(s.table.sets, r)
		s.next()
		s.table.sets = s.table.sets[:len(s.table.sets)-1]
	}
	s.waiting -= waits
}

// finish handles a table that holds all tiles that are not idle.
func (s *slow) finish() {
	if s.jokers > s.rack || s.host && s.table.waits(0, s.played) > s.rack-s.jokers {
		return
	}
	cost := s.idleCost + int32(s.jokers)*s.jokerCost
	if cost >= s.best {
		return
	}
	sets, kept := (&laying{old: s.table.old, sets: slices.Clone(s.table.sets)}).answer()
	if cost += int32(s.keepable-kept) * s.tiles.kept.broken; cost < s.best {
		s.best, s.any, s.sets, s.stayed = cost, true, sets, kept
		s.done = s.search.first || cost <= s.search.floor
	}
}
