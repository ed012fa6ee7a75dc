package draw_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/refuse/refusetest"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

func TestDrawRoundRefuses(t *testing.T) {
	for _, row := range []struct {
		n      int
		format string
		key    string
	}{
		{0, "open", "err_players_too_few"}, {1, "open", "err_players_too_few"}, {5, "open", "err_players_unseatable"},
		{3, "quick", "err_cut_above_players"}, {12, "wrc", "err_cut_above_players"},
	} {
		t.Run(fmt.Sprintf("%d players, %s", row.n, row.format), func(t *testing.T) {
			s := eventtest.NewStore(t)
			tour := eventtest.NewTournament(t, s, row.format, 1)
			if row.n > 0 {
				eventtest.EnterPlayers(t, s, tour, row.n)
			}
			_, err := action.Do(context.Background(), eventtest.DeskOf(s), eventtest.Organizer,
				draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}})
			if !errors.Is(err, &refuse.Error{Kind: refuse.KindInvalid, Key: row.key}) ||
				strings.Contains(refusetest.Text(t, err), "{{") {
				t.Errorf("got %v, want %s", err, row.key)
			}
		})
	}
	s, ctx := eventtest.NewStore(t), context.Background()
	tour := eventtest.NewTournament(t, s, "open", 1)
	eventtest.EnterPlayers(t, s, tour, 8)
	t.Run("an unknown method", func(t *testing.T) {
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
			PairingOptions: draw.PairingOptions{Method: "by age"}}); !errors.Is(err,
			&refuse.Error{Kind: refuse.KindInvalid, Key: "err_seating_method"}) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a referee", func(t *testing.T) {
		if _, err := action.Do(ctx, eventtest.DeskOf(s), rights.Staff(rights.RoleReferee, "Bob"),
			draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}}); !errors.Is(err,
			refuse.ErrForbidden) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("while a round is under way", func(t *testing.T) {
		round, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
			PairingOptions: draw.PairingOptions{}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			draw.PublishRound{Round: round.ID}); err != nil {
			t.Fatal(err)
		}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
			PairingOptions: draw.PairingOptions{}}); !errors.Is(err,
			&refuse.Error{Kind: refuse.KindConflict, Key: "err_round_not_finished"}) {
			t.Errorf("got %v", err)
		}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			draw.DiscardRound{Round: round.ID, Drop: false}); !errors.Is(err,
			refuse.ErrConflict) {
			t.Errorf("got %v", err)
		}
	})
}

func TestRoundLife(t *testing.T) {
	s := eventtest.NewStore(t)
	tour := eventtest.NewTournament(t, s, "open", 1)
	eventtest.EnterPlayers(t, s, tour, 9)
	plan := func(round tournament.Round) string {
		tables, err := tournament.TablesOf(s.Read, round.ID)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(tables)
	}
	first, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}})
	if err != nil {
		t.Fatal(err)
	}
	was := plan(first)
	round, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{Note: "again"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("drawing again gives another draft in its place", func(t *testing.T) {
		rounds, _ := draw.Rounds(t.Context(), s, tour.ID)
		if len(rounds) != 1 || rounds[0].Number != 1 || was == plan(round) {
			t.Errorf("got %+v, %s after %s", rounds, plan(round), was)
		}
	})
	t.Run("a draft does not start, is nobody's seat and no standings", func(t *testing.T) {
		if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			draw.StartRound{Round: round.ID}); !errors.Is(err,
			&refuse.Error{Kind: refuse.KindConflict, Key: "err_round_not_published"}) {
			t.Errorf("got %v", err)
		}
		if st, err := ranking.StandingsOf(t.Context(), s, tour.ID); err != nil || st.Rounds != 0 {
			t.Errorf("got %+v, %v", st, err)
		}
	})
	t.Run("a draft follows its players", func(t *testing.T) {
		players, _ := tournament.Players(t.Context(), s, tour.ID)
		if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			people.LeaveEvent{Tournament: tour.ID, Player: players[0].ID, Why: "ill"}); err != nil {
			t.Fatal(err)
		}
		if strings.Count(plan(round), "[") != 3 {
			t.Fatalf("got %s, want two tables", plan(round))
		}
	})
	for range 2 {
		if round, err = action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			draw.PublishRound{Round: round.ID}); err != nil ||
			round.Status != tournament.RoundPublished {
			t.Fatalf("publish: got %+v, %v", round, err)
		}
	}
	t.Run("publishing twice makes one round with its games", func(t *testing.T) {
		var games int64
		s.Read.Model(&tournament.Game{}).Count(&games)
		if games != 2*4 {
			t.Errorf("got %d games, want 8", games)
		}
	})
	for range 2 {
		if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
			draw.StartRound{Round: round.ID}); err != nil {
			t.Fatalf("start: %v", err)
		}
	}
	t.Run("each press that changed something is in the audit once", func(t *testing.T) { isInTheAuditOnce(t, s, tour) })
	t.Run("nobody sits twice, whatever is written", func(t *testing.T) { seatsNobodyTwice(t, s, round) })
}

