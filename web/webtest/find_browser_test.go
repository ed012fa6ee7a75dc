package webtest

import (
	"fmt"
	"testing"
)

// TestBrowserFinds checks that keys alone lead from any page to a table, a person and a page, and that a finger can
// open the same search.
func TestBrowserFinds(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 8, nil)
	e.start()
	e.begin(0)
	p := b.tab(t, 1280, 720)
	p.still()
	p.cookie(e.http.URL, "meldhall-staff", e.organizer.token)
	at := func(path string) {
		t.Helper()
		p.wait(fmt.Sprintf(`location.pathname === %q`, path))
	}
	open := func() {
		t.Helper()
		p.press("Ctrl+k")
		p.wait(`document.querySelectorAll("#finder[open] .found a").length > 9 &&
			document.activeElement.id === "finder-words"`)
	}
	desk := fmt.Sprintf("/desk/%d", e.id)
	p.open(e.http.URL + desk)
	p.picture("desk")
	open()
	p.picture("open")
	p.press("Escape")
	p.wait(`!document.getElementById("finder").open`)
	open()
	p.write("2")
	p.press("Enter") // pressed early: Enter waits for the results
	at(fmt.Sprintf("/referee/%d/tables/%d", e.id, e.round.Tables[1].ID))
	p.wait(isLive)
	noSound(p)
	open()
	p.write("results")
	p.press("Enter")
	at(desk + "/results")
	open()
	p.write("player 3")
	p.wait(`document.querySelector("#finder .found b")?.textContent.includes("3") &&
		document.querySelectorAll("#finder .found a").length < 6`)
	p.picture("player")
	p.press("ArrowDown")
	p.wait(`document.activeElement.closest(".found")`)
	p.press("Enter")
	p.wait(fmt.Sprintf(`location.pathname.startsWith(%q)`, desk+"/players/"))

	p.size(390, 844)
	p.open(e.http.URL + fmt.Sprintf("/referee/%d", e.id))
	p.wait(isLive)
	noSound(p)
	p.tap("#find-open")
	p.wait(`document.querySelectorAll("#finder[open] .found a").length > 9`)
	p.picture("phone")
	p.offline(true)
	p.write("pace")
	p.wait(`document.getElementById("finder-found").textContent.includes("No connection")`)
	p.offline(false)
	p.tap("#finder [data-close]")
	p.wait(`!document.getElementById("finder").open`)
}
