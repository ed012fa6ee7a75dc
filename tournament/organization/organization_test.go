package organization_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/organization"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// hosted creates an organization and returns it with its organizer as an actor.
func hosted(e *actiontest.Event, slug string, limits organization.Limits) (organization.Organization, rights.Actor) {
	e.Helper()
	o := actiontest.Do(e, organization.Create{Slug: slug, Texts: organization.Texts{Name: "The " + slug + " club"},
		Limits: limits})
	invite := actiontest.Do(e, account.InviteOfficial{Name: "Ann", Role: rights.RoleOrganizer, Organization: o.ID})
	return o, actorOf(e, invite.Account.ID)
}

func actorOf(e *actiontest.Event, acc int64) rights.Actor {
	e.Helper()
	actor, err := account.AccountActor(e.Context(), e.DB, acc)
	if err != nil {
		e.Fatal(err)
	}
	return actor
}

func refused(t *testing.T, what string, err error, key string) {
	t.Helper()
	var r *refuse.Error
	if !errors.As(err, &r) || r.Key != key {
		t.Errorf("%s: got %v, want %s", what, err, key)
	}
}

// made creates a tournament as an actor.
func made(e *actiontest.Event, actor rights.Actor, name string) (tournament.Tournament, error) {
	e.Helper()
	f, rules, err := e.Plan()
	if err != nil {
		e.Fatal(err)
	}
	return action.Do(e.Context(), e.Desk, actor, people.CreateTournament{Name: name, Format: f, Rules: rules,
		Roster: "name\nEve\nFay\nGil\nHal\n"})
}

// TestWhoseItIs checks that what an organization's organizer creates belongs to the organization and is hidden from
// other organizations, and that the organization has no access to the server's own parts.
func TestWhoseItIs(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 4)
	ctx := t.Context()
	blue, ann := hosted(e, "blue", organization.Limits{})
	_, other := hosted(e, "red", organization.Limits{})
	if ann.Name != "Ann@blue" || other.Name != "Ann@red" || ann.Organization != blue.ID {
		t.Errorf("got %+v, %+v", ann, other)
	}
	event, err := made(e, ann, "Blue Cup")
	if err != nil || event.OrganizationID != blue.ID {
		t.Fatalf("got %+v, %v", event, err)
	}
	ann = actorOf(e, ann.Account)
	if _, err := tournament.PlayersFull(ctx, e.DB, ann, event.ID); err != nil {
		t.Errorf("its own event: %v", err)
	}
	_, err = tournament.PlayersFull(ctx, e.DB, other, event.ID)
	refused(t, "another organization's people", err, "err_not_your_event")
	_, err = tournament.PlayersFull(ctx, e.DB, ann, e.ID)
	refused(t, "the house's people", err, "err_not_your_event")
	referee := actiontest.Do(e, account.CreateAccount{Name: "Ron", Password: "nobody else knows it",
		Role: rights.RoleReferee})
	_, err = tournament.PlayersFull(ctx, e.DB, actorOf(e, referee.ID), event.ID)
	refused(t, "for the house's referee", err, "err_not_allowed")
	if actorOf(e, referee.ID).Serves(event.ID) || !actorOf(e, referee.ID).Serves(e.ID) {
		t.Error("the house's referee serves an organization's event, or not the house's")
	}
	bob, err := action.Do(ctx, e.Desk, ann, account.CreateAccount{Name: "Bob@blue", Password: "nobody else knows it",
		Role: rights.RoleReferee})
	if err != nil || bob.Name != "Bob@blue" || bob.OrganizationID != blue.ID {
		t.Errorf("got %+v, %v", bob, err)
	}
	for _, row := range []struct {
		what string
		by   rights.Actor
		do   action.Action
		key  string
	}{
		{"another's account", other, account.SetRole{Account: bob.ID, Role: rights.RoleObserver},
			"err_account_not_found"},
		{"the house's account", ann, account.SetRole{Account: referee.ID, Role: rights.RoleObserver},
			"err_account_not_found"},
		{"an account elsewhere", ann, account.InviteOfficial{Name: "Eve", Role: rights.RoleReferee,
			Organization: other.Organization}, "err_organization_not_found"},
		{"an account at another's event", ann, account.SetEvents{Account: bob.ID, Events: []int64{e.ID}},
			"err_tournament_not_found"},
		{"the last organizer", ann, account.RemoveAccount{Account: ann.Account}, "err_last_organizer"},
		{"an organization", ann, organization.Create{Slug: "green", Texts: organization.Texts{Name: "Green"}},
			"err_of_house"},
		{"its limits", ann, organization.SetLimits{Organization: blue.ID}, "err_of_house"},
		{"another's texts", ann, organization.SetTexts{Organization: other.Organization,
			Texts: organization.Texts{Name: "x"}}, "err_organization_not_found"},
		{"a name that looks like an organization's", actiontest.Organizer,
			account.InviteOfficial{Name: "Eve@Blue", Role: rights.RoleReferee}, "err_account_of_organization"},
		{"a short name that is taken", actiontest.Organizer,
			organization.Create{Slug: "blue", Texts: organization.Texts{Name: "x"}}, "err_organization_slug_taken"},
		{"a short name of no form", actiontest.Organizer, organization.Create{Slug: "Blue!",
			Texts: organization.Texts{Name: "x"}}, "err_organization_slug"},
		{"a name that looks like another's", actiontest.Organizer,
			organization.Create{Slug: "grey",
				Texts: organization.Texts{Name: strings.ReplaceAll(blue.Name, "u", "\u03c5")}},
			"err_name_alike"},
		{"no name", actiontest.Organizer, organization.Create{Slug: "grey"}, "err_organization_name"},
	} {
		_, err := e.Do(ctx, row.by, row.do)
		refused(t, row.what, err, row.key)
	}
	list, err := account.Accounts(ctx, e.DB, ann)
	if names := fmt.Sprintln(len(list), list[0].Name, list[1].Name); err != nil || names != "2 Ann@blue Bob@blue\n" {
		t.Errorf("its accounts: %s, %v", names, err)
	}
	house, err := account.Accounts(ctx, e.DB, actiontest.Organizer)
	if err != nil || slices.ContainsFunc(house, func(a account.Account) bool { return a.OrganizationID != 0 }) {
		t.Errorf("the house's accounts: %+v, %v", house, err)
	}
}

