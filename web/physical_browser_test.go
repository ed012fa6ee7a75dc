package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/tournament"
)

// TestBrowserPhysicalTable plays a game with real tiles on one tablet in the middle of the table, from its code to the
// referee's confirmation, with a time-out on the way and an unopened rack in the count.
func TestBrowserPhysicalTable(t *testing.T) {
	b := startChromium(t)
	axe := axeScript(t)
	e := newRealEvent(t, 4, map[string]any{"turn_seconds": 60, "grace_ms": 0})
	p := b.tab(t, 1280, 800)
	says := func(selector, text string) {
		p.t.Helper()
		p.wait(fmt.Sprintf(`document.querySelector(%q)?.innerText.includes(%q)`, selector, text))
	}
	look := func(name string) {
		p.t.Helper()
		for _, violation := range barriers(p, axe) {
			t.Errorf("%s: %s", name, violation)
		}
		p.picture(name)
		p.size(800, 1280)
		p.picture(name + "-portrait")
		p.size(1280, 800)
	}
	seats := e.round.Tables[0].Seats
	name := func(seat int) string { return seats[seat].Player.Name }
	game := e.round.Tables[0].Games[0].ID

	p.open(e.http.URL + "/join/" + tournament.SpellCode(e.round.Tables[0].Code))
	look("1-join")
	p.tap("button[name=table]")
	p.wait(`location.pathname === "/play"`)
	p.picture("2-waiting")
	e.start()
	p.wait(`location.pathname === "/play/game" && document.getElementById("link").classList.contains("live")`)

	t.Run("who begins is entered, then the first turn runs", func(t *testing.T) {
		p.t = t
		if !eval[bool](p, `document.getElementById("ready").disabled`) {
			t.Error("it can begin before it is known who does")
		}
		p.tap("[data-act=starter][data-seat='2']")
		says("#ready", name(2))
		look("3-start")
		p.tap("#ready")
		says("#whose", name(2))
	})
	t.Run("a turn is ended, the initial meld noted", func(t *testing.T) {
		p.t = t
		p.tap(".r-opened input")
		p.tap("#end-turn")
		says("#whose", name(3))
		if !e.public().view(game).Seats[2].Opened {
			t.Error("the opening was not noted")
		}
		look("4-turn")
	})
	t.Run("a turn that runs out says what it costs and passes on", func(t *testing.T) {
		p.t = t
		e.referee.post(game, "time", map[string]any{"seconds": -59, "reason": "for the test"})
		says("#last", "Time’s up: \u2068"+name(3)+"\u2069 puts the table back and takes 3 tiles.")
		says("#whose", name(0))
		says(".r-book", "takes 3 tiles")
		look("5-expired")
	})
	t.Run("a penalty stands in the book", func(t *testing.T) {
		p.t = t
		e.referee.post(game, "penalty", map[string]any{"seat": 1, "tiles": 2, "reason": "touched another rack"})
		says(".r-book", "touched another rack")
	})
	t.Run("the referee is called for a seat", func(t *testing.T) {
		p.t = t
		p.tap("#call-for summary", "#call-for [data-seat='1']")
		says("#seat1", "called")
		e.referee.post(game, "answer", map[string]any{"seat": 1})
	})
	t.Run("the pool is empty: the last lap is counted", func(t *testing.T) {
		p.t = t
		p.tap("#pool-for summary")
		p.picture("6-pool")
		p.tap("#pool-for [data-seat='0']")
		says("#told", "5 turns to go")
	})
	t.Run("an empty rack is asked once, then the racks are counted", func(t *testing.T) {
		p.t = t
		p.tap("#out")
		says("#verdict", "Press again")
		if e.public().view(game).Counting != "" {
			t.Error("one press ended the game")
		}
		p.tap("#out")
		p.wait(`!document.getElementById("moment").hidden`)
		p.tap("#moment")
		p.wait(`document.getElementById("sheet") && document.getElementById("moment").hidden`)
	})
	t.Run("faces are tapped, and an unopened rack proves what it could have laid", func(t *testing.T) {
		p.t = t
		says("#verdict", "at least 14 tiles")
		rack := func(seat int, opened bool, faces string) {
			p.tap(fmt.Sprintf("#tab%d", seat))
			if on := eval[bool](p, `document.getElementById("rack-opened").checked`); on != opened {
				p.tap("#rack-opened")
			}
			for _, f := range strings.Fields(faces) {
				p.tap(fmt.Sprintf("[data-face=%s]", f))
			}
		}
		rack(1, false, "R10 B10 K10 O1 O2 B4 K6 R1 B6 O12 K3 R8 B13 O5")
		says("#rack-verdict", "200")
		says(".proof", "30")
		look("7-proof")
		rack(2, true, "R3 K13")
		rack(3, true, "J O2")
		says("#verdict", "It adds up.")
		says("#sheet-points", "+318")
		p.tap("#tab3", "[data-face=J]")
		says("#tab3", "202")
		p.tap("[data-face=J]") // the third joker takes both away
		says("#tab3", "2")
		p.tap("[data-face=J]")
		says("#sheet-points", "+318")
		p.reload()
		says("#sheet-points", "+318")
		look("8-sheet")
		p.tap("#hand-in")
		p.wait(`document.getElementById("result-title")`)
	})
	t.Run("the players agree on it, the referee confirms, the next game waits", func(t *testing.T) {
		p.t = t
		says(".r-over", "200")
		p.tap("[data-act=agree][data-seat='0']")
		says(".count-state", "1 of 4 agree") // the rows below have moved
		p.tap("[data-act=agree][data-seat='3']")
		says(".count-state", "2 of 4 agree")
		look("9-result")
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), ConfirmBody{1}, nil)
		p.wait(`document.querySelector("[data-act=starter]")`)
		if v := e.public().view(e.round.Tables[0].Games[1].ID); !v.Physical || v.Phase != engine.PhaseDealt {
			t.Errorf("%+v", v)
		}
	})
	p.t = t
	for _, complaint := range p.complaints() {
		t.Errorf("the page complained: %s", complaint)
	}
}
