package storage

import (
	"context"
	"fmt"
	"time"
)

// Erased is what stands in place of a text that was taken out.
const Erased = "[erased]"

// rewriteWait is for how long readers may hold up the cutting of the log of writes.
const rewriteWait = 10 * time.Second

// Rewrite writes the whole file anew and cuts the log of writes off: of what was deleted or changed before, no byte is left in either. While it runs nothing
// else is written.
func (s *DB) Rewrite(ctx context.Context) error {
	if s.server != nil { // what its own log and copies still hold, its operator takes out
		_, err := s.WriteSQL.ExecContext(ctx, "VACUUM FULL")
		return err
	}
	for _, statement := range []string{"PRAGMA temp_store = file", "VACUUM", "PRAGMA temp_store = memory"} { // which is of the whole file's size
		if _, err := s.WriteSQL.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("write the database anew: %w", err)
		}
	}
	for until := time.Now().Add(rewriteWait); ; time.Sleep(50 * time.Millisecond) {
		var busy, log, done int
		if err := s.WriteSQL.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log, &done); err != nil {
			return fmt.Errorf("truncate the log of writes: %w", err)
		}
		if busy == 0 {
			return nil
		}
		if time.Now().After(until) {
			return fmt.Errorf("truncate the log of writes: it is still being read after %v", rewriteWait)
		}
	}
}

// playedNow counts the rounds that are played, not at practice tables.
const playedNow = `SELECT count(*) FROM rounds r JOIN tournaments t ON t.id = r.tournament_id WHERE r.status = 'running' AND t.practice = '' AND t.removed_at = 0`

// RewriteIdle is RewriteDue where no round is played, whose tablets would wait for it; else it is done another day.
func (s *DB) RewriteIdle(ctx context.Context) error {
	var played int64
	if err := s.ReadSQL.QueryRowContext(ctx, playedNow).Scan(&played); err != nil || played > 0 {
		return err
	}
	return s.RewriteDue(ctx)
}

// RewriteDue is Rewrite where something was taken out since the last time.
func (s *DB) RewriteDue(ctx context.Context) error {
	var due bool
	if err := s.ReadSQL.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM erasures)").Scan(&due); err != nil || !due {
		return err
	}
	if err := s.Rewrite(ctx); err != nil {
		return err
	}
	_, err := s.WriteSQL.ExecContext(ctx, "DELETE FROM erasures")
	return err
}
