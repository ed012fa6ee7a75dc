package storage

import (
	"context"
	"database/sql"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"

	"meldhall/tournament/rights"
)

// TestMigrateKeepsAccounts opens a database of two roles, as version 6 wrote it.
func TestMigrateKeepsAccounts(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "old.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		t.Fatal(err)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(ctx, 6); err != nil {
		t.Fatal(err)
	}
	for _, write := range []string{
		`INSERT INTO accounts (id, name, name_key, role, password, created_at) VALUES (3, 'Ann', 'ann', 'organizer', 'hash-a', 11), (8, 'Bob', 'bob', 'referee', 'hash-b', 12)`,
		`INSERT INTO sessions (token, data, expiry) VALUES ('t', 'data', 9999999999999)`,
	} {
		if _, err := db.Exec(write); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var kept int
	if err := s.ReadSQL.QueryRow(`SELECT count(*) FROM accounts WHERE id = 3 AND name = 'Ann' AND role = 'organizer' AND created_at = 11
		OR id = 8 AND name = 'Bob' AND role = 'referee' AND password = 'hash-b' AND pin = '' AND removed_at = 0`).Scan(&kept); err != nil || kept != 2 {
		t.Errorf("%d of 2 accounts are as they were, %v", kept, err)
	}
	var data []byte
	if err := s.ReadSQL.QueryRow(`SELECT data FROM sessions WHERE token = 't'`).Scan(&data); err != nil || string(data) != "data" {
		t.Errorf("the session is lost: %q, %v", data, err)
	}
	for _, role := range rights.OfficialRoles {
		if _, err := s.WriteSQL.Exec(`INSERT INTO accounts (name, name_key, role, password, created_at) VALUES (?1, ?1, ?1, '', 1)`, string(role)); err != nil {
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
