package tournament

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

func TestProtest(t *testing.T) {
	s, ctx := newStore(t), context.Background()
	tour, round, tables := runningRound(t, s, "open", 3)
	games, desk := newGames(t, s), deskOf(s)
	referee, head := rights.Staff(rights.RoleReferee, "Bob"), rights.Staff(rights.RoleHeadReferee, "Ann")
	game := tables[0].Games[0].ID
	told := 0
	s.OnChanged(func(c Changed) {
		if slices.Contains(c.Topics, Topic{TopicGame, game}) && slices.Contains(c.Topics, Topic{TopicTable, tables[0].ID}) {
			told++
		}
	})
	at := func(seat int) rights.Actor {
		return rights.Actor{Role: rights.RolePlayer, Tournament: tour.ID, Player: tables[0].Seats[seat].PlayerID, Table: tables[0].ID, Seat: seat}
	}
	other := rights.Actor{Role: rights.RolePlayer, Tournament: tour.ID, Player: at(0).Player, Table: tables[0].ID + 99, Seat: 0}
	refused := func(t *testing.T, err error, key string) {
		t.Helper()
		var e *refuse.Error
		if !errors.As(err, &e) || e.Key != key {
			t.Errorf("got %v, want %s", err, key)
		}
	}
	t.Run("not before the end", func(t *testing.T) {
		_, err := Do(ctx, desk, at(0), MakeProtest{Game: game, Text: "x"})
		refused(t, err, "err_result_not_found")
	})
	if err := endGame(t, s, game, threePlayers()); err != nil {
		t.Fatal(err)
	}
	var first Protest
	t.Run("by a player of the table, with a text, one at a time", func(t *testing.T) {
		for _, actor := range []rights.Actor{referee, rights.Public()} {
			if _, err := Do(ctx, desk, actor, MakeProtest{Game: game, Text: "x"}); err == nil {
				t.Errorf("%s may protest", actor.Role)
			}
		}
		_, err := Do(ctx, desk, other, MakeProtest{Game: game, Text: "x"})
		refused(t, err, "err_table_left")
		for _, text := range []string{"", " \n", strings.Repeat("x", whyMost+1)} {
			_, err := Do(ctx, desk, at(0), MakeProtest{Game: game, Text: text})
			refused(t, err, "err_why_missing")
		}
		if first, err = Do(ctx, desk, at(0), MakeProtest{Game: game, Text: " My rack was\ncounted twice "}); err != nil || first.Text != "My rack was counted twice" || first.Rev != 1 {
			t.Fatalf("got %+v, %v", first, err)
		}
		_, err = Do(ctx, desk, at(0), MakeProtest{Game: game, Text: "again"})
		refused(t, err, "err_protest_open")
		if told != 1 {
			t.Errorf("told %d times, want once", told)
		}
	})
	t.Run("the result stays provisional until it is decided", func(t *testing.T) {
		refused(t, errOf(Do(ctx, desk, referee, ConfirmResult{Game: game, Rev: 1})), "err_protest_undecided")
		_, err := Do(ctx, desk, referee, CorrectResult{Game: game, Rev: 1, Correction: Correction{Lines: threePlayers(), Why: "counted again"}})
		refused(t, err, "err_protest_undecided")
		if r, err := s.LatestResult(ctx, game); err != nil || r.Confirmed() || r.Rev != 1 {
			t.Errorf("got %+v, %v", r, err)
		}
	})
	t.Run("the table and the officials see it, others do not", func(t *testing.T) {
		for _, actor := range []rights.Actor{at(0), at(1), referee, head} {
			if p, err := games.Protests(ctx, actor, game); err != nil || len(p.All) != 1 || p.Closed {
				t.Errorf("%s: got %+v, %v", actor, p, err)
			}
		}
		stranger := rights.Actor{Role: rights.RolePlayer, Tournament: tour.ID, Player: 9999, Table: 9999, Seat: 0}
		for _, actor := range []rights.Actor{rights.Public(), stranger} {
			if p, err := games.Protests(ctx, actor, game); err == nil {
				t.Errorf("%s sees %+v", actor, p)
			}
		}
	})
	t.Run("the head referee decides, once and with a reason", func(t *testing.T) {
		for _, actor := range []rights.Actor{referee, at(0), rights.Public()} {
			if _, err := Do(ctx, desk, actor, DecideProtest{Protest: first.ID, Outcome: ProtestRejected, Reason: "x"}); err == nil {
				t.Errorf("%s decides", actor.Role)
			}
		}
		_, err := Do(ctx, desk, head, DecideProtest{Protest: first.ID, Outcome: ProtestRejected, Reason: " "})
		refused(t, err, "err_why_missing")
		_, err = Do(ctx, desk, head, DecideProtest{Protest: first.ID, Outcome: "maybe", Reason: "x"})
		refused(t, err, "err_protest_outcome")
		_, err = Do(ctx, desk, head, DecideProtest{Protest: 999, Outcome: ProtestRejected, Reason: "x"})
		refused(t, err, "err_protest_not_found")
		if p, err := Do(ctx, desk, head, DecideProtest{Protest: first.ID, Outcome: ProtestRejected, Reason: "Counted once"}); err != nil || p.Decision.Actor != head.String() {
			t.Fatalf("got %+v, %v", p, err)
		}
		_, err = Do(ctx, desk, head, DecideProtest{Protest: first.ID, Outcome: ProtestUpheld, Reason: "after all"})
		refused(t, err, "err_protest_decided")
	})
	t.Run("upheld, the result is corrected and not confirmed as it stands", func(t *testing.T) {
		p, err := Do(ctx, desk, at(1), MakeProtest{Game: game, Text: "The joker is mine"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Do(ctx, desk, head, DecideProtest{Protest: p.ID, Outcome: ProtestUpheld, Reason: "It is"}); err != nil {
			t.Fatal(err)
		}
		refused(t, errOf(Do(ctx, desk, referee, ConfirmResult{Game: game, Rev: 1})), "err_protest_upheld")
		if _, err := Do(ctx, desk, referee, CorrectResult{Game: game, Rev: 1, Correction: Correction{Lines: threePlayers(), Why: "protest upheld"}}); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("it closes with the last signature", func(t *testing.T) {
		for seat := range 3 {
			if p, err := games.Protests(ctx, at(0), game); err != nil || p.Closed {
				t.Errorf("%d have signed: got %+v, %v", seat, p, err)
			}
			if _, err := Do(ctx, desk, at(seat), Agree{Game: game, Rev: 2}); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Do(ctx, desk, at(2), MakeProtest{Game: game, Text: "too late"})
		refused(t, err, "err_protest_closed")
	})
	t.Run("the officials' list has the open one first", func(t *testing.T) {
		second := tables[0].Games
		if len(second) > 1 {
			if err := endGame(t, s, second[1].ID, threePlayers()); err != nil {
				t.Fatal(err)
			}
			if _, err := Do(ctx, desk, at(2), MakeProtest{Game: second[1].ID, Text: "open"}); err != nil {
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
		_, err := Do(ctx, desk, at(0), MakeProtest{Game: tables[0].Games[1].ID, Text: "too late"})
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
