package webtest

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// pointed returns the tiles in each frame that a page shows around a set, and whose names stand beside them.
const pointed = `(() => {
	const inside = (box) => [...document.querySelectorAll("#table .tile, #set-rows .tile")].filter((el) => {
		const b = el.getBoundingClientRect();
		return b.width && b.left + b.width / 2 > box.left && b.left + b.width / 2 < box.right && b.top + b.height / 2 > box.top && b.top + b.height / 2 < box.bottom;
	}).map((el) => el.dataset.face).join(" ");
	const names = [...document.querySelectorAll(".pointer-name")].map((el) => {
		const b = el.getBoundingClientRect();
		return b.left < 0 || b.top < 0 || b.right > innerWidth || b.bottom > innerHeight ? "out of sight" : el.textContent;
	});
	return [...[...document.querySelectorAll(".pointer")].map((el) => inside(el.getBoundingClientRect())), ...names].join("; ");
})()`

// showsPointer waits until a page shows a pointer at the tiles with a person's name.
func (p *tab) showsPointer(tiles, name string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`%s === %q`, pointed, tiles+"; "+name))
}

const noPointer = `!document.querySelector(".pointer, .pointer-name")`

// atTable is a game in the turn of seat 0, with the pages of all who follow it.
type atTable struct {
	e                                       *event
	game                                    int64
	mine, other, screen, referee, spectator *tab
	name                                    [4]string
}

func newAtTable(t *testing.T, b *chromium) *atTable {
	t.Helper()
	e, game, mine := playing(t, b, preparedRacks...)
	k := &atTable{e: e, game: game, mine: mine}
	for i, seat := range e.round.Tables[0].Seats {
		k.name[i] = seat.Player.Name
	}
	e.play(0, game, 0, "O10 O11 O12")
	e.play(1, game, 26, "R9 R10 J R12")
	e.play(2, game, 52, "B8 B9 B10 B11 B12")
	e.draw(3, game)
	k.other, k.screen = b.tab(t, 390, 844), b.tab(t, 1280, 800)
	k.referee, k.spectator = b.tab(t, 1024, 768), b.tab(t, 1280, 800)
	k.other.seat(e.http.URL, e.at(0, 2).token)
	k.other.open(e.http.URL + "/play/game")
	k.screen.open(e.http.URL + "/display")
	e.signedIn("referee").post(t, "/displays/"+eval[string](k.screen, `document.querySelector("code").textContent`),
		url.Values{"event": {fmt.Sprint(e.id)}, "number": {"1"}})
	k.screen.wait(`document.querySelector(".board.laid")`)
	k.referee.cookie(e.http.URL, "meldhall-staff", e.referee.token)
	k.referee.open(fmt.Sprintf("%s/referee/%d/tables/%d", e.http.URL, e.id, e.round.Tables[0].ID))
	noSound(k.referee)
	k.spectator.open(fmt.Sprintf("%s/events/%d/tables/1", e.http.URL, e.id))
	for _, p := range k.all() {
		p.still()
		p.wait(isLive + ` && document.querySelectorAll("#table .tile").length === 12`)
	}
	for _, p := range []*tab{k.mine, k.other} {
		p.wait(`document.querySelector(".pointers")`)
	}
	eval[bool](k.spectator, `(document.getElementById("live").addEventListener("point", () => (window.got = true)), true)`)
	return k
}

func (k *atTable) all() []*tab { return []*tab{k.mine, k.other, k.screen, k.referee, k.spectator} }

// TestBrowserPointing holds a set on a tablet, on another one whose turn it is not, and on the referee's page. All pages
// of the table frame it and name the person; the spectators' page does not. The turn goes on as it was.
func TestBrowserPointing(t *testing.T) {
	b := startChromium(t)
	k := newAtTable(t, b)
	t.Run("during one's turn", k.testOwnTurn)
	t.Run("while another one plays", k.testOthersTurn)
	t.Run("as the referee", k.testReferee)
	t.Run("without a finger", k.testWithoutFinger)
	t.Run("the turn ends as usual", func(t *testing.T) {
		within(t, &k.mine.t, &k.e.t)
		k.mine.tap("#play")
		k.mine.wait(`document.getElementById("game").dataset.mine === "false"`)
		if n := len(k.e.public().view(k.game).Table[0].Tiles); n != 4 {
			t.Errorf("the first set has %d tiles, want 4", n)
		}
	})
	if eval[bool](k.spectator, `!!window.got || !!document.querySelector(".pointers")`) {
		t.Error("the spectators' page got a pointer")
	}
	for i, p := range k.all() {
		if got := p.complaints(); len(got) > 0 {
			t.Errorf("page %d complained: %q", i, got)
		}
	}
}

