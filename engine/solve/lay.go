package solve

import (
	"math/bits"
	"slices"

	"meldhall/engine/tile"
)

// stepTaken records the choices of a way at one number.
//
// This file keeps one invariant: a table made from a way holds exactly the tiles and jokers that the way uses.
type stepTaken struct {
	arcs   [colours]arc
	on     [colours]uint32 // runs of the old table that stay and have a tile at this number
	takes  [colours]uint8  // what new groups take
	groups uint8           // number of new groups
	used   uint8           // jokers in new groups
	chosen uint8           // groups of the old table that stay, one bit each
	from   [colours]runs   // runs open before

	nothing bool // the number was skipped
}

// trace records the way that the search has just completed.
func (s *search) trace() {
	for n := 1; n <= numbers; n++ {
		at, taken := &s.way[n], &s.trial[n]
		if s.chains.skip[n] {
			*taken = stepTaken{nothing: true}
			continue
		}
		groups := &s.prices.groupings.list[at.grouping]
		taken.nothing, taken.takes, taken.groups = false, groups.new, groups.groups
		taken.used, taken.chosen = groups.used, groups.chosen
		for c := range colours {
			a := &s.chains.arcs[at.arcs[c]]
			taken.arcs[c] = *a
			taken.from[c] = s.chains.links[a.from].runs
			taken.on[c] = taken.from[c].kept() | s.chains.links[a.to].runs.kept()
		}
	}
}

// laying makes a table from a way. Its memory is reused.
type laying struct {
	old  [][]tile.Face
	sets []row
	open [colours][]int // by colour, the indices of the runs that may go on

	turned  bool    // number n stands for 14-n
	placed  int     // leftover jokers that were laid
	extra   laidSet // a set that is always laid
	staying int     // index of an old set that always stays, or -1
}

// row is a set being laid.
type row struct {
	faces [numbers + mostJokers]tile.Face
	tiles int
	old   int // index in the old table of a set that stays, or -1
	first int // the first number of a run; 0 for a group
	kind  int // plain, waiting or hosting
	free  int // jokers in it that were released or come from the rack
}

func (l *laying) lay(t *tiles, way *[numbers + 1]stepTaken) {
	l.sets = l.sets[:0]
	for c := range l.open {
		l.open[c] = l.open[c][:0]
	}
	for n := 1; n <= numbers; n++ {
		if !way[n].nothing {
			l.number(t, n, &way[n])
		}
	}
	if l.staying >= 0 {
		first := 0
		if r, ok := tile.AsRun(l.old[l.staying]); ok {
			if first = r.First().Number(); l.turned {
				first = numbers + 2 - first - len(l.old[l.staying])
			}
		}
		l.stay(l.staying, first)
	}
	if l.extra.size > 0 {
		r := row{old: -1}
		for f, k := range l.extra.tiles {
			for range k {
				r.add(tile.Face(f))
			}
		}
		r.add(tile.Joker)
		r.add(tile.Joker)
		l.sets = append(l.sets, r)
	}
}

// stock counts the tiles of one face that are left for new sets.
type stock struct {
	face                  tile.Face
	fixed, free, naturals int // jokers that keep the face, other jokers, tiles
}

// take adds a tile to a set, jokers first, so that only rack tiles lie idle.
func (s *stock) take(r *row) {
	switch {
	case s.fixed > 0:
		s.fixed--
		r.add(tile.Joker)
	case s.free > 0:
		s.free--
		r.addFree()
	default:
		s.naturals--
		r.add(s.face)
	}
}

// takeTile adds a tile to a set, or a joker that stands for it. If claimed is set, it prefers the tile.
func (s *stock) takeTile(r *row, claimed bool) {
	if s.fixed > 0 && !(claimed && s.naturals > 0) {
		s.fixed--
		r.add(tile.Joker)
		return
	}
	s.naturals--
	r.add(s.face)
}

func (l *laying) number(t *tiles, n int, by *stepTaken) {
	k := &t.kept
	for i, g := range k.at[n] {
		if by.chosen>>i&1 == 1 {
			l.stay(g.set, 0)
		}
	}
	first, next := len(l.sets), 0
	for range by.groups {
		l.sets = append(l.sets, row{old: -1})
	}
	seats := l.seats(t, by)
	for c := range colours {
		have := stock{tile.NewFace(tile.Colour(c), n), int(t.fixed[c][n]), int(by.arcs[c].jokers),
			int(t.have[c][n]) - int(t.fixed[c][n])}
		for rest := by.on[c]; rest != 0; rest &= rest - 1 {
			l.stayRun(&k.runs[c][bits.TrailingZeros32(rest)], n, &have)
		}
		for i, g := range k.at[n] {
			if by.chosen>>i&1 == 1 {
				have.fixed -= int(g.fixed[c])
				have.naturals -= int(g.takes[c] - g.fixed[c])
			}
		}
		if t.host {
			l.runsAsPlanned(c, n, by, &have)
			for g := range int(by.groups) {
				if seats.takes[g][c] {
					have.takeTile(&l.sets[first+g], seats.jokers[g] > 0)
				}
			}
			continue
		}
		l.runs(c, n, &by.arcs[c], &have)
		for range by.takes[c] {
			have.take(&l.sets[first+next%int(by.groups)])
			next++
		}
	}
	l.jokers(first, by, seats, t.host)
}

