package store

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// ServerAtVersion creates the tables of a version in a database on a PostgreSQL server, as an older version of the
// program did.
func ServerAtVersion(ctx context.Context, address string, version int64) error {
	at, err := serverAt(address)
	if err != nil {
		return err
	}
	db := stdlib.OpenDB(*at.config)
	provider, err := migrationsFor(db, goose.DialectPostgres)
	if err == nil {
		_, err = provider.UpTo(ctx, version)
	}
	return errors.Join(err, db.Close())
}

// Sleep stops a node's clock for d, as on a machine that sleeps.
func Sleep(s *DB, d time.Duration) { s.Nodes.clock.ahead.Add(-int64(d)) }
