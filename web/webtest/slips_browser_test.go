package webtest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// slipGaps lists the times between the two taps of a double tap.
var slipGaps = []time.Duration{180 * time.Millisecond, 400 * time.Millisecond, 690 * time.Millisecond}

// again taps the point of an earlier tap again after gap, once the page shows seen.
func (p *tab) again(at point, first time.Time, gap time.Duration, seen string) {
	p.t.Helper()
	p.tapWhen(at, first)
	p.wait(seen)
	p.tapWhen(at, first.Add(gap))
}

// allArmed is true once every key accepts a press and no action is pending.
const allArmed = `!document.querySelector("[data-fresh]") && !document.querySelector("#verdict.sent")`

// passedTo15 is true once the player has drawn a tile and it is the next player's turn.
const passedTo15 = `document.getElementById("game").dataset.mine === "false" &&
	document.querySelectorAll("#rack .tile").length === 15`

// TestBrowserDoubleTapOnReady checks that a double tap on Ready does not press Draw, which appears in its place.
func TestBrowserDoubleTapOnReady(t *testing.T) {
	b := startChromium(t)
	for _, gap := range slipGaps {
		t.Run(fmt.Sprint(gap), func(t *testing.T) {
			e, game := newPreparedTable(t, preparedRacks...)
			e.start()
			p := b.tab(t, 1280, 800)
			p.seat(e.http.URL, e.at(0, 0).token)
			p.open(e.http.URL + "/play/game")
			p.wait(`document.getElementById("ready") && document.getElementById("link").classList.contains("live")`)
			e.readyBut(1, game)
			p.wait(armed("#ready"))
			p.again(p.middle("#ready"), time.Now(), gap, `document.getElementById("draw")`)
			p.wait(allArmed)
			p.tap(inRack("K4"))
			p.wait(heldAre("K4"))
			if turn := e.public().view(game).Turn; turn.Number != 1 || turn.Seat != 0 {
				t.Fatalf("the second tap ended the turn: now turn %d, seat %d", turn.Number, turn.Seat)
			}
			p.tap("#draw")
			p.wait(passedTo15)
		})
	}
}

// slips lists ways to press a key twice by mistake.
var slips = []struct {
	name  string
	press func(p *tab, selector string)
}{
	{"touch", func(p *tab, selector string) {
		at, now := p.middle(selector), time.Now()
		p.tapWhen(at, now)
		p.tapWhen(at, now.Add(250*time.Millisecond))
	}},
	{"mouse", func(p *tab, selector string) {
		at := p.middle(selector)
		for n := range int64(2) {
			p.mouse(input.DispatchMouseEventTypeMousePressed, at, n+1)
			p.mouse(input.DispatchMouseEventTypeMouseReleased, at, n+1)
		}
	}},
	{"keyboard", func(p *tab, selector string) {
		eval[bool](p, fmt.Sprintf(`document.querySelector(%q).focus(), true`, selector))
		p.press("Enter", "Enter")
	}},
	{"a key that is held down", func(p *tab, selector string) {
		eval[bool](p, fmt.Sprintf(`document.querySelector(%q).focus(), true`, selector))
		key := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "Enter", Code: "Enter",
			Text: "\r", WindowsVirtualKeyCode: 13}
		for range 4 {
			if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, key); err != nil {
				p.t.Fatal(err)
			}
			key.AutoRepeat = new(true)
		}
		p.wait(allArmed)
		for range 4 { // even once the answer accepts a press
			if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, key); err != nil {
				p.t.Fatal(err)
			}
		}
	}},
	{"assistive click", func(p *tab, selector string) {
		eval[bool](p,
			fmt.Sprintf(`document.querySelector(%q).click(), document.activeElement.click(),
				document.getElementById("sure-yes").click(), true`, selector))
	}},
}

func (p *tab) mouse(kind input.DispatchMouseEventType, at point, count int64) {
	p.t.Helper()
	params := input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y, Button: input.MouseButtonLeft, Buttons: 1,
		ClickCount: count, PointerType: input.DispatchMouseEventPointerTypeMouse}
	if _, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, params); err != nil {
		p.t.Fatal(err)
	}
}

