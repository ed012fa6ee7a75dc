package webtest

import (
	"fmt"
	"strings"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/archive"
)

// TestBrowserOfficialsSign checks that a ruling and a penalty from an official's browser are recorded with the
// signature of the device, and that the signatures hold.
func TestBrowserOfficialsSign(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600})
	game := e.round.Tables[0].Games[0].ID
	e.start()
	e.readyBut(0, game)
	p := b.tab(t, 1366, 768)
	p.cookie(e.http.URL, "meldhall-staff", e.referee.token)
	p.open(fmt.Sprintf("%s/referee/%d/tables/%d", e.http.URL, e.id, e.round.Tables[0].ID))
	p.wait(isLive)
	p.wait(`(() => {
		const link = document.querySelector("a[data-rule][href*='/rule/warning?'][href*='seat=2']");
		link?.click();
		return !!link;
	})()`)
	p.wait(`!!document.querySelector("#rule[open] #rule-go")`)
	p.wait(`(() => { // the key is dead for a moment
		document.getElementById("rule-go")?.click();
		return !document.querySelector("#rule[open]");
	})()`)
	signed := func(n int) (all []action.SignedBy) {
		t.Helper()
		for _, r := range e.recordsOf(t) {
			if by, ok := r.Details().(*action.SignedBy); ok && r.Kind == action.SignedKind.Name {
				all = append(all, *by)
			}
		}
		if len(all) != n {
			t.Fatalf("%d signed records, want %d: %+v", len(all), n, all)
		}
		return all
	}
	ruling := signed(1)[0]
	if ruling.Seq == 0 || !strings.Contains(ruling.Content, "/warning\n") ||
		!strings.Contains(ruling.Content, "seat=2") {
		t.Errorf("the ruling was signed as %+v", ruling)
	}
	p.open(fmt.Sprintf("%s/referee/%d/penalties", e.http.URL, e.id))
	p.wait(`(() => {
		const form = document.querySelector("#give form");
		if (!form) return false;
		form.closest("details").open = true;
		form.elements.player.selectedIndex = 1;
		for (const field of form.querySelectorAll("input[type=text], textarea")) field.value = "late";
		form.requestSubmit();
		return true;
	})()`)
	p.wait(`!document.querySelector("#give form")?.elements.player.selectedIndex`)
	penalty := signed(2)[0] // the newest
	if penalty.Seq != 0 || strings.Contains(penalty.Content, "late") || penalty.Key != ruling.Key {
		t.Errorf("the penalty was signed as %+v", penalty)
	}
	verdict, err := archive.Check(t.Context(), e.store, e.id)
	if err != nil || len(verdict.Faults) > 0 {
		t.Error(verdict, err)
	}
	if complaints := p.complaints(); len(complaints) > 0 {
		t.Error(complaints)
	}
}
