package store

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
)

// Sizes of SQLite's write-ahead log (WAL). Each commit is appended to it, and its contents must be copied into the file
// from time to time.
const (
	walPage = 4096 + 24 // bytes per page
	walMost = 64 << 20  // bytes kept; growth caused by a long read is truncated after that read
	// walDue is how many pages must be waiting before they are copied. Copying earlier would more often copy pages that
	// soon change again.
	walDue = 3000
	// walFull is how many pages the WAL may have before it should restart. The WAL can restart once the file contains
	// all its pages.
	walFull = 8000
)

// copier copies the WAL into the file in parallel with the writers. Otherwise the commit that makes the WAL too long
// would do it, and every turn that waits for that commit or the next one would wait for the disk once more, for about
// 40 ms.
type copier struct {
	pool   *sql.DB // its own connection
	writer *sql.DB
	due    chan struct{}
	stop   context.CancelFunc
	ended  chan struct{}
}

// startCopier starts the copier of the file at a data source, to which writer writes.
func startCopier(dsn string, writer *sql.DB) *copier {
	ctx, stop := context.WithCancel(context.Background())
	c := &copier{pool: sql.OpenDB(&keepingConnector{dsn: dsn}), writer: writer, due: make(chan struct{}, 1),
		stop: stop, ended: make(chan struct{})}
	c.pool.SetMaxOpenConns(1)
	go c.run(ctx)
	return c
}

// Committed signals that data was written. It does not block.
func (s *DB) Committed() {
	if s.copier == nil {
		return
	}
	select {
	case s.copier.due <- struct{}{}:
	default:
	}
}

// run copies the WAL whenever enough has been written, until the copier is closed.
func (c *copier) run(ctx context.Context) {
	defer close(c.ended)
	var said string
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.due:
		}
		err := c.copyLog(context.WithoutCancel(ctx))
		switch {
		case err == nil:
			said = ""
		case err.Error() != said: // and not with each commit
			said = err.Error()
			slog.Warn("checkpointing the write-ahead log failed; it grows", "err", err)
		}
	}
}

// copyLog copies the WAL if it is long enough. During writes there are always some new pages. Once the WAL should
// restart, the writer copies these few pages itself, between two commits.
func (c *copier) copyLog(ctx context.Context) error {
	pages, copied, err := checkpoint(ctx, c.pool, "NOOP")
	if err != nil || pages-copied < walDue {
		return err
	}
	pages, copied, err = checkpoint(ctx, c.pool, "PASSIVE")
	// more pages remain while a reader needs those they will replace
	if err == nil && pages >= walFull && pages-copied < walDue {
		_, _, err = checkpoint(ctx, c.writer, "PASSIVE")
	}
	return err
}

// checkpoint copies the part of the WAL that the mode determines. It returns the number of pages in the WAL and how
// many of them the file contains.
func checkpoint(ctx context.Context, by *sql.DB, mode string) (pages, copied int, err error) {
	var busy int
	if err = by.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &pages, &copied); err != nil {
		err = fmt.Errorf("checkpoint the write-ahead log: %w", err)
	}
	return pages, copied, err
}

func (c *copier) close() error {
	c.stop()
	<-c.ended
	return c.pool.Close()
}