// TestBrowserDrawAsks checks that Draw asks for confirmation while a legal play is on the table. No double press gives
// the answer, which is away from Draw on every screen.
func TestBrowserDrawAsks(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	p.still()
	movers[0].lay(p, 0, "O10", "O11", "O12")
	p.wait(`document.getElementById("verdict").classList.contains("good")`)
	for _, slip := range slips {
		t.Run(slip.name, func(t *testing.T) {
			within(t, &p.t)
			p.wait(allArmed)
			slip.press(p, "#draw")
			p.wait(allArmed + ` && document.querySelector("#sure[open]")`)
			if turn := e.public().view(game).Turn.Number; turn != 1 {
				t.Fatalf("turn %d: the slip has drawn", turn)
			}
			p.tap("#sure-no")
			p.wait(`!document.querySelector("#sure[open]") && document.activeElement.id === "draw"`)
			p.wait(`document.querySelectorAll("#table .tile").length === 3 &&
				document.getElementById("verdict").classList.contains("good")`)
		})
	}
	for _, size := range [][2]int64{{1280, 800}, {800, 1280}, {1024, 600}, {768, 1024}, {390, 844}, {360, 640},
		{640, 360}, {320, 568}} {
		p.size(size[0], size[1])
		p.wait(fmt.Sprintf(`innerWidth === %d && !document.getElementById("draw").disabled`, size[0]))
		p.frame()
		eval[bool](p, `document.getElementById("draw").click(), true`)
		p.wait(`document.querySelector("#sure[open]")`)
		if near := eval[[]string](p, `["sure-yes", "sure-no"].filter((id) => {
			const [a, b] = [id, "draw"].map((key) => document.getElementById(key).getBoundingClientRect());
			return a.top < 0 || a.bottom > innerHeight || a.left < 0 || a.right > innerWidth || a.height < 44
				|| (a.left < b.right + 16 && b.left < a.right + 16 && a.top < b.bottom + 16 && b.top < a.bottom + 16);
		})`); len(near) > 0 {
			t.Errorf("%v: %q is out of sight, too small or at the key that asked", size, near)
		}
		for _, misfit := range eval[[]string](p, misfits) {
			t.Errorf("%v: %s", size, misfit)
		}
		p.picture(fmt.Sprintf("asks-%dx%d", size[0], size[1]))
		p.press("Escape")
		p.wait(`!document.querySelector("#sure[open]")`)
	}
	p.size(1280, 800)
	p.wait(`innerWidth === 1280`)
	p.tap("#draw")
	p.tap("#sure-yes")
	p.wait(passedTo15)
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}

// TestBrowserQuestionEndsWithItsTurn checks that a question closes when its turn ends, without losing the focus.
func TestBrowserQuestionEndsWithItsTurn(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	movers[0].lay(p, 0, "O10", "O11", "O12")
	p.tap("#draw")
	p.wait(`document.querySelector("#sure[open]")`)
	e.draw(0, game)
	p.wait(`document.getElementById("game").dataset.mine === "false" && !document.querySelector("#sure[open]")`)
	p.wait(`document.activeElement && document.activeElement !== document.body`)
	if n := e.public().view(game).Seats[0].Tiles; n != 15 {
		t.Errorf("%d tiles, want 15", n)
	}
}

// TestBrowserDoubleTapOnDraw double taps Draw. The bots play at once, so the second tap hits the player's next turn.
func TestBrowserDoubleTapOnDraw(t *testing.T) {
	b := startChromium(t)
	for _, gap := range slipGaps {
		e, game, p := playing(t, b, preparedRacks...)
		p.wait(armed("#draw"))
		at, first := p.middle("#draw"), time.Now()
		p.tapWhen(at, first)
		p.wait(`document.getElementById("game").dataset.mine === "false"`)
		for seat := 1; seat < 4; seat++ {
			e.draw(seat, game)
		}
		p.wait(`document.getElementById("game").dataset.mine === "true" && !document.getElementById("draw").disabled`)
		p.tapWhen(at, first.Add(gap))
		p.wait(allArmed)
		p.tap(inRack("K4"))
		p.wait(heldAre("K4"))
		if turn := e.public().view(game).Turn; turn.Number != 5 || turn.Seat != 0 {
			t.Errorf("%v: the second tap ended the next turn too: turn %d, seat %d", gap, turn.Number, turn.Seat)
		}
	}
}

