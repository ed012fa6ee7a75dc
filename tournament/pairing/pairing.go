// Package pairing seats players at tables. It is pure: the same players, history, method and seed give
// the same plan.
package pairing

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// The methods of seating.
const (
	Random    = "random"    // by lot
	Standings = "standings" // the leaders at table 1
	Snake     = "snake"     // the leaders spread: 1-8-9-16, 2-7-10-15, …
)

// Methods are all methods.
var Methods = []string{Random, Standings, Snake}

// Pair is two players, the lower number first.
type Pair [2]int64

// PairOf orders two players.
func PairOf(a, b int64) Pair { return Pair{min(a, b), max(a, b)} }

// History counts how often two players have met.
type History map[Pair]int

// Meet adds the meetings of one table.
func (h History) Meet(table []int64) {
	for i, a := range table {
		for _, b := range table[i+1:] {
			h[PairOf(a, b)]++
		}
	}
}

// Cost of a table is the sum of the squares of how often its pairs have met, so that a third meeting
// weighs more than two second ones.
func (h History) Cost(table []int64) int {
	cost := 0
	for i, a := range table {
		for _, b := range table[i+1:] {
			n := h[PairOf(a, b)]
			cost += n * n
		}
	}
	return cost
}

// Plan seats players, given in the order of the standings, at tables of the given sizes, which must add
// up to them. Each table's players are in seat order. By lot, players who have met are kept apart as far
// as a short search finds a way; by the standings and in a snake, the standings alone decide.
func Plan(players []int64, sizes []int, history History, method string, seed int64) ([][]int64, error) {
	total := 0
	for _, size := range sizes {
		total += size
	}
	if total != len(players) {
		return nil, fmt.Errorf("tables for %d players, there are %d", total, len(players))
	}
	switch method {
	case Random:
		return byLot(players, sizes, history, seed), nil
	case Standings:
		return cut(slices.Clone(players), sizes), nil
	case Snake:
		return snake(players, sizes), nil
	}
	return nil, fmt.Errorf("seating method %q is none of %q", method, Methods)
}

// byLot shuffles, then tries random exchanges and keeps those that do not cost more.
func byLot(players []int64, sizes []int, history History, seed int64) [][]int64 {
	lot := rand.New(rand.NewPCG(uint64(seed), 0x6d656c6468616c6c))
	order := slices.Clone(players)
	lot.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	tables := cut(order, sizes)
	if len(history) == 0 || len(tables) < 2 {
		return tables
	}
	const triesPerPlayer = 200
	for range triesPerPlayer * len(players) {
		a, b := lot.IntN(len(tables)), lot.IntN(len(tables))
		i, j := lot.IntN(len(tables[a])), lot.IntN(len(tables[b]))
		if a == b {
			continue
		}
		before := history.Cost(tables[a]) + history.Cost(tables[b])
		if before == 0 {
			continue
		}
		tables[a][i], tables[b][j] = tables[b][j], tables[a][i]
		if history.Cost(tables[a])+history.Cost(tables[b]) > before {
			tables[a][i], tables[b][j] = tables[b][j], tables[a][i]
		}
	}
	return tables
}

// cut divides an order into tables, which share its memory.
func cut(order []int64, sizes []int) [][]int64 {
	tables := make([][]int64, len(sizes))
	for i, size := range sizes {
		tables[i], order = order[:size:size], order[size:]
	}
	return tables
}

func snake(players []int64, sizes []int) [][]int64 {
	tables := make([][]int64, len(sizes))
	at, step := 0, 1
	for _, p := range players {
		for len(tables[at]) == sizes[at] {
			at, step = turn(at, step, len(sizes))
		}
		tables[at] = append(tables[at], p)
		at, step = turn(at, step, len(sizes))
	}
	return tables
}

// turn goes to the next table, and back when there is none; the last one is visited twice.
func turn(at, step, n int) (int, int) {
	if next := at + step; next >= 0 && next < n {
		return next, step
	}
	return at, -step
}
