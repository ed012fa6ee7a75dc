package tournament

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// fresh is an empty database as all migrations leave it: made once, since they take a second under the race detector.
var fresh = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "fresh")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "fresh.db")
	s, err := Open(path)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// storeFile is its name, of signs that an address of it has to escape.
const storeFile = "a b#1?.db"

// newStore opens a real file in a directory of the test.
func newStore(t testing.TB) *Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), storeFile)
	empty, err := fresh()
	if err == nil {
		err = os.WriteFile(path, empty, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// seededDeal is a reproducible deal.
func seededDeal(seed uint64) engine.Deal {
	rng := rand.New(rand.NewPCG(seed, 1))
	order := func() tile.List {
		tiles := tile.List(tile.All())
		rng.Shuffle(len(tiles), func(i, j int) { tiles[i], tiles[j] = tiles[j], tiles[i] })
		return tiles
	}
	return engine.Deal{Pool: order(), Draws: order(), Salt: fmt.Sprintf("%032x", rng.Uint64())}
}

// hall is a store with one running round of tables of four, n games waiting at each, one tournament.
func hall(t testing.TB, s *Store, tables, n int) (games []int64) {
	t.Helper()
	exec := func(query string, args ...any) int64 {
		t.Helper()
		res, err := s.writeSQL.Exec(query, args...)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		id, _ := res.LastInsertId()
		return id
	}
	rules, err := os.ReadFile(filepath.Join("..", "data", "rules", "wrc.json"))
	if err != nil {
		t.Fatal(err)
	}
	tour := exec(`INSERT INTO tournaments (name, status, format, rules, seed, created_at) VALUES ('T', 'running', '{}', ?, 1, 1)`, string(rules))
	round := exec(`INSERT INTO rounds (tournament_id, number, stage, stage_round, games, status, method, seed, created_at, started_at) VALUES (?, 1, 0, 1, ?, 'running', 'random', 1, 1, 1)`, tour, n)
	for i := range tables {
		table := exec(`INSERT INTO tables (tournament_id, round_id, number) VALUES (?, ?, ?)`, tour, round, i+1)
		for seat := range 4 {
			number := i*4 + seat + 1
			name := fmt.Sprintf("Player %d", number)
			player := exec(`INSERT INTO players (tournament_id, number, name, name_key, country, country_key, club, email) VALUES (?, ?, ?, ?, 'X', 'x', '', '')`, tour, number, name, name)
			exec(`INSERT INTO seats (round_id, table_id, seat, player_id) VALUES (?, ?, ?, ?)`, round, table, seat, player)
		}
		for g := range n {
			games = append(games, exec(`INSERT INTO games (tournament_id, table_id, number, status) VALUES (?, ?, ?, 'waiting')`, tour, table, g+1))
		}
	}
	return games
}

// runner gives the runner of a store's games, with seeded deals and a clock that the test moves.
func runner(t testing.TB, s *Store) *Games {
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

func begin(t testing.TB, g *Games) {
	t.Helper()
	if err := g.startWaiting(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
}

func seatActor(snap *Snapshot, seat int) rights.Actor {
	return rights.Actor{Role: rights.RolePlayer, Tournament: snap.Ref.TournamentID, Player: snap.Ref.Players[seat], Table: snap.Ref.TableID, Seat: seat}
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
		if _, err := g.Submit(context.Background(), seatActor(snap, seat), game, "", engine.Ready{Seat: seat, Turn: snap.State.Turn.Number}); err != nil {
			t.Fatal(err)
		}
	}
}

// drawTurn draws for whoever is to move, and gives the seat.
func drawTurn(t *testing.T, g *Games, game int64, key string) (Answer, error) {
	t.Helper()
	snap := look(t, g, game)
	turn := snap.State.Turn
	return g.Submit(context.Background(), seatActor(snap, turn.Seat), game, key, engine.Draw{Seat: turn.Seat, Turn: turn.Number})
}

func isRefused(err error, kind refuse.Kind, key string) bool {
	refusal, ok := err.(*refuse.Error)
	return ok && refusal.Kind == kind && refusal.Key == key
}
