package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/tournament/screen"
)

// placesOf returns the positions of the felt, heads, keys and tiles by name.
const placesOf = `(() => {
	const round = (b) => [b.left, b.top, b.width, b.height].map((n) => Math.round(2 * n) / 2).join();
	return Object.fromEntries([...document.querySelectorAll(".felt, .foot, .well, .seat, .seat .count, #clock, .place, .key, .tile")].map((el, i) =>
		[(el.id || el.className + " " + (el.dataset.face || i)) + " in " + (el.parentElement.id || el.parentElement.className), round(el.getBoundingClientRect())]));
})()`

// coverings lists elements that cover a name, a count or a clock, or a tile of another lane.
const coverings = `(() => {
	const seen = (s) => [...document.querySelectorAll(s)].filter((el) => el.checkVisibility() && !/^inset\(50%/.test(getComputedStyle(el).clipPath)).map((el) => ({ el, box: el.getBoundingClientRect() })).filter(({ box }) => box.width > 2 && box.height > 2);
	const found = [];
	const over = (above, below, but) => {
		for (const a of seen(above)) for (const b of seen(below)) {
			if (but(a.el, b.el)) continue;
			const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left), high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
			if (wide > 0.5 && high > 0.5) found.push((a.el.id || a.el.className) + " lies over " + (b.el.id || b.el.className) + " by " + Math.round(wide) + " x " + Math.round(high) + " px");
		}
	};
	const notices = ".tells, .news-item, .news-more, #link.lost, dialog[open]";
	over(notices, ".seat, #clock, .place", () => false);
	over(".tells[tabindex], #link.lost", ".tile, .key, #verdict", (a, b) => a.id === "link" && b.id === "again");
	over("#table .tag", "#table .tile", (a, b) => a.parentElement === b.closest(".lane"));
	for (const el of document.querySelectorAll(notices)) {
		const box = el.getBoundingClientRect();
		if (box.left < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) found.push((el.id || el.className) + " sticks out of the screen");
	}
	return found;
})()`

// roomScreens are the screens on which the layout must stay stable.
var roomScreens = [][2]int64{{1024, 768}, {768, 1024}, {390, 844}, {360, 640}, {740, 360}}

// TestBrowserRoomIsKept checks that no message moves other elements or covers a name, a count or a clock.
func TestBrowserRoomIsKept(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	p.still()
	movers[0].lay(p, 0, "O10", "O11", "O12", "O13")
	p.tap("#play")
	p.wait(`document.getElementById("game").dataset.mine === "false"`)
	e.play(1, game, 26, "R9 R10 J R12")
	e.play(2, game, 52, "B8 B9 B10 B11 B12")
	e.draw(3, game)
	p.wait(`document.getElementById("game").dataset.mine === "true"`)
	for i, size := range roomScreens {
		t.Run(fmt.Sprintf("%d x %d", size[0], size[1]), func(t *testing.T) {
			within(t, &p.t, &e.t)
			turnTo(p, size)
			movers[0].lay(p, freeCell(p, 3), "K4", "K5", "K6")
			p.wait(`document.querySelector("#table .tag.good")`)
			before := eval[map[string]string](p, placesOf)
			if len(before) < 40 {
				t.Fatalf("only %d places are known", len(before))
			}
			keepsRoom(p, "tags", before)
			p.tap("#settings")
			p.wait(`document.getElementById("settings-sheet").open`)
			keepsRoom(p, "settings", before)
			p.tap("#settings-close")
			for _, text := range []string{"Lunch is served until two.",
				"Round 3 begins at a quarter past three in the large hall on the first floor, where the boards have been set up since noon."} {
				e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/announcements", e.id),
					screen.Announce{Level: "note", Texts: map[string]string{"en": text}, Minutes: 10}, nil)
			}
			p.wait(`document.querySelectorAll("[data-news]").length === 2`)
			keepsRoom(p, "news", before)
			for eval[bool](p, `!!document.querySelector("[data-news]")`) {
				eval[bool](p, `document.querySelector("[data-news] .news-close").click(), true`)
			}
			e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/time", game),
				map[string]any{"seconds": 5, "reason": "a tile fell to the floor and was looked for", "key": e.key()},
				nil)
			p.wait(`document.querySelector(".tells .ruling-told")?.textContent.includes("fell")`)
			keepsRoom(p, "ruled", before)
			p.tap("#call")
			p.wait(`document.querySelectorAll(".tells .telling").length === 2`)
			keepsRoom(p, "called", before)
			p.tap("#tells .telling")
			p.wait(`document.activeElement.id === "tells"`)
			if hidden := eval[float64](p,
				`(() => { const el = document.getElementById("tells"); return el.scrollHeight - el.clientHeight; })()`); hidden > 2 {
				t.Errorf("%v px of what is told are hidden when it is opened", hidden)
			}
			p.picture("opened")
			eval[bool](p, `document.activeElement.blur(), true`)
			p.offline(true)
			p.wait(isLost)
			keepsRoom(p, "lost", before)
			p.offline(false)
			p.wait(isLive)
			if i == len(roomScreens)-1 {
				pauseThere(p, e, game, before)
				return
			}
			e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/answer", game),
				map[string]any{"seat": 0, "key": e.key()}, nil)
			p.tap("#reset")
			p.wait(`!document.querySelector("#table .laid")`)
		})
	}
}

