package standing

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
)

func points(player, round, stage, n int) Penalty {
	return Penalty{Player: int64(player), Round: round, Stage: stage, Points: score.Whole(n)}
}

func TestRankPenalties(t *testing.T) {
	players, ids := people(4)
	base := Input{Players: players, Stages: []Stage{everybody(ids)}, Lines: game(0, 1, 2, 50, 30, 40, -20)}
	for _, row := range []struct {
		name, method string
		penalties    []Penalty
		want         string
	}{
		{"taken from the total, not from the wins", ruleset.WinsThenPoints,
			[]Penalty{points(2, 1, 0, 500), points(1, 1, 0, 20)}, "1:2 2:3 3:1 4:4"},
		{"taken from the points", ruleset.ByPoints, []Penalty{points(1, 1, 0, 5), points(1, 1, 0, 10)},
			"1:3 2:1 3:2 4:4"},
		{"added where the lowest total wins", ruleset.LowestPoints, []Penalty{points(4, 1, 0, 55)}, "1:2 2:4 3:3 4:1"},
		{"a tie is one", ruleset.ByPoints, []Penalty{points(1, 1, 0, 10)}, "1:1 1:3 3:2 4:4"},
		{"before the first round", ruleset.ByPoints, []Penalty{points(1, 0, 0, 11)}, "1:3 2:1 3:2 4:4"},
		{"of somebody else's event", ruleset.ByPoints, []Penalty{points(9, 1, 0, 11)}, "1:1 2:3 3:2 4:4"},
	} {
		t.Run(row.name, func(t *testing.T) {
			in := base
			in.Method, in.Penalties = row.method, row.penalties
			if got := show(Rank(in)); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
	t.Run("points of the games, penalties and total stand apart", func(t *testing.T) {
		for method, total := range map[string]int{ruleset.ByPoints: 35, ruleset.LowestPoints: 65} {
			in := base
			in.Method, in.Penalties = method, []Penalty{points(1, 1, 0, 5), points(1, 1, 0, 10)}
			for _, r := range Rank(in) {
				want := [3]score.Twelfth{r.Points, 0, r.Points}
				if r.Player == 1 {
					want = [3]score.Twelfth{score.Whole(50), score.Whole(15), score.Whole(total)}
				}
				if got := [3]score.Twelfth{r.Points, r.Penalties, r.Total}; got != want {
					t.Errorf("%s, player %d: got %v, want %v", method, r.Player, got, want)
				}
			}
		}
	})
	t.Run("one of the newest round makes a move, no last part", func(t *testing.T) {
		in := base
		in.Method = ruleset.ByPoints
		in.Lines = append(slices.Clone(base.Lines), game(0, 2, 1, 0, 0, 0, 0)...)
		in.Penalties = []Penalty{points(1, 2, 0, 45)}
		rows := Rank(in)
		if got, want := show(rows), "1:3 2:2 3:1 4:4"; got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
		if rows[2].Move != -2 || rows[2].LastPoints != 0 {
			t.Errorf("got %+v", rows[2])
		}
	})
	t.Run("counts where the results of its round count", func(t *testing.T) {
		in := base
		in.Method = ruleset.ByPoints
		in.Lines = append(slices.Clone(base.Lines), Line{Player: 1, Stage: 1, Round: 2},
			Line{Player: 3, Stage: 1, Round: 2})
		for _, row := range []struct {
			carry bool
			given Penalty
			want  score.Twelfth
		}{
			{true, points(1, 1, 0, 7), score.Whole(7)}, {false, points(1, 1, 0, 7), 0},
			{false, points(1, 2, 1, 7), score.Whole(7)},
		} {
			in.Stages = []Stage{everybody(ids), after(2, []int64{1, 3}, row.carry)}
			in.Penalties = []Penalty{row.given}
			rows := Rank(in)
			if i := slices.IndexFunc(rows, func(r Row) bool { return r.Player == 1 }); rows[i].Penalties != row.want {
				t.Errorf("%+v: got %v", row, rows[i].Penalties)
			}
		}
	})
}

func TestRankDisqualified(t *testing.T) {
	players, ids := people(4)
	players[1].Disqualified, players[1].Withdrawn = true, true
	in := Input{Method: ruleset.WinsThenPoints, Players: players,
		Stages: []Stage{everybody(ids), after(2, []int64{1, 2}, false)},
		Lines:  game(0, 1, 2, 50, 30, 40, -20)}
	rows := Rank(in)
	if got, want := show(rows), "1:1 2:3 3:4 4:2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if last := rows[3]; !last.Disqualified || last.Stage != 1 || rows[0].Disqualified {
		t.Errorf("got %+v", rows)
	}
	if cut := Cut(rows[:], 3); !slices.Equal(cut.In, []int64{1, 3, 4}) {
		t.Errorf("a cut takes %v", cut.In)
	}
}

// TestRankIsAFunction checks that the order of results, penalties and players does not matter, that the input is not
// changed, and that a penalty never improves the player's place or worsens another's.
func TestRankIsAFunction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t)
		before := clone(in)
		rows := Rank(in)
		if !same(in, before) {
			t.Fatal("the input was changed")
		}
		shuffled := clone(in)
		shuffled.Lines = rapid.Permutation(in.Lines).Draw(t, "lines")
		shuffled.Penalties = rapid.Permutation(in.Penalties).Draw(t, "penalties")
		shuffled.Players = rapid.Permutation(in.Players).Draw(t, "players")
		if again := Rank(shuffled); !slices.Equal(again, rows) {
			t.Fatalf("got %+v, then %+v", rows, again)
		}
		places := map[int64]int{}
		for i, r := range rows {
			places[r.Player] = r.Place
			if i > 0 && (r.Place < rows[i-1].Place || r.Place > i+1) {
				t.Fatalf("row %d has place %d after %d", i, r.Place, rows[i-1].Place)
			}
			if i > 0 && rows[i-1].Disqualified && !r.Disqualified {
				t.Fatalf("player %d stands after one who is disqualified", r.Player)
			}
		}
		more := clone(in)
		more.Penalties = append(more.Penalties, anyPenalty(in).Draw(t, "one more"))
		hit := more.Penalties[len(in.Penalties)].Player
		for _, r := range Rank(more) {
			if r.Player == hit && r.Place < places[hit] || r.Player != hit && r.Place > places[r.Player] {
				t.Fatalf("after a penalty for player %d, player %d moved from %d to %d", hit, r.Player,
					places[r.Player], r.Place)
			}
		}
	})
}

