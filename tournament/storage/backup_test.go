package storage

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"
)

// TestACopyAndAWriteWaitForNothing: a copy is made while a transaction writes, by another connection than it writes by.
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
