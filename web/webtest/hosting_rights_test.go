package webtest

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/organization"
	"meldhall/tournament/rights"
	"meldhall/web/api"
)

// club creates an organization with a signed-in official; the organizer of "blue" is Ann@blue.
func (h *hall) club(slug string, role rights.Role) (organization.Organization, *caller) {
	h.t.Helper()
	house := rights.Staff(rights.RoleOrganizer, "test")
	o, err := action.Do(h.t.Context(), h.desk, house, organization.Create{Slug: slug,
		Texts: organization.Texts{Name: "Club " + slug}})
	if err == nil {
		_, err = action.Do(h.t.Context(), h.desk, house, account.CreateAccount{Name: "Ann", Password: password,
			Role: role, Organization: o.ID})
	}
	if err != nil {
		h.t.Fatal(err)
	}
	name := "Ann@" + slug
	var session api.SessionView
	h.public().must(http.MethodPost, "/sign-in", api.SignInBody{Name: name, Password: password}, &session)
	h.officials[name] = &caller{h, name, session.Token}
	return o, h.officials[name]
}

// given assigns the tournament to an organization.
func (e *event) given(o organization.Organization) {
	e.t.Helper()
	if err := e.store.Write.Exec("UPDATE tournaments SET organization_id = ? WHERE id = ?", o.ID,
		e.id).Error; err != nil {
		e.t.Fatal(err)
	}
}

// ofAnOrganization lists the addresses outside tournaments that show an organizer the data of their own organization.
var ofAnOrganization = []string{"GET /accounts", "GET /security", "GET /formats", "POST /formats/check"}

// TestAnotherOrganizationHasNothingHere requests every API address and every page, file and stream of a tournament as
// an organizer of another organization, and the pages of an organization's tournament as the server's referee. All that
// needs an official is rejected.
func TestAnotherOrganizationHasNothingHere(t *testing.T) {
	t.Parallel()
	for _, whose := range []string{"the house", "an organization"} {
		t.Run("an event of "+whose, func(t *testing.T) {
			t.Parallel()
			e := newEvent(t, 8, nil)
			e.start()
			game := e.begin(0)
			red, _ := e.club("red", rights.RoleOrganizer)
			_, ann := e.club("blue", rights.RoleOrganizer)
			if whose != "the house" {
				e.given(red)
			}
			e.hasNothingHere(t, game, ann, ofAnOrganization)
			e.seesNothingHere(t, game, e.signedIn("Ann@blue"))
		})
	}
	t.Run("the house's referee at an organization's event", func(t *testing.T) {
		t.Parallel()
		e := newEvent(t, 8, nil)
		e.start()
		game := e.begin(0)
		red, _ := e.club("red", rights.RoleOrganizer)
		e.given(red)
		e.seesNothingHere(t, game, e.signedIn("referee"))
	})
}

