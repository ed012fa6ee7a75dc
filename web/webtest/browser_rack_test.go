package webtest

import (
	"fmt"
	"net/http"
	"testing"
)

// rackIs returns an expression that is true when the rack begins with these slots; "." is an empty one.
func rackIs(slots string) string {
	return fmt.Sprintf(`(() => {
		const want = %q.split(" "), have = [...document.querySelectorAll("#rack .slot")];
		return want.every((face, i) => (have[i].querySelector(".tile")?.dataset.face || ".") === face);
	})()`, slots)
}

func slot(at int) string { return fmt.Sprintf("#r%d", at) }

// partsOfASet is a page on which the player whose turn it is lays a run and takes parts of it.
type partsOfASet struct{ p *tab }

// lay puts only the orange run on the table.
func (k *partsOfASet) lay() {
	k.p.t.Helper()
	if eval[bool](k.p, `!document.getElementById("reset").disabled`) {
		k.p.tap("#reset")
	}
	k.p.wait(`document.querySelectorAll("#table .tile").length === 0`)
	movers[0].lay(k.p, 30, "O10", "O11", "O12", "O13")
	k.p.wait(tableIs("30 O10 O11 O12 O13"))
}

// holds waits until n of the table's tiles are held.
func (k *partsOfASet) holds(n int) {
	k.p.t.Helper()
	k.p.wait(fmt.Sprintf(`document.querySelectorAll("#table .tile.held").length === %d`, n))
}

// The dealt rack is K4 K5 K6 K13 R1 R11 R13 B1 B10 O1 O10 O11 O12 O13, in the slots 0 to 13.
func TestBrowserPartsOfASet(t *testing.T) {
	b := startChromium(t)
	_, _, p := playing(t, b, preparedRacks...)
	p.still()
	k := &partsOfASet{p}
	t.Run("one tap takes a tile, one lets go; presses take more of the set", k.testTaps)
	t.Run("a part is laid elsewhere by tap, and undone", k.testPart)
	t.Run("a press takes a tile and all after it", k.testPress)
	t.Run("a press without a move leaves them in the hand", k.testPressWithoutMove)
	t.Run("one cell to the right splits", k.testSplit)
	t.Run("a whole set goes by its handle", k.testHandle)
	t.Run("a drop on nothing brings it back", k.testDropOnNothing)
	t.Run("a tile goes between two", k.testBetween)
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}

func (k *partsOfASet) testTaps(t *testing.T) {
	within(t, &k.p.t)
	k.lay()
	k.p.tap(cell(31))
	k.holds(1)
	for i, want := range []int{3, 2, 4, 1} {
		k.p.hold(cell(31), fmt.Sprintf(`document.querySelectorAll("#table .tile.held").length === %d`, want), "")
		if i == 0 && !eval[bool](k.p,
			`document.getElementById("verdict").textContent === "orange 11 and all after it in hand."`) {
			t.Error("the line does not say what is held")
		}
	}
	k.p.tap(cell(31))
	k.holds(0)
}

func (k *partsOfASet) testPart(t *testing.T) {
	within(t, &k.p.t)
	k.p.hold(cell(32), `document.querySelectorAll("#table .tile.held").length === 2`, "")
	k.p.tap(cell(5))
	k.p.wait(tableIs("5 O12 O13, 30 O10 O11"))
	k.p.tap("#undo")
	k.p.wait(tableIs("30 O10 O11 O12 O13"))
}

func (k *partsOfASet) testPress(t *testing.T) {
	within(t, &k.p.t)
	k.p.hold(cell(31), `document.querySelectorAll("#table .tile.held").length === 3`, cell(5))
	k.p.wait(tableIs("5 O11 O12 O13, 30 O10"))
}

