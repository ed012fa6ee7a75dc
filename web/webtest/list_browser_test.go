package webtest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"meldhall/engine/ruleset"
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

// onList returns the selector of a tile of the rack, unless it is in the hand.
func onList(face string) string {
	return `#rack-list [aria-pressed="false"] > [data-face="` + face + `"]`
}

// inSets returns the selector of a tile of the table, unless it is in the hand.
func inSets(face string) string {
	return `#set-rows [aria-pressed="false"] > [data-face="` + face + `"]`
}

// rowKey returns the selector of a key of a set, by words about the set and the name of the key.
func rowKey(p *tab, words, name string) string {
	p.t.Helper()
	all := rowWords(p)
	set := slices.IndexFunc(all, func(row string) bool { return strings.Contains(row, words) })
	if set < 0 {
		p.t.Fatalf("no set is called %q: %q", words, all)
	}
	return fmt.Sprintf("#set%d-%s:not([hidden])", set+1, name)
}

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
	p.wait(`document.getElementById("game").dataset.mine === "true" &&
		document.querySelectorAll("#rack-list .piece").length === 14`)
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
	p.wait(`document.querySelectorAll("#set-rows .tag.good").length === 3 &&
		document.querySelectorAll(".set-row").length === 3 && !document.getElementById("play").disabled`)
	p.picture("opening")
	p.presses("#play")
	p.wait(`document.getElementById("game").dataset.mine === "false"`)

	e.play(1, game, 39, "R9 R10 J R12")
	e.play(2, game, 52, "B8 B9 B10 B11 B12")
	e.draw(3, game)
	p.wait(`document.getElementById("game").dataset.mine === "true" && document.querySelectorAll(".set-row").length === 5`)
	p.picture("table")
	before = p.taps
	p.presses(onList("B10"), rowKey(p, "blue 8 to blue 12", "add"))
	p.presses(onList("R11"), rowKey(p, "red 9 to red 12", "free"))
	p.presses(onList("K13"), onList("R13"), "#list-new")
	p.wait(`document.getElementById("verdict").classList.contains("good") && !document.getElementById("play").disabled`)
	p.picture("manipulated")
	if keys := p.taps - before; keys != 7 {
		t.Errorf("splitting a run and freeing a joker took %d keys", keys)
	}
	want := []string{"orange 10 to orange 12", "black 4 to black 6", "1: blue, red, orange", "red 9 to red 12",
		"blue 8 to blue 10", "blue 10 to blue 12", "13: black, red ✓ valid The joker stands for blue 13 or orange 13."}
	for i, words := range rowWords(p) {
		if i >= len(want) || !strings.Contains(words, want[i]) {
			t.Errorf("set %d is %q, want %q", i+1, words, want)
		}
	}
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

