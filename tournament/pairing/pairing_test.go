package pairing

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"meldhall/tournament/format"
)

func field(n int) []Player {
	players := make([]Player, n)
	for i := range players {
		players[i] = Player{ID: int64(i + 1), Number: i + 1}
	}
	return players
}

func sizesOf(n int) []int {
	sizes, _ := format.Tables(n)
	return sizes
}

// draw returns a draw that must succeed.
func draw(t interface{ Fatalf(string, ...any) }, q Request) Result {
	got, err := Seat(q)
	if err != nil {
		t.Fatalf("%d players, %s: %v", len(q.Players), q.Method, err)
	}
	return got
}

func TestEverybodyIsSeatedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 400).Filter(func(n int) bool { return n != 5 }).Draw(t, "players")
		q := Request{Method: rapid.SampledFrom(Automatic).Draw(t, "method"), Players: field(n), Sizes: sizesOf(n),
			Seed:   rapid.Int64().Draw(t, "seed"),
			Rounds: rapid.IntRange(1, 3).Draw(t, "rounds"), Steps: rapid.IntRange(1, 3000).Draw(t, "steps")}
		for i := range q.Players {
			q.Players[i].LastPlace = rapid.IntRange(0, 4).Draw(t, "place")
			q.Players[i].Club = rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "club")
		}
		// the history contains players who have left
		everybody := append(field(n), Player{ID: 1001}, Player{ID: 1002}, Player{ID: 1003})
		past := Request{Method: Random, Players: everybody, Sizes: sizesOf(n + 3), Seed: q.Seed, Steps: 100}
		if n != 2 && sizesOf(n+3) != nil {
			q.History = draw(t, past).Rounds
		}
		for r, round := range draw(t, q).Rounds {
			var seen []int64
			for i, table := range round {
				if q.Method != Standings && len(table) != q.Sizes[i] {
					t.Fatalf("round %d, table %d has %d players, want %d", r, i, len(table), q.Sizes[i])
				}
				seen = append(seen, table...)
			}
			slices.Sort(seen)
			for i, id := range seen {
				if id != int64(i+1) || len(seen) != n {
					t.Fatalf("round %d seats %v", r, seen)
				}
			}
		}
	})
}

// TestAnExchangeCostsWhatItChanges checks that the predicted change of the cost equals the real one; otherwise the
// search would go astray.
func TestAnExchangeCostsWhatItChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{7, 8, 10, 13, 16, 33}).Draw(t, "players")
		q := Request{Method: Plan, Players: field(n), Sizes: sizesOf(n), Seed: 1, Steps: 10, Rounds: 2}
		for i := range q.Players {
			q.Players[i].Country = rapid.SampledFrom([]string{"", "IT", "PL", "NL"}).Draw(t, "country")
		}
		q.History = draw(t, q).Rounds
		d := newSeating(q)
		f := d.search(3, 10)
		f.load(f.lots())
		for range 20 {
			r := rapid.IntRange(0, 2).Draw(t, "round")
			i, j := int32(rapid.IntRange(0, n-1).Draw(t, "i")), int32(rapid.IntRange(0, n-1).Draw(t, "j"))
			if i == j {
				continue
			}
			before := f.measure().total()
			said := f.seating(r, i, j)
			if f.tableAt[i] != f.tableAt[j] {
				said += f.company(r, i, j)
			}
			f.exchange(r, i, j)
			if is := f.measure().total() - before; is != said {
				t.Fatalf("round %d, places %d and %d: said %d, is %d", r, i, j, said, is)
			}
		}
	})
}

