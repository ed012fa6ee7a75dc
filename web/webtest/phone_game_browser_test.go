package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/tournament/result"
)

// laysAt lays rack tiles at a cell of the table by touch.
func (p *tab) laysAt(at int, tiles ...string) {
	p.t.Helper()
	for i, face := range tiles {
		p.tap(inRack(face))
		p.wait(fmt.Sprintf(`document.querySelectorAll("#rack .tile.held").length === %d`, i+1))
	}
	p.tap(cell(at))
	p.wait(fmt.Sprintf(`!document.querySelector(".tile.held") &&
		document.querySelector('#table .tile[data-face="%s"]')`, tiles[0]))
}

// freeFor returns a free cell with room for n tiles, or for as many as fit; the page makes room for the rest.
func (p *tab) freeFor(n int) int {
	p.t.Helper()
	for ; n > 0; n-- {
		if at := freeCell(p, n); at >= 0 {
			return at
		}
	}
	p.t.Fatal("no cell is free")
	return -1
}

// movesTo moves a tile of the table to another cell by touch.
func (p *tab) movesTo(from, to int) {
	p.t.Helper()
	p.tap(cell(from))
	p.wait(`document.querySelector("#table .tile.held")`)
	p.tap(cell(to))
	p.wait(`!document.querySelector(".tile.held")`)
}

// TestBrowserPhonePlaysAGame plays a tournament game on a small phone by touch alone, from the code to the agreed
// count. A penalty raises the rack to 26 tiles, all of which must be visible and reachable; then time is called.
func TestBrowserPhonePlaysAGame(t *testing.T) {
	b := startChromium(t)
	e, game := newPreparedTable(t, preparedRacks...)
	p := b.tab(t, 360, 640)
	p.still()
	e.join(p)
	e.start()
	p.wait(`location.pathname === "/play/game" && document.querySelectorAll("#rack .tile").length === 14 &&
		document.getElementById("link").classList.contains("live")`)
	e.readyBut(1, game)
	p.tap("#ready")
	p.wait(`document.getElementById("game").dataset.mine === "true"`)

	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/penalty", game),
		map[string]any{"seat": 0, "tiles": 12, "reason": "touched the pool", "key": e.key()}, nil)
	p.wait(`document.querySelectorAll("#rack .tile").length === 26`)
	if got := eval[sizes](p, measureSizes); got.Seen != 26 || got.RackWide < 44 || got.Key < 44 || got.Act < 44 {
		t.Errorf("got %+v with 26 tiles on the rack", got)
	}
	p.picture("26-tiles")
	lay, free, move := p.laysAt, p.freeFor, p.movesTo
	for _, set := range [][]string{{"O10", "O11", "O12"}, {"K4", "K5", "K6"}, {"B1", "R1", "O1"}} {
		lay(free(3), set...)
	}
	p.wait(`document.querySelectorAll("#table .tag.good").length === 3`)
	p.picture("opening")
	endTurn(p, movers[0], 17)

	e.play(1, game, 39, "R9 R10 J R12")
	e.play(2, game, 52, "B8 B9 B10 B11 B12")
	e.draw(3, game)
	p.wait(`document.getElementById("game").dataset.mine === "true"`)
	p.picture("table")
	lay(free(3), "B10")
	move(cellOf(p, "B11"), cellOf(p, "B10.laid")+1)
	move(cellOf(p, "B12"), cellOf(p, "B11")+1)
	lay(cellOf(p, "J"), "R11")
	move(cellOf(p, "J"), free(3))
	lay(cellOf(p, "J")+1, "K13", "R13")
	p.wait(`document.getElementById("verdict").classList.contains("good") && !document.getElementById("play").disabled`)
	p.picture("manipulated")
	endTurn(p, movers[0], 13)

	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/call-time", game),
		map[string]any{"reason": "the slot is over", "key": e.key()}, nil)
	for seat := 1; seat < 4; seat++ {
		e.draw(seat, game)
	}
	p.wait(`document.getElementById("result-title") && document.querySelectorAll(".counted > li").length === 4`)
	if out := eval[[]string](p,
		`[...document.querySelectorAll(".counted .tile, .counted b, #agree")].filter((el) => { const b = el.getBoundingClientRect(); return b.left < 0 || b.right > innerWidth; }).map((el) => el.outerHTML)`); len(out) > 0 {
		t.Errorf("beyond the screen: %q", out)
	}
	p.picture("counted")
	p.tap("#agree")
	p.wait(`document.getElementById("agree").disabled`)
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), result.ConfirmResult{Rev: 1}, nil)
	p.wait(`document.querySelectorAll("#rack .tile").length === 14 &&
		document.getElementById("place").textContent.includes("Game 2 of")`)
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}
