package webtest

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/result"
	"meldhall/web/api"
)

func TestBrowserKeepsTheDraft(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	other := b.tab(t, 1280, 800)
	other.seat(e.http.URL, e.at(0, 1).token)
	other.open(e.http.URL + "/play/game")
	other.wait(`document.getElementById("link").classList.contains("live") &&
		document.querySelectorAll("#rack .tile").length === 14`)

	movers[0].lay(p, 0, "O10", "O11", "O12")
	p.wait(`document.querySelectorAll("#table .tag.good").length === 1`)
	t.Run("the other players see it while it is laid", func(t *testing.T) {
		within(t, &other.t)
		other.wait(`document.querySelectorAll("#table .tile.new").length === 3 &&
			document.querySelector("#c0 .tile").dataset.face === "O10"`)
		other.picture("other")
		p.tap("#undo")
		other.wait(`document.querySelectorAll("#table .tile").length === 0`)
		movers[0].lay(p, 0, "O10", "O11", "O12")
		other.wait(`document.querySelectorAll("#table .tile").length === 3`)
	})
	t.Run("a reload brings it back", func(t *testing.T) {
		within(t, &p.t)
		p.reload()
		p.wait(`document.querySelectorAll("#table .tile.laid").length === 3 &&
			document.querySelectorAll("#rack .tile").length === 11`)
		p.wait(`!document.getElementById("play").disabled && document.querySelectorAll("#table .tag.good").length === 1`)
	})
	t.Run("so does the server for a device that has lost its store", func(t *testing.T) {
		within(t, &p.t)
		eval[bool](p, `localStorage.clear(), true`)
		p.reload()
		p.wait(`document.querySelectorAll("#table .tile.laid").length === 3 &&
			document.querySelectorAll("#rack .tile").length === 11`)
		p.picture("reloaded")
	})
	t.Run("it is the player's own when the tablet has been turned and the rack has other rows", func(t *testing.T) {
		within(t, &p.t)
		p.wait(`!document.getElementById("play").disabled`)
		first := `[...document.querySelectorAll("#rack .slot")].findIndex((s, i, all) => s.offsetTop !== all[0].offsetTop)`
		wide := eval[int](p, first)
		for _, size := range [][2]int64{{360, 740}, {1280, 800}} {
			p.size(size[0], size[1])
			p.wait(fmt.Sprintf("(%s === %d) === %v", first, wide, size[0] == 1280))
			p.wait(`!document.getElementById("play").disabled && !document.getElementById("undo").disabled &&
				document.querySelectorAll("#table .tile.laid").length === 3 && document.querySelectorAll("#table .tag.good").length === 1`)
		}
		p.tap("#undo")
		p.wait(`document.querySelectorAll("#table .tile").length === 0 &&
			document.querySelectorAll("#rack .tile").length === 14`)
		movers[0].lay(p, 0, "O10", "O11", "O12")
		p.wait(`!document.getElementById("play").disabled`)
	})
	t.Run("time over takes the tiles back and says so", func(t *testing.T) {
		within(t, &p.t)
		view := e.public().view(game)
		take := func(seconds engine.Millis) {
			e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/time", game),
				map[string]any{"seconds": -seconds, "reason": "test", "key": e.key()}, nil)
		}
		take((view.Turn.Due-view.Now)/1000 - 9)
		p.wait(`document.getElementById("clock").classList.contains("low")`)
		p.picture("low")
		take(500)
		p.wait(`document.getElementById("last").textContent.includes("Time’s up: tiles returned, 3 drawn.")`)
		p.wait(`document.querySelectorAll("#table .tile").length === 0 &&
			document.querySelectorAll("#rack .tile").length === 17`)
		p.picture("time-over")
	})
	if got := append(p.complaints(), other.complaints()...); len(got) > 0 {
		t.Errorf("the pages complained: %q", got)
	}
	// its requests on the way are rejected with 401
	t.Run("a device that is replaced is sent to the codes", func(t *testing.T) {
		within(t, &p.t)
		e.referee.must(http.MethodPost, fmt.Sprintf("/tables/%d/code", e.round.Tables[0].ID), api.ReissueBody{Seat: 0},
			nil)
		p.wait(`location.pathname === "/join" && document.body.innerText.includes("another device has taken it")`)
	})
	for _, got := range append(p.complaints(), other.complaints()...) {
		if !strings.Contains(got, "status of 401 (Unauthorized)") {
			t.Errorf("the pages complained: %q", got)
		}
	}
}

