package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"meldhall/tournament/people"
)

// inView returns an expression that is true if the element is fully visible vertically.
func inView(selector string) string {
	return fmt.Sprintf(`(() => { const r = document.querySelector(%q)?.getBoundingClientRect(); return !!r &&
		r.height > 0 && r.top >= 0 && r.bottom <= innerHeight; })()`, selector)
}

// themed takes pictures of a place on a laptop and a phone, light and dark.
func (w *eventWalk) themed(name, place string) {
	w.t.Helper()
	for _, width := range []int64{1366, 390} {
		w.p.size(width, 844)
		for _, theme := range []string{"light", "dark"} {
			eval[bool](w.p,
				fmt.Sprintf(`(document.documentElement.dataset.theme = %q, document.querySelector(%q)?.scrollIntoView({ block: "center" }), true)`, theme, place))
			w.p.picture(fmt.Sprintf("%s-%d-%s", name, width, theme))
		}
		if wide := eval[int](w.p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			w.t.Errorf("%s: the page is %d px wider than %d", name, wide, width)
		}
	}
}

// TestBrowserDraftMarksWhoIsNotHere follows the links from the list above a draft to a seat, to the swap and back,
// always scrolled into view. One action checks all players in and shows whom it affects first.
func TestBrowserDraftMarksWhoIsNotHere(t *testing.T) {
	b := startChromium(t)
	e, round := newDrafted(t)
	e.signedIn("organizer").post(t, fmt.Sprintf("/desk/%d/check-in", e.id),
		url.Values{"player": {fmt.Sprint(e.round.Tables[0].Seats[0].Player.ID)}, "here": {"true"}}).is(http.StatusOK)
	w := asOrganizer(t, b, e, 390, 844)
	w.open(round)
	w.says(".away-list", "47 of 48 players are not here yet")
	w.themed("draft", ".away-list")
	w.p.size(390, 844)
	w.p.tap(w.p.reach(`.away-list a[href="#seat-10-2"]`))
	w.p.wait(inView("#seat-10-2 .mark.wait"))
	w.says("#seat-10-2", "not here yet")
	w.press("#seat-10-2 .swap-seat")
	w.p.wait(inView("#seat-10-2 .is-chosen"))
	w.p.picture("chosen")
	w.press(".swap-how .btn")
	w.press(".away-list .btn")
	w.says(".effects", "47 players are checked in")
	w.says(".all-names", e.round.Tables[11].Seats[0].Player.Name)
	w.themed("look", "h1")
	w.p.size(390, 844)
	w.press(".form .primary")
	w.says("#at-away .flash", "47 players have been checked in")
	w.p.wait(inView("#at-away .flash"))
	if n := eval[int](w.p, `document.querySelectorAll("li.away, .away-list").length`); n != 0 {
		t.Errorf("%d are still marked", n)
	}
	w.themed("here", "#at-away")
}

// TestBrowserStandsWhereItWasDone checks on a phone and a laptop that a new code for table 10 is shown at table 10, in
// view and focused. The message stays while the page is redrawn, and so does an error.
func TestBrowserStandsWhereItWasDone(t *testing.T) {
	b := startChromium(t)
	e, round := newDrafted(t)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	w := asOrganizer(t, b, e, 390, 844)
	there := func(what, text string) {
		t.Helper()
		w.says("#at-table-10 .flash", text)
		w.p.wait(inView("#at-table-10 .flash"))
		if at := eval[string](w.p, `document.activeElement.id`); at != "at-table-10" {
			t.Errorf("%s: the focus is on %q", what, at)
		}
		if top := eval[int](w.p, `document.querySelectorAll("#main > .flash").length`); top != 0 {
			t.Errorf("%s: it is said on top", what)
		}
	}
	id := e.round.Tables[9].ID
	for i, width := range []int64{390, 1366} {
		w.p.size(width, 844)
		w.open(round)
		old := e.round.Tables[9].Seats[i].Code
		w.p.tap(w.p.reach(fmt.Sprintf("#codes-%d > summary", id)))
		w.press(fmt.Sprintf(`#codes-%d button[value="%d"]`, id, i))
		there("code", fmt.Sprintf("Seat %d has a new code", i+1))
		code := fmt.Sprintf("#seat-10-%d .code", i+1)
		w.p.wait(inView(code))
		if got := eval[string](w.p, fmt.Sprintf(`document.querySelector(%q).innerText`, code)); got == old {
			t.Errorf("the seat shows the old code %s", got)
		}
		joins := e.round.Tables[0].Seats[i]
		e.public().must(http.MethodPost, "/join", people.Join{Code: joins.Code}, nil)
		w.says(fmt.Sprintf("#seat-1-%d", i+1), "here") // the stream has redrawn the page
		there("drawn anew", "has a new code")
	}
	w.themed("code", "#at-table-10")
	w.p.size(390, 844)
	w.open(round)
	eval[bool](w.p, fmt.Sprintf(`(document.querySelector("#codes-%d button").value = "none", true)`, id))
	w.p.tap(w.p.reach(fmt.Sprintf("#codes-%d > summary", id)))
	w.press(fmt.Sprintf("#codes-%d button", id))
	there("refused", "whole number")
	w.p.picture("refused")
}
