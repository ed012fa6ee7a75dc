package store

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"

	"meldhall/tournament/rights"
)

// TestMigrateKeepsAccounts opens a database with two roles, as version 6 wrote it.
func TestMigrateKeepsAccounts(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "old.db")
	s := fromVersion(t, path, 6,
		`INSERT INTO accounts (id, name, name_key, role, password, created_at) VALUES (3, 'Ann', 'ann', 'organizer', 'hash-a', 11), (8, 'Bob', 'bob', 'referee', 'hash-b', 12)`,
		`INSERT INTO sessions (token, data, expiry) VALUES ('t', 'data', 9999999999999)`,
	)
	var kept int
	if err := s.ReadSQL.QueryRow(`SELECT count(*) FROM accounts WHERE id = 3 AND name = 'Ann' AND role = 'organizer' AND created_at = 11
		OR id = 8 AND name = 'Bob' AND role = 'referee' AND password = 'hash-b' AND pin = '' AND removed_at = 0`).Scan(&kept); err != nil || kept != 2 {
		t.Errorf("%d of 2 accounts are as they were, %v", kept, err)
	}
	var data []byte
	if err := s.ReadSQL.QueryRow(`SELECT data FROM sessions WHERE token = 't'`).Scan(&data); err != nil ||
		string(data) != "data" {
		t.Errorf("the session is lost: %q, %v", data, err)
	}
	for _, role := range rights.OfficialRoles {
		if _, err := s.WriteSQL.Exec(`INSERT INTO accounts (name, name_key, role, password, created_at)
			VALUES ($1, $1, $1, '', 1)`, string(role)); err != nil {
			t.Errorf("%s: %v", role, err)
		}
	}
	if _, err := s.WriteSQL.Exec(`INSERT INTO accounts (name, name_key, role, password, created_at) VALUES ('x', 'x', 'player', '', 1)`); err == nil {
		t.Error("a player has an account")
	}
	if err := s.CheckIntegrity(ctx); err != nil {
		t.Error(err)
	}
}

// TestMigrateKeepsDraws opens tournaments whose draws used seeds derived from the tournament's, as version 18 wrote
// them. Past and promised draws stay the same, and a plan in use keeps its seed hidden from readers.
func TestMigrateKeepsDraws(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "old.db")
	s := fromVersion(t, path, 18,
		`INSERT INTO tournaments (id, name, status, format, rules, seed, created_at) VALUES (1, 'T', 'running', '{}', '{}', 77, 1), (2, 'U', 'finished', '{}', '{}', 78, 1)`,
		`INSERT INTO rounds (id, tournament_id, number, stage, stage_round, games, status, method, seed, created_at, plan) VALUES
			(1, 1, 1, 0, 1, 1, 'finished', 'random', 11, 1, ''), (2, 1, 2, 0, 2, 1, 'finished', 'plan', 12, 1, '[[[1]],[[1]]]'), (3, 1, 3, 0, 3, 1, 'running', 'plan', 12, 1, '[[[1]]]'),
			(4, 2, 1, 0, 1, 1, 'finished', 'plan', 13, 1, '[[[1]]]')`,
		`INSERT INTO lots (id, tournament_id, stage, players, drawn, seed, actor, at) VALUES (1, 2, 1, '[1,2]', '[2,1]', 14, 'x', 1)`,
		`INSERT INTO seed_promises (tournament_id, round, seed, salt, hash, actor, at, method) VALUES (1, 2, 12, 'ab', 'cd', 'x', 5, 'plan')`,
	)
	for what, query := range map[string]string{
		"seeds of rounds": `SELECT group_concat(seed || iif(sealed, ' sealed', '')) = '11,12 sealed,12 sealed,13' FROM (SELECT * FROM rounds ORDER BY id)`,
		"a lot":           `SELECT seed = 14 AND drawn = '[2,1]' FROM lots`,
		"a promise":       `SELECT round = 2 AND lot = 0 AND seed = 12 AND salt = 'ab' AND hash = 'cd' AND actor = 'x' AND at = 5 AND method = 'plan' FROM seed_promises`,
		"no event's seed": `SELECT count(*) = 0 FROM pragma_table_info('tournaments') WHERE name = 'seed'`,
	} {
		var same bool
		if err := s.ReadSQL.QueryRow(query).Scan(&same); err != nil || !same {
			t.Errorf("%s: not as it was, %v", what, err)
		}
	}
	if err := s.CheckIntegrity(ctx); err != nil {
		t.Error(err)
	}
}

