package webtest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"meldhall/tournament/account"
	"meldhall/tournament/organization"
	"meldhall/tournament/rights"
	"meldhall/web/api"
	"meldhall/web/request"
)

// hostingTopic covers creating, limiting, describing and deleting organizations.
func hostingTopic() topic {
	set := func(t *testing.T) *event { return newEntered(t, "Test", roster(4), nil) }
	create := func(slug, name, code string) tried {
		return tried{kind: "organization.create", code: code, ask: func(*walker) asked {
			return asked{page: "/actions/organization.create",
				form: form("slug", slug, "name", name, "events", "", "players", 8, "back", "/organizations"),
				own:  "/organizations",
				send: organization.Create{Slug: slug, Texts: organization.Texts{Name: name},
					Limits: organization.Limits{Players: 8}},
				body: fields{"slug": slug, "name": name, "players": 8}}
		}}
	}
	of := func(kind, own string, id int, send any, code string, nameValues ...any) tried {
		return tried{kind: kind, code: code, ask: func(*walker) asked {
			body := fields{"organization": id}
			for i := 0; i+1 < len(nameValues); i += 2 {
				body[nameValues[i].(string)] = nameValues[i+1]
			}
			at := form(append([]any{"organization", id, "back", "/organizations"}, nameValues...)...)
			if kind == "organization.delete" {
				at.Set("typed", "Bluer Club")
			}
			return asked{page: "/actions/" + kind, form: at, own: fmt.Sprintf("/organizations/%d/%s", id, own),
				send: send, body: body}
		}}
	}
	texts := func(id int, code string) tried {
		return of("organization.texts", "texts", id, organization.SetTexts{Texts: organization.Texts{Name: "Bluer Club",
			Contact: "blue@example.org"}}, code, "name", "Bluer Club", "contact", "blue@example.org")
	}
	limits := func(events int, code string) tried {
		return of("organization.limits", "limits", 1,
			organization.SetLimits{Limits: organization.Limits{Events: events}}, code, "events", events)
	}
	return topic{"organizations", set, []tried{create("blue", "Blue Club", ""),
		create("blue", "Green Club", "err_organization_slug_taken"),
		create("green", "Blu\u0435 Club", "err_name_alike"), create("Blue!", "Red Club", "err_organization_slug"),
		texts(1, ""), texts(9, "err_organization_not_found"), limits(3, ""),
		limits(1_000_000, "err_organization_limit"),
		of("organization.delete", "delete", 9, nil, "err_organization_not_found"),
		of("organization.delete", "delete", 1, nil, "")}}
}

// TestAnOrganizationOnPages follows an organization: the server's organizer adds it and invites its organizer, who
// joins, creates a tournament and writes the texts. Its public pages show these texts and no others do. Then it is
// deleted.
func TestAnOrganizationOnPages(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	house := e.signedIn("organizer")
	if links := house.get(t, "/accounts").is(http.StatusOK).count("a[href=/organizations]"); links != 1 {
		t.Fatalf("the accounts have %d links to the organizations", links)
	}
	const create, texts, limits, remove = "/actions/organization.create", "/actions/organization.texts",
		"/actions/organization.limits", "/actions/organization.delete"
	list := house.get(t, "/organizations").is(http.StatusOK).submit(create, "name", "Blue Club", "slug", "blue",
		"events", "1").is(http.StatusOK)
	list.says("main", "Blue Club").says("main", "@blue")
	invited := house.get(t, "/organizations/1").is(http.StatusOK).submit("/accounts/invite", "invite-name",
		"Ann").is(http.StatusOK)
	invited.says("h1", "Ann@blue")
	id, err := account.AccountNamed(t.Context(), e.store, "Ann@blue")
	if err != nil || id == 0 {
		t.Fatal(id, err)
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/accounts/%d/password", id), map[string]any{"password": password},
		nil)
	ann := e.signedIn("Ann@blue")
	ann.get(t, "/organizations").is(http.StatusForbidden)
	house.get(t, "/accounts/security").is(http.StatusOK).says("main", "Blue Club")
	own := ann.get(t, "/organizations/1").is(http.StatusOK).says("main", "1 event at most")
	if own.count("form[action="+limits+"]")+own.count("form[action="+remove+"]") != 0 ||
		ann.get(t, "/accounts").count("a[href=/organizations/1]") != 1 {
		t.Errorf("its own organizer is shown %s", own.text("main"))
	}
	own.submit(texts, "welcome", "Hello at the blue club", "contact", "blue@example.org", "imprint",
		"Blue e.V., Row 1").is(http.StatusOK)
	made := e.makesOne(t, "Ann@blue")
	e.blueIsRead(t, made)
	house.get(t, "/organizations/1").submit(remove, "typed", "Blue").is(http.StatusUnprocessableEntity)
	gone := house.get(t, "/organizations/1").submit(remove, "typed", "blue club").is(http.StatusOK)
	if gone.count("a[href=/organizations/1]") != 0 {
		t.Errorf("it is still there: %s", gone.text("main"))
	}
	e.reader().get(t, "/o/blue").is(http.StatusNotFound)
	e.reader().get(t, fmt.Sprintf("/events/%d", made)).is(http.StatusNotFound)
	if page := ann.get(t, "/accounts"); !strings.HasPrefix(page.path, "/sign-in") {
		t.Errorf("who was its organizer is at %s", page.path)
	}
	e.organizer.must(http.MethodGet, fmt.Sprintf("/tournaments/%d/players", e.id), nil, nil)
}

