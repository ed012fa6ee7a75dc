package tournament

import (
	"errors"
	"fmt"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage/storagetest"
)

// drawOut lets every seat draw, and pass, until the game is over.
func drawOut(t *testing.T, g *game.Games, game int64) {
	t.Helper()
	for snap := look(t, g, game); snap.State.Phase != engine.PhaseOver; snap = look(t, g, game) {
		turn := snap.State.Turn
		c := engine.Command(engine.Draw{Seat: turn.Seat, Turn: turn.Number})
		if len(snap.State.Pool) == 0 {
			c = engine.Pass{Seat: turn.Seat, Turn: turn.Number}
		}
		if _, err := g.Submit(t.Context(), seatActor(snap, turn.Seat), game, "", c); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPracticeTable(t *testing.T) {
	s := newStore(t)
	g := runner(t, s)
	events := storagetest.Hall(t, s, 1, 1)
	begin(t, g)
	ctx := t.Context()
	rules := look(t, g, events[0]).State.Rules
	n := OpenPractice{Strength: "club", Rules: rules, Name: "Practice", Person: "You", Bots: []string{"Ada", "Emmy", "Kurt"}}
	seatings := deskOf(s).Games.Seatings()
	at, err := door.Do(ctx, deskOf(s), rights.Public(), n)
	token, me, gameID := at.Token, at.Me, at.Game
	if err != nil {
		t.Fatal(err)
	}

	if seat, err := ActorByToken(ctx, s, token); err != nil || !seat.Practice || seat.Player != me.Player {
		t.Errorf("the token's seat: got %+v, %v", seat, err)
	}

	t.Run("it is a table of four with a game that has begun, in no list of events", func(t *testing.T) {
		snap, err := g.Look(ctx, gameID)
		if err != nil || snap.State.Phase != engine.PhaseDealt || len(snap.Ref.Players) != 4 || snap.Ref.Practice != "club" {
			t.Fatalf("got %+v %v", snap, err)
		}
		all, err := Tournaments(ctx, s)
		if err != nil || len(all) != 1 || all[0].ID == me.Tournament {
			t.Errorf("got %v %v", all, err)
		}
		if games, err := PracticeGames(ctx, s); err != nil || fmt.Sprint(games) != fmt.Sprint([]int64{gameID}) {
			t.Errorf("got %v %v", games, err)
		}
	})
	t.Run("a bot's actor is of its own seat", func(t *testing.T) {
		snap := look(t, g, gameID)
		turn := snap.State.Turn.Number
		if _, err := g.Submit(ctx, game.PracticePlayer(snap.Ref, 1), gameID, "", engine.Ready{Seat: 2, Turn: turn}); !errors.Is(err, refuse.ErrForbidden) {
			t.Errorf("got %v", err)
		}
		readyAll(t, g, gameID)
	})
	t.Run("the program may not call time or confirm in an event", func(t *testing.T) {
		if err := g.CallPractice(ctx, events[0], "no"); !errors.Is(err, refuse.ErrForbidden) {
			t.Errorf("got %v", err)
		}
		readyAll(t, g, events[0])
		drawOut(t, g, events[0])
		if err := ClosePractice(ctx, deskOf(s), events[0]); !errors.Is(err, refuse.ErrForbidden) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("called time ends it, and closing it confirms the result once", func(t *testing.T) {
		if err := g.CallPractice(ctx, gameID, "gone"); err != nil {
			t.Fatal(err)
		}
		drawOut(t, g, gameID)
		for range 2 {
			if err := ClosePractice(ctx, deskOf(s), gameID); err != nil {
				t.Fatal(err)
			}
		}
		result, err := LatestResult(ctx, s, gameID)
		if err != nil || !result.Confirmed() || result.Rev != 2 || result.Actor != "program:practice" {
			t.Errorf("got %+v %v", result, err)
		}
		if games, err := PracticeGames(ctx, s); err != nil || len(games) != 0 {
			t.Errorf("got %v %v", games, err)
		}
	})
	t.Run("the person still sits there, to look at the result", func(t *testing.T) {
		actor, err := ActorByToken(ctx, s, token)
		if err != nil || actor.Table != me.Table || actor.Seat != 0 {
			t.Errorf("got %+v %v", actor, err)
		}
	})
	t.Run("nobody in the event was told to look who sits where", func(t *testing.T) {
		if now := deskOf(s).Games.Seatings(); now != seatings {
			t.Errorf("the count went from %d to %d", seatings, now)
		}
	})
	t.Run("without a strength it would be an event", func(t *testing.T) {
		n.Strength = ""
		if _, err := door.Do(ctx, deskOf(s), rights.Public(), n); !errors.Is(err, refuse.ErrInvalid) {
			t.Errorf("got %v", err)
		}
	})
}
