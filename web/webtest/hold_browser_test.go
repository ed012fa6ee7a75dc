package webtest

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"

	"meldhall/tournament/action"
	"meldhall/tournament/people"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
)

// handed is playing with a stored hand of the player.
func handed(t *testing.T, b *chromium, hand string) (*event, int64, *tab) {
	t.Helper()
	e, game, p := playing(t, b, preparedRacks...)
	if got := eval[int](p, fmt.Sprintf(`fetch("/play/hand", {method: "POST", headers: {"Content-Type": "application/json"},
		body: %q}).then((r) => r.status)`, hand)); got != http.StatusNoContent {
		t.Fatalf("storing a hand: %d", got)
	}
	p.reload()
	p.wait(`document.getElementById("game").dataset.mine === "true" &&
		document.getElementById("link").classList.contains("live")`)
	p.still()
	p.wait(allArmed)
	return e, game, p
}

// stays keeps fingers on the screen for some time.
func (p *tab) stays(ms int) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`new Promise((done) => setTimeout(() => done(true), %d))`, ms))
}

// TestBrowserHoldToEndTheTurn checks that a key that must be held down acts after half a second, and that lifting,
// sliding off it or a second touch cancels.
func TestBrowserHoldToEndTheTurn(t *testing.T) {
	b := startChromium(t)
	e, game, p := handed(t, b, `{"slop":6,"press":700,"dead":0,"flip":false,"one":false,"ring":true}`)
	turn := func() int { t.Helper(); return e.public().view(game).Turn.Number }
	at := p.middle("#draw")
	ring := `document.querySelector("#draw .press-ring")`
	for name, cancel := range map[string]func(){
		"a tap": func() { p.touch(input.DispatchTouchEventTypeTouchEnd, nil) },
		"a finger that slides off": func() {
			p.touch(input.DispatchTouchEventTypeTouchMove, &point{at.X, at.Y - 120})
			p.wait("!" + ring)
			p.touch(input.DispatchTouchEventTypeTouchEnd, nil)
		},
		"a second touch": func() {
			p.fingers(input.DispatchTouchEventTypeTouchStart, at, p.middle("#seat2"))
			p.wait("!" + ring)
			p.fingers(input.DispatchTouchEventTypeTouchEnd)
		},
	} {
		p.touch(input.DispatchTouchEventTypeTouchStart, &at)
		cancel()
		p.stays(700)
		p.wait("!" + ring + " && " + allArmed)
		if got := turn(); got != 1 {
			t.Fatalf("%s ended the turn: %d", name, got)
		}
	}
	rest := p.middle("#seat1")
	p.fingers(input.DispatchTouchEventTypeTouchStart, rest) // a hand that rests beforehand cancels nothing
	p.stays(100)
	p.fingers(input.DispatchTouchEventTypeTouchStart, rest, at)
	p.wait(ring)
	p.picture("ring")
	p.wait(passedTo15)
	p.fingers(input.DispatchTouchEventTypeTouchEnd)
	p.stays(800)
	if got := turn(); got != 2 {
		t.Errorf("turn %d after one held Draw, want 2", got)
	}
	for seat := 1; seat < 4; seat++ {
		e.draw(seat, game)
	}
	p.wait(`document.getElementById("game").dataset.mine === "true" && ` + allArmed)
	eval[bool](p, `document.getElementById("draw").focus(), true`)
	p.press("Enter") // released at once
	p.stays(700)
	if got := turn(); got != 5 {
		t.Errorf("turn %d after a short Enter, want 5", got)
	}
	eval[bool](p, `document.getElementById("draw").click(), true`) // assistive technology cannot hold
	p.wait(`document.querySelectorAll("#rack .tile").length === 16`)
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}

// TestBrowserAssistiveClicks checks that clicks without a finger move tiles as taps do, and that a finger's own click
// does not count a second time.
func TestBrowserAssistiveClicks(t *testing.T) {
	b := startChromium(t)
	_, _, p := playing(t, b, preparedRacks...)
	p.still()
	click := map[string]string{
		"click()": `el.click()`,
		"mouse events": `for (const type of ["mousedown", "mouseup", "click"])
			el.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, detail: 1 }))`,
	}
	for name, how := range click {
		on := func(selector string) {
			t.Helper()
			eval[bool](p, fmt.Sprintf(`(() => { const el = document.querySelector(%q); %s; return true; })()`, selector, how))
		}
		for i, face := range []string{"O10", "O11", "O12"} {
			on(inRack(face))
			p.wait(heldAre([]string{"O10", "O10 O11", "O10 O11 O12"}[i]))
		}
		on("#table .cell:empty")
		p.wait(setsAre("O10 O11 O12"))
		on(`#table .tile[data-face="O11"]`)
		p.wait(heldAre("O11"))
		on(`#table .tile[data-face="O11"]`)
		p.wait(heldAre(""))
		p.tap(inRack("K4")) // Chromium makes a click of this touch
		p.stays(300)
		p.wait(heldAre("K4"))
		p.tap(inRack("K4"), "#undo")
		p.wait(setsAre())
		p.stays(800) // longer than a finger's click takes
		if held := eval[int](p, `document.querySelectorAll(".tile.held").length`); held > 0 {
			p.press("Escape")
		}
		t.Log(name)
	}
}

