package main

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// measures collects what a load test measures.
type measures struct {
	resting  atomic.Bool // nobody plays any more
	mu       sync.Mutex
	on       bool
	turns    int
	plays    int
	games    int
	refusals map[string]int
	answers  []time.Duration // from sending a command to its answer
	updates  []time.Duration // from sending a command to the last of the table's seats seeing it
	expiries []time.Duration // from a deadline with its grace to the table seeing the expiry
}

func (m *measures) record(f func(*measures)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.on {
		f(m)
	}
}

func (m *measures) run(on bool) {
	m.mu.Lock()
	m.on = on
	m.mu.Unlock()
}

// waits are how long players waited: for answers, and for updates.
type waits [2][]time.Duration

const (
	answers = iota
	updates
)

// and takes what was measured at two times together.
func (w waits) and(more waits) (all waits) {
	for i := range w {
		all[i] = slices.Concat(w[i], more[i])
	}
	return all
}

// times tells how many times as long a share q waited at most.
func (w waits) times(without waits, q float64, what int) float64 {
	return quantile(w[what], q).Seconds() / quantile(without[what], q).Seconds()
}

// forget begins to measure anew, and gives what there was.
func (m *measures) forget() (was waits) {
	m.mu.Lock()
	defer m.mu.Unlock()
	was = waits{m.answers, m.updates}
	m.turns, m.plays, m.games = 0, 0, 0
	m.answers, m.updates, m.expiries, m.refusals = nil, nil, nil, map[string]int{}
	return was
}

// sampled returns an error if there were no turns, no responses or no updates during the measurement.
func (m *measures) sampled() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return errors.Join(sampled("load: turns, perhaps since all games are over", m.turns),
		sampled("load: answers", len(m.answers)), sampled("load: updates at all four seats", len(m.updates)))
}

// quantile gives the value below which a share q of the durations lies; they are sorted in place.
func quantile(d []time.Duration, q float64) time.Duration {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	return d[min(int(q*float64(len(d))), len(d)-1)]
}

// watchedTable follows when the commands of a table's seats arrive at all of them.
type watchedTable struct {
	mu    sync.Mutex
	seats int
	sent  [8]sentTurn // by turn number
}

type sentTurn struct {
	game    int64
	turn    int
	at      time.Time
	waiting uint8 // a bit for each seat that has not seen the next state
}

// sending notes that a turn's command leaves.
func (t *watchedTable) sending(game int64, turn int, at time.Time) {
	t.mu.Lock()
	t.sent[turn%len(t.sent)] = sentTurn{game, turn, at, 1<<t.seats - 1}
	t.mu.Unlock()
}

// refused forgets a turn's command, which changed nothing.
func (t *watchedTable) refused(game int64, turn int) {
	t.mu.Lock()
	if s := &t.sent[turn%len(t.sent)]; s.game == game && s.turn == turn {
		s.waiting = 0
	}
	t.mu.Unlock()
}

// seen notes that a seat sees a turn of a game, or the game's end, and gives how long each command that all
// seats have seen by now took.
func (t *watchedTable) seen(seat int, game int64, turn int, over bool, at time.Time, took func(time.Duration)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.sent {
		s := &t.sent[i]
		if s.waiting == 0 || s.game > game || s.game == game && s.turn >= turn && !over {
			continue
		}
		if s.waiting &^= 1 << seat; s.waiting == 0 {
			took(at.Sub(s.at))
		}
	}
}
