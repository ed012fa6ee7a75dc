package webtest

import (
	"fmt"
	"testing"

	"meldhall/tournament"
)

// TestBrowserTilesAreLookedAtBeforeTheyChange switches a tournament, and then one of its tables, to other tiles. The
// effects are previewed, a preview changes nothing, and switching back restores the previous state.
func TestBrowserTilesAreLookedAtBeforeTheyChange(t *testing.T) {
	e := newEvent(t, 12, map[string]any{"turn_seconds": 0})
	e.realTables(3)
	p := startChromium(t).tab(t, 1366, 768)
	p.still()
	w := &eventWalk{event: e, p: p, whole: t}
	w.signIn()
	played := func() string {
		w.latest()
		text := ""
		for _, table := range w.round.Tables {
			text += table.Tiles + " "
		}
		return text
	}
	is := func(want string) {
		t.Helper()
		if got := played(); got != want {
			t.Errorf("the tables play with %s, want %s", got, want)
		}
	}
	w.open(w.desk())
	w.press("form.inline button[name=tiles][value=real]")
	w.says(".effects", "change: 1, 2.")
	w.says(".effects", "setting of their own stay as they are: 3.")
	w.says(".effects", "8 of 8 players there have a device of their own")
	is("digital digital real ")
	for _, violation := range barriers(p, axeScript(t)) {
		t.Error(violation)
	}
	w.themes("event")
	w.named(".actions", "Cancel")
	is("digital digital real ")
	w.press("form.inline button[name=tiles][value=real]")
	w.fill("why", "the tablets did not come")
	w.press(".form .primary")
	w.says(".flash", "change them back here")
	is("real real real ")

	w.press("form.inline button[name=tiles][value=digital]")
	w.says(".effects", "8 of 8 have one")
	w.press(".form .primary")
	is("digital digital real ")

	round := fmt.Sprintf("/desk/%d/rounds/%d", e.id, e.round.ID)
	table := e.round.Tables[1].ID
	change := func(to string) {
		t.Helper()
		p.tap(p.reach(fmt.Sprintf("#tiles-%d summary", table)))
		w.press(fmt.Sprintf("#tiles-%d button[value=%q]", table, to))
	}
	w.open(round)
	change(tournament.RealTiles)
	w.says("h1", "Table 2, tiles: real")
	w.says(".effects", "until the first game at this table begins")
	is("digital digital real ")
	w.press(".form .primary")
	is("digital real real ")
	change("")
	w.says(".effects", "change: 2.")
	w.press(".form .primary")
	is("digital digital real ")

	e.start()
	w.open(w.desk())
	w.press("form.inline button[name=tiles][value=real]")
	w.says(".effects", "Games have begun at tables 1-3")
	w.says(".effects", "From the next round on, all tables play with real tiles; nothing changes before that.")
	for _, complaint := range p.complaints() {
		t.Errorf("the page complained: %s", complaint)
	}
}
