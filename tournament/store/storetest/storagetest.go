// Package storetest gives each test its own database.
package storetest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"meldhall/tournament/store"
)

// fresh returns an empty database file after all migrations. It creates the file once, because that takes a second
// under the race detector.
var fresh = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "fresh")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "fresh.db")
	s, err := store.Open(path)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// File is the name of the database that New opens. It contains characters that an address must escape.
const File = "a b#1?.db"

// New opens a new database: a real file in a directory of the test, or a database on a PostgreSQL server.
func New(t testing.TB) *store.DB {
	t.Helper()
	s, err := store.Open(At(t))
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

// At returns the address of a new database with all tables.
func At(t testing.TB) string {
	t.Helper()
	if OnServer() {
		return Server(t, Fresh)
	}
	path := filepath.Join(t.TempDir(), File)
	empty, err := fresh()
	if err == nil {
		err = os.WriteFile(path, empty, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Over returns the address of a file's database: the file itself, or its copy on a PostgreSQL server.
func Over(t testing.TB, path string) string {
	t.Helper()
	if !OnServer() {
		return path
	}
	address := Server(t, Fresh)
	from, err := store.OpenExisting(path)
	if err != nil {
		t.Fatal(err)
	}
	to, err := store.OpenToFill(address)
	if err == nil {
		_, err = from.CarryTo(t.Context(), to)
		err = errors.Join(err, to.Close())
	}
	if err = errors.Join(err, from.Close()); err != nil {
		t.Fatal(err)
	}
	return address
}

// Hall fills a database with one tournament with a running round. The round has the given number of tables of four,
// with n waiting games at each. Hall returns the games.
func Hall(t testing.TB, s *store.DB, tables, n int) (games []int64) {
	t.Helper()
	exec := func(query string, args ...any) int64 {
		t.Helper()
		var id int64
		if err := s.WriteSQL.QueryRow(query+" RETURNING id", args...).Scan(&id); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return id
	}
	rules := Rules(t, "wrc")
	tour := exec(`INSERT INTO tournaments (name, status, format, rules, created_at)
		VALUES ('T', 'running', '{}', $1, 1)`, rules)
	round := exec(`INSERT INTO rounds (tournament_id, number, stage, stage_round, games, status, method, seed, created_at, started_at) VALUES ($1, 1, 0, 1, $2, 'running', 'random', 1, 1, 1)`, tour, n)
	for i := range tables {
		table := exec(`INSERT INTO tables (tournament_id, round_id, number) VALUES ($1, $2, $3)`, tour, round, i+1)
		for seat := range 4 {
			number := i*4 + seat + 1
			name := fmt.Sprintf("Player %d", number)
			player := exec(`INSERT INTO players (tournament_id, number, name, name_key, country, apart, club, email)
				VALUES ($1, $2, $3, $4, 'X', 'x', '', '')`, tour, number, name, name)
			exec(`INSERT INTO seats (round_id, table_id, seat, player_id) VALUES ($1, $2, $3, $4)`, round, table, seat,
				player)
		}
		for g := range n {
			games = append(games,
				exec(`INSERT INTO games (tournament_id, table_id, number, status) VALUES ($1, $2, $3, 'waiting')`, tour,
					table, g+1))
		}
	}
	return games
}

// Break makes a database reject a change, as if the power had failed. when is the event and condition of a trigger,
// such as "BEFORE UPDATE ON rounds WHEN NEW.status = 'published'".
func Break(t testing.TB, s *store.DB, when string) {
	t.Helper()
	if OnServer() {
		if on, condition, is := strings.Cut(when, " WHEN "); is {
			when = on + " FOR EACH ROW WHEN (" + condition + ")"
		}
		if err := s.Write.Exec(`CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the power is gone'; END $$`).Error; err != nil {
			t.Fatal(err)
		}
		when += " EXECUTE FUNCTION stop()"
	} else {
		when += " BEGIN SELECT raise(ABORT, 'the power is gone'); END"
	}
	if err := s.Write.Exec("CREATE TRIGGER stop " + when).Error; err != nil {
		t.Fatal(err)
	}
}

// Mend removes the effect of Break.
func Mend(t testing.TB, s *store.DB) {
	t.Helper()
	mend := "DROP TRIGGER stop"
	if OnServer() {
		mend = "DROP FUNCTION stop() CASCADE"
	}
	if err := s.Write.Exec(mend).Error; err != nil {
		t.Fatal(err)
	}
}

// Writable sets whether the writing connection can write; if not, it is read-only, as on a failing disk.
func Writable(t testing.TB, s *store.DB, yes bool) {
	t.Helper()
	turn := fmt.Sprintf("PRAGMA query_only(%t)", !yes)
	if OnServer() {
		turn = fmt.Sprintf("SET default_transaction_read_only = %t", !yes)
	}
	if _, err := s.WriteSQL.Exec(turn); err != nil {
		t.Fatal(err)
	}
}

// Plan returns SQLite's query plan, one step per line.
func Plan(t testing.TB, s *store.DB, query string, args ...any) (plan string) {
	t.Helper()
	rows, err := s.ReadSQL.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		plan += step + "\n"
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return plan
}

// Rules returns the rule set with a name, from the data folder above the test's folder.
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