// testOwnTurn points at a set that the player has just extended: the others see it without the new tile.
func (k *atTable) testOwnTurn(t *testing.T) {
	within(t, &k.mine.t, &k.other.t, &k.screen.t, &k.referee.t, &k.spectator.t, &k.e.t)
	p := k.mine
	p.drag(inRack("O13"), cell(cellOf(p, "O12")))
	p.wait(`document.querySelectorAll("#table .tag.good").length === 1 && !document.getElementById("play").disabled`)
	draft := eval[string](p, `localStorage.draft`)
	p.hold(cell(cellOf(p, "O11")), `document.querySelector(".pointer-name")`, "")
	p.showsPointer("O10 O11 O12 O13", "You")
	k.other.showsPointer("O10 O11 O12 O13", k.name[0])
	k.screen.showsPointer("O10 O11 O12 O13", k.name[0])
	k.referee.showsPointer("O10 O11 O12", k.name[0])
	k.pictures("turn")
	if heard := eval[string](k.other, `document.getElementById("say").textContent`); strings.Count(heard,
		k.name[0]+"\u2069 points at: orange 10–12.") != 1 {
		t.Errorf("the other tablet announced %q", heard)
	}
	if now := eval[string](p, `localStorage.draft`); now != draft ||
		!eval[bool](p, `!document.querySelector(".tile.held, .ghost")`) {
		t.Errorf("the draft is now %s, was %s", now, draft)
	}
	for _, p := range k.all() {
		p.wait(noPointer)
	}
}

func (k *atTable) testOthersTurn(t *testing.T) {
	within(t, &k.mine.t, &k.other.t, &k.screen.t, &k.referee.t, &k.spectator.t, &k.e.t)
	k.other.hold(cell(cellOf(k.other, "B9")), `document.querySelector(".pointer-name")`, "")
	k.mine.showsPointer("B8 B9 B10 B11 B12", k.name[2])
	k.screen.showsPointer("B8 B9 B10 B11 B12", k.name[2])
	k.referee.showsPointer("B8 B9 B10 B11 B12", k.name[2])
	k.pictures("other")
	t.Run("a set that one has in the hand can still be dragged", func(t *testing.T) {
		within(t, &k.mine.t)
		k.mine.wait(noPointer)
		from := cellOf(k.mine, "R9")
		k.mine.hold(cell(from), `document.querySelector(".pointer-name")`, cell(freeCell(k.mine, 4)))
		k.mine.wait(fmt.Sprintf(`!document.querySelector("#c%d .tile") && !document.querySelector(".tile.held")`, from))
		k.mine.tap("#undo")
		k.mine.wait(fmt.Sprintf(`document.querySelector('#c%d [data-face="R9"]')`, from))
	})
}

func (k *atTable) testReferee(t *testing.T) {
	within(t, &k.mine.t, &k.other.t, &k.screen.t, &k.referee.t, &k.spectator.t, &k.e.t)
	const tile = `#table [data-face="R10"]`
	eval[bool](k.referee, `document.querySelector('`+tile+`').scrollIntoView({ block: "center" }), true`)
	at := k.referee.middle(tile)
	k.referee.touch(input.DispatchTouchEventTypeTouchStart, &at)
	k.mine.showsPointer("R9 R10 J R12", "Referee")
	k.referee.touch(input.DispatchTouchEventTypeTouchEnd, nil)
	k.referee.showsPointer("R9 R10 J R12", "Referee")
	k.screen.showsPointer("R9 R10 J R12", "Referee")
	k.pictures("referee")
	if eval[bool](k.referee, `!!document.querySelector("#table :checked")`) {
		t.Error("pointing has selected a tile")
	}
	k.referee.wait(noPointer)
	k.referee.tap(`#table label:has([data-face="B10"])`)
	k.referee.wait(`document.querySelector("#table :checked")`)
	k.referee.tap(`#table [name="point"]`)
	k.mine.showsPointer("B8 B9 B10 B11 B12", "Referee")
}

// testWithoutFinger uses the key of the list, and the typed command.
func (k *atTable) testWithoutFinger(t *testing.T) {
	within(t, &k.mine.t, &k.other.t, &k.screen.t, &k.referee.t, &k.spectator.t, &k.e.t)
	k.screen.wait(noPointer)
	k.other.wait(`document.documentElement.dataset.view === "list" || (document.getElementById("list").click(), false)`)
	k.other.presses(rowKey(k.other, "red 9 to red 12", "point"))
	k.screen.showsPointer("R9 R10 J R12", k.name[2])
	k.other.showsPointer("R9 R10 J R12", "You")
	k.pictures("list")
	k.screen.wait(noPointer)
	k.mine.press("/")
	k.mine.wait(`!document.getElementById("command").hidden`)
	k.mine.write("point 3")
	k.mine.press("Enter")
	k.screen.showsPointer("B8 B9 B10 B11 B12", k.name[0])
	k.other.showsPointer("B8 B9 B10 B11 B12", k.name[0])
	k.mine.tap("#command-close")
	t.Run("at a set that is not in sight", func(t *testing.T) {
		within(t, &k.other.t, &k.mine.t)
		k.mine.wait(noPointer)
		k.other.wait(noPointer)
		k.other.size(390, 480)
		k.mine.hold(cell(cellOf(k.mine, "B9")), `document.querySelector(".pointer-name")`, "")
		k.other.wait(fmt.Sprintf(`document.querySelector(".pointer-name")?.textContent.includes("%s\u2069 points at: blue 8–12.")`,
			k.name[0]))
		k.other.picture("unseen")
	})
}

// pictures keeps a picture of each page.
func (k *atTable) pictures(what string) {
	for i, p := range k.all() {
		p.picture(fmt.Sprintf("%s-%d", what, i))
	}
}
