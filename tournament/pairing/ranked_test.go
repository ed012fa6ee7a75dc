package pairing

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

var gapsFor = flag.Duration("gaps", 0,
	"how long the other search of TestGapsOfTables tries each round of every size; 0: a short one of few sizes")

// tableCost holds the pairs who meet in consecutive rounds, the pairs who meet again, and the sum of the gaps. It is
// computed from the history alone, independently of the search. Earlier fields matter more.
type tableCost [3]int

// judge computes the cost of tables by the places of their players in the standings.
type judge struct {
	place       map[int64]int
	again, last map[Pair]bool
}

func newJudge(q Request) judge {
	j := judge{map[int64]int{}, map[Pair]bool{}, map[Pair]bool{}}
	for i, p := range q.Players {
		if j.place[p.ID] = p.Place; p.Place == 0 {
			j.place[p.ID] = i + 1
		}
	}
	for r, round := range q.History {
		for _, table := range round {
			for i, a := range table {
				for _, b := range table[:i] {
					j.again[PairOf(a, b)] = true
					if r == len(q.History)-1 {
						j.last[PairOf(a, b)] = true
					}
				}
			}
		}
	}
	return j
}

func (j judge) of(tables ...[]int64) (sum tableCost) {
	for _, table := range tables {
		best, worst := j.place[table[0]], j.place[table[0]]
		for i, a := range table {
			best, worst = min(best, j.place[a]), max(worst, j.place[a])
			for _, b := range table[:i] {
				if j.last[PairOf(a, b)] {
					sum[0]++
				}
				if j.again[PairOf(a, b)] {
					sum[1]++
				}
			}
		}
		sum[2] += worst - best
	}
	return sum
}

// otherSearch shuffles the players of two tables that are close in the standings, while goesOn returns true. It accepts
// a result that costs at most a little more than the best so far.
func otherSearch(j judge, from Round, rng *rand.Rand, goesOn func(step int) bool) tableCost {
	tables := Round{}
	for _, table := range from {
		tables = append(tables, slices.Clone(table))
	}
	slices.SortFunc(tables, func(a, b []int64) int { return j.place[a[0]] - j.place[b[0]] })
	now := j.of(tables...)
	best := now
	for step := 0; goesOn(step); step++ {
		a := rng.IntN(len(tables))
		b := a + rng.IntN(11) - 5
		if b < 0 || b >= len(tables) || a == b {
			continue
		}
		both := slices.Concat(tables[a], tables[b])
		rng.Shuffle(len(both), func(x, y int) { both[x], both[y] = both[y], both[x] })
		one, two := both[:len(tables[b])], both[len(tables[b]):] // the sizes are swapped too
		was, is := j.of(tables[a], tables[b]), j.of(one, two)
		next := tableCost{now[0] + is[0] - was[0], now[1] + is[1] - was[1], now[2] + is[2] - was[2]}
		slack := tableCost{best[0], best[1], best[2] + best[2]/50 + 1}
		if slices.Compare(next[:], slack[:]) > 0 && slices.Compare(is[:], was[:]) > 0 {
			continue
		}
		tables[a], tables[b], now = slices.Clone(two), slices.Clone(one), next
		if slices.Compare(now[:], best[:]) < 0 {
			best = now
		}
	}
	return best
}

