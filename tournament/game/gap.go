package game

import (
	"sync"
	"time"

	"meldhall/engine"
)

const (
	pulseEvery = 100 * time.Millisecond
	// StallLeast is the shortest gap that counts. Shorter ones are noise of the machine.
	StallLeast = 500 * time.Millisecond
	// StallTold is the length of the shortest gap that stops all clocks. After a shorter one, a turn gets the time back
	// only if it would otherwise run out, and a player who moves in time is not interrupted. On an overloaded machine,
	// writing two events per game and notifying all viewers at each gap would cause the next gap. A program that is not
	// alone stops its clocks for any gap, because a turn that it owes time may have been played at another program.
	StallTold = 3 * time.Second
)

// stalls are the gaps in which the program did not run: its process was stopped, or the machine or the garbage
// collector held it up.
type stalls struct {
	games *Games

	mu    sync.Mutex
	pulse engine.Millis // time at which it last ran for certain; 0: not watching
	gaps  []gap
}

// gap is a period in which the program did not run. until is 0 if the machine slept or nothing could be written.
type gap struct{ since, until engine.Millis }

// isShort reports whether a gap is too short to stop any clock.
func (k *stalls) isShort(p gap) bool {
	return k.games.Owner.Alone() && p.until != 0 && p.until-p.since < engine.Millis(StallTold.Milliseconds())
}

// costs returns how much time gaps took from a game. since is the start of the first gap that stops all clocks, 0 for
// none; short is the time that short gaps took from the current turn. The time before play begins belongs to no turn.
func (k *stalls) costs(gaps []gap, s *engine.State) (since, short engine.Millis) {
	runs := s.Phase == engine.PhasePlaying && s.Paused == nil && s.Turn.Due != 0
	for _, p := range gaps {
		switch {
		case !k.isShort(p) && since == 0:
			since = p.since
		case k.isShort(p) && runs && s.Turn.Started < p.until:
			short += p.until - max(p.since, s.Turn.Started)
		}
	}
	return since, short
}

// noticed checks whether the program has been held up until now and returns all gaps so far. If beats is set, it also
// records that the program runs now.
func (k *stalls) noticed(now engine.Millis, beats bool) []gap {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.pulse != 0 && now-k.pulse > engine.Millis(StallLeast.Milliseconds()) {
		k.gaps, k.pulse = append(k.gaps, gap{k.pulse, now}), now
	}
	if beats {
		k.pulse = max(k.pulse, now)
	}
	return k.gaps
}

func (k *stalls) stop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.pulse = 0
}

// begins records that the machine slept, or nothing could be written, from a moment on.
func (k *stalls) begins(at engine.Millis) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.gaps = append(k.gaps, gap{since: at})
}
