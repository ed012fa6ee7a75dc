package storage

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the tables up to date, each migration in its own transaction, upwards only. That is the owner's to do: a newer
// tool must not change the tables under an older program that runs.
func (s *DB) migrate(ctx context.Context) error {
	provider, err := migrationsFor(s.WriteSQL)
	if err != nil {
		return err
	}
	have, err := provider.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("read the version of the tables: %w", err)
	}
	if newest := newest(provider); have > newest {
		return fmt.Errorf("the tables are of version %d, newer than this program's %d: use the newer program", have, newest)
	}
	if pending, err := provider.HasPending(ctx); err != nil || !pending {
		return err
	}
	if s.owned == nil && !s.Scratch {
		owned, err := own(s.path)
		if err != nil {
			return err
		}
		defer owned.file.Close()
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

func newest(provider *goose.Provider) int64 {
	sources := provider.ListSources()
	return sources[len(sources)-1].Version
}

func migrationsFor(db *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	// A version whose number was kept for it may come after a later one.
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithAllowOutofOrder(true))
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return provider, nil
}

// SchemaVersion is the version of the tables that this program has.
func SchemaVersion() (int64, error) {
	entries, err := migrations.ReadDir("migrations")
	if err != nil {
		return 0, err
	}
	version, err := goose.NumericComponent(entries[len(entries)-1].Name())
	if err != nil {
		return 0, fmt.Errorf("read migrations: %w", err)
	}
	return version, nil
}