// TestBrowserDoubleTapAtARealTable double taps End turn on a tablet that serves all seats. The second tap hits the next
// player's turn.
func TestBrowserDoubleTapAtARealTable(t *testing.T) {
	d := newPhysicalTable(t)
	p := d.p
	device := d.e.joinTable(1)
	d.e.start()
	p.seat(d.e.http.URL, device.token)
	p.open(d.e.http.URL + "/play/game")
	p.tap("[data-act=starter][data-seat='2']")
	d.says("#ready", d.name(2))
	p.wait(armed("#ready"))
	for i, gap := range slipGaps {
		key, seen := "#end-turn", fmt.Sprintf(`document.getElementById("game").dataset.turn === "%d"`, i+1)
		if i == 0 {
			key, seen = "#ready", `document.getElementById("end-turn")`
		}
		p.wait(allArmed)
		p.again(p.middle(key), time.Now(), gap, seen)
		p.wait(allArmed)
		if turn := d.e.public().view(d.game).Turn.Number; turn != i+1 {
			t.Fatalf("%s, %v: turn %d after one double tap, want %d", key, gap, turn, i+1)
		}
	}
	for _, slip := range slips {
		p.wait(allArmed)
		slip.press(p, "#out")
		p.wait(allArmed + ` && document.querySelector("#sure[open]")`)
		if counting := d.e.public().view(d.game).Counting; counting != "" {
			t.Fatalf("%s ended the game: %v", slip.name, counting)
		}
		p.tap("#sure-no")
		p.wait(`!document.querySelector("#sure[open]")`)
	}
}

// TestBrowserTapsTremble checks that a finger that slides by some px within one place counts as a tap.
func TestBrowserTapsTremble(t *testing.T) {
	b := startChromium(t)
	_, _, p := playing(t, b, preparedRacks...)
	p.still()
	for px := 6.0; px <= 10; px += 2 {
		p.tremble(inRack("O10"), px)
		p.wait(heldAre("O10"))
		p.tremble(inRack("O11"), px)
		p.wait(heldAre("O10 O11"))
		p.tremble(inRack("O11"), px)
		p.wait(heldAre("O10"))
		p.tremble(inRack("O11"), px)
		p.tremble(inRack("O12"), px)
		p.wait(heldAre("O10 O11 O12"))
		p.tremble("#table .cell:empty", px) // a tap on an empty place counts too
		p.wait(setsAre("O10 O11 O12"))
		p.tremble(`#table .tile[data-face="O11"]`, px)
		p.wait(heldAre("O11"))
		p.tremble(`#table .tile[data-face="O11"]`, px)
		p.wait(heldAre(""))
		p.tap("#reset")
		p.wait(setsAre())
	}
	p.drag(inRack("O10"), "#table .cell:empty") // a real drag still works
	p.wait(setsAre("O10"))
}

// tremble taps an element with a finger that slides by px in a random direction.
func (p *tab) tremble(selector string, px float64) {
	p.t.Helper()
	at := p.middle(selector)
	to := point{at.X + px*[]float64{1, -1}[rand.IntN(2)], at.Y}
	p.touch(input.DispatchTouchEventTypeTouchStart, &at)
	p.touch(input.DispatchTouchEventTypeTouchMove, &to)
	p.touch(input.DispatchTouchEventTypeTouchEnd, nil)
}

// fingers dispatches a touch event for some fingers, numbered in order.
func (p *tab) fingers(kind input.DispatchTouchEventType, at ...point) {
	p.t.Helper()
	params := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
	for i, a := range at {
		params.TouchPoints = append(params.TouchPoints, &input.TouchPoint{X: a.X, Y: a.Y, RadiusX: new(6.0),
			RadiusY: new(6.0), Force: new(1.0), ID: new(float64(i))})
	}
	if _, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, params); err != nil {
		p.t.Fatal(err)
	}
}

// beside taps a point while other fingers rest on the screen.
func (p *tab) beside(at point, resting ...point) {
	p.t.Helper()
	p.fingers(input.DispatchTouchEventTypeTouchStart, append(resting, at)...)
	p.up(len(resting), at)
}

// up lifts one finger.
func (p *tab) up(finger int, at point) {
	p.t.Helper()
	params := input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd,
		TouchPoints: []*input.TouchPoint{{X: at.X, Y: at.Y, ID: new(float64(finger))}}}
	if _, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, params); err != nil {
		p.t.Fatal(err)
	}
}

