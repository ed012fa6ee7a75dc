// Package hosting is the pages of the organizations that have this server for their events: for the house's organizers all of them, for an
// organization's its own, and for everybody its events.
package hosting

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/hosting"
	"meldhall/tournament/rights"
	"meldhall/tournament/staff"
	"meldhall/web/frame"
	"meldhall/web/venue"
)

// Pages are these pages. Rows draws lines of a list of events.
type Pages struct {
	*frame.Frame
	*venue.Venue
	Rows func(ctx context.Context, reader rights.Actor, events []tournament.Tournament) ([]templates.EventRow, error)
}

// AddTo adds their routes. What they change is done by the actions' own address.
func (p *Pages) AddTo(pages *gin.RouterGroup) {
	pages.GET(string(templates.HostedPath), p.Handle(p.listPage))
	pages.GET(string(templates.HostedPath)+"/:organization", p.Handle(p.onePage))
	pages.GET("/o/:slug", p.Handle(p.eventsPage))
}

func (p *Pages) listPage(c *gin.Context) error {
	ctx := p.Language(c)
	all, err := hosting.All(ctx, p.Store, p.Staff(c))
	if err != nil {
		return err
	}
	view := templates.HostedView{Page: p.NewPage(c, templates.T(ctx, "hosting.title"), nil)}
	for _, o := range all {
		view.Organizations = append(view.Organizations, hosted(o))
	}
	return p.Show(c, http.StatusOK, templates.HostedPage(view))
}

func hosted(o hosting.Held) templates.Hosted {
	return templates.Hosted{ID: o.ID, Slug: o.Slug, Name: o.Name, Welcome: o.Welcome, Contact: o.Contact, Imprint: o.Imprint,
		Events: o.Limits.Events, Players: o.Limits.Players, Streams: o.Limits.Streams, HasEvents: o.HasEvents, HasAccounts: o.HasAccounts}
}

func (p *Pages) onePage(c *gin.Context) error {
	ctx, actor := p.Language(c), p.Staff(c)
	o, err := hosting.Find(ctx, p.Store, actor, frame.ID(c, "organization"))
	if err != nil {
		return err
	}
	view := templates.OrganizationView{Page: p.NewPage(c, o.Name, nil), Hosted: hosted(o), House: actor.Organization == 0}
	accounts, err := staff.AccountsIn(ctx, p.Store, actor, o.ID)
	if err != nil {
		return err
	}
	for _, a := range accounts {
		view.Accounts = append(view.Accounts, templates.Account{ID: a.ID, Name: a.Name, Role: templates.Role(a.Role)})
	}
	return p.Show(c, http.StatusOK, templates.OrganizationPage(view))
}

// eventsPage is an organization's events and texts, for everybody.
func (p *Pages) eventsPage(c *gin.Context) error {
	ctx := p.Language(c)
	o, err := hosting.BySlug(ctx, p.Store, c.Param("slug"))
	if err != nil {
		return err
	}
	events, err := tournament.TournamentsOf(ctx, p.Store, o.ID)
	if err != nil {
		return err
	}
	rows, err := p.Rows(ctx, p.Staff(c), events)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].Host = ""
	}
	view := templates.HostedEventsView{HomeView: templates.HomeView{Page: p.NewPage(c, o.Name, nil), Events: rows}, Host: frame.HostOf(o)}
	view.Canonical = p.BaseURL(c) + string(templates.OrganizationEventsPath(o.Slug))
	return p.Show(c, http.StatusOK, templates.HostedEventsPage(view))
}
