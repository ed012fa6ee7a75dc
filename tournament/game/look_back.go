package game

import (
	"context"
	"math"
	"sync"

	"meldhall/engine"
)

// always is a time later than any other.
const always = engine.Millis(math.MaxInt64)

// LookBack returns a game as it was just before at, for viewers who follow it with a delay. It applies further log
// events as the moment advances.
func (g *Games) LookBack(ctx context.Context, game int64, at engine.Millis) (*Snapshot, error) {
	snap, err := g.Look(ctx, game)
	if err != nil || at == always {
		return snap, err
	}
	b := g.backs.of(game)
	b.mu.Lock()
	defer b.mu.Unlock()
	if at < b.at {
		b.state = engine.State{}
	}
	b.at = at
	if b.state.Seq < snap.State.Seq {
		tail, err := g.Log.Tail(ctx, game, b.state.Seq)
		if err != nil {
			return nil, err
		}
		for _, e := range tail {
			if e.Event.When() >= at {
				break
			}
			b.state = engine.Apply(b.state, e.Event)
		}
	}
	return &Snapshot{Ref: snap.Ref, State: b.state}, nil
}

// back is the last state of a game that was shown to delayed viewers.
type back struct {
	mu    sync.Mutex
	at    engine.Millis
	state engine.State
}

// backs caches the delayed states of games. It is cleared when it grows too large.
type backs struct {
	mu    sync.Mutex
	games map[int64]*back
}

func (k *backs) of(game int64) *back {
	k.mu.Lock()
	defer k.mu.Unlock()
	b := k.games[game]
	if b == nil {
		if k.games == nil || len(k.games) >= gamesKept {
			k.games = map[int64]*back{}
		}
		b = &back{}
		k.games[game] = b
	}
	return b
}
