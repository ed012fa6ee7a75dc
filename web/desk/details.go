package desk

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/housekeeping"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/view"
)

// detailsPage is the form for what a tournament says about itself, and for ending it.
func (s *Pages) detailsPage(c *gin.Context) error {
	tournamentID, actor := page.ID(c, "event"), s.Page.Request.Staff(c)
	ctx := s.Page.Request.Language(c)
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayPlanDay); err != nil {
		return err
	}
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	rounds, err := draw.Rounds(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	v := desk.DetailsView{Event: t.ID, Name: t.Name, Place: t.Place, FirstDay: t.FirstDay, LastDay: t.LastDay,
		TimeZone: t.TimeZone, ServerZone: serverZone(s.View.Store.Now()), Organizer: t.Organizer,
		Referee: t.Referee, PhotosMost: housekeeping.PhotosMost,
		Federation: t.Federation, Colour: t.Colour, Legible: t.Legible(),
		Contrast: locale.Tenths(ctx, t.Contrast()), Finished: t.Status == tournament.StatusFinished,
		Cancelled: t.CancelledAt != 0, Unlisted: t.UnlistedAt != 0,
		MayDelete: t.Rehearses == 0 && rights.Authorize(actor, rights.Place{}, rights.MayCreateTournament) == nil}
	for _, r := range rounds {
		v.Published = v.Published || r.Status != tournament.RoundDraft
	}
	if v.Logo, err = s.View.Logo(ctx, t.ID); err != nil {
		return err
	}
	if v.Photos, err = s.View.Photos(ctx, t.ID); err != nil {
		return err
	}
	v.Page = s.Page.NewPage(c, locale.T(ctx, "details.title"), &t)
	return s.Page.Show(c, http.StatusOK, desk.DetailsPage(v))
}

// serverZone names the server's time zone.
func serverZone(now time.Time) string {
	if name := tournament.ServerZone(); name != "" {
		return name
	}
	return locale.ZoneName(context.Background(), now)
}

// againPage is the form that creates the next tournament like an earlier one.
func (s *Pages) againPage(c *gin.Context) error {
	tournamentID, actor := page.ID(c, "event"), s.Page.Request.Staff(c)
	ctx := s.Page.Request.Language(c)
	if err := rights.Authorize(actor, rights.Place{}, rights.MayCreateTournament); err != nil {
		return err
	}
	players, err := tournament.PlayersFull(ctx, s.View.Store, actor, tournamentID)
	if err != nil {
		return err
	}
	t, f, err := s.View.Tournaments.WithFormat(ctx, tournamentID)
	if err != nil {
		return err
	}
	rules, err := t.Rules()
	if err != nil {
		return err
	}
	v := desk.AgainView{Event: t.ID}
	v.Name, v.FirstDay, v.LastDay = housekeeping.Next(t, s.View.Store.Now())
	for _, fact := range [][2]string{{"events.format", view.TextOr(ctx, "format."+f.Name, f.Name)},
		{"events.rules", s.View.RulesName(ctx, rules)}, {"tiles.title", locale.T(ctx, "tiles."+t.Tiles)},
		{"events.place", t.Place}} {
		if fact[1] != "" {
			v.Takes = append(v.Takes, locale.T(ctx, fact[0])+": "+locale.Isolate(fact[1]))
		}
	}
	v.Takes = append(v.Takes, locale.T(ctx, "again.takes"))
	for _, p := range players {
		v.Players = append(v.Players, desk.AgainPlayer{ID: p.ID, Name: p.Name, Club: p.Club})
	}
	v.Page = s.Page.NewPage(c, locale.T(ctx, "again.link"), &t)
	return s.Page.Show(c, http.StatusOK, desk.AgainPage(v))
}

// repeated redirects to a tournament that was created like an earlier one.
func (s *Pages) repeated(c *gin.Context, t tournament.Tournament) error {
	players, err := tournament.Players(c.Request.Context(), s.View.Store, t.ID)
	if err != nil {
		return err
	}
	return s.Page.SeeOther(c, templates.DeskPath(t.ID), "events.made_with", "n", len(players))
}

// aboutLine returns a tournament's days and place in a line.
func aboutLine(ctx context.Context, t tournament.Tournament) string {
	first, last, ok := t.Days()
	switch {
	case ok && t.Place != "":
		return fmt.Sprint(locale.Days(ctx, first, last), " · ", t.Place)
	case ok:
		return locale.Days(ctx, first, last)
	}
	return t.Place
}
