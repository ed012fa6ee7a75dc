package web

import (
	"time"

	"meldhall/engine"
	"meldhall/templates"
)

// closingTime is how long before its deadline a turn's time counts as nearly over: from when on the clocks say so too. Of a short turn it is
// the last quarter, or its table would always be one of them.
const closingTime = engine.Millis(10_000)

// closingAt is the moment at which the time of the running turn is nearly over; 0 where no clock runs.
func closingAt(state engine.State) engine.Millis {
	turn := state.Turn
	if state.Phase != engine.PhasePlaying || state.Paused != nil || turn.Due == 0 {
		return 0
	}
	return turn.Due - min(closingTime, (turn.Due-turn.Started)/4)
}

// nextClosing is how soon the next of the tables comes to that moment; 0 for none.
func nextClosing(tables []templates.FloorRow) (soon time.Duration) {
	for _, t := range tables {
		left := time.Duration(t.Closing-t.Clock.Now) * time.Millisecond
		if t.Closing != 0 && left > 0 && (soon == 0 || left < soon) {
			soon = left
		}
	}
	return soon
}
