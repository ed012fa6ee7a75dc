package steps

import (
	"math"
	"slices"

	"meldhall/engine/tile"
)

// piece is one tile of a new row and where it comes from.
//
// In the files of the steps, d is the diff, i an old row, j a new row, k the index of a piece, and c the index of a
// carry. Invariant: goes maps each tile of the old rows to its piece, and from and fromAt of that piece map back.
type piece struct {
	face         tile.Face
	row          int // index of the new row
	from, fromAt int // old row and place in it; offRack if it comes from the rack
}

const offRack = -1

// stand is a joker of an old row, with the faces that it stands for there.
type stand struct {
	row, at int
	own     tile.FaceSet
}

// hand takes the place of a row if a carry begins or ends in the hand.
const hand = -1

// carry is a step in preparation: all the tiles that go from one place to another.
type carry struct {
	from, to int // an old row or hand; a new row or hand
	swap     bool
	freed    int // of a swap: the new row that the jokers go to, or hand
	tiles    int // number of tiles; 0: no longer a step
	done     bool
}

// diff holds the rows that differ between two tables, and the plan for getting from the old ones to the new ones.
type diff struct {
	old, now [][]tile.Face
	pieces   []piece // tiles of the new rows, in order
	first    []int   // index of each new row's first piece, plus one more at the end
	base     []int   // index in goes of each old row's first tile
	goes     []int   // piece that each tile of the old rows becomes
	jokers   []stand // jokers of the old rows that are sets

	shared []int    // [old*len(now)+new]: tiles that go from an old row to a new one
	gives  []uint64 // by new row: old rows that give it tiles, one bit each
	racked uint64   // new rows that get tiles from the rack

	keep    []int    // by new row: the old row that it continues, or none
	loose   []uint64 // by new row: old rows whose tiles come to it through the hand
	carries []carry
	up      []int // by piece: the carry that takes it into the hand, or none
	down    []int // by piece: the carry that puts it down, or none
	inPlace []int // by piece: if a swap frees this joker, the piece that replaces it
	match   matching
	seeds   []seed
}

const (
	none     = -1
	mostRows = 64
)

func newDiff(old, now [][]tile.Face) (*diff, bool) {
	if len(old) > mostRows || len(now) > mostRows {
		return nil, false
	}
	d := &diff{old: old, now: now}
	for j, row := range now {
		d.first = append(d.first, len(d.pieces))
		for _, f := range row {
			d.pieces = append(d.pieces, piece{face: f, row: j, from: offRack})
		}
	}
	d.first = append(d.first, len(d.pieces))
	for i, row := range old {
		d.base = append(d.base, len(d.goes))
		for at, f := range row {
			d.goes = append(d.goes, none)
			if f.IsJoker() {
				d.stands(i, at)
			}
		}
	}
	n := len(d.pieces)
	marks := make([]int, 3*n+len(now))
	d.up, d.down, d.inPlace, d.keep = marks[:n:n], marks[n:2*n:2*n], marks[2*n:3*n:3*n], marks[3*n:]
	masks := make([]uint64, 2*len(now))
	d.gives, d.loose = masks[:len(now):len(now)], masks[len(now):]
	d.shared = make([]int, len(old)*len(now))
	d.match = newMatching(len(now), max(len(old), len(now)))
	return d, d.assign()
}

// stands records what a joker stands for, if its row is a set.
func (d *diff) stands(i, at int) {
	s := stand{row: i, at: at}
	if run, ok := tile.AsRun(d.old[i]); ok {
		s.own |= run.Stands(at)
	}
	if group, ok := tile.AsGroup(d.old[i]); ok {
		s.own |= group.Stands(at)
	}
	if s.own != 0 {
		d.jokers = append(d.jokers, s)
	}
}

// assign gives every tile of the old rows to a piece: first in the new row that keepRows pairs with its old row, then
// in new rows that already get tiles of its old row, then in any other. It returns false if a tile has no piece left.
func (d *diff) assign() bool {
	for i, row := range d.old {
		counts := tile.CountFaces(row)
		for _, p := range d.pieces {
			if counts[p.face] > 0 {
				d.shared[i*len(d.now)+p.row]++
			}
		}
	}
	jokers := d.jokers
	d.jokers = nil // it is not known yet where they go
	d.keepRows()
	d.jokers = jokers
	d.fetch(func(i, j int) bool { return d.keep[j] == i })
	d.fetch(func(i, j int) bool { return d.gives[j]>>i&1 == 1 })
	d.fetch(func(i, j int) bool { return true })
	return !slices.Contains(d.goes, none)
}

