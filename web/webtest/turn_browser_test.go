package webtest

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"meldhall/engine"
)

// wrongDate sets the device's date ten days ahead and runs it backwards, because a tablet's clock may be wrong.
const wrongDate = `(() => {
	const real = Date, started = real.now(), wrong = () => started + 864e6 - (real.now() - started);
	globalThis.Date = class extends real { constructor(...a) { if (a.length) super(...a); else super(wrong()); } static now() { return wrong(); } };
})()`

// countSounds counts tones and vibrations.
const countSounds = `globalThis.heard = { tones: 0, buzzes: 0 };
	const make = BaseAudioContext.prototype.createOscillator;
	BaseAudioContext.prototype.createOscillator = function () { heard.tones++; return make.call(this); };
	Navigator.prototype.vibrate = () => { heard.buzzes++; return true; };`

// countShifts records layout shifts: parts of the table, the rack's frame, the head and the keys that move without
// being moved.
const countShifts = `globalThis.shifts = []; globalThis.shifted = 0;
	new PerformanceObserver((list) => {
		for (const e of list.getEntries()) {
			shifted += e.value;
			for (const s of e.sources) {
				const el = s.node?.nodeType === 1 ? s.node : s.node?.parentElement;
				// another number in the same box
				const same = JSON.stringify(s.previousRect) === JSON.stringify(s.currentRect);
				if (!el || same || el.closest(".tile, .tag, .flight, .ghost")) continue;
				if (el.matches("#clock, .seat") || el.closest("#table, .well, .key, .ring")) shifts.push((el.id || el.className) + " " + JSON.stringify(s.previousRect) + " to " + JSON.stringify(s.currentRect));
			}
		}
	}).observe({ type: "layout-shift", buffered: true });`

// leave deducts time from the current turn until this many seconds are left.
func (e *event) leave(game int64, seconds engine.Millis) {
	e.t.Helper()
	view := e.public().view(game)
	take := (view.Turn.Due-view.Now)/1000 - seconds
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/time", game),
		map[string]any{"seconds": -take, "reason": "test", "key": e.key()}, nil)
}

// sampleClock compares the displayed clock with the time until the deadline in every frame, using the machine's
// monotonic clock, which matches the server's. The number n is right while (n-1, n] seconds are left. It ignores frames
// more than 100 ms after the previous one, because those are the machine's delay.
const sampleClock = `new Promise((done) => {
	const errors = [], until = performance.now() + 3200;
	let before = performance.now();
	const look = (frame) => {
		const gap = frame - before;
		before = frame;
		const clock = document.getElementById("clock"), n = Number(clock.querySelector(".digits").textContent);
		const left = Number(clock.dataset.due) - (performance.timeOrigin + performance.now());
		if (left > 0 && gap <= 100) errors.push(Math.max(0, left - 1000 * n, 1000 * (n - 1) - left));
		if (performance.now() < until) requestAnimationFrame(look); else done(errors);
	};
	requestAnimationFrame(look);
})`

// onWrongDate returns a tab of seat 0 in its first turn, on a device with a wrong date.
func onWrongDate(t *testing.T, b *chromium) (*event, int64, *tab) {
	t.Helper()
	e, game := newPreparedTable(t, preparedRacks...)
	e.start()
	e.readyBut(0, game)
	p := b.tab(t, 1280, 800)
	p.atStart(wrongDate)
	p.atStart(countSounds)
	p.seat(e.http.URL, e.at(0, 0).token)
	p.open(e.http.URL + "/play/game")
	p.wait(myTurn)
	return e, game, p
}

// TestBrowserClock checks that the clock is accurate to 100 ms, whatever the device's date.
func TestBrowserClock(t *testing.T) {
	_, _, p := onWrongDate(t, startChromiumAlone(t))
	if eval[bool](p, `Math.abs(Date.now() - performance.timeOrigin - performance.now()) < 1e8`) {
		t.Fatal("the date is not wrong: nothing is tested")
	}
	var p95 float64
	for range 5 { // a busy machine is sometimes late, a wrong clock always
		errors := eval[[]float64](p, sampleClock)
		if len(errors) < 20 {
			continue
		}
		slices.Sort(errors)
		p95 = errors[len(errors)*95/100]
		t.Logf("%d samples: error p50 %.1f ms, p95 %.1f ms, most %.1f ms", len(errors), errors[len(errors)/2], p95,
			errors[len(errors)-1])
		if p95 <= 100 {
			return
		}
	}
	t.Errorf("error p95 %.1f ms, want at most 100, with 20 samples at least", p95)
}

