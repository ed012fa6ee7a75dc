package game

import (
	"fmt"
	"time"

	"meldhall/engine"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// Possible is the best play that the turn's player had, found by the exact search (engine.BestPlay).
func (t ReplayTurn) Possible(q solve.Question) solve.Play {
	s, seat := t.Before, t.Seat()
	return engine.BestPlay(s.Rules, engine.Move{
		Opened: s.Opened[seat], Relief: lastToOpen(s, seat), Before: s.Table.Faces(), Rack: tile.FacesOf(s.Racks[seat]),
	}, q)
}

func lastToOpen(s engine.State, seat int) bool {
	for other := range s.Seats {
		if other != seat && !s.Opened[other] {
			return false
		}
	}
	return true
}

// Best is the table as it would lie after a play that Possible has found, the tiles from the rack marked: the
// engine lays it as if it had been submitted, so what it shows is legal.
func (t ReplayTurn) Best(play solve.Play) (engine.TableView, error) {
	s := t.Before
	s.Paused, s.Turn.Due = nil, 0
	command := engine.Play{Seat: s.Turn.Seat, Turn: s.Turn.Number}
	for _, set := range play.Table {
		command.Table = append(command.Table, engine.LaidFaces{At: engine.SomewhereFree, Faces: set})
	}
	events, err := engine.Decide(s, command, false, time.UnixMilli(int64(s.At)))
	if err != nil {
		return nil, fmt.Errorf("lay the best play of turn %d: %w", t.Number, err)
	}
	if _, ok := events[0].(engine.TilesPlayed); !ok {
		return nil, fmt.Errorf("lay the best play of turn %d: %s", t.Number, events[0].Kind())
	}
	return engine.ViewFor(engine.Apply(s, events[0]), engine.Spectator).Table, nil
}
