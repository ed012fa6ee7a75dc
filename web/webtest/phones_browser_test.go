package webtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"meldhall/web/page"
)

// brokenWords lists words of a page that are broken in the middle, except in scripts without spaces. If text is %t
// large, names and words of more than 14 letters, which are wider than the page, may break.
const brokenWords = `(() => {
	const found = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const node = walker.currentNode, el = node.parentElement;
		if (!el.checkVisibility({ visibilityProperty: true }) || el.closest("noscript, script, .seal, .vh, .skip") || %t && el.closest("bdi, .name, .event")) continue;
		for (const word of node.textContent.matchAll(/(?:(?!\u05be)[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{M}]){2,}/gu)) {
			if (%t && word[0].length > 14) continue;
			const range = document.createRange();
			range.setStart(node, word.index);
			range.setEnd(node, word.index + word[0].length);
			const lines = [...range.getClientRects()].filter((box) => box.width > 0);
			if (lines.some((box) => box.top > lines[0].bottom - 2)) found.add(word[0]);
		}
	}
	return [...found];
})()`

// TestBrowserPhones opens every public page of a finished and of a running tournament, and the registration of a coming
// one. It uses phones of 320 and 390 px with text of normal and double size. No word may break, nothing may be cut off
// or overflow, no page may scroll sideways, and none may log an error. Without -figures, each page is checked in
// two of the seven looks.
func TestBrowserPhones(t *testing.T) {
	b := startChromium(t)
	season := newSeason(t)
	e, pages := season.over, season.addresses(t)
	delete(pages, "nothing")
	p := b.tab(t, 320, 640)
	p.still()
	for k, look := range []struct {
		language, theme string
		percent         int
		width           int64
	}{{"en", "dark", 100, 320}, {"de", "light", 100, 320}, {"ja", "light", 100, 320},
		{"he", "dark", 100, 320}, {"pl", "dark", 100, 390}, {"fr", "dark", 200, 320}, {"he", "light", 200, 320}} {
		p.size(look.width, 640)
		p.cookie(e.http.URL, page.ThemeCookie, look.theme)
		p.cookie(e.http.URL, "lang", look.language)
		for i, name := range slices.Sorted(maps.Keys(pages)) {
			if !inTurn(i, k, 7) && !inTurn(i, k+3, 7) {
				continue
			}
			t.Run(fmt.Sprintf("%d/%s/%d/%s", look.width, look.language, look.percent, name), func(t *testing.T) {
				within(t, &p.t)
				p.open(e.http.URL + pages[name])
				if eval[bool](p, `!!document.querySelector("main .narrow > .big.mute")`) {
					t.Fatal("there is no such page")
				}
				if look.percent != 100 {
					largeText(p, look.percent)
				}
				for _, misfit := range eval[[]string](p, misfits) {
					t.Error(misfit)
				}
				if words := eval[[]string](p, fmt.Sprintf(brokenWords, look.percent != 100,
					look.percent != 100)); len(words) > 0 {
					slices.Sort(words)
					t.Errorf("broken words: %s", strings.Join(words, ", "))
				}
				p.picture("phone")
			})
		}
	}
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("complaints: %q", got)
	}
}

// TestBrowserHeadsStay checks, on phones in both directions and on a laptop, that the headers of the standings, the
// players and the reasons stay visible while scrolling. Rows shown as cards are still table rows with headers for
// screen readers.
func TestBrowserHeadsStay(t *testing.T) {
	b := startChromium(t)
	e := cup(t)
	p := b.tab(t, 320, 480)
	p.still()
	for _, width := range []int64{320, 390, 1366} {
		p.size(width, 480)
		for _, language := range []string{"en", "he"} {
			p.cookie(e.http.URL, "lang", language)
			for page, table := range map[string]string{"": "#ranks", "/players": "#players", "/why": ".whys"} {
				if page == "/players" && width > 390 {
					continue // cards in columns
				}
				p.open(fmt.Sprintf("%s/events/%d%s", e.http.URL, e.id, page))
				if stays := eval[bool](p, fmt.Sprintf(`(() => {
					const table = document.querySelector(%q), last = table.querySelector("tbody tr:last-child");
					document.querySelector("main").style.paddingBottom = "900px";
					scrollBy({ top: last.getBoundingClientRect().top - 200, behavior: "instant" });
					const head = table.querySelector("thead th").getBoundingClientRect();
					const seen = document.elementFromPoint(head.left + head.width / 2, head.top + head.height / 2);
					return scrollY > 50 && head.top > -1 && head.top < 30 && !!seen?.closest("thead");
				})()`, table)); !stays {
					t.Errorf("%s%s, %d px: the head went away", language, page, width)
				}
			}
		}
	}
	p.size(320, 480)
	p.cookie(e.http.URL, "lang", "en")
	p.open(fmt.Sprintf("%s/events/%d", e.http.URL, e.id))
	roles := map[string]int{}
	for _, s := range (listener{p}).hears() {
		roles[s.role]++
	}
	if roles["table"] != 1 || roles["row"] < 9 || roles["rowheader"] != 8 || roles["columnheader"] < 5 {
		t.Errorf("heard are %d tables, %d rows, %d headers of rows, %d of columns", roles["table"], roles["row"],
			roles["rowheader"], roles["columnheader"])
	}
}

// TestBrowserFiguresStandInLine checks that the last digits of a column are aligned, also right to left.
func TestBrowserFiguresStandInLine(t *testing.T) {
	b := startChromium(t)
	e := cup(t)
	p := b.tab(t, 1366, 800)
	p.still()
	for _, language := range []string{"en", "he"} {
		p.cookie(e.http.URL, "lang", language)
		for page, figures := range map[string]string{"": "#ranks .points b",
			"/boards/standings": ".b-list > .b-rank > span:nth-of-type(3)"} {
			p.open(fmt.Sprintf("%s/events/%d%s", e.http.URL, e.id, page))
			p.wait(isLive)
			ends := eval[[]float64](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].filter((b) => b.checkVisibility() && /\d/.test(b.textContent)).map((b) => {
				const text = document.createRange();
				text.selectNodeContents(b);
				return Math.round(text.getBoundingClientRect().right);
			})`, figures))
			if slices.Sort(ends); len(ends) != 8 || ends[0] != ends[7] {
				t.Errorf("%s%s: the figures end at %v", language, page, ends)
			}
		}
	}
}
