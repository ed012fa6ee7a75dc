package webtest

import (
	"math"
	"strconv"
	"time"

	"github.com/chromedp/cdproto/input"
)

type point struct{ X, Y float64 }

// middle returns the middle of the element that a selector matches. The element must be visible and uncovered.
func (p *tab) middle(selector string) point {
	p.t.Helper()
	at := eval[*point](p, `(() => {
		const el = document.querySelector(`+strconv.Quote(selector)+`);
		if (!el) return null;
		const box = el.getBoundingClientRect(), X = box.left + box.width / 2, Y = box.top + box.height / 2;
		const top = document.elementFromPoint(X, Y);
		return top && (el.contains(top) || top.contains(el)) ? { X, Y } : null;
	})()`)
	if at == nil {
		p.picture("failed")
		p.t.Fatalf("%s is not there to be touched\n%s", selector,
			eval[string](p, "document.body.innerText.slice(0, 900)"))
	}
	return *at
}

// armed returns an expression that is true once a key accepts a press. Keys with data-ends ignore input at first.
func armed(selector string) string {
	return `!document.querySelector(` + strconv.Quote(selector) + `)?.closest("[data-fresh]")`
}

// tap touches elements in turn and lifts the finger.
func (p *tab) tap(selectors ...string) {
	p.t.Helper()
	for _, selector := range selectors {
		if eval[bool](p,
			`!!document.querySelector(`+strconv.Quote(selector)+`)?.closest("#table, #rack, .swap-seat")`) {
			p.tapAt(p.middle(selector)) // here a finger that stays is no tap
			continue
		}
		p.wait(armed(selector))
		if p.ctx == nil { // the other browsers cannot cancel a touch
			p.tapAt(p.middle(selector))
			continue
		}
		for tries := 0; p.missed(selector); tries++ {
			if tries == 50 {
				p.t.Fatalf("%s cannot be tapped", selector)
			}
		}
		p.taps++
	}
}

// missed taps an element and reports whether the tap failed. It cancels the touch if the page moved another element
// there before the finger was down, as an update may, or if the test was delayed so long that the tap would become a
// long press.
func (p *tab) missed(selector string) bool {
	p.t.Helper()
	eval[bool](p, `window.touched = null, window.clicked = false,
		addEventListener("pointerdown", (e) => { window.touched = e.target; }, { capture: true, once: true }),
		addEventListener("click", () => { window.clicked = true; }, { capture: true, once: true }), true`)
	at, began := p.middle(selector), time.Now()
	p.touch(input.DispatchTouchEventTypeTouchStart, &at)
	another := eval[bool](p,
		`(() => { const el = document.querySelector(`+strconv.Quote(selector)+`), at = window.touched; return !!el &&
			!!at && !el.contains(at) && !at.contains(el); })()`)
	if another || time.Since(began) > 300*time.Millisecond {
		p.touch(input.DispatchTouchEventTypeTouchCancel, nil)
		return true
	}
	p.touch(input.DispatchTouchEventTypeTouchEnd, nil)
	return !p.clicked()
}

// clicked waits for the result of a tap on an official's page: a click or another page. A busy browser may treat the
// tap as a long press, which gives neither. On other pages keys act when the finger is lifted, with or without a click.
func (p *tab) clicked() bool {
	missed, err := p.remote.evaluate(`new Promise((done) => {
		if (window.clicked !== false || !/^\/(referee|desk)\//.test(location.pathname)) return done(false);
		addEventListener("click", () => done(false), { capture: true, once: true });
		setTimeout(() => done(true), 1500);
	})`)
	if err != nil || string(missed) != "true" { // the evaluation fails if the page closes
		return true
	}
	p.t.Log("a tap was taken for something else")
	return false
}

// tapAt touches a point of the screen and lifts the finger without waiting for the page to handle the touch. On a busy
// machine the test may be delayed between the two, and a finger that stays is no tap.
func (p *tab) tapAt(at point) { p.tapWhen(at, time.Now()) }

// tapWhen is tapAt with the touch's own time stamps, which the page uses.
func (p *tab) tapWhen(at point, when time.Time) {
	p.t.Helper()
	p.must(p.remote.tap(at, when))
	p.taps++
}

// frame waits for the page's next frame.
func (p *tab) frame() {
	p.t.Helper()
	eval[bool](p, `new Promise((done) => requestAnimationFrame(() => done(true)))`)
}

// drag moves a finger from one element to another in steps, about 60 a second, as a hand does.
func (p *tab) drag(from, to string) {
	p.t.Helper()
	a, b := p.middle(from), p.middle(to)
	p.touch(input.DispatchTouchEventTypeTouchStart, &a)
	const steps = 8
	for i := 1.0; i <= steps; i++ {
		p.touch(input.DispatchTouchEventTypeTouchMove, &point{a.X + (b.X-a.X)*i/steps, a.Y + (b.Y-a.Y)*i/steps})
		p.frame()
	}
	p.touch(input.DispatchTouchEventTypeTouchEnd, nil)
	p.drags++
}

// swipe moves a finger over an element by dx and dy px and lifts it.
func (p *tab) swipe(selector string, dx, dy float64) {
	p.t.Helper()
	at := p.middle(selector)
	p.touch(input.DispatchTouchEventTypeTouchStart, &at)
	for i := 1.0; i <= 8; i++ {
		p.touch(input.DispatchTouchEventTypeTouchMove, &point{at.X + dx*i/8, at.Y + dy*i/8})
	}
	p.touch(input.DispatchTouchEventTypeTouchEnd, nil)
}

// hold keeps a finger on an element until a condition holds. It then lifts the finger, after moving it to another
// element if one is given.
func (p *tab) hold(selector, until, to string) {
	p.t.Helper()
	a := p.middle(selector)
	p.touch(input.DispatchTouchEventTypeTouchStart, &a)
	p.wait(until)
	if to != "" {
		b := p.middle(to)
		for i := 1.0; i <= 4; i++ {
			p.touch(input.DispatchTouchEventTypeTouchMove, &point{a.X + (b.X-a.X)*i/4, a.Y + (b.Y-a.Y)*i/4})
		}
		p.drags++
	}
	p.touch(input.DispatchTouchEventTypeTouchEnd, nil)
}

// wander moves a finger from one element to another on a long path, about one step per frame.
func (p *tab) wander(from, to string, steps int) {
	p.t.Helper()
	a, b := p.middle(from), p.middle(to)
	p.touch(input.DispatchTouchEventTypeTouchStart, &a)
	for i := 1; i <= steps; i++ {
		part := float64(i) / float64(steps)
		swing := math.Sin(part*2*math.Pi) * 90
		p.touch(input.DispatchTouchEventTypeTouchMove, &point{a.X + (b.X-a.X)*part + swing, a.Y +
			(b.Y-a.Y)*part - math.Abs(swing)/2})
		p.frame()
	}
	p.touch(input.DispatchTouchEventTypeTouchEnd, nil)
	p.drags++
}

func (p *tab) touch(kind input.DispatchTouchEventType, at *point) {
	p.t.Helper()
	p.must(p.remote.touch(kind, at, time.Now()))
}