// stayRun takes from the stock what a run of the old table uses at number n, and lays the run at its first number.
func (l *laying) stayRun(run *keptRun, n int, have *stock) {
	switch {
	case run.fixed>>n&1 == 1:
		have.fixed--
	case run.jokers>>n&1 == 1:
		have.free--
	default:
		have.naturals--
	}
	if run.first == n {
		l.stay(run.set, n)
	}
}

func (r *row) add(f tile.Face) {
	r.faces[r.tiles] = f
	r.tiles++
}

// stay lays a set of the old table unchanged.
func (l *laying) stay(set, first int) {
	r := row{old: set, first: first, tiles: len(l.old[set])}
	copy(r.faces[:], l.old[set])
	if l.turned {
		r.turn()
		r.first = first
	}
	l.sets = append(l.sets, r)
}

// runs continues the open runs of colour c at number n: all short runs, and as many long ones as by.longer says. Then
// it begins new runs.
func (l *laying) runs(c, n int, by *arc, have *stock) {
	open := l.open[c][:0]
	longer := by.longer
	for _, i := range l.open[c] {
		if l.sets[i].tiles >= 3 {
			if longer == 0 {
				continue
			}
			longer--
		}
		have.take(&l.sets[i])
		open = append(open, i)
	}
	for range by.begun {
		l.sets = append(l.sets, row{old: -1, first: n})
		have.take(&l.sets[len(l.sets)-1])
		open = append(open, len(l.sets)-1)
	}
	l.open[c] = open
}

// answer returns the table, with the unchanged sets first in their old order, and the number of those sets.
func (l *laying) answer() (sets [][]tile.Face, kept int) {
	size := 0
	for i := range l.sets {
		size += l.sets[i].tiles
	}
	sets, all := make([][]tile.Face, 0, len(l.sets)), make([]tile.Face, 0, size)
	for _, old := range l.old {
		if i := slices.IndexFunc(l.sets, func(r row) bool {
			return r.tiles > 0 &&
				same(old, r.faces[:r.tiles])
		}); i >= 0 {
			sets = append(sets, old)
			l.sets[i].tiles = 0
		}
	}
	kept = len(sets)
	for i := range l.sets {
		if r := &l.sets[i]; r.tiles > 0 {
			from := len(all)
			all = append(all, r.faces[:r.tiles]...)
			sets = append(sets, all[from:len(all):len(all)])
		}
	}
	return sets, kept
}

// same reports whether set is the set old as it lay before: for a run in the same order, for a group in any order.
func same(old, set []tile.Face) bool {
	if len(old) != len(set) {
		return false
	}
	if slices.Equal(old, set) {
		return true
	}
	if len(old) > colours || tile.CountFaces(old) != tile.CountFaces(set) {
		return false
	}
	_, was := tile.AsGroup(old)
	_, is := tile.AsGroup(set)
	return was && is
}

// jokersLeft returns how many jokers are still to be placed after a way.
func (t *tiles) jokersLeft(way *[numbers + 1]stepTaken) int {
	left := t.jokers
	if left == 0 {
		return 0
	}
	for n := 1; n <= numbers; n++ {
		taken := &way[n]
		left -= int(taken.used)
		for c := range colours {
			left -= int(taken.arcs[c].jokers)
		}
		for i, g := range t.kept.at[n] {
			if taken.chosen>>i&1 == 1 {
				left -= int(g.jokers)
			}
		}
	}
	return left
}

// played counts the rack tiles that a way lays, without jokers.
func (t *tiles) played(way *[numbers + 1]stepTaken) (played tile.Counts) {
	for n := 1; n <= numbers; n++ {
		takes, _, _ := t.kept.choose(n, way[n].chosen)
		for c := range colours {
			idle := way[n].arcs[c].spare - takes[c] - way[n].takes[c]
			played[tile.NewFace(tile.Colour(c), n)] = t.rackTiles[c][n] - idle
		}
	}
	return played
}
