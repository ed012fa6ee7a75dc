package store

import (
	"context"
	"fmt"
	"time"
)

// Erased replaces an erased text.
const Erased = "[erased]"

// rewriteWait is how long readers may delay truncating the write-ahead log.
const rewriteWait = 10 * time.Second

// Rewrite rewrites the whole file and truncates the write-ahead log, so that no byte of deleted or changed data remains
// in either. Nothing else is written while it runs.
func (s *DB) Rewrite(ctx context.Context) error {
	if s.server != nil { // the operator must clear the server's own log and copies
		_, err := s.WriteSQL.ExecContext(ctx, "VACUUM FULL")
		return err
	}
	// VACUUM needs a temporary file as large as the database
	for _, statement := range []string{"PRAGMA temp_store = file", "VACUUM", "PRAGMA temp_store = memory"} {
		if _, err := s.WriteSQL.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("rewrite the database: %w", err)
		}
	}
	for until := time.Now().Add(rewriteWait); ; time.Sleep(50 * time.Millisecond) {
		var busy, log, done int
		if err := s.WriteSQL.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log,
			&done); err != nil {
			return fmt.Errorf("truncate the write-ahead log: %w", err)
		}
		if busy == 0 {
			return nil
		}
		if time.Now().After(until) {
			return fmt.Errorf("truncate the write-ahead log: it is still being read after %v", rewriteWait)
		}
	}
}

// playedNow counts the rounds in play, without practice tables.
const playedNow = `SELECT count(*) FROM rounds r JOIN tournaments t ON t.id = r.tournament_id WHERE r.status = 'running' AND t.practice = '' AND t.removed_at = 0`

// RewriteIdle is like RewriteDue, but does nothing while a round is in play, because the tablets would have to wait.
func (s *DB) RewriteIdle(ctx context.Context) error {
	var played int64
	if err := s.ReadSQL.QueryRowContext(ctx, playedNow).Scan(&played); err != nil || played > 0 {
		return err
	}
	return s.RewriteDue(ctx)
}

// RewriteDue calls Rewrite if something has been erased since the last rewrite.
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
