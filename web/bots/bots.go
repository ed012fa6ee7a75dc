// Package bots plays the bots' seats at practice tables and in rehearsals, where it can also run the desk. It runs one
// loop for each game with bots and one for each rehearsal. All state is in the database, so bots continue after a
// restart.
package bots

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/game/shares"
	"meldhall/tournament/practice"
	"meldhall/tournament/refuse"
	"meldhall/web/live"
	"meldhall/web/view"
)

// Names lists the names of the bots.
var Names = []string{"Ada", "Emmy", "Kurt"}

// StyleOf returns the style of play with the given name. Pages display it with the text practice.<name>.
func StyleOf(name string) (bot.Style, error) {
	names := make([]string, len(bot.Styles))
	for i, style := range bot.Styles {
		if names[i] = style.String(); names[i] == name {
			return style, nil
		}
	}
	return 0, refuse.Invalid("err_practice_bots", "name", name, "known", strings.Join(names, ", "))
}

// Bots runs the loops of this server.
type Bots struct {
	view *view.Reader
	desk *action.Desk
	hub  *live.Hub

	// Think is the shortest thinking time of a bot at a practice table. A bot thinks up to twice as long.
	Think     time.Duration
	Rehearsal Pace
	devices   shares.Devices

	mu     sync.Mutex
	open   map[live.Topic]bool
	closed bool // the server is stopping; no loop may start
	loops  sync.WaitGroup
}

// New returns a Bots without loops. think is the shortest thinking time of a bot at a practice table.
func New(v *view.Reader, desk *action.Desk, hub *live.Hub, think time.Duration) *Bots {
	return &Bots{view: v, desk: desk, hub: hub, Think: think, Rehearsal: rehearsalPace, open: map[live.Topic]bool{},
		devices: shares.Devices{Keeper: v.Games.Shares, Key: rand.Text()}}
}

// Resume starts the loops of the practice tables, rehearsals and trainings that are not over.
func (b *Bots) Resume(ctx context.Context) error {
	games, err := practice.Games(ctx, b.view.Store)
	for _, game := range games {
		b.PlayTable(game, func() {})
	}
	if err != nil {
		return err
	}
	rehearsals, err := practice.Rehearsals(ctx, b.view.Store)
	if err != nil {
		return err
	}
	trainings, err := practice.Trainings(ctx, b.view.Store)
	for _, t := range append(rehearsals, trainings...) {
		b.PlayRehearsal(t.ID)
	}
	return err
}

// Wait prevents new loops and waits until all loops have ended. They end when the hub is closed.
func (b *Bots) Wait() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.loops.Wait()
}

// step is the body of a loop. It takes the steps that are due and returns how long to wait before the next step, unless
// the loop's topic changes first. over reports whether the loop is over.
type step func(ctx context.Context) (wait time.Duration, over bool, err error)

// start starts a loop that takes steps until it is over or the server stops. Only the node that owns the game or
// tournament with the ID owner runs it. ended is called when this server does not start the loop, or when the loop has
// ended.
func (b *Bots) start(topic live.Topic, owner int64, next step, ended func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || b.open[topic] || !b.view.Games.Owns(owner) {
		ended()
		return
	}
	b.open[topic] = true
	watcher := b.hub.Watch(topic)
	b.loops.Go(func() {
		defer ended()
		defer func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			delete(b.open, topic)
		}()
		defer watcher.Stop()
		defer func() { // a panic ends only this loop
			if p := recover(); p != nil {
				slog.Error("the bots panicked", "owner", owner, "err", fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			}
		}()
		for b.view.Games.Owns(owner) {
			wait, over, err := next(context.Background())
			over = over || errors.Is(err, game.ErrBroken) || errors.Is(err, refuse.ErrNotFound) // broken or removed
			if err != nil {
				wait = retry
				if !errors.As(err, new(*engine.Refusal)) && !errors.Is(err, refuse.ErrNotFound) {
					slog.Error("the bots failed", "owner", owner, "err", err)
				}
			}
			if over || !b.rest(watcher, wait) {
				return
			}
		}
	})
}

// retry is how long a loop waits after a failure. A table of a rehearsal also checks that often whether the rehearsal is
// over, because the end wakes only games that have been dealt.
const retry = time.Second

// rest waits until the topic changes or the given time has passed; it returns false when the server stops.
func (b *Bots) rest(watcher *live.Watcher, wait time.Duration) bool {
	pause := time.NewTimer(wait)
	defer pause.Stop()
	select {
	case <-watcher.Woken():
	case <-pause.C:
	case <-b.hub.Closed():
	}
	select {
	case <-b.hub.Closed():
		return false
	default:
		return true
	}
}
