package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/engine"
)

// linesShared is how many connections the commands of all tables share where one device a table listens.
const linesShared = 32

// sharedLines are connections that players take for a command each.
func sharedLines() chan *line {
	lines := make(chan *line, linesShared)
	for range linesShared {
		lines <- &line{}
	}
	return lines
}

// listensForAll is a table of whose players only the first one listens: it tells the others when it is their turn, and they ask for what
// they see then. So a machine holds more tables than it may have files open for the devices of all.
type listensForAll struct {
	players []*loadPlayer
	turns   chan listened
}

type listened struct {
	sight
	data []byte
}

// run plays until ctx ends.
func (l *listensForAll) run(ctx context.Context) error {
	first := l.players[0]
	l.turns = make(chan listened, 1)
	acting := make(chan error, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { acting <- l.actAll(ctx); cancel() }()
	err := first.api.Follow(ctx, "/seat/live", func(m client.Message) error {
		s, ok := scan(m)
		if !ok || !first.sees(s) || s.paused || !first.begins(s) {
			return nil
		}
		select {
		case l.turns <- listened{s, bytes.Clone(m.Data)}:
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

func (l *listensForAll) actAll(ctx context.Context) error {
	for {
		select {
		case now := <-l.turns:
			if err := l.act(ctx, now); err != nil && ctx.Err() == nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// act has all players say that they are ready, or the one whose turn it is play.
func (l *listensForAll) act(ctx context.Context, now listened) error {
	if now.phase == string(engine.PhaseDealt) {
		for _, p := range l.players {
			if err := p.post(ctx, now.game, now.turn, "ready", nil); err != nil {
				return err
			}
		}
		return nil
	}
	p := l.players[now.seat]
	if p != l.players[0] {
		var own json.RawMessage
		if err := p.api.Call(ctx, http.MethodGet, fmt.Sprintf("/games/%d", now.game), nil, &own); err != nil {
			return err
		}
		now.data = own
	}
	err := p.act(ctx, now.data)
	l.players[0].stood.Store(p.stood.Swap(false))
	return err
}

// sees notes what a state shows of the table's commands, and tells whether somebody is to act in it.
func (p *loadPlayer) sees(s sight) (open bool) {
	over := s.phase == string(engine.PhaseOver)
	if over && p.over != nil && p.overGame != s.game {
		p.overGame = s.game
		p.over <- s.game
	}
	p.table.seen(p.seat, s.game, s.turn, over, time.Now(), func(d time.Duration) {
		p.m.record(func(m *measures) { m.updates = append(m.updates, d) })
	})
	return s.phase == string(engine.PhaseDealt) || s.phase == string(engine.PhasePlaying)
}

// begins tells whether a turn, or the start, has not been seen yet, or is to be played once more since the clocks stood.
func (p *loadPlayer) begins(s sight) bool {
	if stood := p.stood.Swap(false); !stood && s.game == p.lastGame && s.turn <= p.lastTurn {
		return false
	}
	p.lastGame, p.lastTurn = s.game, s.turn
	return true
}
