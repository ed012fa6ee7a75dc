package webtest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/tournament/action"
	"meldhall/tournament/export"
	"meldhall/tournament/people"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/web/request"
)

// preparedDeal returns a deal that gives the seats these tiles, filled up to 14 in order, and lets seat 0 begin. No
// rack gets a double that was not requested.
func preparedDeal(t *testing.T, racks ...string) engine.Deal {
	t.Helper()
	var used [tile.Count]bool
	take := func(f tile.Face) tile.Tile {
		for _, one := range tile.All() {
			if one.Face() == f && !used[one] {
				used[one] = true
				return one
			}
		}
		t.Fatalf("%v is asked for too often", f)
		return 0
	}
	dealt := make([]tile.List, len(racks))
	for seat, rack := range racks {
		for _, f := range faces(t, rack) {
			dealt[seat] = append(dealt[seat], take(f))
		}
	}
	next := tile.Face(0)
	for seat := range dealt {
		for ; len(dealt[seat]) < ruleset.HandTiles; next++ {
			if slices.ContainsFunc(tile.All(), func(one tile.Tile) bool { return one.Face() == next && !used[one] }) {
				dealt[seat] = append(dealt[seat], take(next))
			}
		}
	}
	deal := engine.Deal{Salt: strings.Repeat("0", 32)}
	for _, rack := range dealt {
		deal.Pool = append(deal.Pool, rack...)
	}
	for _, one := range tile.All() {
		if !used[one] {
			deal.Pool = append(deal.Pool, one)
		}
	}
	highest := tile.Of(faces(t, "K13")[0], 0)
	deal.Draws = tile.List{highest}
	for _, one := range tile.All() {
		if one != highest {
			deal.Draws = append(deal.Draws, one)
		}
	}
	return deal
}

func faces(t *testing.T, text string) []tile.Face {
	t.Helper()
	list, err := tile.ParseFaces(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The racks of the prepared game. Seat 0 opens with three sets, then frees seat 1's joker with R11 for
// a group of 13s and splits seat 2's run with B10; O13 is the last tile.
var preparedRacks = []string{"O10 O11 O12 K4 K5 K6 B1 R1 O1 R11 B10 K13 R13 O13", "R9 R10 J R12", "B8 B9 B10 B11 B12",
	""}

// newPreparedTable returns a tournament with one table and a prepared game, dealt but not begun. The event holds the
// seats' tokens; a tab plays for seat 0 once it has joined.
func newPreparedTable(t *testing.T, racks ...string) (*event, int64) {
	t.Helper()
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600, "start_seconds": 120})
	e.games.Deal = func() engine.Deal { return preparedDeal(t, racks...) }
	return e, e.round.Tables[0].Games[0].ID
}

// join takes seat 0 in a tab by a code, as a player does: open the address, check the name, tap once.
func (e *event) join(p *tab) {
	p.t.Helper()
	code, err := action.Do(context.Background(), e.desk, rights.Staff(rights.RoleReferee, "test"),
		people.ReissueCode{Table: e.round.Tables[0].ID, Seat: 0})
	if err != nil {
		p.t.Fatal(err)
	}
	p.open(e.http.URL + "/join/" + secret.SpellCode(code))
	p.wait(`document.querySelector(".take-seat").innerText.includes("` + e.round.Tables[0].Seats[0].Player.Name + `")`)
	p.picture("1-join")
	p.tap(".take-seat")
	p.wait(`location.pathname === "/play" && document.querySelector(".place-card")`)
	p.picture("2-waiting")
}

// play lays sets for another seat, each given as its cell and tiles, beside those on the table.
func (e *event) play(seat int, game int64, at int, text string) {
	e.t.Helper()
	view := e.public().view(game)
	var table []tile.LaidFaces
	for _, set := range view.Table {
		table = append(table, tile.LaidFaces{At: set.At, Faces: set.Tiles})
	}
	table = append(table, tile.LaidFaces{At: at, Faces: faces(e.t, text)})
	e.at(0, seat).must(http.MethodPost, fmt.Sprintf("/games/%d/play", game),
		request.PlayRequest{TurnRequest: request.TurnRequest{Turn: view.Turn.Number, Key: e.key()}, Table: table}, nil)
}

func (e *event) draw(seat int, game int64) {
	e.t.Helper()
	e.at(0, seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
		request.TurnRequest{Turn: e.public().view(game).Turn.Number, Key: e.key()}, nil)
}