func (k *partsOfASet) testPressWithoutMove(t *testing.T) {
	within(t, &k.p.t)
	k.lay()
	k.p.hold(cell(32), `document.querySelectorAll("#table .tile.held").length === 2`, "")
	k.holds(2)
	k.p.tap(cell(0))
	k.p.wait(tableIs("0 O12 O13, 30 O10 O11"))
}

func (k *partsOfASet) testSplit(t *testing.T) {
	within(t, &k.p.t)
	k.lay()
	k.p.hold(cell(32), `document.querySelectorAll("#table .tile.held").length === 2`, "")
	k.p.drag(cell(32), cell(33))
	k.p.wait(tableIs("30 O10 O11, 33 O12 O13"))
	k.p.hold(cell(33), `document.querySelectorAll("#table .tile.held").length === 2`, "")
	k.p.drag(cell(33), cell(32))
	k.p.wait(tableIs("30 O10 O11 O12 O13"))
}

func (k *partsOfASet) testHandle(t *testing.T) {
	within(t, &k.p.t)
	k.p.drag(cell(34), cell(17))
	k.p.wait(tableIs("13 O10 O11 O12 O13"))
	k.p.tap(cell(17), cell(5))
	k.p.wait(tableIs("5 O10 O11 O12 O13"))
}

func (k *partsOfASet) testDropOnNothing(t *testing.T) {
	within(t, &k.p.t)
	k.p.drag(cell(6), "#place")
	k.p.wait(`!document.querySelector(".ghost") && document.getElementById("say").textContent.includes("Back")`)
	k.p.wait(tableIs("5 O10 O11 O12 O13"))
}

func (k *partsOfASet) testBetween(t *testing.T) {
	within(t, &k.p.t)
	k.p.tap("#reset")
	movers[0].lay(k.p, 30, "O10", "O12")
	k.p.drag(inRack("O11"), cell(31))
	k.p.wait(tableIs("30 O10 O11 O12"))
}

func TestBrowserSplitsARun(t *testing.T) {
	b := startChromium(t)
	_, _, p := playing(t, b, "O8 O9 O10 O11 O12 O10 K1 K2 K3 B1 B2 B3 O1 O5", "", "", "")
	p.still()
	movers[0].lay(p, 13, "O8", "O9", "O10", "O11", "O12")
	p.wait(tableIs("13 O8 O9 O10 O11 O12"))
	p.drag(inRack("O10"), cell(15))
	p.wait(tableIs("13 O8 O9 O10, 17 O10 O11 O12"))
	p.wait(`document.querySelectorAll("#table .tag.good").length === 2`)
	p.tap("#undo")
	p.tap(inRack("O10"), cell(15))
	p.wait(tableIs("13 O8 O9 O10, 17 O10 O11 O12"))
}

