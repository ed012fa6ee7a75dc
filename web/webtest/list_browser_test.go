package webtest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"meldhall/tournament/result"
)

// textSize makes the pages that are opened from now on have text of a size in percent.
func (p *tab) textSize(percent int) {
	p.t.Helper()
	p.atStart(fmt.Sprintf(`new MutationObserver((_, all) => {
		if (!document.documentElement) return;
		document.documentElement.style.fontSize = "%d%%";
		all.disconnect();
	}).observe(document, { childList: true })`, percent))
}

// presses scrolls to keys of the list and taps them.
func (p *tab) presses(selectors ...string) {
	p.t.Helper()
	for _, selector := range selectors {
		p.wait(fmt.Sprintf(`!!document.querySelector(%q) && !document.querySelector(%[1]q).disabled`, selector))
		eval[bool](p, `document.querySelector(`+strconv.Quote(selector)+`).scrollIntoView({ block: "nearest" }), true`)
		p.tap(selector)
	}
}

// piece returns the selector of a tile in the list: on the rack, or of a set.
func piece(face string) string { return `[aria-pressed="false"] > .tile[data-face="` + face + `"]` }

func onList(face string) string { return "#rack-list " + piece(face) }

func inSets(face string) string { return "#set-rows " + piece(face) }

// rowKey returns the selector of a key of a set, by the set's number and the name of the key.
func rowKey(set int, name string) string { return fmt.Sprintf("#set%d-%s:not([hidden])", set, name) }

// rowWords returns the words about each set.
func rowWords(p *tab) []string {
	p.t.Helper()
	return eval[[]string](p,
		`[...document.querySelectorAll(".set-words")].map((el) => el.textContent.replace(/\s+/g, " ").trim())`)
}

// TestBrowserListPlaysAGame plays a tournament game in the table as a list, on a small phone with text of double size.
func TestBrowserListPlaysAGame(t *testing.T) {
	b := startChromium(t)
	e, game := newPreparedTable(t, preparedRacks...)
	p := b.tab(t, 360, 640)
	p.still()
	p.textSize(200)
	e.join(p)
	e.start()
	p.wait(`location.pathname === "/play/game" && document.querySelectorAll("#rack .tile").length === 14 &&
		document.getElementById("link").classList.contains("live")`)
	e.readyBut(1, game)
	p.presses("#ready")
	p.wait(`document.getElementById("game").dataset.mine === "true" && document.querySelectorAll("#rack-list .piece").length === 14`)
	p.picture("begun")

	before := p.taps
	for _, set := range [][]string{{"O10", "O11", "O12"}, {"K4", "K5", "K6"}, {"B1", "R1", "O1"}} {
		for _, face := range set {
			p.presses(onList(face))
		}
		p.presses("#list-new")
	}
	if keys := p.taps - before; keys > 12 {
		t.Errorf("three sets took %d keys", keys)
	}
	p.wait(`document.querySelectorAll("#set-rows .tag.good").length === 3 && document.querySelectorAll(".set-row").length === 3 && !document.getElementById("play").disabled`)
	p.picture("opening")
	t.Logf("%q", rowWords(p))
	p.presses("#play")
	p.wait(`document.getElementById("game").dataset.mine === "false"`)

	e.play(1, game, 39, "R9 R10 J R12")
	e.play(2, game, 52, "B8 B9 B10 B11 B12")
	e.draw(3, game)
	p.wait(`document.getElementById("game").dataset.mine === "true" && document.querySelectorAll(".set-row").length === 5`)
	p.picture("table")
	t.Logf("%q", rowWords(p))
	row := func(word string) int {
		for i, words := range rowWords(p) {
			if n := len(word); len(words) > n && strings.Contains(words, word) {
				return i + 1
			}
		}
		t.Fatalf("no set is called %q: %q", word, rowWords(p))
		return 0
	}
	before = p.taps
	p.presses(onList("B10"), rowKey(row("blue 8 to blue 12"), "add"))
	p.presses(onList("R11"), rowKey(row("red 9 to red 12"), "free"))
	p.presses(onList("K13"), onList("R13"), "#list-new")
	p.wait(`document.getElementById("verdict").classList.contains("good") && !document.getElementById("play").disabled`)
	p.picture("manipulated")
	t.Logf("%d keys: %q", p.taps-before, rowWords(p))
	p.presses("#play")
	p.wait(`document.getElementById("game").dataset.mine === "false"`)

	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/call-time", game),
		map[string]any{"reason": "the slot is over", "key": e.key()}, nil)
	for seat := 1; seat < 4; seat++ {
		e.draw(seat, game)
	}
	p.wait(`document.getElementById("result-title") && document.querySelectorAll(".counted > li").length === 4`)
	p.picture("counted")
	p.presses("#agree")
	p.wait(`document.getElementById("agree").disabled`)
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), result.ConfirmResult{Rev: 1}, nil)
	p.wait(`document.querySelectorAll("#rack .tile").length === 14 &&
		document.getElementById("place").textContent.includes("Game 2 of")`)
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}

// TestBrowserListFits opens the table as a list.
func TestBrowserListFits(t *testing.T) {
	b, address := startChromium(t), stage(t)
	p := b.tab(t, 1024, 768)
	p.still()
	for _, c := range []struct {
		wide, high int64
		text       int
		query      string
	}{{360, 640, 100, "rack=14&table=60&theme=dark"}, {360, 640, 200, "rack=14&table=60&theme=light"},
		{390, 844, 100, "rack=30&table=60&theme=light"}, {390, 844, 200, "rack=30&table=60&theme=dark"},
		{1024, 768, 100, "rack=14&table=60&theme=dark"},
		{1024, 768, 200, "rack=14&table=60&theme=light"}, {1280, 800, 200, "rack=30&table=60&theme=dark"},
		{1280, 800, 200, "rack=14&table=0&theme=light"}, {390, 844, 200, "rack=14&table=20&theme=dark&lang=he"},
		{1024, 768, 200, "rack=14&table=20&theme=light&lang=he"}, {390, 844, 200, "rack=14&table=20&theme=light&lang=de"},
		{320, 200, 100, "rack=14&table=20&theme=dark"}, {844, 390, 100, "rack=14&table=60"}, {844, 390, 200, "rack=14&table=60"}} {
		name := fmt.Sprintf("%d x %d, %d, %s", c.wide, c.high, c.text, c.query)
		t.Run(name, func(t *testing.T) {
			within(t, &p.t)
			p.size(c.wide, c.high)
			p.open(address + "/stage?" + c.query)
			p.wait(fmt.Sprintf(`innerWidth === %d && document.fonts.status === "loaded" &&
				document.documentElement.dataset.table === "whole"`, c.wide))
			largeText(p, c.text)
			if !eval[bool](p, `document.documentElement.dataset.view === "list"`) {
				eval[bool](p, `document.getElementById("list").click(), true`)
			}
			p.picture("top")
			for _, wrong := range eval[[]string](p, misfits) {
				t.Error(wrong)
			}
		})
	}
}
