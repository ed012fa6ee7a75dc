package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/tournament/result"
	"meldhall/tournament/secret"
)

// physicalTable is a table of four with real tiles and one shared tablet.
type physicalTable struct {
	e    *event
	p    *tab
	axe  string
	game int64 // the round's first game
}

func newPhysicalTable(t *testing.T) *physicalTable {
	t.Helper()
	b := startChromium(t)
	d := &physicalTable{axe: axeScript(t), e: newRealEvent(t, 4, map[string]any{"turn_seconds": 60, "grace_ms": 0})}
	d.p = b.tab(t, 1280, 800)
	d.p.still()
	d.game = d.e.round.Tables[0].Games[0].ID
	return d
}

func (d *physicalTable) says(selector, text string) {
	d.p.t.Helper()
	d.p.wait(fmt.Sprintf(`document.querySelector(%q)?.innerText.includes(%q)`, selector, text))
}

// look checks the page with axe and takes its picture in both orientations.
func (d *physicalTable) look(name string) {
	d.p.t.Helper()
	for _, violation := range barriers(d.p, d.axe) {
		d.p.t.Errorf("%s: %s", name, violation)
	}
	d.p.picture(name)
	d.p.size(800, 1280)
	d.p.picture(name + "-portrait")
	d.p.size(1280, 800)
}

func (d *physicalTable) name(seat int) string { return d.e.round.Tables[0].Seats[seat].Player.Name }

// TestBrowserPhysicalTable plays a game with real tiles on one shared tablet, from its code to the referee's
// confirmation, including a time-out and an unopened rack in the count.
func TestBrowserPhysicalTable(t *testing.T) {
	testmode.SkipUnlessLong(t)
	d := newPhysicalTable(t)
	p := d.p
	p.open(d.e.http.URL + "/join/" + secret.SpellCode(d.e.round.Tables[0].Code))
	d.look("1-join")
	p.tap("button[name=table]")
	p.wait(`location.pathname === "/play"`)
	p.picture("2-waiting")
	d.e.start()
	p.wait(`location.pathname === "/play/game" && document.getElementById("link").classList.contains("live")`)

	t.Run("who begins is entered, then the first turn runs", d.testStart)
	t.Run("a turn is ended, the initial meld noted", d.testTurn)
	t.Run("a turn that runs out says what it costs and passes on", d.testExpiry)
	t.Run("a penalty stands in the book", d.testPenalty)
	t.Run("the referee is called for a seat", d.testCall)
	t.Run("the pool is empty: the last lap is counted", d.testLastLap)
	t.Run("an empty rack is asked once, then the racks are counted", d.testEmptyRack)
	t.Run("faces are tapped, and an unopened rack proves what it could have laid", d.testCount)
	t.Run("the players agree on it, the referee confirms, the next game waits", d.testAgreement)
	within(t, &p.t)
	for _, complaint := range p.complaints() {
		t.Errorf("the page complained: %s", complaint)
	}
}

func (d *physicalTable) testStart(t *testing.T) {
	within(t, &d.p.t)
	if !eval[bool](d.p, `document.getElementById("ready").disabled`) {
		t.Error("it can begin before it is known who does")
	}
	d.p.tap("[data-act=starter][data-seat='2']")
	d.says("#ready", d.name(2))
	d.look("3-start")
	d.p.tap("#ready")
	d.says("#whose", d.name(2))
}

func (d *physicalTable) testTurn(t *testing.T) {
	within(t, &d.p.t)
	d.p.tap(".r-opened input")
	d.p.tap("#end-turn")
	d.says("#whose", d.name(3))
	if !d.e.public().view(d.game).Seats[2].Opened {
		t.Error("the opening was not noted")
	}
	d.look("4-turn")
}

