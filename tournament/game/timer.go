package game

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/tournament/store"
)

// clock is the timer with which a game's time runs out.
type clock struct {
	mu    sync.Mutex
	timer *time.Timer
	again bool // set for a retry instead of the deadline
	heard int  // seq of the hint that set it; 0: set from the log
}

func (c *clock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.timer.Stop()
	}
}

// schedule sets a game's timer to its next deadline. The timer, which sends Expire, runs with or without clients. If a
// hint has announced a later move already, the timer is left alone.
func (r *runningGame) schedule(s *engine.State) {
	r.clock.mu.Lock()
	defer r.clock.mu.Unlock()
	if r.news.Load() > int64(s.Seq) && r.clock.timer != nil {
		return
	}
	r.clock.again, r.clock.heard = false, 0
	r.setClock(engine.Due(s))
}

// tell announces a commit to the owner of the clock.
func (g *Games) tell(now *Snapshot, step Step) { g.Owner.Wrote(now, engine.Due(&now.State), step) }

// setClock sets the timer to a deadline; 0 means that the clock stands. r.clock.mu is held.
func (r *runningGame) setClock(due engine.Millis) {
	if due == 0 || r.games.closed.Load() || r.games.stopped.Load() != 0 || !r.games.Owner.Keeps(r.now.Load().Ref.ID) {
		if r.clock.timer != nil {
			r.clock.timer.Stop()
		}
		return
	}
	r.setTimer(time.Duration(due+1-engine.MillisOf(r.games.DB.Now())) * time.Millisecond)
}

// setTimer makes the game's timer fire after a while. It reuses the timer, because a game gets a new deadline at every
// turn. r.clock.mu is held.
func (r *runningGame) setTimer(after time.Duration) {
	if r.clock.timer != nil {
		r.clock.timer.Reset(after)
		return
	}
	game := r.now.Load().Ref.ID
	r.clock.timer = time.AfterFunc(after, func() { r.games.expire(game) })
}

func (g *Games) expire(game int64) {
	if g.closed.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	r, err := g.cache.find(ctx, game)
	if err != nil {
		slog.Error("expiring a turn failed", "game", game, "err", err)
		return
	}
	if !g.Owner.Owns(game) {
		r.payFromHere(ctx)
		return
	}
	_, err = g.Submit(ctx, clockActor, game, "", engine.Expire{})
	if err == nil || g.closed.Load() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone {
		return
	}
	if refusal := (*engine.Refusal)(nil); errors.As(err, &refusal) { // the deadline has moved
		r.schedule(&r.now.Load().State)
		return
	}
	slog.Error("expiring a turn failed; retrying in a second", "game", game, "err", err)
	if !errors.Is(err, ErrClockHeld) {
		r.owe(g.DB.Millis())
	}
	r.retry(time.Second)
}

// payFromHere gives back time that this program has cost a game whose clock another program runs. While that is
// uncertain, it tries again later.
func (r *runningGame) payFromHere(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone {
		return
	}
	if r.games.Owner.Keeps(r.now.Load().Ref.ID) || r.payBack(ctx) != nil {
		r.retry(time.Second)
	}
}

// owe records since when a game's clock could not be settled, because the log could not be written or the program was
// held up. Players never lose time to our disk. r.mu is held.
func (r *runningGame) owe(since engine.Millis) {
	if owed := r.owed.Load(); owed == 0 || int64(since) < owed {
		r.owed.Store(int64(since))
	}
}

// paidUntil returns the last moment, at most now, until which no running game is owed time. The next start uses it if
// this program dies.
func (g *Games) paidUntil(now engine.Millis) engine.Millis {
	for _, since := range g.Owed(now) {
		now = min(now, since)
	}
	return now
}

