package webtest

import (
	"fmt"
	"testing"
	"time"

	"meldhall/tournament"
	"meldhall/web/page"
)

// TestBrowserPublishing checks that the organizer freezes the standings after a preview, that every official's page
// shows what the public sees, and that one key updates open public pages within 2 s. One key also restores the previous
// state.
func TestBrowserPublishing(t *testing.T) {
	b := startChromium(t)
	e := holdable(t)
	desk, hall := b.tab(t, 1366, 768), b.tab(t, 390, 844)
	for _, p := range []*tab{desk, hall} {
		p.still()
	}
	desk.cookie(e.http.URL, "meldhall-staff", e.organizer.token)
	sheet, public := fmt.Sprintf("%s/desk/%d/publishing", e.http.URL, e.id),
		fmt.Sprintf("%s/events/%d", e.http.URL, e.id)
	desk.open(sheet)
	desk.wait(`document.querySelector("#standings details")`)
	eval[bool](desk,
		`document.querySelector("#standings details").open = true, document.querySelector("#how-standings").value = "frozen", true`)
	eval[bool](desk, `document.querySelector("#standings details button").click(), true`)
	desk.wait(`document.querySelector(".effects")?.textContent.includes("frozen at")`)
	desk.picture("look")
	eval[bool](desk, `document.querySelector("main form .primary").click(), true`)
	desk.wait(`document.querySelector("#standings .mark")?.textContent.includes("frozen at") &&
		document.querySelector("#results")?.textContent.includes("held back with the standings")`)
	e.scores()
	hall.open(public)
	hall.wait(`document.querySelector("#shown-note") && !document.querySelector("#live").textContent.includes("867")`)
	desk.open(public)
	desk.wait(`document.querySelector("#shown-note a") && document.querySelector("#live").textContent.includes("867")`)
	for _, theme := range []string{"light", "dark"} {
		desk.cookie(e.http.URL, page.ThemeCookie, theme)
		hall.cookie(e.http.URL, page.ThemeCookie, theme)
		for name, address := range map[string]string{"desk": sheet, "standings": public, "tables": public + "/tables",
			"display": public + "/display/1",
			"table":   fmt.Sprintf("%s/tables/%d", public, e.round.Tables[0].ID), "why": public + "/why",
			"control": fmt.Sprintf("%s/desk/%d", e.http.URL, e.id)} {
			for _, width := range []int64{390, 1366} {
				for who, p := range map[string]*tab{"desk": desk, "hall": hall} {
					if who == "hall" && (name == "desk" || name == "control") {
						continue
					}
					p.size(width, 844)
					p.open(address)
					if name != "desk" && name != "why" {
						p.wait(isLive)
					}
					if name != "display" { // its text fits the height; it has its own tests
						for _, misfit := range eval[[]string](p, misfits) {
							t.Errorf("%s, %d wide: %s", name, width, misfit)
						}
					}
					p.picture(fmt.Sprintf("%s-%s-%d-%s", who, name, width, theme))
				}
			}
		}
	}
	hall.open(public)
	hall.wait(isLive)
	desk.open(sheet)
	desk.wait(`document.querySelector("#standings form .primary")`)
	pressed := time.Now()
	eval[bool](desk, `document.querySelector("#standings form .primary").click(), true`)
	hall.wait(`document.querySelector("#live").textContent.includes("867") && !document.querySelector("#shown-note")`)
	held(t, "shown", time.Since(pressed), 2*time.Second)
	desk.wait(`document.querySelector("#standings .actions button:not(.primary)")?.textContent.includes("frozen at")`)
	eval[bool](desk, `document.querySelector("#standings .actions button:not(.primary)").click(), true`)
	hall.wait(`document.querySelector("#shown-note") && !document.querySelector("#live").textContent.includes("867")`)
	if is, _, err := tournament.PublishingOf(t.Context(), e.store, e.id); err != nil ||
		is.Standings.How != tournament.ShownFrozen {
		t.Errorf("put back it is %+v, %v", is, err)
	}
	for _, p := range []*tab{desk, hall} {
		if got := p.complaints(); len(got) > 0 {
			t.Errorf("complaints: %q", got)
		}
	}
}