// TestFormatsOfOrganizations checks that two organizations may have formats of the same name, and that neither sees the
// other's.
func TestFormatsOfOrganizations(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 4)
	_, ann := hosted(e, "blue", organization.Limits{})
	_, other := hosted(e, "red", organization.Limits{})
	var ids []int64
	for _, by := range []rights.Actor{actiontest.Organizer, ann, other} {
		saved, err := action.Do(t.Context(), e.Desk, by, tournament.SaveFormat{Format: actiontest.OneRound()})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, saved.ID)
	}
	_, err := action.Do(t.Context(), e.Desk, ann, tournament.SaveFormat{Format: actiontest.OneRound()})
	refused(t, "twice", err, "err_format_name_taken")
	for i, by := range []rights.Actor{actiontest.Organizer, ann, other} {
		own, err := tournament.OwnFormats(t.Context(), e.DB, by)
		if err != nil || len(own) != 1 || own[0].ID != ids[i] {
			t.Errorf("%s has %+v, %v", by.Name, own, err)
		}
		_, err = action.Do(t.Context(), e.Desk, by, tournament.RemoveFormat{ID: ids[(i+1)%3]})
		refused(t, "another's format", err, "err_format_not_found")
	}
}

// TestRoom checks that an organization cannot exceed its limits of tournaments and players, and that the server itself
// has no limits.
func TestRoom(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 4)
	blue, ann := hosted(e, "blue", organization.Limits{Events: 1, Players: 4})
	event, err := made(e, ann, "One")
	if err != nil {
		t.Fatal(err)
	}
	_, err = made(e, ann, "Two")
	refused(t, "an event more", err, "err_organization_events")
	ann = actorOf(e, ann.Account)
	_, err = action.Do(t.Context(), e.Desk, ann, people.ImportRoster{Tournament: event.ID, File: "name\nIda\n"})
	refused(t, "a player more", err, "err_hosted_players")
	actiontest.Do(e, organization.SetLimits{Organization: blue.ID, Limits: organization.Limits{Events: 2, Players: 5}})
	if _, err := action.Do(t.Context(), e.Desk, ann, people.ImportRoster{Tournament: event.ID,
		File: "name\nIda\n"}); err != nil {
		t.Error(err)
	}
	if _, err = made(e, ann, "Two"); err != nil {
		t.Error(err)
	}
}
