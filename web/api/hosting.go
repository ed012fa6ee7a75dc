package api

import (
	"context"
	"slices"

	"meldhall/tournament"
	"meldhall/tournament/organization"
)

// OrganizationView is an organization with its limits and their use.
type OrganizationView struct {
	ID   int64  `json:"id"`
	Slug string `json:"slug"`
	organization.Texts
	organization.Limits
	HasEvents   int `json:"has_events"`
	HasAccounts int `json:"has_accounts"`
}

func (a *api) hostingOperations() {
	operation(a, forOrganizer, "GET /organizations",
		"The organizations that hold events on this server; for the server's organizers", a.apiOrganizations)
	operation(a, forOrganizer, "GET /organizations/{id}", "One organization; for the server's organizers and its own",
		a.apiOrganization)
	does[organization.Create](a, forOrganizer, "POST /organizations", "Add an organization", madeOrganization)
	does[organization.SetTexts](a, forOrganizer, "POST /organizations/{id}/texts",
		"Change an organization's texts; for its own organizers and the server's", madeOrganization)
	does[organization.SetLimits](a, forOrganizer, "POST /organizations/{id}/limits",
		"Set an organization's limits; existing events, players and streams are kept", madeOrganization)
	does[organization.Delete](a, forOrganizer, "POST /organizations/{id}/delete",
		"Delete an organization and all its data for good; the database is copied first", same)
}

func (a *api) apiOrganizations(ctx context.Context, _ *nothing) (*listOf[OrganizationView], error) {
	return listed(organizationView)(organization.All(ctx, a.View.Store, a.Request.Staff(requestOf(ctx))))
}

func (a *api) apiOrganization(ctx context.Context, in *IDPath) (*with[OrganizationView], error) {
	o, err := organization.Find(ctx, a.View.Store, a.Request.Staff(requestOf(ctx)), in.ID)
	return answer(organizationView(o), err)
}

func madeOrganization(o organization.Organization) OrganizationView {
	return organizationView(organization.Held{Organization: o})
}

func organizationView(o organization.Held) OrganizationView {
	return OrganizationView{ID: o.ID, Slug: o.Slug, Texts: o.Texts(), Limits: o.Limits, HasEvents: o.HasEvents,
		HasAccounts: o.HasAccounts}
}

// HostView is the organization of a tournament, for the public.
type HostView struct {
	Slug string `json:"slug" doc:"its short name; its events are listed at /o/SLUG"`
	Name string `json:"name"`
}

func (a *api) tournamentView(ctx context.Context, t tournament.Tournament) (TournamentView, error) {
	views, err := a.tournamentViews(ctx, []tournament.Tournament{t})
	return views[0], err
}

func (a *api) tournamentViews(ctx context.Context, all []tournament.Tournament) ([]TournamentView, error) {
	var hosts map[int64]organization.Organization
	var err error
	if slices.ContainsFunc(all, func(t tournament.Tournament) bool { return t.OrganizationID != 0 }) {
		hosts, err = organization.ByNumber(ctx, a.View.Store)
	}
	return viewsOf(all, func(t tournament.Tournament) TournamentView {
		view := TournamentView{ID: t.ID, Name: t.Name, Place: t.Place, Status: t.Status, Created: t.CreatedAt,
			Details: t.Details, Cancelled: t.CancelledAt != 0}
		if host, ok := hosts[t.OrganizationID]; ok {
			view.Organization = &HostView{host.Slug, host.Name}
		}
		return view
	}), err
}
