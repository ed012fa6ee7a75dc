package solve

import "math"

// matching finds the assignment of rows to columns, no fewer, of the greatest weight, by the Hungarian method: rows
// that cannot just have their best column join one by one, each by the shortest alternating path under potentials;
// rows² · columns steps at most.
type matching struct {
	rows, columns int
	weight        []int // [row*columns+column], none below 0
	of            []int // of each row: its column
	rowOf         []int // of each column: its row, both counted from 1; column 0 holds the row that joins
	u, v          []int // potentials of rows and columns
	least         []int // of each column: the shortest way to it, and
	previous      []int // the column before it on that way
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

// solve leaves the assignment in of.
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

// reach finds the nearest free column from the row that joins.
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

// shift changes the potentials so that the nearest column is at no distance.
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
