package storage

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pressly/goose/v3"
	msqlite "modernc.org/sqlite"
)

// DamagedError refuses a database file that is not as it was written. Fault names the first thing that was found, Copy the newest
// whole copy beside it, empty where there is none.
type DamagedError struct {
	Path  string
	Fault string
	Copy  string
}

// Error says what is damaged, and how to go on.
func (e *DamagedError) Error() string {
	text := "the database " + e.Path + " is damaged and was not opened: " + e.Fault + ".\n"
	if e.Copy == "" {
		return text + "There is no whole copy in the folder backups beside it. Start with a copy from elsewhere, or with a new file, and keep this one."
	}
	return text + "The newest whole copy is " + e.Copy + ". To go on from it, move " + e.Path + " and the files " + e.Path + "-wal and " +
		e.Path + "-shm, where they are there, to another folder, copy " + e.Copy + " to " + e.Path + ", and start again."
}

// Fault is what is wrong with a file, in words.
type Fault string

func (f Fault) Error() string { return string(f) }

// Result codes of SQLite: the file is damaged, the file is no database.
const (
	codeCorrupt = 11
	codeNoDB    = 26
)

// damaged makes a DamagedError of what tells of a damaged file; other errors stay.
func (s *DB) damaged(err error) error {
	var fault Fault
	var e *msqlite.Error
	if errors.As(err, &e) && (e.Code()&0xff == codeCorrupt || e.Code()&0xff == codeNoDB) {
		fault = Fault(e.Error())
	}
	if fault == "" && !errors.As(err, &fault) {
		return err
	}
	return &DamagedError{Path: s.path, Fault: string(fault), Copy: newestWhole(filepath.Join(s.Folder(), "backups"))}
}

// CheckIntegrity has SQLite read the whole file, and compare each index with its table; a Fault names the first that it finds.
func (s *DB) CheckIntegrity(ctx context.Context) error {
	return check(ctx, s.ReadSQL, "integrity_check")
}

// check runs one of SQLite's checks.
func check(ctx context.Context, db *sql.DB, pragma string) error {
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA "+pragma+"(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return Fault(strings.TrimSpace(strings.TrimPrefix(verdict, "*** in database main ***")))
	}
	return nil
}

// CheckSchema compares the tables, indexes and triggers with those that the migrations make. Without an index that keeps keys
// unique a database works on, and would do things twice. A Fault names the first that is not as it should be.
func (s *DB) CheckSchema(ctx context.Context) error {
	want, err := schema()
	if err != nil {
		return err
	}
	have, err := schemaOf(ctx, s.WriteSQL)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch definition, there := have[name]; {
		case !there:
			return Fault("the " + name + " is missing")
		case definition != want[name]:
			return Fault("the " + name + " is not as this program makes it")
		}
	}
	return nil
}

// schema is what the migrations make.
var schema = sync.OnceValues(func() (map[string]string, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files)
	if err != nil {
		return nil, err
	}
	if _, err := provider.Up(context.Background()); err != nil {
		return nil, err
	}
	return schemaOf(context.Background(), db)
})

// schemaOf gives the definitions of all tables, indexes and triggers, by kind and name.
func schemaOf(ctx context.Context, db *sql.DB) (map[string]string, error) {
	rows, err := db.QueryContext(ctx, `SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND tbl_name <> 'goose_db_version'`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[string]string{}
	for rows.Next() {
		var name, definition string
		if err := rows.Scan(&name, &definition); err != nil {
			return nil, err
		}
		found[name] = strings.Join(strings.Fields(definition), " ")
	}
	return found, rows.Err()
}

// newestWhole gives the newest copy in a folder that is whole, empty where there is none.
func newestWhole(folder string) string {
	copies, err := filepath.Glob(filepath.Join(folder, "*.db"))
	if err != nil {
		return ""
	}
	written := map[string]int64{}
	for _, path := range copies {
		if info, err := os.Stat(path); err == nil {
			written[path] = info.ModTime().UnixNano()
		}
	}
	slices.SortFunc(copies, func(a, b string) int { return int(min(1, max(-1, written[b]-written[a]))) })
	for _, path := range copies {
		if whole(path) {
			return path
		}
	}
	return ""
}

// whole tells whether a copy that nobody writes to is undamaged.
func whole(path string) bool {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()+"?mode=ro&immutable=1")
	if err != nil {
		return false
	}
	defer db.Close()
	return check(context.Background(), db, "integrity_check") == nil
}