func (e *event) readyBut(first int, game int64) {
	e.t.Helper()
	for seat := first; seat < 4; seat++ {
		e.at(0, seat).must(http.MethodPost, fmt.Sprintf("/games/%d/ready", game),
			request.TurnRequest{Turn: e.public().view(game).Turn.Number, Key: e.key()}, nil)
	}
}

func inRack(face string) string { return `#rack .tile[data-face="` + face + `"]` }

func cell(at int) string { return fmt.Sprintf("#c%d", at) }

// cellOf returns the table cell of a tile, given by its face and, after a dot, a class.
func cellOf(p *tab, face string) int {
	p.t.Helper()
	face, class, _ := strings.Cut(face, ".")
	if class != "" {
		class = "." + class
	}
	return eval[int](p,
		fmt.Sprintf(`Number(document.querySelector('#table .tile%s[data-face="%s"]').parentElement.dataset.at)`, class,
			face))
}

// freeCell returns the first of n consecutive free cells with an empty cell on either side.
func freeCell(p *tab, n int) int {
	p.t.Helper()
	return eval[int](p, fmt.Sprintf(`(() => {
		for (const row of document.querySelectorAll("#table .lane")) {
			const cells = [...row.querySelectorAll(".cell")], bare = (k) => k < 0 || k >= cells.length || !cells[k].querySelector(".tile");
			for (let k = 0; k + %[1]d <= cells.length; k++) if ([...Array(%[1]d + 2).keys()].every((i) => bare(k + i - 1))) return Number(cells[k].dataset.at);
		}
		return -1;
	})()`, n))
}

// A mover lays tiles in a tab by tapping, dragging or keys.
type mover struct {
	name string
	// use presses a key of the tablet.
	use func(p *tab, key string)
	// lay puts tiles of the rack, in order, into a cell and those after it.
	lay func(p *tab, at int, tiles ...string)
	// move moves the contents of one cell to another.
	move func(p *tab, from, to int)
}

var movers = []mover{
	{
		name: "by tap",
		use:  func(p *tab, key string) { p.tap(key) },
		lay: func(p *tab, at int, tiles ...string) {
			for _, face := range tiles {
				p.tap(inRack(face))
			}
			p.tap(cell(at))
		},
		move: func(p *tab, from, to int) { p.tap(cell(from), cell(to)) },
	},
	{
		name: "by drag",
		use:  func(p *tab, key string) { p.tap(key) },
		lay: func(p *tab, at int, tiles ...string) {
			for i, face := range tiles {
				p.drag(inRack(face), cell(at+i))
			}
		},
		move: func(p *tab, from, to int) { p.drag(cell(from), cell(to)) },
	},
	{name: "by keyboard", use: useByKeys, lay: layByKeys, move: moveByKeys},
}

// TestBrowserWinsAGame plays a game with each kind of input. TestEventByRole plays one by taps in every run.
func TestBrowserWinsAGame(t *testing.T) {
	b := startChromium(t)
	for _, m := range movers {
		t.Run(m.name, func(t *testing.T) {
			e, game := newPreparedTable(t, preparedRacks...)
			p := b.tab(t, 1280, 800)
			if m.name != "by drag" { // one animated game is enough
				p.still()
			}
			e.join(p)
			e.start()
			p.wait(`location.pathname === "/play/game" && document.querySelectorAll("#rack .tile").length === 14`)
			p.wait(`document.getElementById("link").classList.contains("live")`)
			p.picture("3-dealt")
			m.winGame(p, e, game)
			p.wait(`document.querySelectorAll(".counted > li").length === 4`)
			e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), result.ConfirmResult{Rev: 1},
				nil)
			p.wait(`document.querySelectorAll("#rack .tile").length === 14 &&
				document.getElementById("place").textContent.includes("Game 2 of")`)

			checkLog(t, e, game)
			if got := p.complaints(); len(got) > 0 {
				t.Errorf("the page complained: %q", got)
			}
			t.Logf("%s: %d taps, %d drags", m.name, p.taps, p.drags)
			// one tap joins
			if m.name == "by drag" && p.taps > 5 || m.name == "by tap" && p.drags > 0 || m.name == "by keyboard" &&
				p.taps+p.drags > 1 {
				t.Errorf("got %d taps and %d drags", p.taps, p.drags)
			}
		})
	}
}

