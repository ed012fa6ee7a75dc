package webtest

import (
	"fmt"
	"strings"
	"testing"

	"meldhall/templates"
)

// silent blocks every stream, so a page keeps its first state.
const silent = `window.fetch = ((fetch) => (address, how) =>
	JSON.stringify(how?.headers || {}).includes("event-stream") ? new Promise(() => {}) : fetch(address, how)
)(window.fetch)`

// TestBrowserClocksBeforeTheFirstMessage checks that the clocks of a page are right before the first message, even if
// the server rendered the page's region long before.
func TestBrowserClocksBeforeTheFirstMessage(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 8, map[string]any{"turn_seconds": 600})
	e.start()
	e.begin(0)
	e.begin(1)
	table := e.round.Tables[0].ID
	pages := []string{e.overlayAddress("lower"), e.overlayAddress("turn"), e.overlayAddress("table"),
		e.http.URL + string(templates.TablesPath(e.id)), e.http.URL + string(templates.WatchPath(e.id, table)),
		e.http.URL + string(templates.DisplayPath(e.id, 1)), e.http.URL + "/play/game",
		e.http.URL + fmt.Sprintf("/referee/%d", e.id), e.http.URL + fmt.Sprintf("/referee/%d/tables/%d", e.id, table)}
	p := b.tab(t, 1280, 800)
	p.seat(e.http.URL, e.at(0, 0).token)
	p.atStart(silent)
	look := func(check func(address string)) {
		for _, address := range pages {
			p.cookie(e.http.URL, "meldhall-staff", "")
			if strings.Contains(address, "/referee/") {
				p.cookie(e.http.URL, "meldhall-staff", e.referee.token)
			}
			p.open(address)
			p.wait(`document.documentElement.dataset.runs && document.querySelector("[data-due] .digits")`)
			check(address)
		}
	}
	look(func(string) {})
	p.wait(`performance.now() > 3000`) // the rendered time is outdated by now
	look(func(address string) {
		wrong := eval[[]string](p, `[...document.querySelectorAll("[data-due]")]
			.map((el) => [Number(el.querySelector(".digits").textContent), (Number(el.dataset.due) - Date.now()) / 1000])
			.filter(([shown, left]) => Math.abs(shown - left) > 1.2).map(([shown, left]) => shown + ", want " + left)`)
		if len(wrong) > 0 {
			t.Errorf("%s shows %q", address, wrong)
		}
	})
	p.open(e.overlayAddress("clock"))
	p.wait(`/^\d\d:\d\d/.test(document.querySelector(".o-time [data-wall]")?.textContent)`)
}

// TestBrowserLifeFollowsADrawing checks that a page that receives messages but cannot render them is not marked live.
func TestBrowserLifeFollowsADrawing(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	eval[bool](p,
		`window.pings = 0, document.getElementById("live").addEventListener("ping", () => window.pings++),
		window.draws = htmx.swap, htmx.swap = async () => { throw new Error("no swap here"); }, true`)
	e.draw(0, game)
	p.wait(`document.getElementById("link").classList.contains("lost")`)
	p.wait(`(window.pings = window.pings || 0) > 2`)
	if !eval[bool](p,
		`document.getElementById("link").classList.contains("lost") &&
			document.getElementById("game").dataset.mine === "true"`) {
		t.Error("the page has not drawn the end of the turn, and says that it is live")
	}
	eval[bool](p, `htmx.swap = window.draws, true`)
	e.draw(1, game)
	p.wait(`document.getElementById("link").classList.contains("live") &&
		document.getElementById("game").dataset.mine === "false"`)
}

// TestBrowserStaysAwakeAfterATouch checks that the first touch requests the wake lock in a browser that, like WebKit,
// grants it only after a touch.
func TestBrowserStaysAwakeAfterATouch(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600})
	e.start()
	e.begin(0)
	p := b.tab(t, 1280, 800)
	p.seat(e.http.URL, e.at(0, 0).token)
	p.atStart(`addEventListener("pointerdown", () => (window.touchedOnce = true), true);
		Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
			if (!window.touchedOnce) throw new Error("only after a touch");
			window.locks = (window.locks || 0) + 1;
			return { released: false, release: async () => {} };
		} } })`)
	for _, address := range []string{"/play/game", string(templates.DisplayPath(e.id, 1)),
		string(templates.OverlayPath(e.id, "lower")), "/check"} {
		p.open(e.http.URL + address)
		p.wait(`document.documentElement.dataset.runs`)
		if eval[bool](p, `!!window.locks`) {
			t.Fatal("the screen was kept on without a touch")
		}
		p.tapAt(point{640, 60})
		p.wait(`window.locks > 0`)
	}
	p.wait(`document.querySelector("#check-awake .mark.good:not([hidden])")`)
}

// TestBrowserCheckWarnsOfNoMissingKind checks that the device check does not warn about a feature that a browser engine
// lacks.
func TestBrowserCheckWarnsOfNoMissingKind(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 4, nil)
	p := b.tab(t, 1280, 800)
	p.atStart(`delete Navigator.prototype.vibrate; delete Navigator.prototype.getBattery`)
	p.open(e.http.URL + "/check")
	for _, row := range []string{"buzz", "battery"} {
		p.wait(`document.querySelector("#check-` + row + ` .mark.wait:not([hidden]) .found").textContent !== ""`)
	}
	p.tap("#check-frame", "#check-tone")
	p.wait(`document.querySelector("#check-sum p[data-sum=running]").hidden`)
	// these two depend on the machine that runs the test
	eval[bool](p,
		`document.querySelectorAll("#check-answer .mark, #check-awake .mark").forEach((el) => el.hidden = true), true`)
	if left := eval[int](p,
		`document.querySelectorAll("#check tbody .mark:is(.now, .bad):not([hidden])").length`); left > 0 {
		t.Errorf("%d lines cannot be good here", left)
	}
}
