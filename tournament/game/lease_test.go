package game

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestCommitWaitsForNoLease checks that a commit does not wait for a writer of its lease, which may be waiting for this
// commit. The clock is tried again, and the lease is not given up.
func TestCommitWaitsForNoLease(t *testing.T) {
	owner, _, game, _ := ownedAndNot(t)
	lead(t, owner)
	ctx := t.Context()
	project, err := owner.Cluster.fenced(game, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	ask := func() error {
		tx, err := owner.DB.WriteSQL.BeginTx(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback() }()
		if _, err := tx.Exec(`SET LOCAL lock_timeout = '5s'`); err != nil {
			t.Fatal(err)
		}
		return project(tx)
	}
	written := writingLease(t, owner, game)
	if err := ask(); !errors.Is(err, errNotOurs) || !owner.holds(game) {
		t.Errorf("while the lease is written: %v, and it is kept: %t; want it asked for again, and kept", err,
			owner.holds(game))
	}
	written()
	if err := ask(); err != nil {
		t.Errorf("after that: %v", err)
	}
	if _, err := owner.DB.BeatSQL().ExecContext(ctx, `UPDATE leases SET fence = fence + 1 WHERE shard = $1`,
		shardOf(game)); err != nil {
		t.Fatal(err)
	}
	if err := ask(); !errors.Is(err, errNotOurs) || owner.holds(game) {
		t.Errorf("after another has taken it: %v, and it is kept: %t", err, owner.holds(game))
	}
}

// writingLease keeps a transaction open that writes a game's lease, until written is called.
func writingLease(t *testing.T, g *Games, game int64) (written func()) {
	t.Helper()
	tx, err := g.DB.BeatSQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(`UPDATE leases SET owed = owed WHERE shard = $1`, shardOf(game)); err != nil {
		t.Fatal(err)
	}
	return func() { _ = tx.Rollback() }
}

// TestOwedTimeWaitsForTheLease checks that giving time back waits for a writer of the lease, but no longer than the
// program runs.
func TestOwedTimeWaitsForTheLease(t *testing.T) {
	owner, _, game, _ := ownedAndNot(t)
	r := knownAt(t, owner, game)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.owe(owner.DB.Millis())
	written := writingLease(t, owner, game)
	defer written()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	owner.closed.Store(true)
	if err := r.payBack(ctx); !errors.Is(err, errNotOurs) || r.owed.Load() == 0 {
		t.Errorf("at a program that stops: %v, owed since %d; want that it is not ours, and owed", err, r.owed.Load())
	}
	owner.closed.Store(false)
	release := time.AfterFunc(200*time.Millisecond, written)
	defer release.Stop()
	if err := r.payBack(ctx); err != nil || r.owed.Load() != 0 || r.now.Load().State.Paused == nil {
		t.Errorf("after the lease is written: %v, owed since %d, pause %+v", err, r.owed.Load(),
			r.now.Load().State.Paused)
	}
}