func TestBrowserClockWarns(t *testing.T) {
	e, game, p := onWrongDate(t, startChromium(t))
	t.Run("at 30, 10 and 5 s size, frame, tone and vibration change, at 10 and 5 s sign and words, and nothing else moves", func(t *testing.T) {
		within(t, &p.t, &e.t)
		p.tap("#by-colour") // browsers allow sound only after a touch
		type face struct {
			Size        float64
			Sign, Words string
			Box, Frame  string
			Tones       int
			Buzzes      int
		}
		look := func() face {
			return eval[face](p, `(() => { const clock = document.getElementById("clock"), digits = clock.querySelector(".digits"), box = clock.getBoundingClientRect(), frame = getComputedStyle(document.querySelector(".well"));
				return { Size: digits.getBoundingClientRect().height, Sign: getComputedStyle(digits, "::before").content, Words: clock.querySelector(".face small").innerText.trim(),
					Frame: frame.outlineStyle + " " + frame.outlineWidth, Box: [box.x, box.y, box.width, box.height].join(" "), Tones: heard.tones, Buzzes: heard.buzzes }; })()`)
		}
		calm := look()
		e.leave(game, 29)
		p.wait(`document.getElementById("clock").classList.contains("soon")`)
		soon := look()
		p.picture("soon")
		e.leave(game, 9)
		p.wait(`document.getElementById("clock").classList.contains("low")`)
		low := look()
		p.picture("low")
		e.leave(game, 4)
		p.wait(`document.getElementById("clock").classList.contains("last")`)
		last := look()
		p.picture("last")
		if frames := []string{calm.Frame, soon.Frame, low.Frame, last.Frame}; !slices.Equal(frames,
			[]string{"solid 3px", "solid 5px", "double 7px", "dashed 9px"}) {
			t.Errorf("the frame is %q", frames)
		}
		if soon.Size <= calm.Size || low.Size <= soon.Size || last.Size <= low.Size || calm.Sign == low.Sign ||
			low.Sign == last.Sign || calm.Words == low.Words {
			t.Errorf("calm %+v, low %+v, last %+v: want other sizes, signs and words", calm, low, last)
		}
		if calm.Box != soon.Box || calm.Box != low.Box || low.Box != last.Box {
			t.Errorf("the clock's box is %s, %s, %s: it shall not grow", calm.Box, low.Box, last.Box)
		}
		tones, buzzes := []int{calm.Tones, soon.Tones, low.Tones, last.Tones}, []int{soon.Buzzes, low.Buzzes, last.Buzzes}
		if !slices.Equal(tones, []int{0, 1, 2, 4}) || !slices.Equal(buzzes, []int{1, 2, 3}) {
			t.Errorf("got %v tones and %v vibrations", tones, buzzes)
		}
		p.wait(`document.getElementById("last").textContent.includes("Time’s up")`)
	})
	t.Run("sound, vibration and the frame can be switched off, and stay so", func(t *testing.T) {
		within(t, &p.t, &e.t)
		before := eval[[]int](p, `[heard.tones, heard.buzzes]`)
		for seat := 1; seat < 4; seat++ {
			e.draw(seat, game)
		}
		p.wait(`document.getElementById("game").dataset.mine === "true"`)
		if got := eval[[]int](p, `[heard.tones, heard.buzzes]`); got[0] != before[0]+2 || got[1] != before[1]+1 {
			t.Errorf("the own turn begins with %d tones and %d vibrations, want 2 and 1", got[0]-before[0],
				got[1]-before[1])
		}
		p.tap("#settings")
		p.wait(`document.getElementById("settings-sheet").open`)
		p.tap(`input[name="set-sound"]`, `input[name="set-buzz"]`, `input[name="set-light"]`)
		p.wait(`document.documentElement.dataset.sound === "off" && document.documentElement.dataset.buzz === "off"`)
		p.reload()
		p.wait(`document.documentElement.dataset.sound === "off" &&
			document.getElementById("link").classList.contains("live")`)
		p.tap("#by-number")
		e.leave(game, 4)
		p.wait(`document.getElementById("clock").classList.contains("last")`)
		if got := eval[[]int](p, `[heard.tones, heard.buzzes]`); got[0] != 0 || got[1] != 0 {
			t.Errorf("got %d tones and %d vibrations, want none", got[0], got[1])
		}
		if frame := eval[string](p, `getComputedStyle(document.querySelector(".well")).outlineStyle`); frame != "none" {
			t.Errorf("the frame is %s", frame)
		}
	})
}

