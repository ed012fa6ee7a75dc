package game

import (
	"context"
	"sync"

	"meldhall/engine"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
	"meldhall/tournament/rights"
)

// hintWork bounds the search for a hint, in states looked at, to a few seconds of the slowest positions known; what is
// found by then is reported as not proven.
const hintWork = 20_000

// Hint is the best that the player to move can lay: the table after it, as the engine itself would lay it out.
type Hint struct {
	Turn   int
	Opens  bool // it would be the initial meld
	Points int  // of the initial meld
	Tiles  int  // rack tiles that go down; 0: the turn is a draw or a pass
	Proven bool // nothing better can be laid
	Pool   int  // tiles in the pool; without any the turn is no draw
	Played tile.FaceList
	Before engine.Table
	After  engine.Table
}

// turnHint keeps the hint of a game's running turn: however often it is asked for, it is searched for once.
type turnHint struct {
	mu   sync.Mutex
	seq  int // of the state that it is for; 0: none yet
	hint Hint
}

// Hint tells the player to move at a practice table what could be laid now. It is computed for the table as
// the turn began, whatever has been moved since. Nobody else is told, and nobody at any other table.
func (g *Games) Hint(ctx context.Context, actor rights.Actor, game int64) (Hint, error) {
	r, err := g.find(ctx, game)
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
		if r.hints.hint, err = g.findHint(s); err != nil {
			return Hint{}, err
		}
		r.hints.seq = s.Seq
	}
	return r.hints.hint, nil
}

// findHint searches for the best play of the seat to move.
func (g *Games) findHint(s engine.State) (Hint, error) {
	best := engine.BestPlay(s.Rules, moveOf(s), solve.Question{Keep: true, Limit: hintWork})
	hint := Hint{Turn: s.Turn.Number, Opens: !s.Opened[s.Turn.Seat], Proven: best.Proven, Pool: len(s.Pool), Before: s.Table, After: s.Table}
	if best.Tiles == 0 {
		return hint, nil
	}
	play := engine.Play{Seat: s.Turn.Seat, Turn: s.Turn.Number, Table: make([]engine.LaidFaces, len(best.Table))}
	for i, set := range best.Table {
		play.Table[i] = engine.LaidFaces{At: engine.SomewhereFree, Faces: set}
	}
	s.Paused, s.Turn.Due = nil, 0 // what could be laid does not hang on the clock
	events, err := engine.Decide(s, play, false, g.DB.Now())
	if err != nil {
		return Hint{}, err
	}
	if e, ok := events[0].(engine.TilesPlayed); ok {
		hint.After, hint.Points, hint.Tiles, hint.Played = e.Table, e.Points, len(e.Played), inOrder(e.Played)
	}
	return hint, nil
}

// moveOf is the position of the seat to move, for what could be laid in it.
func moveOf(s engine.State) engine.Move {
	seat := s.Turn.Seat
	m := engine.Move{Opened: s.Opened[seat], Relief: true, Before: s.Table.Faces(), Rack: tile.FacesOf(s.Racks[seat])}
	for other := range s.Seats {
		m.Relief = m.Relief && (other == seat || s.Opened[other])
	}
	return m
}
