package storage

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
)

// ServerAtVersion makes the tables of a version in a database of a PostgreSQL server, as an older program did.
func ServerAtVersion(ctx context.Context, address string, version int64) error {
	at, err := serverAt(address)
	if err != nil {
		return err
	}
	db := stdlib.OpenDB(*at.config)
	provider, err := migrationsForServer(db)
	if err == nil {
		_, err = provider.UpTo(ctx, version)
	}
	return errors.Join(err, db.Close())
}

// Sleep has a node's clock stand still for a while, as a machine does that sleeps.
func Sleep(s *DB, d time.Duration) { s.node.clock.ahead.Add(-int64(d)) }