// Owed returns since when running games are owed time, without those that are owed none.
func (g *Games) Owed(now engine.Millis) map[int64]engine.Millis {
	gaps, owed := g.stalls.noticed(now, false), map[int64]engine.Millis{}
	for _, r := range g.cache.all() {
		snap := r.now.Load()
		if phase := snap.State.Phase; phase == engine.PhaseNew || phase == engine.PhaseOver {
			continue
		}
		// Read stalls before owed: a gap that is recorded in between is then in owed.
		since, short := g.stalls.costs(gaps[min(int(r.stalls.Load()), len(gaps)):], &snap.State)
		own := engine.Millis(r.owed.Load())
		at := min(now, cmp.Or(since, now), cmp.Or(own, now)) - short - r.lost.of(snap.State.Turn)
		if since != 0 || own != 0 || at < now {
			owed[snap.Ref.ID] = at
		}
	}
	return owed
}

// retry settles a game's clock after a while instead of at its deadline; r.mu is held.
func (r *runningGame) retry(after time.Duration) {
	r.clock.mu.Lock()
	defer r.clock.mu.Unlock()
	if r.games.closed.Load() {
		if r.clock.timer != nil {
			r.clock.timer.Stop()
		}
		return
	}
	r.clock.again = true
	r.setTimer(after)
}

// payBack stops the clock of a game that is owed time, as after an outage, before anything else is decided; r.mu is
// held. A program that does not run the clock owes nothing if the game has gone on since, because it was played at
// other programs.
func (r *runningGame) payBack(ctx context.Context) error {
	for began := time.Now(); r.owed.Load() != 0; {
		if err := r.catchUp(ctx); err != nil { // a write reported as failed may have been made
			return err
		}
		if snap := r.now.Load(); !r.games.Owner.Keeps(snap.Ref.ID) && int64(snap.State.At) > r.owed.Load() {
			r.owed.Store(0)
			return nil
		}
		before, since := &r.now.Load().State, r.owedSince()
		_, err := r.try(ctx, clockName, "", engine.Outage{Since: since - r.lost.of(before.Turn)})
		if err == nil && before.Paused == nil {
			r.repaid(before.Turn, before.Turn.Due-since)
		}
		var refusal *engine.Refusal
		switch {
		case errors.Is(err, ErrClash):
			err = r.catchUp(ctx)
		case errors.Is(err, ErrClockHeld) && !r.games.Owner.Keeps(r.now.Load().Ref.ID): // it has just been lost
			err = nil
		case errors.Is(err, ErrClockHeld): // it is just being written
			if on, gone := r.games.awaitHeld(ctx, began); on || gone != nil {
				err = gone
			}
		case err == nil, errors.As(err, &refusal): // refused: no clock was running
			r.owed.Store(0)
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// owedSince returns since when a game is owed the time of its turn. Events that other programs have written in the
// meantime, such as a call, do not end that.
func (r *runningGame) owedSince() engine.Millis {
	s := &r.now.Load().State
	if r.games.Owner.Alone() {
		return max(engine.Millis(r.owed.Load()), s.At)
	}
	return max(engine.Millis(r.owed.Load()), s.Turn.Started)
}

// Closed reports whether Close has been called.
func (g *Games) Closed() bool { return g.closed.Load() }

// Close stops the timers. Callers finish their commands in progress. Close the log afterwards.
func (g *Games) Close() {
	g.closed.Store(true)
	for _, r := range g.cache.all() {
		r.mu.Lock()
		r.clock.stop()
		r.mu.Unlock()
	}
	g.Notes.close()
}

// IsStorage reports whether err is a database error: full, failing, locked or too slow. The command was not written, or
// its outcome is unknown; the client may send it again with the same key.
func IsStorage(err error) bool {
	return store.IsFailing(err) || errors.Is(err, ErrLogClosed) || errors.Is(err, ErrClockHeld)
}

// asLeft returns a game whose turn has timed out with the state of the table that the owner of the clock knows.
func (g *Games) asLeft(snap *Snapshot) *Snapshot {
	due := engine.Due(&snap.State)
	if due == 0 || due >= g.DB.Millis() || snap.State.Phase != engine.PhasePlaying {
		return snap
	}
	disturbed := g.Owner.Disturbed(snap)
	if disturbed == snap.Disturbed() {
		return snap
	}
	as, turn := *snap, snap.State.Turn
	as.Draft = &Draft{Turn: turn.Number, Seat: turn.Seat, Disturbed: disturbed}
	return &as
}
