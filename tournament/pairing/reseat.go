package pairing

import (
	"cmp"
	"slices"
)

// Placing is one table of a round while its players are changed: its number in the hall and its players in seat order.
// ID 0 is a new table.
type Placing struct {
	ID      int64
	Number  int
	Players []int64
}

// Mending describes changes to those tables of a round at which play has not begun. Leave and Join are the players to
// remove and to add. Sizes are the final table sizes, or nil to repair only tables that have become too small. Closed
// holds the table numbers that a new table must not get. Cost returns how undesirable it is that players sit together.
type Mending struct {
	Leave  []int64
	Join   []int64
	Sizes  []int
	Closed []int
	Least  int // a smaller table is repaired
	Most   int // most players at a table
	Cost   func(table []int64) int
}

// Mend removes players from tables and adds others. Tables that need not change keep their players and seats. The
// result does not contain tables that were dissolved.
func Mend(tables []Placing, m Mending) []Placing {
	tables = slices.Clone(tables)
	for i := range tables {
		tables[i].Players = slices.DeleteFunc(slices.Clone(tables[i].Players),
			func(p int64) bool { return slices.Contains(m.Leave, p) })
	}
	pool := slices.Clone(m.Join)
	sizes := m.Sizes
	if sizes == nil {
		sizes = m.keptSizes(tables, len(pool))
	} else {
		sizes = slices.Sorted(slices.Values(sizes))
		slices.Reverse(sizes)
	}
	for len(tables) > len(sizes) {
		i := smallest(tables)
		pool = append(pool, tables[i].Players...)
		tables = slices.Delete(tables, i, i+1)
	}
	for len(tables) < len(sizes) {
		tables = append(tables, Placing{Number: FreeNumber(tables, m.Closed)})
	}
	return fill(tables, sizes, pool, m.Cost)
}

// keptSizes returns table sizes, largest first, that change as few tables as possible. Newcomers take free seats, and a
// table that is too small gets a player from a larger one or is distributed over others.
func (m Mending) keptSizes(tables []Placing, coming int) []int {
	var sizes []int
	for _, t := range tables {
		if len(t.Players) > 0 {
			sizes = append(sizes, len(t.Players))
		}
	}
	grow := func(n int) int {
		for i := len(sizes) - 1; i >= 0 && n > 0; i-- {
			for sizes[i] < m.Most && n > 0 {
				sizes[i]++
				n--
			}
		}
		return n
	}
	slices.SortFunc(sizes, func(a, b int) int { return b - a })
	for left := grow(coming); left > 0; left -= m.Most {
		sizes = append(sizes, min(left, m.Most))
	}
	for {
		slices.SortFunc(sizes, func(a, b int) int { return b - a })
		last := len(sizes) - 1
		if last < 1 || sizes[last] >= m.Least {
			return sizes
		}
		if sizes[0] > m.Least {
			i := len(sizes) - 1
			for sizes[i] <= m.Least {
				i--
			}
			sizes[i]--
			sizes[last]++
			continue
		}
		small := sizes[last]
		if room := m.Most*last - seated(sizes[:last]); room < small {
			return sizes // the other tables have no room for them
		}
		sizes = sizes[:last]
		grow(small)
	}
}

// seated returns the number of seats at tables of these sizes.
func seated(list []int) int {
	n := 0
	for _, v := range list {
		n += v
	}
	return n
}

// smallest returns the index of the table to dissolve first: the last of those with the fewest players.
func smallest(tables []Placing) int {
	least := 0
	for i, t := range tables {
		if len(t.Players) <= len(tables[least].Players) {
			least = i
		}
	}
	return least
}

// FreeNumber returns the lowest unused table number in the hall.
func FreeNumber(tables []Placing, closed []int) int {
	for n := 1; ; n++ {
		if !slices.Contains(closed, n) && !slices.ContainsFunc(tables, func(t Placing) bool { return t.Number == n }) {
			return n
		}
	}
}

