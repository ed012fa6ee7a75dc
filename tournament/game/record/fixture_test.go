package record

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
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

// runner returns the game.Games of a store, with seeded deals and a clock that the test moves.
func runner(t testing.TB, s *store.DB) *game.Games {
	t.Helper()
	l := game.OpenLog(s)
	g := game.New(s, l)
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

func begin(t testing.TB, g *game.Games) {
	t.Helper()
	if err := g.StartWaiting(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
}
