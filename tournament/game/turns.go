package game

import (
	"context"
	"slices"
	"sync"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// turnsKept is how many games' turns are kept in memory, those asked for last; some 100 KB each at their end.
const turnsKept = 256

// PublicTurn is one turn of a game, running or over, as everybody at the table saw it: what was laid and how
// many tiles were drawn, never a rack and never which tiles were drawn.
type PublicTurn struct {
	Number int // from 1, whatever was ruled between the turns
	Turn   int // the log's number, which commands name
	Seq    int // of the event that ended it
	At     engine.Millis
	Seat   int
	Kind   string // of that event
	Played tile.List
	Points int // of an opening
	Drawn  int
	Ruled  []PublicRuling // since the turn before
	Before engine.Table
	After  engine.Table
}

// PublicRuling is what a referee, or a player's right to a redeal, changed between two turns.
type PublicRuling struct {
	Kind  string `json:"kind" doc:"penalty_given, leftovers_ruled, redeal_asked, time_called"`
	Seat  int    `json:"seat" doc:"-1: the whole table"`
	Tiles int    `json:"tiles,omitempty"`
}

// Views are the table before and after the turn; after it the tiles that it laid are the new ones.
func (t PublicTurn) Views() (before, after engine.TableView) {
	return tableView(t.Before, nil), tableView(t.After, t.Played)
}

func tableView(table engine.Table, fresh tile.List) engine.TableView {
	view := make(engine.TableView, len(table))
	for i, laid := range table {
		view[i] = engine.LaidView{At: laid.At, Tiles: tile.FacesOf(laid.Tiles)}
		for j, one := range laid.Tiles {
			if slices.Contains(fresh, one) {
				view[i].New = append(view[i].New, j)
			}
		}
	}
	return view
}

// Turns gives the turns of a game that have ended, the first one first. Everybody may ask: it costs a reader
// nothing but what has been logged since the last one asked. The slice is shared and not to be written to.
func (g *Games) Turns(ctx context.Context, game int64) ([]PublicTurn, error) {
	snap, err := g.Look(ctx, game)
	if err != nil {
		return nil, err
	}
	f := g.folds.of(game)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.state.Seq < snap.State.Seq {
		tail, err := g.log.Tail(ctx, game, f.state.Seq)
		if err != nil {
			return nil, err
		}
		for _, e := range tail {
			f.apply(e.Event)
		}
	}
	return f.turns[:len(f.turns):len(f.turns)], nil
}

// fold is a game's log as far as it was read, cut into turns.
type fold struct {
	mu    sync.Mutex
	state engine.State
	ruled []PublicRuling
	turns []PublicTurn
	began engine.Millis // the first turn; 0: not yet
	stood []stop        // when the clock did not run
	used  uint64        // of its folds, which of them is asked for how late
}

func (f *fold) apply(e engine.Event) {
	before := f.state
	f.state = engine.Apply(before, e)
	f.time(e)
	t := PublicTurn{Number: len(f.turns) + 1, Turn: before.Turn.Number, Seq: f.state.Seq, At: e.When(), Seat: before.Turn.Seat,
		Kind: e.Kind(), Ruled: f.ruled, Before: before.Table, After: f.state.Table}
	switch e := e.(type) {
	case engine.TilesPlayed:
		t.Played, t.Points = e.Played, e.Points
	case engine.TileDrawn:
		t.Drawn = len(e.Tile)
	case engine.TurnExpired:
		t.Drawn = len(e.Tiles) + e.Count
	case engine.IllegalPlayed:
		t.Drawn = len(e.Tiles)
	case engine.RedealAsked:
		f.rule(e, e.Seat, 0)
		return
	default:
		r := engine.RulingOf(e)
		if t.Drawn = r.Tiles; engine.EndsTurn(e) {
			break
		}
		if r.Kind != "" {
			f.rule(e, r.Seat, r.Tiles)
		}
		return
	}
	f.turns, f.ruled = append(f.turns, t), nil
}

func (f *fold) rule(e engine.Event, seat, tiles int) {
	f.ruled = append(slices.Clone(f.ruled), PublicRuling{e.Kind(), seat, tiles})
}

// folds keeps the games whose turns were asked for last.
type folds struct {
	mu    sync.Mutex
	games map[int64]*fold
	asked uint64
}

func (k *folds) of(game int64) *fold {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.asked++
	f := k.games[game]
	if f == nil {
		if k.games == nil {
			k.games = map[int64]*fold{}
		}
		if len(k.games) >= turnsKept {
			k.forgetOldest()
		}
		f = &fold{}
		k.games[game] = f
	}
	f.used = k.asked
	return f
}

func (k *folds) forgetOldest() {
	oldest, since := int64(0), k.asked
	for game, f := range k.games {
		if f.used < since {
			oldest, since = game, f.used
		}
	}
	delete(k.games, oldest)
}
