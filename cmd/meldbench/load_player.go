package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/engine"
	"meldhall/engine/tile"
)

// loadPlayer is a player that is cheap to simulate. It only scans the messages of the stream, parses a view on its own
// turn, and sends commands over one plain HTTP/1.1 connection, unless HTTP/2 or shared connections are used.
type loadPlayer struct {
	api    *client.Client
	table  *watchedTable
	m      *measures
	seat   int
	rng    *rand.Rand
	idle   bool         // never plays, and measures expiring turns
	over   chan<- int64 // receives games that ended; nil for most seats
	laying int          // percentage of turns that look for a play; the others draw
	think  time.Duration
	acts   *acts // records commands and answers; may be nil

	http2    bool // commands share the stream's connection
	line     line
	lines    chan *line // shared by all players; nil: this one has its own
	overGame int64      // the last game sent to over
	due      engine.Millis
	lastGame int64
	lastTurn int
	stood    atomic.Bool // last command rejected as paused; the turn is played again later
}

// sight is what can be scanned from a message of the stream.
type sight struct {
	game       int64
	turn, seat int
	phase      string
	paused     bool
}

var (
	phaseMark  = []byte(`"phase":"`)
	turnMark   = []byte(`"turn":{"number":`)
	seatMark   = []byte(`,"seat":`)
	pausedMark = []byte(`"paused":{`)
	heldMark   = []byte(`"why":"` + engine.HeldForPlayers + `"`) // a held game waits until its players are ready
)

// watch measures how late an unplayed turn expired, from its deadline until the next turn is received.
func (p *loadPlayer) watch(data []byte) error {
	var now client.Place
	if err := json.Unmarshal(data, &now); err != nil {
		return err
	}
	turn := now.View.Turn
	if now.View.Phase == engine.PhasePlaying && p.due != 0 && turn.Due != p.due && now.View.Last != nil {
		late := time.Since(time.UnixMilli(int64(p.due)))
		p.m.record(func(m *measures) { m.expiries = append(m.expiries, late) })
	}
	p.due = turn.Due
	return nil
}

// scan parses a message; ok is false if it is not about a game.
func scan(m client.Message) (s sight, ok bool) {
	game, _, _ := strings.Cut(m.ID[strings.IndexByte(m.ID, '.')+1:], "-") // after the database's epoch name
	var err error
	if s.game, err = strconv.ParseInt(game, 10, 64); err != nil {
		return s, false
	}
	at := bytes.Index(m.Data, phaseMark)
	if at < 0 {
		return s, false
	}
	rest := m.Data[at+len(phaseMark):]
	s.phase = string(rest[:max(bytes.IndexByte(rest, '"'), 0)])
	if at = bytes.Index(rest, turnMark); at < 0 {
		return s, false
	}
	rest = rest[at+len(turnMark):]
	s.turn, rest = leadingInt(rest)
	if !bytes.HasPrefix(rest, seatMark) {
		return s, false
	}
	s.seat, rest = leadingInt(rest[len(seatMark):])
	s.paused = bytes.Contains(rest, pausedMark) && !bytes.Contains(rest, heldMark)
	return s, true
}

func leadingInt(b []byte) (n int, rest []byte) {
	i := 0
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		n = 10*n + int(b[i]-'0')
		i++
	}
	return n, b[i:]
}

// listened is a state that calls for an action.
type listened struct {
	sight
	data []byte
}