// makesOne lets an official create one tournament and checks that a second one is rejected.
func (e *event) makesOne(t *testing.T, name string) int64 {
	t.Helper()
	var session api.SessionView
	e.public().must(http.MethodPost, "/sign-in", api.SignInBody{Name: name, Password: password}, &session)
	by := &caller{e.hall, name, session.Token}
	var made api.TournamentDetail
	body := func(name string) map[string]any {
		return map[string]any{"name": name, "format": "open", "rules": map[string]any{"preset": "wrc"},
			"roster": "name\nEve\nFay\nGil\nHal\n"}
	}
	by.must(http.MethodPost, "/tournaments", body("Blue Cup"), &made)
	var round api.RoundDetail
	by.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", made.ID), map[string]any{}, &round)
	by.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", round.ID), nil, nil)
	by.refusedWith(t, http.StatusConflict, "err_organization_events", http.MethodPost, "/tournaments",
		body("Blue Cup 2"))
	return made.ID
}

// blueIsRead checks which public pages show an organization's texts and which do not.
func (e *event) blueIsRead(t *testing.T, made int64) {
	t.Helper()
	reader := e.reader()
	for path, told := range map[string][]string{
		"/o/blue":                               {"Blue Cup", "Hello at the blue club", "blue@example.org", "Row 1"},
		fmt.Sprintf("/events/%d", made):         {"Hello at the blue club", "Blue Club", "blue@example.org", "Row 1"},
		fmt.Sprintf("/events/%d/players", made): {"Blue Club", "Row 1"},
	} {
		page := reader.get(t, path).is(http.StatusOK)
		for _, word := range told {
			page.says("main", word)
		}
	}
	if text := reader.get(t, fmt.Sprintf("/events/%d", e.id)).is(http.StatusOK).text("main"); strings.Contains(text,
		"lue Club") {
		t.Errorf("the house's event has %s", text)
	}
	var list []api.TournamentView
	e.public().must(http.MethodGet, "/tournaments", nil, &list)
	for _, event := range list {
		if host := event.Organization; event.ID == made && (host == nil ||
			*host != api.HostView{Slug: "blue", Name: "Blue Club"}) || event.ID == e.id && host != nil {
			t.Errorf("programs read that %s is of %+v", event.Name, host)
		}
	}
	if page := reader.get(t, "/o/blue"); page.count(fmt.Sprintf("a[href=/events/%d]", e.id)) != 0 {
		t.Errorf("the house's event is on the organization's page: %s", page.text("main"))
	}
}

// TestViewersOfAnOrganization checks an organization's limit of simultaneous viewers. One viewer more gets a clear
// message, but players and officials are always admitted, and other tournaments are not limited.
func TestViewersOfAnOrganization(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	game := e.begin(0)
	blue, _ := e.club("blue", rights.RoleOrganizer)
	e.given(blue)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/organizations/%d/limits", blue.ID),
		organization.SetLimits{Limits: organization.Limits{Streams: 2}}, nil)
	paths := []string{fmt.Sprintf("/events/%d/live", e.id), fmt.Sprintf("/events/%d/tables/live", e.id),
		request.APIBase + fmt.Sprintf("/games/%d/live", game)}
	listen := func(path string) (status int, text string, stop func()) {
		ctx, cancel := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, e.http.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := e.http.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if res.StatusCode != http.StatusOK {
			body, _ := io.ReadAll(res.Body)
			text = string(body)
		}
		return res.StatusCode, text, func() { cancel(); res.Body.Close() }
	}
	for i, path := range paths {
		status, text, stop := listen(path)
		defer stop()
		if i < 2 && status != http.StatusOK || i == 2 && (status != http.StatusServiceUnavailable ||
			!strings.Contains(text, "reached their viewer limit")) {
			t.Errorf("%d, %s: got %d %.300s", i, path, status, text)
		}
	}
	for name, r := range map[string]*reader{"a player": e.readerAt(0, 0), "an official": e.signedIn("organizer")} {
		if status, _ := r.first(t, paths[0]); status != http.StatusOK {
			t.Errorf("%s: got %d", name, status)
		}
	}
	other, round := e.elsewhere(), api.RoundDetail{}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", other), roster(4), nil)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", other), fields{}, &round)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", round.ID), nil, nil)
	if status, _ := e.reader().first(t, fmt.Sprintf("/events/%d/live", other)); status != http.StatusOK {
		t.Errorf("an event of the house: got %d", status)
	}
}
