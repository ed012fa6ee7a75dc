package game

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// newStore returns a database for the test.
func newStore(t testing.TB) *store.DB { return storetest.New(t) }

// seededDeal returns a reproducible deal.
func seededDeal(seed uint64) engine.Deal {
	rng := rand.New(rand.NewPCG(seed, 1))
	order := func() tile.List {
		tiles := tile.List(tile.All())
		rng.Shuffle(len(tiles), func(i, j int) { tiles[i], tiles[j] = tiles[j], tiles[i] })
		return tiles
	}
	return engine.Deal{Pool: order(), Draws: order(), Salt: fmt.Sprintf("%032x", rng.Uint64())}
}

// runner returns the Games of a store, with seeded deals and a clock that the test moves.
func runner(t testing.TB, s *store.DB) *Games {
	t.Helper()
	l := OpenLog(s)
	g := New(s, l)
	t.Cleanup(func() {
		g.Close()
		l.Close()
	})
	seed := uint64(0)
	var mu sync.Mutex
	g.Deal = func() engine.Deal {
		mu.Lock()
		defer mu.Unlock()
		seed++
		return seededDeal(seed)
	}
	return g
}

func begin(t testing.TB, g *Games) {
	t.Helper()
	if err := g.StartWaiting(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
}

func seatActor(snap *Snapshot, seat int) rights.Actor {
	return rights.Actor{Role: rights.RolePlayer, Tournament: snap.Ref.TournamentID, Player: snap.Ref.Players[seat],
		Table: snap.Ref.TableID, Seat: seat}
}

func look(t testing.TB, g *Games, game int64) *Snapshot {
	t.Helper()
	snap, err := g.Look(context.Background(), game)
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// readyAll brings a dealt game to its first turn.
func readyAll(t testing.TB, g *Games, game int64) {
	t.Helper()
	snap := look(t, g, game)
	for seat := range snap.State.Seats {
		if _, err := g.Submit(context.Background(), seatActor(snap, seat), game, "",
			engine.Ready{Seat: seat, Turn: snap.State.Turn.Number}); err != nil {
			t.Fatal(err)
		}
	}
}

// drawTurn draws for the seat whose turn it is and returns that seat.
func drawTurn(t *testing.T, g *Games, game int64, key string) (Answer, error) {
	t.Helper()
	snap := look(t, g, game)
	turn := snap.State.Turn
	return g.Submit(context.Background(), seatActor(snap, turn.Seat), game, key,
		engine.Draw{Seat: turn.Seat, Turn: turn.Number})
}

func isRefused(err error, kind refuse.Kind, key string) bool {
	refusal, ok := err.(*refuse.Error)
	return ok && refusal.Kind == kind && refusal.Key == key
}