// listen follows a seat's stream until ctx ends, and calls act for each wanted state, one after the other.
func listen(ctx context.Context, api *client.Client, wanted func(sight, []byte) (bool, error),
	act func(context.Context, listened) error) error {
	turns, acting := make(chan listened, 1), make(chan error, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer cancel()
		for {
			select {
			case now := <-turns:
				if err := act(ctx, now); err != nil && ctx.Err() == nil {
					acting <- err
					return
				}
			case <-ctx.Done():
				acting <- nil
				return
			}
		}
	}()
	err := api.Follow(ctx, "/seat/live", func(m client.Message) error {
		s, ok := scan(m)
		if !ok {
			return nil
		}
		if is, err := wanted(s, m.Data); err != nil || !is {
			return err
		}
		select {
		case turns <- listened{s, bytes.Clone(m.Data)}:
		case <-ctx.Done():
		}
		return nil
	})
	cancel()
	if e := <-acting; e != nil {
		return e
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// run plays until ctx ends.
func (p *loadPlayer) run(ctx context.Context) error {
	defer p.line.hangUp()
	return listen(ctx, p.api, func(s sight, data []byte) (bool, error) {
		if p.idle {
			return false, p.watch(data)
		}
		return p.sees(s) && (s.phase == string(engine.PhaseDealt) || s.seat == p.seat) && p.begins(s), nil
	}, p.act)
}

// sees records which of the table's commands a state confirms, and reports whether the game waits for an action of some
// player.
func (p *loadPlayer) sees(s sight) (open bool) {
	over := s.phase == string(engine.PhaseOver)
	if over && p.over != nil && p.overGame != s.game {
		p.overGame = s.game
		p.over <- s.game
	}
	p.table.seen(p.seat, s.game, s.turn, over, time.Now(), func(d time.Duration) {
		p.m.record(func(m *measures) { m.updates = append(m.updates, d) })
	})
	return !s.paused && (s.phase == string(engine.PhaseDealt) || s.phase == string(engine.PhasePlaying))
}

// begins reports whether a turn, or the start, is new to this player, or must be played again after the clocks were
// stopped.
func (p *loadPlayer) begins(s sight) bool {
	if stood := p.stood.Swap(false); !stood && s.game == p.lastGame && s.turn <= p.lastTurn {
		return false
	}
	p.lastGame, p.lastTurn = s.game, s.turn
	return true
}

func (p *loadPlayer) act(ctx context.Context, seen listened) error {
	var now client.Place
	if err := json.Unmarshal(seen.data, &now); err != nil {
		return fmt.Errorf("read a live message: %w", err)
	}
	v := now.View
	if v.Phase == engine.PhasePlaying && p.think > 0 && !client.Sleep(ctx, client.Jittered(p.think)) ||
		p.m.resting.Load() {
		return nil
	}
	if v.Phase == engine.PhaseDealt {
		return p.post(ctx, now.Game.ID, v.Turn.Number, "ready", nil)
	}
	command, table := "draw", []tile.LaidFaces(nil)
	if v.Pool == 0 || p.rng.IntN(100) < p.laying {
		if table = cheapChoice(*v); table != nil {
			command = "play"
		}
	}
	if command == "draw" && v.Pool == 0 {
		command = "pass"
	}
	return p.post(ctx, now.Game.ID, v.Turn.Number, command, table)
}

// exchange sends a command and returns the response.
func (p *loadPlayer) exchange(ctx context.Context, path string, body []byte) (status int, reply []byte, err error) {
	switch {
	case p.http2:
		return p.api.Exchange(ctx, http.MethodPost, path, json.RawMessage(body))
	case p.lines != nil:
		l := <-p.lines
		defer func() { p.lines <- l }()
		return l.exchange(ctx, p.api, path, body)
	}
	return p.line.exchange(ctx, p.api, path, body)
}

// post sends a command and measures the response time.
func (p *loadPlayer) post(ctx context.Context, game int64, turn int, command string, table []tile.LaidFaces) error {
	key := fmt.Sprintf("load-%d-%d-%08x", game, turn, p.rng.Uint32())
	body := map[string]any{"turn": turn, "key": key}
	if table != nil {
		body["table"] = table
	}
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	sent := time.Now()
	if command != "ready" {
		p.table.sending(game, turn, sent)
	}
	path := fmt.Sprintf("/games/%d/%s", game, command)
	p.acts.sending(act{key: key, game: game, token: p.api.Token, path: path, body: data})
	status, reply, err := p.exchange(ctx, path, data)
	if err != nil {
		return err
	}
	p.acts.answered(key, status, reply)
	if status != http.StatusOK {
		p.table.refused(game, turn)
		var e client.Error
		_ = json.Unmarshal(reply, &e)
		p.stood.Store(e.Code == engine.RefusedPaused)
		p.m.record(func(m *measures) { m.refusals[fmt.Sprintf("%d %s", status, e.Code)]++ })
		return nil
	}
	took := time.Since(sent)
	if command == "ready" {
		return nil
	}
	p.m.record(func(m *measures) {
		m.turns++
		if command == "play" {
			m.plays++
		}
		m.answers = append(m.answers, took)
	})
	return nil
}
