package referee

import (
	"time"

	"meldhall/engine"
	"meldhall/templates/referee"
)

// closingTime is how long before its deadline a turn's time counts as nearly over; the clocks warn from then on too.
// For a short turn it is limited to the last quarter, because its table would otherwise always be marked.
const closingTime = engine.Millis(10_000)

// closingAt returns when the time of the current turn is nearly over, or 0 if no clock is running.
func closingAt(state engine.State) engine.Millis {
	turn := state.Turn
	if state.Phase != engine.PhasePlaying || state.Paused != nil || turn.Due == 0 {
		return 0
	}
	return turn.Due - min(closingTime, (turn.Due-turn.Started)/4)
}

// nextClosing returns the time until the next table's turn is nearly over (closingAt), or 0 if there is none.
func nextClosing(tables []referee.FloorRow) (soon time.Duration) {
	for _, t := range tables {
		left := time.Duration(t.Closing-t.Clock.Now) * time.Millisecond
		if t.Closing != 0 && left > 0 && (soon == 0 || left < soon) {
			soon = left
		}
	}
	return soon
}
