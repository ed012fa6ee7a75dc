package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/api"
)

// TestBrowserADisqualificationWaits checks that a disqualification awaiting a second official appears on the desk, the
// readiness page and the floor page. It prompts those who may confirm, previews the change to the draft, and then makes
// it.
func TestBrowserADisqualificationWaits(t *testing.T) {
	b := startChromium(t)
	e := newEntered(t, "Club night", roster(8), nil)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), map[string]any{}, &e.round)
	head := e.staff(rights.RoleHeadReferee)
	tabs := map[string]*tab{}
	open := func(path string, who *caller) *tab {
		p := b.tab(t, 1280, 900)
		p.cookie(e.http.URL, "meldhall-staff", who.token)
		p.open(e.http.URL + fmt.Sprintf(path, e.id))
		p.wait(isLive)
		tabs[path+who.name] = p
		return p
	}
	says := func(p *tab, text string) {
		t.Helper()
		p.wait(fmt.Sprintf(`document.querySelector("main").innerText.replace(/[\u2066-\u2069]/g, "").includes(%q)`,
			text))
	}
	floor, own := open("/referee/%d", e.organizer), open("/referee/%d", head)
	desk, ready := open("/desk/%d", e.organizer), open("/referee/%d/ready", e.organizer)
	out := e.round.Tables[0].Seats[2].Player
	var proposed api.SanctionView
	head.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/sanctions", e.id),
		api.SanctionBody{Kind: "disqualification",
			PenaltyGrounds: result.PenaltyGrounds{Player: out.ID, Reason: "struck an official"}}, &proposed)
	says(floor, "is waiting for you: confirm or cancel it")
	floor.wait(`document.querySelector("[data-alert]") && document.getElementById("alarm").textContent.includes("` +
		out.Name + `")`)
	says(own, "is waiting for a second official")
	says(desk, "is waiting for you: confirm or cancel it")
	says(ready, "1 decision is waiting for a second official")
	for name, p := range map[string]*tab{"floor": floor, "desk": desk, "ready": ready} {
		p.picture("second-" + name)
	}
	desk.tap(`a[href$="/penalties"]`)
	desk.wait(`location.pathname.endsWith("/penalties") && ` + isLive)
	desk.tap(desk.reach(`#second-` + fmt.Sprint(proposed.ID) + ` summary`))
	says(desk, out.Name+" leaves table 1")
	desk.picture("second-confirm")
	desk.size(390, 844)
	desk.picture("second-confirm-phone")
	desk.tap(desk.reach(`form[action$="/sanction.seconded"] button`))
	says(desk, "Confirmed by")
	floor.wait(`!document.querySelector("[data-alert]")`)
	var now api.RoundDetail
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &now)
	for _, table := range now.Tables {
		for _, seat := range table.Seats {
			if seat.Player.ID == out.ID {
				t.Errorf("%s sits at table %d", out.Name, table.Number)
			}
		}
	}
	for name, p := range tabs {
		if got := p.complaints(); len(got) > 0 {
			t.Errorf("%s: the browser complains: %q", name, got)
		}
	}
}
