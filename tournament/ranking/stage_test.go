package ranking_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/store"
)

func tablesIn(t *testing.T, s *store.DB, round tournament.Round) string {
	t.Helper()
	tables, err := tournament.Tables(context.Background(), s, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	return seatedPlayers(tables)
}

// TestPlayOffOrdersOnlyTheTied: at two tables of four, both winners tie, and so do the six others, who share third
// place.
func TestPlayOffOrdersOnlyTheTied(t *testing.T) {
	f := eventtest.OneRound()
	f.Scoring = format.Scoring{Ranking: format.WinsPoints, TieBreaks: []string{format.TiePlayOff}}
	f.Stages[0].Decide = 3
	s, tour := eventtest.EventOf(t, f, 8)
	eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
	if got, want := eventtest.PlacesOf(t, s, tour), "[1:1 1:5 3:2 3:3 3:4 3:6 3:7 3:8]"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	if methods, err := draw.PromiseMethods(t.Context(), s, tour.ID); err != nil || len(methods) != 0 {
		t.Errorf("a seed is offered for a play-off drawn by %q, %v", methods, err)
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PromiseSeed{Tournament: tour.ID, Method: "random"}); !errors.Is(err,
		&refuse.Error{Kind: refuse.KindConflict, Key: "err_promise_nothing"}) {
		t.Errorf("promised for a play-off: %v", err)
	}
	if _, err := action.Do(context.Background(), eventtest.DeskOf(s), eventtest.Organizer,
		ranking.DrawLot{Tournament: tour.ID}); !errors.Is(err,
		&refuse.Error{Kind: refuse.KindConflict, Key: "err_play_off_first"}) {
		t.Errorf("a lot before the play-off: got %v", err)
	}
	round := eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
	if got, want := tablesIn(t, s, round), "[[1 5] [2 3 4] [6 7 8]]"; got != want || round.PlayOff != 1 ||
		round.Games != 1 {
		t.Errorf("got %s in %+v, want %s", got, round, want)
	}
	if got, want := eventtest.PlacesOf(t, s, tour), "[1:1 2:5 3:2 3:6 5:3 5:4 5:7 5:8]"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	round = eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
	if got, want := tablesIn(t, s, round), "[[2 6]]"; got != want || round.PlayOff != 2 {
		t.Errorf("got %s in %+v, want %s", got, round, want)
	}
	st, err := ranking.StandingsOf(context.Background(), s, tour.ID)
	if err != nil || st.Tournament.Status != tournament.StatusFinished {
		t.Fatalf("got %s, %v", st.Tournament.Status, err)
	}
	if got, want := eventtest.PlacesOf(t, s, tour), "[1:1 2:5 3:2 4:6 5:3 5:4 5:7 5:8]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, r := range st.Rows {
		if r.Games != 1 {
			t.Errorf("%s: %d games count, want 1", r.Name, r.Games)
		}
	}
	if got, want := fmt.Sprint(st.Order), "[wins points play_off]"; got != want || st.Used[format.TiePlayOff] != 3 {
		t.Errorf("got %s, %v, want %s", got, st.Used, want)
	}
}

// TestTitles: of eight players at two tables, 1 and 5 have won with the same points. They share the title unless a
// method separates them. Each division has its own title if the format says so.
func TestTitles(t *testing.T) {
	divisions := func(f *format.Format) {
		f.Divisions = []string{"junior", "senior", "none plays"}
		f.Qualification = format.Qualification{Berths: 1}
	}
	for _, row := range []struct {
		name   string
		change func(*format.Format)
		want   string
	}{
		{"shared", func(*format.Format) {}, "[:1 5]"},
		{"shared after all tie-breaks of the results", func(f *format.Format) {
			f.Scoring = format.Scoring{TieBreaks: []string{format.TieBestGame, format.TieOpponents,
				format.TieTurnOrder}}
		}, "[:1 5]"},
		{"a division has none of its own", divisions, "[:1 5]"},
		{"of each division", func(f *format.Format) {
			divisions(f)
			f.Qualification.PerDivision = true
		}, "[junior:1 senior:5]"},
		{"decided by lot", func(f *format.Format) {
			f.Scoring, f.Stages[0].Decide = format.Scoring{TieBreaks: []string{format.TieLot}}, 1
		}, "[]"},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := eventtest.OneRound()
			row.change(&f)
			s, tour := eventtest.EventOf(t, f, 8)
			eventtest.InDivisions("junior", "junior", "junior", "junior", "senior", "senior", "senior", "senior")(t, s,
				tour)
			eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
			titles := func() []string {
				t.Helper()
				st, err := ranking.StandingsOf(t.Context(), s, tour.ID)
				if err != nil {
					t.Fatal(err)
				}
				var out []string
				for _, title := range st.Titles {
					text := title.Division + ":"
					for _, r := range title.Champions {
						text += fmt.Sprintf("%d ", r.Number)
					}
					out = append(out, strings.TrimSpace(text))
				}
				return out
			}
			if got := fmt.Sprint(titles()); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
			if row.want == "[]" { // not finished before the lot
				cut, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
					ranking.DrawLot{Tournament: tour.ID})
				if err != nil || len(cut.Tied) != 2 || len(titles()) != 1 || strings.Contains(titles()[0], " ") {
					t.Errorf("after the lot: got %v, %+v, %v", titles(), cut, err)
				}
			}
		})
	}
}

