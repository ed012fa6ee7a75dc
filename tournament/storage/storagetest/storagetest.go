// Package storagetest gives tests a database of their own.
package storagetest

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"meldhall/tournament/storage"
)

// fresh is an empty database as all migrations leave it: made once, since they take a second under the race detector.
var fresh = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "fresh")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "fresh.db")
	s, err := storage.Open(path)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// File is the name of the database that New opens, of signs that an address of it has to escape.
const File = "a b#1?.db"

// New opens a new database, a real file in a directory of the test.
func New(t testing.TB) *storage.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), File)
	empty, err := fresh()
	if err == nil {
		err = os.WriteFile(path, empty, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := storage.Open(path)
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

// Hall fills a database with one running round of tables of four, n games waiting at each, one tournament.
func Hall(t testing.TB, s *storage.DB, tables, n int) (games []int64) {
	t.Helper()
	exec := func(query string, args ...any) int64 {
		t.Helper()
		res, err := s.WriteSQL.Exec(query, args...)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		id, _ := res.LastInsertId()
		return id
	}
	rules := Rules(t, "wrc")
	tour := exec(`INSERT INTO tournaments (name, status, format, rules, created_at) VALUES ('T', 'running', '{}', ?, 1)`, rules)
	round := exec(`INSERT INTO rounds (tournament_id, number, stage, stage_round, games, status, method, seed, created_at, started_at) VALUES (?, 1, 0, 1, ?, 'running', 'random', 1, 1, 1)`, tour, n)
	for i := range tables {
		table := exec(`INSERT INTO tables (tournament_id, round_id, number) VALUES (?, ?, ?)`, tour, round, i+1)
		for seat := range 4 {
			number := i*4 + seat + 1
			name := fmt.Sprintf("Player %d", number)
			player := exec(`INSERT INTO players (tournament_id, number, name, name_key, country, apart, club, email) VALUES (?, ?, ?, ?, 'X', 'x', '', '')`, tour, number, name, name)
			exec(`INSERT INTO seats (round_id, table_id, seat, player_id) VALUES (?, ?, ?, ?)`, round, table, seat, player)
		}
		for g := range n {
			games = append(games, exec(`INSERT INTO games (tournament_id, table_id, number, status) VALUES (?, ?, ?, 'waiting')`, tour, table, g+1))
		}
	}
	return games
}

// Rules are the rules of a name, as they lie in data above the folder of any test.
func Rules(t testing.TB, name string) string {
	t.Helper()
	for up := ".."; len(up) < 30; up = filepath.Join(up, "..") {
		if rules, err := os.ReadFile(filepath.Join(up, "data", "rules", name+".json")); err == nil {
			return string(rules)
		}
	}
	t.Fatal("data/rules/" + name + ".json is not above the folder of the test")
	return ""
}
