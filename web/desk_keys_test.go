package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/web/api"
	"meldhall/web/shell"
)

// asks is what the button of a page's form asks before it sends; "" where it asks nothing.
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

// TestTheDesksStartKeyStarts: the key that says so starts the round and stays on the desk; that players are missing is asked before, and
// said only once others are at their tables or the round runs.
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
	e.public().must(http.MethodPost, "/join", tournament.Join{Code: seat.Code}, new(api.JoinedView))
	page = o.get(t, desk).says(".next", "1 player is at a table.").says(".next", "6 players are not at their tables")
	started := page.submit("/round.start").is(http.StatusOK).says(".flash", "The round has started").says(".next", "See the hall").says(".next", "6 players are not at their tables")
	if started.path != desk {
		t.Errorf("it leads to %s", started.path)
	}
}

// TestBothKeysThatPublishAskTheSame: only when there is something to say, which is that some are not here where others are.
func TestBothKeysThatPublishAskTheSame(t *testing.T) {
	t.Parallel()
	e := newEntered(t, "Test", roster(7), nil)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/tiles", e.id), tournament.SetTiles{Tiles: tournament.RealTiles}, nil)
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
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/people", e.id), shell.PeopleBody{Kind: tournament.PeopleCheckIn, Player: here}, nil)
	both("6 of 7 players are not here yet.")
	o.post(t, string(templates.ActionPath("round.check")), url.Values{"round": {fmt.Sprint(e.round.ID)}, "back": {path}}).is(http.StatusOK)
	both("6 of 7 players are not here yet.")
}
