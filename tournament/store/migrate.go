package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/pressly/goose/v3"
)

// migrations has one folder for each kind of database, with the same versions. Its files are never edited, because
// CheckSchema compares every database with the tables that they create. Only the files for SQLite have comments.
//
//go:embed migrations
var migrations embed.FS

// migrate brings the tables up to date, upwards only, with a transaction per migration. Only the owner may do that: a
// newer version must not change the tables while an older version is using them.
func (s *DB) migrate(ctx context.Context) error {
	provider, err := migrationsFor(s.WriteSQL, goose.DialectSQLite3)
	if err != nil {
		return err
	}
	have, err := provider.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("read the schema version: %w", err)
	}
	if newest := newest(provider); have > newest {
		return fmt.Errorf("the schema version is %d, newer than this program's %d: use the newer program", have,
			newest)
	}
	pending, err := provider.HasPending(ctx)
	if err != nil {
		return err
	}
	if !pending {
		if _, whole, err := isWhole(ctx, s.WriteSQL); err != nil || whole || s.owned == nil {
			return err
		}
	}
	if s.owned == nil && !s.Scratch {
		owned, err := own(s.path)
		if err != nil {
			return err
		}
		defer owned.close()
	}
	if have > 0 && pending {
		if err := s.tryMigration(ctx, have); err != nil {
			return err
		}
	}
	if err := up(ctx, s.WriteSQL, provider, s.Scratch); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// tryMigration copies a database to the folder backups before a migration and migrates a second copy first. If that
// fails, the database stays unchanged, so that the older version can still use it.
func (s *DB) tryMigration(ctx context.Context, version int64) (err error) {
	if s.Scratch {
		return nil
	}
	folder := filepath.Join(s.Folder(), Backups)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("copy before the tables are changed: %w", err)
	}
	kept := filepath.Join(folder, fmt.Sprintf("%s-of-version-%d-%s.db", s.Name(), version,
		time.Now().UTC().Format("20060102-150405.000")))
	trial := kept + ".trial"
	defer func() { err = errors.Join(err, removeAll(trial, trial+"-wal", trial+"-shm", trial+"-journal")) }()
	for _, path := range []string{kept, trial} {
		empty, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			err = empty.Close()
		}
		if err == nil {
			_, err = s.WriteSQL.ExecContext(ctx, `VACUUM INTO $1`, path)
		}
		if err != nil {
			return fmt.Errorf("copy before the tables are changed: %w", errors.Join(err, removeAll(path)))
		}
	}
	_, db, err := connectSQLite("file:"+(&url.URL{Path: filepath.ToSlash(trial)}).EscapedPath()+"?_pragma=foreign_keys(1)&_txlock=immediate", 1)
	if err != nil {
		return err
	}
	provider, err := migrationsFor(db, goose.DialectSQLite3)
	if err == nil {
		err = up(ctx, db, provider, false)
	}
	if err == nil {
		err = check(ctx, db, "quick_check")
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("migrate: %w; tried on a copy, so the database is unchanged, of version %d, and %s is "+
			"another copy of it", err, version, kept)
	}
	return nil
}

// removeAll removes files, ignoring those that do not exist.
func removeAll(paths ...string) (err error) {
	for _, path := range paths {
		if gone := os.Remove(path); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

func newest(provider *goose.Provider) int64 {
	sources := provider.ListSources()
	return sources[len(sources)-1].Version
}

func migrationsFor(db *sql.DB, dialect goose.Dialect) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations/"+string(dialect))
	if err != nil {
		return nil, err
	}
	// A version whose number was reserved may come after a later one.
	provider, err := goose.NewProvider(dialect, db, files, goose.WithAllowOutofOrder(true))
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return provider, nil
}

// inMemory opens an in-memory database with the tables of a version, or returns nil for a version that the migrations
// do not reach.
func inMemory(ctx context.Context, version int64) (*sql.DB, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	provider, err := migrationsFor(db, goose.DialectSQLite3)
	if err == nil && version > newest(provider) {
		return nil, db.Close()
	}
	if err == nil {
		_, err = provider.UpTo(ctx, version)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// SchemaVersion returns the version of this program's tables.
func SchemaVersion() (int64, error) {
	entries, err := migrations.ReadDir("migrations/" + string(goose.DialectSQLite3))
	if err != nil {
		return 0, err
	}
	version, err := goose.NumericComponent(entries[len(entries)-1].Name())
	if err != nil {
		return 0, fmt.Errorf("read migrations: %w", err)
	}
	return version, nil
}
