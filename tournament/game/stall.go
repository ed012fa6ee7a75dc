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

// slowWrite is the duration of the shortest write that is paid back to the turn that begins with it. On a slow card
// every turn has shorter writes, and stopping the clock for each would cost more than it gives.
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
		if longer := g.Slept(); longer-asleep > StallLeast { // no turn ran, and players see why
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
		default: // a notification is already pending
		}
	}
}

// Unwritten returns the time since which commands cannot be written, or 0 if the last write succeeded.
func (g *Games) Unwritten() engine.Millis { return engine.Millis(g.unwritten.Load()) }

// refusedQuiet is how many ms must pass without a failed write before a heartbeat is proof that a program that is
// not alone can write again. Failed writes are retried every second.
const refusedQuiet = 2000

// wrote records the outcome of a write that began at the time began; beat reports whether it was a heartbeat. From the
// first failed write until a successful one, the clocks of all games are stopped, because no one could play; all
// players get the time back.
//
// A failed heartbeat shows that the disk is failing. A successful one needs no space, so it shows that the disk works
// again only if the first write that failed was a heartbeat. If the program is not alone, a successful heartbeat also
// shows this after refusedQuiet ms without a failure, since clients may have moved to the other programs and this one
// may get nothing else to write.
func (g *Games) wrote(began engine.Millis, err error, beat bool) {
	failed := err != nil && IsStorage(err) && !errors.Is(err, ErrClockHeld)
	if failed {
		g.refused.Store(int64(g.DB.Millis()))
	}
	switch {
	case g.closed.Load():
		return
	case err == nil && int64(began) < g.refused.Load(): // began before the last failure: proves nothing now
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

// stand shows a game's viewers that its clock has been stopped, or runs again.
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

// Shown returns the state as viewers see it: while nothing can be written, the clock is stopped and shows the time that
// the turn will get back. No command is decided on this state.
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
