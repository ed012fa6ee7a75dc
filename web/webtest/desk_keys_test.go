package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/people"
	"meldhall/web/api"
	"meldhall/web/request"
)

// asks returns the confirmation question of the button of a page's form, or "".
func (p *leaf) asks(action string) string {
	p.t.Helper()
	for _, form := range find(p.doc, "form") {
		if strings.HasSuffix(attr(form, "action"), action) {
			return attr(find(form, "button")[0], "data-sure")
		}
	}
	p.t.Fatalf("%s has no form to %s: %s", p.path, action, p.text("main"))
	return ""
}

// TestTheDesksStartKeyStarts checks that the desk's start key starts the round and stays on the desk. It asks for
// confirmation if players are missing; the page mentions them only once others are at their tables or the round is
// running.
func TestTheDesksStartKeyStarts(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", roster(7), nil)
	o := e.signedIn("organizer")
	desk := fmt.Sprintf("/desk/%d", e.id)
	page := o.get(t, desk).says(".next", "The seats are published.").says(".next", "Start round 1")
	if strings.Contains(page.text("main"), "not at their tables") {
		t.Errorf("before anybody can be there it says: %s", page.text(".next"))
	}
	if asked := page.asks("/round.start"); !strings.HasPrefix(asked, "7 players are not at their tables yet") {
		t.Errorf("it asks %q", asked)
	}
	round := o.get(t, fmt.Sprintf("%s/rounds/%d", desk, e.round.ID))
	if text := round.text(".actions"); strings.Contains(text, "not at their tables") {
		t.Errorf("the round's page says: %s", text)
	}
	seat := e.round.Tables[0].Seats[0]
	e.public().must(http.MethodPost, "/join", people.Join{Code: seat.Code}, new(api.JoinedView))
	page = o.get(t, desk).says(".next", "1 player is at a table.").says(".next", "6 players are not at their tables")
	started := page.submit("/round.start").is(http.StatusOK).says(".flash", "The round has started").says(".next",
		"See the hall").says(".next", "6 players are not at their tables")
	if started.path != desk {
		t.Errorf("it leads to %s", started.path)
	}
}

// TestBothKeysThatPublishAskTheSame checks that both publishing keys ask the same question, and only if some players
// have checked in and others have not.
func TestBothKeysThatPublishAskTheSame(t *testing.T) {
	t.Parallel()
	e := newEntered(t, "Test", roster(7), nil)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/tiles", e.id),
		tournament.SetTiles{Tiles: tournament.RealTiles}, nil)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), map[string]any{}, &e.round)
	o := e.signedIn("organizer")
	path := fmt.Sprintf("/desk/%d/rounds/%d", e.id, e.round.ID)
	both := func(want string) {
		t.Helper()
		page := o.get(t, path)
		for _, key := range []string{"/round.publish", "/begin"} {
			if asked := page.asks(key); !strings.HasPrefix(asked, want) || (want == "") != (asked == "") {
				t.Errorf("%s asks %q, want %q", key, asked, want)
			}
		}
	}
	both("")
	here := e.round.Tables[0].Seats[0].Player.ID
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/people", e.id),
		request.PeopleBody{Kind: tournament.PeopleCheckIn, Player: here}, nil)
	both("6 of 7 players are not here yet.")
	o.post(t, string(templates.ActionPath("round.check")), url.Values{"round": {fmt.Sprint(e.round.ID)},
		"back": {path}}).is(http.StatusOK)
	both("6 of 7 players are not here yet.")
}