// assignFirst gives every tile of the old rows to the first piece that it can become.
func (d *diff) assignFirst() {
	for k := range d.pieces {
		d.pieces[k].from = offRack
	}
	for at := range d.goes {
		d.goes[at] = none
	}
	d.fetch(func(i, j int) bool { return true })
}

// fetch gives tiles without a piece to pieces without a tile if the old and the new row suit.
func (d *diff) fetch(suits func(i, j int) bool) {
	for k := range d.pieces {
		p := &d.pieces[k]
		if p.from != offRack {
			continue
		}
		for i, row := range d.old {
			if !suits(i, p.row) {
				continue
			}
			for at, f := range row {
				if f == p.face && d.goes[d.base[i]+at] == none && p.from == offRack {
					p.from, p.fromAt = i, at
					d.goes[d.base[i]+at] = k
					d.gives[p.row] |= 1 << i
				}
			}
		}
	}
}

// matching finds the assignment of rows to columns with the greatest weight, by the Hungarian method. There are at
// least as many columns as rows. Rows that cannot simply have their best column join one by one, each by the shortest
// alternating path under potentials. It takes at most rows² · columns steps.
type matching struct {
	rows, columns int
	weight        []int // [row*columns+column], never below 0
	of            []int // by row: its column
	rowOf         []int // by column: its row, both from 1; column 0 holds the row that joins
	u, v          []int // potentials of rows and columns
	least         []int // by column: the length of the shortest path to it
	previous      []int // by column: the column before it on that path
	seen          []bool
}

func newMatching(rows, columns int) matching {
	ints := make([]int, rows*columns+2*rows+1+4*(columns+1))
	cut := func(k int) []int {
		part := ints[:k:k]
		ints = ints[k:]
		return part
	}
	return matching{rows: rows, columns: columns, weight: cut(rows * columns), of: cut(rows), rowOf: cut(columns + 1),
		u: cut(rows + 1), v: cut(columns + 1), least: cut(columns + 1), previous: cut(columns + 1),
		seen: make([]bool, columns+1)}
}

// solve stores the assignment in of.
func (m *matching) solve() {
	clear(m.rowOf)
	clear(m.v)
	for row := 1; row <= m.rows; row++ {
		best := 0
		for c, w := range m.weight[(row-1)*m.columns : row*m.columns] {
			if w > m.weight[(row-1)*m.columns+best] {
				best = c
			}
		}
		m.u[row] = -m.weight[(row-1)*m.columns+best]
		m.of[row-1] = none
		if m.rowOf[best+1] == 0 {
			m.rowOf[best+1] = row
			m.of[row-1] = best
		}
	}
	for row := 1; row <= m.rows; row++ {
		if m.of[row-1] != none {
			continue
		}
		m.rowOf[0] = row
		for c := m.reach(); c != 0; c = m.previous[c] {
			m.rowOf[c] = m.rowOf[m.previous[c]]
		}
	}
	for c := 1; c <= m.columns; c++ {
		if m.rowOf[c] != 0 {
			m.of[m.rowOf[c]-1] = c - 1
		}
	}
}

// reach returns the nearest free column from the row that joins.
func (m *matching) reach() int {
	for c := range m.least {
		m.least[c], m.seen[c] = math.MaxInt, false
	}
	for at := 0; ; {
		m.seen[at] = true
		row, next, delta := m.rowOf[at], 0, math.MaxInt
		weight, u := m.weight[(row-1)*m.columns:row*m.columns], m.u[row]
		for c := 1; c <= m.columns; c++ {
			if m.seen[c] {
				continue
			}
			if cost := -weight[c-1] - u - m.v[c]; cost < m.least[c] {
				m.least[c], m.previous[c] = cost, at
			}
			if m.least[c] < delta {
				delta, next = m.least[c], c
			}
		}
		if delta > 0 {
			m.shift(delta)
		}
		at = next
		if m.rowOf[at] == 0 {
			return at
		}
	}
}

// shift changes the potentials so that the nearest column is at distance 0.
func (m *matching) shift(delta int) {
	for c, seen := range m.seen {
		switch {
		case seen:
			m.u[m.rowOf[c]] += delta
			m.v[c] -= delta
		case c > 0:
			m.least[c] -= delta
		}
	}
}