// TestBrowserFirstTurn checks that a player who is ready last and begins sees that it is their turn.
func TestBrowserFirstTurn(t *testing.T) {
	b := startChromium(t)
	e, game := newPreparedTable(t, preparedRacks...)
	e.start()
	e.readyBut(1, game)
	p := b.tab(t, 1280, 800)
	p.still()
	p.seat(e.http.URL, e.at(0, 0).token)
	p.open(e.http.URL + "/play/game")
	p.wait(`document.getElementById("link").classList.contains("live") && document.getElementById("ready")`)
	p.tap("#ready")
	p.wait(`document.getElementById("game").dataset.mine === "true"`)
	p.wait(`!document.getElementById("verdict").classList.contains("sent")`)
	if got := eval[string](p,
		`document.getElementById("verdict").textContent`); got != "Your turn: open with 30 points or draw." {
		t.Errorf("the first own turn says %q", got)
	}
}

func TestBrowserNothingShifts(t *testing.T) {
	b := startChromium(t)
	for _, screen := range [][2]int64{{1280, 800}, {800, 1280}} {
		t.Run(fmt.Sprintf("%d x %d", screen[0], screen[1]), func(t *testing.T) {
			e, game := newPreparedTable(t, preparedRacks...)
			e.start()
			e.readyBut(0, game)
			p := b.tab(t, screen[0], screen[1])
			p.atStart(countShifts)
			p.seat(e.http.URL, e.at(0, 0).token)
			p.open(e.http.URL + "/play/game")
			p.wait(`document.getElementById("game").dataset.mine === "true" &&
				document.getElementById("link").classList.contains("live") && document.fonts.status === "loaded"`)
			// the page has settled; now play
			eval[bool](p, `new Promise((done) => setTimeout(() => { shifts.length = shifted = 0; done(true); }, 100))`)
			movers[0].lay(p, 0, "O10", "O11", "O12")
			movers[0].lay(p, 13, "K4", "K5", "K6")
			p.tap("#undo")
			movers[0].lay(p, 13, "K4", "K5", "K6")
			p.wait(`document.getElementById("verdict").classList.contains("good") &&
				!document.getElementById("play").disabled`)
			endTurn(p, movers[0], 8)
			e.play(1, game, 39, "R9 R10 J R12")
			p.wait(`document.querySelectorAll("#table .tile.new").length === 4 &&
				!document.getElementById("again").hidden`)
			e.play(2, game, 52, "B8 B9 B10 B11 B12")
			e.draw(3, game)
			p.wait(`document.getElementById("game").dataset.mine === "true"`)
			movers[0].lay(p, freeCell(p, 3), "B1")
			e.leave(game, 8)
			p.wait(`document.getElementById("clock").classList.contains("low")`)
			e.leave(game, 3)
			p.wait(`document.getElementById("clock").classList.contains("last")`)
			p.wait(`document.getElementById("last").textContent.includes("Time’s up")`)
			e.draw(1, game)
			p.wait(`document.getElementById("seat2").classList.contains("turn")`)
			p.wait(`!document.querySelector(".flight")`)
			if moved := eval[[]string](p, `shifts`); len(moved) > 0 {
				t.Errorf("%d parts of the screen moved by themselves: %q", len(moved), moved[:min(len(moved), 6)])
			}
			t.Logf("layout shift of everything, tiles that others moved among it: %.4f", eval[float64](p, `shifted`))
		})
	}
}

