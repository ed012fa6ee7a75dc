package game

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"meldhall/engine"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

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
