package standing

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/score"
	"meldhall/tournament/format"
)

// TestRankOfAnyEvent checks 3 to 400 players under every ranking and any tie-breaks. Every player has one row, the
// order of results does not matter, a place is shared exactly if nothing separates two neighbours, and no points appear
// or disappear.
func TestRankOfAnyEvent(t *testing.T) {
	seen := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		in := anyEvent(t)
		rows := Rank(in)
		shuffled := in
		shuffled.Lines = rapid.Permutation(in.Lines).Draw(t, "lines")
		shuffled.Players = rapid.Permutation(in.Players).Draw(t, "players")
		if again := Rank(shuffled); !slices.Equal(again, rows) {
			t.Fatal("another order of the results gives other standings")
		}
		if len(rows) != len(in.Players) {
			t.Fatalf("got %d rows of %d players", len(rows), len(in.Players))
		}
		once := map[int64]bool{}
		for i, r := range rows {
			once[r.Player] = true
			seen[r.Reason.Key] = true
			shared := i > 0 && rows[i-1].Place == r.Place
			if shared != (r.Reason.Key == Shared) || i > 0 && !shared && r.Place != i+1 ||
				(r.Reason.Key == "") != (i == 0) {
				t.Fatalf("row %d: place %d after %d, reason %+v", i, r.Place, rows[max(i-1, 0)].Place, r.Reason)
			}
			if r.Reason.Key != Shared && i > 0 && !slices.Contains(Reasons, r.Reason.Key) {
				t.Fatalf("reason %q is not listed", r.Reason.Key)
			}
		}
		if len(once) != len(in.Players) {
			t.Fatal("a player stands twice")
		}
		checkTablePoints(t, in, rows)
	})
	if testing.Short() {
		return // 20 tournaments instead of 100 may miss a reason
	}
	for _, want := range []string{Shared, ByStage, format.TieWins, format.TiePoints, format.TieTablePoints,
		format.TieBestGame, format.TieOpponents,
		format.TieTurnOrder, ByReaching, ByLowest} {
		if !seen[want] {
			t.Errorf("no event was parted by %s: the search is too narrow", want)
		}
	}
}

// checkTablePoints checks that in a single stage with tables of four, each game gives the whole scale.
func checkTablePoints(t *rapid.T, in Input, rows []Row) {
	if len(in.Stages) > 1 || len(in.Players)%4 != 0 || in.Stages[0].Scoring.Ranking != format.ByTablePoints {
		return
	}
	var total, games score.Twelfth
	for _, r := range rows {
		total += r.TablePoints
		games += score.Twelfth(r.Games)
	}
	if total != games/4*score.Whole(8) {
		t.Fatalf("%s table points in %d seats of games", total, games)
	}
}

func anyEvent(t *rapid.T) Input {
	n := rapid.IntRange(3, 400).Filter(func(n int) bool { return n != 5 }).Draw(t, "players")
	players, ids := people(n)
	scoring := format.Scoring{Ranking: rapid.SampledFrom(format.Rankings).Draw(t, "ranking"), FirstTo: 2,
		TablePoints:    [][]int{{4, 3, 1, 0}, {4, 2, 1}},
		TablePointsPer: rapid.SampledFrom([]string{format.PerGame, format.PerRound}).Draw(t, "per"),
		TieBreaks: rapid.SampledFrom([][]string{nil, {format.TieBestGame}, {format.TieOpponents, format.TieWins},
			{format.TieTurnOrder}, {format.TiePlayOff, format.TieLot}}).Draw(t, "ties")}
	if scoring.Ranking == format.ByTablePoints && scoring.TablePointsPer == format.PerRound {
		scoring.TablePointsPer = ""
	}
	lowest := scoring.Ranking == format.LowestPoints
	in := Input{Players: players, Stages: []Stage{{FirstRound: 1, Entrants: ids, Carry: format.CarryAll,
		Scoring: scoring, Lowest: lowest}}}
	most := rapid.IntRange(1, 30).Draw(t, "most points") // few, so that many tie
	if n >= 8 && rapid.Bool().Draw(t, "final") {
		in.Stages = append(in.Stages, Stage{FirstRound: 3, Entrants: ids[n-4:],
			Carry: rapid.SampledFrom(format.Carries).Draw(t, "carry"), Scoring: scoring, Lowest: lowest})
	}
	var s sheet
	order := slices.Clone(ids)
	chance := rapid.Uint64().Draw(t, "chance")
	next := func(n int) int { // a fast generator: thousands of draws would slow the search
		chance = chance*6364136223846793005 + 1442695040888963407
		return int(chance >> 33 % uint64(n))
	}
	for round := 1; round <= 2; round++ {
		for i := range order {
			j := next(i + 1)
			order[i], order[j] = order[j], order[i]
		}
		sizes, _ := format.Tables(n)
		left := order
		for table, size := range sizes {
			s.play(Line{Round: round, Table: int64(round*1000 + table), Order: 1}, lowest, left[:size],
				anyGame(next, size, most)...)
			left = left[size:]
		}
	}
	if len(in.Stages) > 1 {
		s.play(Line{Round: 3, Stage: 1, Table: 3000, Order: 1}, lowest, ids[n-4:], anyGame(next, 4, most)...)
	}
	in.Lines = s.lines
	return in
}

func anyGame(next func(int) int, size, most int) []int {
	points := make([]int, size)
	for i := range points {
		points[i] = next(2*most+1) - most
	}
	return points
}