// TestFirstsOfDivisions: 1 and 5 share the juniors' first place; the seniors' must be decided anyway.
func TestFirstsOfDivisions(t *testing.T) {
	f := eventtest.OneRound()
	f.Divisions, f.Qualification = []string{"junior", "senior"}, format.Qualification{Berths: 1, PerDivision: true}
	f.Scoring, f.Stages[0].Decide = format.Scoring{TieBreaks: []string{format.TieLot}}, 1
	s, tour := eventtest.EventOf(t, f, 8)
	eventtest.InDivisions("junior", "senior", "junior", "junior", "junior", "junior", "junior", "junior")(t, s, tour)
	eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
	cut, err := ranking.NextCut(t.Context(), s, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	st, err := ranking.StandingsOf(t.Context(), s, tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	number := map[int64]int{}
	for _, row := range st.Rows {
		number[row.Player] = row.Number
	}
	if len(cut.In) != 1 || number[cut.In[0]] == 1 || number[cut.In[0]] == 5 || len(cut.Tied) != 2 {
		t.Errorf("decided: %v, tied: %v", cut.In, cut.Tied)
	}
}

func TestPlayOffsEndInALot(t *testing.T) {
	f := eventtest.OneRound()
	f.Scoring = format.Scoring{Ranking: format.WinsPoints, TieBreaks: []string{format.TiePlayOff, format.TieLot}}
	f.Stages[0].Decide = 1
	s, tour := eventtest.EventOf(t, f, 8)
	eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
	tie := func(table tournament.Table) []game.ResultLine { // both win half of each play-off
		lines := eventtest.Even(2, false)
		for i := range lines {
			lines[i].Points, lines[i].Wins = 0, 6
		}
		return lines
	}
	for n := 1; n <= format.PlayOffsMost; n++ {
		if round := eventtest.PlayWith(t, s, tour, tie); round.PlayOff != n || tablesIn(t, s, round) != "[[1 5]]" {
			t.Fatalf("got play-off %d with %s", round.PlayOff, tablesIn(t, s, round))
		}
	}
	ctx := context.Background()
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{}}); !errors.Is(err, &refuse.Error{Kind: refuse.KindConflict,
		Key: "err_cut_tied"}) {
		t.Fatalf("got %v", err)
	}
	cut, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, ranking.DrawLot{Tournament: tour.ID})
	if err != nil || len(cut.Lot.Drawn) != 2 {
		t.Fatalf("got %+v, %v", cut, err)
	}
	st, err := ranking.StandingsOf(ctx, s, tour.ID)
	if err != nil || st.Tournament.Status != tournament.StatusFinished || len(st.Champions()) != 1 ||
		st.Champions()[0].Player != cut.Lot.Drawn[0] {
		t.Errorf("got %s, %v, %v", st.Tournament.Status, st.Champions(), err)
	}
}

// TestGroups: the best two of each table advance. At every table three tie for second place, decided by turn order or
// by lots.
func TestGroups(t *testing.T) {
	for _, row := range []struct {
		name string
		ties []string
		want string
		lots int
	}{
		{"by turn order", []string{format.TieTurnOrder}, "[[1 2 5 6]]", 0},
		{"by lot, one table after the other", nil, "", 2},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := eventtest.OneRound()
			f.Scoring = format.Scoring{Ranking: format.WinsPoints, TieBreaks: row.ties}
			f.Stages = append(f.Stages, eventtest.FinalOf(0, format.CarryNone))
			f.Stages[1].PerTable = 2
			s, tour := eventtest.EventOf(t, f, 8)
			eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
			ctx := context.Background()
			for n := 0; n < row.lots; n++ {
				cut, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
					ranking.DrawLot{Tournament: tour.ID})
				if err != nil || cut.Places != 1 || len(cut.Tied) != 3 {
					t.Fatalf("lot %d: got %+v, %v", n+1, cut, err)
				}
			}
			cut, err := ranking.NextCut(ctx, s, tour.ID)
			if err != nil || cut.Size != 4 || len(cut.Through()) != 4 || len(cut.Tied) != 0 {
				t.Fatalf("got %+v, %v", cut, err)
			}
			round := eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
			if got := tablesIn(t, s, round); row.want != "" && got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
}

