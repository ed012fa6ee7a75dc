package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// fiveScripts returns a roster of n players with long names in five scripts.
func fiveScripts(n int) string {
	first := []string{"Maximiliane-Friederike", "Αλεξάνδρα-Ευαγγελία", "Владислав-Константин", "אברהם־ישעיהו", "龍之介"}
	last := []string{"Oberhuber-Schwarzenbach", "Παπαδημητρακοπούλου", "Преображенский", "בן־גוריון־לוינסון", "勘解由小路"}
	var list strings.Builder
	list.WriteString("name,country\n")
	for i := range n {
		fmt.Fprintf(&list, "%s %s %d,IT\n", first[i%5], last[(i/5)%5], i+1)
	}
	return list.String()
}

// inside finds elements by nested selectors: each one within the matches of the previous.
func (p *leaf) inside(selectors ...string) []*html.Node {
	found := []*html.Node{p.doc}
	for _, selector := range selectors {
		var next []*html.Node
		for _, n := range found {
			next = append(next, find(n, selector)...)
		}
		found = next
	}
	return found
}

// newDrafted returns a tournament of twelve tables whose first round is a draft, and the round's page.
func newDrafted(t *testing.T) (e *event, round string) {
	t.Helper()
	e = newEntered(t, "Rummikub Open", fiveScripts(48), nil)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), map[string]any{}, &e.round)
	return e, fmt.Sprintf("/desk/%d/rounds/%d", e.id, e.round.ID)
}

// TestADraftMarksWhoIsNotHere checks that missing players are marked at their seats by an icon and a word, and counted
// above with links to them. One action checks all in; it can be previewed and undone.
func TestADraftMarksWhoIsNotHere(t *testing.T) {
	t.Parallel()
	e, round := newDrafted(t)
	o, desk := e.signedIn("organizer"), fmt.Sprintf("/desk/%d", e.id)
	nobody := o.get(t, round).is(http.StatusOK).says(".away-list", "48 of 48 players are not here yet")
	if nobody.count("li.away")+nobody.count(".away-list ul") != 0 {
		t.Error("nobody is here, and everybody is marked")
	}
	first := e.round.Tables[0].Seats[0].Player
	o.post(t, desk+"/check-in", url.Values{"player": {fmt.Sprint(first.ID)}, "here": {"true"}}).is(http.StatusOK)
	draft := o.get(t, round).is(http.StatusOK).says(".away-list", "47 of 48 players are not here yet")
	marks, links := draft.inside("li.away", ".mark"), draft.inside(".away-list", "li", "a")
	if len(marks) != 47 || len(links) != 47 {
		t.Fatalf("%d marks, %d links", len(marks), len(links))
	}
	if textOf(marks[0]) != "not here yet" || len(find(marks[0], "svg")) != 1 {
		t.Errorf("the mark says %q with %d signs", textOf(marks[0]), len(find(marks[0], "svg")))
	}
	for _, a := range links {
		if draft.count(attr(a, "href")) != 1 || !strings.Contains(draft.text(attr(a, "href")),
			textOf(find(a, ".name")[0])) {
			t.Errorf("%s does not lead to the seat of %s", attr(a, "href"), textOf(a))
		}
	}
	look := o.get(t, attr(draft.inside(".away-list", "a.btn")[0], "href")).is(http.StatusOK).says("h1",
		"Everybody is here")
	look.says(".effects", "47 players are checked in").says(".all-names",
		e.round.Tables[11].Seats[0].Player.Name).says(".effects", "No seats or results change")
	if n := len(look.inside(".all-names", "li")); n != 47 || strings.Contains(look.text(".all-names"), first.Name+" ") {
		t.Errorf("%d names are shown", n)
	}
	o.get(t, round).says(".away-list", "47 of 48")
	done := look.submit("/people/do", "why", "roll call").is(http.StatusOK).says("#at-away",
		"47 players have been checked in")
	if done.path != round || done.count("li.away")+done.count(".away-list") != 0 {
		t.Errorf("on %s, %d are not here", done.path, done.count("li.away"))
	}
	list := o.get(t, desk+"/people").says(".changes", "Everybody checked in").says(".changes", "roll call")
	undo := o.get(t, attr(list.inside("ol.changes", "a")[0], "href")).submit("/people.undo").is(http.StatusOK)
	if told := undo.inside("ol.changes", ".told", ".flash"); len(told) != 1 ||
		!strings.Contains(textOf(told[0]), "Undone") {
		t.Errorf("taken back, the list says %s", undo.text("ol.changes"))
	}
	o.get(t, round).says(".away-list", "47 of 48")
}

