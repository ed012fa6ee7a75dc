package web

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
)

func (s *refereePages) zonesPage(c *gin.Context) error {
	return s.showZones(c, http.StatusOK, templates.ZonesView{}, 0, "")
}

// showZones adds the officials to what a refused form brought: the tables that were typed for an account.
func (s *refereePages) showZones(c *gin.Context, status int, view templates.ZonesView, account int64, typed string) error {
	event := idIn(c, "event")
	ctx, actor := s.language(c), s.staff(c)
	zones, err := tournament.ZoneList(ctx, s.store, actor, event)
	if err != nil {
		return err
	}
	view.Event = event
	view.MayAssign = rights.Authorize(actor, rights.Place{Tournament: event}, rights.MayAssignZones) == nil
	for _, z := range zones {
		row := templates.ZoneRow{Account: z.Account, Name: z.Name, Role: templates.Role(z.Role), Tables: tournament.FormatTables(z.Tables), Self: z.Account == actor.Account}
		if z.Account == account {
			row.Tables = typed
		}
		view.Zones = append(view.Zones, row)
	}
	if view.Uncovered, err = s.uncovered(ctx, event, zones); err != nil {
		return err
	}
	return showEvent(s.Server, c, status, templates.T(ctx, "zones.title"), &view, &view.Page, templates.ZonesPage)
}

// uncovered are the tables of the newest round that no referee looks after, as people write them; none where a referee has the
// whole hall, or there is no referee.
func (s *views) uncovered(ctx context.Context, event int64, zones []tournament.Zone) (string, error) {
	covered, referees := map[int]bool{}, 0
	for _, z := range zones {
		if z.Role != rights.RoleReferee && z.Role != rights.RoleHeadReferee {
			continue
		}
		if referees++; len(z.Tables) == 0 {
			return "", nil
		}
		for _, n := range z.Tables {
			covered[n] = true
		}
	}
	rounds, err := tournament.Rounds(ctx, s.store, event)
	if err != nil || len(rounds) == 0 || referees == 0 {
		return "", err
	}
	tables, err := tournament.Tables(ctx, s.store, rounds[len(rounds)-1].ID)
	var free []int
	for _, t := range tables {
		if !covered[t.Number] {
			free = append(free, t.Number)
		}
	}
	slices.Sort(free)
	return tournament.FormatTables(free), err
}

// zonesPost gives an official tables to look after.
func (s *refereePages) zonesPost(c *gin.Context) error {
	event := idIn(c, "event")
	account, err := strconv.ParseInt(c.PostForm("account"), 10, 64)
	if err != nil {
		account = 0 // not found
	}
	zone, err := tournament.Do(c.Request.Context(), s.desk, s.staff(c), tournament.SetZone{Tournament: event, Account: account, Tables: c.PostForm("tables")})
	if err != nil {
		return s.again(c, err, func(c *gin.Context, status int, text string) error {
			return s.showZones(c, status, templates.ZonesView{Problem: text}, account, c.PostForm("tables"))
		})
	}
	if len(zone.Tables) == 0 {
		return s.seeOther(c, templates.ZonesPath(event), "zones.cleared", "name", zone.Name)
	}
	return s.seeOther(c, templates.ZonesPath(event), "zones.set", "name", zone.Name, "tables", tournament.FormatTables(zone.Tables))
}
