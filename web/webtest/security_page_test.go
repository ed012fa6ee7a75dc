package webtest

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"meldhall/tournament/account"
	"meldhall/tournament/people"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/web"
	"meldhall/web/api"
	"meldhall/web/request"
)

// noted waits until the security log has an entry of a kind about something, and about a person if one is given.
func (h *hall) noted(t *testing.T, kind security.Kind, what string, about ...string) security.Entry {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		list, _, err := security.Entries(t.Context(), h.store, rights.Staff(rights.RoleOrganizer, "test"), kind, 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if e.What == what && (about == nil || e.About == about[0]) {
				return e
			}
		}
	}
	t.Fatalf("no %s of %s was noted", kind, what)
	return security.Entry{}
}

// Security events are logged with the person and the address, without secrets, and organizers see them on a page.
func TestSecurityLog(t *testing.T) {
	t.Parallel()
	lines := new(bytes.Buffer)
	h := newHall(t, behindProxy, func(c *web.Config) { c.Security = lines })
	now := time.Now()
	h.store.Now = func() time.Time { return now } // the fifth attempt comes during the delay after the fourth
	organizer := h.staff(rights.RoleOrganizer)
	wrong, typed := "a wrong password", "a password in the wrong field"
	for range 5 {
		h.signsInFrom("203.0.113.9", api.SignInBody{Name: "ORGANIZER", Password: wrong})
	}
	h.signsInFrom("203.0.113.10", api.SignInBody{Name: typed, Password: wrong})
	h.public().send(http.MethodPost, "/join", people.Join{Code: "AAAA-AAAA"})
	h.public().send(http.MethodPost, "/sign-in", api.SignInBody{Name: "a", Password: wrong}, "Origin",
		"https://evil.example")
	forged := &caller{h, "stranger", organizer.token + "x"}
	forged.send(http.MethodGet, "/accounts", nil)
	organizer.must(http.MethodPost, "/accounts", account.CreateAccount{Name: "Eve", Password: password,
		Role: rights.RoleReferee}, nil)

	if e := h.noted(t, security.SignedIn, "password"); e.Name != "organizer" || e.Address != "127.0.0.1" {
		t.Errorf("got %+v", e)
	}
	h.noted(t, security.Refused, "join")
	if e := h.noted(t, security.Throttled, "/api/v1/sign-in"); e.Address != "203.0.113.9" {
		t.Errorf("got %+v", e)
	}
	h.noted(t, security.Foreign, "/api/v1/sign-in")
	h.noted(t, security.Forged, "/api/v1/accounts")
	if e := h.noted(t, security.Rights, "account.create", "Eve"); e.Name != "organizer" {
		t.Errorf("got %+v", e)
	}
	var page api.SecurityView
	organizer.must(http.MethodGet, "/security?kind=refused", nil, &page)
	tried := page.Entries[len(page.Entries)-1]
	if tried.Name != "organizer" || tried.What != "password" || tried.Address != "203.0.113.9" || tried.Times != 4 {
		t.Errorf("got %+v", page.Entries)
	}
	r := h.signedIn("organizer")
	shown := r.get(t, "/accounts/security").is(http.StatusOK).says("table", "203.0.113.9").says("table", "Eve")
	r.get(t, "/accounts/security?kind=rights").is(http.StatusOK).says("table", "Eve")
	if only := r.get(t, "/accounts/security?kind=rights"); strings.Contains(only.text("table"), "203.0.113.9") {
		t.Error("the page of one kind shows others")
	}
	r.get(t, "/accounts/security?kind=x").is(http.StatusNotFound)
	h.server.Close()
	for _, secret := range []string{wrong, typed, password, organizer.token, "AAAA"} {
		if strings.Contains(shown.text("main"), secret) || strings.Contains(lines.String(), secret) {
			t.Errorf("%q is told", secret)
		}
	}
	if !strings.Contains(lines.String(), `"request":"`) {
		t.Errorf("no line has the number of its request: %s", lines)
	}
	if strings.Count(lines.String(), "\n") < 10 {
		t.Errorf("got the lines %s", lines)
	}
}

// A form from another site is logged, and so is a wrong PIN.
func TestForeignFormIsNoted(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	h.reader().post(t, "/sign-in", url.Values{"name": {"a"}, "password": {"b"}}, "Sec-Fetch-Site",
		"cross-site").is(http.StatusForbidden)
	h.noted(t, security.Foreign, "/sign-in")
}

// A signed-in person's request beyond their role is logged by name. The public's, which leads to the sign-in page, is
// not.
func TestDeniedRightsAreNoted(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	referee := h.staff(rights.RoleReferee)
	for range 3 {
		if status, _, body := referee.send(http.MethodPost, "/accounts",
			account.CreateAccount{Name: "Eve", Password: password,
				Role: rights.RoleOrganizer}); status != http.StatusForbidden {
			t.Fatal(status, body)
		}
	}
	h.signedIn("referee").get(t, "/accounts").is(http.StatusForbidden)
	h.public().send(http.MethodGet, "/accounts", nil)
	if e := h.noted(t, security.Denied, "/api/v1/accounts"); e.Name != "referee" || e.Address != "127.0.0.1" ||
		e.Times != 1 {
		t.Errorf("got %+v", e)
	}
	if e := h.noted(t, security.Denied, "/accounts"); e.Name != "referee" {
		t.Errorf("got %+v", e)
	}
	list, _, err := security.Entries(t.Context(), h.store, rights.Staff(rights.RoleOrganizer, "test"), security.Denied,
		0, 100)
	if err != nil || len(list) != 2 {
		t.Errorf("got %+v (%v), want one entry of each address at once: the others are counted", list, err)
	}
}

// Input that no page of this site sends is logged: invalid fields, unreadable or oversized bodies, and a play with
// tiles that are not on the player's rack or the table. A player's own mistake or a typing error in a form is not.
func TestInputIsNoted(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	game := e.begin(0)
	turn := e.public().view(game).Turn
	mover, base := e.at(0, turn.Seat), fmt.Sprintf("/games/%d/", game)
	e.organizer.send(http.MethodPost, "/tournaments", fields{"name": "T", "colour": 1})
	mover.send(http.MethodPost, base+"draw", "{\"turn\":")
	e.public().send(http.MethodPost, "/join", "{\"code\":\""+strings.Repeat("x", request.BodyMost)+"\"}")
	mover.send(http.MethodPost, base+"play", fields{"turn": turn.Number, "key": "rack-key-1",
		"table": []fields{{"at": 0, "tiles": []string{"R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10",
			"R11", "R12", "R13"}}}})
	mover.send(http.MethodPost, base+"play", fields{"turn": turn.Number, "key": "rack-key-2", "table": []fields{}})
	mover.send(http.MethodPost, base+"draw", fields{"turn": turn.Number - 1, "key": "stale-key-1"})
	e.signedIn("organizer").post(t, "/desk/1/players", url.Values{"rating": {"many"}})
	for what, name := range map[string]string{"/tournaments": "organizer", "/join": "", "/games/:id/draw": "Player",
		"/games/:id/play": "Player"} {
		if got := e.noted(t, security.Input, "/api/v1"+what); !strings.HasPrefix(got.Name, name) ||
			(name == "") != (got.Name == "") || got.Times != 1 {
			t.Errorf("%s: got %+v", what, got)
		}
	}
	e.server.Close() // flushes the counted entries
	list, _, err := security.Entries(t.Context(), e.store, rights.Staff(rights.RoleOrganizer, "test"), security.Input,
		0, 100)
	if err != nil || len(list) != 4 {
		t.Errorf("got %+v, %v", list, err)
	}
}
