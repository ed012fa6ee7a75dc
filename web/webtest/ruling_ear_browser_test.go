package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// use moves the focus to the link or button of a name and presses it.
func (l listener) use(name string) {
	l.p.t.Helper()
	l.until(name, func(s spoken) bool { return (s.role == "button" || s.role == "link") && s.name == name && !s.off })
	l.tabTo(name, func(s spoken) bool { return (s.role == "button" || s.role == "link") && s.name == name })
	l.p.press("Enter")
}

// TestBrowserRulesByEar answers a call and gives a ruling on a phone by the accessibility tree and the keyboard: the
// referee hears of the call, finds the table, hears the effect of the ruling before giving it, and hears that it was
// given.
func TestBrowserRulesByEar(t *testing.T) {
	b := startChromium(t)
	e, game := newPreparedTable(t, preparedRacks...)
	e.start()
	e.readyBut(0, game)
	p := b.tab(t, 390, 844)
	p.still()
	listened := listen(p)
	p.cookie(e.http.URL, "meldhall-staff", e.referee.token)
	p.open(fmt.Sprintf("%s/referee/%d", e.http.URL, e.id))
	p.wait(`document.documentElement.dataset.link === "live"`)
	name := e.round.Tables[0].Seats[1].Player.Name
	e.at(0, 1).must(http.MethodPost, fmt.Sprintf("/games/%d/call", game), map[string]any{"key": e.key()}, nil)
	listened.until(name)
	l := listener{p}
	l.use("On my way: " + name)
	listened.until(name)
	l.use("I am here: " + name)
	l.until("the table", func(s spoken) bool { return s.role == "link" && strings.Contains(s.name, "Table 1") })
	l.tabTo("the table", func(s spoken) bool { return s.role == "link" && strings.Contains(s.name, "Table 1") })
	l.p.press("Enter")
	l.until("the page of the table", func(s spoken) bool { return s.role == "heading" && s.name == "Table 1" })
	p.wait(`document.documentElement.dataset.link === "live"`)
	// no two rulings of the page have the same name
	names := map[string]int{}
	for _, s := range l.hears() {
		if s.role == "link" {
			names[s.name]++
		}
	}
	for ruling, n := range names {
		if n > 1 {
			t.Errorf("%d links are called %q", n, ruling)
		}
	}
	l.use("+30 s: 30 s more for the current turn")
	sheet := l.until("the preview", func(s spoken) bool { return s.role == "dialog" })
	if !strings.Contains(sheet.text, "left") {
		t.Errorf("the preview %q has no effect", sheet.text)
	}
	if at := l.at(); at.role != "heading" {
		t.Errorf("the preview begins at %+v, want its heading", at)
	}
	if got := eval[string](p, `document.getElementById(document.getElementById("rule").getAttribute("aria-describedby")).textContent`); got == "" {
		t.Error("the preview does not describe its effect")
	}
	p.wait(armed("#rule-go"))
	l.use(eval[string](p, `document.getElementById("rule-go").textContent.trim()`))
	listened.until("The time has been given.")
	l.until("the page again", func(s spoken) bool { return s.role == "heading" && s.name == "Table 1" })
	for _, violation := range barriers(p, axeScript(t)) {
		t.Error(violation)
	}
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}
