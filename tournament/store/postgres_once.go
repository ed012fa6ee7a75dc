package store

import (
	"context"
	"database/sql/driver"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// AtOnce runs a statement that returns numbers, in a transaction of its own on a database server. Taking the writers'
// lock, the statement and the commit are one round trip, so that waiting writers do not wait for this program or its
// network. If AtOnce returns no error, the data is on the disk. The statement is in PostgreSQL's own SQL.
func (s *DB) AtOnce(ctx context.Context, statement string, values ...any) (numbers []int64, err error) {
	for i, value := range values {
		if texts, is := value.([]string); is {
			kept := make([]string, len(texts))
			for j, text := range texts {
				kept[j] = escape(text)
			}
			values[i] = kept
		}
	}
	for range 3 { // retry on connections that broke since their last use, as database/sql does
		conn, err := s.WriteSQL.Conn(ctx)
		if err != nil {
			return nil, err
		}
		err = conn.Raw(func(c any) (err error) {
			numbers, err = c.(*serverConn).atOnce(ctx, statement, values)
			return err
		})
		_ = conn.Close() // back to the pool
		if !errors.Is(err, driver.ErrBadConn) {
			return numbers, err
		}
	}
	return nil, driver.ErrBadConn
}

// atOnce makes the round trip. PostgreSQL runs statements that are sent together as one transaction.
func (c *serverConn) atOnce(ctx context.Context, statement string, values []any) (numbers []int64, err error) {
	batch := &pgx.Batch{}
	batch.Queue(c.connector.lock)
	batch.Queue(statement, values...)
	results := c.Conn.Conn().SendBatch(ctx, batch)
	if _, err = results.Exec(); err == nil {
		rows, _ := results.Query()
		numbers, err = pgx.CollectRows(rows, pgx.RowTo[int64])
	}
	if ended := results.Close(); err == nil { // returns the result of the commit
		err = ended
	}
	switch {
	case err == nil:
		return numbers, nil
	case pgconn.SafeToRetry(err):
		return nil, driver.ErrBadConn
	}
	return nil, c.cut(err)
}
