package webtest

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"meldhall/web/page"
)

// matrixSizes are the sizes of the matrix: a tablet and a phone, each with text of normal and double size, and a tablet
// at 400 %. all is where every language is checked, and the contrast of the dark theme, whose layout is the same.
var matrixSizes = []struct {
	wide, high int64
	text       int
	all        bool
}{{1280, 800, 100, true}, {1280, 800, 200, false}, {390, 844, 100, false}, {390, 844, 200, true}, {320, 256, 100, true}}

// hiddenFocus lists the controls that are covered or out of sight when they have the focus, and a page that scrolls
// sideways.
const hiddenFocus = `(() => {
	const wrong = [], root = document.documentElement, modal = document.querySelector("dialog[open]:modal");
	if (innerWidth > screen.width || root.scrollWidth > innerWidth) wrong.push("the page scrolls sideways: " + root.scrollWidth + " of " + screen.width);
	const name = (el) => (el.id ? "#" + el.id : el.className || el.localName) + " “" + (el.innerText || el.ariaLabel || "").trim().replace(/\s+/g, " ").slice(0, 40) + "”";
	for (const el of (` + controlsHere + `, window.stops)) {
		if (modal && !modal.contains(el)) continue;
		el.focus({ focusVisible: true });
		if (document.activeElement !== el) continue;
		const box = [...el.getClientRects()].find((b) => b.width && b.height) || el.getBoundingClientRect();
		const among = (from, to, most, part) => Math.max(0, from) + part * (Math.min(to, most) - Math.max(0, from)); // some are higher than the screen
		const seen = [.5, .2, .8].flatMap((x) => [.5, .2, .8].map((y) => document.elementFromPoint(among(box.left, box.right, innerWidth, x), among(box.top, box.bottom, innerHeight, y))));
		if (!seen.some((top) => top && (el.contains(top) || el.closest("label")?.contains(top)))) wrong.push("with the focus, " + name(el) + " lies under " + (seen[0] ? name(seen[0]) : "the edge") + " at " + [box.left, box.top, box.right, box.bottom].map(Math.round));
	}
	document.activeElement?.blur();
	return wrong;
})()`

// listShown opens the list and takes a tile.
func listShown(p *tab) {
	p.t.Helper()
	if !eval[bool](p, `document.documentElement.dataset.view === "list"`) {
		eval[bool](p, `document.getElementById("list").click(), true`)
	}
	p.wait(`document.querySelector("#rack-list .piece")`)
	eval[bool](p, `document.querySelector("#rack-list .piece").click(), true`)
}

// matrix returns the screens that players and their table's officials and spectators use during a game. The last ones
// change the game.
func (s *pageStates) matrix() []pageState {
	names := []string{"join", "code", "seats", "seat", "check", "practice", "practice-start", "waiting", "game",
		"game-other", "game-start", "game-over", "display", "watch", "hall", "ruling", "replay", "turn"}
	var list []pageState
	for _, v := range s.all() {
		if slices.Contains(names, v.name) {
			list = append(list, v)
		}
	}
	game := func(name string, act func(p *tab)) pageState {
		return pageState{name: name, who: "seat 0 0", path: "/play/game", ready: isLive, act: act}
	}
	once := map[string]bool{}
	tell := func(action string, body map[string]any) {
		if !once[action] {
			body["reason"], body["key"] = "a spilled drink", s.key()
			s.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/%s", s.games[0], action), body, nil)
		}
		once[action] = true
	}
	lesson := `document.querySelector("button[name=lesson]")`
	return append(list,
		s.settings(),
		game("list", listShown),
		game("commands", func(p *tab) {
			p.press("/")
			p.wait(`document.activeElement?.id === "command-text"`)
			p.write("lay B1 B2")
			p.press("Enter")
			p.wait(`document.getElementById("command-answer").textContent`)
		}),
		game("scan", func(p *tab) {
			p.tap("#settings")
			p.tapsBelow(`[name="set-scan"]`, "#settings-close")
			p.wait(`!document.querySelector("dialog[open]") && document.querySelector(".scan-ring")`)
		}),
		pageState{name: "called", who: "seat 0 2", path: "/play/game", ready: isLive},
		pageState{name: "lesson", path: "/practice", ready: lesson, act: func(p *tab) {
			p.tapsBelow("button[name=lesson]")
			p.wait(`location.pathname === "/practice/game" && document.querySelector(".lesson-hand") && ` + isLive)
		}},
		pageState{name: "hand", path: "/check", act: func(p *tab) {
			p.tapsBelow("#hand-start")
			p.wait(`document.getElementById("hand-game").open`)
		}},
		game("paused", func(p *tab) {
			tell("pause", map[string]any{})
			p.wait(`document.getElementById("game").classList.contains("paused")`)
		}),
		game("time-over", func(p *tab) {
			if !once["resume"] {
				s.resume(s.referee, s.games[0])
			}
			once["resume"] = true
			tell("time", map[string]any{"seconds": -1800})
			p.wait(`document.getElementById("last").textContent.includes("3")`)
		}))
}

// TestScreensMatrix checks the screens of a game with axe in three languages, with both themes, at 100, 200 and 400 %.
// At 400 % no page scrolls sideways, and nothing covers the control that has the focus. Without -figures, each screen is
// checked in one of the languages and at two of the sizes.
func TestScreensMatrix(t *testing.T) {
	b := startChromium(t)
	axe := axeScript(t)
	s := newScreens(t)
	p := b.tab(t, 1280, 800)
	p.still()
	p.cookie(s.http.URL, page.ThemeCookie, "light")
	for i, v := range s.matrix() {
		for k, language := range []string{"en", "it", "he"} {
			if !inTurn(i, k, 3) {
				continue
			}
			t.Run(v.name+"/"+language, func(t *testing.T) {
				within(t, &p.t, &s.t)
				p.size(1280, 800)
				s.show(p, v, language)
				for j, size := range matrixSizes {
					if last := len(matrixSizes) - 1; j < last && !inTurn(i, j, last) {
						continue
					}
					if *figures && !size.all && language != "en" {
						continue
					}
					name := fmt.Sprintf("%d x %d, %d %%", size.wide, size.high, size.text)
					largeText(p, size.text)
					p.size(size.wide, size.high)
					p.wait(fmt.Sprintf(`screen.width === %d && (document.documentElement.dataset.text !== "large" ||
						!document.getElementById("set-list") || document.documentElement.dataset.view === "list")`, size.wide))
					p.frame()
					for _, violation := range barriers(p, axe) {
						t.Errorf("%s: %s", name, violation)
					}
					p.picture(fmt.Sprint(size.wide, "-", size.text, "-light"))
					if size.all {
						eval[bool](p, `document.documentElement.dataset.theme = "dark", true`)
						for _, violation := range barriers(p, axe, "color-contrast") {
							t.Errorf("%s, dark: %s", name, violation)
						}
						p.picture(fmt.Sprint(size.wide, "-", size.text, "-dark"))
						eval[bool](p, `document.documentElement.dataset.theme = "light", true`)
					}
					if size.wide < 390 {
						for _, wrong := range eval[[]string](p, hiddenFocus) {
							t.Errorf("%s: %s", name, wrong)
						}
					}
				}
				eval[bool](p, `localStorage.clear(), true`)
			})
		}
	}
}
