package tournament

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// newStore returns the test's database.
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

// runner returns the games of a database, with seeded deals.
func runner(t testing.TB, s *store.DB) *game.Games {
	t.Helper()
	g := newGames(t, s)
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

func isRefused(err error, kind refuse.Kind, key string) bool {
	refusal, ok := err.(*refuse.Error)
	return ok && refusal.Kind == kind && refusal.Key == key
}

// anotherNode opens the same database as a second process would, with its own connections and caches.
func anotherNode(t testing.TB, s *store.DB) *store.DB {
	t.Helper()
	other, err := store.Open(s.File())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	return other
}
