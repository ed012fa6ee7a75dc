package game

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"meldhall/engine"
)

// slowWrite is the shortest write for which the turn that begins with it gets its time back. On a slow card every turn
// has shorter ones, and stopping the clock for each would cost more than it gives.
const slowWrite = 2 * time.Second

// Gaps returns how often the program was held up, or could not write, since it started.
func (g *Games) Gaps() int {
	g.stalls.mu.Lock()
	defer g.stalls.mu.Unlock()
	return len(g.stalls.gaps)
}

// Pulse detects gaps in which the program did not run, until ctx ends. For each gap that is not short, it writes an
// outage to the log of every running game before any other command is decided. So the players get the time back and
// see why. Pulse keeps running while logs are written, so that a slow disk is not taken for a gap.
func (g *Games) Pulse(ctx context.Context) {
	noticed := make(chan struct{}, 1)
	var credits sync.WaitGroup
	credits.Go(func() {
		for range noticed {
			g.creditAll(ctx)
		}
	})
	defer credits.Wait()
	defer close(noticed)
	defer g.stalls.stop()
	tick := time.NewTicker(pulseEvery)
	defer tick.Stop()
	known, asleep := len(g.stalls.noticed(g.DB.Millis(), true)), g.Slept()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := g.DB.Millis()
		if longer := g.Slept(); longer-asleep > StallLeast { // no turn ran, and the players see why it stood
			slog.Warn("the machine has slept; crediting the time to the players",
				"ms", (longer - asleep).Milliseconds())
			asleep = longer
			g.stalls.begins(now)
		}
		gaps := g.stalls.noticed(now, true)
		if len(gaps) == known {
			continue
		}
		slog.Warn("the process has stalled; crediting the time to the players", "ms", now-gaps[known].since)
		told := slices.ContainsFunc(gaps[known:], func(p gap) bool { return !g.stalls.isShort(p) })
		known = len(gaps)
		if !told {
			continue
		}
		select {
		case noticed <- struct{}{}:
		default: // it is waited for already
		}
	}
}

// creditAll gives the time of gaps back at all tables that have had no request since.
func (g *Games) creditAll(ctx context.Context) {
	var all sync.WaitGroup
	for _, r := range g.cache.all() {
		snap := r.now.Load()
		if phase := snap.State.Phase; phase == engine.PhaseNew || phase == engine.PhaseOver || !g.Owner.Keeps(snap.Ref.ID) {
			continue
		}
		all.Go(func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.gone || g.closed.Load() {
				return
			}
			if !r.noteStall() {
				r.retry(time.Second)
				return
			}
			if err := r.payBack(ctx); err != nil {
				slog.Error("crediting the time of a stall failed; retrying", "game", r.now.Load().Ref.ID, "err", err)
				r.retry(time.Second)
			}
		})
	}
	all.Wait()
}

// noteStall records the time owed to a game for gaps that have not been paid back. The caller must hold r.mu. While the
// owner of the clock is uncertain, noteStall leaves the gaps for later and returns false.
func (r *runningGame) noteStall() bool {
	if gaps := r.games.stalls.noticed(r.games.DB.Millis(), false); int(r.stalls.Load()) < len(gaps) {
		ours := r.games.Owner.Owns(r.now.Load().Ref.ID)
		if !ours && r.games.Owner.Keeps(r.now.Load().Ref.ID) {
			return false
		}
		state := &r.now.Load().State
		if since, short := r.games.stalls.costs(gaps[r.stalls.Load():], state); ours {
			if since != 0 {
				r.owe(since)
			}
			if short != 0 {
				r.lost.set(state.Turn, r.lost.balance(state.Turn)+short)
			}
		}
		r.stalls.Store(int64(len(gaps)))
	}
	return true
}

// noteSlow gives a turn that began with a slow write its time back, once, because no one could see that it had begun.
// r.mu is held.
func (r *runningGame) noteSlow(began engine.Millis) {
	s := &r.now.Load().State
	if s.Paused != nil || s.Turn.Due == 0 || s.Turn.Number == r.slow || s.Phase != engine.PhaseDealt &&
		s.Phase != engine.PhasePlaying {
		return
	}
	slog.Warn("a slow write; crediting the time to the turn", "game", r.now.Load().Ref.ID, "ms", r.games.DB.Millis()-began)
	r.slow = s.Turn.Number
	r.owe(began)
	r.retry(0)
}

// Unwritten returns since when commands cannot be written, or 0 if the last write succeeded.
func (g *Games) Unwritten() engine.Millis { return engine.Millis(g.unwritten.Load()) }

// refusedQuiet is how many ms must pass without a failed write before a heartbeat is proof that a program that is
// not alone can write again. Failed writes are retried every second.
const refusedQuiet = 2000

// wrote records the outcome of a write that began at a moment. From the first failed write until a successful one, the
// clocks of all games stand, because no one could play; all players get the time back.
//
// A failed heartbeat shows that the disk is failing. A successful one needs no space, so it shows that the disk works
// again only if nothing but the heartbeat had failed. If the program is not alone, it also does after refusedQuiet ms
// without a failure, since clients may have moved to the other programs and this one may get nothing else to write.
func (g *Games) wrote(began engine.Millis, err error, beat bool) {
	failed := err != nil && IsStorage(err) && !errors.Is(err, ErrClockHeld)
	if failed {
		g.refused.Store(int64(g.DB.Millis()))
	}
	switch {
	case g.closed.Load():
		return
	case err == nil && int64(began) < g.refused.Load(): // made before: it says nothing of now
		return
	case err == nil && (!beat || g.beatless.Load() || !g.Owner.Alone() &&
		int64(g.DB.Millis())-g.refused.Load() > refusedQuiet):
		if g.unwritten.Swap(0) == 0 {
			return
		}
	case failed && g.unwritten.CompareAndSwap(0, int64(began)):
		g.beatless.Store(beat)
		g.stalls.begins(began)
		go g.creditAll(context.Background())
	default:
		return
	}
	for _, r := range g.cache.all() {
		r.stand()
	}
	g.Stood()
}

// stand shows a game's viewers whether its clock stands.
func (r *runningGame) stand() {
	r.games.standing.Lock()
	defer r.games.standing.Unlock()
	for {
		old := r.now.Load()
		snap := *old
		if snap.Stands = r.games.Unwritten(); snap.Stands == old.Stands {
			return
		}
		if r.now.CompareAndSwap(old, &snap) {
			r.games.Moved(snap.Ref, StepDraft)
			return
		}
	}
}

// Shown returns the state as viewers see it: while nothing can be written, its clock stands at the time that the turn
// will get back. No command is decided on this state.
func (s *Snapshot) Shown() *engine.State {
	if s.Stands == 0 {
		return &s.State
	}
	return s.stood()
}

// stood returns the state with its clock stopped at s.Stands.
func (s *Snapshot) stood() *engine.State {
	shown := s.State
	since := max(s.Stands, shown.At)
	events, err := engine.Decide(&shown, engine.Outage{Since: since}, false, time.UnixMilli(int64(since)))
	if err != nil {
		return &shown // no clock is running
	}
	pause := events[0].(engine.GamePaused).Pause
	pause.ResumeAt = 0
	shown.Paused = &pause
	return &shown
}