func clone(in Input) Input {
	in.Players, in.Lines, in.Penalties = slices.Clone(in.Players), slices.Clone(in.Lines), slices.Clone(in.Penalties)
	return in
}

func same(a, b Input) bool {
	return slices.Equal(a.Players, b.Players) && slices.Equal(a.Lines, b.Lines) &&
		slices.Equal(a.Penalties, b.Penalties)
}

func anyPenalty(in Input) *rapid.Generator[Penalty] {
	return rapid.Custom(func(t *rapid.T) Penalty {
		round := rapid.IntRange(0, 2).Draw(t, "round")
		return points(rapid.IntRange(1, len(in.Players)).Draw(t, "player"), round, round/2,
			rapid.IntRange(1, 60).Draw(t, "points"))
	})
}

func anyInput(t *rapid.T) Input {
	players, ids := people(rapid.IntRange(2, 9).Draw(t, "players"))
	for i := range players {
		players[i].Disqualified = rapid.IntRange(0, 5).Draw(t, "disqualified") == 0
		players[i].Withdrawn = players[i].Disqualified || rapid.IntRange(0, 5).Draw(t, "withdrawn") == 0
	}
	in := Input{Method: rapid.SampledFrom([]string{ruleset.WinsThenPoints, ruleset.ByPoints,
		ruleset.LowestPoints}).Draw(t,
		"method"),
		Players: players, Stages: []Stage{everybody(ids)}}
	if rapid.Bool().Draw(t, "final") {
		in.Stages = append(in.Stages, after(2, ids[:(len(ids)+1)/2], rapid.Bool().Draw(t, "carry")))
	}
	in.Lines = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Line {
		round := rapid.IntRange(1, len(in.Stages)).Draw(t, "round")
		return Line{Player: int64(rapid.IntRange(1, len(players)).Draw(t, "player")), Round: round, Stage: round - 1,
			Points: score.Twelfth(rapid.IntRange(-600, 600).Draw(t, "points")),
			Wins:   score.Twelfth(rapid.SampledFrom([]int{0, 0, 0, 4, 6, 12}).Draw(t, "wins"))}
	}), 0, 20).Draw(t, "lines")
	in.Penalties = rapid.SliceOfN(anyPenalty(in), 0, 4).Draw(t, "penalties")
	return in
}
