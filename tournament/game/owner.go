package game

import (
	"context"
	"log/slog"
	"time"

	"meldhall/engine"
)

// holds reports whether a game's clock is run by this node. The answer may be briefly out of date.
func (g *Games) holds(id int64) bool {
	return g.Cluster == nil || g.Cluster.kept(id).fence != 0
}

// Owns reports whether this node runs the automatic actions of the game, or of the tournament, with this ID.
func (g *Games) Owns(id int64) bool { return g.Cluster == nil || g.Cluster.of(id).fence != 0 }

// Leases returns the number of shards whose clocks this node runs.
func (g *Games) Leases() (n int) {
	for shard := range int64(shards) {
		if g.Owns(shard) {
			n++
		}
	}
	return n
}

// newer updates a game from the log before it refuses a command, and reports whether the game has moved on; r.mu is
// held.
func (r *runningGame) newer(ctx context.Context) (bool, error) {
	if r.games.Cluster == nil {
		return false, nil
	}
	before := r.now.Load().State.Seq
	err := r.catchUp(ctx)
	return r.now.Load().State.Seq > before, err
}

// newest is newer for callers that do not hold the game.
func (r *runningGame) newest(ctx context.Context) (bool, error) {
	if r.games.Cluster == nil {
		return false, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.newer(ctx)
}

// awaitLease waits a moment for a lease that is being written or is about to be. It returns false if that takes too
// long.
func (g *Games) awaitLease(ctx context.Context, since time.Time) (bool, error) {
	if time.Since(since) > ownerMost || g.closed.Load() {
		return false, nil
	}
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-time.After(ownerLook):
		return true, nil
	}
}

// refresh updates a game after a hint, unless a command holds it: the command does so itself.
func (r *runningGame) refresh(ctx context.Context) {
	if !r.behind() || !r.mu.TryLock() {
		return
	}
	if r.gone {
		r.mu.Unlock()
		return
	}
	err := r.catchUp(ctx)
	if err == nil {
		r.release()
		return
	}
	r.mu.Unlock()
	if ctx.Err() == nil && !r.games.closed.Load() {
		slog.Error("reading a game's log failed; showing its last state", "game", r.now.Load().Ref.ID, "err", err)
	}
}

// release unlocks a game. If a hint arrived while the game was locked and could not be refreshed, its viewers are
// notified again.
func (r *runningGame) release() {
	r.mu.Unlock()
	if snap := r.now.Load(); r.behind() && !r.games.closed.Load() {
		r.games.Moved(snap.Ref, StepEvent)
	}
}

// RefreshSeats reloads the tables and players of a tournament's unfinished games, because another node may have
// reseated them.
func (g *Games) RefreshSeats(ctx context.Context, tournamentID int64) error {
	g.mu.Lock()
	var refs []Ref
	for _, r := range g.known {
		if snap := r.now.Load(); snap.Ref.TournamentID == tournamentID && snap.State.Phase != engine.PhaseOver {
			refs = append(refs, snap.Ref)
		}
	}
	g.mu.Unlock()
	return g.refreshRefs(ctx, refs)
}

// noteTaken records what a game is owed for the time in which no node ran its clock, once per takeover; r.mu is held.
func (r *runningGame) noteTaken(ctx context.Context) error {
	if r.games.Cluster == nil {
		return nil
	}
	held := r.games.Cluster.kept(r.now.Load().Ref.ID)
	if held.fence == 0 || held.fence == r.fence {
		return nil
	}
	if err := r.catchUp(ctx); err != nil {
		return err
	}
	r.fence = held.fence
	if held.since != 0 && r.now.Load().State.Turn.Started <= held.taken {
		r.owe(held.since)
	}
	return nil
}

// awaitOwner waits a moment for the node that runs a game's clock. It returns false if that takes too long. r.mu is
// held.
func (r *runningGame) awaitOwner(ctx context.Context, since time.Time) (bool, error) {
	if on, err := r.games.awaitLease(ctx, since); !on {
		return false, err
	}
	if err := r.catchUp(ctx); err != nil {
		return false, err
	}
	r.noteStall()
	if err := r.noteTaken(ctx); err != nil {
		return false, err
	}
	return true, r.payBack(ctx)
}
