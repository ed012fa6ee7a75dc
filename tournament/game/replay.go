package game

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"meldhall/engine"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// Confirmed reports whether the count of a finished game is confirmed.
func (g *Games) Confirmed(ctx context.Context, game int64, over bool) (confirmed bool, err error) {
	if !over {
		return false, nil
	}
	err = g.DB.ReadSQL.QueryRowContext(ctx,
		`SELECT coalesce((SELECT status FROM results WHERE game_id = $1 ORDER BY rev DESC LIMIT 1), '') = $2`,
		game, ResultConfirmed).Scan(&confirmed)
	return confirmed, err
}

// Events returns the whole log of a game.
func (g *Games) Events(ctx context.Context, game int64) ([]engine.Event, error) {
	entries, err := g.Log.Tail(ctx, game, 0)
	if err != nil {
		return nil, err
	}
	events := make([]engine.Event, len(entries))
	for i, e := range entries {
		events[i] = e.Event
	}
	return events, nil
}

// InOrder returns a rack's faces in order.
func InOrder(rack tile.List) tile.FaceList {
	faces := tile.FacesOf(rack)
	slices.Sort(faces)
	return faces
}

// LayFound applies a play found for the seat to move. The engine decides it like a submission, so it is legal.
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
