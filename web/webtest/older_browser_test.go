package webtest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/templates"
	"meldhall/templates/part"
)

// olderThanPromised turns the browser into one below each oldest supported version (see older.js).
const olderThanPromised = `delete HTMLElement.prototype.inert;
	CSS.supports = ((supports) => (...asked) => asked[1] !== "1dvh" && supports(...asked))(CSS.supports)`

// TestBrowserOlderThanPromised checks that each kind of page warns in words in a browser that is too old, on top of
// everything else, and not in others. A board switches to its page without scripts, which names the reason.
func TestBrowserOlderThanPromised(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600})
	e.start()
	e.begin(0)
	good, old := b.tab(t, 1280, 800), b.tab(t, 390, 844)
	old.atStart(olderThanPromised)
	real := newRealEvent(t, 4, nil)
	device := real.joinTable(1)
	real.start()
	event := fmt.Sprintf("/events/%d", e.id)
	for _, at := range []struct{ server, address, seat, staff string }{
		{e.http.URL, "/play/game", e.at(0, 0).token, ""}, {real.http.URL, "/play/game", device.token, ""},
		{e.http.URL, string(templates.DisplayPath(e.id, 1)), "", ""}, {e.http.URL, "/check", "", ""},
		{e.http.URL, "/", "", ""}, {e.http.URL, event, "", ""}, {e.http.URL, event + "/tables", "", ""},
		{e.http.URL, "/embed" + event, "", ""},
		{e.http.URL, strings.TrimPrefix(e.overlayAddress("lower"), e.http.URL), "", ""},
		{e.http.URL, fmt.Sprintf("/referee/%d", e.id), "", e.referee.token},
		{e.http.URL, fmt.Sprintf("/referee/%d/tables/%d", e.id, e.round.Tables[0].ID), "", e.referee.token},
		{e.http.URL, fmt.Sprintf("/desk/%d/rules", e.id), "", e.organizer.token},
		{e.http.URL, fmt.Sprintf("/referee/%d/ready", e.id), "", e.organizer.token},
	} {
		for _, p := range []*tab{good, old} {
			p.cookie(at.server, "meldhall-seat", at.seat)
			p.cookie(at.server, "meldhall-staff", at.staff)
			p.open(at.server + at.address)
			p.wait(`document.documentElement.dataset.runs && document.getElementById("older")`)
			said := eval[string](p, `[document.getElementById("older")].filter((el) => {
				const b = el.getBoundingClientRect();
				return b.height && el.contains(document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2));
			}).map((el) => el.innerText).join("")`)
			if (p == old) != strings.Contains(said, "Chrome "+part.OldestChrome) {
				t.Errorf("%s says %q", at.address, said)
			}
			p.picture(strings.Trim(at.address, "/"))
		}
	}
	old.size(1280, 720)
	for address, want := range map[string]string{
		string(templates.BoardsPath(e.id, "tables")) + "?theme=light": string(templates.BoardsPath(e.id, "tables")) +
			"?theme=light&plain=1",
		string(templates.BoardPath):  string(templates.BoardPath) + "?plain=1",
		string(templates.ScreenPath): string(templates.BoardPath) + "?plain=1",
	} {
		old.open(e.http.URL + address)
		old.wait(fmt.Sprintf(`location.pathname + location.search === %q`, want))
		old.wait(`document.querySelector(".needs").innerText.includes("Chrome ` + part.OldestChrome + `")`)
		old.picture("plain" + strings.NewReplacer("/", "-", "?", "-").Replace(address))
	}
}

// TestEveryPageWarnsOlderBrowsers checks that every page has the script that finds an older browser and words for one
// without scripts, or is a board's page without scripts.
func TestEveryPageWarnsOlderBrowsers(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	e := newPublished(t, "Test", roster(8), nil)
	e.start()
	pages := 0
	for _, at := range e.everything(t, "playing") {
		for path, body := range at.pages {
			if !strings.HasPrefix(strings.ToLower(body), "<!doctype html>") || path == "/verify" { // it is one file
				continue
			}
			pages++
			has := func(part string) bool { return strings.Contains(body, part) }
			words := has(`id="older"`) && has(`<noscript><p class="older">`)
			if !has("plain.css") && !(has("older.js") && (words || has("data-plain="))) {
				t.Errorf("%s to the %s does not warn", path, at.who)
			}
		}
	}
	if pages < 60 {
		t.Errorf("only %d pages", pages)
	}
}

// TestPlainBoardsTurn checks that each page of a plain board links to the next under the board's address and keeps its
// settings.
func TestPlainBoardsTurn(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", roster(48), nil)
	address := string(templates.BoardsPath(e.id, "names"))
	var seen []string
	for next := address + "?plain=1&theme=light&metres=20"; !slices.Contains(seen, next); {
		seen = append(seen, next)
		page := e.reader().get(t, next).is(http.StatusOK)
		_, after, _ := strings.Cut(attr(find(page.doc, "meta[http-equiv=refresh]")[0], "content"), "url=")
		if next = after; !strings.HasPrefix(next, address+"?") || !strings.Contains(next, "metres=20") {
			t.Fatalf("%s leads to %q", seen[len(seen)-1], next)
		}
	}
	if len(seen) < 3 {
		t.Errorf("pages: %q", seen)
	}
}