// TestGapsOfTables checks that rounds by standings have no more pairs in consecutive rounds and no more repeated
// meetings than another search finds, and gaps at most a tenth wider. The leader sits at table 1. Players arrive late
// and leave, and the standings change from round to round.
func TestGapsOfTables(t *testing.T) {
	sizes, rounds := []int{10, 13, 22, 40}, 4
	if *gapsFor > 0 {
		sizes, rounds = []int{10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 25, 28, 32, 37, 40, 47, 55, 64, 75, 90, 100, 121,
			150, 178, 200}, 8
	}
	for _, n := range sizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(n), 9))
			q := Request{Method: Standings, Players: field(n), Seed: int64(n)}
			for r := range rounds {
				if r == 2 { // one player arrives late, and one leaves
					q.Players = append(q.Players[1:], Player{ID: int64(n + 1)})
				}
				for i := range q.Players {
					q.Players[i].Place = i + 1
				}
				q.Sizes = sizesOf(len(q.Players))
				got := draw(t, q).Rounds[0]
				j := newJudge(q)
				is, until := j.of(got...), time.Now().Add(*gapsFor)
				other := otherSearch(j, got, rng, func(step int) bool {
					if *gapsFor > 0 {
						return step%1000 > 0 || time.Now().Before(until)
					}
					return step < 30_000
				})
				if *gapsFor > 0 {
					t.Logf("%d players, round %d: %v, the other search %v, ratio %.3f", n, r+1, is, other,
						float64(is[2])/float64(other[2]))
				}
				if is[0] > other[0] || is[1] > other[1] || is[1] == other[1] && 10*is[2] > 11*other[2] {
					t.Errorf("%d players, round %d: %v, another search found %v", n, r+1, is, other)
				}
				if !slices.Contains(got[0], q.Players[0].ID) {
					t.Errorf("%d players, round %d: the leader is not at table 1, %v", n, r+1, got[0])
				}
				q.History = append(q.History, got)
				q.Players = byChance(q.Players, rng)
			}
		})
	}
}

// byChance moves players by some random places in the standings.
func byChance(players []Player, rng *rand.Rand) []Player {
	at := map[int64]float64{}
	for i, p := range players {
		at[p.ID] = float64(i) + rng.NormFloat64()*float64(len(players))/8
	}
	moved := slices.Clone(players)
	slices.SortFunc(moved, func(a, b Player) int {
		if at[a.ID] < at[b.ID] {
			return -1
		}
		return 1
	})
	return moved
}

// TestGapsWithRoundsToCome checks that the gaps of each of several rounds come first, and that the leader sits with the
// highest players not met yet.
func TestGapsWithRoundsToCome(t *testing.T) {
	q := Request{Method: Standings, Players: field(64), Sizes: sizesOf(64), Rounds: 4, Seed: 1}
	got := draw(t, q)
	for r, most := range []int{48, 191, 215, 245} { // 174 would be possible in the second round
		q.History = got.Rounds[:r]
		if c := newJudge(q).of(got.Rounds[r]...); c[0] > 0 || c[1] > 0 || c[2] > most {
			t.Errorf("round %d: %d pairs in a row, %d again, gaps of %d, want at most %d", r+1, c[0], c[1], c[2], most)
		}
		if slices.Max(got.Rounds[r][0]) > 20 || !slices.Contains(got.Rounds[r][0], 1) {
			t.Errorf("round %d: table 1 is %v", r+1, got.Rounds[r][0])
		}
	}
}

// TestADrawByStandingsEnds checks that a draw ends soon after Stop returns true, with all players seated.
func TestADrawByStandingsEnds(t *testing.T) {
	asked := 0
	q := Request{Method: Standings, Players: field(400), Sizes: sizesOf(400), Rounds: 2, Seed: 1,
		Stop: func() bool { asked++; return asked > 1 }}
	if got := draw(t, q); len(got.Rounds) != 2 || !got.Report.Ended || got.Report.Steps > 4*askEvery {
		t.Errorf("%d rounds, %d steps", len(got.Rounds), got.Report.Steps)
	}
}

// TestApartComesBeforeGaps checks that families and pairs kept apart by hand come before the gaps.
func TestApartComesBeforeGaps(t *testing.T) {
	q := Request{Method: Standings, Players: field(24), Sizes: sizesOf(24), Seed: 3, Apart: []Pair{{1, 2}, {3, 4}}}
	q.Players[4].Family, q.Players[5].Family = "x", "x"
	if rep := draw(t, q).Report; rep.Cost.Wishes != 0 || rep.Cost.RankGap > 40 {
		t.Errorf("%+v", rep.Cost)
	}
}