func isInTheAuditOnce(t *testing.T, s *store.DB, tour tournament.Tournament) {
	entries, err := action.Records(t.Context(), s, eventtest.Organizer, tour.ID, 100)
	counts := map[string]int{}
	for _, e := range entries {
		counts[e.Kind]++
	}
	if err != nil || counts["round.publish"] != 1 || counts["round.start"] != 1 || counts["people.leave"] != 1 {
		t.Errorf("got %v, %v", counts, err)
	}
}

func seatsNobodyTwice(t *testing.T, s *store.DB, round tournament.Round) {
	seats, err := tournament.FillTables(s.Read, s.Read.Where("round_id = ?", round.ID))
	if err != nil {
		t.Fatal(err)
	}
	err = s.Write.Create(&tournament.Seat{RoundID: round.ID, TableID: seats[1].ID, Seat: 3,
		PlayerID: seats[0].Seats[0].PlayerID}).Error
	if !store.IsClash(err) {
		t.Errorf("got %v", err)
	}
}

func TestTwoStartsAtOnce(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	tour := eventtest.NewTournament(t, s, "open", 1)
	eventtest.EnterPlayers(t, s, tour, 8)
	round, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}})
	if err != nil {
		t.Fatal(err)
	}
	errs := make(chan error)
	for _, node := range []*action.Desk{eventtest.DeskOf(s), eventtest.DeskOf(eventtest.AnotherNode(t, s))} {
		for range 4 {
			go func() {
				_, err := action.Do(ctx, node, eventtest.Organizer, draw.PublishRound{Round: round.ID})
				errs <- errors.Join(err, eventtest.ErrOf(action.Do(ctx, node, eventtest.Organizer,
					draw.StartRound{Round: round.ID})))
			}()
		}
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	var games int64
	if s.Read.Model(&tournament.Game{}).Count(&games); games != 8 {
		t.Errorf("got %d games, want 8", games)
	}
}

