package standing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament/format"
)

// sheet holds the games of a tournament as a score sheet does: one row per game with the points of players 1, 2, …, and
// the winner, 0 for the highest. A table's players have consecutive numbers.
type sheet struct {
	lines []Line
	games int64
}

// play adds a game of these players. The most points win it, or the fewest if lowest. Tied players share the win.
func (s *sheet) play(at Line, lowest bool, players []int64, points ...int) {
	s.games++
	best := points[0]
	for _, p := range points {
		if lowest && p < best || !lowest && p > best {
			best = p
		}
	}
	winners := 0
	for _, p := range points {
		if p == best {
			winners++
		}
	}
	for i, p := range points {
		l := at
		l.Player, l.Game, l.Turn, l.Points = players[i], s.games, i, score.Whole(p)
		if p == best {
			l.Wins = score.Whole(1) / score.Twelfth(winners)
		}
		s.lines = append(s.lines, l)
	}
}

func stageOf(players []int64, carry string, scoring format.Scoring) Stage {
	return Stage{FirstRound: 1, Entrants: players, Carry: carry, Scoring: scoring,
		Lowest: scoring.Ranking == format.LowestPoints}
}

// why returns the reasons of the rows after the first.
func why(rows []Row) string {
	var out []string
	for _, r := range rows[1:] {
		text := r.Reason.Key
		if r.Reason.Nth > 0 {
			text += fmt.Sprintf("#%d", r.Reason.Nth)
		}
		if r.Reason.Above != 0 || r.Reason.Below != 0 {
			text += fmt.Sprintf("(%s,%s)", r.Reason.Above, r.Reason.Below)
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// TestPressmanSheet: every game sums to zero, and the order by wins, then points, is C, D, A, B.
func TestPressmanSheet(t *testing.T) {
	players, ids := people(4)
	games := [][]int{{24, -5, -16, -3}, {-6, -11, 22, -5}, {-32, -13, -2, 47}, {-10, -25, 41, -6}}
	var s sheet
	for i, g := range games {
		sum := 0
		for _, p := range g {
			sum += p
		}
		if sum != 0 {
			t.Errorf("game %d sums to %d", i+1, sum)
		}
		s.play(Line{Round: 1, Order: i + 1}, false, ids, g...)
	}
	in := Input{Method: ruleset.WinsThenPoints, Players: players,
		Stages: []Stage{stageOf(ids, format.CarryAll, format.Scoring{})}, Lines: s.lines}
	rows := Rank(in)
	if got, want := show(rows), "1:3 2:4 3:1 4:2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := why(rows), "wins(2,1) points(33,−24) wins(1,0)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for player, want := range map[int64]int{1: -24, 2: -54, 3: 45, 4: 33} {
		for _, r := range rows {
			if r.Player == player && r.Total != score.Whole(want) {
				t.Errorf("player %d: got %s, want %d", player, r.Total, want)
			}
		}
	}
}

// TestRankings checks what the sources say about rankings and tie-breaks, with one stage of one table.
func TestRankings(t *testing.T) {
	german := format.Scoring{Ranking: format.ByTablePoints, TablePoints: [][]int{{4, 3, 1, 0}, {4, 2, 1}}}
	hig := format.Scoring{Ranking: format.ByTablePoints, TablePoints: [][]int{{5, 3, 2, 1}, {5, 3, 1}}}
	for _, row := range []struct {
		name    string
		scoring format.Scoring
		games   [][]int
		want    string
		why     string
	}{
		{"Wermelskirchen: 4-3-1-0 by place", german, [][]int{{30, -5, -10, -15}, {-20, 45, -15, -10}},
			"1:2 2:1 3:4 4:3", "table_points(7,4) table_points(4,3) table_points(3,2)"},
		{"who ties in a game shares the average", german, [][]int{{30, -10, -10, -10}},
			"1:1 2:2 2:3 2:4", "table_points(4,1.33) shared shared"},
		{"5-3-2-1, two share the first place", hig, [][]int{{10, 10, -5, -15}}, "1:1 1:2 3:3 4:4",
			"shared table_points(4,2) table_points(2,1)"},
		{"5-3-1 at a table of three", hig, [][]int{{10, -4, -6}}, "1:1 2:2 3:3", "table_points(5,3) table_points(3,1)"},
		{"the first places of the longest scale where there is none",
			format.Scoring{Ranking: format.ByTablePoints, TablePoints: [][]int{{4, 3, 1, 0}}},
			[][]int{{10, -4, -6}}, "1:1 2:2 3:3", "table_points(4,3) table_points(3,1)"},
		{"Żorawina and the WRC of 2024: a final of four games, won 3:1:0:0", format.Scoring{Ranking: format.WinsPoints},
			[][]int{{30, -10, -10, -10}, {40, -10, -10, -20}, {-10, 30, -5, -15}, {60, -20, -20, -20}},
			"1:1 2:2 3:3 4:4", "wins(3,1) wins(1,0) points(−45,−65)"},
		{"kdgame: the best single game", format.Scoring{Ranking: format.WinsPoints,
			TieBreaks: []string{format.TieBestGame}},
			[][]int{{20, -5, -5, -10}, {-10, 15, -5, 0}}, "1:1 2:2 3:4 4:3",
			"best_game#1(20,15) wins(1,0) best_game#1(0,−5)"},
		{"kdgame: then the second best", format.Scoring{Ranking: format.WinsPoints,
			TieBreaks: []string{format.TieBestGame}},
			[][]int{{20, -4, -16}, {-1, 20, -19}, {-9, -6, 15}}, "1:1 2:2 3:3", "best_game#2(−1,−4) points(10,−20)"},
		{"Japan, a qualifier: 100 points for each win", format.Scoring{Ranking: format.PointsOnly, WinBonus: 100},
			[][]int{{5, -1, -2, -2}, {-2, 90, -44, -44}, {4, -2, -1, -1}}, "1:1 2:2 3:3 3:4",
			"points(207,187) points(187,−47) shared"},
		{"a league: no more than 25 lost, 50 for the first, 5 for the second",
			format.Scoring{Ranking: format.PointsOnly, LossMost: 25, WinBonus: 50, SecondBonus: 5},
			[][]int{{120, -10, -10, -100}}, "1:1 2:2 2:3 4:4", "points(170,−7.5) shared points(−7.5,−25)"},
		{"kdgame: points for the winner alone", format.Scoring{Ranking: format.WinsPoints, WinnerOnly: true,
			TieBreaks: []string{format.TieBestGame}},
			[][]int{{20, -5, -5, -10}, {-10, 15, -5, 0}, {30, 30, -50, -10}}, "1:1 2:2 3:3 3:4",
			"points(50,45) wins(1.5,0) shared"},
		{"gains are capped as well", format.Scoring{Ranking: format.PointsOnly, GainMost: 60},
			[][]int{{120, -20, -40, -60}, {-10, 50, -20, -20}}, "1:1 2:2 3:3 4:4",
			"points(50,30) points(30,−60) points(−60,−80)"},
		{"the Netherlands: the first to win four games", format.Scoring{Ranking: format.FirstTo, FirstTo: 2},
			[][]int{{9, -3, -3, -3}, {-3, 99, -48, -48}, {9, -3, -3, -3}, {-3, 99, -48, -48}}, "1:1 2:2 3:3 3:4",
			"reached reached shared"},
		{"Gwinnett and the invite-code text: the lowest score wins",
			format.Scoring{Ranking: format.LowestPoints, TieBreaks: []string{format.TieWins, format.TieBestGame}},
			[][]int{{0, 12, 30, 5}, {8, 0, 25, 3}}, "1:1 2:4 3:2 4:3", "wins(1,0) lowest(8,12) lowest(12,55)"},
		{"only who has played enough games counts", format.Scoring{Ranking: format.PointsOnly, MinGames: 3},
			[][]int{{5, -5}, {5, -5}}, "1:1 2:2", "points(10,−10)"},
	} {
		t.Run(row.name, func(t *testing.T) {
			players, ids := people(len(row.games[0]))
			var s sheet
			for i, g := range row.games {
				s.play(Line{Round: 1, Order: i + 1, Table: 1}, row.scoring.Ranking == format.LowestPoints, ids, g...)
			}
			rows := Rank(Input{Players: players, Stages: []Stage{stageOf(ids, format.CarryAll, row.scoring)},
				Lines: s.lines})
			if got := show(rows); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
			if got := why(rows); got != row.why {
				t.Errorf("got %s, want %s", got, row.why)
			}
		})
	}
}

// TestOpponents follows the MSO: tables of two in a Swiss system. Among players with equal wins, stronger opponents
// rank a player higher.
func TestOpponents(t *testing.T) {
	players, ids := people(4)
	var s sheet
	for round, pairs := range [][][2]int64{{{1, 2}, {3, 4}}, {{1, 3}, {4, 2}}, {{4, 1}, {2, 3}}} {
		for table, pair := range pairs { // the first one wins
			s.play(Line{Round: round + 1, Table: int64(10*round + table + 1), Order: 1}, false, pair[:], 10, -10)
		}
	}
	in := Input{Players: players, Lines: s.lines,
		Stages: []Stage{stageOf(ids, format.CarryAll, format.Scoring{Ranking: format.WinsOnly,
			TieBreaks: []string{format.TieOpponents, format.TiePoints}})}}
	rows := Rank(in)
	if got, want := show(rows)+" "+why(rows), "1:1 1:4 3:2 3:3 shared wins(2,1) shared"; got != want {
		t.Errorf("all met all: got %s, want %s", got, want)
	}
	in.Lines = s.lines[:8]
	rows = Rank(in)
	if got, want := show(rows)+" "+why(rows), "1:1 2:3 3:4 4:2 wins(2,1) opponents(3,1) wins(1,0)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestHalfCarried follows Kuwana: half of the points of the groups carries over to the final, rounded up.
func TestHalfCarried(t *testing.T) {
	for points, want := range map[int]int{24: 12, 25: 13, 1: 1, 0: 0, -1: 0, -7: -3, -8: -4} {
		if got := half(score.Whole(points)); got != score.Whole(want) {
			t.Errorf("half of %d: got %s, want %d", points, got, want)
		}
	}
	if got := half(score.Whole(25) + 6); got != score.Whole(13) {
		t.Errorf("half of 25.5: got %s, want 13", got)
	}
	players, ids := people(8)
	var s sheet
	s.play(Line{Round: 1, Table: 1, Order: 1}, false, ids[:4], 51, -20, -21, -10)
	s.play(Line{Round: 1, Table: 2, Order: 1}, false, ids[4:], 20, -4, -7, -9)
	scoring := format.Scoring{Ranking: format.PointsOnly}
	finalists := []int64{1, 4, 5, 6}
	in := Input{Players: players, Stages: []Stage{stageOf(ids, format.CarryAll, scoring),
		{FirstRound: 2, Entrants: finalists, Carry: format.CarryHalf, Scoring: scoring}}}
	s.play(Line{Round: 2, Stage: 1, Table: 3, Order: 1}, false, finalists, -12, -2, 4, 10)
	in.Lines = s.lines
	rows := Rank(in)
	if got, want := show(rows[:4]), "1:1 1:5 3:6 4:4"; got != want { // 26−12, 10+4, −2+10, −5−2
		t.Errorf("got %s, want %s", got, want)
	}
	if r := rows[0]; r.Carried != score.Whole(26) || r.Points != score.Whole(-12) || r.Total != score.Whole(14) ||
		r.Games != 1 {
		t.Errorf("got %+v", r)
	}
	in.Penalties = []Penalty{{Player: 1, Round: 1, Points: score.Whole(50)}} // Hokkaido: minus 50 for each
	if rows = Rank(in); rows[0].Player != 5 || rows[3].Player != 1 || rows[3].Carried != score.Whole(1) {
		t.Errorf("after a penalty in the groups: got %+v", rows[:4])
	}
}

// TestCarryOver: in Japan 2023 the points of all stages count, in Belgium only those of the last.
func TestCarryOver(t *testing.T) {
	players, ids := people(8)
	for carry, want := range map[string]string{format.CarryAll: "1:1 2:2 3:4 4:3 5:5",
		format.CarryNone: "1:4 2:2 3:3 4:1 5:5"} {
		var s sheet
		s.play(Line{Round: 1, Table: 1, Order: 1}, false, ids[:4], 90, 20, -60, -50)
		s.play(Line{Round: 1, Table: 2, Order: 1}, false, ids[4:], 20, -4, -7, -9)
		scoring := format.Scoring{Ranking: format.PointsOnly}
		in := Input{Players: players, Stages: []Stage{stageOf(ids, format.CarryAll, scoring),
			{FirstRound: 2, Entrants: ids[:4], Carry: carry, Scoring: scoring}}}
		s.play(Line{Round: 2, Stage: 1, Table: 3, Order: 1}, false, ids[:4], -30, 6, -1, 25)
		in.Lines = s.lines
		rows := Rank(in)
		if got := show(rows[:5]); got != want {
			t.Errorf("%s: got %s, want %s", carry, got, want)
		}
		if rows[4].Reason.Key != ByStage {
			t.Errorf("the first who is out: got %+v", rows[4].Reason)
		}
	}
}

// TestTurnOrder follows Taiwan: a tie in a group goes to the player earlier in the turn order.
func TestTurnOrder(t *testing.T) {
	players, ids := people(4)
	var s sheet
	s.play(Line{Round: 1, Table: 1, Order: 1}, false, []int64{3, 4, 2, 1}, -7, 21, -7, -7)
	in := Input{Players: players, Lines: s.lines, Stages: []Stage{stageOf(ids, format.CarryAll,
		format.Scoring{Ranking: format.PointsOnly, TieBreaks: []string{format.TieTurnOrder}})}}
	rows := Rank(in)
	if got, want := show(rows)+" "+why(rows), "1:4 2:3 3:2 4:1 points(21,−7) turn_order turn_order"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestPlayOff follows the Czech rules: one extra game reorders only the tied players and counts for nothing else.
func TestPlayOff(t *testing.T) {
	players, ids := people(4)
	scoring := format.Scoring{Ranking: format.ByTablePoints, TablePoints: [][]int{{4, 3, 2, 1}},
		TieBreaks: []string{format.TiePoints, format.TiePlayOff, format.TieLot}}
	var s sheet
	s.play(Line{Round: 1, Table: 1, Order: 1}, false, ids, 20, 0, -5, -15)
	s.play(Line{Round: 2, Table: 2, Order: 1}, false, ids, 0, 20, -5, -15)
	in := Input{Players: players, Lines: s.lines, Stages: []Stage{stageOf(ids, format.CarryAll, scoring)}}
	rows := Rank(in)
	if got, want := show(rows), "1:1 1:2 3:3 4:4"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	s.play(Line{Round: 3, Table: 3, Order: 1, PlayOff: 1}, false, []int64{1, 2}, -60, 60)
	in.Lines = s.lines
	after := Rank(in)
	if got, want := show(after), "1:2 2:1 3:3 4:4"; got != want || after[1].Reason.Key != format.TiePlayOff {
		t.Errorf("got %s, want %s (%+v)", got, want, after[1].Reason)
	}
	if after[0].Games != 2 || after[0].Total != score.Whole(20) || after[2] != withMove(rows[2]) {
		t.Errorf("got %+v after %+v", after, rows)
	}
	t.Run("a play-off that ties too is followed by the lot", func(t *testing.T) {
		in := in
		in.Lines = append(append([]Line(nil), s.lines[:8]...), Line{Player: 1, Round: 3, Game: 3, PlayOff: 1, Wins: 6},
			Line{Player: 2, Round: 3, Game: 3, PlayOff: 1, Wins: 6})
		if got, want := show(Rank(in)), "1:1 1:2 3:3 4:4"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		in.Lots = []Lot{{1, []int64{1, 2}}, {1, []int64{2, 1}}, {1, []int64{1, 2, 3}}, {2, []int64{1, 2}}}
		if rows := Rank(in); show(rows) != "1:2 2:1 3:3 4:4" || rows[1].Reason.Key != format.TieLot {
			t.Errorf("got %s, %+v", show(rows), rows[1].Reason)
		}
	})
	t.Run("who did not play it is not moved by it", func(t *testing.T) {
		in := in
		in.Lines = append([]Line(nil), s.lines...)
		// a correction: now three players tie; two of them played
		in.Lines[2].Points, in.Lines[6].Points = score.Whole(10), score.Whole(10)
		if got, want := show(Rank(in)), "1:1 1:2 1:3 4:4"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func withMove(r Row) Row {
	r.HasMove = true
	return r
}

// TestExhaustedGame uses the rules' own example: an exhausted game of the world championship is not zero-sum, and the
// winner gets nothing.
func TestExhaustedGame(t *testing.T) {
	players, ids := people(4)
	var s sheet
	s.play(Line{Round: 1, Table: 1, Order: 1}, false, ids, -15, 0, -7, -35)
	in := Input{Method: ruleset.WinsThenPoints, Players: players, Lines: s.lines,
		Stages: []Stage{stageOf(ids, format.CarryAll, format.Scoring{})}}
	if got, want := show(Rank(in)), "1:2 2:3 3:1 4:4"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAmong(t *testing.T) {
	players, ids := people(6)
	var s sheet
	s.play(Line{Round: 1, Table: 1, Order: 1}, false, ids, 30, 10, 10, 5, 5, -60)
	in := Input{Players: players, Lines: s.lines, Stages: []Stage{stageOf(ids, format.CarryAll,
		format.Scoring{Ranking: format.WinsPoints})}}
	juniors := in.Among(func(player int64) bool { return player != 2 && player != 5 })
	if got, want := show(juniors)+" "+why(juniors),
		"1:1 2:3 3:4 4:6 wins(1,0) points(10,5) points(5,−60)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	both := in.Among(func(player int64) bool { return player >= 2 && player <= 5 })
	if got, want := show(both), "1:2 1:3 3:4 3:5"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestAmongTheTied: of four tied players, a division's two are separated by their own play-off or lot, which the
// overall ranking ignores, and by a lot among all.
func TestAmongTheTied(t *testing.T) {
	players, ids := people(4)
	var s sheet
	s.play(Line{Round: 1, Table: 1, Order: 1}, false, ids[:2], 10, 10)
	s.play(Line{Round: 1, Table: 2, Order: 1}, false, ids[2:], 10, 10)
	own := func(player int64) bool { return player <= 2 }
	playOff := sheet{games: s.games, lines: slices.Clone(s.lines)}
	playOff.play(Line{Round: 2, Table: 3, Order: 1, PlayOff: 1}, false, ids[:2], -5, 5)
	for _, row := range []struct {
		name  string
		ties  string
		lines []Line
		lots  []Lot
		all   string
		want  string
	}{
		{"nothing has parted them", format.TieLot, s.lines, nil, "1:1 1:2 1:3 1:4", "1:1 1:2"},
		{"their play-off", format.TiePlayOff, playOff.lines, nil, "1:1 1:2 1:3 1:4", "1:2 2:1"},
		{"their lot", format.TieLot, s.lines, []Lot{{1, []int64{2, 1}}}, "1:1 1:2 1:3 1:4", "1:2 2:1"},
		{"a lot among all", format.TieLot, s.lines, []Lot{{1, []int64{4, 2, 3, 1}}}, "1:4 2:2 3:3 4:1", "1:2 2:1"},
	} {
		t.Run(row.name, func(t *testing.T) {
			in := Input{Players: players, Lines: row.lines, Lots: row.lots,
				Stages: []Stage{stageOf(ids, format.CarryAll,
					format.Scoring{Ranking: format.PointsOnly, TieBreaks: []string{row.ties}})}}
			if all, got := show(Rank(in)), show(in.Among(own)); all != row.all || got != row.want {
				t.Errorf("all are %s, want %s; the division %s, want %s", all, row.all, got, row.want)
			}
		})
	}
}

// TestALotAmongOthers: a lot drawn with a player who has withdrawn since leaves a player who was not drawn tied.
func TestALotAmongOthers(t *testing.T) {
	players, ids := people(3)
	players[2].Withdrawn = true
	var s sheet
	s.play(Line{Round: 1, Table: 1, Order: 1}, false, ids, 10, 10, 10)
	in := Input{Players: players, Lines: s.lines, Lots: []Lot{{1, []int64{1, 3}}},
		Stages: []Stage{stageOf(ids, format.CarryAll,
			format.Scoring{Ranking: format.PointsOnly, TieBreaks: []string{format.TieLot}})}}
	if got := show(Rank(in)); !strings.HasPrefix(got, "1:1 1:2") {
		t.Errorf("got %s, want players 1 and 2 tied", got)
	}
}

// TestQualify: in Poland the place passes a player who already has one, so that the champion and the qualifier differ.
// The Czech rules give two places and a reserve.
func TestQualify(t *testing.T) {
	rows := func(places ...int) (rows []Row) {
		for i, p := range places {
			rows = append(rows, Row{Player: int64(i + 1), Place: p, Games: 1})
		}
		return rows
	}
	gone := rows(1, 2, 3)
	gone[0].Withdrawn, gone[1].Disqualified = true, true
	for _, row := range []struct {
		name             string
		rows             []Row
		places, reserves int
		waivers          map[int64]string
		want             string
	}{
		{"two and a reserve", rows(1, 2, 3, 4), 2, 1, nil, "1:qualifies1 2:qualifies2 3:reserve1 4:"},
		{"the champion is qualified already", rows(1, 2, 3, 4), 1, 1, map[int64]string{1: QualifiedAlready},
			"1:qualified_already 2:qualifies1 3:reserve1 4:"},
		{"as far as the fourth", rows(1, 2, 3, 4, 5), 1, 0, map[int64]string{1: QualifiedAlready, 2: NotEligible,
			3: Declined}, "1:qualified_already 2:not_eligible 3:declined 4:qualifies1 5:"},
		{"a tie across the last place is open", rows(1, 2, 2, 4), 2, 1, nil, "1:qualifies1 2:open 3:open 4:"},
		{"a tie above it is none", rows(1, 1, 3, 4), 2, 0, nil, "1:qualifies1 2:qualifies2 3: 4:"},
		{"who left qualifies for nothing", gone, 1, 1, nil, "3:qualifies1"},
		{"none to give", rows(1, 2), 0, 0, nil, "1: 2:"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var out []string
			for _, e := range Qualify(row.rows, row.places, row.reserves, row.waivers) {
				text := fmt.Sprintf("%d:%s", e.Player, e.State)
				if e.Nth > 0 {
					text += fmt.Sprint(e.Nth)
				}
				out = append(out, text)
			}
			if got := strings.Join(out, " "); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
}
