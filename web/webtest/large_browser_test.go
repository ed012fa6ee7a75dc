package webtest

import (
	"fmt"
	"slices"
	"testing"
)

// cutKeys lists keys and tiles whose content does not fit, and rack tiles out of reach.
const cutKeys = `(() => {
	const wrong = [];
	for (const el of document.querySelectorAll(".key, .btn, .seat .count, #clock")) {
		if (!el.checkVisibility() || el.closest("dialog:not([open])")) continue;
		// above and below the letters of a line
		const air = Math.max(3, .2 * parseFloat(getComputedStyle(el).fontSize));
		if (el.scrollWidth > el.clientWidth + 3 || el.scrollHeight > el.clientHeight + air) wrong.push((el.id || el.textContent.trim()) + " has no room: " + el.scrollWidth + " x " + el.scrollHeight + " in " + el.clientWidth + " x " + el.clientHeight);
		const box = el.getBoundingClientRect();
		if (el.matches(".key") && (box.width < 44 || box.height < 44)) wrong.push((el.id || el.textContent) + " is " + box.width + " x " + box.height);
		if (box.left < -1 || box.right > innerWidth + 1) wrong.push((el.id || el.className) + " sticks out sideways");
	}
	for (const tile of document.querySelectorAll("#rack .tile, #table .tile")) {
		if (!tile.checkVisibility()) continue;
		const box = tile.getBoundingClientRect(), number = tile.querySelector("b, svg").getBoundingClientRect();
		if (number.left < box.left || number.right > box.right || number.top < box.top || number.bottom > box.bottom) wrong.push("the numeral of " + tile.dataset.face + " sticks out of its tile");
		const holder = tile.closest(".well, .felt").getBoundingClientRect();
		if (box.bottom > holder.bottom + 3 || box.right > holder.right + 3) wrong.push(tile.dataset.face + " lies beyond its " + tile.closest(".well, .felt").className);
	}
	return wrong;
})()`

// largeText sets the root font size, as a device's text size setting does.
func largeText(p *tab, percent int) {
	p.t.Helper()
	eval[bool](p,
		fmt.Sprintf(`document.documentElement.style.fontSize = "%d%%", dispatchEvent(new Event("resize")), new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`, percent))
}

// TestBrowserLargeText checks that text at 150 % and 200 % of its size is cut off on no screen.
func TestBrowserLargeText(t *testing.T) {
	b, address := startChromium(t), stage(t)
	p := b.tab(t, 1024, 768)
	p.still()
	for _, size := range [][2]int64{{1024, 768}, {768, 1024}, {390, 844}, {320, 640}} {
		for _, lang := range []string{"it", "en"} {
			t.Run(fmt.Sprintf("%d x %d, %s", size[0], size[1], lang), func(t *testing.T) {
				within(t, &p.t)
				p.size(size[0], size[1])
				p.open(fmt.Sprintf("%s/stage?rack=21&table=60&lang=%s", address, lang))
				p.wait(fmt.Sprintf(`innerWidth === %d && document.fonts.status === "loaded" &&
					document.documentElement.dataset.table === "whole"`, size[0]))
				for _, percent := range []int{150, 200} {
					largeText(p, percent)
					notCut(p, fmt.Sprint(percent))
				}
				eval[bool](p, `document.getElementById("list").click(), true`) // the table instead of the list
				notCut(p, "200, table")
				eval[bool](p, `document.getElementById("list").click(), true`)
				eval[bool](p, `document.getElementById("settings").scrollIntoView({ block: "center" }), true`)
				p.tap("#settings")
				p.wait(`document.getElementById("settings-sheet").open`)
				for _, wrong := range eval[[]string](p, cutKeys) {
					t.Errorf("settings: %s", wrong)
				}
				p.picture("settings")
			})
		}
	}
}

func notCut(p *tab, state string) {
	p.t.Helper()
	for _, wrong := range eval[[]string](p, cutKeys) {
		p.t.Errorf("%s: %s", state, wrong)
	}
	for _, misfit := range eval[[]string](p, misfits) {
		p.t.Errorf("%s: %s", state, misfit)
	}
	p.picture(state)
}

// TestBrowserLargeTextElsewhere checks the same for a player's other pages, at 200 % on a screen 320 px wide.
func TestBrowserLargeTextElsewhere(t *testing.T) {
	b := startChromium(t)
	s := newScreens(t)
	p := b.tab(t, 320, 640)
	p.still()
	players := []string{"join", "code", "seats", "seat", "waiting", "guide", "practice", "check", "game", "game-other",
		"game-start", "game-over", "practice-start", "badge"}
	for _, v := range s.all() {
		if !slices.Contains(players, v.name) {
			continue
		}
		t.Run(v.name, func(t *testing.T) {
			within(t, &p.t, &s.t)
			s.show(p, v, "en")
			largeText(p, 200)
			notCut(p, "200")
		})
	}
}
