package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/tournament"
	"meldhall/tournament/rights"
	"meldhall/web/request"
)

func TestPagesByRole(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	game := e.begin(0)
	readers := []*reader{e.reader(), e.reader(), e.signedIn("referee"), e.signedIn("organizer")}
	base, err := url.Parse(e.http.URL)
	if err != nil {
		t.Fatal(err)
	}
	readers[1].client.Jar.SetCookies(base, []*http.Cookie{{Name: "meldhall-seat", Value: e.at(0, 0).token, Path: "/"}})
	round, table := fmt.Sprint(e.round.ID), fmt.Sprint(e.round.Tables[0].ID)
	for _, row := range []struct {
		path string
		want [4]int // public, player, referee, organizer
	}{
		{"/", [4]int{200, 200, 200, 200}},
		{"/sign-in", [4]int{200, 200, 200, 200}},
		{"/events/1", [4]int{200, 200, 200, 200}},
		{"/events/1/tables", [4]int{200, 200, 200, 200}},
		{"/events/1/tables/" + table, [4]int{200, 200, 200, 200}},
		{"/events/1/games/" + fmt.Sprint(game), [4]int{409, 409, 409, 409}},
		{"/events/1/games/" + fmt.Sprint(game) + "/turns/1", [4]int{409, 409, 409, 409}},
		{"/events/1/games/" + fmt.Sprint(game) + "/turns/1/best", [4]int{409, 409, 409, 409}},
		{"/events/1/games/99", [4]int{404, 404, 404, 404}},
		{"/events/2", [4]int{404, 404, 404, 404}},
		{"/events/1/tables/99", [4]int{404, 404, 404, 404}},
		{"/events/x", [4]int{404, 404, 404, 404}},
		{"/events/1/display/1", [4]int{200, 200, 200, 200}},
		{"/events/1/display/1/turns/1", [4]int{404, 404, 404, 404}},
		{"/display", [4]int{200, 200, 200, 200}},
		{"/displays/AAAA-AAAA", [4]int{in, 403, 404, 404}},
		{"/referee/1/displays", [4]int{in, 403, 200, 200}},
		{"/referee/1/zones", [4]int{in, 403, 200, 200}},
		{"/referee/1/penalties", [4]int{in, 403, 200, 200}},
		{"/referee/2/penalties", [4]int{in, 403, 404, 404}},
		{"/referee/2/zones", [4]int{in, 403, 404, 404}},
		{"/referee/2/displays", [4]int{in, 403, 404, 404}},
		{"/accounts", [4]int{in, 403, 403, 200}},
		{"/accounts/security", [4]int{in, 403, 403, 200}},
		{"/accounts/1", [4]int{in, 403, 403, 200}},
		{"/accounts/2", [4]int{in, 403, 200, 200}}, // the referee's own account
		{"/accounts/9", [4]int{in, 403, 403, 404}},
		{"/account", [4]int{in, 403, 200, 200}},
		{"/account/second", [4]int{in, 403, 200, 200}},
		{"/invite/wrong", [4]int{410, 410, 410, 410}},
		{"/desk", [4]int{in, 403, 403, 200}},
		{"/desk/new", [4]int{in, 403, 403, 200}},
		{"/desk/1", [4]int{in, 403, 403, 200}},
		{"/desk/2", [4]int{in, 403, 403, 404}},
		{"/desk/1/roster", [4]int{in, 403, 403, 200}},
		{"/desk/1/rounds/" + round, [4]int{in, 403, 200, 200}},
		{"/desk/1/rounds/99", [4]int{404, 404, 404, 404}},
		{"/desk/1/paper?round=" + round, [4]int{in, 403, 200, 200}},
		{"/desk/1/results", [4]int{in, 403, 200, 200}},
		{"/desk/1/results/" + fmt.Sprint(game), [4]int{in, 403, 200, 200}},
		{"/desk/1/results/" + fmt.Sprint(game) + "/correct", [4]int{in, 403, 422, 422}},
		{"/referee/1", [4]int{in, 403, 200, 200}},
		{"/referee/1/tables/" + table, [4]int{in, 403, 200, 200}},
		{"/referee/2/tables/" + table, [4]int{in, 403, 404, 404}},
		{"/referee/1/games/" + fmt.Sprint(game) + "/count", [4]int{in, 403, 409, 409}},
	} {
		for i, r := range readers {
			r.sees(t, callerNames[i], row.path, row.want[i])
		}
	}
}

// openForms are the forms that need no right, with what they require instead.
var openForms = map[string]string{
	"/look":                          "how pages look to the reader alone",
	"/sign-in":                       "a password",
	"/sign-in/code":                  "the ticket of a right password",
	"/sign-in/passkey":               "the ticket of a right password",
	"/sign-out":                      "ends the own session",
	"/setup":                         "the token of the console",
	"/invite/:token":                 "the token of the invitation",
	"/join/:code":                    "the code of the seat",
	"/ticket/:ticket/check-in":       "the ticket, while check-in is open",
	"/ticket/:ticket/naming":         "the ticket",
	"/events/:event/register":        "an open registration",
	"/events/:event/log/cosignature": "the signature of any witness",
	"/practice":                      "a table of one's own",
}