// TestWinnersAndTheBestOfTheRest: both table winners advance, and two others: the best two, who were at table 1, or the
// two in second place.
func TestWinnersAndTheBestOfTheRest(t *testing.T) {
	for fill, want := range map[string]string{format.FillOverall: "1.1 2.1 1.2 1.3",
		format.FillNext: "1.1 2.1 1.2 2.2"} {
		t.Run(fill, func(t *testing.T) {
			f := eventtest.OneRound()
			f.Scoring = format.Scoring{Ranking: format.WinsPoints}
			f.Stages = append(f.Stages, eventtest.FinalOf(4, format.CarryNone))
			f.Stages[1].PerTable, f.Stages[1].Fill = 1, fill
			if err := f.Validate(); err != nil {
				t.Fatal(err)
			}
			var few *format.Problem
			if err := f.For(20, 3, 4); !errors.As(err, &few) || few.Key != "err_cut_below_tables" {
				t.Errorf("four places for five winners: %v", err)
			}
			s, tour := eventtest.EventOf(t, f, 8)
			at := map[int64]string{}
			eventtest.PlayWith(t, s, tour, func(table tournament.Table) []game.ResultLine {
				lines := eventtest.Even(4, false)
				for i := range lines {
					at[table.Seats[i].PlayerID] = fmt.Sprintf("%d.%d", table.Number, i+1)
					lines[i].Points, lines[i].Wins = score.Whole(30-5*i-20*table.Number), 0
				}
				lines[0].Points, lines[0].Wins = score.Whole(100-table.Number), score.Whole(1)
				lines[3].Points -= lines[0].Points + lines[1].Points + lines[2].Points + lines[3].Points
				return lines
			})
			cut, err := ranking.NextCut(t.Context(), s, tour.ID)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, player := range cut.Through() {
				got = append(got, at[player])
			}
			if strings.Join(got, " ") != want || cut.Size != 4 || len(cut.Tied) > 0 {
				t.Errorf("got %v of %d, tied %v; want %s", got, cut.Size, cut.Tied, want)
			}
		})
	}
}

