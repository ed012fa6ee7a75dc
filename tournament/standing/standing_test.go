package standing

import (
	"fmt"
	"strings"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament/format"
)

func people(n int) (players []Player, ids []int64) {
	for i := range n {
		players = append(players, Player{ID: int64(i + 1), Number: i + 1})
		ids = append(ids, int64(i+1))
	}
	return players, ids
}

// game returns the lines of one game: points of players 1, 2, …; the winner takes the win.
func game(stage, round, winner int, points ...int) (lines []Line) {
	for i, p := range points {
		l := Line{Player: int64(i + 1), Stage: stage, Round: round, Points: score.Whole(p)}
		if i+1 == winner {
			l.Wins = score.Whole(1)
		}
		lines = append(lines, l)
	}
	return lines
}

func show(rows []Row) string {
	var out []string
	for _, r := range rows {
		out = append(out, fmt.Sprintf("%d:%d", r.Place, r.Player))
	}
	return strings.Join(out, " ")
}

// TestRankExample: four games at one table, engine/RULES.md section 8, example 4, give C, D, A, B.
func TestRankExample(t *testing.T) {
	players, ids := people(4)
	in := Input{Method: ruleset.WinsThenPoints, Players: players, Stages: []Stage{everybody(ids)}}
	in.Lines = append(in.Lines, game(0, 1, 1, 24, -5, -16, -3)...)
	in.Lines = append(in.Lines, game(0, 1, 3, -6, -11, 22, -5)...)
	in.Lines = append(in.Lines, game(0, 1, 4, -32, -13, -2, 47)...)
	in.Lines = append(in.Lines, game(0, 1, 3, -10, -25, 41, -6)...)
	rows := Rank(in)
	if got, want := show(rows), "1:3 2:4 3:1 4:2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for i, want := range []struct{ wins, points int }{{2, 45}, {1, 33}, {1, -24}, {0, -54}} {
		if r := rows[i]; r.Wins != score.Whole(want.wins) || r.Points != score.Whole(want.points) || r.Games != 4 {
			t.Errorf("player %d: got %+v, want %+v", r.Player, r, want)
		}
	}
}

func TestRankMethods(t *testing.T) {
	players, ids := people(4)
	in := Input{Players: players, Stages: []Stage{everybody(ids)}, Lines: game(0, 1, 2, 50, 30, 50, -20)}
	for method, want := range map[string]string{
		ruleset.WinsThenPoints: "1:2 2:1 2:3 4:4",
		ruleset.ByPoints:       "1:1 1:3 3:2 4:4",
		ruleset.LowestPoints:   "1:4 2:2 3:1 3:3",
	} {
		in.Method = method
		if got := show(Rank(in)); got != want {
			t.Errorf("%s: got %s, want %s", method, got, want)
		}
	}
}

