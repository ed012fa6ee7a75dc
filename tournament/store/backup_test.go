package store

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"
)

// TestACopyAndAWriteWaitForNothing checks that a copy can be made during a transaction, because it uses another
// connection.
func TestACopyAndAWriteWaitForNothing(t *testing.T) {
	folder := t.TempDir()
	s, err := Open(filepath.Join(folder, "meldhall.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tx, err := s.WriteSQL.Begin()
	if err != nil {
		t.Fatal(err)
	}
	_, err = tx.Exec(`INSERT INTO heartbeat (id, at) VALUES (1, 5)`)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, copied := s.CopyTo(ctx, filepath.Join(folder, "copy.db"))
	if err := errors.Join(err, copied, tx.Commit()); err != nil {
		t.Error(err)
	}
}
