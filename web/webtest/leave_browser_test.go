package webtest

import (
	"testing"

	"meldhall/tournament/rights"
)

// TestBrowserSignsOutAndForgets checks that signing out clears the tab's session storage, even without the server.
// Unsent rulings and settings stay.
func TestBrowserSignsOutAndForgets(t *testing.T) {
	b := startChromium(t)
	h := newHall(t)
	referee := h.staff(rights.RoleReferee)
	for _, offline := range []bool{true, false} {
		p := b.tab(t, 1366, 768)
		p.cookie(h.http.URL, "meldhall-staff", referee.token)
		p.open(h.http.URL + "/account")
		p.wait(`document.querySelector("form.who button")`)
		const rulings = `[{"name":"kept"}]`
		eval[bool](p,
			`sessionStorage.setItem("sheet 1", "racks"), localStorage.setItem("rulings", '`+rulings+`'), localStorage.setItem("alerts", "{}"), true`)
		if offline {
			eval[bool](p, `document.addEventListener("submit", (e) => e.preventDefault()), true`) // no response comes
		}
		p.tap("form.who button")
		p.wait(`sessionStorage.getItem("sheet 1") === null`)
		if !offline {
			p.wait(`document.querySelector("a.who")`)
		}
		if kept := eval[string](p,
			`[sessionStorage.length, localStorage.getItem("rulings"), localStorage.getItem("alerts")].join(" ")`); kept != "0 "+rulings+" {}" {
			t.Errorf("offline %t: kept are %s", offline, kept)
		}
	}
}
