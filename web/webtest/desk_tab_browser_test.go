package webtest

import (
	"fmt"
	"slices"
	"testing"
)

// controlsHere collects the controls that Tab can reach, in document order, and returns their number.
const controlsHere = `(() => {
	const seen = new Set();
	window.stops = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]")].filter((el) => {
		if (el.disabled || el.tabIndex < 0 || el.closest("[inert]") || !el.checkVisibility({ visibilityProperty: true })) return false;
		if (el.type !== "radio") return true;
		const group = (el.form?.action || "") + " " + el.name; // one stop, at the chosen one
		const chosen = [...document.getElementsByName(el.name)].find((other) => other.form === el.form && other.checked);
		return chosen ? chosen === el : !seen.has(group) && seen.add(group);
	});
	return window.stops.length;
})()`

// tabStop is the focused control: its number, or -1 for none, and the faults of its display.
type tabStop struct {
	At    int
	Wrong string
}

const stopHere = `(() => {
	const el = document.activeElement, At = window.stops.indexOf(el);
	if (el === document.body) return { At: -1, Wrong: "" };
	const name = el.localName + (el.id ? "#" + el.id : "") + " “" + (el.innerText || el.getAttribute("aria-label") || el.name || "").trim().replace(/\s+/g, " ").slice(0, 40) + "”";
	const ringed = (one) => { const s = getComputedStyle(one); return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2; };
	const box = [...el.getClientRects()].find((b) => b.width && b.height) || el.getBoundingClientRect();
	// a region of a long table is higher than the screen, and a text area shows only its caret
	const most = el.matches("[role=region], textarea") ? innerHeight : Infinity;
	const x = box.left + box.width / 2, y = (box.top + Math.min(box.bottom, Math.max(most, box.top))) / 2, top = document.elementFromPoint(x, y);
	if (At < 0) return { At, Wrong: name + " is no control that was there" };
	if (!ringed(el) && !(el.parentElement && ringed(el.parentElement))) return { At, Wrong: name + " has no ring" };
	if (y < 0 || y > innerHeight || x < 0 || x > innerWidth) return { At, Wrong: name + " is out of sight" };
	if (top && top !== el && !el.contains(top) && !top.contains(el) && !el.closest("label")?.contains(top)) return { At, Wrong: name + " lies under " + (top.id || top.className || top.localName) };
	return { At, Wrong: "" };
})()`

// datesWithin is how often Tab may stay within a date and time field.
const datesWithin = 8

// TestBrowserDeskByTab walks through the main officials' pages on a laptop with Tab. It checks that every control is
// reached in document order, has a focus ring, is visible, and is not covered by a sticky element.
func TestBrowserDeskByTab(t *testing.T) {
	b := startChromium(t)
	s := newScreens(t)
	p := b.tab(t, 1366, 768)
	p.still()
	pages := []string{"hall", "ruling", "count", "protests", "events", "new-event", "format", "desk", "roster",
		"people", "player", "check-in", "log", "results", "result",
		"correct", "round", "round-draft", "accounts", "penalties", "announcements", "ready", "pace", "devices", "plan",
		"zones", "own-account"}
	for _, v := range s.all() {
		if !slices.Contains(pages, v.name) {
			continue
		}
		t.Run(v.name, func(t *testing.T) {
			within(t, &p.t, &s.t)
			v.act = nil
			count, faults, redrawn := walkByTab(s, p, v)
			for tries := 0; redrawn && tries < 3; tries++ {
				count, faults, redrawn = walkByTab(s, p, v)
			}
			for _, fault := range faults {
				t.Error(fault)
			}
			t.Logf("%d controls", count)
		})
	}
}

// walkByTab opens a page and tabs through it once. redrawn reports that the page was redrawn meanwhile, so its faults
// mean nothing.
func walkByTab(s *pageStates, p *tab, v pageState) (count int, faults []string, redrawn bool) {
	p.t.Helper()
	s.show(p, v, "en")
	count = eval[int](p, controlsHere)
	reached := map[int]bool{}
	for last, inside := -1, 0; ; {
		p.press("Tab")
		stop := eval[tabStop](p, stopHere)
		if stop.Wrong != "" {
			faults = append(faults, stop.Wrong)
		}
		if stop.At >= 0 && stop.At == last && inside < datesWithin {
			inside++ // the parts of a date field
			continue
		}
		if inside = 0; stop.At < 0 || reached[stop.At] {
			break
		}
		if stop.At < last {
			faults = append(faults, fmt.Sprintf("from control %d back to %d", last, stop.At))
		}
		last = stop.At
		reached[last] = true
	}
	if len(reached) < count {
		faults = append(faults, fmt.Sprintf("%d of %d controls are reached", len(reached), count))
	}
	return count, faults, eval[bool](p,
		`window.stops.some((el) => !el.isConnected) || window.stops.length !== `+controlsHere)
}