// TestBrowserUnsentPlayFits checks that the message about a play that waits for the connection fits on every screen.
func TestBrowserUnsentPlayFits(t *testing.T) {
	b := startChromium(t)
	for _, size := range roomScreens {
		t.Run(fmt.Sprintf("%d x %d", size[0], size[1]), func(t *testing.T) {
			_, _, p := playing(t, b, preparedRacks...)
			p.still()
			turnTo(p, size)
			movers[0].lay(p, freeCell(p, 4), "O10", "O11", "O12", "O13")
			p.wait(`document.querySelector("#table .tag.good")`)
			before := eval[map[string]string](p, placesOf)
			p.offline(true)
			p.tap("#play")
			p.wait(isLost + ` && document.getElementById("verdict").textContent.includes("Not sent yet")`)
			keepsRoom(p, "unsent", before)
		})
	}
}

// turnTo shows the table on another screen with a fresh layout.
func turnTo(p *tab, size [2]int64) {
	p.t.Helper()
	p.size(size[0], size[1])
	eval[bool](p, `localStorage.clear(), true`)
	p.reload()
	p.wait(fmt.Sprintf(`innerWidth === %d && document.fonts.status === "loaded" && `, size[0]) + isLive)
}

// pauseThere stops the clock on the current screen, and checks that the message covers nothing on the other screens
// either.
func pauseThere(p *tab, e *event, game int64, before map[string]string) {
	p.t.Helper()
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/pause", game),
		map[string]any{"reason": "a look", "key": e.key()}, nil)
	p.wait(`document.getElementById("game").classList.contains("paused")`)
	keepsRoom(p, "paused", before)
	for _, size := range roomScreens[:len(roomScreens)-1] {
		turnTo(p, size)
		keepsRoom(p, fmt.Sprintf("paused at %d x %d", size[0], size[1]), nil)
	}
}

// keepsRoom checks that everything is where it was before, and that nothing covers a name, a count, a clock, a tile or
// a text.
func keepsRoom(p *tab, state string, before map[string]string) {
	p.t.Helper()
	for name, at := range eval[map[string]string](p, placesOf) {
		if was := before[name]; was != "" && was != at {
			p.t.Errorf("%s: %s goes from %s to %s", state, name, was, at)
		}
	}
	for _, what := range eval[[]string](p, coverings) {
		p.t.Errorf("%s: %s", state, what)
	}
	if state != "settings" { // the texts below that sheet need not be legible
		for _, misfit := range eval[[]string](p, misfits) {
			p.t.Errorf("%s: %s", state, misfit)
		}
	}
	p.picture(state)
}
