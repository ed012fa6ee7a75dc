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
func (g *Games) newer(ctx context.Context, r *runningGame) (bool, error) {
	if g.Cluster == nil {
		return false, nil
	}
	before := r.now.Load().State.Seq
	err := g.catchUp(ctx, r)
	return r.now.Load().State.Seq > before, err
}

// newest is newer for callers that do not hold the game.
func (g *Games) newest(ctx context.Context, r *runningGame) (bool, error) {
	if g.Cluster == nil {
		return false, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return g.newer(ctx, r)
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
func (g *Games) refresh(ctx context.Context, r *runningGame) {
	if !r.behind() || !r.mu.TryLock() {
		return
	}
	if r.gone {
		r.mu.Unlock()
		return
	}
	err := g.catchUp(ctx, r)
	if err == nil {
		g.release(r)
		return
	}
	r.mu.Unlock()
	if ctx.Err() == nil && !g.closed.Load() {
		slog.Error("reading a game's log failed; showing its last state", "game", r.now.Load().Ref.ID, "err", err)
	}
}

// release unlocks a game. If a hint arrived while the game was locked and could not be refreshed, its viewers are
// notified again.
func (g *Games) release(r *runningGame) {
	r.mu.Unlock()
	if snap := r.now.Load(); r.behind() && !g.closed.Load() {
		g.Moved(snap.Ref, StepEvent)
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
func (g *Games) noteTaken(ctx context.Context, r *runningGame) error {
	if g.Cluster == nil {
		return nil
	}
	held := g.Cluster.kept(r.now.Load().Ref.ID)
	if held.fence == 0 || held.fence == r.fence {
		return nil
	}
	if err := g.catchUp(ctx, r); err != nil {
		return err
	}
	r.fence = held.fence
	if held.since != 0 && r.now.Load().State.Turn.Started <= held.taken {
		g.owe(r, held.since)
	}
	return nil
}

// awaitOwner waits a moment for the node that runs a game's clock. It returns false if that takes too long. r.mu is
// held.
func (g *Games) awaitOwner(ctx context.Context, r *runningGame, since time.Time) (bool, error) {
	if on, err := g.awaitLease(ctx, since); !on {
		return false, err
	}
	if err := g.catchUp(ctx, r); err != nil {
		return false, err
	}
	g.noteStall(r)
	if err := g.noteTaken(ctx, r); err != nil {
		return false, err
	}
	return true, g.payBack(ctx, r)
}
