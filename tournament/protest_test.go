package tournament

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestProtest(t *testing.T) {
	s, ctx := newStore(t), context.Background()
	tour, round, tables := runningRound(t, s, "open", 3)
	games := newGames(t, s)
	referee, head := Staff(RoleReferee, "Bob"), Staff(RoleHeadReferee, "Ann")
	game := tables[0].Games[0].ID
	moved := 0
	games.Moved = func(GameRef) { moved++ }
	at := func(seat int) Actor {
		return Actor{Role: RolePlayer, Tournament: tour.ID, Player: tables[0].Seats[seat].PlayerID, Table: tables[0].ID, Seat: seat}
	}
	other := Actor{Role: RolePlayer, Tournament: tour.ID, Player: at(0).Player, Table: tables[0].ID + 99, Seat: 0}
	refused := func(t *testing.T, err error, key string) {
		t.Helper()
		var e *Error
		if !errors.As(err, &e) || e.Key != key {
			t.Errorf("got %v, want %s", err, key)
		}
	}
	t.Run("not before the end", func(t *testing.T) {
		_, err := games.Protest(ctx, at(0), game, "x")
		refused(t, err, "err_result_not_found")
	})
	if err := endGame(t, s, game, threePlayers()); err != nil {
		t.Fatal(err)
	}
	var first Protest
	t.Run("by a player of the table, with a text, one at a time", func(t *testing.T) {
		for _, actor := range []Actor{referee, Public()} {
			if _, err := games.Protest(ctx, actor, game, "x"); err == nil {
				t.Errorf("%s may protest", actor.Role)
			}
		}
		_, err := games.Protest(ctx, other, game, "x")
		refused(t, err, "err_table_left")
		for _, text := range []string{"", " \n", strings.Repeat("x", whyMost+1)} {
			_, err := games.Protest(ctx, at(0), game, text)
			refused(t, err, "err_why_missing")
		}
		if first, err = games.Protest(ctx, at(0), game, " My rack was\ncounted twice "); err != nil || first.Text != "My rack was counted twice" || first.Rev != 1 {
			t.Fatalf("got %+v, %v", first, err)
		}
		_, err = games.Protest(ctx, at(0), game, "again")
		refused(t, err, "err_protest_open")
		if moved != 1 {
			t.Errorf("woken %d times, want once", moved)
		}
	})
	t.Run("the result stays provisional until it is decided", func(t *testing.T) {
		refused(t, errOf(Do(ctx, &Desk{games.store, games}, referee, ConfirmResult{Game: game, Rev: 1})), "err_protest_undecided")
		_, err := Do(ctx, &Desk{games.store, games}, referee, CorrectResult{Game: game, Rev: 1, Correction: Correction{Lines: threePlayers(), Why: "counted again"}})
		refused(t, err, "err_protest_undecided")
		if r, err := s.LatestResult(ctx, game); err != nil || r.Confirmed() || r.Rev != 1 {
			t.Errorf("got %+v, %v", r, err)
		}
	})
	t.Run("the table and the officials see it, others do not", func(t *testing.T) {
		for _, actor := range []Actor{at(0), at(1), referee, head} {
			if p, err := games.Protests(ctx, actor, game); err != nil || len(p.All) != 1 || p.Closed {
				t.Errorf("%s: got %+v, %v", actor, p, err)
			}
		}
		stranger := Actor{Role: RolePlayer, Tournament: tour.ID, Player: 9999, Table: 9999, Seat: 0}
		for _, actor := range []Actor{Public(), stranger} {
			if p, err := games.Protests(ctx, actor, game); err == nil {
				t.Errorf("%s sees %+v", actor, p)
			}
		}
	})
	t.Run("the head referee decides, once and with a reason", func(t *testing.T) {
		for _, actor := range []Actor{referee, at(0), Public()} {
			if _, err := games.DecideProtest(ctx, actor, first.ID, ProtestRejected, "x"); err == nil {
				t.Errorf("%s decides", actor.Role)
			}
		}
		_, err := games.DecideProtest(ctx, head, first.ID, ProtestRejected, " ")
		refused(t, err, "err_why_missing")
		_, err = games.DecideProtest(ctx, head, first.ID, "maybe", "x")
		refused(t, err, "err_protest_outcome")
		_, err = games.DecideProtest(ctx, head, 999, ProtestRejected, "x")
		refused(t, err, "err_protest_not_found")
		if p, err := games.DecideProtest(ctx, head, first.ID, ProtestRejected, "Counted once"); err != nil || p.Decision.Actor != head.String() {
			t.Fatalf("got %+v, %v", p, err)
		}
		_, err = games.DecideProtest(ctx, head, first.ID, ProtestUpheld, "after all")
		refused(t, err, "err_protest_decided")
	})
	t.Run("upheld, the result is corrected and not confirmed as it stands", func(t *testing.T) {
		p, err := games.Protest(ctx, at(1), game, "The joker is mine")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := games.DecideProtest(ctx, head, p.ID, ProtestUpheld, "It is"); err != nil {
			t.Fatal(err)
		}
		refused(t, errOf(Do(ctx, &Desk{games.store, games}, referee, ConfirmResult{Game: game, Rev: 1})), "err_protest_upheld")
		if _, err := Do(ctx, &Desk{games.store, games}, referee, CorrectResult{Game: game, Rev: 1, Correction: Correction{Lines: threePlayers(), Why: "protest upheld"}}); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("it closes with the last signature", func(t *testing.T) {
		for seat := range 3 {
			if p, err := games.Protests(ctx, at(0), game); err != nil || p.Closed {
				t.Errorf("%d have signed: got %+v, %v", seat, p, err)
			}
			if err := games.Agree(ctx, at(seat), game, 2); err != nil {
				t.Fatal(err)
			}
		}
		_, err := games.Protest(ctx, at(2), game, "too late")
		refused(t, err, "err_protest_closed")
	})
	t.Run("the officials' list has the open one first", func(t *testing.T) {
		second := tables[0].Games
		if len(second) > 1 {
			if err := endGame(t, s, second[1].ID, threePlayers()); err != nil {
				t.Fatal(err)
			}
			if _, err := games.Protest(ctx, at(2), second[1].ID, "open"); err != nil {
				t.Fatal(err)
			}
		}
		all, err := s.TournamentProtests(ctx, referee, tour.ID)
		if err != nil || len(all) != 3 || !all[0].Open() || all[1].Open() || all[2].Open() {
			t.Errorf("got %+v, %v", all, err)
		}
	})
	t.Run("it closes with the round", func(t *testing.T) {
		if _, err := s.writeSQL.Exec(`UPDATE rounds SET status = 'finished' WHERE id = ?`, round.ID); err != nil {
			t.Fatal(err)
		}
		_, err := games.Protest(ctx, at(0), tables[0].Games[1].ID, "too late")
		refused(t, err, "err_protest_closed")
	})
	t.Run("nothing of it is changed or deleted", func(t *testing.T) {
		for _, table := range []string{"protests", "protest_decisions"} {
			for _, query := range []string{`UPDATE ` + table + ` SET at = 0`, `DELETE FROM ` + table} {
				if _, err := s.writeSQL.Exec(query); err == nil || !strings.Contains(err.Error(), "append-only") {
					t.Errorf("%s: got %v, want refused", query, err)
				}
			}
		}
	})
}