// flown returns the longest time that running tile animations take from start to end, including delays.
const flown = `Math.max(0, ...document.getAnimations().filter((a) => a.effect.target?.matches?.(".flight .tile")).map((a) => a.effect.getComputedTiming().endTime))`

func TestBrowserTilesGlide(t *testing.T) {
	b, address := startChromium(t), stage(t)
	p := b.tab(t, 1280, 800)
	show := func(t *testing.T) {
		within(t, &p.t)
		p.open(address + "/stage?rack=40&table=106")
		p.wait(`document.readyState === "complete" && document.fonts.status === "loaded" &&
			document.documentElement.dataset.table === "whole"`)
	}
	t.Run("for 200 ms at most, above everything, while keys and tiles hear at once", func(t *testing.T) {
		show(t)
		before := p.layouts()
		// read when the click is handled: a slow machine may show no frame before the tiles have arrived
		eval[any](p, `addEventListener("click", () => (window.flew = `+flown+`), { once: true }) && 0`)
		p.tap("#by-number")
		p.wait(`window.flew !== undefined`)
		if got := eval[float64](p, `window.flew`); got <= 0 || got > 200 {
			t.Errorf("tiles glide for %v ms, want more than 0 and 200 at most", got)
		}
		if blocked := eval[bool](p,
			`!!document.querySelector(".flight") && getComputedStyle(document.querySelector(".flight .tile")).pointerEvents !== "none"`); blocked {
			t.Error("gliding tiles can be touched")
		}
		gone := eval[int](p, `new Promise((done) => {
			document.getElementById("by-colour").click();
			let most = 0, frames = 0;
			const look = () => {
				const hidden = [...document.querySelectorAll("#rack .tile")].filter((el) => getComputedStyle(el).opacity === "0").length;
				most = Math.max(most, hidden - document.querySelectorAll(".flight .tile").length);
				document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
				if (++frames === 3) document.getElementById("by-number").click();
				if (frames < 40) requestAnimationFrame(look); else done(most);
			};
			requestAnimationFrame(look);
		})`)
		if gone > 0 {
			t.Errorf("%d tiles were neither in their place nor gliding", gone)
		}
		p.tap("#by-colour", `#rack .slot:has(.tile)`)
		p.wait(`document.querySelectorAll("#rack .tile.held").length === 1`)
		p.wait(`!document.querySelector(".flight .tile")`)
		if got := p.layouts() - before; got > 40 {
			t.Errorf("the browser laid the page out %v times for three moves of 40 tiles: boxes are read between writes", got)
		} else {
			t.Logf("%v layouts for three moves of 40 tiles", got)
		}
	})
	t.Run("and not at all for who asked for less motion", func(t *testing.T) {
		within(t, &p.t)
		p.still()
		show(t)
		p.tap("#by-number")
		if got := eval[float64](p, flown); got != 0 || eval[bool](p, `!!document.querySelector(".flight")`) {
			t.Errorf("tiles glide for %v ms", got)
		}
	})
}

