package tournament

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
	accounts, err := Accounts(ctx, s, organizer)
	if err != nil || len(accounts) != 2 || accounts[0].ID != 3 || accounts[0].Role != rights.RoleOrganizer || accounts[1].ID != 8 || accounts[1].CreatedAt != 12 {
		t.Errorf("got %+v, %v", accounts, err)
	}
	var bob Account
	if err := s.Read.Take(&bob, 8).Error; err != nil || bob.Password != "hash-b" || bob.PIN != "" || bob.RemovedAt != 0 {
		t.Errorf("got %+v, %v", bob, err)
	}
	if data, ok, err := (Sessions{s}).Find("t"); string(data) != "data" || !ok || err != nil {
		t.Errorf("the session is lost: %q, %v, %v", data, ok, err)
	}
	for _, role := range rights.OfficialRoles {
		if _, err := s.writeSQL.Exec(`INSERT INTO accounts (name, name_key, role, password, created_at) VALUES (?1, ?1, ?1, '', 1)`, string(role)); err != nil {
			t.Errorf("%s: %v", role, err)
		}
	}
	if _, err := s.writeSQL.Exec(`INSERT INTO accounts (name, name_key, role, password, created_at) VALUES ('x', 'x', 'player', '', 1)`); err == nil {
		t.Error("a player has an account")
	}
	if err := s.CheckIntegrity(ctx); err != nil {
		t.Error(err)
	}
}
