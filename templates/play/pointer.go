package play

import (
	"context"

	"meldhall/engine/tile"
	"meldhall/templates/locale"
)

// Pointer tells point.js which set a person points at. Name is for the eye, Text for the ear. Tiles and At are those of
// live.Point.
type Pointer struct {
	Who   int           `json:"who"` // the person's seat
	Name  string        `json:"name"`
	Text  string        `json:"text"`
	Tiles tile.FaceList `json:"tiles"`
	At    int           `json:"at"`
}

// NewPointer describes the pointer of a person at a seat, or of an official, for a viewer. people are the players by
// seat; those who see their own pointer need none.
func NewPointer(ctx context.Context, tiles tile.FaceList, at, seat, viewer int, people []Person) Pointer {
	p := Pointer{Who: seat, Tiles: tiles, At: at}
	set := pointedWords(ctx, tiles)
	switch {
	case seat < 0:
		p.Name, p.Text = locale.T(ctx, "point.official"), locale.T(ctx, "point.referee", "set", set)
	case seat == viewer:
		p.Name, p.Text = locale.T(ctx, "seat.you"), locale.T(ctx, "point.you", "set", set)
	default:
		p.Name = Game{Seats: people}.Person(seat).Name
		p.Text = locale.T(ctx, "point.said", "name", locale.Isolate(p.Name), "set", set)
	}
	return p
}

// pointedWords names a set: "red 3–6", "group of 7: black, blue, orange".
func pointedWords(ctx context.Context, row []tile.Face) string {
	w := changeWords{ctx: ctx}
	readings := tile.Readings(row)
	switch {
	case len(readings) != 1:
		return rowWords(ctx, row)
	case readings[0].Run:
		return w.run(readings[0].First(), len(row))
	}
	return locale.T(ctx, "diff.group", "number", numberOf(row)) + ": " + w.colours(row)
}
