package game

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"meldhall/engine"
)

const (
	pulseEvery = 100 * time.Millisecond
	// StallLeast is the least gap that nobody pays for: shorter ones are noise of the machine (faults.md 32).
	StallLeast = 500 * time.Millisecond
)

// stalls are the gaps in which the program did not run: its process was stopped, or the machine or the collector held it up.
type stalls struct {
	mu    sync.Mutex
	pulse engine.Millis   // when it was last known to run; 0: nobody looks
	gaps  []engine.Millis // when each began
}

// noticed looks whether the program has been held up until now, and gives the gaps so far. beats notes that it runs now.
func (s *stalls) noticed(now engine.Millis, beats bool) []engine.Millis {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pulse != 0 && now-s.pulse > engine.Millis(StallLeast.Milliseconds()) {
		s.gaps, s.pulse = append(s.gaps, s.pulse), now
	}
	if beats {
		s.pulse = max(s.pulse, now)
	}
	return s.gaps
}

func (s *stalls) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pulse = 0
}

// Pulse notices gaps in which the program did not run, until ctx ends: each is an outage in the log of every running game,
// before anything is decided in it, so that the players get the time back and are told so (faults.md 32). It beats on while
// the logs are written, so that a slow disk is no gap.
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
	known := len(g.stalls.noticed(g.DB.Millis(), true))
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := g.DB.Millis()
		gaps := g.stalls.noticed(now, true)
		if len(gaps) == known {
			continue
		}
		slog.Warn("the program was held up: players get the time back", "ms", now-gaps[known])
		known = len(gaps)
		select {
		case noticed <- struct{}{}:
		default: // it is waited for already
		}
	}
}

// creditAll gives the time of gaps back at all tables that nobody has asked anything since.
func (g *Games) creditAll(ctx context.Context) {
	g.mu.Lock()
	known := slices.Collect(maps.Values(g.known))
	g.mu.Unlock()
	var all sync.WaitGroup
	for _, r := range known {
		if phase := r.now.Load().State.Phase; phase == engine.PhaseNew || phase == engine.PhaseOver {
			continue
		}
		all.Go(func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.gone || g.closed.Load() {
				return
			}
			g.noteStall(r)
			if err := g.payBack(ctx, r); err != nil {
				slog.Error("the time of a gap is given back later", "game", r.now.Load().Ref.ID, "err", err)
				g.retry(r, time.Second)
			}
		})
	}
	all.Wait()
}

// noteStall notes what a game is owed for gaps that it has not been paid for; r.mu is held.
func (g *Games) noteStall(r *runningGame) {
	if gaps := g.stalls.noticed(g.DB.Millis(), false); r.stalls < len(gaps) {
		g.owe(r, gaps[r.stalls])
		r.stalls = len(gaps)
	}
}

// Unwritten is since when no command could be written; 0: the last one was.
func (g *Games) Unwritten() engine.Millis { return engine.Millis(g.unwritten.Load()) }

// wrote notes what came of a write that began at a moment.
func (g *Games) wrote(began engine.Millis, err error) {
	switch {
	case err == nil:
		g.unwritten.Store(0)
	case IsStorage(err):
		g.unwritten.CompareAndSwap(0, int64(began))
	}
}
