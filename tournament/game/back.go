package game

import (
	"context"
	"math"
	"sync"

	"meldhall/engine"
)

// always is the moment that nothing comes after.
const always = engine.Millis(math.MaxInt64)

// LookBack gives a game as it stood when what came before a moment had happened, for those to whom it is shown later than it is
// played. Its log is folded on as the moment moves.
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
		tail, err := g.log.Tail(ctx, game, b.state.Seq)
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

// back is a game as it was shown last to those who see it later.
type back struct {
	mu    sync.Mutex
	at    engine.Millis
	state engine.State
}

// backs keeps the games that were looked back at; all are forgotten when they are too many.
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
