package webtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/score"
	"meldhall/web/api"
)

// rescored gives the players of table 1 other points, correcting revision rev of its result.
func (e *event) rescored(rev int, points ...int) {
	e.t.Helper()
	lines := make([]api.CorrectLine, len(points))
	for seat, n := range points {
		lines[seat] = api.CorrectLine{Seat: seat, Points: score.Whole(n), Opened: true}
	}
	lines[slices.Index(points, slices.Max(points))].Wins = score.Whole(1)
	e.organizer.must("POST", fmt.Sprintf("/games/%d/correct", e.round.Tables[0].Games[0].ID),
		fields{"rev": rev, "why": "counted once more", "lines": lines}, nil)
}

// rowTop returns the top of a player's row on the screen.
const rowTop = `document.querySelector('#ranks [data-name="%s"]').getBoundingClientRect().top`

// TestBrowserTheRowBeingReadStays checks that when the standings change, the row in the middle of a scrolled list or
// the focused row keeps its place on the screen, and the focus stays with its player. At the top of the page the scroll
// position stays. Other rows glide, unless the reader prefers reduced motion.
func TestBrowserTheRowBeingReadStays(t *testing.T) {
	b, e := startChromium(t), holdable(t)
	e.scores()
	seats := e.round.Tables[0].Seats
	name := func(seat int) string { return seats[seat].Player.Name }
	p := b.tab(t, 320, 480)
	p.still()
	p.open(fmt.Sprintf("%s/events/%d", e.http.URL, e.id))
	p.wait(isLive)
	first := `document.querySelector("#ranks tbody tr").dataset.name`
	p.wait(fmt.Sprintf(`%s === %q`, first, name(0)))
	// in the middle of the list: the reader views the table's last player, who moves up by one place
	eval[bool](p, fmt.Sprintf(`document.querySelector("main").style.paddingBottom = "600px",
		scrollBy({ top: `+rowTop+` - 185, behavior: "instant" }), true`, name(2)))
	was := eval[float64](p, fmt.Sprintf(rowTop, name(2)))
	e.rescored(3, -900, -539, -743, -421)
	p.wait(fmt.Sprintf(`%s === %q`, first, name(3)))
	settled(p)
	if now := eval[float64](p, fmt.Sprintf(rowTop, name(2))); now < was-2 || now > was+2 {
		t.Errorf("the row being read went from %v to %v", was, now)
	}
	p.picture("read")
	// with the focus, however far the row moves
	eval[bool](p, fmt.Sprintf(`document.querySelector('#ranks [data-name="%s"] th a').focus(), true`, name(0)))
	was = eval[float64](p, fmt.Sprintf(rowTop, name(0)))
	e.rescored(4, 100, -539, -743, -421)
	p.wait(fmt.Sprintf(`%s === %q`, first, name(0)))
	settled(p)
	if now := eval[float64](p, fmt.Sprintf(rowTop, name(0))); now < was-2 || now > was+2 {
		t.Errorf("the row with the focus went from %v to %v", was, now)
	}
	if got := eval[string](p,
		`document.activeElement.closest("tr")?.dataset.name || document.activeElement.tagName`); got != name(0) {
		t.Errorf("the focus is with %s", got)
	}
	// at the top: the reader views the leaders
	eval[bool](p, `document.activeElement.blur(), scrollTo({ top: 0, behavior: "instant" }), true`)
	e.rescored(5, -900, -539, -743, -421)
	p.wait(fmt.Sprintf(`%s === %q`, first, name(3)))
	settled(p)
	if got := eval[float64](p, `scrollY`); got != 0 {
		t.Errorf("the page was scrolled to %v", got)
	}
	if got := eval[int](p,
		`document.getAnimations().filter((a) => a.effect.target.matches("#ranks tr")).length`); got != 0 {
		t.Errorf("%d rows glide for who wants no motion", got)
	}
	moving := b.tab(t, 1366, 1200)
	moving.open(fmt.Sprintf("%s/events/%d", e.http.URL, e.id))
	moving.wait(isLive)
	moving.wait(fmt.Sprintf(`%s === %q`, first, name(3)))
	eval[bool](moving,
		`window.gliding = 0, Element.prototype.animate = new Proxy(Element.prototype.animate, { apply(own, el, args) { if (el.matches("#ranks tr")) gliding++; return Reflect.apply(own, el, args); } }), true`)
	e.rescored(6, 100, -539, -743, -421)
	moving.wait(fmt.Sprintf(`%s === %q && gliding > 1`, first, name(0)))
	if got := append(p.complaints(), moving.complaints()...); len(got) > 0 {
		t.Errorf("complaints: %q", got)
	}
}

// settled waits until changes are rendered.
func settled(p *tab) {
	p.t.Helper()
	eval[bool](p, `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))`)
}

// TestBrowserChangesAreToldAtOnce checks that screen readers get changes in one polite line: the first at once, and
// those of the next 15 s together afterwards.
func TestBrowserChangesAreToldAtOnce(t *testing.T) {
	b, e := startChromium(t), holdable(t)
	e.scores()
	seats := e.round.Tables[0].Seats
	p := b.tab(t, 390, 844)
	p.still()
	p.atStart(`window.waits = []; window.setTimeout = new Proxy(setTimeout, { apply(own, self, [f, ms, ...more]) {
		return ms > 3000 && ms <= 15000 && String(f).includes("textContent") ? waits.push({ f, ms }) : Reflect.apply(own, self, [f, ms, ...more]);
	} });`)
	p.open(fmt.Sprintf("%s/events/%d", e.http.URL, e.id))
	p.wait(isLive)
	told := `document.getElementById("told").textContent`
	e.rescored(3, -900, -539, -743, -421)
	p.wait(told + ` !== ""`)
	line := eval[string](p, told)
	if !strings.HasPrefix(line, "New places: ") || !strings.Contains(line, seats[0].Player.Name+" ") {
		t.Errorf("told: %q", line)
	}
	first := `document.querySelector("#ranks tbody tr").dataset.name`
	for rev, points := range map[int][]int{4: {100, -539, -743, -421}} {
		e.rescored(rev, points...)
	}
	p.wait(fmt.Sprintf(`%s === %q && waits.length === 1`, first, seats[0].Player.Name))
	e.rescored(5, 100, 200, -743, -421)
	p.wait(fmt.Sprintf(`%s === %q`, first, seats[1].Player.Name))
	settled(p)
	if got := eval[string](p, told); got != line {
		t.Errorf("told again within 15 s: %q", got)
	}
	if got := eval[int](p, `waits.length`); got != 1 {
		t.Errorf("%d sentences wait", got)
	}
	eval[bool](p, `waits[0].f(), true`)
	if got := eval[string](p, told); !strings.Contains(got, seats[1].Player.Name+" 1") ||
		!strings.Contains(got, seats[0].Player.Name+" 2") {
		t.Errorf("summed: %q", got)
	}
	if got := eval[int](p,
		`document.querySelectorAll("main :is([role=status], [aria-live]):not(.find *)").length`); got != 1 {
		t.Errorf("%d parts of the page speak", got)
	}
}
