package store

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"gorm.io/gorm"

	"meldhall/tournament/refuse"
)

// newStore opens a real file in a directory of the test, whose name must be escaped in an address.
func newStore(t *testing.T) *DB {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "a b#1?.db"))
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

func TestOpen(t *testing.T) {
	s := newStore(t)
	for _, row := range []struct{ pragma, want string }{
		{"journal_mode", "wal"}, {"synchronous", "2"}, {"foreign_keys", "1"}, {"busy_timeout", "5000"},
	} {
		var got string
		if err := s.Write.Raw("PRAGMA " + row.pragma).Scan(&got).Error; err != nil || got != row.want {
			t.Errorf("%s: got %q, %v, want %q", row.pragma, got, err, row.want)
		}
	}
	t.Run("the readers cannot write", func(t *testing.T) {
		if err := s.Read.Exec("INSERT INTO heartbeat (id, at) VALUES (1, 1)").Error; err == nil {
			t.Error("a reader wrote")
		}
	})
	t.Run("the readers see a commit", func(t *testing.T) {
		if err := s.Write.Exec("INSERT INTO heartbeat (id, at) VALUES (1, 42)").Error; err != nil {
			t.Fatal(err)
		}
		var at int64
		if err := s.Read.Raw("SELECT at FROM heartbeat").Scan(&at).Error; err != nil || at != 42 {
			t.Errorf("got %d, %v", at, err)
		}
	})
	t.Run("a failed transaction leaves nothing", func(t *testing.T) {
		stop := errors.New("stop")
		err := s.Tx(context.Background(), func(tx *gorm.DB) error {
			if err := tx.Exec("UPDATE heartbeat SET at = 7").Error; err != nil {
				return err
			}
			return stop
		})
		var at int64
		s.Read.Raw("SELECT at FROM heartbeat").Scan(&at)
		if !errors.Is(err, stop) || at != 42 {
			t.Errorf("got %v and %d", err, at)
		}
	})
}

func TestOpenAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "again.db")
	for range 2 {
		s, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Write.Exec("UPDATE goose_db_version SET version_id = version_id").Error; err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
	t.Run("tables of a newer program are refused", func(t *testing.T) {
		s, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Write.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)").Error; err != nil {
			t.Fatal(err)
		}
		s.Close()
		if s, err = Open(path); err == nil || !strings.Contains(err.Error(), "newer") {
			t.Errorf("got %v, %v", s, err)
		}
	})
}

func TestUniqueClash(t *testing.T) {
	s := newStore(t)
	type account struct {
		Name, NameKey, Role, Password, PIN string
		CreatedAt                          int64
	}
	if err := s.Write.Create(&account{Name: "Ann", NameKey: "ann", Role: "referee", Password: "x"}).Error; err != nil {
		t.Fatal(err)
	}
	t.Run("through gorm", func(t *testing.T) {
		err := Clash(s.Write.Create(&account{Name: "ANN", NameKey: "ann", Role: "referee", Password: "x"}).Error,
			"err_account_exists", "name", "ANN")
		if !errors.Is(err, refuse.ErrConflict) {
			t.Errorf("got %v, want a conflict", err)
		}
	})
	t.Run("through raw SQL", func(t *testing.T) {
		_, err := s.WriteSQL.Exec("INSERT INTO accounts (name, name_key, role, password, created_at) VALUES ('ann', 'ann', 'referee', 'x', 1)")
		err = Clash(err, "err_account_exists", "name", "ann")
		if !errors.Is(err, refuse.ErrConflict) {
			t.Errorf("got %v, want a conflict", err)
		}
	})
	t.Run("a missing reference", func(t *testing.T) {
		err := s.Write.Table("seats").Create(map[string]any{"round_id": 99, "table_id": 99, "seat": 0,
			"player_id": 99}).Error
		if !errors.Is(err, gorm.ErrForeignKeyViolated) {
			t.Errorf("got %v", err)
		}
	})
}

func TestAppendOnly(t *testing.T) {
	s := newStore(t)
	for _, insert := range []string{
		"INSERT INTO tournaments (id, name, status, format, rules, created_at) VALUES (1, 'T', 'draft', '{}', '{}', 1)",
		"INSERT INTO players (id, tournament_id, number, name, name_key, country, apart, club, email) VALUES (1, 1, 1, 'p', 'p', '', '', '', '')",
		"INSERT INTO rounds (id, tournament_id, number, stage, stage_round, games, status, method, seed, created_at) VALUES (1, 1, 1, 0, 1, 1, 'running', 'random', 1, 1)",
		"INSERT INTO tables (id, tournament_id, round_id, number) VALUES (1, 1, 1, 1)",
		"INSERT INTO games (id, tournament_id, table_id, number, status) VALUES (1, 1, 1, 1, 'running')",
		"INSERT INTO game_events VALUES (1, 1, 1, 'k', 1, '{}', 'a', NULL, 1, NULL, '', 'hash', NULL)",
		"INSERT INTO results VALUES (1, 1, 1, 'provisional', 'emptied', 'a', '', 1)",
		"INSERT INTO result_lines VALUES (1, 1, 0, 1, 0, 12, 0, '', '', 1)",
		"INSERT INTO lots VALUES (1, 1, 1, '[]', '[]', 1, 'a', 1)",
		"INSERT INTO audit VALUES (1, 1, 1, 'a', 'b', 'c', '', '', '', 0, '', '', '', NULL, 0, 0, '', 'hash')",
	} {
		if err := s.Write.Exec(insert).Error; err != nil {
			t.Fatalf("%s: %v", insert, err)
		}
	}
	for _, table := range []string{"game_events", "results", "result_lines", "lots", "audit"} {
		for _, verb := range []string{"DELETE FROM " + table, "UPDATE " + table + " SET id = id"} {
			if err := s.Write.Exec(verb).Error; err == nil || !strings.Contains(err.Error(), "append-only") {
				t.Errorf("%s: got %v, want a refusal", verb, err)
			}
		}
		var n int
		if s.Read.Raw("SELECT count(*) FROM " + table).Scan(&n); n != 1 {
			t.Errorf("%s: got %d rows, want 1", table, n)
		}
	}
	for _, row := range []struct {
		update string
		passes bool
	}{
		{`UPDATE game_events SET data = '{"reason":"other"}'`, false},
		{`UPDATE game_events SET data = '{"reason":"[erased]"}', kind = 'other'`, false},
		{`UPDATE game_events SET data = '{"reason":"[erased]"}', seq = 2`, false},
		{`UPDATE game_events SET data = '{"reason":"[erased]"}', chain = 'other'`, false},
		{`UPDATE game_events SET data = '{"reason":"[erased]"}', salt = '=hash', sum = 7`, true},
		{"UPDATE results SET why = 'other'", false},
		{"UPDATE results SET why = '[erased]', status = 'confirmed'", false},
		{"UPDATE results SET why = '[erased]', at = 2", false},
		{"UPDATE results SET why = '[erased]'", true},
		{"UPDATE audit SET data = 'other'", false},
		{"UPDATE audit SET data = 'other', erased = 5, actor = 'other'", false},
		{"UPDATE audit SET data = 'other', erased = 5, at = 9", false},
		{"UPDATE audit SET data = 'other', erased = 5, chain = 'other'", false},
		{"UPDATE audit SET data = 'other', erased = 5", true},
		{"UPDATE audit SET data = 'again', erased = 5", false},
	} {
		if err := s.Write.Exec(row.update).Error; (err == nil) != row.passes {
			t.Errorf("%s: got %v", row.update, err)
		}
	}
}