// TestWhatIsDoneIsSaidThere checks that success or an error is shown at the form, not at the top of the page.
func TestWhatIsDoneIsSaidThere(t *testing.T) {
	t.Parallel()
	e, round := newDrafted(t)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	o, desk := e.signedIn("organizer"), fmt.Sprintf("/desk/%d", e.id)
	tenth := e.round.Tables[9]
	said := func(page *leaf, place, text string) {
		t.Helper()
		page.says(place, text)
		all := slices.DeleteFunc(page.inside(".flash"), func(n *html.Node) bool {
			return attr(n,
				"class") == "flash now"
		})
		there := page.inside(place, ".flash")
		if len(all) != 1 || len(there) != 1 || !strings.Contains(textOf(there[0]), text) {
			t.Errorf("%s: it is said %d times there, %d on the page", place, len(there), len(all))
		}
	}
	table := url.Values{"table": {fmt.Sprint(tenth.ID)}, "at": {"table-10"}, "back": {round}}
	seat := url.Values{"table": {fmt.Sprint(tenth.ID)}, "seat": {"0"}, "at": {"table-10"}}
	old := tenth.Seats[0].Code
	code := o.post(t, round+"/code", seat).is(http.StatusOK)
	said(code, "#at-table-10", "Seat 1 has a new code")
	if strings.Contains(code.text("#seat-10-1"), old) || len(code.inside("#seat-10-1", "code.code")) != 1 {
		t.Errorf("the seat says %s, with the old code %s", code.text("#seat-10-1"), old)
	}
	said(o.post(t, round+"/code", url.Values{"table": {fmt.Sprint(tenth.ID)}, "seat": {"none"},
		"at": {"table-10"}}).is(http.StatusUnprocessableEntity), "#at-table-10", "whole number")
	tiles := o.get(t, fmt.Sprintf("%s/tiles?table=%d&tiles=real&at=table-10", round, tenth.ID)).is(http.StatusOK)
	said(tiles.submit("table.tiles").is(http.StatusOK), "#at-table-10", "The tiles of the table have been changed")
	said(o.post(t, "/actions/table.start", table).is(http.StatusOK), "#at-table-10", "The table has started")
	table.Set("tiles", "digital")
	said(o.post(t, "/actions/table.tiles", table).is(http.StatusConflict), "#at-table-10", "begun")
	if again := o.get(t, round); len(again.inside(".told", ".flash")) != 0 {
		t.Errorf("it is said once more: %s", again.text(".told"))
	}
	gone := o.post(t, round+"/code", url.Values{"table": {fmt.Sprint(tenth.ID)}, "seat": {"1"},
		"at": {"table-99"}}).is(http.StatusOK)
	said(gone, "#main", "Seat 2 has a new code")
	people := o.get(t, desk+"/people")
	said(people.submit(desk+"/people", "no_show_minutes", "15").is(http.StatusOK), "#at-settings", "saved")
	o.get(t, desk+"/people").submit(desk+"/people", "no_show_minutes",
		"500").is(http.StatusUnprocessableEntity).says(".field-problem", "240")
	away := o.get(t, attr(people.inside("section", ".row-list", "a.row-btn")[0],
		"href")).submit("/people/do").is(http.StatusOK)
	said(away, "#at-missing", "no-show")
	if away.path != desk+"/people" {
		t.Errorf("after a no-show the page is %s", away.path)
	}
}

// TestALateEntryIsLookedAtBefore checks that once a round is seated, every late entry at the desk is previewed first,
// even from a list or from a form loaded before the draw.
func TestALateEntryIsLookedAtBefore(t *testing.T) {
	t.Parallel()
	e := newEntered(t, "Late", fiveScripts(11), nil)
	o, desk := e.signedIn("organizer"), fmt.Sprintf("/desk/%d", e.id)
	before := o.get(t, desk+"/roster")
	if page := before.submit("/roster/preview", "text",
		"name\nEarly One\n").is(http.StatusOK); page.count(".effects") != 0 {
		t.Errorf("before the draw a list changes %s", page.text(".effects"))
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), map[string]any{}, &e.round)
	players := func() int { return len(o.get(t, desk+"/roster").inside("#players", "tbody", "tr")) }
	o.get(t, desk+"/roster").submit("/roster/preview", "text", "name\nList One\n").is(http.StatusOK).says(".effects",
		"sits at table 3, seat 4")
	look := before.submit("/roster/add", "name", "Form One").is(http.StatusOK).says("h1",
		"Enter players").says(".effects", "Form One").says(".effects", "sits at table 3, seat 4")
	if n := players(); n != 11 {
		t.Fatalf("looking at it has entered them: %d", n)
	}
	look.submit("/people/do").is(http.StatusOK).says("#at-add", "sits at table 3, seat 4")
	if n := players(); n != 12 {
		t.Errorf("%d players", n)
	}
}