// TestBrowserALyingHandPressesNothing checks that a hand that lies on a key that ends the turn does not press it when it
// is lifted.
func TestBrowserALyingHandPressesNothing(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	p.still()
	p.wait(allArmed)
	at := p.middle("#draw")
	p.fingers(input.DispatchTouchEventTypeTouchStart, at)
	for _, face := range []string{"O10", "O11"} {
		p.beside(p.middle(inRack(face)), at)
	}
	p.wait(heldAre("O10 O11"))
	p.stays(700)
	p.up(0, at)
	p.touch(input.DispatchTouchEventTypeTouchStart, &at)
	p.stays(2100)
	p.touch(input.DispatchTouchEventTypeTouchEnd, nil)
	p.tap(inRack("O11"))
	p.wait(heldAre("O10"))
	if turn := e.public().view(game).Turn.Number; turn != 1 {
		t.Fatalf("a lying hand ended the turn: %d", turn)
	}
	p.tap("#draw")
	p.wait(passedTo15)
}

// TestBrowserSlidingOffAKeyCancels checks that a finger that is lifted beside the key that it came down on presses
// nothing (WCAG 2.5.2).
func TestBrowserSlidingOffAKeyCancels(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	p.still()
	p.wait(allArmed)
	from, to := p.middle("#draw"), p.middle("#place")
	p.touch(input.DispatchTouchEventTypeTouchStart, &from)
	p.touch(input.DispatchTouchEventTypeTouchMove, &to)
	p.touch(input.DispatchTouchEventTypeTouchEnd, nil)
	p.tap(inRack("O11"))
	p.wait(heldAre("O11"))
	if turn := e.public().view(game).Turn.Number; turn != 1 {
		t.Fatalf("a finger that slid off Draw ended the turn: %d", turn)
	}
}

// TestBrowserLayoutsOfAHand checks that the keys change sides and stand together, fit and keep their size, and takes
// pictures.
func TestBrowserLayoutsOfAHand(t *testing.T) {
	b := startChromium(t)
	for name, hand := range map[string][2]bool{"usual": {}, "other": {true, false}, "one": {false, true}, "other-one": {true,
		true}} {
		t.Run(name, func(t *testing.T) {
			flip, one := hand[0], hand[1]
			_, _, p := handed(t, b, fmt.Sprintf(`{"slop":6,"press":700,"dead":0,"flip":%v,"one":%v,"ring":false}`, flip, one))
			p.tap(inRack("O10"), inRack("O11"), inRack("O12"), "#table .cell:empty")
			p.wait(setsAre("O10 O11 O12"))
			for _, size := range [][2]int64{{1280, 800}, {1024, 768}, {844, 390}, {800, 1280}, {390, 844}} {
				p.size(size[0], size[1])
				p.wait(fmt.Sprintf(`innerWidth === %d`, size[0]))
				p.frame()
				box := func(id string) map[string]float64 {
					return eval[map[string]float64](p, fmt.Sprintf(`(() => {
						const { left, right, top, bottom } = document.querySelector(%q).getBoundingClientRect();
						return { left, right, top, bottom };
					})()`, id))
				}
				draw, play, minor, well := box("#draw"), box("#play"), box(".minor"), box(".well")
				landscape := size[0] > size[1]
				if landscape && (play["left"] < well["left"]) != flip {
					t.Errorf("%v: End turn is on the wrong side of the rack", size)
				}
				if (play["left"] < draw["left"]) != flip {
					t.Errorf("%v: End turn at %v, Draw at %v", size, play, draw)
				}
				if landscape && one && (minor["left"] < well["left"]) != flip {
					t.Errorf("%v: the other keys are away from the hand", size)
				}
				for _, misfit := range eval[[]string](p, misfits) {
					t.Errorf("%v: %s", size, misfit)
				}
				p.picture(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]))
			}
		})
	}
}

// TestBrowserAHandIsHandedToItsSeat checks that settings chosen on a device without a seat go to the seat that it takes,
// and from there to another device.
func TestBrowserAHandIsHandedToItsSeat(t *testing.T) {
	b := startChromium(t)
	e, _ := newPreparedTable(t, preparedRacks...)
	p := b.tab(t, 1280, 800)
	p.open(e.http.URL + "/check")
	p.wait(`document.querySelector("#hand-form [name=set-slop][value='6']").checked`)
	for _, key := range []string{"#hand-form label:has([value='18'])", "#hand-form label:has([name=set-flip])", "#hand-use"} {
		eval[bool](p, fmt.Sprintf(`document.querySelector(%q).scrollIntoView({ block: "center" }), true`, key))
		p.tap(key)
	}
	p.wait(`document.getElementById("hand-kept").textContent.includes("device")`)
	p.picture("check")
	e.join(p)
	e.start()
	p.wait(`location.pathname === "/play/game" && document.documentElement.dataset.side === "other"`)
	p.wait(`localStorage.getItem("hand") === null`)
	spare := b.tab(t, 390, 844)
	code, err := action.Do(context.Background(), e.desk, rights.Staff(rights.RoleReferee, "test"),
		people.ReissueCode{Table: e.round.Tables[0].ID, Seat: 0})
	if err != nil {
		t.Fatal(err)
	}
	spare.open(e.http.URL + "/join/" + secret.SpellCode(code))
	spare.tap(".take-seat")
	spare.wait(`location.pathname === "/play/game" && document.documentElement.dataset.side === "other"`)
	spare.tap("#settings")
	spare.wait(`document.querySelector("#settings-sheet [name=set-slop][value='18']").checked`)
	spare.picture("settings")
	for _, complaint := range append(p.complaints(), spare.complaints()...) {
		if !strings.Contains(complaint, "401") { // the first device learns that it is out
			t.Errorf("a page complained: %q", complaint)
		}
	}
}
