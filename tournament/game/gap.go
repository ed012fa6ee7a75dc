package game

import (
	"sync"
	"sync/atomic"
	"time"

	"meldhall/engine"
)

const (
	pulseEvery = 100 * time.Millisecond
	// StallLeast is the least gap that nobody pays for: shorter ones are noise of the machine (faults.md 32).
	StallLeast = 500 * time.Millisecond
	// StallTold is the least gap for which all clocks stop. Of a shorter one a turn is given its time back when that would run out, and who
	// plays in time is not stopped for it: on a machine that is full, to write two events for each game of a hall at each gap, and have
	// everybody told, was what made the next gap.
	StallTold = 3 * time.Second
)

// stalls are the gaps in which the program did not run: its process was stopped, or the machine or the collector held it up.
type stalls struct {
	mu    sync.Mutex
	pulse engine.Millis // when it was last known to run; 0: nobody looks
	gaps  []gap
}

// gap is when the program did not run; until is 0 where that is not known yet.
type gap struct{ since, until engine.Millis }

// short tells whether no clock is stopped for it.
func (p gap) short() bool {
	return p.until != 0 && p.until-p.since < engine.Millis(StallTold.Milliseconds())
}

// costs is what gaps took from a turn: all since a moment, 0: none, and what short ones took of its time besides.
func costs(gaps []gap, turn engine.Turn) (since, short engine.Millis) {
	for _, p := range gaps {
		switch {
		case !p.short() && since == 0:
			since = p.since
		case p.short() && turn.Due != 0 && turn.Started < p.until:
			short += p.until - max(p.since, turn.Started)
		}
	}
	return since, short
}

// noticed looks whether the program has been held up until now, and gives the gaps so far. beats notes that it runs now.
func (s *stalls) noticed(now engine.Millis, beats bool) []gap {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pulse != 0 && now-s.pulse > engine.Millis(StallLeast.Milliseconds()) {
		s.gaps, s.pulse = append(s.gaps, gap{s.pulse, now}), now
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

// begins notes a gap that began at a moment and has not ended.
func (s *stalls) begins(at engine.Millis) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gaps = append(s.gaps, gap{since: at})
}

// spared is what short gaps cost a turn, which gets it back when its time would run out.
type spared struct{ turn, ms atomic.Int64 } // the turn by its start

func (s *spared) add(turn engine.Turn, ms engine.Millis) {
	if s.turn.Swap(int64(turn.Started)) != int64(turn.Started) {
		s.ms.Store(0)
	}
	s.ms.Add(int64(ms))
}

// of is what a turn is still to get back.
func (s *spared) of(turn engine.Turn) engine.Millis {
	if s.turn.Load() != int64(turn.Started) {
		return 0
	}
	return engine.Millis(s.ms.Load())
}

// timeIsUp tells whether a turn's time has run out that is to get some back.
func (g *Games) timeIsUp(r *runningGame) bool {
	s := &r.now.Load().State
	due := engine.Due(s)
	return s.Paused == nil && due != 0 && r.spared.of(s.Turn) != 0 && engine.MillisOf(g.now()) > due
}
