package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	msqlite "modernc.org/sqlite"
)

// DamagedError rejects a damaged database file. Fault is the first damage found. Copy is the newest intact copy beside
// it, "" if there is none.
type DamagedError struct {
	Path  string
	Fault string
	Copy  string
}

// Error names the damaged part and how to continue.
func (e *DamagedError) Error() string {
	text := "the database " + e.Path + " is damaged and was not opened: " + e.Fault + ".\n"
	if e.Copy == "" {
		return text +
			"There is no intact copy in the folder backups beside it. Start with a copy from elsewhere, or with a " +
			"new file, and keep this one."
	}
	return text + "The newest intact copy is " + e.Copy + ". To continue from it, move " + e.Path + " and the files " +
		e.Path + "-wal and " +
		e.Path + "-shm, if they exist, to another folder, copy " + e.Copy + " to " + e.Path + ", and start again."
}

// Fault describes the damage in a file.
type Fault string

func (f Fault) Error() string { return string(f) }

// SQLite result codes: the file is damaged, the file is not a database.
const (
	codeCorrupt = 11
	codeNoDB    = 26
)

// damaged turns an error about a damaged file into a DamagedError and returns other errors unchanged.
func (s *DB) damaged(err error) error {
	fault, ok := faultIn(err)
	if !ok {
		return err
	}
	return &DamagedError{Path: s.path, Fault: string(fault),
		Copy: newestWhole(filepath.Join(s.Folder(), Backups), s.Name()+"-")}
}

// faultIn returns the Fault in an error about a damaged file; ok is false for other errors.
func faultIn(err error) (fault Fault, ok bool) {
	var e *msqlite.Error
	if errors.As(err, &e) && (e.Code()&0xff == codeCorrupt || e.Code()&0xff == codeNoDB) {
		return Fault(e.Error()), true
	}
	return fault, errors.As(err, &fault)
}

// CheckIntegrity makes SQLite read the whole file and compare each index with its table. This compares each row with
// its copy in the covering index of its table. A Fault names the first difference. On a server it reads every row of
// each table, and checks that the indexes and constraints are in force.
func (s *DB) CheckIntegrity(ctx context.Context) error {
	if s.server != nil {
		return readThrough(ctx, s.ReadSQL)
	}
	return check(ctx, s.ReadSQL, "integrity_check")
}

// check runs one of SQLite's checks. It returns a Fault for the first damage.
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

// CheckWhole checks a whole database: every page or row, every index against its table, every definition, checksum and
// chain, and that no damage is recorded.
func (s *DB) CheckWhole(ctx context.Context) error {
	return errors.Join(s.CheckIntegrity(ctx), s.CheckSchema(ctx), s.CheckSums(ctx), s.CheckChains(ctx),
		s.Damages.check(ctx))
}

// CheckSchema compares the tables, indexes and triggers with those that the migrations create. A database without one
// of its unique indexes keeps working but would do things twice. A Fault names the first difference.
func (s *DB) CheckSchema(ctx context.Context) error {
	if s.server != nil {
		return s.server.checkSchema(ctx)
	}
	return checkSchema(ctx, s.WriteSQL)
}

// checkSchema is CheckSchema for a file, using the migrations up to the file's own version. A file without tables is
// faulty too.
func checkSchema(ctx context.Context, db *sql.DB) error {
	have, err := schemaOf(ctx, db)
	if err != nil {
		return err
	}
	var kept int
	if err := db.QueryRowContext(ctx,
		`SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version'`).Scan(&kept); err != nil {
		return err
	}
	if kept == 0 {
		return Fault("the table goose_db_version with the schema version is missing")
	}
	var version int64
	if err := db.QueryRowContext(ctx,
		`SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version); err != nil {
		return err
	}
	want, err := schema(version)
	if err != nil {
		return err
	}
	some, whole, err := isWhole(ctx, db)
	if err != nil {
		return err
	}
	if !whole { // from a program that created none, or not all
		want = maps.Clone(want)
		maps.DeleteFunc(want, func(name, _ string) bool {
			index, ok := strings.CutPrefix(name, "index ")
			return ok && strings.HasPrefix(index, wholePrefix) && (!some || isOfSummed(index))
		})
	}
	return firstFault(have, want)
}

// schemas caches the results of schema by version.
var schemas sync.Map

// schema returns the definitions that the migrations up to a version create, or nil for a version that they do not
// reach. Migrations are never edited, so a database keeps the exact text of its definitions.
func schema(version int64) (map[string]string, error) {
	if known, ok := schemas.Load(version); ok {
		return known.(map[string]string), nil
	}
	ctx := context.Background()
	db, err := inMemory(ctx, version)
	if err != nil || db == nil { // from a newer program: the migration rejects it
		return nil, err
	}
	defer db.Close()
	if err := makeWhole(ctx, db); err != nil {
		return nil, err
	}
	made, err := schemaOf(ctx, db)
	if err == nil {
		schemas.Store(version, made)
	}
	return made, err
}

// schemaOf returns the definitions of all tables, indexes and triggers, by kind and name.
func schemaOf(ctx context.Context, db *sql.DB) (map[string]string, error) {
	rows, err := db.QueryContext(ctx,
		`SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version'`)
	if err != nil {
		return nil, err
	}
	return definitionsIn(rows, "")
}

// definitionsIn reads names and definitions. It normalizes white space and removes the schema's name.
func definitionsIn(rows *sql.Rows, schema string) (map[string]string, error) {
	defer rows.Close()
	found := map[string]string{}
	for rows.Next() {
		var name, definition string
		if err := rows.Scan(&name, &definition); err != nil {
			return nil, err
		}
		if schema != "" {
			definition = strings.ReplaceAll(definition, schema+".", "")
		}
		found[name] = strings.Join(strings.Fields(definition), " ")
	}
	return found, rows.Err()
}

// newestWhole returns the newest intact copy in a folder, or "" if there is none. It first tries files whose names have
// the prefix begins.
func newestWhole(folder, begins string) string {
	files, err := os.ReadDir(folder)
	if err != nil {
		return ""
	}
	var copies []string
	written := map[string]int64{}
	for _, file := range files {
		if info, err := file.Info(); err == nil && filepath.Ext(file.Name()) == ".db" {
			path := filepath.Join(folder, file.Name())
			copies, written[path] = append(copies, path), info.ModTime().UnixNano()
		}
	}
	other := func(path string) int {
		if strings.HasPrefix(filepath.Base(path), begins) {
			return 0
		}
		return 1
	}
	slices.SortFunc(copies, func(a, b string) int {
		return cmp.Or(cmp.Compare(other(a), other(b)), cmp.Compare(written[b], written[a]))
	})
	for _, path := range copies {
		if rows, err := lookAt(path); err == nil && len(rows) == 0 {
			return path
		}
	}
	return ""
}

// lookAt checks a file read-only and returns its damaged rows. For any other damage, and for an empty file, it returns
// a Fault.
func lookAt(path string) (damagedRows, error) {
	ctx := context.Background()
	db, err := sql.Open("sqlite",
		"file:"+(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()+"?mode=ro&_pragma=busy_timeout(5000)")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	found, err := lookForRows(ctx, db)
	if err != nil {
		return nil, err
	}
	return found, checkSchema(ctx, db)
}
