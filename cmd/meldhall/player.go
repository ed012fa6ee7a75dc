package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"meldhall/engine"
)

// redealsOften is how many of 100 rights to a redeal the bots use.
const redealsOften = 40

// place is where a player sits, as GET /seat and every message of /seat/live say.
type place struct {
	Game *struct {
		ID     int64  `json:"id"`
		Number int    `json:"number"`
		Of     int    `json:"of"`
		Status string `json:"status"`
	} `json:"game"`
	View  *engine.View `json:"view"`
	Names []string     `json:"names"`
}

// action is what a player wants to do in a turn: play a table, or, Table being nil, draw or pass.
type action struct {
	Table []engine.LaidFaces
	Pass  bool
}

// player is a bot at a table over HTTP: it follows its own live stream and answers each turn.
type player struct {
	api *client
	// choose picks the action for a view on the own turn.
	choose func(engine.View) action
	// think is how long to wait before an action; nil: not at all.
	think func() time.Duration
	// redeals is how often, of 100, the right to a redeal is used.
	redeals int
	rng     *rand.Rand
	// told, if set, gets every answer to a command, with its key; for tests that count acknowledged moves.
	told func(game int64, key string, a answer)

	keys int
}

// answer is what the server says of a command.
type answer struct {
	Outcome string `json:"outcome"`
	Seq     int    `json:"seq"`
	Again   bool   `json:"again"`
}

// joined is the answer to a code.
type joined struct {
	Token  string     `json:"token"`
	Player playerInfo `json:"player"`
}

// join takes a seat by its code and gives the client that plays it.
func join(ctx context.Context, api *client, code string) (*client, joined, error) {
	var j joined
	if err := api.call(ctx, http.MethodPost, "/join", map[string]any{"code": code}, &j); err != nil {
		return nil, j, fmt.Errorf("join with %s: %w", code, err)
	}
	return api.with(j.Token), j, nil
}

// latest holds the newest place that the stream brought; what was not looked at is overwritten.
type latest struct {
	mu   sync.Mutex
	p    *place
	news chan struct{}
}

func (l *latest) put(p *place) {
	l.mu.Lock()
	l.p = p
	l.mu.Unlock()
	select {
	case l.news <- struct{}{}:
	default:
	}
}

func (l *latest) take() *place {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.p
}

// run plays until ctx ends or the event is over for this player. Its error is one that a retry cannot mend.
func (p *player) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	state := &latest{news: make(chan struct{}, 1)}
	go func() {
		cancel(p.api.follow(ctx, "/seat/live", func(m message) error {
			next := new(place)
			if err := json.Unmarshal(m.Data, next); err != nil {
				return fmt.Errorf("read a live message: %w", err)
			}
			state.put(next)
			return nil
		}))
	}()
	var done struct {
		game int64
		seq  int
	}
	for {
		select {
		case <-state.news:
		case <-ctx.Done():
			return stopCause(ctx)
		}
		now := state.take()
		if now.Game == nil || now.View == nil || now.Game.ID == done.game && now.View.Seq <= done.seq {
			continue
		}
		acted, seq, err := p.act(ctx, state, now)
		if err != nil {
			return err
		}
		if acted {
			done.game, done.seq = now.Game.ID, max(seq, now.View.Seq)
		}
	}
}

func stopCause(ctx context.Context) error {
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// act does what a place asks for, if anything, after thinking; the stream is read on meanwhile, and what
// has become stale is not sent. It gives the seq up to which the player has seen and answered.
func (p *player) act(ctx context.Context, state *latest, now *place) (acted bool, seq int, err error) {
	path, body := p.wish(now)
	if path == "" {
		return false, 0, nil
	}
	if p.think != nil {
		if !sleep(ctx, p.think()) {
			return false, 0, nil
		}
		if newer := state.take(); newer.View == nil || newer.Game == nil || newer.Game.ID != now.Game.ID || newer.View.Turn.Number != now.View.Turn.Number {
			return false, 0, nil
		}
	}
	return p.send(ctx, now, path, body)
}

// wish decides what to do at a place: the command's name and body, or nothing.
func (p *player) wish(now *place) (command string, body map[string]any) {
	v := now.View
	if v.Paused != nil || v.Seat < 0 || v.Seat >= len(v.Seats) {
		return "", nil
	}
	body = map[string]any{"turn": v.Turn.Number}
	switch {
	case v.MayRedeal && v.Phase == engine.PhaseDealt && !v.Seats[v.Seat].Ready && p.rng.IntN(100) < p.redeals:
		return "redeal", body
	case v.Phase == engine.PhaseDealt && !v.Seats[v.Seat].Ready:
		return "ready", body
	case v.Phase != engine.PhasePlaying || v.Turn.Seat != v.Seat:
		return "", nil
	}
	switch a := p.choose(*v); {
	case a.Table != nil:
		body["table"] = a.Table
		return "play", body
	case a.Pass:
		return "pass", body
	}
	return "draw", body
}

func (p *player) send(ctx context.Context, now *place, command string, body map[string]any) (acted bool, seq int, err error) {
	p.keys++
	key := fmt.Sprintf("g%d-t%d-%d-%08x", now.Game.ID, now.View.Turn.Number, p.keys, p.rng.Uint32())
	body["key"] = key
	var a answer
	err = p.api.command(ctx, fmt.Sprintf("/games/%d/%s", now.Game.ID, command), body, &a)
	switch {
	case err == nil:
		if p.told != nil {
			p.told(now.Game.ID, key, a)
		}
		return true, a.Seq, nil
	case ctx.Err() != nil:
		return false, 0, nil
	case refused(err, engine.RefusedStaleTurn, engine.RefusedNotYourTurn, engine.RefusedPaused, engine.RefusedGameOver,
		engine.RefusedAlreadyReady, engine.RefusedNotBegun, engine.RefusedRedealClosed):
		return true, 0, nil // the table has moved on: the stream brings what is now
	}
	return false, 0, fmt.Errorf("%s in game %d: %w", command, now.Game.ID, err)
}
