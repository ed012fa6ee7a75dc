package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/templates"
	"meldhall/web/api"
)

// TestClosingAt checks that the time is nearly over ten seconds before the deadline or in the last quarter of a short
// turn, and never without a running clock.
func TestClosingAt(t *testing.T) {
	turn := func(due engine.Millis) engine.State {
		return engine.State{Phase: engine.PhasePlaying, Turn: engine.Turn{Started: 1000, Due: due}}
	}
	paused, dealt := turn(61_000), turn(61_000)
	paused.Paused, dealt.Phase = &engine.Pause{Left: 5000}, engine.PhaseDealt
	for name, try := range map[string]struct {
		state engine.State
		want  engine.Millis
	}{
		"a minute":            {turn(61_000), 51_000},
		"eight seconds":       {turn(9000), 7000},
		"no clock":            {turn(0), 0},
		"a clock that stands": {paused, 0},
		"before the first":    {dealt, 0},
	} {
		if got := closingAt(try.state); got != try.want {
			t.Errorf("%s: got %d, want %d", name, got, try.want)
		}
	}
}

// TestNextClosing checks that the floor page waits for the next table, not for tables past that time or without a
// clock.
func TestNextClosing(t *testing.T) {
	rows := []templates.FloorRow{{Closing: 900}, {Closing: 0}, {Closing: 1500}, {Closing: 1250}, {Closing: 1000}}
	for i := range rows {
		rows[i].Clock.Now = 1000
	}
	if got := nextClosing(rows); got != 250*time.Millisecond {
		t.Errorf("it waits %v", got)
	}
	if got := nextClosing(rows[:2]); got != 0 {
		t.Errorf("it waits %v for nothing", got)
	}
}

// TestATableWhoseClockIsNearlyOverMovesUp checks that on an open page such a table moves above the normally running
// ones as time passes, and stays below those with a call or a stopped clock.
func TestATableWhoseClockIsNearlyOverMovesUp(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	e := newEvent(t, 20, map[string]any{"turn_seconds": 8, "grace_ms": 0})
	e.start()
	for table := range e.round.Tables {
		e.begin(table)
		e.listen(t, table)
		if table != 4 { // these have enough time left
			e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/time", e.round.Tables[table].Games[0].ID),
				map[string]any{"key": e.key(), "seconds": 300, "reason": "x"}, nil)
		}
	}
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/pause", e.round.Tables[3].Games[0].ID),
		map[string]any{"key": e.key(), "reason": "x"}, nil)
	e.at(1, 2).must(http.MethodPost, fmt.Sprintf("/games/%d/call", e.round.Tables[1].Games[0].ID),
		map[string]any{"key": e.key()}, nil)
	floor := until(t, e.signedIn("referee").regions(t, fmt.Sprintf("/referee/%d/live", e.id)), "time nearly over")
	var order []int
	for _, row := range strings.Split(floor, `<li id="t`)[1:] {
		id, _, _ := strings.Cut(row, `"`)
		table := slices.IndexFunc(e.round.Tables, func(t api.TableView) bool { return fmt.Sprint(t.ID) == id })
		order = append(order, table)
		if strings.Contains(row, "time nearly over") != (table == 4) {
			t.Errorf("table %d: %s", table+1, row)
		}
	}
	if fmt.Sprint(order) != "[1 3 4 0 2]" {
		t.Errorf("the tables stand as %v", order)
	}
}