// TestDesigns uses the highest number of rounds without repeated meetings. With 20, 68 and 92 players, where that
// number is unknown, it uses somewhat fewer.
func TestDesigns(t *testing.T) {
	fewer := map[int]int{5: 5, 17: 17, 23: 23}
	for m := 4; m <= 25; m++ {
		plan, want := design(m), (4*m-1)/3
		if some, ok := fewer[m]; ok {
			want = some
		}
		if m == 20 || m == 24 { // no design is included
			want = 0
		}
		if len(plan) != want {
			t.Errorf("%d tables: %d rounds, want %d", m, len(plan), want)
			continue
		}
		met := map[[2]int]bool{}
		for r, round := range plan {
			seen := map[int]bool{}
			for _, table := range round {
				for i, a := range table {
					if seen[a] || a < 0 || a >= 4*m {
						t.Fatalf("%d tables, round %d: %d is there twice", m, r, a)
					}
					seen[a] = true
					for _, b := range table[i+1:] {
						pair := [2]int{min(a, b), max(a, b)}
						if met[pair] {
							t.Fatalf("%d tables, round %d: %v meet again", m, r, pair)
						}
						met[pair] = true
					}
				}
			}
			if len(seen) != 4*m {
				t.Errorf("%d tables, round %d: %d players", m, r, len(seen))
			}
		}
	}
}

func TestDraw(t *testing.T) {
	for _, row := range []struct {
		method string
		n      int
		want   string
	}{
		{Standings, 7, "[[1 2 3 4] [5 6 7]]"},
		{Snake, 16, "[[1 8 9 16] [2 7 10 15] [3 6 11 14] [4 5 12 13]]"},
		{Snake, 7, "[[1 4 5 7] [2 3 6]]"},
		{Interval, 8, "[[1 3 5 7] [2 4 6 8]]"},
		{Interval, 7, "[[1 3 5 7] [2 4 6]]"},
		{Snake, 8, "[[1 4 5 8] [2 3 6 7]]"},
	} {
		t.Run(fmt.Sprint(row.method, row.n), func(t *testing.T) {
			got := draw(t, Request{Method: row.method, Players: field(row.n), Sizes: sizesOf(row.n), Seed: 1})
			if fmt.Sprint(got.Rounds[0]) != row.want {
				t.Errorf("got %v, want %s", got.Rounds[0], row.want)
			}
		})
	}
	t.Run("same seed same draw", func(t *testing.T) {
		for _, method := range []string{Plan, Random, Standings} {
			q := Request{Method: method, Players: field(33), Sizes: sizesOf(33), Rounds: 2, Seed: 7, Steps: 3000}
			one, two := draw(t, q), draw(t, q)
			q.Seed++
			if other := draw(t, q); !reflect.DeepEqual(one, two) || method != Standings &&
				reflect.DeepEqual(one.Rounds, other.Rounds) {
				t.Errorf("%s: %v, %v, other seed %v", method, one, two, other)
			}
		}
	})
	t.Run("a chart asks for numbers alone", func(t *testing.T) {
		q := Request{Method: Chart, Players: field(16), Sizes: sizesOf(16), Rounds: 5, Seed: 1}
		one := draw(t, q)
		slices.Reverse(q.Players)
		q.Players[3].Club, q.Players[5].Club = "x", "x"
		if two := draw(t, q); !reflect.DeepEqual(one.Rounds, two.Rounds) || one.Report.Extra != 0 {
			t.Errorf("got %v and %v", one.Rounds, two.Rounds)
		}
	})
}

func TestDrawHoldsToWishes(t *testing.T) {
	t.Run("winners sit with winners", func(t *testing.T) {
		q := Request{Method: Random, Players: field(16), Sizes: sizesOf(16), Seed: 3}
		q.History = draw(t, q).Rounds
		for _, table := range q.History[0] {
			for place, id := range table {
				q.Players[id-1].LastPlace = place + 1
			}
		}
		q.Method = Winners
		for i, table := range draw(t, q).Rounds[0] {
			for _, id := range table {
				if q.Players[id-1].LastPlace != i+1 {
					t.Errorf("table %d: %v", i, table)
				}
			}
		}
	})
	t.Run("those who should be apart are", func(t *testing.T) {
		for _, method := range []string{Plan, Random, Standings} {
			q := Request{Method: method, Players: field(24), Sizes: sizesOf(24), Rounds: 3, Seed: 3,
				Apart: []Pair{{1, 2}, {3, 4}, {1, 3}}}
			if rep := draw(t, q).Report; rep.Cost.Wishes != 0 {
				t.Errorf("%s: %+v", method, rep)
			}
		}
	})
	t.Run("one country of all is no wish, two brothers are", func(t *testing.T) {
		q := Request{Method: Random, Players: field(24), Sizes: sizesOf(24), Seed: 3}
		for i := range q.Players {
			q.Players[i].Country, q.Players[i].Family = "PL", fmt.Sprint(i/2)
		}
		if rep := draw(t, q).Report; rep.Cost.Wishes != 0 {
			t.Errorf("%+v", rep)
		}
	})
}

