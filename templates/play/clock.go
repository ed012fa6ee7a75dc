package play

import "meldhall/engine"

// TurnClock is the clock of the current turn, or of the wait before the first one. clock.js counts down from Left.
type TurnClock struct {
	Left    engine.Millis // 0 without a time limit, and after the game
	Limit   int           // the full time in seconds
	Timed   bool          // the turn has a time limit
	Stopped bool          // the game is paused
}

// Clock returns the clock of the current turn.
func (g Game) Clock() TurnClock {
	v := g.View
	c := TurnClock{Limit: max(v.TurnLimit, 1), Stopped: v.Paused != nil}
	if v.Phase == engine.PhaseDealt {
		c.Limit = max(int(v.Turn.Due-v.Turn.Started)/1000, 1)
	}
	c.Timed = v.Phase != engine.PhaseOver && (v.Turn.Due != 0 || c.Stopped && v.Paused.Left > 0)
	switch {
	case c.Stopped:
		c.Left = v.Paused.Left
	case v.Turn.Due != 0 && v.Phase != engine.PhaseOver:
		c.Left = max(v.Turn.Due-v.Now, 0)
	}
	return c
}

// Seconds returns the time left in whole seconds, rounded up.
func (c TurnClock) Seconds() int { return int((c.Left + 999) / 1000) }
