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
	// frozenLeast is the least time of a commit that counts as a disk that stood: shorter ones are a slow disk's, and a pause
	// of ten seconds at a table would cost it more than they do.
	frozenLeast = 3 * time.Second
)

// stalls are the gaps in which the program did not run: its process was stopped, or the machine or the collector held it up.
type stalls struct {
	mu     sync.Mutex
	pulse  engine.Millis // when it was last known to run; 0: nobody looks
	number int           // of gaps
	since  engine.Millis // of the last one
}

// noticed looks whether the program has been held up until now, and gives the number of gaps with the start of the last one.
// beats notes that it runs now.
func (s *stalls) noticed(now engine.Millis, beats bool) (number int, since engine.Millis) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pulse != 0 && now-s.pulse > engine.Millis(StallLeast.Milliseconds()) {
		s.number, s.since, s.pulse = s.number+1, s.pulse, now
	}
	if beats {
		s.pulse = max(s.pulse, now)
	}
	return s.number, s.since
}

// watched tells whether gaps are looked for.
func (s *stalls) watched() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pulse != 0
}

func (s *stalls) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pulse = 0
}

// Pulse notices gaps in which the program did not run, until ctx ends: each is an outage in the log of every running game,
// before anything is decided in it, so that the players get the time back and are told so (faults.md 32).
func (g *Games) Pulse(ctx context.Context) {
	tick := time.NewTicker(pulseEvery)
	defer tick.Stop()
	defer g.stalls.stop()
	before, _ := g.stalls.noticed(g.DB.Millis(), true)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := g.DB.Millis()
		if number, since := g.stalls.noticed(now, true); number != before {
			before = number
			slog.Warn("the program was held up: players get the time back", "since", since, "ms", now-since)
			g.creditAll(ctx)
		}
	}
}

// creditAll gives the time of a gap back at all tables that nobody has asked anything since.
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

// noteStall notes what a game is owed for a gap that it has not been paid for; r.mu is held.
func (g *Games) noteStall(r *runningGame) {
	number, since := g.stalls.noticed(g.DB.Millis(), false)
	if number != r.stalls {
		r.stalls = number
		g.owe(r, since)
	}
}

// Unwritten is since when the database could not be written; 0: the last write was made.
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

// heldUp notes what a game is owed because a commit that began at a moment took so long; r.mu is held.
func (g *Games) heldUp(r *runningGame, began engine.Millis) {
	if g.stalls.watched() && g.DB.Millis()-began > engine.Millis(frozenLeast.Milliseconds()) {
		g.owe(r, began)
		g.retry(r, 0)
	}
}
