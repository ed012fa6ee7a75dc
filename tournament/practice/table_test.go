package practice

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

func TestPracticeTable(t *testing.T) {
	ctx, desk := t.Context(), actiontest.Desk(t)
	s, g := desk.DB, desk.Games
	events := storetest.Hall(t, s, 1, 1)
	if err := g.StartWaiting(ctx, 0); err != nil {
		t.Fatal(err)
	}
	rules := gametest.Look(t, g, events[0]).State.Rules
	n := OpenTable{Strength: "club", Rules: rules, Name: "Practice", Person: "You",
		Bots: []string{"Ada", "Emmy", "Kurt"}}
	seatings := desk.Games.Seatings.All()
	at, err := action.Do(ctx, desk, rights.Public(), n)
	token, me, gameID := at.Token, at.Me, at.Game
	if err != nil {
		t.Fatal(err)
	}

	if seat, err := people.ActorByToken(ctx, s, token); err != nil || !seat.Practice || seat.Player != me.Player {
		t.Errorf("the token's seat: got %+v, %v", seat, err)
	}

	t.Run("it is a table of four with a game that has begun, in no list of events", func(t *testing.T) {
		snap, err := g.Look(ctx, gameID)
		if err != nil || snap.State.Phase != engine.PhaseDealt || len(snap.Ref.Players) != 4 ||
			snap.Ref.Practice != "club" {
			t.Fatalf("got %+v %v", snap, err)
		}
		all, err := tournament.Tournaments(ctx, s)
		if err != nil || len(all) != 1 || all[0].ID == me.Tournament {
			t.Errorf("got %v %v", all, err)
		}
		if games, err := Games(ctx, s); err != nil || fmt.Sprint(games) != fmt.Sprint([]int64{gameID}) {
			t.Errorf("got %v %v", games, err)
		}
	})
	t.Run("a bot's actor is of its own seat", func(t *testing.T) {
		snap := gametest.Look(t, g, gameID)
		turn := snap.State.Turn.Number
		if _, err := g.Submit(ctx, game.PracticePlayer(snap.Ref, 1), gameID, "",
			engine.Ready{Seat: 2, Turn: turn}); !errors.Is(err, refuse.ErrForbidden) {
			t.Errorf("got %v", err)
		}
		gametest.ReadyAll(t, g, gameID)
	})
	t.Run("the program may not call time or confirm in an event",
		func(t *testing.T) { practiceAlone(t, ctx, g, desk, events) })
	t.Run("called time ends it, and closing it confirms the result once",
		func(t *testing.T) { practiceCalled(t, ctx, s, g, desk, gameID) })
	t.Run("the person still sits there, to look at the result", func(t *testing.T) {
		actor, err := people.ActorByToken(ctx, s, token)
		if err != nil || actor.Table != me.Table || actor.Seat != 0 {
			t.Errorf("got %+v %v", actor, err)
		}
	})
	t.Run("nobody in the event was told to look who sits where", func(t *testing.T) {
		if now := desk.Games.Seatings.All(); now != seatings {
			t.Errorf("the count went from %d to %d", seatings, now)
		}
	})
	t.Run("without a strength it would be an event", func(t *testing.T) {
		n.Strength = ""
		if _, err := action.Do(ctx, desk, rights.Public(), n); !errors.Is(err, refuse.ErrInvalid) {
			t.Errorf("got %v", err)
		}
	})
}

// practiceAlone checks that actions allowed only at practice tables are refused for a tournament's game.
func practiceAlone(t *testing.T, ctx context.Context, g *game.Games, desk *action.Desk, events []int64) {
	if err := g.CallPractice(ctx, events[0], "no"); !errors.Is(err, refuse.ErrForbidden) {
		t.Errorf("got %v", err)
	}
	gametest.ReadyAll(t, g, events[0])
	gametest.DrawOut(t, g, events[0])
	if err := Confirm(ctx, desk, game.PracticeActor, events[0]); !errors.Is(err, refuse.ErrForbidden) {
		t.Errorf("got %v", err)
	}
}

// practiceCalled ends a practice game by calling time, and closes it twice.
func practiceCalled(t *testing.T, ctx context.Context, s *store.DB, g *game.Games, desk *action.Desk, gameID int64) {
	if err := g.CallPractice(ctx, gameID, "gone"); err != nil {
		t.Fatal(err)
	}
	gametest.DrawOut(t, g, gameID)
	for range 2 {
		if err := Confirm(ctx, desk, game.PracticeActor, gameID); err != nil {
			t.Fatal(err)
		}
	}
	res, err := result.LatestResult(ctx, s, gameID)
	if err != nil || !res.Confirmed() || res.Rev != 2 || res.Actor != "program:practice" {
		t.Errorf("got %+v %v", res, err)
	}
	if games, err := Games(ctx, s); err != nil || len(games) != 0 {
		t.Errorf("got %v %v", games, err)
	}
}
