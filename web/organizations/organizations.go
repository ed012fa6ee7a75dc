// Package organizations serves the pages about the organizations that use this server. The server's own organizers see
// all of them, an organization's organizers see their own, and each organization has a public page with its
// tournaments.
package organizations

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/accounts"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/organization"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/view"
)

// Pages serves the pages about organizations. Rows renders the lines of a list of tournaments.
type Pages struct {
	Page *page.Base
	View *view.Reader
	Rows func(ctx context.Context, reader rights.Actor, events []tournament.Tournament) ([]public.EventRow, error)
}

// AddTo adds the routes. Changes are sent to the addresses of the actions.
func (p *Pages) AddTo(pages *gin.RouterGroup) {
	pages.GET(string(templates.HostedPath), p.Page.Request.Handle(p.listPage))
	pages.GET(string(templates.HostedPath)+"/:organization", p.Page.Request.Handle(p.onePage))
	pages.GET("/o/:slug", p.Page.Request.Handle(p.eventsPage))
}

func (p *Pages) listPage(c *gin.Context) error {
	ctx := p.Page.Request.Language(c)
	all, err := organization.All(ctx, p.View.Store, p.Page.Request.Staff(c))
	if err != nil {
		return err
	}
	view := accounts.HostedView{Page: p.Page.NewPage(c, locale.T(ctx, "hosting.title"), nil)}
	for _, o := range all {
		view.Organizations = append(view.Organizations, hosted(o))
	}
	return p.Page.Show(c, http.StatusOK, accounts.HostedPage(view))
}

func hosted(o organization.Held) accounts.Hosted {
	return accounts.Hosted{ID: o.ID, Slug: o.Slug, Name: o.Name, Welcome: o.Welcome, Contact: o.Contact,
		Imprint: o.Imprint,
		Events:  o.Limits.Events, Players: o.Limits.Players, Streams: o.Limits.Streams, HasEvents: o.HasEvents,
		HasAccounts: o.HasAccounts}
}

func (p *Pages) onePage(c *gin.Context) error {
	ctx, actor := p.Page.Request.Language(c), p.Page.Request.Staff(c)
	o, err := organization.Find(ctx, p.View.Store, actor, page.ID(c, "organization"))
	if err != nil {
		return err
	}
	view := accounts.OrganizationView{Page: p.Page.NewPage(c, o.Name, nil), Hosted: hosted(o),
		House: actor.Organization == 0}
	all, err := account.AccountsIn(ctx, p.View.Store, actor, o.ID)
	if err != nil {
		return err
	}
	for _, a := range all {
		view.Accounts = append(view.Accounts, accounts.Account{ID: a.ID, Name: a.Name, Role: part.Role(a.Role)})
	}
	return p.Page.Show(c, http.StatusOK, accounts.OrganizationPage(view))
}

// eventsPage shows an organization's tournaments and texts to the public.
func (p *Pages) eventsPage(c *gin.Context) error {
	ctx := p.Page.Request.Language(c)
	o, err := organization.BySlug(ctx, p.View.Store, c.Param("slug"))
	if err != nil {
		return err
	}
	events, err := tournament.TournamentsOf(ctx, p.View.Store, o.ID)
	if err != nil {
		return err
	}
	rows, err := p.Rows(ctx, p.Page.Request.Staff(c), events)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].Host = ""
	}
	view := accounts.HostedEventsView{HomeView: public.HomeView{Page: p.Page.NewPage(c, o.Name, nil), Events: rows},
		Host: page.HostOf(o)}
	view.Page.Colours = view.Colours()
	view.Canonical = p.Page.Request.BaseURL(c) + string(templates.OrganizationEventsPath(o.Slug))
	return p.Page.Show(c, http.StatusOK, accounts.HostedEventsPage(view))
}
