package desk

import (
	"context"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/ranking"
	"meldhall/tournament/rights"
	"meldhall/tournament/standing"
	"meldhall/web/page"
	"meldhall/web/view"
)

// qualificationPage shows the organizer who qualifies through a tournament and how each division is ranked.
func (s *Pages) qualificationPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	if err := rights.Authorize(s.Page.Request.Staff(c), rights.Place{Tournament: tournamentID},
		rights.MayQualify); err != nil {
		return err
	}
	ctx := s.Page.Request.Language(c)
	q, err := ranking.QualificationOf(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	view := qualificationView(ctx, q)
	view.Page = s.Page.NewPage(c, locale.T(ctx, "qualify.title"), &q.Standings.Tournament)
	return s.Page.Show(c, http.StatusOK, desk.QualificationPage(view))
}

func qualificationView(ctx context.Context, q ranking.Qualification) desk.QualificationView {
	v := desk.QualificationView{Event: q.Standings.Tournament.ID, PerDivision: q.Plan.PerDivision,
		PerPlayers: q.Plan.PerPlayers, Reserves: q.Plan.Reserves,
		QualifyList: desk.QualifyList{Players: q.Players, Places: q.Places, Entries: qualifyRows(q, q.Entries)}}
	for _, d := range q.Divisions {
		division := desk.DivisionView{Name: d.Name, QualifyList: desk.QualifyList{Players: d.Players,
			Places: d.Places, Entries: qualifyRows(q, d.Entries)}}
		for i, r := range d.Rows {
			why := public.WhyRow{Player: r.Player, Rank: view.RankText(d.Rows, i), Name: r.Name,
				Why: view.WhyText(ctx, d.Rows, i)}
			division.Rows = append(division.Rows, why)
			for n := range division.Entries {
				if d.Name != "" && division.Entries[n].Player == r.Player {
					division.Entries[n].Rule = why.Why
				}
			}
		}
		if v.Divisions = append(v.Divisions, division); d.Name != "" {
			v.Names = append(v.Names, d.Name)
		}
	}
	return v
}

func qualifyRows(q ranking.Qualification, entries []standing.Entry) []desk.QualifyRow {
	rows := q.Standings.ByPlayer()
	list := make([]desk.QualifyRow, len(entries))
	for i, e := range entries {
		r, w := rows[e.Player], q.Waivers[e.Player]
		list[i] = desk.QualifyRow{Player: e.Player, Rank: sharedPlace(entries, e.Standing), Name: r.Name,
			Country:  r.Country,
			Division: r.Division, State: e.State, Nth: e.Nth, Why: w.Why, Waiver: w.State}
	}
	return list
}

// sharedPlace formats a place of the list, prefixed with = if several entries share it.
func sharedPlace(entries []standing.Entry, place int) string {
	n := 0
	for _, e := range entries {
		if e.Standing == place {
			n++
		}
	}
	if n > 1 {
		return "=" + strconv.Itoa(place)
	}
	return strconv.Itoa(place)
}

// qualificationPost records that a player waives or takes a place, and the player's division.
func (s *Pages) qualificationPost(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx, actor := c.Request.Context(), s.Page.Request.Staff(c)
	number, err := page.FormNumber(c, "player")
	player := int64(number)
	if err == nil {
		_, err = action.Do(ctx, s.Page.Request.Desk, actor,
			ranking.SetWaiver{Player: player, State: c.PostForm("state"),
				Why: c.PostForm("why")})
	}
	if err == nil {
		_, err = action.Do(ctx, s.Page.Request.Desk, actor,
			tournament.SetDivision{Player: player, Division: c.PostForm("division")})
	}
	if err == nil {
		return s.Page.SeeOther(c, templates.QualificationPath(tournamentID), "qualify.done")
	}
	return s.Page.Again(c, err, s.Page.At(templates.QualificationPath(tournamentID)))
}