// TestBrowserListByKeys splits a set, takes it and undoes all by keyboard. The focus is never lost.
func TestBrowserListByKeys(t *testing.T) {
	b, address := startChromium(t), stage(t)
	p := b.tab(t, 390, 844)
	p.still()
	p.open(address + "/stage?rack=14&table=60")
	p.wait(isWhole)
	if eval[bool](p, `document.documentElement.dataset.view === "list"`) {
		t.Fatal("the list is shown although the table has room")
	}
	p.presses("#list")
	p.wait(`document.querySelector(".set-row")`)
	press := func(selector, key string) {
		t.Helper()
		if !eval[bool](p, fmt.Sprintf(`(() => {
			const key = document.querySelector(%q);
			(key.closest("button") || key).focus();
			return document.activeElement.contains(key);
		})()`, selector)) {
			t.Fatalf("%s takes no focus", selector)
		}
		p.press(key)
		if !eval[bool](p, `document.activeElement.matches("button") && document.activeElement.checkVisibility()`) {
			t.Errorf("the focus was lost after %s", selector)
		}
	}
	sets := len(rowWords(p))
	piece := func(n int) string { return fmt.Sprintf("#rack-list .piece:nth-child(%d)", n) }
	chosen := func(n int) {
		t.Helper()
		if got := eval[int](p, `document.querySelectorAll("#rack-list [aria-pressed=true]").length`); got != n {
			t.Errorf("%d tiles are chosen, want %d", got, n)
		}
	}
	press(piece(2), " ")
	press(piece(5), "Shift+ ") // all up to it
	chosen(4)
	press(piece(4), "Enter")
	chosen(3)
	p.picture("range")
	press("#list-undo", "Enter")
	press(piece(9), "Enter")
	press(piece(7), "Shift+Enter")
	chosen(3)
	// a long press, which is a tap if the player's hand stays long
	const long = `document.querySelector("%s").dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }))`
	if eval[bool](p, fmt.Sprintf(long, piece(10))+` || `+fmt.Sprintf(long, piece(12))) {
		t.Error("a long press opens a menu")
	}
	chosen(6)
	press("#list-undo", "Enter")
	press(inSets("B10"), " ")
	press(rowKey(p, "blue 8 to blue 12", "split"), "Enter")
	if got := rowWords(p); len(got) != sets+1 || !strings.Contains(got[2], "blue 8 to blue 10") {
		t.Errorf("got %q", got)
	}
	press(onList("R3"), " ")
	press(onList("J"), " ")
	press("#list-new", "Enter")
	press(`#set-rows [data-face="R3"].laid`, " ")
	press("#list-back", "Enter")
	press("#list-undo", "Enter")
	press(rowKey(p, "red 4 to red 7", "take"), "Enter")
	press("#list-new", "Enter")
	if got := rowWords(p); !strings.Contains(got[len(got)-1], "red 4 to red 7") {
		t.Errorf("got %q", got)
	}
	p.presses("#list")
	p.wait(`document.querySelectorAll("#table .tile").length === 62 && document.querySelector("#table").checkVisibility()`)
}

// TestBrowserListHelps checks that the list says what a set takes only if the rules allow help.
func TestBrowserListHelps(t *testing.T) {
	b := startChromium(t)
	for _, assist := range []string{ruleset.On, ruleset.None} {
		t.Run(assist, func(t *testing.T) {
			_, p := helped(t, b, assist)
			p.presses("#list", onList("K4"), onList("K5"), onList("K6"), "#list-new")
			p.wait(`document.querySelectorAll("#set-rows .tag.good").length === 1`)
			got := strings.Join(rowWords(p), "; ")
			if strings.Contains(got, "Takes") != (assist == ruleset.On) {
				t.Errorf("got %q", got)
			}
			if assist == ruleset.On && !strings.Contains(got, "red 9 to red 12 The joker stands for red 11. Takes red 13.") {
				t.Errorf("got %q", got)
			}
			p.reload()
			p.wait(`document.querySelectorAll(".set-row").length === 4`) // the choice and the draft stay
			if assist == ruleset.On {
				p.wait(`document.getElementById("set-rows").textContent.includes("Takes red 13")`)
			}
		})
	}
}

// isWhole is true once the stage's page is ready.
const isWhole = `document.fonts.status === "loaded" && document.documentElement.dataset.table === "whole"`

// scrolledAway lists what does not stay in sight while the list scrolls, or is covered.
const scrolledAway = `((stays) => {
	const wrong = [], game = document.getElementById("game");
	for (const top of [0, game.scrollHeight / 2, game.scrollHeight]) {
		game.scrollTop = top;
		for (const el of document.querySelectorAll(stays)) {
			const { left, right, top, bottom } = el.getBoundingClientRect();
			const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
			if (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1 || !(el.contains(seen) || seen?.contains(el))) wrong.push((el.id || el.className) + " is not in sight");
		}
	}
	game.scrollTop = 0;
	return wrong;
})(%q)`