// TestMigrateShowsAsBefore opens databases from before visibility could be set: one of version 29, and one whose tables
// of version 32 were created before those of 31. Their tournaments stay public and can be hidden.
func TestMigrateShowsAsBefore(t *testing.T) {
	event := `INSERT INTO tournaments (id, name, status, format, rules, created_at) VALUES (1, 'T', 'running', '{}', '{}', 1)`
	for name, old := range map[string]struct {
		version int64
		writes  []string
	}{
		"29": {29, []string{event}},
		"32 without 31": {32, []string{event, `DROP TABLE showings`,
			`DELETE FROM goose_db_version WHERE version_id = 31`}},
	} {
		t.Run(name, func(t *testing.T) {
			s := fromVersion(t, filepath.Join(t.TempDir(), "old.db"), old.version, old.writes...)
			var same bool
			if err := s.ReadSQL.QueryRow(`SELECT (SELECT count(*) FROM showings) = 0 AND (SELECT status FROM tournaments) = 'running'`).Scan(&same); err != nil || !same {
				t.Errorf("not as it was, %v", err)
			}
			const hold = `INSERT INTO showings (tournament_id, part, how, minutes, since, was) VALUES (1, ?, 'delayed', ?, 0, '{}')`
			if _, err := s.WriteSQL.Exec(hold, "tables", 5); err != nil {
				t.Error(err)
			}
			for part, minutes := range map[string]int{"standings": 0, "racks": 5} {
				if _, err := s.WriteSQL.Exec(hold, part, minutes); err == nil {
					t.Errorf("%s is shown %d minutes late", part, minutes)
				}
			}
			if err := s.CheckIntegrity(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestMigrateKeepsRules opens a tournament with its rules, as versions 18 and 32 wrote it: it has no rule changes.
func TestMigrateKeepsRules(t *testing.T) {
	for version, columns := range map[int64]string{18: "seed, ", 32: ""} {
		values := map[bool]string{true: "7, "}[columns != ""]
		s := fromVersion(t, filepath.Join(t.TempDir(), "old.db"), version,
			`INSERT INTO tournaments (id, name, status, format, `+columns+`rules, created_at) VALUES (4, 'T', 'running', '{"name":"f"}', `+values+`'{"name":"wrc"}', 1)`)
		var same bool
		if err := s.ReadSQL.QueryRow(`SELECT rules = '{"name":"wrc"}' AND format = '{"name":"f"}' AND status = 'running' AND rule_changes = '' FROM tournaments WHERE id = 4`).Scan(&same); err != nil || !same {
			t.Errorf("from version %d: not as it was, %v", version, err)
		}
		if err := s.CheckIntegrity(t.Context()); err != nil {
			t.Error(err)
		}
		if err := s.CheckSchema(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// TestMigrateKeepsSecondSteps opens an account with an authenticator app and its recovery codes, as version 35 wrote
// it. No account has a passkey, and no credential belongs to two accounts.
func TestMigrateKeepsSecondSteps(t *testing.T) {
	s := fromVersion(t, filepath.Join(t.TempDir(), "old.db"), 35,
		`INSERT INTO accounts (id, name, name_key, role, password, created_at) VALUES (3, 'Ann', 'ann', 'organizer', 'hash', 11), (4, 'Bob', 'bob', 'referee', 'hash', 12)`,
		`INSERT INTO second_factors (account_id, secret, step, since) VALUES (3, 'S', 5, 6)`,
		`INSERT INTO recovery_codes (hash, account_id) VALUES ('h', 3)`)
	var same bool
	if err := s.ReadSQL.QueryRow(`SELECT secret = 'S' AND step = 5 AND (SELECT count(*) FROM recovery_codes WHERE account_id = 3 AND used_at = 0) = 1
		AND (SELECT count(*) FROM passkeys) = 0 FROM second_factors WHERE account_id = 3`).Scan(&same); err != nil || !same {
		t.Errorf("not as it was, %v", err)
	}
	const add = `INSERT INTO passkeys (account_id, credential, public_key, sign_count, flags, name, added_at) VALUES (?, x'01', x'02', 0, 1, 'laptop', 7)`
	if _, err := s.WriteSQL.Exec(add, 3); err != nil {
		t.Error(err)
	}
	if _, err := s.WriteSQL.Exec(add, 4); err == nil {
		t.Error("two accounts have the same credential")
	}
	if err := s.CheckIntegrity(t.Context()); err != nil {
		t.Error(err)
	}
}

// fromVersion opens a database that an older version of the program created and wrote to.
func fromVersion(t *testing.T, path string, version int64, writes ...string) *DB {
	t.Helper()
	if err := writeOlder(t, path, version, writes...).Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// writeOlder creates and writes to a database as an older version of the program did.
func writeOlder(t *testing.T, path string, version int64, writes ...string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	provider, err := migrationsFor(db, goose.DialectSQLite3)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
	for _, write := range writes {
		if _, err := db.Exec(write); err != nil {
			t.Fatalf("%s: %v", write, err)
		}
	}
	return db
}

// TestMigrateWritesKeysInOneWay opens a database whose keys of names hold printed apostrophes and dashes.
func TestMigrateWritesKeysInOneWay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "old.db")
	s := fromVersion(t, path, 63,
		`INSERT INTO accounts (id, name, name_key, role, password, created_at) VALUES
			(1, 'O’Neil', 'o’neil', 'organizer', 'x', 1), (2, 'A–B', 'a–b', 'referee', 'x', 1),
			(3, 'A-B', 'a-b', 'referee', 'x', 1)`)
	var keys string
	if err := s.ReadSQL.QueryRow(`SELECT group_concat(name_key, ' ') FROM (SELECT name_key FROM accounts ORDER BY id)`).
		Scan(&keys); err != nil || keys != "o'neil a–b a-b" {
		t.Errorf("got %s, %v", keys, err)
	}
}
