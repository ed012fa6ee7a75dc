package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gorm.io/driver/sqlite"
	"gorm.io/gorm"
)

// sqliteLeast is the oldest usable SQLite. With an older one, two connections that write and checkpoint at once may
// corrupt a WAL.
const sqliteLeast = "3.51.3"

// openFile opens a SQLite file and creates it if there is none.
func (s *DB) openFile(ctx context.Context, alone bool) (err error) {
	if err := touch(s.path); err != nil {
		return fmt.Errorf("open database %s: %w", s.path, err)
	}
	if alone {
		if s.owned, err = own(s.path); err != nil {
			return err
		}
	}
	if err := s.begin(ctx, s.path); err != nil {
		if err = s.damaged(err); !errors.As(err, new(*DamagedError)) {
			err = fmt.Errorf("open database %s: %w", s.path, err)
		}
		return err
	}
	return nil
}

// begin connects to a file. If this program owns the file, it first checks every page and definition, before a writing
// connection touches it.
func (s *DB) begin(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	var found damagedRows
	if err == nil && s.owned != nil && info.Size() > 0 {
		found, err = lookAt(path)
	}
	if err != nil {
		return err
	}
	if err := s.connectFile(ctx, path); err != nil || s.owned == nil {
		return err
	}
	return s.Damages.record(ctx, found)
}

func (s *DB) connectFile(ctx context.Context, path string) (err error) {
	source := "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() + "?"
	if err := s.connectWriter(ctx, source); err != nil {
		return err
	}
	if !s.Scratch {
		s.copier = startCopier(source+"mode=rw", s.WriteSQL)
	}
	s.Read, s.ReadSQL, err = connectSQLite(source+"mode=ro&"+sqliteCommon+"&_pragma=query_only(1)", readers)
	return err
}

// openMemory creates an in-memory database on a single connection. Readers and writers take turns: using s.Read in a
// transaction of s.Write is a deadlock.
func (s *DB) openMemory(ctx context.Context) error {
	err := s.connectWriter(ctx, "file::memory:?")
	s.Read, s.ReadSQL = s.Write, s.WriteSQL
	return err
}

const sqliteCommon = "_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)"

// connectWriter opens the writing connection and brings the tables up to date.
func (s *DB) connectWriter(ctx context.Context, source string) (err error) {
	const memory = "&_pragma=temp_store(memory)" // otherwise a statement of many rows keeps its undo data in a file
	synchronous, checkpoint := "full", walMost/walPage
	if s.Scratch {
		synchronous = "off"
	}
	if s.Write, s.WriteSQL,
		err = connectSQLite(source+sqliteCommon+memory+"&_pragma=journal_mode(wal)&_pragma=synchronous("+synchronous+")"+
		"&_pragma=wal_autocheckpoint("+strconv.Itoa(checkpoint)+")&_pragma=journal_size_limit("+strconv.Itoa(walMost)+")&_txlock=immediate", 1); err != nil {
		return err
	}
	var version string
	if err := s.WriteSQL.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&version); err != nil {
		return err
	}
	if !atLeast(version, sqliteLeast) {
		return fmt.Errorf("SQLite %s is too old: this program needs %s or newer", version, sqliteLeast)
	}
	if err := s.migrate(ctx); err != nil {
		return err
	}
	return s.wake(ctx)
}

func connectSQLite(dsn string, conns int) (*gorm.DB, *sql.DB, error) {
	pool := sql.OpenDB(&keepingConnector{dsn: dsn})
	return gormOn(dialector{sqlite.Dialector{Conn: pool}}, pool, conns)
}

// dialector is gorm's own dialect on the pure-Go driver, whose errors gorm does not recognize. The dialect also links
// its default driver, which without cgo is a stub that is never opened. Our own dialect would avoid that, but it would
// need maintenance.
type dialector struct{ sqlite.Dialector }

// touch creates a file if there is none. Only its owner can read it, because it will hold password hashes and running
// games.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

func atLeast(version, least string) bool {
	have, want := strings.Split(version, "."), strings.Split(least, ".")
	for i := range want {
		if i >= len(have) {
			return false
		}
		h, _ := strconv.Atoi(have[i])
		w, _ := strconv.Atoi(want[i])
		if h != w {
			return h > w
		}
	}
	return true
}
