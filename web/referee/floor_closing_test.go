package referee

import (
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/templates/referee"
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
	rows := []referee.FloorRow{{Closing: 900}, {Closing: 0}, {Closing: 1500}, {Closing: 1250}, {Closing: 1000}}
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
