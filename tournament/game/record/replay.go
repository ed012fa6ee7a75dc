package record

import (
	"context"
	"slices"

	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// AuthorizeReplay returns an error if an actor may not see an ended game turn by turn, with every rack. Officials and
// the game's players may see it as soon as the game is over, the public once its count is confirmed. The log of a
// finished game is public (GET /games/{id}/export), so a replay reveals nothing new; until the racks are counted, only
// the table and its officials may see it.
func AuthorizeReplay(actor rights.Actor, ref game.Ref, over, confirmed bool) error {
	if !over {
		return refuse.Conflict("err_game_running", "game", ref.ID)
	}
	if confirmed || actor.Role == rights.RolePlayer && slices.Contains(ref.Players, actor.Player) ||
		actor.Role == rights.RoleTable && actor.Table == ref.TableID ||
		game.SeesAll(actor, ref) {
		return nil
	}
	return refuse.Forbidden("err_replay_not_yet")
}

// Replay is a finished game, turn by turn.
type Replay struct {
	Ref       game.Ref
	End       engine.State
	Confirmed bool
	Turns     []ReplayTurn
	Openings  []game.OpeningProof
}

// ReplayTurn is one turn of a finished game. Number counts the turns from 1, without the rulings between them; the
// log's number is Before.Turn.Number.
type ReplayTurn struct {
	Number int
	Since  []engine.Event // rulings since the last turn: penalties, leftovers, redeals, time
	Start  tile.List      // the rack at the start of the turn
	Before engine.State   // just before Event, after any rulings within the turn
	Event  engine.Event   // the event that ended the turn
	After  engine.State
}

// Seat returns the seat whose turn it was.
func (t ReplayTurn) Seat() int { return t.Before.Turn.Seat }

// Rack returns the player's rack at the end of the turn, before any tiles were laid or drawn, in face order.
func (t ReplayTurn) Rack() tile.FaceList { return game.InOrder(t.Before.Racks[t.Seat()]) }

// Played returns how many tiles of the rack were laid.
func (t ReplayTurn) Played() int {
	if e, ok := t.Event.(engine.TilesPlayed); ok {
		return len(e.Played)
	}
	return 0
}

// Drawn returns how many tiles the player drew at the end of the turn.
func (t ReplayTurn) Drawn() int { return drawnIn(t.Event) }

// drawnIn returns how many tiles were drawn by the event that ended a turn.
func drawnIn(e engine.Event) int {
	switch e := e.(type) {
	case engine.TileDrawn:
		return len(e.Tile)
	case engine.TurnExpired:
		return len(e.Tiles) + e.Count
	case engine.IllegalPlayed:
		return len(e.Tiles)
	}
	return 0
}

// confirmed reports whether the count of a finished game is confirmed.
func (g *Reader) confirmed(ctx context.Context, id int64, over bool) (confirmed bool, err error) {
	if !over {
		return false, nil
	}
	err = g.Games.DB.ReadSQL.QueryRowContext(ctx,
		`SELECT coalesce((SELECT status FROM results WHERE game_id = $1 ORDER BY rev DESC LIMIT 1), '') = $2`,
		id, game.ResultConfirmed).Scan(&confirmed)
	return confirmed, err
}

// Replay returns a finished game to actors who may see it; see AuthorizeReplay.
func (g *Reader) Replay(ctx context.Context, actor rights.Actor, game int64) (Replay, error) {
	snap, err := g.Games.Look(ctx, game)
	if err != nil {
		return Replay{}, err
	}
	over := snap.State.Phase == engine.PhaseOver
	confirmed, err := g.confirmed(ctx, game, over)
	if err != nil {
		return Replay{}, err
	}
	if err := AuthorizeReplay(actor, snap.Ref, over, confirmed); err != nil {
		return Replay{}, err
	}
	if err := g.Games.Seals.AuthorizeTiles(ctx, snap.Ref); err != nil {
		return Replay{}, err
	}
	events, err := g.Games.Log.Events(ctx, game)
	if err != nil {
		return Replay{}, err
	}
	turns := ReplayTurns(events)
	return Replay{Ref: snap.Ref, End: snap.State, Confirmed: confirmed, Turns: turns,
		Openings: openingProofs(snap.State, turns)}, nil
}

// ReplayTurns divides a game's log into turns. A turn that has not ended is left out.
func ReplayTurns(events []engine.Event) []ReplayTurn {
	var turns []ReplayTurn
	var s engine.State
	var since []engine.Event
	var start tile.List
	for _, e := range events {
		before := s
		s = engine.Apply(s, e)
		if engine.EndsTurn(e) {
			turns = append(turns, ReplayTurn{Number: len(turns) + 1, Since: since, Start: start, Before: before,
				Event: e, After: s})
			since, start = nil, s.Racks[s.Turn.Seat]
			continue
		}
		switch e.(type) {
		case engine.PlayBegan:
			start = s.Racks[s.Turn.Seat]
		case engine.Rewound, engine.PositionSet: // the turn starts again
			since, start = append(since, e), s.Racks[s.Turn.Seat]
		default:
			if engine.RulingOf(e).Kind == "" && e.Kind() != (engine.RedealAsked{}).Kind() &&
				e.Kind() != (engine.PoolRanOut{}).Kind() {
				continue
			}
			since = append(since, e)
			if s.Turn.Number != before.Turn.Number { // a forfeited seat has no turn
				start = s.Racks[s.Turn.Seat]
			}
		}
	}
	return turns
}

// Possible returns the best play available in the turn, found by the exact search (engine.BestPlay).
func (t ReplayTurn) Possible(q solve.Question) solve.Play {
	return judge.BestPlay(t.Before.Rules, t.Before.Move(), q)
}

// Best returns the table after a play that Possible found, with the tiles from the rack marked.
func (t ReplayTurn) Best(play solve.Play) (tile.TableView, error) {
	laid, err := game.LayFound(t.Before, play)
	return laid.Table.View(laid.Played), err
}