func TestRank(t *testing.T) {
	players, ids := people(4)
	base := Input{Method: ruleset.WinsThenPoints, Players: players, Stages: []Stage{everybody(ids)}}
	t.Run("before any game all share the first place", func(t *testing.T) {
		if got, want := show(Rank(base)), "1:1 1:2 1:3 1:4"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	t.Run("who has not played stands last, below a bad score", func(t *testing.T) {
		in := base
		in.Lines = game(0, 1, 1, 90, -40, -50)
		if got, want := show(Rank(in)), "1:1 2:2 3:3 4:4"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	t.Run("half wins and shared points add up exactly", func(t *testing.T) {
		in := base
		for range 3 {
			in.Lines = append(in.Lines, Line{Player: 1, Round: 1, Wins: 4, Points: 25}) // a third of a win
			in.Lines = append(in.Lines, Line{Player: 2, Round: 1})
		}
		in.Lines = append(in.Lines, Line{Player: 3, Round: 1, Wins: 12, Points: 75})
		if got, want := show(Rank(in)), "1:1 1:3 3:2 4:4"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	t.Run("moves and the last round's part", func(t *testing.T) {
		in := base
		in.Lines = append(game(0, 1, 1, 60, -10, -20, -30), game(0, 2, 4, -10, -20, -30, 90)...)
		rows := Rank(in)
		if got, want := show(rows), "1:4 2:1 3:2 4:3"; got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
		for i, want := range []int{3, -1, -1, -1} {
			if !rows[i].HasMove || rows[i].Move != want {
				t.Errorf("player %d: got move %d, want %d", rows[i].Player, rows[i].Move, want)
			}
		}
		if rows[0].LastPoints != score.Whole(90) || rows[0].LastWins != score.Whole(1) || !rows[0].LastPlayed {
			t.Errorf("got %+v", rows[0])
		}
	})
	t.Run("provisional as long as one result is", func(t *testing.T) {
		in := base
		in.Lines = game(0, 1, 1, 60, -10, -20, -30)
		in.Lines[1].Provisional = true
		for _, r := range Rank(in) {
			if r.Provisional != (r.Player == 2) {
				t.Errorf("player %d: got %v", r.Player, r.Provisional)
			}
		}
	})
	t.Run("under the lowest total nobody wins by leaving", func(t *testing.T) {
		in := base
		in.Method = ruleset.LowestPoints
		in.Players = append([]Player(nil), players...)
		in.Players[0].Withdrawn = true
		in.Lines = append(game(0, 1, 1, 0, 10, 20, 30), Line{Player: 2, Round: 2, Points: score.Whole(25)})
		if got, want := show(Rank(in)), "1:3 2:4 3:2 4:1"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestRankStages(t *testing.T) {
	players, ids := people(4)
	first := game(0, 1, 1, 90, 10, -40, -60)
	final := []Line{{Player: 1, Stage: 1, Round: 2, Points: score.Whole(-30)},
		{Player: 2, Stage: 1, Round: 2, Wins: 12, Points: score.Whole(30)}}
	in := Input{Method: ruleset.WinsThenPoints, Players: players, Lines: append(first, final...)}
	for _, row := range []struct {
		name  string
		carry bool
		want  string
	}{
		{"the final counts alone", false, "1:2 2:1 3:3 4:4"},
		{"everything counts", true, "1:1 2:2 3:3 4:4"},
	} {
		t.Run(row.name, func(t *testing.T) {
			in.Stages = []Stage{everybody(ids), after(2, []int64{1, 2}, row.carry)}
			rows := Rank(in)
			if got := show(rows); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
			if rows[0].Stage != 1 || rows[3].Stage != 0 {
				t.Errorf("got stages %d and %d", rows[0].Stage, rows[3].Stage)
			}
		})
	}
	t.Run("before its first game the finalists share the first place, above the others", func(t *testing.T) {
		in := in
		in.Lines = first
		in.Stages = []Stage{everybody(ids), after(2, []int64{2, 3}, false)}
		if got, want := show(Rank(in)), "1:2 1:3 3:1 4:4"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestCut(t *testing.T) {
	rows := func(places ...int) (rows []Row) {
		for i, p := range places {
			rows = append(rows, Row{Player: int64(i + 1), Place: p})
		}
		return rows
	}
	for _, row := range []struct {
		name string
		rows []Row
		n    int
		want string
	}{
		{"clean", rows(1, 2, 3, 4, 5), 4, "{[1 2 3 4] [] 0}"},
		{"ties above the line do not matter", rows(1, 1, 1, 4, 5), 4, "{[1 2 3 4] [] 0}"},
		{"tie at the line", rows(1, 2, 3, 3, 3, 6), 4, "{[1 2] [3 4 5] 2}"},
		{"all tie", rows(1, 1, 1), 2, "{[] [1 2 3] 2}"},
		{"as many as there are", rows(1, 2, 2), 3, "{[1 2 3] [] 0}"},
		{"fewer than the cut", rows(1, 2), 4, "{[1 2] [] 0}"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := fmt.Sprint(Cut(row.rows, row.n)); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
	t.Run("who withdrew makes room", func(t *testing.T) {
		r := rows(1, 2, 3)
		r[0].Withdrawn = true
		if got, want := fmt.Sprint(Cut(r, 2)), "{[2 3] [] 0}"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func everybody(ids []int64) Stage {
	return Stage{FirstRound: 1, Entrants: ids, Carry: format.CarryAll}
}

func after(first int, ids []int64, all bool) Stage {
	s := Stage{FirstRound: first, Entrants: ids, Carry: format.CarryNone}
	if all {
		s.Carry = format.CarryAll
	}
	return s
}