func TestBrowserRack(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	p.still()
	other := b.tab(t, 1280, 800)
	other.seat(e.http.URL, e.at(0, 1).token)
	other.open(e.http.URL + "/play/game")
	other.wait(`document.getElementById("link").classList.contains("live") &&
		document.querySelectorAll("#rack .tile").length === 14`)
	last := eval[int](p, `document.querySelectorAll("#rack .slot").length`) - 1
	t.Run("tiles stand apart, others make room", func(t *testing.T) {
		within(t, &p.t)
		p.wait(rackIs("K4 K5 K6 K13 R1 R11 R13 B1 B10 O1 O10 O11 O12 O13"))
		p.drag(inRack("K13"), slot(15))
		p.tap(inRack("R1"), slot(17))
		p.wait(rackIs("K4 K5 K6 . . R11 R13 B1 B10 O1 O10 O11 O12 O13 . K13 . R1"))
		p.drag(inRack("O1"), slot(6))
		p.wait(`document.querySelector("#rack").textContent.includes("orange 1")`)
		p.picture("arranged")
	})
	t.Run("a planned set is judged, and the sum told", func(t *testing.T) {
		within(t, &p.t)
		p.tap(inRack("O10"), inRack("O11"), inRack("O12"), slot(last-2))
		p.wait(fmt.Sprintf(`document.querySelector("%s .tag")?.textContent === "run ✓ 33"`, slot(last-2)))
		p.wait(`[...document.querySelectorAll("#rack .tag")].some((el) => el.textContent === "run ✓ 15") &&
			document.getElementById("plan").textContent === "48 of 30"`)
		p.picture("planned")
	})
	t.Run("a reload finds it as it was", func(t *testing.T) {
		within(t, &p.t)
		before := eval[string](p,
			`[...document.querySelectorAll("#rack .slot")].map((el) => el.querySelector(".tile")?.dataset.face ||
				".").join(" ")`)
		p.reload()
		p.wait(rackIs(before) + ` && document.querySelectorAll("#rack .tag").length === 2`)
	})
	t.Run("the others see nothing of it", func(t *testing.T) {
		within(t, &other.t)
		if n := eval[int](other,
			`document.querySelectorAll("#table .tile").length + document.querySelectorAll(".tag").length`); n != 0 {
			t.Errorf("%d things are seen", n)
		}
	})
	t.Run("it is laid at once, by tap or by drag", func(t *testing.T) {
		within(t, &p.t)
		p.tap(slot(last-3), cell(13))
		p.wait(tableIs("13 O10 O11 O12"))
		p.tap("#undo")
		p.wait(fmt.Sprintf(`document.querySelector("%s .tile")?.dataset.face === "O10"`, slot(last-2)))
		p.drag(slot(last-3), cell(30))
		p.wait(tableIs("31 O10 O11 O12"))
		p.drag(slot(3), cell(3))
		p.wait(tableIs("0 K4 K5 K6, 31 O10 O11 O12"))
		endTurn(p, movers[0], 8)
	})
	t.Run("it is arranged out of turn, and sorting closes the gaps", func(t *testing.T) {
		within(t, &p.t, &e.t)
		p.drag(inRack("O13"), slot(20))
		p.wait(rackIs(". . .") + ` && document.querySelector("#r20 .tile").dataset.face === "O13"`)
		e.draw(1, game)
		p.wait(`document.getElementById("last").textContent.includes("drew")`)
		p.wait(`document.querySelector("#r20 .tile").dataset.face === "O13"`)
		p.tap("#by-colour")
		p.wait(rackIs("K13 R1 R11 R13 B1 B10 O1 O13 ."))
	})
	if got := append(p.complaints(), other.complaints()...); len(got) > 0 {
		t.Errorf("the pages complained: %q", got)
	}
}

func TestBrowserReachesFortyTiles(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	p.still()
	for _, n := range []int{20, 6} {
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/penalty", game),
			map[string]any{"seat": 0, "tiles": n, "reason": "test", "key": e.key()}, nil)
	}
	p.wait(`document.querySelectorAll("#rack .tile").length === 40`)
	for _, screen := range [][2]int64{{1280, 800}, {800, 1280}, {390, 844}} {
		t.Run(fmt.Sprintf("%d x %d", screen[0], screen[1]), func(t *testing.T) {
			within(t, &p.t)
			p.size(screen[0], screen[1])
			p.wait(fmt.Sprintf("innerWidth === %d", screen[0]))
			bad := eval[[]string](p, `[...document.querySelectorAll("#rack .tile")].filter((el) => {
				el.parentElement.scrollIntoView({ block: "nearest" });
				const box = el.parentElement.getBoundingClientRect();
				const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
				return box.width < 44 || box.height < 44 || !top?.closest(".slot")?.contains(el);
			}).map((el) => { const box = el.parentElement.getBoundingClientRect(); return el.dataset.face + " " + box.width + "x" + box.height + " at " + box.left + "," + box.top; })`)
			if len(bad) > 0 {
				t.Errorf("%d tiles are too small or cannot be reached: %q", len(bad), bad[:min(3, len(bad))])
			}
			p.picture("forty")
		})
	}
}
