package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/tournament/result"
	"meldhall/web/api"
)

// TestBrowserAFaultIsMendedAtItsField checks that a rejected form reopens in place, at the wrong field, with its
// values. The summary on top links there, and live updates leave the form intact.
func TestBrowserAFaultIsMendedAtItsField(t *testing.T) {
	d := newDesk(t, nil)
	p := d.official(t, d.organizer, 390, 844)
	p.open(d.floor() + "/penalties")
	p.wait(isLive)
	p.tap(p.reach("#give > summary"))
	eval[bool](p,
		fmt.Sprintf(`document.getElementById("give-player").value = "%d", document.getElementById("give-canned").value = "", document.getElementById("points").value = "70", true`,
			d.round.Tables[0].Seats[1].Player.ID))
	p.tap(p.reach("#give .primary"))
	const atField = `document.activeElement.name === "reason" &&
		document.activeElement.getAttribute("aria-invalid") === "true" && document.getElementById("give").open`
	p.wait(isLive + " && " + atField)
	p.picture("refused")
	kept := func(when string) {
		t.Helper()
		if !eval[bool](p,
			`document.getElementById("points").value === "70" && document.getElementById("give-player").selectedIndex > 0 && document.querySelector("#give [name=reason]").getAttribute("aria-invalid") === "true"`) {
			t.Errorf("%s: what was typed is lost: %s", when,
				eval[string](p, `document.getElementById("give").innerText`))
		}
	}
	kept("refused")
	if id := eval[string](p,
		`document.activeElement.getAttribute("aria-describedby").split(" ").map((id) => document.getElementById(id)?.innerText || "missing").join()`); id == "" || id == "missing" {
		t.Errorf("the field is described by %q", id)
	}
	eval[bool](p, `scrollTo(0, 0), document.activeElement.blur(), true`)
	p.tap(p.reach(`main a[href="#reason"]`))
	p.wait(`location.hash === "#reason"`)
	d.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/sanctions", d.id),
		api.SanctionBody{Kind: "points", Points: 50,
			PenaltyGrounds: result.PenaltyGrounds{Player: d.round.Tables[0].Seats[2].Player.ID,
				Reason: "left the table"}}, nil)
	p.wait(`document.querySelector("main").innerText.includes("left the table")`)
	kept("after news")
	eval[bool](p, `document.getElementById("reason").value = "spoke to the table", true`)
	p.tap(p.reach("#give .primary"))
	p.wait(isLive +
		` && document.querySelector("main").innerText.includes("spoke to the table") &&
			!document.querySelector("[aria-invalid=true]")`)
}
