package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/templates"
	"meldhall/tournament"
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

// TestTheDesksStartKey checks that the desk's next step leads to the list of who is at which table while players are
// missing, and that the round's key says how many tables it holds.
func TestTheDesksStartKey(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", roster(7), nil)
	o := e.signedIn("organizer")
	desk := fmt.Sprintf("/desk/%d", e.id)
	o.get(t, desk).says(".next", "7 players are not at their tables yet").says(".next", "Start round 1")
	path := fmt.Sprintf("%s/rounds/%d", desk, e.round.ID)
	o.get(t, path).says(".actions", "Start the round, hold all 2 tables").says("#gate", "no tablet yet")
	for seat := range e.round.Tables[0].Seats {
		e.joinAt(e.round.Tables[0], seat)
	}
	round := o.get(t, path).says(".actions", "Start the ready table, hold 1").says("#gate", "1 table ready")
	round.submit("/round.start").is(http.StatusOK).says(".flash", "The round has started")
	if page := o.get(t, desk); strings.Contains(page.text(".next"), "Start") {
		t.Errorf("after the start the next step is %s", page.text(".next"))
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
