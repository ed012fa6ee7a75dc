package game

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
	"meldhall/tournament/rights"
)

// hintWork limits the search for a hint, in states examined, to a few seconds for the slowest positions we know. If the
// search hits the limit, its best result is reported as not proven.
const hintWork = 20_000

// Hint is the best play for the player to move: the resulting table, arranged as the engine would lay it out.
type Hint struct {
	Turn   int
	Opens  bool // it would be the initial meld
	Points int  // points of the initial meld
	Tiles  int  // rack tiles laid; 0: the turn is a draw or a pass
	Proven bool // no better play exists
	Pool   int  // tiles in the pool; if empty, the turn cannot be a draw
	Played tile.FaceList
	Before tile.Table
	After  tile.Table
}

// turnHint caches the hint for a game's current turn, so that it is searched for only once.
type turnHint struct {
	mu   sync.Mutex
	seq  int // seq of the state that it is for; 0: none yet
	hint Hint
}

// Hint returns the best play to the player to move at a practice table. It is computed for the table at the start of
// the turn, regardless of tiles moved since. All other players and tables are refused.
func (g *Games) Hint(ctx context.Context, actor rights.Actor, game int64) (Hint, error) {
	r, err := g.cache.find(ctx, game)
	if err != nil {
		return Hint{}, err
	}
	snap := r.now.Load()
	ref, s := snap.Ref, snap.State
	at := rights.Place{Tournament: ref.TournamentID, Table: ref.TableID, Seat: actor.Seat, Practice: ref.Practice != ""}
	if err := rights.Authorize(actor, at, rights.MayAskHint); err != nil {
		return Hint{}, err
	}
	switch {
	case s.Phase == engine.PhaseOver:
		return Hint{}, &engine.Refusal{Code: engine.RefusedGameOver, Set: -1}
	case s.Phase != engine.PhasePlaying:
		return Hint{}, &engine.Refusal{Code: engine.RefusedNotBegun, Set: -1}
	case s.Turn.Seat != actor.Seat:
		return Hint{}, &engine.Refusal{Code: engine.RefusedNotYourTurn, Set: -1}
	}
	r.hints.mu.Lock()
	defer r.hints.mu.Unlock()
	if r.hints.seq != s.Seq {
		if r.hints.hint, err = findHint(s); err != nil {
			return Hint{}, err
		}
		r.hints.seq = s.Seq
	}
	return r.hints.hint, nil
}

// findHint searches for the best play of the seat whose turn it is.
func findHint(s engine.State) (Hint, error) {
	best := judge.BestPlay(s.Rules, s.Move(), solve.Question{Keep: true, Limit: hintWork})
	hint := Hint{Turn: s.Turn.Number, Opens: !s.Opened[s.Turn.Seat], Proven: best.Proven, Pool: len(s.Pool),
		Before: s.Table, After: s.Table}
	if best.Tiles == 0 {
		return hint, nil
	}
	laid, err := LayFound(s, best)
	if err != nil {
		return Hint{}, err
	}
	hint.After, hint.Points, hint.Tiles, hint.Played = laid.Table, laid.Points, len(laid.Played), InOrder(laid.Played)
	return hint, nil
}

// InOrder returns a rack's faces in order.
func InOrder(rack tile.List) tile.FaceList {
	faces := tile.FacesOf(rack)
	slices.Sort(faces)
	return faces
}

// LayFound returns the event for a play found for the seat to move. The engine decides the play like a submission; if
// it would not accept the play, LayFound returns an error.
func LayFound(s engine.State, found solve.Play) (laid engine.TilesPlayed, err error) {
	s.Paused, s.Turn.Due = nil, 0 // what could be laid does not depend on the clock
	play := engine.Play{Seat: s.Turn.Seat, Turn: s.Turn.Number, Table: make([]tile.LaidFaces, len(found.Table))}
	for i, set := range found.Table {
		play.Table[i] = tile.LaidFaces{At: tile.SomewhereFree, Faces: set}
	}
	events, err := engine.Decide(&s, play, false, time.UnixMilli(int64(s.At)))
	if err == nil {
		var ok bool
		if laid, ok = events[0].(engine.TilesPlayed); !ok {
			err = errors.New(events[0].Kind())
		}
	}
	if err != nil {
		err = fmt.Errorf("lay the best play of turn %d: %w", s.Turn.Number, err)
	}
	return laid, err
}