func TestBrowserTilesAreLargeEnough(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	for turn := 0; turn < 18; turn++ { // until seat 0 holds 18 tiles and more are on the table
		e.draw(turn%4, game)
	}
	p.wait(`document.querySelectorAll("#rack .tile").length > 18`)
	for _, screen := range [][2]int64{{1280, 800}, {800, 1280}} {
		t.Run(fmt.Sprintf("%d x %d", screen[0], screen[1]), func(t *testing.T) {
			within(t, &p.t)
			p.size(screen[0], screen[1])
			within(t, &e.t)
			p.wait(fmt.Sprintf("innerWidth === %d", screen[0]))
			small := eval[[]string](p, `[...document.querySelectorAll("#rack .tile, #table .cell, .foot .key")].filter((el) => {
				const box = el.getBoundingClientRect();
				return el.checkVisibility() && (box.width < 44 || box.height < 44 || box.right > innerWidth || box.bottom > innerHeight);
			}).map((el) => { const box = el.getBoundingClientRect(); return el.id + el.className + " " + box.width + "x" + box.height + " at " + box.right + "," + box.bottom; })`)
			if len(small) > 0 {
				t.Errorf("too small or out of sight: %q", small[:min(len(small), 5)])
			}
			if wide := eval[float64](p,
				`document.querySelector("#table .cell").getBoundingClientRect().width`); wide < 46 {
				t.Errorf("a cell is %v px wide: a tile in it is less than 44", wide)
			}
			p.picture("screen")
		})
	}
}

func TestBrowserFindsNoBarriers(t *testing.T) {
	b := startChromium(t)
	axe, err := os.ReadFile(filepath.Join("testdata", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	e, game, p := playing(t, b, preparedRacks...)
	check := func(t *testing.T, p *tab) {
		t.Helper()
		eval[bool](p, string(axe)+";true")
		found := eval[[]string](p, `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
			.then((r) => r.violations.map((v) => v.id + ": " + v.help + " " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + n.failureSummary).join(" | ")))`)
		for _, violation := range found {
			t.Error(violation)
		}
	}
	t.Run("the game", func(t *testing.T) {
		within(t, &p.t)
		movers[0].lay(p, 0, "O10", "O11", "O12")
		movers[0].lay(p, 13, "K4", "K5")
		p.wait(`document.querySelectorAll("#table .tag").length === 2`)
		check(t, p)
		eval[bool](p, `document.cookie = "theme=dark; path=/", true`)
		p.reload()
		p.wait(`document.querySelectorAll("#table .tag").length === 2`)
		check(t, p)
		p.picture("dark")
	})
	t.Run("the start, the seats, the code and the waiting room", func(t *testing.T) {
		early, _ := newPreparedTable(t, preparedRacks...)
		fresh := b.tab(t, 1280, 800)
		fresh.open(early.http.URL + "/join")
		check(t, fresh)
		early.join(fresh)
		check(t, fresh)
		early.start()
		fresh.wait(`location.pathname === "/play/game"`)
		check(t, fresh)
	})
	t.Run("the result", func(t *testing.T) {
		within(t, &p.t, &e.t)
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/call-time", game),
			map[string]any{"reason": "test", "key": e.key()}, nil)
		for seat := range 4 {
			e.draw(seat, game)
		}
		p.wait(`document.getElementById("result-title")`)
		check(t, p)
		p.picture("time-called")
	})
	t.Run("the replay, until the next game begins", func(t *testing.T) {
		within(t, &p.t, &e.t)
		eval[bool](p, fmt.Sprintf(`document.querySelector("a[href$='/games/%d']").click(), true`, game))
		p.wait(`document.querySelectorAll("table.turns tbody tr").length === 4`)
		check(t, p)
		p.picture("replay")
		for turn, page := range []string{"/turns/1", "/turns/1/best"} {
			p.open(fmt.Sprintf("%s/events/%d/games/%d%s", e.http.URL, e.id, game, page))
			p.wait(`document.querySelector("ul.rack-then .tile")`)
			check(t, p)
			p.picture(fmt.Sprintf("replay-turn-%d", turn))
		}
		eval[bool](p, `document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }))`)
		// from here on the page handles keys
		p.wait(`location.pathname.endsWith("/turns/2") && document.readyState === "complete"`)
		eval[bool](p, `document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }))`)
		p.wait(`location.pathname.endsWith("/turns/1")`)
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), result.ConfirmResult{Rev: 1}, nil)
		p.wait(`location.pathname === "/play/game"`)
	})
}
