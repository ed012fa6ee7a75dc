package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/tournament/rights"
)

// planRequest is what a player plans on the rack: sets of its tiles.
type planRequest struct {
	Sets []tile.FaceList `json:"sets"`
}

// planPost says what the rules think of sets that a player plans. Nothing of it is kept or told to anybody;
// a player may ask only about tiles of their own rack.
func (s *tabletPages) planPost(c *gin.Context) error {
	game, err := gameParam(c)
	if err != nil {
		return err
	}
	var r planRequest
	if err := readJSON(c, &r); err != nil {
		return err
	}
	snap, err := s.games.Look(c.Request.Context(), game)
	if err != nil {
		return err
	}
	me := s.player(c)
	at := rights.Place{Tournament: snap.Ref.TournamentID, Table: snap.Ref.TableID, Seat: me.Seat}
	if err := rights.Authorize(me, at, rights.MayPlay); err != nil {
		return err
	}
	if len(r.Sets) > tile.Count {
		return refused(http.StatusUnprocessableEntity, "err_not_on_rack")
	}
	sets := make([][]tile.Face, len(r.Sets))
	for i, set := range r.Sets {
		sets[i] = set
	}
	rack := tile.FacesOf(snap.State.Racks[me.Seat])
	if planned := tile.CountFaces(sets...); !planned.Within(tile.CountFaces(rack)) {
		return refused(http.StatusUnprocessableEntity, "err_not_on_rack")
	}
	return writeJSON(c, templates.NewPlanReply(s.language(c), r.Sets, snap.State.Opened[me.Seat], snap.State.Rules.MeldPoints))
}