func (d *physicalTable) testExpiry(t *testing.T) {
	within(t, &d.p.t)
	d.e.referee.post(d.game, "time", map[string]any{"seconds": -59, "reason": "for the test"})
	d.says("#last", "Time’s up: \u2068"+d.name(3)+"\u2069 puts the table back and takes 3 tiles.")
	d.says("#whose", d.name(0))
	d.says(".r-book", "takes 3 tiles")
	d.look("5-expired")
}

func (d *physicalTable) testPenalty(t *testing.T) {
	within(t, &d.p.t)
	d.e.referee.post(d.game, "penalty", map[string]any{"seat": 1, "tiles": 2, "reason": "touched another rack"})
	d.says(".r-book", "Touched another rack")
}

func (d *physicalTable) testCall(t *testing.T) {
	within(t, &d.p.t)
	d.p.tap("#call-for summary", "#call-for [data-seat='1']")
	d.says("#seat1", "called")
	d.e.referee.post(d.game, "answer", map[string]any{"seat": 1})
}

func (d *physicalTable) testLastLap(t *testing.T) {
	within(t, &d.p.t)
	d.p.tap("#pool-for summary")
	d.p.picture("6-pool")
	d.p.tap("#pool-for [data-seat='0']")
	d.says("#told", "5 turns to go")
}

func (d *physicalTable) testEmptyRack(t *testing.T) {
	within(t, &d.p.t)
	d.p.tap("#out")
	d.says("#sure[open] #sure-text", "no tiles left")
	if d.e.public().view(d.game).Counting != "" {
		t.Error("one press ended the game")
	}
	d.p.tap("#sure-yes")
	d.p.wait(`!document.getElementById("moment").hidden`)
	d.p.tap("#moment")
	d.p.wait(`document.getElementById("sheet") && document.getElementById("moment").hidden`)
}

func (d *physicalTable) testCount(t *testing.T) {
	within(t, &d.p.t)
	d.says("#verdict", "at least 14 tiles")
	rack := func(seat int, opened bool, faces string) {
		d.p.tap(fmt.Sprintf("#tab%d", seat))
		if on := eval[bool](d.p, `document.getElementById("rack-opened").checked`); on != opened {
			d.p.tap("#rack-opened")
		}
		for _, f := range strings.Fields(faces) {
			d.p.tap(fmt.Sprintf("[data-face=%s]", f))
		}
	}
	rack(1, false, "R10 B10 K10 O1 O2 B4 K6 R1 B6 O12 K3 R8 B13 O5")
	d.says("#rack-verdict", "200")
	d.says(".proof", "30")
	d.look("7-proof")
	rack(2, true, "R3 K13")
	rack(3, true, "J O2")
	d.says("#verdict", "It adds up.")
	d.says("#sheet-points", "+318")
	d.p.tap("#tab3", "[data-face=J]")
	d.says("#tab3", "202")
	d.p.tap("[data-face=J]") // a third joker clears both
	d.says("#tab3", "2")
	d.p.tap("[data-face=J]")
	d.says("#sheet-points", "+318")
	d.p.reload()
	d.says("#sheet-points", "+318")
	d.look("8-sheet")
	d.p.tap("#hand-in")
	d.p.wait(`document.getElementById("result-title")`)
}

func (d *physicalTable) testAgreement(t *testing.T) {
	within(t, &d.p.t)
	d.says(".r-over", "200")
	d.p.tap("[data-act=agree][data-seat='0']")
	d.says(".count-state", "1 of 4 agree") // wait until the rows below have moved
	d.p.tap("[data-act=agree][data-seat='3']")
	d.says(".count-state", "2 of 4 agree")
	d.look("9-result")
	d.e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", d.game), result.ConfirmResult{Rev: 1}, nil)
	d.p.wait(`document.querySelector("[data-act=starter]")`)
	if v := d.e.public().view(d.e.round.Tables[0].Games[1].ID); !v.Physical || v.Phase != engine.PhaseDealt {
		t.Errorf("%+v", v)
	}
}