// TestFormsByRole sends every form that needs a right as roles without it. The players' forms are sent as the public,
// from another table and as a referee; the officials' forms as the public and a player; the organizers' forms also as a
// referee. New forms are included automatically.
func TestFormsByRole(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	game := e.begin(0)
	form := url.Values{"game": {fmt.Sprint(game)}, "key": {"key-of-a-test"}, "reason": {"r"}, "seat": {"0"},
		"tiles": {"3"}, "seconds": {"5"},
		"rev": {"1"}, "why": {"w"}, "name": {"X"}, "player": {"1"}, "text": {"name\nEve\n"},
		"table": {fmt.Sprint(e.round.Tables[0].ID)},
		"role":  {"organizer"}, "password": {password}, "format": {"open"}, "rules": {"wrc"}, "a": {"1"}, "b": {"2"},
		"kind": {"leave"}, "method": {"random"},
		"turn": {fmt.Sprint(e.public().view(game).Turn.Number)}, "minutes": {"5"}, "capacity": {"0"}, "charge": {"0"},
		"number": {"1"}, "action": {"reissue"}}
	readers := map[string]*reader{"public": e.reader(), "player": e.readerAt(1, 0), "referee": e.signedIn("referee")}
	scripts := e.scripts(t, game)
	fill, before := e.addresses(t, game), e.public().view(game).Seq
	people, sent := e.people(t), 0
	for _, route := range e.server.Routes() {
		if route.Method != http.MethodPost || strings.HasPrefix(route.Path, request.APIBase) ||
			openForms[route.Path] != "" {
			continue
		}
		for _, address := range addressesOf(route.Path) {
			path := fill.Replace(strings.NewReplacer(":protest", "1").Replace(address))
			for who, r := range readers {
				own := who == "player" && strings.HasPrefix(address, "/play") && !strings.Contains(address, ":id")
				if own || who == "referee" && refereesForm(address) {
					continue
				}
				page := r.post(t, path, form)
				if page.status == http.StatusBadRequest { // it expects a script's request
					page = r.send(t, http.MethodPost, path, strings.NewReader(scripts[path[strings.LastIndex(path,
						"/")+1:]]), request.JSONKind)
				}
				led := strings.HasPrefix(page.path, "/sign-in") || strings.HasPrefix(page.path, "/join")
				if sent++; page.status != http.StatusForbidden && page.status != http.StatusUnauthorized && !led {
					t.Errorf("POST %s as %s: got %d at %s: %.100s", path, who, page.status, page.path,
						page.text("main"))
				}
			}
		}
	}
	if sent < 250 {
		t.Errorf("only %d forms were sent", sent)
	}
	if after := e.public().view(game).Seq; after != before {
		t.Errorf("the game moved from %d to %d", before, after)
	}
	if now := e.people(t); now != people {
		t.Errorf("the roster has changed: %s, was %s", now, people)
	}
}

// scripts returns the bodies that the tablets' scripts send, by the last part of the address.
func (e *event) scripts(t *testing.T, game int64) map[string]string {
	t.Helper()
	bodies := map[string]string{"plan": `{}`}
	for _, row := range e.routesTable(game, 0) {
		if name, ok := strings.CutPrefix(row.route, fmt.Sprintf("POST /games/%d/", game)); ok {
			body, err := json.Marshal(row.body)
			if err != nil {
				t.Fatal(err)
			}
			bodies[name] = string(body)
		}
	}
	bodies["press"] = bodies["draw"] // programs have no keys
	return bodies
}

// people returns the current state of all the tournament's players as text.
func (e *event) people(t *testing.T) string {
	t.Helper()
	players, err := tournament.PlayersFull(t.Context(), e.store, rights.Staff(rights.RoleOrganizer, "organizer"), e.id)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, p := range players {
		fmt.Fprintln(&text, p.Name, p.State, p.FixedTable, p.Division, p.ExtraSeconds)
	}
	return text.String()
}

func TestFormsOfOtherSites(t *testing.T) {
	t.Parallel()
	h, _, _ := newStaffed(t)
	o := h.signedIn("organizer")
	form := url.Values{"name": {"Cup"}, "format": {"open"}, "rules": {"wrc"}}
	for _, headers := range [][]string{{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "same-site"}} {
		o.post(t, "/desk/new", form, headers...).is(http.StatusForbidden)
	}
	if all, err := tournament.Tournaments(t.Context(), h.store); err != nil || len(all) != 0 {
		t.Fatalf("%d events, %v", len(all), err)
	}
	o.post(t, "/desk/new", form, "Origin", h.http.URL, "Sec-Fetch-Site", "same-origin").is(http.StatusOK)
	if all, _ := tournament.Tournaments(t.Context(), h.store); len(all) != 1 {
		t.Fatalf("%d events", len(all))
	}
}
