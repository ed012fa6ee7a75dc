package web

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
)

func (s *Server) zonesPage(c *gin.Context) error {
	return s.showZones(c, http.StatusOK, templates.ZonesView{}, 0, "")
}

// showZones adds the officials to what a refused form brought: the tables that were typed for an account.
func (s *Server) showZones(c *gin.Context, status int, view templates.ZonesView, account int64, typed string) error {
	event, err := idParam(c, "event")
	if err != nil {
		return err
	}
	ctx, actor := s.language(c), s.staff(c)
	zones, err := s.store.ZoneList(ctx, actor, event)
	if err != nil {
		return err
	}
	t, err := s.store.TournamentByID(ctx, event)
	if err != nil {
		return err
	}
	view.Event = event
	view.MayAssign = tournament.Authorize(actor, tournament.Place{Tournament: event}, tournament.ActAssignZones) == nil
	for _, z := range zones {
		row := templates.ZoneRow{Account: z.Account, Name: z.Name, Role: templates.Role(z.Role), Tables: tournament.FormatTables(z.Tables), Self: z.Account == actor.Account}
		if z.Account == account {
			row.Tables = typed
		}
		view.Zones = append(view.Zones, row)
	}
	view.Page = s.newPage(c, templates.T(ctx, "zones.title"), &t)
	return s.show(c, status, templates.ZonesPage(view))
}

// zonesPost gives an official tables to look after.
func (s *Server) zonesPost(c *gin.Context) error {
	event, err := idParam(c, "event")
	if err != nil {
		return err
	}
	if err := readForm(c); err != nil {
		return err
	}
	account, err := strconv.ParseInt(c.PostForm("account"), 10, 64)
	if err != nil {
		account = 0 // not found
	}
	zone, err := s.setZone(c, event, account, c.PostForm("tables"))
	if err != nil {
		text, status, err := s.problem(c, err)
		if err != nil {
			return err
		}
		return s.showZones(c, status, templates.ZonesView{Problem: text}, account, c.PostForm("tables"))
	}
	if len(zone.Tables) == 0 {
		return s.seeOther(c, templates.ZonesPath(event), "zones.cleared", "name", zone.Name)
	}
	return s.seeOther(c, templates.ZonesPath(event), "zones.set", "name", zone.Name, "tables", tournament.FormatTables(zone.Tables))
}

// setZone sets a zone and redraws the hall of who looks at it.
func (s *Server) setZone(c *gin.Context, event, account int64, tables string) (tournament.Zone, error) {
	zone, err := s.store.SetZone(c.Request.Context(), s.staff(c), event, account, tables)
	if err == nil {
		s.hub.Wake(TournamentTopic(event))
	}
	return zone, err
}