// TestSpreadLeadersSitAsTheirPlacesSay checks Belgium's semi-final and the snake method: who sits with whom depends
// only on the places, not on past meetings, families or wishes.
func TestSpreadLeadersSitAsTheirPlacesSay(t *testing.T) {
	for _, row := range []struct {
		method string
		n      int
		want   string
	}{
		{Interval, 8, "[[1 3 5 7] [2 4 6 8]]"}, {Interval, 11, "[[1 4 7 10] [2 5 8 11] [3 6 9]]"},
		{Snake, 8, "[[1 4 5 8] [2 3 6 7]]"}, {Snake, 16, "[[1 8 9 16] [2 7 10 15] [3 6 11 14] [4 5 12 13]]"},
		{Snake, 7, "[[1 4 5 7] [2 3 6]]"},
	} {
		for seed := range int64(8) {
			past := draw(t, Request{Method: Standings, Players: field(row.n), Sizes: sizesOf(row.n), Rounds: 3,
				Seed: seed})
			q := Request{Method: row.method, Players: field(row.n), Sizes: sizesOf(row.n), History: past.Rounds,
				Seed: seed, Apart: []Pair{{1, 4}, {1, 5}}}
			for i := range q.Players {
				q.Players[i].Place, q.Players[i].Family = i+1, fmt.Sprint(i%3)
			}
			round := draw(t, q).Rounds[0]
			for _, table := range round {
				slices.Sort(table)
			}
			if fmt.Sprint(round) != row.want {
				t.Errorf("%s of %d, seed %d: %v, want %s", row.method, row.n, seed, round, row.want)
			}
		}
	}
}

// TestNobodyAtAThreeTwiceBeforeEverybodyOnce checks that in random rounds no player sits at a table of three twice
// before all have once, even at the cost of repeated meetings. By standings, the gaps of the tables come first.
func TestNobodyAtAThreeTwiceBeforeEverybodyOnce(t *testing.T) {
	for _, method := range []string{Random} {
		for _, n := range []int{7, 10, 11, 13, 14, 17, 18} {
			q := Request{Method: method, Players: field(n), Sizes: sizesOf(n), Seed: int64(n), Steps: 40_000}
			count := make([]int, n+1)
			for round := range 6 {
				got := draw(t, q).Rounds[0]
				for _, table := range got {
					for _, p := range table {
						count[p] += 4 - len(table)
					}
				}
				if slices.Max(count[1:]) > 1 && slices.Min(count[1:]) == 0 {
					t.Errorf("%s, %d players, after round %d: %v", method, n, round+1, count[1:])
					break
				}
				q.History, q.Seed = append(q.History, got), q.Seed+1
				for i := range q.Players { // standings are reversed, while some players stay at the end
					q.Players[i].Place = i + 1
				}
				slices.Reverse(q.Players[:n/2])
			}
		}
	}
}

func TestDrawThatIsStoppedOrRefused(t *testing.T) {
	t.Run("a search that is stopped gives what it has", func(t *testing.T) {
		got := draw(t, Request{Method: Plan, Players: field(40), Sizes: sizesOf(40), Rounds: 8, Seed: 3,
			Stop: func() bool { return true }})
		if len(got.Rounds) != 8 || !got.Report.Ended {
			t.Errorf("got %d rounds, %+v", len(got.Rounds), got.Report)
		}
	})
	t.Run("refusals", func(t *testing.T) {
		for _, q := range []Request{
			{Method: Random, Players: field(5), Sizes: []int{4}},
			{Method: Random, Players: field(6), Sizes: []int{6}},
			{Method: Random, Players: append(field(3), Player{ID: 1}), Sizes: []int{4}},
			{Method: "by-age", Players: field(4), Sizes: []int{4}},
			{Method: Random},
		} {
			if _, err := Seat(q); err == nil {
				t.Errorf("%d players at %v, %q were seated", len(q.Players), q.Sizes, q.Method)
			}
		}
	})
}

