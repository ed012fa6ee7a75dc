package webtest

import (
	"strconv"
	"strings"
	"testing"
)

// eightyTiles lays 80 tiles on a page's table as the server would render them and lets the scripts read it.
const eightyTiles = `(() => {
	const model = document.querySelector("#rack .tile"), sets = [];
	for (let n = 0; n < 80; n++) {
		if (n % 5 === 0) sets.push(Object.assign(document.createElement("div"), { className: "set" }));
		sets.at(-1).dataset.at ??= Math.floor(n / 10) * 13 + n % 10 + (n % 10 > 4 ? 1 : 0);
		const tile = model.cloneNode(true);
		tile.dataset.face = "KRBO"[n % 4] + (n % 13 + 1);
		sets.at(-1).append(tile);
	}
	document.getElementById("table").replaceChildren(...sets);
	document.getElementById("live").dispatchEvent(new CustomEvent("htmx:after:swap"));
	return document.querySelectorAll("#table .tile").length;
})()`

// finger gives a page a finger that scripts can move.
const finger = `
	HTMLElement.prototype.setPointerCapture = () => {};
	const fire = (kind, el, x, y) => el.dispatchEvent(new PointerEvent(kind, { bubbles: true, isPrimary: true, pointerId: 1, pointerType: "pen", button: 0, buttons: 1, clientX: x, clientY: y }));
	const middle = (id) => { const el = document.getElementById(id), box = el.getBoundingClientRect(); return [el, box.left + box.width / 2, box.top + box.height / 2]; };
	const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
	const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
`

// TestBrowserDrawsQuickly measures scripts, styles and layout with 80 tiles on the table, for a tap, which redraws the
// whole tablet, and for a drag step. It measures processor time, which does not depend on the machine's load, and
// wall-clock time with a processor slowed four times. The bound is wide enough for the slowest machine; laying the
// table out again from its tiles took 70 ms.
func TestBrowserDrawsQuickly(t *testing.T) {
	b := startChromiumAlone(t)
	_, _, p := playing(t, b, preparedRacks...)
	if n := eval[int](p, eightyTiles); n != 80 {
		t.Fatalf("%d tiles lie out", n)
	}
	const taps, moves = 20, 40
	tap := `(async () => {` + finger + `
		const times = [];
		for (let i = 0; i < COUNT; i++) { // in the hand, and down again
			const at = middle("c" + (i % 4));
			await frame();
			fire("pointerdown", ...at);
			const began = performance.now();
			fire("pointerup", ...at);
			times.push(performance.now() - began);
			document.getElementById("live").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
		}
		return median(times);
	})()`
	drag := `(async () => {` + finger + `
		const [el, x, y] = middle("c2"), times = [];
		fire("pointerdown", el, x, y);
		fire("pointermove", el, x + 20, y + 5);
		await frame();
		for (let i = 0; i < COUNT; i++) {
			const began = performance.now();
			fire("pointermove", el, x + 20 + 9 * i, y + 5 + 4 * i);
			times.push(performance.now() - began);
			await frame();
		}
		fire("pointercancel", el, x, y);
		return median(times);
	})()`
	measure := func(script string, count int) (processor, clock float64) {
		before := p.spent()
		eval[float64](p, strings.ReplaceAll(script, "COUNT", strconv.Itoa(count)))
		processor = (p.spent() - before) / float64(count)
		p.slow(4)
		defer p.slow(1)
		return processor, eval[float64](p, strings.ReplaceAll(script, "COUNT", strconv.Itoa(count/4)))
	}
	tapped, tapClock := measure(tap, taps)
	moved, moveClock := measure(drag, moves)
	tapped /= 2 // each tap is drawn twice: taking and putting down
	t.Logf("80 tiles on the table: a tap draws in %.1f ms of the processor, a move of a drag takes %.2f ms", tapped,
		moved)
	t.Logf("by the clock of a processor slowed 4 times: %.1f ms and %.2f ms", tapClock, moveClock)
	if tapped <= 0 || moved <= 0 || tapped > 40 || moved > 5 {
		t.Errorf("got %.1f ms for a tap, at most 40, and %.2f for a move, at most 5", tapped, moved)
	}
	if n := eval[int](p, `document.querySelectorAll("#table .tile").length`); n != 80 {
		t.Errorf("%d tiles lie out afterwards", n)
	}
}
