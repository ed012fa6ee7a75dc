package templates

import (
	"context"

	"meldhall/engine"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// Hint is what a player at a practice table is told on request. Table and Steps are there when the way was asked for too.
type Hint struct {
	Turn   int
	Tiles  int // that can go down
	Opens  bool
	Points int // of an opening
	Proven bool
	Pool   int
	Played []tile.Face
	Table  []engine.LaidFaces
	Steps  []solve.Step
}

// Words says in one sentence how many tiles can go down.
func (h Hint) Words(ctx context.Context) string {
	key := "hint.nothing"
	switch {
	case h.Tiles > 0 && !h.Proven:
		return T(ctx, "hint.at_least", "n", h.Tiles)
	case h.Tiles > 0 && h.Opens:
		return T(ctx, "hint.opening", "n", h.Tiles, "points", h.Points)
	case h.Tiles > 0:
		return T(ctx, "hint.tiles", "n", h.Tiles)
	case !h.Proven:
		return T(ctx, "hint.unknown")
	case h.Opens:
		key = "hint.no_opening"
	}
	if h.Pool == 0 {
		key += "_pass"
	}
	return T(ctx, key)
}
