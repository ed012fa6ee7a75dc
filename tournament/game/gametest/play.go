// Package gametest lets tests play the seats of running games.
package gametest

import (
	"testing"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
)

// Player returns the actor for the player at a seat.
func Player(snap *game.Snapshot, seat int) rights.Actor {
	return rights.Actor{Role: rights.RolePlayer, Tournament: snap.Ref.TournamentID, Player: snap.Ref.Players[seat],
		Table: snap.Ref.TableID, Seat: seat}
}

// Look returns the current snapshot of a game.
func Look(t testing.TB, g *game.Games, id int64) *game.Snapshot {
	t.Helper()
	snap, err := g.Look(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// ReadyAll brings a dealt game to its first turn.
func ReadyAll(t testing.TB, g *game.Games, id int64) {
	t.Helper()
	snap := Look(t, g, id)
	for seat := range snap.State.Seats {
		if _, err := g.Submit(t.Context(), Player(snap, seat), id, "",
			engine.Ready{Seat: seat, Turn: snap.State.Turn.Number}); err != nil {
			t.Fatal(err)
		}
	}
}

// DrawOut lets every seat draw, and pass, until the game is over.
func DrawOut(t testing.TB, g *game.Games, id int64) {
	t.Helper()
	for snap := Look(t, g, id); snap.State.Phase != engine.PhaseOver; snap = Look(t, g, id) {
		turn := snap.State.Turn
		c := engine.Command(engine.Draw{Seat: turn.Seat, Turn: turn.Number})
		if len(snap.State.Pool) == 0 {
			c = engine.Pass{Seat: turn.Seat, Turn: turn.Number}
		}
		if _, err := g.Submit(t.Context(), Player(snap, turn.Seat), id, "", c); err != nil {
			t.Fatal(err)
		}
	}
}
