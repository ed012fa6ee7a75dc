package webtest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/ruleset"
)

// helped returns seat 0's tab in its second turn at a prepared table, with assist as the rule's value. The player has
// opened, and the rack is sorted by colour.
func helped(t *testing.T, b *chromium, assist string) (*event, *tab) {
	t.Helper()
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600, "start_seconds": 120, "assist": assist})
	e.games.Deal = func() engine.Deal { return preparedDeal(t, preparedRacks...) }
	game := e.round.Tables[0].Games[0].ID
	e.start()
	e.readyBut(0, game)
	e.play(0, game, 0, "O10 O11 O12 O13")
	e.play(1, game, 26, "R9 R10 J R12")
	e.play(2, game, 52, "B8 B9 B10 B11 B12")
	e.draw(3, game)
	p := b.tab(t, 1280, 800)
	p.still()
	p.seat(e.http.URL, e.at(0, 0).token)
	p.open(e.http.URL + "/play/game")
	p.wait(myTurn + ` && document.fonts.status === "loaded"`)
	p.tap("#by-colour")
	p.wait(`document.querySelectorAll("#rack .tile").length === 10`)
	return e, p
}

// twice taps an element twice in quick succession; that counts as one tap.
func (p *tab) twice(selector string) {
	p.t.Helper()
	at := p.middle(selector)
	first := time.Now()
	p.tapWhen(at, first)
	p.tapWhen(at, first.Add(100*time.Millisecond))
	p.taps--
}

// setsAre returns an expression that is true when exactly these sets lie on the table, in any place.
func setsAre(sets ...string) string {
	return fmt.Sprintf(`(() => {
		const sets = [];
		for (const row of document.querySelectorAll("#table .lane")) {
			let open = false;
			for (const cell of row.children) {
				const face = cell.querySelector(".tile")?.dataset.face;
				if (face && open) sets[sets.length - 1] += " " + face;
				else if (face) sets.push(face);
				open = !!face;
			}
		}
		return sets.sort().join(", ") === %q.split(", ").sort().join(", ");
	})()`, strings.Join(sets, ", "))
}

// tapped is one of the common moves: its taps and its outcome.
type tapped struct {
	name         string
	least        int // fewest taps
	alone, aided int // most taps, without and with help
	move, help   func(p *tab)
	done         string
}

func commonMoves() []tapped {
	free := func(p *tab, n int) string { return cell(freeCell(p, n)) }
	handle := func(p *tab, face string) string { // the cell behind the set, or before it at a row's end
		return "#" + eval[string](p, `(() => {
			const row = [...document.querySelector('#table .cell:has(.tile[data-face="`+face+`"])').parentElement.children];
			const at = row.findIndex((el) => el.querySelector('[data-face="`+face+`"]')), bare = (el) => !el.querySelector(".tile");
			return (row.slice(at).find(bare) || row.slice(0, at).reverse().find(bare)).id;
		})()`)
	}
	const table = "O10 O11 O12 O13"
	return []tapped{
		{"run of three from the rack", 1, 4, 2,
			func(p *tab) { p.tap(inRack("K4"), inRack("K5"), inRack("K6"), free(p, 3)) },
			func(p *tab) { p.twice(inRack("K5")) },
			setsAre(table, "R9 R10 J R12", "B8 B9 B10 B11 B12", "K4 K5 K6")},
		{"one tile onto a set", 1, 2, 1,
			func(p *tab) { p.tap(inRack("R13"), handle(p, "R12")) }, func(p *tab) { p.twice(inRack("R13")) },
			setsAre(table, "R9 R10 J R12 R13", "B8 B9 B10 B11 B12", "K4 K5 K6")},
		{"split and insert", 2, 2, 2,
			func(p *tab) { p.tap(inRack("B10"), cell(cellOf(p, "B10"))) }, nil,
			setsAre(table, "R9 R10 J R12 R13", "B8 B9 B10", "B10 B11 B12", "K4 K5 K6")},
		{"free a joker", 2, 4, 2,
			func(p *tab) {
				p.tap(inRack("R11"), cell(cellOf(p, "J")))
				p.wait(`document.querySelector("#table .tile[data-face=R11]")`)
				p.tap(cell(cellOf(p, "J")))
				p.tap(free(p, 1))
			},
			func(p *tab) { p.tap(inRack("R11"), cell(cellOf(p, "J"))) },
			setsAre(table, "R9 R10 R11 R12 R13", "J", "B8 B9 B10", "B10 B11 B12", "K4 K5 K6")},
		{"whole set", 2, 2, 2,
			func(p *tab) { p.tap(handle(p, "K6"), free(p, 3)) }, nil, ""},
		{"undo", 1, 1, 1, func(p *tab) { p.tap("#undo") }, nil, ""},
		{"sort", 1, 1, 1, func(p *tab) { p.tap("#by-number") }, nil, `!!document.querySelector("#rack .tile")`},
	}
}

