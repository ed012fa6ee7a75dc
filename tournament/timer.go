package tournament

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"meldhall/engine"
)

// schedule sets the timer of a game to its next deadline. The timer is one way to send Expire; it runs
// whether or not a client is there.
func (g *Games) schedule(r *runningGame, s engine.State) {
	if r.timer != nil {
		r.timer.Stop()
	}
	due := engine.Due(s)
	if due == 0 || g.closed.Load() {
		return
	}
	game := r.now.Load().Ref.ID
	wait := time.Duration(due+1-engine.MillisOf(g.store.Now())) * time.Millisecond
	r.timer = time.AfterFunc(wait, func() { g.expire(game) })
}

func (g *Games) expire(game int64) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	r, err := g.find(ctx, game)
	if err != nil {
		slog.Error("expire", "game", game, "err", err)
		return
	}
	_, err = g.Submit(ctx, clockActor, game, "", engine.Expire{Disturbed: r.now.Load().disturbed()})
	var refusal *engine.Refusal
	if err != nil && !errors.As(err, &refusal) {
		slog.Error("expire: tried again in a second", "game", game, "err", err)
		time.AfterFunc(time.Second, func() { g.expire(game) })
	}
}

// Close stops the timers; a command still in hand is finished by its caller. The log is closed after it.
func (g *Games) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed.Store(true)
	for _, r := range g.known {
		r.mu.Lock()
		if r.timer != nil {
			r.timer.Stop()
		}
		r.mu.Unlock()
	}
}