// TestEverybodyMeetsEverybodyTwice checks a published plan of 16 players for 10 rounds, in which all 120 pairs meet
// exactly twice.
func TestEverybodyMeetsEverybodyTwice(t *testing.T) {
	for _, row := range []struct{ players, rounds int }{{16, 10}, {28, 18}} {
		rep := draw(t, Request{Method: Plan, Players: field(row.players), Sizes: sizesOf(row.players),
			Rounds: row.rounds, Seed: 1}).Report
		if pairs := row.players * (row.players - 1) / 2; rep.PairsMet[2] != pairs || rep.Cost.Consecutive != 0 {
			t.Errorf("%d players, %d rounds: %v, %+v", row.players, row.rounds, rep.PairsMet, rep.Cost)
		}
	}
}

// TestAPlanOfFewerRoundsIsABeginning checks that a plan with fewer rounds is used as a start, and that the missing
// rounds are seated too.
func TestAPlanOfFewerRoundsIsABeginning(t *testing.T) {
	q := Request{Method: Plan, Players: field(16), Sizes: sizesOf(16), Rounds: 4, Seed: 1}
	before := draw(t, q).Rounds
	q.History, q.Begin, q.Rounds, q.Seed = before[:1], [][]Round{before[1:]}, 4, 2
	got := draw(t, q)
	if rep, err := Assess(q, got.Rounds); err != nil || rep.Extra > 6 || len(got.Rounds) != 4 { // 12 without the plan
		t.Errorf("%d extra meetings in %v, %v", rep.Extra, got.Rounds, err)
	}
}

// TestPlannedEvents checks the figures that a plan must reach; larger tournaments are in the benchmark of meldbench
// seats.
func TestPlannedEvents(t *testing.T) {
	for _, row := range []struct{ players, rounds, extra, uneven int }{
		{16, 5, 0, 0}, {20, 5, 0, 0}, {24, 6, 0, 0}, {32, 8, 0, 0}, {32, 9, 0, 0}, {48, 8, 0, 0}, {64, 8, 0, 0},
		{32, 10, 0, 0}, {40, 13, 0, 0}, {44, 14, 0, 0}, {100, 33, 0, 0}, {31, 10, 0, 0}, {19, 5, 0, 0}, {16, 8, 72, 0},
		{20, 6, 13, 0}, {24, 8, 30, 0}, {33, 5, 0, 33}, {37, 6, 0, 37}, {27, 9, 0, 27},
	} {
		t.Run(fmt.Sprintf("%dx%d", row.players, row.rounds), func(t *testing.T) {
			got := draw(t, Request{Method: Plan, Players: field(row.players), Sizes: sizesOf(row.players),
				Rounds: row.rounds, Seed: 1})
			rep := got.Report
			if rep.Extra > row.extra || rep.Uneven > row.uneven || rep.Extra < rep.Bound {
				t.Errorf("%d extra meetings (bound %d), want %d; %d players with uneven seats, want %d", rep.Extra,
					rep.Bound, row.extra, rep.Uneven, row.uneven)
			}
			count := map[int64]int{}
			for r, round := range got.Rounds {
				for _, table := range round {
					for _, p := range table {
						count[p] += 4 - len(table)
					}
				}
				lo, hi := count[1], count[1]
				for _, k := range count {
					lo, hi = min(lo, k), max(hi, k)
				}
				if hi-lo > 1 {
					t.Errorf("after round %d somebody was at a table of three %d times, somebody else %d", r+1, hi, lo)
				}
			}
		})
	}
}

// total returns the cost as a single number.
func (c Cost) total() int64 {
	return c.Consecutive*weighConsecutive + c.Repeats*weighRepeat + c.Thrice*weighThrice + c.Wishes*weighWish +
		c.Threes*weighThree +
		c.Starts*weighStart + c.Seats*weighSeat + c.Neighbours*weighNeighbour
}
