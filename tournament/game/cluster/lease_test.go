package cluster

import (
	"errors"
	"testing"
	"time"

	"meldhall/tournament/game"
)

// TestCommitWaitsForNoLease checks that a commit does not wait for a writer of its lease, which may be waiting for this
// commit. The clock is tried again, and the lease is not given up.
func TestCommitWaitsForNoLease(t *testing.T) {
	owner, _, id, _ := ownedAndNot(t)
	lead(t, owner)
	ctx := t.Context()
	project, err := owner.Fence(id, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	ask := func() error {
		tx, err := owner.games.DB.WriteSQL.BeginTx(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback() }()
		if _, err := tx.Exec(`SET LOCAL lock_timeout = '5s'`); err != nil {
			t.Fatal(err)
		}
		return project(tx)
	}
	written := writingLease(t, owner, id)
	if err := ask(); !errors.Is(err, game.ErrClockHeld) || !owner.Keeps(id) {
		t.Errorf("while the lease is written: %v, and it is kept: %t; want it asked for again, and kept", err,
			owner.Keeps(id))
	}
	written()
	if err := ask(); err != nil {
		t.Errorf("after that: %v", err)
	}
	if _, err := owner.games.DB.BeatSQL().ExecContext(ctx, `UPDATE leases SET fence = fence + 1 WHERE shard = $1`,
		shardOf(id)); err != nil {
		t.Fatal(err)
	}
	if err := ask(); !errors.Is(err, game.ErrClockHeld) || owner.Keeps(id) {
		t.Errorf("after another has taken it: %v, and it is kept: %t", err, owner.Keeps(id))
	}
}

// writingLease keeps a transaction open that writes a game's lease, until written is called.
func writingLease(t *testing.T, g *Cluster, id int64) (written func()) {
	t.Helper()
	tx, err := g.games.DB.BeatSQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(`UPDATE leases SET owed = owed WHERE shard = $1`, shardOf(id)); err != nil {
		t.Fatal(err)
	}
	return func() { _ = tx.Rollback() }
}

// TestOwedTimeWaitsForTheLease checks that giving time back waits for a writer of the lease.
func TestOwedTimeWaitsForTheLease(t *testing.T) {
	owner, _, id, _ := ownedAndNot(t)
	failToDraw(t, owner, id)
	written := writingLease(t, owner, id)
	readOnly(t, owner, false)
	release := time.AfterFunc(200*time.Millisecond, written)
	defer release.Stop()
	if err := owner.games.Resume(t.Context(), id); err != nil || owedAt(owner, id) != 0 ||
		look(t, owner, id).State.Paused == nil {
		t.Errorf("after the lease is written: %v, owed since %d, pause %+v", err, owedAt(owner, id),
			look(t, owner, id).State.Paused)
	}
}

// TestOwedTimeWaitsNoLongerThanTheProgramRuns checks that giving time back does not wait for a writer of the lease once
// the program stops. The time stays owed.
func TestOwedTimeWaitsNoLongerThanTheProgramRuns(t *testing.T) {
	owner, _, id, _ := ownedAndNot(t)
	failToDraw(t, owner, id)
	defer writingLease(t, owner, id)()
	owner.games.Close()
	readOnly(t, owner, false)
	if err := owner.games.Resume(t.Context(), id); !errors.Is(err, game.ErrClockHeld) || owedAt(owner, id) == 0 {
		t.Errorf("at a program that stops: %v, owed since %d; want that the clock is held, and time owed", err,
			owedAt(owner, id))
	}
}
