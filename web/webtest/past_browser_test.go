package webtest

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"meldhall/web/page"
)

// TestBrowserPast checks the pages of an ended tournament on phones and a laptop in both themes, with names of 30
// letters in five scripts: nothing is cut off or overflows, and no page scrolls sideways.
func TestBrowserPast(t *testing.T) {
	b := startChromium(t)
	e := cup(t)
	p := b.tab(t, 1366, 768)
	p.still()
	at := fmt.Sprintf("%s/events/%d", e.http.URL, e.id)
	final := e.round.Tables[0].Seats
	pages := map[string]string{"standings": at, "rounds": at + "/rounds",
		"round": fmt.Sprintf("%s/rounds/%d", at, e.round.ID), "players": at + "/players",
		"player": fmt.Sprintf("%s/players/%d?with=%d", at, final[0].Player.ID, final[1].Player.ID), "crosstable": at +
			"/crosstable", "statistics": at + "/statistics",
		"table": fmt.Sprintf("%s/tables/%d", at, e.round.Tables[0].ID)}
	for _, theme := range []string{"light", "dark"} {
		p.cookie(e.http.URL, page.ThemeCookie, theme)
		for k, language := range []string{"en", "it", "he"} {
			p.cookie(e.http.URL, "lang", language)
			for i, name := range slices.Sorted(maps.Keys(pages)) {
				if theme == "light" && !inTurn(i, k, 3) {
					continue
				}
				for _, width := range []int64{320, 390, 1366} {
					if theme == "dark" && (language != "en" || width == 320) {
						continue // the same layout in other colours
					}
					p.size(width, 844)
					p.open(pages[name])
					for _, misfit := range eval[[]string](p, misfits) {
						t.Errorf("%s in %s, %d wide: %s", name, language, width, misfit)
					}
					if rows := eval[int](p,
						`new Set([...document.querySelectorAll(".bar nav li")].map((li) => li.offsetTop)).size`); rows != 1 {
						t.Errorf("%s in %s, %d wide: the navigation has %d lines", name, language, width, rows)
					}
					p.picture(fmt.Sprintf("%s-%s-%d-%s", name, language, width, theme))
				}
			}
		}
	}
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("complaints: %q", got)
	}
}

// TestBrowserCrosstableStays checks that the header and the first column of a scrolled crosstable stay visible, also
// right to left.
func TestBrowserCrosstableStays(t *testing.T) {
	b := startChromium(t)
	e := cup(t)
	p := b.tab(t, 320, 480)
	p.still()
	for _, language := range []string{"en", "he"} {
		p.cookie(e.http.URL, "lang", language)
		p.open(fmt.Sprintf("%s/events/%d/crosstable", e.http.URL, e.id))
		stays := eval[bool](p, `(() => {
			const box = document.querySelectorAll(".cross")[1], side = document.documentElement.dir === "rtl" ? -1 : 1;
			box.style.maxHeight = "200px";
			box.scrollTo(side * 150, 120);
			const edge = box.getBoundingClientRect(), head = box.querySelector("thead th:nth-child(6)").getBoundingClientRect();
			const name = box.querySelector("tbody tr:nth-child(5) th").getBoundingClientRect();
			const start = side > 0 ? name.left - edge.left : edge.right - name.right;
			return Math.abs(box.scrollLeft) > 40 && box.scrollTop > 40 && Math.abs(head.top - edge.top) < 4 && Math.abs(start) < 18;
		})()`)
		if !stays {
			t.Errorf("%s: the head or the names went away", language)
		}
	}
}

// TestBrowserStar checks that the star moves a favourite to the top of the players' list and marks it with a word as
// well. This persists after a reload and in the standings, and the same star undoes it. Without scripts there is no
// star.
func TestBrowserStar(t *testing.T) {
	b := startChromium(t)
	e := cup(t)
	p := b.tab(t, 390, 844)
	p.still()
	at := fmt.Sprintf("%s/events/%d", e.http.URL, e.id)
	if page := e.reader().get(t, fmt.Sprintf("/events/%d/players", e.id)); page.count(".star") != 0 {
		t.Error("there is a star without a script")
	}
	first := `document.querySelector("#players tbody tr").dataset.player`
	p.open(at + "/players")
	p.wait(`document.querySelectorAll("#players .star").length === 8`)
	before := eval[string](p, first)
	last := eval[string](p, `[...document.querySelectorAll("#players tbody tr")].at(-1).dataset.player`)
	row := fmt.Sprintf(`#players [data-player="%s"]`, last)
	eval[bool](p, fmt.Sprintf(`document.querySelector('%s .star').scrollIntoView({ block: "center" }), true`, row))
	p.tap(row + " .star")
	starred := fmt.Sprintf(`%s === %q && document.querySelector('%s .star[aria-pressed="true"]') &&
		document.querySelector('%s .star-is').textContent.includes("Favourite")`, first, last, row, row)
	p.wait(starred)
	if !eval[bool](p, `document.activeElement.matches("#players tbody tr:first-child .star")`) {
		t.Error("the star that was pressed has lost the focus")
	}
	p.picture("starred")
	p.open(at + "/players")
	p.wait(starred)
	p.open(at)
	p.wait(isLive)
	p.wait(fmt.Sprintf(`document.querySelectorAll(".star-is").length === 1 &&
		document.querySelector('#ranks [data-player="%s"] .star-is')`, last))
	for _, misfit := range eval[[]string](p, misfits) {
		t.Error(misfit)
	}
	p.picture("standings")
	p.open(at + "/players/" + last)
	p.wait(`document.querySelector("h1 .star[aria-pressed='true']")`)
	p.picture("player")
	p.tap("h1 .star")
	p.wait(`document.querySelector("h1 .star[aria-pressed='false']") && !document.querySelector(".star-is")`)
	p.open(at + "/players")
	p.wait(fmt.Sprintf(`%s === %q && !document.querySelector(".star-is")`, first, before))
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("complaints: %q", got)
	}
}