func TestCutByLot(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	tour := eventtest.NewTournament(t, s, "quick", 1)
	eventtest.EnterPlayers(t, s, tour, 8)
	// One player wins every game at both tables with the same points, in the second round a winner of the first; the
	// others tie.
	won := map[int64]bool{}
	even := func(table tournament.Table) []game.ResultLine {
		winner := max(0, slices.IndexFunc(table.Seats, func(seat tournament.Seat) bool { return won[seat.PlayerID] }))
		lines := make([]game.ResultLine, 4)
		for seat := range lines {
			lines[seat] = game.ResultLine{Seat: seat, Points: -144, Charge: 12}
		}
		lines[winner] = game.ResultLine{Seat: winner, Wins: 12, Points: 36 * 12}
		won[table.Seats[winner].PlayerID] = true
		return lines
	}
	for range 2 {
		round, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
			PairingOptions: draw.PairingOptions{Method: "standings"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			draw.PublishRound{Round: round.ID}); err != nil {
			t.Fatal(err)
		}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			draw.StartRound{Round: round.ID}); err != nil {
			t.Fatal(err)
		}
		tables, _ := tournament.Tables(ctx, s, round.ID)
		for _, table := range tables {
			lines := even(table)
			for _, game := range table.Games {
				if err := eventtest.EndGame(t, s, game.ID, lines); err != nil {
					t.Fatal(err)
				}
				if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
					result.ConfirmResult{Game: game.ID, Rev: 1}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	cut, err := ranking.NextCut(ctx, s, tour.ID)
	if err != nil || len(cut.Tied) == 0 || cut.Lot != nil || cut.Size != 4 || len(cut.In)+cut.Places != 4 {
		t.Fatalf("got %+v, %v", cut, err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{}}); !errors.Is(err, &refuse.Error{Kind: refuse.KindConflict,
		Key: "err_cut_tied"}) {
		t.Errorf("a tie at the cut was decided silently: %v", err)
	}
	drawn, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, ranking.DrawLot{Tournament: tour.ID})
	if err != nil || drawn.Lot == nil || len(drawn.Through()) != 4 {
		t.Fatalf("got %+v, %v", drawn, err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		ranking.DrawLot{Tournament: tour.ID}); !errors.Is(err,
		&refuse.Error{Kind: refuse.KindConflict, Key: "err_lot_drawn"}) {
		t.Errorf("a second lot: got %v", err)
	}
	final, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}})
	if err != nil || final.Stage != 1 {
		t.Fatalf("got %+v, %v", final, err)
	}
	tables, err := tournament.TablesOf(s.Read, final.ID)
	if err != nil || len(tables) != 1 || !slices.Equal(tables[0], drawn.Through()) {
		t.Errorf("got %v, %v, want %v", tables, err, drawn.Through())
	}
	entries, _ := action.Records(ctx, s, eventtest.Organizer, tour.ID, 10)
	if !slices.ContainsFunc(entries, func(e action.Record) bool { return e.Kind == "cut.lot" }) {
		t.Error("the lot is not in the audit")
	}
}

func TestEndsAtATotal(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	p := eventtest.Presets(t)
	f, _ := p.Format("open")
	rules, err := p.Ruleset("casual", []byte(`{"ends_at":60}`))
	if err != nil {
		t.Fatal(err)
	}
	eventtest.DeskOf(s).Seeds = eventtest.SeedsFrom(1)
	tour, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		people.CreateTournament{Name: "Low", Format: f, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	eventtest.EnterPlayers(t, s, tour, 4)
	round, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.PublishRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.StartRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	tables, _ := tournament.Tables(ctx, s, round.ID)
	for _, one := range tables[0].Games {
		if err := eventtest.EndGame(t, s, one.ID, []game.ResultLine{{Seat: 0, Wins: 12}, {Seat: 1, Points: 180},
			{Seat: 2, Points: 180}, {Seat: 3, Points: 180}}); err != nil {
			t.Fatal(err)
		}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			result.ConfirmResult{Game: one.ID, Rev: 1}); err != nil {
			t.Fatal(err)
		}
	}
	st, err := ranking.StandingsOf(ctx, s, tour.ID)
	if err != nil || st.Tournament.Status != tournament.StatusFinished {
		t.Fatalf("got %s, %v: three players have 60", st.Tournament.Status, err)
	}
	if got := st.Champions(); len(got) != 1 || got[0].Player != tables[0].Seats[0].PlayerID {
		t.Errorf("got %+v", got)
	}
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.Reopen{Tournament: tour.ID, Why: ""}); !errors.Is(err,
		&refuse.Error{Kind: refuse.KindConflict, Key: "err_reopen_by_rules"}) {
		t.Errorf("reopened with the total: %v", err)
	}
	gameID := tables[0].Games[0].ID
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, result.CorrectResult{Game: gameID, Rev: 2,
		Correction: result.Correction{Why: "mistyped", Lines: []game.ResultLine{{Seat: 0, Wins: 12},
			{Seat: 1, Points: 12},
			{Seat: 2, Points: 12}, {Seat: 3, Points: 12}}}}); err != nil {
		t.Fatal(err)
	}
	if made, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		draw.Reopen{Tournament: tour.ID, Why: "mistyped"}); err != nil ||
		made.Rounds != 0 {
		t.Errorf("reopened: %+v, %v", made, err)
	}
	if now, err := tournament.TournamentByID(ctx, s, tour.ID); err != nil || now.Status != tournament.StatusRunning {
		t.Errorf("the event is %s, %v", now.Status, err)
	}
}