// leastKey is the smallest side of a tile or key, in px.
const leastKey = `Math.min(...[...document.querySelectorAll(".piece, #set-rows .key, .list-keys .key, .large .key")]
	.filter((el) => el.checkVisibility()).map((el) => Math.min(el.offsetWidth, el.offsetHeight)))`

// TestBrowserListFits opens the table as a list at the sizes and with the text for which it is made. Nothing is cut,
// covered or too small, and axe finds no barrier in either view.
func TestBrowserListFits(t *testing.T) {
	b, address := startChromium(t), stage(t)
	axe := axeScript(t)
	p := b.tab(t, 1024, 768)
	p.still()
	for i, c := range []struct {
		wide, high  int64
		text        int
		rack, table int
		lang, theme string
		barriers    bool
	}{
		{1280, 800, 100, 14, 60, "en", "dark", true}, {1280, 800, 200, 30, 60, "en", "light", true},
		{320, 200, 100, 14, 20, "en", "dark", true}, // 400 % on 1280 by 800
		{1280, 800, 100, 14, 0, "it", "light", true}, {1280, 800, 200, 14, 60, "it", "dark", true},
		{320, 200, 100, 30, 60, "it", "light", true},
		{1280, 800, 100, 14, 60, "he", "light", true}, {1280, 800, 200, 14, 20, "he", "dark", true},
		{320, 200, 100, 14, 60, "he", "dark", true},
		{360, 640, 100, 14, 60, "en", "dark", false}, {360, 640, 200, 30, 60, "de", "light", false},
		{390, 844, 100, 30, 60, "fr", "light", false}, {390, 844, 200, 14, 60, "he", "dark", false},
		{390, 844, 200, 14, 0, "pl", "light", false}, {1024, 768, 100, 30, 60, "es", "dark", false},
		{1024, 768, 200, 14, 60, "en", "dark", false}, {1024, 768, 200, 30, 20, "he", "light", false},
		{844, 390, 200, 14, 60, "en", "dark", false}, {768, 1024, 150, 14, 60, "nl", "light", false},
	} {
		name := fmt.Sprintf("%dx%d/%d/%d-%d-%s-%s", c.wide, c.high, c.text, c.rack, c.table, c.lang, c.theme)
		t.Run(name, func(t *testing.T) {
			within(t, &p.t)
			p.size(c.wide, c.high)
			p.open(fmt.Sprintf("%s/stage?rack=%d&table=%d&lang=%s&theme=%s", address, c.rack, c.table, c.lang, c.theme))
			p.wait(fmt.Sprintf(`innerWidth === %d && `+isWhole, c.wide))
			largeText(p, c.text)
			large := c.text > 100 || c.high < 300
			shows := func(list bool) {
				t.Helper()
				p.wait(fmt.Sprintf(`(document.documentElement.dataset.view === "list") === %v`, list))
			}
			shows(large)
			list := large
			other := func() {
				t.Helper()
				eval[bool](p, `document.getElementById("list").click(), true`)
				list = !list
				shows(list)
				for _, found := range barriers(p, axe) {
					t.Error(found)
				}
			}
			if c.barriers && inTurn(i, 0, 2) {
				other() // the other view, then the list or the table again
				other()
			}
			if !large {
				eval[bool](p, `document.getElementById("list").click(), true`)
				shows(true)
			}
			p.picture("list")
			stays := "#draw, #play, #clock"
			if c.high > 330 {
				stays += ", .well, #list-undo, #list-new, #list-back"
			}
			if c.high > 480 {
				stays += ", #verdict"
			}
			for _, wrong := range eval[[]string](p, fmt.Sprintf(scrolledAway, stays)) {
				t.Error(wrong)
			}
			if least := eval[float64](p, leastKey); least < 44 {
				t.Errorf("a key is %.0f px", least)
			}
			eval[bool](p, `document.querySelector("#rack-list .piece").click(),
				document.getElementById("set-rows").scrollIntoView(), true`)
			notCut(p, "held")
			eval[bool](p, `localStorage.clear(), true`)
		})
	}
}
