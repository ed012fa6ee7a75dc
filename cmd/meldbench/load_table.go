package main

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// measures collects the measurements of a load test.
type measures struct {
	resting  atomic.Bool // bots have stopped playing
	mu       sync.Mutex
	on       bool
	turns    int
	plays    int
	games    int
	refusals map[string]int
	answers  []time.Duration // from sending a command to its response
	updates  []time.Duration // from sending a command until all seats of the table saw it
	expiries []time.Duration // from a deadline, including grace, until a seat saw the expiry
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

// waits are how long players waited for responses and for updates.
type waits [2][]time.Duration

const (
	answers = iota
	updates
)

// and combines two measurements.
func (w waits) and(more waits) (all waits) {
	for i := range w {
		all[i] = slices.Concat(w[i], more[i])
	}
	return all
}

// times returns the ratio of two quantiles q: w's to without's.
func (w waits) times(without waits, q float64, what int) float64 {
	return quantile(w[what], q).Seconds() / quantile(without[what], q).Seconds()
}

// forget resets the measurements and returns the previous waits.
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

// quantile returns the value below which a share q of the durations lies. It sorts them in place.
func quantile(d []time.Duration, q float64) time.Duration {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	return d[min(int(q*float64(len(d))), len(d)-1)]
}

// watchedTable tracks when the commands of a table's seats reach all its seats.
type watchedTable struct {
	mu    sync.Mutex
	seats int
	sent  [8]sentTurn // by turn number, modulo 8
}

type sentTurn struct {
	game    int64
	turn    int
	at      time.Time
	waiting uint8 // a bit for each seat that has not seen the new state
}

// sending records that a turn's command is about to be sent.
func (t *watchedTable) sending(game int64, turn int, at time.Time) {
	t.mu.Lock()
	t.sent[turn%len(t.sent)] = sentTurn{game, turn, at, 1<<t.seats - 1}
	t.mu.Unlock()
}

// refused drops a turn's command that was rejected.
func (t *watchedTable) refused(game int64, turn int) {
	t.mu.Lock()
	if s := &t.sent[turn%len(t.sent)]; s.game == game && s.turn == turn {
		s.waiting = 0
	}
	t.mu.Unlock()
}

// seen records that a seat sees a turn of a game, or the game's end. It calls took with the duration of each command
// that all seats have now seen.
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
