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

// redealsOften is the percentage of redeal rights that the bots use.
const redealsOften = 40

// Place is a player's current seat, as returned by GET /seat and by every message of /seat/live.
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

// Bot plays at a table over HTTP: it follows its seat's live stream and plays each of its turns.
type Bot struct {
	// Think returns how long to wait before an action; nil means no wait.
	Think func() time.Duration
	// Told, if set, is called with the answer to each accepted command and the command's key. Tests use it to count
	// acknowledged moves.
	Told func(game int64, key string, a Answer)

	api   *Client
	style bot.Style
	rng   *rand.Rand
	keys  int
}

// NewBot returns a bot that plays the seat of api's token. Each style is used by a third of the players; a player
// always gets the same style.
func NewBot(api *Client, player int64) *Bot {
	return &Bot{api: api, style: bot.Styles[player%int64(len(bot.Styles))],
		rng: rand.New(rand.NewPCG(uint64(player), 0xb07))}
}

// Bots takes the seats of a round with their codes, and returns bots for their players.
func (r Round) Bots(ctx context.Context, api *Client) ([]*Bot, error) {
	var bots []*Bot
	for _, table := range r.Tables {
		for _, s := range table.Seats {
			mine, err := Join(ctx, api, s.Code)
			if err != nil {
				return nil, err
			}
			bots = append(bots, NewBot(mine, s.Player.ID))
		}
	}
	return bots, nil
}

// Answer is the server's answer to an accepted command.
type Answer struct {
	Outcome string `json:"outcome"`
	Seq     int    `json:"seq"`
	Again   bool   `json:"again"`
}

// Join takes a seat by its code and returns the client that plays it.
func Join(ctx context.Context, api *Client, code string) (*Client, error) {
	mine, err := api.entered(ctx, "/join", map[string]any{"code": code})
	if err != nil {
		return nil, fmt.Errorf("join with %s: %w", code, err)
	}
	return mine, nil
}

// latest holds the newest place received from the stream. A newer place overwrites one that has not been read yet.
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

// Run plays until ctx ends. It returns only errors that a retry cannot fix.
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

// act sends the command that the place calls for, if any, after thinking. The stream is read meanwhile, and a command
// that has become stale is not sent. acted reports whether the server answered; seq is the seq of the command's event,
// or 0 if the command was refused.
func (b *Bot) act(ctx context.Context, state *latest, now *Place) (acted bool, seq int, err error) {
	path, body := b.wish(now)
	if path == "" {
		return false, 0, nil
	}
	if b.Think != nil {
		if !Sleep(ctx, b.Think()) {
			return false, 0, nil
		}
		if newer := state.Load(); newer.View == nil || newer.Game == nil || newer.Game.ID != now.Game.ID ||
			newer.View.Turn.Number != now.View.Turn.Number {
			return false, 0, nil
		}
	}
	return b.send(ctx, now, path, body)
}

// wish returns the next command and its body, or "" if there is nothing to do.
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

// asksRedeal reports whether a bot uses its right to a redeal. It depends only on the tiles, so the same tournament is
// played the same way every time.
func asksRedeal(v engine.View) bool {
	sum := fnv.New32a()
	fmt.Fprintln(sum, v.Deal, v.Rack)
	return sum.Sum32()%100 < redealsOften
}

func (b *Bot) send(ctx context.Context, now *Place, command string, body map[string]any) (acted bool, seq int,
	err error) {
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
		return true, 0, nil // the game has moved on; the stream brings the new state
	}
	return false, 0, fmt.Errorf("%s in game %d: %w", command, now.Game.ID, err)
}
