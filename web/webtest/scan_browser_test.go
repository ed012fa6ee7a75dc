package webtest

import (
	"fmt"
	"testing"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/tournament/export"
)

// switchScript presses the only switch, the space bar, when what is marked has a name. It resolves when it has pressed.
const switchScript = `window.hits = 0; window.hit = (label) => new Promise((done) => {
	const text = document.getElementById("scan-text");
	const look = () => {
		if (text.textContent !== label || performance.now() - (window.hitAt || 0) < 210) return setTimeout(look, 20);
		window.hits++;
		window.hitAt = performance.now();
		document.body.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true }));
		done(true);
	};
	look();
})`

// scans chooses what is marked, by its names in turn.
func (p *tab) scans(labels ...string) {
	p.t.Helper()
	for _, label := range labels {
		if !eval[bool](p, fmt.Sprintf(`Promise.race([hit(%q), new Promise((done) => setTimeout(done, 25000, false))])`, label)) {
			p.picture("failed")
			p.t.Fatalf("%q is never marked; %q is", label, eval[string](p, `document.getElementById("scan-text").textContent`))
		}
	}
}

// tapsBelow taps elements that are further down in a sheet.
func (p *tab) tapsBelow(selectors ...string) {
	p.t.Helper()
	for _, selector := range selectors {
		eval[bool](p, fmt.Sprintf(`document.querySelector(%q).scrollIntoView({ block: "center" }), true`, selector))
		p.tap(selector)
	}
}

// TestBrowserPlaysByOneSwitch plays a whole game by one switch: it opens with a set, splits a run, frees a joker and
// wins.
func TestBrowserPlaysByOneSwitch(t *testing.T) {
	b := startChromium(t)
	e, game := newPreparedTable(t, preparedRacks...)
	p := b.tab(t, 1280, 800)
	p.still()
	p.atStart(`localStorage.setItem("settings", JSON.stringify({ scan: true, pace: "0.4" }));` + switchScript)
	e.join(p)
	e.start()
	p.wait(`location.pathname === "/play/game" && document.getElementById("link").classList.contains("live") &&
		document.querySelector(".scan-ring")`)
	e.readyBut(1, game)
	p.scans("Ready", "Ready")
	p.wait(`document.getElementById("game").dataset.mine === "true"`)

	before := eval[int](p, "hits")
	p.scans("Your rack", "orange", "orange 10", "orange 11", "orange 12", "New set")
	p.wait(`!document.getElementById("play").disabled && document.getElementById("verdict").textContent.includes("33")`)
	p.picture("laid")
	for _, violation := range barriers(p, axeScript(t)) {
		t.Error(violation)
	}
	p.scans("Draw a tile, End turn", "End turn")
	p.wait(`document.getElementById("game").dataset.mine === "false"`)
	opening := eval[int](p, "hits") - before
	t.Logf("a turn of three tiles: %d hits", opening)
	if opening > 25 {
		t.Errorf("a turn of three tiles takes %d hits, want at most 25", opening)
	}

	e.play(1, game, 39, "R9 R10 J R12")
	e.play(2, game, 52, "B8 B9 B10 B11 B12")
	e.draw(3, game)
	p.wait(`document.getElementById("game").dataset.mine === "true"`)
	p.scans("Your rack", "black", "black 4", "black 5", "black 6", "Table", "New set")
	p.scans("Your rack", "blue", "blue 1", "Back", "red", "red 1", "Back", "orange", "orange 1", "Table", "New set")
	p.scans("Your rack", "blue 10", "Table", "3: blue 8 to 12") // splits the run
	p.scans("Your rack", "red 11", "Table", "2: red 9 10 joker 12")
	p.picture("joker")
	p.scans("Table", "2: red 9 to 12 joker", "joker", "Table", "New set")
	p.scans("Your rack", "black 13", "red 13", "Table", "7: joker")
	p.wait(`document.getElementById("verdict").classList.contains("good")`)
	p.scans("Draw a tile, End turn", "End turn")
	p.wait(`document.getElementById("game").dataset.mine === "false"`)

	for seat := 1; seat < 4; seat++ {
		e.draw(seat, game)
	}
	p.wait(`document.getElementById("game").dataset.mine === "true"`)
	p.scans("orange 13", "Table", "1: orange 10 to 12")
	p.wait(`document.getElementById("verdict").classList.contains("good")`)
	p.scans("Draw a tile, End turn", "End turn")
	p.wait(`document.getElementById("result-title")?.textContent.includes("Rummikub! You win.")`)
	t.Logf("the game: %d hits", eval[int](p, "hits"))
	p.scans("Referee, The count is right", "The count is right")
	p.wait(`document.getElementById("agree")?.disabled`)
	exported, err := export.OfGame(t.Context(), e.store, game)
	if err != nil {
		t.Fatal(err)
	}
	last := exported.Events[len(exported.Events)-1]
	for i := len(exported.Events) - 1; last.Kind != (engine.GameEnded{}).Kind() && i >= 0; i-- {
		last = exported.Events[i]
	}
	end, err := engine.Decode(last.Kind, last.Version, last.Data)
	if err != nil {
		t.Fatal(err)
	}
	if end, ok := end.(engine.GameEnded); !ok || end.End.Why != ruleset.EndedEmptied || end.End.Outcome.Wins[0] != 12 {
		t.Errorf("the game ended with %+v", end)
	}
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}

// TestBrowserSwitchSettings turns the scanning on by touch, and off and on again by the switch alone. With dwelling,
// presses move the mark, and what stays marked is chosen. Nothing else takes a touch meanwhile.
func TestBrowserSwitchSettings(t *testing.T) {
	b := startChromium(t)
	_, _, p := playing(t, b, preparedRacks...)
	p.still()
	p.tap("#settings")
	p.tapsBelow(`[name=set-pace][value="2"]`, `[name="set-scan"]`)
	eval[bool](p, switchScript+", true")
	p.wait(`document.querySelector("#settings-sheet .scan-ring")`)
	p.picture("settings")
	p.scans("Close")
	p.wait(`!document.querySelector("dialog[open]") && !document.getElementById("scan").hidden`)
	p.picture("groups")
	p.wait(`document.getElementById("scan-text").textContent === "Your rack"`)
	p.tapAt(p.middle("#undo")) // chooses what is marked, whatever is under the finger
	p.wait(`document.getElementById("scan-text").textContent === "black"`)
	p.scans("Back")
	p.scans("One switch", "Off")
	p.wait(`document.getElementById("scan").hidden && !JSON.parse(localStorage.getItem("settings")).scan`)
	p.tap(inRack("O10"))
	p.wait(`document.querySelectorAll("#rack .held").length === 1`)

	p.tap("#settings")
	p.tapsBelow(`[name="set-dwell"]`, `[name="set-scan"]`)
	p.wait(`!document.querySelector("#settings-sheet .scan-ring").hidden`)
	p.press("Escape")
	p.wait(`!document.querySelector("dialog[open]") && document.querySelector(".scan-ring").parentElement === document.body`)
	marked := eval[string](p, `document.getElementById("scan-text").textContent`)
	p.frame()
	p.frame()
	if now := eval[string](p, `document.getElementById("scan-text").textContent`); now != marked {
		t.Errorf("with dwelling the mark moves from %q to %q by itself", marked, now)
	}
	p.press(" ")
	p.wait(`document.getElementById("scan-text").textContent !== ` + fmt.Sprintf("%q", marked)) // it stayed, and opened
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}
