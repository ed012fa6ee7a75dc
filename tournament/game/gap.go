package game

import (
	"sync"
	"sync/atomic"
	"time"

	"meldhall/engine"
)

const (
	pulseEvery = 100 * time.Millisecond
	// StallLeast is the shortest gap for which players get their time back. Shorter gaps are noise of the machine.
	StallLeast = 500 * time.Millisecond
	// StallTold is the least gap for which all clocks stop. Of a shorter one a turn is given its time back when that would run out, and who
	// plays in time is not stopped for it: on a machine that is full, to write two events for each game of a hall at each gap, and have
	// everybody told, was what made the next gap. Of several programs each stops the clocks that it keeps for any gap, since a turn that it
	// owes time may have been played at another one.
	StallTold = 3 * time.Second
)

// stalls are the gaps in which the program did not run: its process was stopped, or the machine or the collector held it up.
type stalls struct {
	mu    sync.Mutex
	pulse engine.Millis // when it was last known to run; 0: nobody looks
	gaps  []gap
}

// gap is when the program did not run; until is 0 where it is not the program that stood.
type gap struct{ since, until engine.Millis }

// isShort tells whether no clock is stopped for a gap.
func (g *Games) isShort(p gap) bool {
	return g.nodes == nil && p.until != 0 && p.until-p.since < engine.Millis(StallTold.Milliseconds())
}

// costs is what gaps took from a game: all since a moment, 0: none, and what short ones took of a turn's time besides. The time until play
// begins is nobody's turn.
func (g *Games) costs(gaps []gap, s *engine.State) (since, short engine.Millis) {
	runs := s.Phase == engine.PhasePlaying && s.Paused == nil && s.Turn.Due != 0
	for _, p := range gaps {
		switch {
		case !g.isShort(p) && since == 0:
			since = p.since
		case g.isShort(p) && runs && s.Turn.Started < p.until:
			short += p.until - max(p.since, s.Turn.Started)
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

// begins notes that from a moment on the machine slept, or nothing could be written.
func (s *stalls) begins(at engine.Millis) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gaps = append(s.gaps, gap{since: at})
}

// lostTime is what short gaps took from a turn, which gets it back when its time would run out. Below 0 it has had more back than that.
type lostTime struct{ turn, ms atomic.Int64 } // the turn by its start

func (l *lostTime) set(turn engine.Turn, ms engine.Millis) {
	l.ms.Store(int64(ms))
	l.turn.Store(int64(turn.Started))
}

func (l *lostTime) balance(turn engine.Turn) engine.Millis {
	if l.turn.Load() != int64(turn.Started) {
		return 0
	}
	return engine.Millis(l.ms.Load())
}

// of is what a turn is still to get back.
func (l *lostTime) of(turn engine.Turn) engine.Millis { return max(0, l.balance(turn)) }

// paidUp tells whether what the clock brings about may be. It may not where there was a gap since gaps were noted, or it was not sure then
// whose the clock is; nor where short ones took from the turn, which is owed that from then on. r.mu is held.
func (g *Games) paidUp(r *runningGame) bool {
	if int(r.stalls.Load()) < len(g.stalls.noticed(g.DB.Millis(), false)) {
		return false
	}
	if s := &r.now.Load().State; s.Paused == nil && r.lost.of(s.Turn) != 0 {
		g.owe(r, g.DB.Millis())
		return false
	}
	return true
}

// repaid notes that an outage has given a turn back what short gaps took, beside so much that was its own. It gets fifteen seconds at
// least: what of them it was not owed goes against the next gaps, or one every fifteen seconds would let it last for ever.
func (r *runningGame) repaid(turn engine.Turn, own engine.Millis) {
	if paused := r.now.Load().State.Paused; paused != nil {
		r.lost.set(turn, min(0, r.lost.balance(turn)+max(0, own)-paused.Left))
	}
}
