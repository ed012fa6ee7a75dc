package webtest

import (
	"fmt"
	"strings"
	"testing"

	"meldhall/engine"
)

// TestBrowserStartGate starts a round of 48 players of whom six are absent: the organizer sees who lacks a tablet,
// starts the ready tables and holds the others, which start alone once their players are ready.
func TestBrowserStartGate(t *testing.T) {
	e := newPublished(t, "Test", roster(48), nil)
	e.games.HoldAbsent = true
	absent := map[int]int{1: 2, 4: 0, 5: 3, 8: 1, 9: 0, 11: 2} // seat by index of the table
	for i, table := range e.round.Tables {
		for seat := range table.Seats {
			if away, ok := absent[i]; !ok || away != seat {
				e.joinAt(table, seat)
			}
		}
	}
	p := startChromium(t).tab(t, 1280, 800)
	p.still()
	w := &eventWalk{event: e, p: p, whole: t}
	w.signIn()
	w.open(fmt.Sprintf("/desk/%d", e.id))
	w.says(".next", "6 players are not at their tables yet")
	w.press(".next a.primary")
	w.says("#gate", "6 tables ready")
	w.says("#gate", "6 tables not ready")
	if first := eval[string](p, `document.querySelector("#gate li").innerText`); !strings.Contains(first, "Table 2") ||
		!strings.Contains(first, "not ready") {
		t.Errorf("the first row: %q", first)
	}
	w.themes("gate")
	for _, violation := range barriers(p, axeScript(t)) {
		t.Error(violation)
	}
	w.named(".actions", "Start the 6 ready tables, hold 6")
	w.says("#gate", "6 tables held")
	for i, table := range e.round.Tables {
		seat, waits := absent[i]
		view := e.public().view(table.Games[0].ID)
		if waits != (view.Paused != nil && view.Paused.Why == engine.HeldForPlayers) {
			t.Errorf("table %d: paused %+v", i+1, view.Paused)
		}
		if waits {
			e.joinAt(table, seat).post(table.Games[0].ID, "ready", map[string]any{"turn": 0})
		}
	}
	w.p.wait(`!document.getElementById("gate")`) // all tables have started, without a reload
	for _, table := range e.round.Tables {
		view := e.public().view(table.Games[0].ID)
		if view.Paused != nil {
			t.Errorf("table %d is still held: %+v", table.Number, view.Paused)
		}
	}
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the page complained: %q", got)
	}
}