// winGame plays the prepared game of seat 0 to its end: three plays in the page, while the other seats act over HTTP.
func (m mover) winGame(p *tab, e *event, game int64) {
	p.t.Helper()
	e.readyBut(1, game)
	m.use(p, "#ready")
	p.wait(`document.getElementById("game").dataset.mine === "true"`)
	p.picture("4-my-turn")

	m.lay(p, 0, "O10", "O11", "O12")
	p.wait(`document.getElementById("verdict").textContent.includes("33")`)
	m.lay(p, 13, "K4", "K5", "K6")
	m.lay(p, 26, "B1", "R1", "O1")
	p.wait(`document.querySelectorAll("#table .tag.good").length === 3`)
	p.picture("5-opening")
	endTurn(p, m, 5)

	e.play(1, game, 39, "R9 R10 J R12")
	e.play(2, game, 52, "B8 B9 B10 B11 B12")
	e.draw(3, game)
	p.wait(`document.getElementById("game").dataset.mine === "true"`)
	p.picture("6-table")

	m.lay(p, freeCell(p, 3), "B10") // a second B10 splits the run and becomes its upper end
	m.move(p, cellOf(p, "B11"), cellOf(p, "B10.laid")+1)
	m.move(p, cellOf(p, "B12"), cellOf(p, "B11")+1)
	m.lay(p, cellOf(p, "J"), "R11") // takes the joker's place; the joker moves to the end
	p.wait(`((r, j) => Number(j.dataset.at) === Number(r.dataset.at) + 1)(
		document.querySelector("#table .tile[data-face=R12]").parentElement,
		document.querySelector("#table .tile.J").parentElement)`)
	m.move(p, cellOf(p, "J"), freeCell(p, 3))
	m.lay(p, cellOf(p, "J")+1, "K13", "R13")
	p.wait(`document.querySelectorAll("#table .tag.good").length === 4 && !document.getElementById("play").disabled`)
	p.wait(`document.getElementById("verdict").classList.contains("good")`)
	p.picture("7-manipulated")
	endTurn(p, m, 1)

	e.draw(1, game)
	e.draw(2, game)
	e.draw(3, game)
	p.wait(`document.getElementById("game").dataset.mine === "true"`)
	m.lay(p, cellOf(p, "O12")+1, "O13")
	p.wait(`document.getElementById("verdict").classList.contains("good")`)
	m.use(p, "#play")
	p.wait(`document.getElementById("result-title")?.textContent.includes("Rummikub! You win.")`)
	p.picture("8-won")
}

func endTurn(p *tab, m mover, left int) {
	p.t.Helper()
	m.use(p, "#play")
	p.wait(fmt.Sprintf(`document.getElementById("game").dataset.mine === "false" &&
		document.querySelectorAll("#rack .tile").length === %d`, left))
}

// checkLog checks the game's log: three plays by the player, nothing drawn, and a win.
func checkLog(t *testing.T, e *event, game int64) {
	t.Helper()
	exported, err := export.OfGame(context.Background(), e.store, game)
	if err != nil {
		t.Fatal(err)
	}
	var played []int
	var last engine.Event
	for _, record := range exported.Events {
		if last, err = engine.Decode(record.Kind, record.Version, record.Data); err != nil {
			t.Fatal(err)
		}
		switch e := last.(type) {
		case engine.TilesPlayed:
			if e.Seat == 0 {
				played = append(played, len(e.Played))
			}
		case engine.TileDrawn:
			if e.Seat == 0 {
				t.Error("seat 0 has drawn")
			}
		case engine.TurnExpired, engine.IllegalPlayed:
			t.Errorf("got %T", e)
		}
	}
	if fmt.Sprint(played) != "[9 4 1]" {
		t.Errorf("seat 0 laid %v tiles, want [9 4 1]", played)
	}
	if end, ok := last.(engine.GameEnded); !ok || end.End.Why != ruleset.EndedEmptied || end.End.Outcome.Wins[0] != 12 {
		t.Errorf("got %+v last", last)
	}
}

// playing returns a tab of seat 0 in its first turn.
func playing(t *testing.T, b *chromium, racks ...string) (*event, int64, *tab) {
	t.Helper()
	e, game := newPreparedTable(t, racks...)
	e.start()
	e.readyBut(0, game)
	p := b.tab(t, 1280, 800)
	p.seat(e.http.URL, e.at(0, 0).token)
	p.open(e.http.URL + "/play/game")
	p.wait(`document.getElementById("game").dataset.mine === "true" &&
		document.getElementById("link").classList.contains("live")`)
	p.wait(`document.querySelector("#rack .tag.good")`) // a later answer about sets just played without the page is 422
	return e, game, p
}
