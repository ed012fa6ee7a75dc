package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// focused returns the id of the focused element, or "".
func focused(p *tab) string {
	p.t.Helper()
	return eval[string](p, `document.activeElement === document.body ? "" : document.activeElement.id`)
}

// tabTo presses Tab until a condition on the focused element holds.
func (p *tab) tabTo(condition string) {
	p.t.Helper()
	for range 80 {
		if eval[bool](p, "((el) => !!("+condition+"))(document.activeElement)") {
			return
		}
		p.press("Tab")
	}
	p.t.Fatalf("80 times Tab and no %s; the focus is at %q", condition, focused(p))
}

// goTo moves the focus by keys to the cell of the table or the rack that a selector matches.
func (p *tab) goTo(selector string) {
	p.t.Helper()
	grid := eval[string](p, fmt.Sprintf(`document.querySelector(%q).closest("[role=grid]").id`, selector))
	p.tabTo(fmt.Sprintf(`el.closest("#%s")`, grid))
	type way struct{ Far, Row int }
	w := eval[way](p, fmt.Sprintf(`(() => {
		const all = [...document.querySelectorAll("#%s [role=gridcell]")], to = document.querySelector(%q).closest("[role=gridcell]");
		const below = all.findIndex((el) => el.offsetTop > all[0].offsetTop || el.getBoundingClientRect().top > all[0].getBoundingClientRect().top + 9);
		return { Far: all.indexOf(to) - all.indexOf(document.activeElement), Row: below };
	})()`, grid, selector))
	for ; w.Far >= w.Row; w.Far -= w.Row {
		p.press("ArrowDown")
	}
	for ; w.Far <= -w.Row; w.Far += w.Row {
		p.press("ArrowUp")
	}
	for ; w.Far > 0; w.Far-- {
		p.press("ArrowRight")
	}
	for ; w.Far < 0; w.Far++ {
		p.press("ArrowLeft")
	}
	if !eval[bool](p, fmt.Sprintf(`document.activeElement === document.querySelector(%q).closest("[role=gridcell]")`,
		selector)) {
		p.t.Fatalf("the keys for %s lead to %q", selector, focused(p))
	}
}

func useByKeys(p *tab, key string) {
	p.t.Helper()
	p.tabTo(fmt.Sprintf("el.matches(%q)", key))
	p.wait(armed(key))
	p.press("Enter")
}

func layByKeys(p *tab, at int, tiles ...string) {
	p.t.Helper()
	for _, face := range tiles {
		p.goTo(inRack(face))
		p.press("Enter")
	}
	p.goTo(cell(at))
	p.press("Enter")
	if focused(p) != fmt.Sprintf("c%d", at) {
		p.t.Fatalf("after tiles were laid the focus is at %q", focused(p))
	}
}

func moveByKeys(p *tab, from, to int) {
	p.t.Helper()
	p.goTo(cell(from))
	p.press("Enter")
	p.goTo(cell(to))
	p.press(" ")
}

// said waits until the screen reader's live region contains a text.
func (p *tab) said(text string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`document.getElementById("say").textContent.includes(%q)`, text))
}

func TestBrowserKeysAndFocus(t *testing.T) {
	b := startChromium(t)
	e, game, p := playing(t, b, preparedRacks...)
	p.still()
	t.Run("every step is said", func(t *testing.T) { stepsAreSaid(t, p) })
	t.Run("Shift and an arrow take one tile more", func(t *testing.T) {
		within(t, &p.t)
		p.goTo(cell(9))
		p.press("Shift+ArrowRight")
		p.wait(`document.querySelectorAll("#table .tile.held").length === 2`)
		p.goTo(cell(31))
		p.press("Enter")
		p.wait(tableIs("30 O10 O11 O12"))
	})
	t.Run("Home, End and jumps", func(t *testing.T) {
		within(t, &p.t)
		for key, want := range map[string]string{"Home": "c26", "End": "c38", "Ctrl+Home": "c0", "Ctrl+End": "c38",
			"Ctrl+ArrowLeft": "c30"} {
			p.goTo(cell(34))
			if p.press(key); focused(p) != want {
				t.Errorf("%s leads to %q, want %s", key, focused(p), want)
			}
		}
	})
	t.Run("an update leaves the focus where it is", func(t *testing.T) {
		within(t, &p.t, &e.t)
		p.goTo(cell(20))
		seq := eval[string](p, `document.getElementById("game").dataset.seq`)
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/pause", game),
			map[string]any{"reason": "test", "key": e.key()}, nil)
		p.wait(`document.getElementById("game").dataset.seq !== "` + seq + `"`)
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/resume", game),
			map[string]any{"reason": "test", "key": e.key()}, nil)
		p.wait(`!document.getElementById("game").classList.contains("paused")`)
		if focused(p) != "c20" {
			t.Errorf("the focus is at %q, want c20", focused(p))
		}
	})
	t.Run("a key that can no longer be used gives it back", func(t *testing.T) {
		within(t, &p.t)
		useByKeys(p, "#reset")
		p.wait(`document.querySelectorAll("#table .tile").length === 0 && document.getElementById("reset").disabled`)
		if at := focused(p); at != "c20" {
			t.Errorf("after reset the focus is at %q, want c20", at)
		}
		layByKeys(p, 0, "O10", "O11", "O12")
		p.wait(`!document.getElementById("play").disabled`)
		useByKeys(p, "#play")
		p.wait(`document.getElementById("game").dataset.mine === "false" &&
			document.querySelectorAll("#rack .tile").length === 11`)
		if at := focused(p); !strings.HasPrefix(at, "r") {
			t.Errorf("after the turn the focus is at %q, want the rack", at)
		}
	})
	t.Run("what vanishes gives it to what is left", func(t *testing.T) {
		within(t, &p.t, &e.t)
		p.goTo(inRack("O13"))
		at := focused(p)
		eval[bool](p,
			`(document.activeElement.remove(), document.getElementById("live").dispatchEvent(new CustomEvent("htmx:after:swap")), true)`)
		if now := focused(p); !strings.HasPrefix(now, "r") || now == at {
			t.Errorf("the slot %s has gone, and the focus is at %q", at, now)
		}
	})
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}

// stepsAreSaid takes and lays tiles by the keyboard and checks that every step is announced.
func stepsAreSaid(t *testing.T, p *tab) {
	within(t, &p.t)
	p.goTo(inRack("O10"))
	p.press("Enter")
	p.said("orange 10 in hand")
	p.press("Escape")
	p.said("Put down")
	layByKeys(p, 30, "O10", "O11")
	p.said("orange 10, orange 11: too short")
	layByKeys(p, 32, "O12")
	p.said("orange 10, orange 11, orange 12: run. 33 of 30")
	p.goTo(cell(31))
	p.press("Shift+Enter")
	p.said("orange 11 and all after it in hand")
	p.goTo(cell(9))
	p.press("Enter")
	p.said("Row 1, on its own")
	p.wait(tableIs("9 O11 O12, 30 O10"))
}

// tableIs returns an expression that is true when the table has these sets, each given as its cell and tiles.
func tableIs(sets string) string {
	return fmt.Sprintf(`(() => {
		const sets = [];
		document.querySelectorAll("#table .cell").forEach((el, at) => {
			const face = el.querySelector(".tile")?.dataset.face;
			if (!face) return;
			const last = sets[sets.length - 1];
			if (last && at %% el.closest("#table").getAttribute("aria-colcount") && last.end === at) { last.text += " " + face; last.end++; }
			else sets.push({ text: at + " " + face, end: at + 1 });
		});
		return sets.map((s) => s.text).join(", ") === %q;
	})()`, sets)
}
