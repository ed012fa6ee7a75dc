package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"meldhall/engine/testmode"
	"meldhall/tournament"
	"meldhall/tournament/rights"
	"meldhall/web/api"
	"meldhall/web/request"
)

// The names of a draft tournament, its people and its clubs.
const (
	draftName = "Zzyzx Cup"
	draftList = "name,country,club\nQuirina Zwetkowa,IT,Xylofon Club\nBartolo Yxkull,IT,Xylofon Club\n" +
		"Cid Okapi,IT,\nDan Okapi,IT,\n"
	noSuchOne  = 99_999
	draftWords = "Zzyzx|Zwetkowa|Yxkull|Xylofon|Okapi"
)

// draftEvent creates a tournament with a draft round in a hall with another, running tournament. The strangers are
// readers who are not officials of the draft.
func draftEvent(t *testing.T) (e *event, strangers map[string]*reader) {
	t.Helper()
	e = newEvent(t, 4, nil)
	strangers = map[string]*reader{"the public": e.reader(), "a player of another event": e.seated(e.at(0, 0))}
	_, _ = e.club("red", rights.RoleOrganizer)
	strangers["an organizer of an organization"] = e.signedIn("Ann@red")
	var made api.TournamentDetail
	e.organizer.must(http.MethodPost, "/tournaments", fields{"name": draftName, "place": "Xylofon Hall",
		"format": "open", "rules": fields{"preset": "wrc"}, "roster": draftList}, &made)
	e.id = made.ID
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), fields{}, &e.round)
	return e, strangers
}

// draftNamed returns the first name of the draft tournament that body contains, or "".
func draftNamed(body string) string {
	for word := range strings.SplitSeq(draftWords, "|") {
		if strings.Contains(body, word) {
			return word
		}
	}
	return ""
}

// TestADraftEventIsForItsOfficials checks that only its officials see a draft tournament and its rehearsals, on any
// page, list, picture or response. Publishing its first round shows it; unpublishing hides it again.
func TestADraftEventIsForItsOfficials(t *testing.T) {
	t.Parallel()
	e, strangers := draftEvent(t)
	at, own := fmt.Sprintf("/events/%d", e.id), fmt.Sprintf("%s/tournaments/%d", request.APIBase, e.id)
	lists := []string{"/", "/card.png", request.APIBase + "/tournaments"}
	paths := []string{at, at + "/live", at + "/players", at + "/tables", at + "/rounds", at + "/schedule", at +
		"/regulations", at + "/statistics", at + "/crosstable", at + "/register",
		at + "/calendar.ics", at + "/results.atom", at + "/card.png", at + "/boards/names,tables", at +
			"/boards/names/live", at + "/display/1", at + "/display/1/live", "/embed" + at,
		fmt.Sprintf("/overlay/%d/table", e.id), at + "/paper/standings", own, own + "/players", own + "/standings",
		own + "/schedule", own + "/announcements", own + "/promises",
		own + "/registration", own + "/cut", own + "/qualification", own + "/export/seating.json", own +
			"/export/standings.csv"}
	hidden := func(when string) {
		t.Helper()
		for who, r := range strangers {
			for _, path := range paths {
				if status, body := r.first(t, path); status != http.StatusNotFound || draftNamed(body) != "" {
					t.Errorf("%s, %s to %s: got %d with %q", when, path, who, status, draftNamed(body))
				}
			}
			for _, path := range lists {
				if status, body := r.first(t, path); status != http.StatusOK || draftNamed(body) != "" {
					t.Errorf("%s, %s to %s: got %d with %q", when, path, who, status, draftNamed(body))
				}
			}
		}
	}
	hidden("drafted")
	for _, path := range append(lists[:1:1], at, at+"/players", own+"/players") {
		if status, body := e.signedIn("referee").first(t, path); status != http.StatusOK || draftNamed(body) == "" {
			t.Errorf("%s to a referee: got %d", path, status)
		}
	}
	var copied api.TournamentView
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rehearsal", e.id), api.RehearsalBody{By: "tables"},
		&copied)
	for who, r := range strangers {
		if status, body := r.first(t, fmt.Sprintf("/events/%d/players", copied.ID)); status != http.StatusNotFound ||
			draftNamed(body) != "" {
			t.Errorf("its rehearsal to %s: got %d with %q", who, status, draftNamed(body))
		}
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rehearsals/%d/remove", copied.ID), nil, nil)

	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	if status, body := strangers["the public"].first(t, at+"/players"); status != http.StatusOK ||
		draftNamed(body) == "" {
		t.Errorf("published: got %d", status)
	}
	regions := strangers["the public"].regions(t, at+"/tables/live")
	<-regions
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/withdraw", e.round.ID), fields{"why": "too early"}, nil)
	for open, limit := true, time.After(patience); open; {
		select {
		case _, open = <-regions:
		case <-limit:
			t.Fatal("a page that was open goes on")
		}
	}
	hidden("withdrawn")
}

// TestADraftTakesEntries checks that an open registration is public. It shows the tournament's name but no people, and
// the rest of the draft stays hidden.
func TestADraftTakesEntries(t *testing.T) {
	t.Parallel()
	e, strangers := draftEvent(t)
	at := fmt.Sprintf("/events/%d", e.id)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/people", e.id),
		request.PeopleBody{Kind: "settings", Settings: &tournament.PeopleSettingsOf{RegistrationOpen: true,
			NoShowMinutes: 10}}, nil)
	r := strangers["the public"]
	page := r.get(t, at+"/register").is(http.StatusOK).says("main", draftName)
	if body := r.body(t, at+"/register"); strings.Contains(body, "Zwetkowa") ||
		strings.Contains(body, "Xylofon Club") || strings.Contains(body, `href="`+at+`"`) {
		t.Errorf("the registration tells of people, or leads to what is not there: %s", body)
	}
	page.submit(at+"/register", "name", "Eve Newcomer").is(http.StatusOK).says("h1", "Eve Newcomer")
	r.get(t, at+"/players").is(http.StatusNotFound)
}

// TestNoRouteTellsOfADraft requests every route as a stranger. The response about a draft contains none of its names
// and equals the response about a missing tournament.
func TestNoRouteTellsOfADraft(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	e, strangers := draftEvent(t)
	draft, nowhere := e.addresses(t, noSuchOne), strings.NewReplacer(":event", fmt.Sprint(noSuchOne))
	for who, r := range strangers {
		asked := 0
		for _, route := range e.server.Routes() {
			if route.Method != http.MethodGet || strings.HasPrefix(route.Path, "/assets/") ||
				strings.Contains(route.Path, "/openapi") || strings.Contains(route.Path, ":ticket") {
				continue
			}
			pattern := strings.NewReplacer("/tournaments/:id", "/tournaments/:event", "/rounds/:id",
				"/rounds/:round").Replace(route.Path) + queries[route.Path]
			status, body := r.first(t, draft.Replace(pattern))
			if word := draftNamed(body); word != "" {
				t.Errorf("%s to %s tells %q", pattern, who, word)
			}
			if strings.Contains(pattern, ":event") {
				if want, _ := r.first(t, draft.Replace(nowhere.Replace(pattern))); status != want {
					t.Errorf("%s to %s: got %d, %d where there is no event", pattern, who, status, want)
				}
			}
			asked++
		}
		if asked < 100 {
			t.Errorf("only %d addresses were asked", asked)
		}
	}
}
