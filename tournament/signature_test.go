package tournament

import (
	"context"
	"errors"
	"slices"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

func TestAgreeingToACount(t *testing.T) {
	s, ctx := newStore(t), context.Background()
	tour, round, tables := runningRound(t, s, "open", 3)
	newGames(t, s)
	desk := deskOf(s)
	referee := rights.Staff(rights.RoleReferee, "Bob")
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
	want := func(t *testing.T, rev int, confirmed bool, agreed ...bool) {
		t.Helper()
		c, err := s.Count(ctx, game)
		if err != nil || c.Rev != rev || c.Confirmed != confirmed || !slices.Equal(c.Agreed, agreed) {
			t.Errorf("got %+v, %v, want rev %d, %v, %v", c, err, rev, confirmed, agreed)
		}
		current, err := s.CurrentInRound(ctx, round.ID)
		if err != nil || current[0].Game == game && current[0].Agreed != c.All() {
			t.Errorf("the hall counts %+v, the game %d, %v", current, c.All(), err)
		}
	}
	t.Run("not before the end", func(t *testing.T) {
		if _, err := Do(ctx, desk, at(0), Agree{Game: game, Rev: 1}); !errors.Is(err, refuse.ErrNotFound) {
			t.Errorf("got %v", err)
		}
		if _, err := s.Count(ctx, game); !errors.Is(err, refuse.ErrNotFound) {
			t.Errorf("got %v", err)
		}
	})
	if err := endGame(t, s, game, threePlayers()); err != nil {
		t.Fatal(err)
	}
	t.Run("each for the own seat, once however often it is pressed", func(t *testing.T) {
		want(t, 1, false, false, false, false)
		for range 3 {
			if _, err := Do(ctx, desk, at(1), Agree{Game: game, Rev: 1}); err != nil {
				t.Fatal(err)
			}
		}
		want(t, 1, false, false, true, false)
		if told != 1 {
			t.Errorf("told %d times, want once", told)
		}
		entries, err := s.Records(ctx, referee, tour.ID, 50)
		signed := slices.DeleteFunc(entries, func(e Record) bool { return e.Kind != "result.agree" })
		if err != nil || len(signed) != 1 || signed[0].Actor != at(1).String() || toldAfter(signed[0]) == "" {
			t.Errorf("audit %+v, %v", signed, err)
		}
	})
	t.Run("nobody else's seat, and no official's", func(t *testing.T) {
		other := at(0)
		other.Table++
		other.Player = 0
		left := at(0)
		left.Table++
		for _, c := range []struct {
			who  rights.Actor
			kind error
		}{{other, refuse.ErrForbidden}, {left, refuse.ErrConflict}, {referee, refuse.ErrForbidden}, {rights.Public(), refuse.ErrUnauthenticated}} {
			if _, err := Do(ctx, desk, c.who, Agree{Game: game, Rev: 1}); !errors.Is(err, c.kind) {
				t.Errorf("%s: got %v", c.who, err)
			}
		}
		want(t, 1, false, false, true, false)
	})
	t.Run("a referee's confirmation asks nobody again, and needs nobody", func(t *testing.T) {
		if _, err := Do(ctx, desk, referee, ConfirmResult{Game: game, Rev: 1}); err != nil {
			t.Fatal(err)
		}
		want(t, 2, true, false, true, false)
		for _, rev := range []int{1, 2} { // one page is older than the other
			if _, err := Do(ctx, desk, at(rev-1), Agree{Game: game, Rev: rev}); err != nil {
				t.Fatal(err)
			}
		}
		want(t, 2, true, true, true, false)
	})
	t.Run("a corrected result asks everybody again", func(t *testing.T) {
		lines := threePlayers()
		lines[0].Points = engine.Whole(100)
		if _, err := Do(ctx, desk, organizer, CorrectResult{Game: game, Rev: 2, Correction: Correction{Lines: lines, Why: "a tile under the rack"}}); err != nil {
			t.Fatal(err)
		}
		want(t, 3, true, false, false, false)
		for _, rev := range []int{0, 1, 2, 4} {
			if _, err := Do(ctx, desk, at(1), Agree{Game: game, Rev: rev}); !errors.Is(err, refuse.ErrConflict) {
				t.Errorf("revision %d: got %v", rev, err)
			}
		}
		if _, err := Do(ctx, desk, at(1), Agree{Game: game, Rev: 3}); err != nil {
			t.Fatal(err)
		}
		want(t, 3, true, false, true, false)
	})
	t.Run("what was signed stays signed", func(t *testing.T) {
		for _, statement := range []string{"UPDATE signatures SET rev = 1", "DELETE FROM signatures"} {
			if err := s.Write.Exec(statement).Error; err == nil {
				t.Errorf("%s went through", statement)
			}
		}
	})
}