// TestAnOrganizationsOwn checks that an organizer of an organization can create and run a tournament, but sees no other
// organization's people, accounts, formats and sign-ins, and has no access to the server's administration.
func TestAnOrganizationsOwn(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	_, ann := e.club("blue", rights.RoleOrganizer)
	e.club("red", rights.RoleOrganizer)
	var made api.TournamentDetail
	ann.must(http.MethodPost, "/tournaments", map[string]any{"name": "Blue Cup", "format": "open",
		"rules": map[string]any{"preset": "wrc"}, "roster": "name\nEve\nFay\nGil\nHal\n"}, &made)
	at := fmt.Sprintf("/tournaments/%d", made.ID)
	ann.must(http.MethodPost, at+"/rounds", map[string]any{}, nil)
	ann.must(http.MethodPost, "/accounts", account.CreateAccount{Name: "Bob", Password: password,
		Role: rights.RoleReferee}, nil)
	for path, only := range map[string]string{"/accounts": "@blue", "/devices": "@blue", "/security": "@blue", at +
		"/zones": "@blue"} {
		var rows []struct{ Name string }
		if path == "/security" {
			var page struct{ Entries []struct{ Name string } }
			ann.must(http.MethodGet, path, nil, &page)
			rows = page.Entries
		} else {
			ann.must(http.MethodGet, path, nil, &rows)
		}
		if len(rows) == 0 {
			t.Errorf("%s tells nothing", path)
		}
		for _, row := range rows {
			if !strings.HasSuffix(row.Name, only) {
				t.Errorf("%s tells of %s", path, row.Name)
			}
		}
	}
	for method, refused := range map[string][]string{
		http.MethodGet: {fmt.Sprintf("/tournaments/%d/people", e.id),
			fmt.Sprintf("/tournaments/%d/export/archive.zip", e.id)},
		http.MethodPost: {"/backups", "/actions/copy.take", "/actions/organization.create",
			"/actions/organization.limits"},
	} {
		for _, path := range refused {
			if status, _, text := ann.send(method, path, map[string]any{}); status != http.StatusForbidden {
				t.Errorf("%s: got %d %s", path, status, text)
			}
		}
	}
	ann.refusedWith(t, http.StatusForbidden, "err_of_house", http.MethodPost, "/actions/privacy.take_out",
		map[string]any{})
	house := e.official("Eva", rights.RoleReferee)
	house.refusedWith(t, http.StatusNotFound, "err_tournament_not_found", http.MethodGet, at+"/readiness", nil)
	e.organizer.must(http.MethodGet, at+"/readiness", nil, nil) // the server's organizer has access everywhere
	var ready struct{ Checks []struct{ Key string } }
	ann.must(http.MethodGet, at+"/readiness", nil, &ready)
	for _, check := range ready.Checks {
		if check.Key == "backup" || check.Key == "disk" {
			t.Errorf("it is told of the server's %s", check.Key)
		}
	}
	list := e.signedIn("Ann@blue").get(t, "/desk").is(http.StatusOK)
	if list.count("a[href=/desk/copies]") != 0 || e.signedIn("organizer").get(t,
		"/desk").count("a[href=/desk/copies]") == 0 {
		t.Error("the copies are offered to who may not see them, or not to who may")
	}
	desk := list.text("main")
	if !strings.Contains(desk, "Blue Cup") || strings.Contains(desk, "Test") {
		t.Errorf("the desk has %s", desk)
	}
}

// TestAnArchiveIsWhoseTakesItIn checks that an archive names no organization, and that an imported tournament belongs
// to the importer's organization.
func TestAnArchiveIsWhoseTakesItIn(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	blue, ann := e.club("blue", rights.RoleOrganizer)
	red, bea := e.club("red", rights.RoleOrganizer)
	var made api.TournamentDetail
	ann.must(http.MethodPost, "/tournaments", map[string]any{"name": "Blue Cup", "format": "open",
		"rules": map[string]any{"preset": "wrc"}, "roster": "name\nEve\nFay\nGil\nHal\n"}, &made)
	status, _, archived := ann.send(http.MethodGet, fmt.Sprintf("/tournaments/%d/export/archive.zip", made.ID), nil)
	if status != http.StatusOK {
		t.Fatal(status)
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/organizations/%d/limits", red.ID),
		organization.SetLimits{Limits: organization.Limits{Players: 3}}, nil)
	file := map[string]any{"file": base64.StdEncoding.EncodeToString(archived)}
	bea.refusedWith(t, http.StatusConflict, "err_hosted_players", http.MethodPost, "/actions/tournament.import", file)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/organizations/%d/limits", red.ID), organization.SetLimits{}, nil)
	bea.must(http.MethodPost, "/actions/tournament.import", file, nil)
	ann.refusedWith(t, http.StatusConflict, "err_archive_here", http.MethodPost, "/actions/tournament.import", file)
	for of, want := range map[int64]int{blue.ID: 1, red.ID: 1} {
		events, err := tournament.TournamentsOf(t.Context(), e.store, of)
		if err != nil || len(events) != want || events[0].Name != "Blue Cup" {
			t.Errorf("organization %d has %+v, %v", of, events, err)
		}
		if of == red.ID {
			bea.must(http.MethodGet, fmt.Sprintf("/tournaments/%d/people", events[0].ID), nil, nil)
			ann.refusedWith(t, http.StatusNotFound, "err_tournament_not_found", http.MethodGet,
				fmt.Sprintf("/tournaments/%d/people", events[0].ID), nil)
		}
	}
}
