package tablet

import (
	"context"

	"meldhall/engine/steps"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
)

// Hint is what a player at a practice table sees on request. Table and Steps are set only if the player asked for the
// moves too.
type Hint struct {
	Turn   int              `json:"turn" doc:"the turn it is for"`
	Tiles  int              `json:"tiles" doc:"number of rack tiles that can be laid; 0: draw or pass"`
	Opens  bool             `json:"opens" doc:"it is an initial meld"`
	Points int              `json:"points,omitempty" doc:"value of an initial meld"`
	Proven bool             `json:"proven" doc:"no better play exists; false if the search was stopped"`
	Pool   int              `json:"-"`
	Played tile.FaceList    `json:"played,omitempty" doc:"the tiles that would leave the rack"`
	Table  []tile.LaidFaces `json:"table,omitempty" doc:"the whole resulting table, to send to /play"`
	Steps  []steps.Step     `json:"steps,omitempty" doc:"the moves by hand from the current table"`
}

// Words describes in one sentence how many tiles can be laid.
func (h Hint) Words(ctx context.Context) string {
	switch {
	case h.Tiles > 0 && !h.Proven:
		return locale.T(ctx, "hint.at_least", "n", h.Tiles)
	case h.Tiles > 0 && h.Opens:
		return locale.T(ctx, "hint.opening", "n", h.Tiles, "points", h.Points)
	case h.Tiles > 0:
		return locale.T(ctx, "hint.tiles", "n", h.Tiles)
	case !h.Proven:
		return locale.T(ctx, "hint.unknown")
	case h.Opens && h.Pool == 0:
		return locale.T(ctx, "hint.no_opening_pass")
	case h.Opens:
		return locale.T(ctx, "hint.no_opening")
	case h.Pool == 0:
		return locale.T(ctx, "hint.nothing_pass")
	}
	return locale.T(ctx, "hint.nothing")
}
