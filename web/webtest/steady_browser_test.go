package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// TestSheetStaysUnderAFinger checks that updates wait while a key is held down, so that the touched key is the one that
// acts.
func TestSheetStaysUnderAFinger(t *testing.T) {
	d := newDesk(t, nil)
	p := d.official(t, d.referee, 360, 740)
	const told = `document.getElementById("live").textContent.includes("Touched the pool")`
	p.open(d.sheet())
	p.wait(isLive)
	key := p.reach(act("penalty", "seat=1", "tiles=2"))
	eval[bool](p,
		`document.addEventListener("htmx:sse:before:message", (e) => { window.came ||= !e.detail.message.event; }), true`)
	at := p.middle(key)
	p.button(input.DispatchMouseEventTypeMousePressed, at)
	d.organizer.must(http.MethodPost, fmt.Sprintf("/games/%d/penalty", d.game),
		map[string]any{"seat": 0, "tiles": 2, "reason": "touched the pool", "key": d.key()}, nil)
	p.wait(`window.came`)
	for range 20 { // without waiting, the update would appear within two frames
		p.frame()
	}
	if eval[bool](p, told) {
		t.Error("the sheet was drawn anew under the finger")
	}
	p.button(input.DispatchMouseEventTypeMouseReleased, at)
	p.wait(`document.querySelector("#rule[open] #rule-go")`)
	p.wait(told)
}

// TestATapMeansWhatTheFingerWasPutOn checks that if the page moves while a key is held down, for any reason, the
// touched key is tapped, not its neighbour, which would give another penalty, nor the gap between them.
func TestATapMeansWhatTheFingerWasPutOn(t *testing.T) {
	d := newDesk(t, nil)
	p := d.official(t, d.referee, 360, 740)
	for _, shift := range []int{10, 30, 60, 90} {
		p.open(d.sheet())
		p.wait(isLive)
		eval[bool](p, fmt.Sprintf(`addEventListener("pointerdown", () => {
			const bar = document.createElement("p");
			bar.style.height = "%dpx";
			// where the browser does not scroll along
			document.documentElement.style.overflowAnchor = document.body.style.overflowAnchor = "none";
			document.querySelector("#live .sheet-clock").before(bar);
		}), true`, shift))
		p.tap(p.reach(act("penalty", "seat=1", "tiles=2")))
		p.wait(`document.querySelector("#rule[open] #rule-go")`)
		if got := eval[string](p, `document.querySelector("#rule [name=seat]").value`); got != "1" {
			t.Errorf("moved by %d px: a penalty for seat %s, want 1", shift, got)
		}
	}
}

// TestUnfoldedStaysOpen checks that updates do not close what an official has expanded.
func TestUnfoldedStaysOpen(t *testing.T) {
	d := newDesk(t, nil)
	p := d.official(t, d.referee, 360, 740)
	p.open(d.floor())
	p.wait(isLive)
	p.tap(p.reach(".round-wide > summary"))
	p.wait(`document.querySelector(".round-wide[open]")`)
	d.organizer.must(http.MethodPost, fmt.Sprintf("/games/%d/pause", d.game),
		map[string]any{"reason": "a look", "key": d.key()}, nil)
	p.wait(fmt.Sprintf(`document.querySelector("#t%d").textContent.includes("paused")`, d.round.Tables[0].ID))
	if !eval[bool](p, `!!document.querySelector(".round-wide[open]")`) {
		t.Error("news has closed what was unfolded")
	}
}

// button presses or releases a mouse button at a point.
func (p *tab) button(kind input.DispatchMouseEventType, at point) {
	p.t.Helper()
	params := input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y, Button: input.MouseButtonLeft, ClickCount: 1}
	if _, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, params); err != nil {
		p.t.Fatal(err)
	}
}
