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
		"Set how a player is named in public: whole name, short name or start number")
	a.plain(forOrganizer, "GET /players/{id}/held", "All data an event holds about a player, as a file to hand "+
		"over", nil,
		privacy.Held{}, request.JSONKind, a.held)
	does[privacy.Erase](a, forOrganizer, "POST /players/{id}/erase",
		"Erase a person from an event; the database is copied first",
		func(e privacy.Erased) privacy.Erased { return e })
	acts[privacy.TakeOut](a, forOrganizer, "POST /tournaments/{id}/take-out",
		"Delete e-mail addresses, families, tickets and devices from an event that is over")
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