func TestBrowserRummikub(t *testing.T) {
	b := startChromium(t)
	e, game := newPreparedTable(t, "O10 O11 O12 O13 K4 K5 K6 K7 B1 R1 O1 R11 K11 B11")
	e.start()
	e.readyBut(0, game)
	open := func(seat int) *tab {
		p := b.tab(t, 1280, 800)
		p.atStart(`addEventListener("DOMContentLoaded", () => { globalThis.alarms = []; new MutationObserver(() => alarms.push(document.getElementById("alarm").textContent)).observe(document.getElementById("alarm"), { childList: true }); })`)
		p.seat(e.http.URL, e.at(0, seat).token)
		p.open(e.http.URL + "/play/game")
		p.wait(`document.getElementById("link").classList.contains("live") &&
			document.querySelectorAll("#rack .tile").length === 14`)
		return p
	}
	winner, other := open(0), open(1)
	other.still()
	for at, tiles := range map[int][]string{0: {"O10", "O11", "O12", "O13"}, 13: {"K4", "K5", "K6", "K7"},
		26: {"B1", "R1", "O1"}, 5: {"R11", "K11", "B11"}} {
		movers[0].lay(winner, at, tiles...)
	}
	winner.wait(`document.getElementById("verdict").classList.contains("good") &&
		!document.getElementById("play").disabled`)
	winner.tap("#play")
	for seat, p := range []*tab{winner, other} {
		p.wait(`document.querySelector(".rummikub:not([hidden]) .moment-word")?.textContent === "Rummikub!"`)
		p.picture(fmt.Sprintf("seat-%d", seat))
	}
	if got := eval[int](other,
		`document.getAnimations().filter((a) => a.effect.target?.closest?.(".rummikub")).length`); got != 0 {
		t.Errorf("%d animations for who asked for less motion", got)
	}
	other.tap(".rummikub")
	other.wait(`document.getElementById("moment").hidden`)
	winner.wait(`document.getElementById("moment").hidden && document.getElementById("result-title")`)
	for _, p := range []*tab{winner, other} {
		if got := eval[int](p, `alarms.filter((a) => a.includes("Rummikub!")).length`); got != 1 {
			t.Errorf("announced %d times, want once: %q", got, eval[[]string](p, `alarms`))
		}
	}
	winner.reload()
	winner.wait(`document.getElementById("result-title")`)
	if !eval[bool](winner, `document.getElementById("moment").hidden`) {
		t.Error("a reload brings the moment back")
	}
}

func TestBrowserSettings(t *testing.T) {
	b := startChromium(t)
	axe, err := os.ReadFile(filepath.Join("testdata", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	e, game, p := playing(t, b, preparedRacks...)
	movers[0].lay(p, 0, "O10", "O11", "O12")
	eval[bool](p, `document.getElementById("settings").focus(), document.getElementById("settings").click(), true`)
	p.wait(`document.getElementById("settings-sheet").open && document.activeElement.closest("#settings-sheet")`)
	p.picture("sheet")
	eval[bool](p, string(axe)+";true")
	for _, violation := range eval[[]string](p, `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
		.then((r) => r.violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + n.failureSummary).join(" | ")))`) {
		t.Error(violation)
	}
	small := eval[float64](p,
		`parseFloat(getComputedStyle(document.querySelector("#rack .tile:not(.J)"), "::after").width)`)
	p.tap(`input[name="set-shapes"]`)
	p.tap(p.reach(`input[name="set-sort"][value="number"]`))
	p.wait(fmt.Sprintf(`parseFloat(getComputedStyle(document.querySelector("#rack .tile:not(.J)"), "::after").width) > 1.3 * %v`, small))
	p.wait(`document.querySelector("#rack .tile").dataset.face.slice(1) === "1"`)
	p.tap(p.reach(`#settings-look [value="light"]`))
	p.wait(`document.documentElement.dataset.theme === "light"`)
	e.draw(0, game) // an update of the page leaves the sheet open
	p.wait(`document.getElementById("game").dataset.mine === "false"`)
	if !eval[bool](p, `document.getElementById("settings-sheet").open`) {
		t.Error("an update closes the sheet")
	}
	eval[bool](p, `document.getElementById("settings-sheet").requestClose?.(), true`)
	p.wait(`!document.getElementById("settings-sheet").open && document.activeElement.id === "settings"`)
	p.reload()
	p.wait(`document.documentElement.dataset.theme === "light" && document.documentElement.dataset.shapes === "large"`)
	p.tap("#settings")
	p.wait(`document.getElementById("settings-sheet").open && document.querySelector("input[name=set-shapes]").checked`)
	eval[bool](p, `document.querySelector('#settings-look [value="it"]').scrollIntoView(), true`)
	p.tap(`#settings-look [value="it"]`)
	p.wait(`document.documentElement.lang === "it" && document.getElementById("undo")?.innerText.includes("Annulla")`)
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}