// TestBrowserTaps counts the taps of seven common moves, with and without help.
func TestBrowserTaps(t *testing.T) {
	b := startChromium(t)
	counts := map[string][]int{}
	for i, assist := range []string{ruleset.None, ruleset.On} {
		t.Run("assist "+assist, func(t *testing.T) {
			_, p := helped(t, b, assist)
			for _, m := range commonMoves() {
				before, most, move := p.taps, m.alone, m.move
				if i == 1 {
					most = m.aided
					if m.help != nil {
						move = m.help
					}
				}
				was := eval[string](p,
					`String(document.querySelector('#table .tile[data-face="K4"]')?.parentElement.id)`)
				move(p)
				done := m.done
				if done == "" {
					done = fmt.Sprintf(`document.querySelector('#table .tile[data-face="K4"]').parentElement.id !== %q`,
						was)
				}
				p.wait(done)
				counts[m.name] = append(counts[m.name], p.taps-before)
				if got := p.taps - before; got > most {
					t.Errorf("%s takes %d taps, want %d", m.name, got, most)
				}
				if m.name == "free a joker" && i == 1 {
					p.wait(heldAre("J") + ` && document.getElementById("verdict").textContent.includes("in your hand")`)
					p.picture("joker")
					p.tap("#undo") // drops the held tiles
					p.wait(heldAre(""))
				}
			}
			p.picture("taps")
			if got := p.complaints(); len(got) > 0 {
				t.Errorf("the page complained: %q", got)
			}
		})
	}
	var text strings.Builder
	for _, m := range commonMoves() {
		fmt.Fprintf(&text, "\n| %s | %d | %v |", m.name, m.least, counts[m.name])
	}
	t.Log("taps: the least possible; without help and with it (a double tap is one):" + text.String())
}

// TestBrowserAssist checks that chosen tiles go to the table as a set, that a tile without a place says so, and that a
// drag frees a joker.
func TestBrowserAssist(t *testing.T) {
	b := startChromium(t)
	e, p := helped(t, b, ruleset.On)
	t.Run("what fits nowhere stays", func(t *testing.T) {
		within(t, &p.t)
		p.twice(inRack("K13"))
		p.wait(`document.getElementById("verdict").textContent === "It fits no set, or more than one." &&
			!document.querySelector(".tile.held")`)
	})
	t.Run("a set of the rack that the server is still asked about", func(t *testing.T) {
		within(t, &p.t)
		p.atStart(`window.slow = true;
			const real = window.fetch;
			window.fetch = async (url, how) => {
				if (window.slow && String(url).endsWith("/plan")) await new Promise((done) => setTimeout(done, 1000));
				return real(url, how);
			}`)
		p.open(e.http.URL + "/play/game")
		p.wait(myTurn + ` && document.querySelectorAll("#rack .tile").length === 10`)
		p.twice(inRack("K5"))
		p.wait(setsAre("O10 O11 O12 O13", "R9 R10 J R12", "B8 B9 B10 B11 B12", "K4 K5 K6"))
		eval[bool](p, `window.slow = false, true`)
		p.tap("#undo")
		p.wait(setsAre("O10 O11 O12 O13", "R9 R10 J R12", "B8 B9 B10 B11 B12"))
	})
	t.Run("three chosen tiles", func(t *testing.T) {
		within(t, &p.t)
		p.tap(inRack("R1"), inRack("B1"))
		p.twice(inRack("O1"))
		p.wait(setsAre("O10 O11 O12 O13", "R9 R10 J R12", "B8 B9 B10 B11 B12", "R1 B1 O1") +
			` && !document.querySelector(".tile.held")`)
		p.wait(`document.querySelector("#table .tag")?.textContent === "✓ group"`)
	})
	t.Run("three chosen tiles that are no set", func(t *testing.T) {
		within(t, &p.t)
		p.tap(inRack("K4"), inRack("K5"))
		p.twice(inRack("R13"))
		p.wait(heldAre("K4 K5"))
		p.tap("#undo")
		p.wait(heldAre(""))
	})
	t.Run("a joker by a drag, and its move is one", func(t *testing.T) {
		within(t, &p.t)
		p.drag(inRack("R11"), cell(cellOf(p, "J")))
		p.wait(setsAre("O10 O11 O12 O13", "R9 R10 R11 R12", "J", "B8 B9 B10 B11 B12", "R1 B1 O1") + " && " +
			heldAre("J"))
		p.tap("#undo")
		p.wait(heldAre(""))
		p.tap("#undo")
		p.wait(setsAre("O10 O11 O12 O13", "R9 R10 J R12", "B8 B9 B10 B11 B12", "R1 B1 O1"))
	})
	t.Run("a tile that may not take a joker's place is laid beside it", func(t *testing.T) {
		within(t, &p.t)
		p.tap(inRack("B10"), cell(cellOf(p, "J")))
		p.wait(`document.querySelector("#table .tile.laid[data-face=B10]")`)
		p.tap("#undo")
	})
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}
