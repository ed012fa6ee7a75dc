package game

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"meldhall/engine"
)

// clock is the timer that fires when a game's time runs out.
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
func (r *runningGame) tell(now *Snapshot, step Step) {
	r.games.Owner.Wrote(now, engine.Due(&now.State), step)
}

// setClock sets the timer to a deadline; 0 stops it. The caller must hold r.clock.mu.
func (r *runningGame) setClock(due engine.Millis) {
	if due == 0 || r.games.closed.Load() || r.games.stopped.Load() != 0 || !r.games.Owner.Keeps(r.now.Load().Ref.ID) {
		if r.clock.timer != nil {
			r.clock.timer.Stop()
		}
		return
	}
	r.setTimer(time.Duration(due+1-engine.MillisOf(r.games.DB.Now())) * time.Millisecond)
}

// setTimer makes the game's timer fire after the given time. It reuses the timer, because a game gets a new deadline at
// every turn. The caller must hold r.clock.mu.
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

// payFromHere gives back time that this program has cost a game whose clock another program runs. If that fails, or if
// this program may run the clock after all, it schedules another try.
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

// retry makes the game's clock be settled after the given time instead of at its deadline. The caller must hold r.mu.
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

const (
	heldMost = 8 * time.Second       // how long a command waits for a clock that is held
	heldLook = 50 * time.Millisecond // how often it looks
)

// awaitClock waits for heldLook because the game's clock is held, and returns true if the caller should try again. If
// the clock has been held for too long since the time since, or the program stops, it returns the error held.
func (r *runningGame) awaitClock(ctx context.Context, since time.Time, held error) (bool, error) {
	if time.Since(since) > heldMost || r.games.Closed() {
		return false, held
	}
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-time.After(heldLook):
		return true, nil
	}
}

// disturbed reports whether tiles have been moved in the current turn. Once its time has run out, the owner of the
// clock decides that.
func (r *runningGame) disturbed(snap *Snapshot) bool {
	due := engine.Due(&snap.State)
	if due == 0 || due >= r.games.DB.Millis() || snap.State.Phase != engine.PhasePlaying {
		return snap.Disturbed()
	}
	return r.games.Owner.Disturbed(snap)
}
