package webtest

import (
	"fmt"
	"testing"

	"meldhall/engine"
)

// heldAre returns an expression that is true if exactly these tiles are held, in document order.
func heldAre(faces string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".tile.held")].map((el) => el.dataset.face).join(" ") === %q`,
		faces)
}

// touchMargin touches the felt outside its cells.
func touchMargin(p *tab) {
	p.t.Helper()
	p.tapAt(eval[point](p, `(() => {
		const box = document.querySelector(".felt").getBoundingClientRect();
		const X = box.left + 3, Y = box.top + box.height / 2;
		if (document.elementFromPoint(X, Y).closest(".cell")) throw new Error("a cell reaches to the margin");
		return { X, Y };
	})()`))
}

func TestBrowserHand(t *testing.T) {
	b := startChromium(t)
	_, _, p := playing(t, b, preparedRacks...)
	p.still()
	// Dealt tiles are not selected as a whole set, unless they happen to form good sets.
	p.wait(`document.querySelectorAll("#rack .tile").length === 14 &&
		document.querySelectorAll("#rack .tag").length === document.querySelectorAll("#rack .grip").length`)
	movers[0].lay(p, 30, "O10", "O11", "O12", "O13")
	p.wait(tableIs("30 O10 O11 O12 O13"))
	t.Run("a tile of the rack is taken instead", func(t *testing.T) {
		within(t, &p.t)
		p.tap(cell(31))
		p.wait(heldAre("O11"))
		p.tap(inRack("K4"))
		p.wait(heldAre("K4"))
		p.tap(inRack("K5"))
		p.wait(heldAre("K4 K5"))
		p.tap(inRack("K5"), inRack("K4"))
		p.wait(heldAre(""))
	})
	t.Run("one touch of the margin lets go", func(t *testing.T) {
		within(t, &p.t)
		for _, place := range []string{cell(31), inRack("K4")} {
			p.tap(place)
			p.wait(`document.querySelectorAll(".tile.held").length === 1`)
			touchMargin(p)
			p.wait(heldAre(""))
		}
		p.wait(tableIs("30 O10 O11 O12 O13"))
	})
	t.Run("undo lets go before it takes a move back", func(t *testing.T) {
		within(t, &p.t)
		p.tap(cell(31))
		p.wait(heldAre("O11"))
		p.tap("#undo")
		p.wait(heldAre(""))
		p.wait(tableIs("30 O10 O11 O12 O13"))
		p.tap("#undo")
		p.wait(tableIs(""))
	})
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}

// TestBrowserTableIsFixed checks that a player who has not opened cannot lift the table's tiles and is told why.
func TestBrowserTableIsFixed(t *testing.T) {
	b := startChromium(t)
	e, _, first := playing(t, b, "O10 O11 O12 K1 K2 K3 R1 R3 R5 R7 R9 B2 B4 B6",
		"O13 K10 K11 K12 O1 O3 O5 R2 R4 R6 B1 B3 B5 B7", "", "")
	first.still()
	movers[0].lay(first, 30, "O10", "O11", "O12")
	first.tap("#play")
	p := b.tab(t, 1280, 800)
	p.still()
	p.seat(e.http.URL, e.at(0, 1).token)
	p.open(e.http.URL + "/play/game")
	p.wait(`document.getElementById("game").dataset.mine === "true" &&
		document.querySelectorAll("#table .tile").length === 3`)
	at := cellOf(p, "O12")
	refused := `document.getElementById("verdict").textContent.startsWith("Until you have opened") &&
		!document.querySelector(".tile.held, .ghost")`
	t.Run("by tap", func(t *testing.T) {
		within(t, &p.t)
		p.tap(cell(at))
		p.wait(refused)
		p.picture("fixed")
	})
	t.Run("by drag", func(t *testing.T) {
		within(t, &p.t)
		p.tap(inRack("O1"), inRack("O1")) // replaces the previous message
		p.drag(cell(at), cell(0))
		p.wait(refused)
	})
	t.Run("by its handle", func(t *testing.T) {
		within(t, &p.t)
		if eval[bool](p, `!!document.querySelector("#table .grip")`) {
			t.Error("the table's set has a handle")
		}
	})
	t.Run("a set that was made longer is not called a run", func(t *testing.T) {
		within(t, &p.t)
		p.tap(inRack("O13"), cell(at+1))
		p.wait(`document.querySelector("#table .tag")?.textContent === "! not opened yet"`)
		movers[0].lay(p, 0, "K10", "K11", "K12")
		p.wait(`[...document.querySelectorAll("#table .tag")].map((el) => el.textContent).sort().join() === "! not opened yet,✓ run"`)
		p.picture("touched")
		p.tap(cell(cellOf(p, "O13")))
		p.wait(heldAre("O13"))
		p.tap(cell(cellOf(p, "O13")))
		p.wait(heldAre(""))
	})
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}

// TestBrowserEndTurn checks that an illegal table is not sent. The page marks the set that is the cause and asks for
// confirmation once if the play would cost tiles.
func TestBrowserEndTurn(t *testing.T) {
	b := startChromium(t)
	t.Run("refused", func(t *testing.T) {
		_, _, p := playing(t, b, preparedRacks...)
		p.still()
		movers[0].lay(p, 0, "O10", "O11", "O12")
		movers[0].lay(p, 13, "K4", "K5")
		p.wait(`document.querySelectorAll("#table .tag.bad").length === 1`)
		p.wait(`document.getElementById("say").textContent.split("A set on the table is not valid.").length === 2`)
		p.tap("#play")
		p.wait(`[...document.querySelectorAll(".tile.wrong")].map((el) => el.dataset.face).join(" ") === "K4 K5" &&
			document.getElementById("verdict").textContent === "33 of 30 · A set on the table is not valid."`)
		p.picture("refused")
		if !eval[bool](p,
			`document.getElementById("game").dataset.mine === "true" && !document.getElementById("play").disabled`) {
			t.Error("the table was sent")
		}
	})
	t.Run("costs tiles", func(t *testing.T) {
		e := newEvent(t, 4, map[string]any{"turn_seconds": 600, "start_seconds": 120, "illegal_play": "penalty",
			"illegal_tiles": 3})
		e.games.Deal = func() engine.Deal { return preparedDeal(t, preparedRacks...) }
		game := e.round.Tables[0].Games[0].ID
		e.start()
		e.readyBut(0, game)
		p := b.tab(t, 1280, 800)
		p.still()
		p.seat(e.http.URL, e.at(0, 0).token)
		p.open(e.http.URL + "/play/game")
		p.wait(`document.getElementById("game").dataset.mine === "true" &&
			document.getElementById("link").classList.contains("live")`)
		movers[0].lay(p, 0, "O10", "O11")
		p.tap("#play")
		p.wait(`document.querySelector("#sure[open] #sure-text").textContent.includes("draw 3 tiles") &&
			document.querySelectorAll(".tile.wrong").length === 2`)
		p.picture("costs")
		for _, misfit := range eval[[]string](p, misfits) {
			t.Error(misfit)
		}
		if below := eval[float64](p,
			`document.getElementById("play").getBoundingClientRect().bottom - innerHeight`); below > 0 {
			t.Errorf("End turn reaches %v px below the screen", below)
		}
		if got := eval[string](p, `document.getElementById("game").dataset.mine`); got != "true" {
			t.Fatal("the turn ended by one tap")
		}
		p.tap("#sure-yes")
		p.wait(`document.getElementById("game").dataset.mine === "false" &&
			document.querySelectorAll("#rack .tile").length === 17`)
	})
}
