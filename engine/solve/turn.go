package solve

import (
	"math/bits"
	"slices"

	"meldhall/engine/tile"
)

// A search from the number 13 down to 1 has the same result. But where one direction takes thousands of states, the
// other often needs a few dozen, because tiles that cannot be laid come late in one and early in the other. So the
// directions alternate (legs.go). The first search begins where the table holds less: that is the better end in two of
// three positions, and in four of five hard ones. The search itself always goes upwards. Instead, the tiles are turned:
// number n becomes 14-n.
//
// Invariant: the tiles, the kept sets and table.turned always agree on the direction.

// bottomHeavy reports whether the table holds more at low numbers than at high ones.
func (t *tiles) bottomHeavy() bool {
	weight := 0
	for c := range colours {
		have, rack := &t.have[c], &t.rackTiles[c]
		for n := 1; n <= numbers; n++ {
			weight += (n - (numbers+1)/2) * (int(have[n]) - int(rack[n]))
		}
	}
	return weight < 0
}

// turn turns the tiles of the search, and the sets that are always laid.
func (s *search) turn() {
	s.tiles.turn()
	s.table.turned = s.tiles.turned
	s.table.extra.tiles = turnedCounts(s.table.extra.tiles)
}

// turn turns the tiles and the sets of the old table.
func (t *tiles) turn() {
	t.turned = !t.turned
	for n, m := 1, numbers; n < m; n, m = n+1, m-1 {
		for c := range colours {
			t.have[c][n], t.have[c][m] = t.have[c][m], t.have[c][n]
			t.idle[c][n], t.idle[c][m] = t.idle[c][m], t.idle[c][n]
			t.fixed[c][n], t.fixed[c][m] = t.fixed[c][m], t.fixed[c][n]
			t.rackTiles[c][n], t.rackTiles[c][m] = t.rackTiles[c][m], t.rackTiles[c][n]
		}
		t.cost[n], t.cost[m] = t.cost[m], t.cost[n]
	}
	t.kept.turn()
}

// turn turns the sets of the old table that a play may keep.
func (k *kept) turn() {
	for c := range k.runs {
		for i := range k.runs[c] {
			r := &k.runs[c][i]
			r.first, r.last = numbers+1-r.last, numbers+1-r.first
			r.jokers, r.fixed = turnedBits(r.jokers), turnedBits(r.fixed)
		}
		for n, m := 1, numbers; n < m; n, m = n+1, m-1 {
			k.wanted[c][n], k.wanted[c][m] = k.wanted[c][m], k.wanted[c][n]
		}
	}
	for n, m := 1, numbers; n < m; n, m = n+1, m-1 {
		k.at[n], k.at[m] = k.at[m], k.at[n]
	}
}

// turnedBits moves bit n to bit 14-n.
func turnedBits(mask uint16) uint16 { return bits.Reverse16(mask) >> (15 - numbers - 1) }

func turnedCounts(counts tile.Counts) (turn tile.Counts) {
	for f, k := range counts {
		turn[turned(tile.Face(f))] = k
	}
	return turn
}

func turned(f tile.Face) tile.Face {
	if f == tile.Joker {
		return f
	}
	return tile.NewFace(f.Colour(), numbers+1-f.Number())
}

// turn turns every set.
func (l *laying) turn() {
	for i := range l.sets {
		r := &l.sets[i]
		r.turn()
	}
}

func (r *row) turn() {
	for j := range r.tiles {
		r.faces[j] = turned(r.faces[j])
	}
	if r.first > 0 {
		slices.Reverse(r.faces[:r.tiles])
		r.first = numbers + 2 - r.first - r.tiles
	}
}
