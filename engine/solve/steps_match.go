package solve

import "math"

// matching finds the assignment of n rows to n columns of the greatest weight, by the Hungarian method: rows
// join one by one, each by the shortest alternating path under potentials; n³ steps at most.
type matching struct {
	n        int
	weight   []int // [row*n+column], none below 0
	of       []int // of each row: its column
	rowOf    []int // of each column: its row, all counted from 1; column 0 holds the row that joins
	u, v     []int // potentials of rows and columns
	least    []int // of each column: the shortest way to it, and
	previous []int // the column before it on that way
	seen     []bool
}

func newMatching(n int) matching {
	ints := make([]int, n*n+n+5*(n+1))
	cut := func(k int) []int {
		part := ints[:k:k]
		ints = ints[k:]
		return part
	}
	return matching{n: n, weight: cut(n * n), of: cut(n), rowOf: cut(n + 1), u: cut(n + 1), v: cut(n + 1),
		least: cut(n + 1), previous: cut(n + 1), seen: make([]bool, n+1)}
}

// solve leaves the assignment in of.
func (m *matching) solve() {
	clear(m.rowOf)
	clear(m.u)
	clear(m.v)
	for row := 1; row <= m.n; row++ {
		m.rowOf[0] = row
		for c := m.reach(); c != 0; c = m.previous[c] {
			m.rowOf[c] = m.rowOf[m.previous[c]]
		}
	}
	for c := 1; c <= m.n; c++ {
		m.of[m.rowOf[c]-1] = c - 1
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
		for c := 1; c <= m.n; c++ {
			if m.seen[c] {
				continue
			}
			if cost := -m.weight[(row-1)*m.n+c-1] - m.u[row] - m.v[c]; cost < m.least[c] {
				m.least[c], m.previous[c] = cost, at
			}
			if m.least[c] < delta {
				delta, next = m.least[c], c
			}
		}
		for c := range m.seen {
			if m.seen[c] {
				m.u[m.rowOf[c]] += delta
				m.v[c] -= delta
			} else if m.least[c] != math.MaxInt {
				m.least[c] -= delta
			}
		}
		at = next
		if m.rowOf[at] == 0 {
			return at
		}
	}
}
