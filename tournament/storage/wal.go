package storage

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
)

// SQLite's log of writes: each commit is appended to it, and what it holds has to be copied into the file now and then.
const (
	walPage = 4096 + 24 // bytes of a page in it
	walMost = 64 << 20  // bytes that are kept of it: what a long reader made it longer is cut off after him
	// walDue is how many pages are copied at a time: with fewer, more of them are copied that are written again soon.
	walDue = 3000
	// walFull is from how many pages on the log is to begin anew, which it can once the file holds all of it.
	walFull = 8000
)

// copier copies the log of writes into the file beside those who write. Else the commit by which the log becomes long does it, and everybody
// whose turn waits for that commit or the next one waits for the disk once more, for some 40 ms.
type copier struct {
	pool  *sql.DB
	due   chan struct{}
	stop  context.CancelFunc
	ended chan struct{}
}

// copyBeside starts the copier of the file at a data source.
func (s *DB) copyBeside(dsn string) {
	ctx, stop := context.WithCancel(context.Background())
	s.copier = &copier{pool: sql.OpenDB(&keepingConnector{dsn: dsn}), due: make(chan struct{}, 1), stop: stop, ended: make(chan struct{})}
	s.copier.pool.SetMaxOpenConns(1)
	go s.copyDue(ctx)
}

// Committed tells that something was written. It does not block.
func (s *DB) Committed() {
	if s.copier == nil {
		return
	}
	select {
	case s.copier.due <- struct{}{}:
	default:
	}
}

// copyDue copies the log of writes whenever enough was written, until the copier is closed.
func (s *DB) copyDue(ctx context.Context) {
	defer close(s.copier.ended)
	var said string
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.copier.due:
		}
		err := s.copyLog(context.WithoutCancel(ctx))
		switch {
		case err == nil:
			said = ""
		case err.Error() != said: // and not with each commit
			said = err.Error()
			slog.Warn("the log of writes was not copied into the file, and grows", "err", err)
		}
	}
}

// copyLog copies what is in the log of writes if it is enough. While others write there is always some that came meanwhile: once the log is to
// begin anew, the writer copies those few pages itself, between two commits.
func (s *DB) copyLog(ctx context.Context) error {
	pages, copied, err := checkpoint(ctx, s.copier.pool, "NOOP")
	if err != nil || pages-copied < walDue {
		return err
	}
	pages, copied, err = checkpoint(ctx, s.copier.pool, "PASSIVE")
	if err == nil && pages >= walFull && pages-copied < walDue { // more are left where somebody still reads what they will replace
		_, _, err = checkpoint(ctx, s.WriteSQL, "PASSIVE")
	}
	return err
}

// checkpoint copies the log of writes as far as the mode says, and gives how many pages it has and how many of them the file holds.
func checkpoint(ctx context.Context, by *sql.DB, mode string) (pages, copied int, err error) {
	var busy int
	if err = by.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &pages, &copied); err != nil {
		err = fmt.Errorf("copy the log of writes into the file: %w", err)
	}
	return pages, copied, err
}

func (c *copier) close() error {
	c.stop()
	<-c.ended
	return c.pool.Close()
}
