package store

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// copiesOf returns the copies in the folder backups beside a database.
func copiesOf(t *testing.T, path string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), Backups, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestMigrateKeepsTheOldFile checks that a copy with the previous version is made before a database's tables are
// changed, and that a failed migration leaves the database unchanged, byte for byte.
func TestMigrateKeepsTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "old.db")
	fromVersion(t, path, 18,
		`INSERT INTO tournaments (id, name, status, format, rules, seed, created_at) VALUES (1, 'T', 'running', '{}', '{}', 77, 1)`)
	kept := copiesOf(t, path)
	if len(kept) != 1 || !strings.Contains(kept[0], "old-of-version-18-") {
		t.Fatalf("kept are %v", kept)
	}
	version := func(path string) (n int64) {
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := db.QueryRow(`SELECT max(version_id) FROM goose_db_version`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := version(kept[0]); n != 18 {
		t.Errorf("the copy is of version %d", n)
	}

	broken := filepath.Join(t.TempDir(), "broken.db")
	text, err := os.ReadFile(kept[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(broken, text, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", broken)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`CREATE TABLE passkeys (id INTEGER)`); err != nil { // a later migration creates this table
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	was, err := os.ReadFile(broken)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(broken)
	if err == nil {
		s.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "the database is unchanged, of version 18") {
		t.Fatalf("got %v", err)
	}
	if n := version(broken); n != 18 {
		t.Errorf("after a change that failed it is of version %d", n)
	}
	is, err := os.ReadFile(broken)
	const header = 100 // SQLite records here that the file was opened in WAL mode
	if err != nil || !bytes.Equal(was[header:], is[header:]) {
		t.Errorf("it is not as it was: %d and %d bytes, %v", len(was), len(is), err)
	}
	if left := copiesOf(t, broken); len(left) != 1 {
		t.Errorf("beside it lie %v", left)
	}
}
