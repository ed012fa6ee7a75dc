package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/web/api"
	"meldhall/web/page"
)

// takenBack is a published round of seven that its organizer changes while a player and the public watch.
type takenBack struct {
	*event
	desk, tablet, public *tab
}

func newTakenBack(t *testing.T) takenBack {
	t.Helper()
	b := startChromium(t)
	d := takenBack{event: newNamedEvent(t, "Club night", roster(7), nil)}
	d.desk, d.tablet, d.public = b.tab(t, 1280, 900), b.tab(t, 390, 844), b.tab(t, 390, 844)
	d.desk.cookie(d.http.URL, "meldhall-staff", d.organizer.token)
	d.public.cookie(d.http.URL, page.ThemeCookie, "light")
	d.tablet.seat(d.http.URL, d.at(0, 3).token)
	d.open(d.desk, d.page(""))
	d.open(d.tablet, "/play")
	d.open(d.public, fmt.Sprintf("/events/%d/tables", d.id))
	return d
}

func (d takenBack) open(p *tab, path string) {
	p.t.Helper()
	p.open(d.http.URL + path)
	p.wait(isLive)
}

func (d takenBack) page(rest string) string {
	return fmt.Sprintf("/desk/%d/rounds/%d%s", d.id, d.round.ID, rest)
}

// says waits until a page contains a text.
func (d takenBack) says(p *tab, text string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`document.querySelector("main").innerText.replace(/[\u2066-\u2069]/g, "").includes(%q)`, text))
}

// sends enters a reason and submits the previewed form.
func (d takenBack) sends(name, why string) {
	d.desk.t.Helper()
	d.desk.wait(`document.querySelector("main [name=why]")`)
	d.desk.picture(name)
	d.desk.size(390, 844)
	d.desk.picture(name + "-phone")
	d.desk.size(1280, 900)
	eval[bool](d.desk,
		`(document.querySelector("main [name=why]").value = "`+why+`", document.querySelector("main [name=why]").form.requestSubmit(), true)`)
	d.desk.wait(`/rounds\/\d+$/.test(location.pathname) && ` + isLive)
}

func (d takenBack) seat(table, seat int) string {
	return fmt.Sprintf(`[data-player="%d"]`, d.round.Tables[table].Seats[seat].Player.ID)
}

// TestBrowserAPublishedRoundIsTakenBack swaps two players of a published round, moves one to a free seat, withdraws the
// round with a new draw and publishes it again. Each step is previewed, and the player's tablet and the public page are
// updated at once. A tournament without a published round has no public page.
func TestBrowserAPublishedRoundIsTakenBack(t *testing.T) {
	testmode.SkipUnlessLong(t)
	d := newTakenBack(t)
	d.says(d.tablet, "Table 1")
	d.desk.picture("published")
	d.desk.tap(d.seat(0, 0))
	d.desk.wait(`document.querySelector(".swap-how.chosen") && ` + isLive)
	d.desk.tap(d.seat(1, 0))
	d.sends("swap", "they asked")
	d.says(d.public, "The seats of round 1 changed at ")
	d.says(d.tablet, "The seats of round 1 changed at ")
	d.public.picture("public-changed")

	d.desk.tap(d.seat(0, 3))
	d.desk.wait(`document.querySelector('a[href*="/move?"]') && ` + isLive)
	d.desk.picture("published-chosen")
	d.desk.tap(`a[href*="/move?"]`)
	d.sends("move", "stairs")
	d.says(d.tablet, "Table 2")
	d.tablet.picture("tablet-moved")

	d.desk.tap(d.desk.reach(`a[href$="/withdraw"]`))
	d.desk.wait(`document.querySelector('a[href$="?again=yes"]')`)
	d.desk.tap(`a[href$="?again=yes"]`)
	d.desk.wait(`location.search === "?again=yes"`)
	d.says(d.desk, "Players at their tablets: 7 of 7.")
	d.sends("withdraw", "a table is broken")
	for _, p := range []*tab{d.tablet, d.desk} {
		d.says(p, "The seats of round 1 were withdrawn at ")
	}
	// without a published round, only its officials see the tournament
	d.public.wait(`document.body.innerText.toLowerCase().includes("not live since")`)
	d.reader().get(t, fmt.Sprintf("/events/%d/tables", d.id)).is(http.StatusNotFound)
	d.desk.picture("withdrawn")
	d.tablet.picture("tablet-withdrawn")
	var now api.TournamentDetail
	d.organizer.must(http.MethodGet, fmt.Sprintf("/tournaments/%d", d.id), nil, &now)
	d.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", now.Rounds[0].ID), nil, &d.round)
	d.says(d.tablet, "The seats of round 1 changed at ")
	d.says(d.tablet, "Table ")
	d.open(d.public, fmt.Sprintf("/events/%d/tables", d.id))
	d.says(d.public, "The seats of round 1 changed at ")
	d.start()
	d.tablet.wait(`location.pathname === "/play/game"`)
	d.public.wait(`!document.querySelector("main").innerText.includes("The seats of round 1")`)
	for _, p := range []*tab{d.tablet, d.desk} { // the public page's stream was rejected meanwhile
		if got := p.complaints(); len(got) > 0 {
			t.Errorf("the browser complains: %q", got)
		}
	}
}
