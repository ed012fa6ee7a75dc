package api

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/privacy"
	"meldhall/web/request"
)

func (a *api) privacyOperations() {
	acts[privacy.NamePlayer](a, forOrganizer, "POST /players/{id}/naming",
		"Say how a player is called in public: by the whole name, a short one, or the start number")
	a.plain(forOrganizer, "GET /players/{id}/held", "What an event has of a player, as a file to be handed over", nil,
		privacy.Held{}, request.JSONKind, a.held)
	does[privacy.Erase](a, forOrganizer, "POST /players/{id}/erase",
		"Take a person out of an event; a copy of the database is made before",
		func(e privacy.Erased) privacy.Erased { return e })
	acts[privacy.TakeOut](a, forOrganizer, "POST /tournaments/{id}/take-out",
		"Take e-mail addresses, families, tickets and devices out of an event that is over")
}

// held responds with the data that a tournament stores about a player.
func (a *api) held(c *gin.Context) error {
	id, err := request.IDParam(c, "id")
	if err != nil {
		return err
	}
	held, err := privacy.HeldOf(c.Request.Context(), a.View.Store, a.Request.Staff(c), id)
	if err != nil {
		return err
	}
	c.Header("Content-Disposition", fmt.Sprintf(`attachment; filename="player-%d.json"`, id))
	return send(c, request.JSONKind, func(out io.Writer) error {
		text := json.NewEncoder(out)
		text.SetIndent("", " ")
		return text.Encode(held)
	})
}