// fill brings the tables to their sizes; the largest tables keep the most players. Players who must move go where the
// cost is lowest.
func fill(tables []Placing, sizes []int, pool []int64, cost func([]int64) int) []Placing {
	order := make([]int, len(tables))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(len(tables[b].Players),
			len(tables[a].Players))
	})
	want := make([]int, len(tables))
	for rank, i := range order {
		want[i] = sizes[rank]
		for len(tables[i].Players) > want[i] {
			at := costliest(tables[i].Players, cost)
			pool = append(pool, tables[i].Players[at])
			tables[i].Players = slices.Delete(tables[i].Players, at, at+1)
		}
	}
	moved := map[int64]int{}
	for _, p := range pool {
		best, least := -1, 0
		for i := range tables {
			if len(tables[i].Players) >= want[i] {
				continue
			}
			if c := cost(append(slices.Clone(tables[i].Players), p)) - cost(tables[i].Players); best < 0 || c < least {
				best, least = i, c
			}
		}
		if best < 0 {
			break
		}
		tables[best].Players = append(tables[best].Players, p)
		moved[p] = best
	}
	exchange(tables, pool, moved, cost)
	return tables
}

// costliest returns the index of the player whose removal reduces a table's cost the most.
func costliest(players []int64, cost func([]int64) int) int {
	best, least := len(players)-1, 0
	for i := len(players) - 1; i >= 0; i-- {
		if c := cost(slices.Delete(slices.Clone(players), i, i+1)); i == len(players)-1 || c < least {
			best, least = i, c
		}
	}
	return best
}

// exchange tries all exchanges among the players who move anyway, until none helps.
func exchange(tables []Placing, pool []int64, at map[int64]int, cost func([]int64) int) {
	for better := true; better; {
		better = false
		for i, p := range pool {
			for _, q := range pool[i+1:] {
				a, b := at[p], at[q]
				if a == b {
					continue
				}
				before := cost(tables[a].Players) + cost(tables[b].Players)
				x, y := slices.Index(tables[a].Players, p), slices.Index(tables[b].Players, q)
				tables[a].Players[x], tables[b].Players[y] = q, p
				if cost(tables[a].Players)+cost(tables[b].Players) < before {
					at[p], at[q], better = b, a, true
					continue
				}
				tables[a].Players[x], tables[b].Players[y] = p, q
			}
		}
	}
}

// HallNumbers returns the numbers in the hall for the tables of a plan. A table whose player has a fixed table gets
// that number; the others get the lowest free numbers in order, without closed tables. If two players of a table have
// different fixed tables, the first one counts; see Settle.
func HallNumbers(plan [][]int64, closed []int, fixed map[int64]int) []int {
	numbers := make([]int, len(plan))
	taken := map[int]bool{}
	for _, n := range closed {
		taken[n] = true
	}
	for i, table := range plan {
		for _, p := range table {
			if n := fixed[p]; n > 0 && !taken[n] {
				numbers[i], taken[n] = n, true
				break
			}
		}
	}
	next := 1
	for i := range numbers {
		if numbers[i] != 0 {
			continue
		}
		for taken[next] {
			next++
		}
		numbers[i], taken[next] = next, true
	}
	return numbers
}

// Settle moves players with a fixed table who were seated at another one. Each swaps with the player at the fixed table
// for whom the cost is lowest, among those without a fixed table.
func Settle(plan [][]int64, numbers []int, fixed map[int64]int, cost func([]int64) int) {
	for a := range plan {
		for x, p := range plan[a] {
			b := slices.Index(numbers, fixed[p])
			if fixed[p] == 0 || b < 0 || a == b {
				continue
			}
			best, least := -1, 0
			for y, q := range plan[b] {
				if fixed[q] != 0 {
					continue
				}
				plan[a][x], plan[b][y] = q, p
				if c := cost(plan[a]) + cost(plan[b]); best < 0 || c < least {
					best, least = y, c
				}
				plan[a][x], plan[b][y] = p, q
			}
			if best >= 0 {
				plan[a][x], plan[b][best] = plan[b][best], p
			}
		}
	}
}

// SameSizes reports whether the tables have these sizes, in any order.
func SameSizes(tables []Placing, sizes []int) bool {
	have := make([]int, len(tables))
	for i, t := range tables {
		have[i] = len(t.Players)
	}
	slices.Sort(have)
	return slices.Equal(have, slices.Sorted(slices.Values(sizes)))
}