func TestStageEndsWithItsWins(t *testing.T) {
	f := eventtest.OneRound()
	f.Stages[0].Rounds, f.Stages[0].Until, f.Stages[0].UntilAt = 9, format.UntilWins, 2
	f.Stages = append(f.Stages, eventtest.FinalOf(4, format.CarryHalf))
	s, tour := eventtest.EventOf(t, f, 8)
	next := func() int {
		t.Helper()
		cut, err := ranking.NextCut(context.Background(), s, tour.ID)
		if errors.Is(err, refuse.ErrNotFound) {
			return 0
		}
		if err != nil {
			t.Fatal(err)
		}
		return cut.Stage
	}
	wins := map[int64]score.Twelfth{}
	for n := 1; next() == 0; n++ { // no player has two wins yet
		for player, w := range wins {
			if w >= score.Whole(2) {
				t.Fatalf("player %d has %v wins, and the stage goes on", player, w)
			}
		}
		round := eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
		if round.Stage != 0 || round.StageRound != n {
			t.Fatalf("got %+v", round)
		}
		st, err := ranking.StandingsOf(context.Background(), s, tour.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range st.Rows {
			wins[row.Player] = row.Wins
		}
	}
	if len(wins) != 8 || next() != 1 {
		t.Errorf("got %v", wins)
	}
}

// TestRulesOfAStage checks that a stage's own rules apply to its games.
func TestRulesOfAStage(t *testing.T) {
	f := eventtest.OneRound()
	f.Rules = map[string]any{"joker_points": 25}
	f.Stages = append(f.Stages, eventtest.FinalOf(4, format.CarryNone))
	f.Stages[1].Rules = map[string]any{"turn_seconds": 40}
	_, tour := eventtest.EventOf(t, f, 8)
	for stage, want := range []int{60, 40} {
		if rules, err := tour.RulesAt(stage); err != nil || rules.TurnSeconds != want || rules.JokerPoints != 25 {
			t.Errorf("stage %d: got %+v, %v", stage, rules, err)
		}
	}
	s, p := eventtest.NewStore(t), eventtest.Presets(t)
	for _, row := range []struct {
		name   string
		change func(*format.Format)
		rules  string
		key    string
	}{
		{"a rule out of range", func(f *format.Format) { f.Stages[1].Rules = map[string]any{"turn_seconds": -1} },
			"wrc", "err_format_field"},
		{"rules that do not stand beside each other",
			func(f *format.Format) { f.Stages[1].Rules = map[string]any{"seats_min": 4, "seats_max": 3} }, "wrc",
			"err_rules_field"},
		{"the lowest total under points won and lost",
			func(f *format.Format) { f.Scoring.Ranking = format.LowestPoints }, "wrc", "err_format_points"},
		{"the most points under penalties", func(f *format.Format) { f.Scoring.Ranking = format.PointsOnly }, "casual",
			"err_format_points"},
		{"in the final only", func(f *format.Format) { f.Stages[1].Rules = map[string]any{"points": ruleset.Penalty} },
			"wrc", "err_format_points"},
		{"which then needs its own ranking", func(f *format.Format) {
			f.Stages[1].Rules = map[string]any{"points": ruleset.Penalty}
			f.Stages[1].Scoring = &format.Scoring{Ranking: format.LowestPoints}
		}, "wrc", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := f
			f.Stages = slices.Clone(f.Stages)
			row.change(&f)
			rules, err := p.RulesetFor(f, row.rules, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, err = action.Do(context.Background(), eventtest.DeskOf(s), eventtest.Organizer,
				people.CreateTournament{Name: "x", Format: f, Rules: rules})
			if row.key == "" && err != nil || row.key != "" &&
				!errors.Is(err, &refuse.Error{Kind: refuse.KindInvalid, Key: row.key}) {
				t.Errorf("got %v, want %s", err, row.key)
			}
		})
	}
}

// TestPlayOffDraftKeepsTiesApart checks that swaps and seating files in a play-off's draft stay within each tie.
func TestPlayOffDraftKeepsTiesApart(t *testing.T) {
	f := eventtest.OneRound()
	f.Scoring = format.Scoring{Ranking: format.WinsPoints, TieBreaks: []string{format.TiePlayOff}}
	f.Stages[0].Decide = 3
	s, tour := eventtest.EventOf(t, f, 8)
	eventtest.PlayWith(t, s, tour, eventtest.PlainGame)
	ctx, crossed := t.Context(), &refuse.Error{Kind: refuse.KindInvalid, Key: "err_play_off_ties"}
	round, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}})
	if err != nil || tablesIn(t, s, round) != "[[1 5] [2 3 4] [6 7 8]]" {
		t.Fatalf("got %s, %v", tablesIn(t, s, round), err)
	}
	for _, method := range []string{"random", "manual", "plan"} {
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
			PairingOptions: draw.PairingOptions{Method: method}}); !errors.Is(err,
			&refuse.Error{Kind: refuse.KindConflict, Key: "err_play_off_method"}) {
			t.Errorf("seated by %s: got %v", method, err)
		}
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Most: 2}}); !errors.Is(err,
		&refuse.Error{Kind: refuse.KindConflict, Key: "err_play_off_method"}) {
		t.Errorf("at most two at a table: got %v", err)
	}
	if _, err := action.Preview(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		people.SwapSeats{Round: round.ID, A: 1, B: 2}); !errors.Is(err,
		crossed) {
		t.Errorf("the preview across ties: got %v", err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, people.SwapSeats{Round: round.ID, A: 1, B: 2,
		Why: "test"}); !errors.Is(err, crossed) {
		t.Errorf("across ties: got %v", err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		people.SwapSeats{Round: round.ID, A: 2, B: 6, Why: "test"}); err != nil {
		t.Errorf("between two tables of one tie: %v", err)
	}
	file := "table,seat,player\n1,1,1\n1,2,2\n2,1,5\n2,2,3\n2,3,4\n3,1,6\n3,2,7\n3,3,8\n"
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		eventtest.ByFile(tour, file, "")); !errors.Is(err, crossed) {
		t.Errorf("a file across ties: got %v", err)
	}
	if got, want := tablesIn(t, s, round), "[[1 5] [3 4 6] [2 7 8]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
