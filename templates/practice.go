package templates

import (
	"context"

	"meldhall/engine"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// Hint is what a player at a practice table sees on request. Table and Steps are set only if the player asked for the
// moves too.
type Hint struct {
	Turn   int                `json:"turn" doc:"the turn that it is for"`
	Tiles  int                `json:"tiles" doc:"how many rack tiles can go down; 0: draw or pass"`
	Opens  bool               `json:"opens" doc:"it would be the initial meld"`
	Points int                `json:"points,omitempty" doc:"of an initial meld"`
	Proven bool               `json:"proven" doc:"nothing better can be laid; false where the search was stopped"`
	Pool   int                `json:"-"`
	Played tile.FaceList      `json:"played,omitempty" doc:"the tiles that would leave the rack"`
	Table  []engine.LaidFaces `json:"table,omitempty" doc:"the whole table after it, to be sent to /play"`
	Steps  []solve.Step       `json:"steps,omitempty" doc:"the steps of hands from the table as it is"`
}

// Words says in one sentence how many tiles can be laid.
func (h Hint) Words(ctx context.Context) string {
	switch {
	case h.Tiles > 0 && !h.Proven:
		return T(ctx, "hint.at_least", "n", h.Tiles)
	case h.Tiles > 0 && h.Opens:
		return T(ctx, "hint.opening", "n", h.Tiles, "points", h.Points)
	case h.Tiles > 0:
		return T(ctx, "hint.tiles", "n", h.Tiles)
	case !h.Proven:
		return T(ctx, "hint.unknown")
	case h.Opens && h.Pool == 0:
		return T(ctx, "hint.no_opening_pass")
	case h.Opens:
		return T(ctx, "hint.no_opening")
	case h.Pool == 0:
		return T(ctx, "hint.nothing_pass")
	}
	return T(ctx, "hint.nothing")
}