// TestBrowserARestingFinger checks that a resting finger does not stop others from playing, and that two fingers do not
// zoom.
func TestBrowserARestingFinger(t *testing.T) {
	b := startChromium(t)
	_, _, p := playing(t, b, preparedRacks...)
	p.still()
	for name, rest := range map[string]point{"the margin": {3, 400}, "the rack": p.middle(inRack("B1")),
		"a cell": p.middle("#table .cell:empty"), "a player": p.middle("#seat1")} {
		p.wait(allArmed)
		p.fingers(input.DispatchTouchEventTypeTouchStart, rest)
		// long enough not to be a tap
		rested := fmt.Sprintf("performance.now() > %v", eval[float64](p, "performance.now() + 700"))
		for _, face := range []string{"O10", "O11", "O12"} {
			p.beside(p.middle(inRack(face)), rest)
		}
		p.wait(heldAre("O10 O11 O12"))
		p.beside(p.middle("#table .lane:nth-child(2) .cell:nth-child(6)"), rest)
		p.wait(setsAre("O10 O11 O12"))
		from, to := p.middle(inRack("O13")), p.middle("#table .lane:nth-child(2) .cell:nth-child(6)")
		p.fingers(input.DispatchTouchEventTypeTouchStart, rest, from)
		for i := 1.0; i <= 6; i++ {
			p.fingers(input.DispatchTouchEventTypeTouchMove, rest,
				point{from.X + (to.X-from.X)*i/6, from.Y + (to.Y-from.Y)*i/6})
			p.frame()
		}
		p.up(1, to)
		p.wait(`document.querySelector("#table .tile[data-face=O13]")`)
		p.beside(p.middle("#reset"), rest)
		p.wait(setsAre())
		p.beside(p.middle("#settings"), rest)
		p.wait(`document.getElementById("settings-sheet").open`)
		p.beside(p.middle("#settings-close"), rest)
		p.wait(`!document.getElementById("settings-sheet").open`)
		p.wait(rested)
		p.up(0, rest)
		if scale := eval[float64](p, "visualViewport.scale"); scale != 1 {
			t.Fatalf("with a finger on %s the page zoomed by %v", name, scale)
		}
	}
	from := p.middle(inRack("O13"))
	p.fingers(input.DispatchTouchEventTypeTouchStart, from)
	a, c := point{from.X, from.Y - 60}, point{from.X + 40, from.Y - 200}
	p.fingers(input.DispatchTouchEventTypeTouchMove, a)
	p.wait(`document.querySelector(".ghost")`)
	p.fingers(input.DispatchTouchEventTypeTouchStart, a, c)
	for i := 1.0; i <= 6; i++ {
		p.fingers(input.DispatchTouchEventTypeTouchMove, point{a.X - 20*i, a.Y + 5*i}, point{c.X + 20*i, c.Y - 10*i})
		p.frame()
	}
	if scale := eval[float64](p, "visualViewport.scale"); scale != 1 ||
		!eval[bool](p, `!!document.querySelector(".ghost")`) {
		t.Errorf("a second finger zoomed by %v, or ended the drag", scale)
	}
	p.fingers(input.DispatchTouchEventTypeTouchEnd)
}

// TestBrowserHoldIsSlowAndOptional checks that a finger that stays takes the rest of a set after 700 ms, and only if
// the setting is on.
func TestBrowserHoldIsSlowAndOptional(t *testing.T) {
	b := startChromium(t)
	_, _, p := playing(t, b, preparedRacks...)
	p.still()
	p.tap(inRack("O10"), inRack("O11"), inRack("O12"), inRack("O13"), "#table .cell:empty")
	p.wait(setsAre("O10 O11 O12 O13"))
	at := p.middle(`#table .tile[data-face="O11"]`)
	eval[float64](p,
		`new Promise((done) => {
			addEventListener("pointerdown", () => window.down = performance.now(), { once: true, capture: true });
			done(0);
		})`)
	p.touch(input.DispatchTouchEventTypeTouchStart, &at)
	took := eval[float64](p,
		`new Promise((done) => {
			const held = () => document.querySelectorAll(".tile.held").length;
			const look = () => held() > 1 ? done(performance.now() - window.down) : requestAnimationFrame(look);
			look();
		})`)
	p.touch(input.DispatchTouchEventTypeTouchEnd, nil)
	if took < 695 {
		t.Errorf("a finger that stays %.0f ms takes the rest of the set", took)
	}
	p.tap("#undo", "#settings")
	p.tap(p.reach("#settings-sheet label:has([name=set-press][value='0'])"), "#settings-close")
	p.wait(`!document.getElementById("settings-sheet").open`)
	p.touch(input.DispatchTouchEventTypeTouchStart, &at)
	eval[bool](p,
		`new Promise((done) => {
			const end = performance.now() + 1200;
			const look = () => performance.now() > end ? done(true) : requestAnimationFrame(look);
			look();
		})`)
	p.touch(input.DispatchTouchEventTypeTouchEnd, nil)
	p.wait(heldAre("O11")) // a long tap
	p.reload()
	p.wait(`document.querySelector("#hand-words[data-hand*='\"press\":0']")`)
}
