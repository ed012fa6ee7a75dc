package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"meldhall/engine"
	"meldhall/engine/bot"
)

// redealsOften is how many of 100 rights to a redeal the bots use.
const redealsOften = 40

// Place is where a player sits, as GET /seat and every message of /seat/live say.
type Place struct {
	Game *struct {
		ID     int64  `json:"id"`
		Number int    `json:"number"`
		Of     int    `json:"of"`
		Status string `json:"status"`
	} `json:"game"`
	View  *engine.View `json:"view"`
	Names []string     `json:"names"`
}

// Bot is a bot at a table over HTTP: it follows its own live stream and answers each turn.
type Bot struct {
	// Think is how long to wait before an action; nil: not at all.
	Think func() time.Duration
	// Told, if set, gets every answer to a command, with its key; for tests that count acknowledged moves.
	Told func(game int64, key string, a Answer)

	api   *Client
	style bot.Style
	rng   *rand.Rand
	keys  int
}

// NewBot gives the bot that plays the seat of api's token. A third of the players play in each style; the same player
// behaves the same way each time.
func NewBot(api *Client, player int64) *Bot {
	return &Bot{api: api, style: bot.Styles[player%int64(len(bot.Styles))], rng: rand.New(rand.NewPCG(uint64(player), 0xb07))}
}

// Answer is what the server says of a command.
type Answer struct {
	Outcome string `json:"outcome"`
	Seq     int    `json:"seq"`
	Again   bool   `json:"again"`
}

// Join takes a seat by its code and gives the client that plays it.
func Join(ctx context.Context, api *Client, code string) (*Client, error) {
	mine, err := api.entered(ctx, "/join", map[string]any{"code": code})
	if err != nil {
		return nil, fmt.Errorf("join with %s: %w", code, err)
	}
	return mine, nil
}

// latest holds the newest place that the stream brought; what was not looked at is overwritten.
type latest struct {
	atomic.Pointer[Place]
	news chan struct{}
}

func (l *latest) put(p *Place) {
	l.Store(p)
	select {
	case l.news <- struct{}{}:
	default:
	}
}

// Run plays until ctx ends or the event is over for this player. Its error is one that a retry cannot cure.
func (b *Bot) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	state := &latest{news: make(chan struct{}, 1)}
	go func() {
		cancel(b.api.Follow(ctx, "/seat/live", func(m Message) error {
			next := new(Place)
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
		now := state.Load()
		if now.Game == nil || now.View == nil || now.Game.ID == done.game && now.View.Seq <= done.seq {
			continue
		}
		acted, seq, err := b.act(ctx, state, now)
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

// act does what a place asks for, if anything, after thinking; the stream is read in the meantime, and what
// has become stale is not sent. It gives the seq up to which the player has seen and answered.
func (b *Bot) act(ctx context.Context, state *latest, now *Place) (acted bool, seq int, err error) {
	path, body := b.wish(now)
	if path == "" {
		return false, 0, nil
	}
	if b.Think != nil {
		if !Sleep(ctx, b.Think()) {
			return false, 0, nil
		}
		if newer := state.Load(); newer.View == nil || newer.Game == nil || newer.Game.ID != now.Game.ID || newer.View.Turn.Number != now.View.Turn.Number {
			return false, 0, nil
		}
	}
	return b.send(ctx, now, path, body)
}

// wish decides what to do at a place: the command's name and body, or nothing.
func (b *Bot) wish(now *Place) (command string, body map[string]any) {
	v := now.View
	if v.Paused != nil && v.Paused.Why != engine.HeldForPlayers || v.Seat < 0 || v.Seat >= len(v.Seats) {
		return "", nil
	}
	body = map[string]any{"turn": v.Turn.Number}
	switch {
	case v.MayRedeal && v.Phase == engine.PhaseDealt && !v.Seats[v.Seat].Ready && asksRedeal(*v):
		return "redeal", body
	case v.Phase == engine.PhaseDealt && !v.Seats[v.Seat].Ready:
		return "ready", body
	case v.Phase != engine.PhasePlaying || v.Turn.Seat != v.Seat:
		return "", nil
	}
	switch c := bot.Command(b.style, *v).(type) {
	case engine.Play:
		body["table"] = c.Table
		return "play", body
	case engine.Pass:
		return "pass", body
	}
	return "draw", body
}

// asksRedeal tells whether a bot uses its right to a redeal: by what it holds, so that the same event is played alike each time.
func asksRedeal(v engine.View) bool {
	sum := fnv.New32a()
	fmt.Fprintln(sum, v.Deal, v.Rack)
	return sum.Sum32()%100 < redealsOften
}

func (b *Bot) send(ctx context.Context, now *Place, command string, body map[string]any) (acted bool, seq int, err error) {
	b.keys++
	key := fmt.Sprintf("g%d-t%d-%d-%08x", now.Game.ID, now.View.Turn.Number, b.keys, b.rng.Uint32())
	body["key"] = key
	var a Answer
	err = b.api.command(ctx, fmt.Sprintf("/games/%d/%s", now.Game.ID, command), body, &a)
	switch {
	case err == nil:
		if b.Told != nil {
			b.Told(now.Game.ID, key, a)
		}
		return true, a.Seq, nil
	case ctx.Err() != nil:
		return false, 0, nil
	case Refused(err, engine.RefusedStaleTurn, engine.RefusedNotYourTurn, engine.RefusedPaused, engine.RefusedGameOver,
		engine.RefusedAlreadyReady, engine.RefusedNotBegun, engine.RefusedRedealClosed):
		return true, 0, nil // the table has moved on: the stream brings what is now
	}
	return false, 0, fmt.Errorf("%s in game %d: %w", command, now.Game.ID, err)
}
