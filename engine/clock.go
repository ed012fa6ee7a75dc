package engine

import "time"

// The durations of clocks.
const (
	// OutageFloor is the minimum time that a turn gets back after a server outage. OutageCountdown is how long the
	// restored clock is shown before it runs.
	OutageFloor     = 15 * time.Second
	OutageCountdown = 10 * time.Second
	// ResumeCountdown is how long the clock stays stopped after a referee resumes the game: 3, 2, 1.
	ResumeCountdown = 3 * time.Second
	// PressTime is how long a player holds down a key that ends the turn, if the player has chosen to hold keys.
	PressTime = 500 * time.Millisecond
)

// A Press is the last key press of PressKey that mattered: its turn and the time at which it arrived.
type Press struct {
	Turn int
	At   Millis
}

// pressed returns when the player began to hold down a key that ends the current turn, or 0. Only a press that began
// less than PressTime before the deadline, or after it, counts.
func (s *State) pressed() Millis {
	if s.Press.Turn != s.Turn.Number || s.Press.At+Millis(PressTime.Milliseconds()) <= s.Turn.Due {
		return 0
	}
	return s.Press.At
}

// decide records the arrival of a press near the deadline, once per turn: the turn then stays open for PressTime after
// the press. An earlier press needs no extra time and is refused. The client claims no time of its own, and a turn can
// gain at most PressTime.
func (c PressKey) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkTurn(c.Seat, c.Turn); err != nil {
		return nil, err
	}
	if s.Turn.Due == 0 || at+Millis(PressTime.Milliseconds()) <= s.Turn.Due || s.pressed() != 0 {
		return nil, refuse(RefusedNotDue, "this press needs no extra time")
	}
	return []Event{KeyPressed{Stamp{at}, c.Seat}}, nil
}

// Due returns the last moment before Expire has an effect: a deadline with its grace, or the end of a pause that ends
// automatically. A key that is held down moves it by at most PressTime. Commands at Due itself are still in time. Due
// returns 0 if there is no such moment.
func Due(s *State) Millis {
	switch {
	case s.Phase == PhaseOver || s.Phase == PhaseNew || s.Ending != "":
		return 0
	case s.Paused.Held() && s.Awaited() == nil:
		return s.At
	case s.Paused != nil:
		return s.Paused.ResumeAt
	case s.Turn.Due == 0:
		return 0
	}
	last := s.Turn.Due
	if at := s.pressed(); at != 0 {
		last = min(at, last) + Millis(PressTime.Milliseconds())
	}
	return last + Millis(s.Rules.GraceMillis)
}

// overdue reports whether at is after the deadline and its grace. A command in the last millisecond of the grace still
// counts.
func overdue(s *State, at Millis) bool {
	last := Due(s)
	return last != 0 && at > last
}

// late returns how long after the shown deadline a command arrived, or 0 if it was in time. If its key was held down,
// the time of the press counts, at most PressTime before the command.
func late(s *State, at Millis) Millis {
	if began := s.pressed(); began != 0 {
		at = max(began, at-Millis(PressTime.Milliseconds()))
	}
	if s.Turn.Due == 0 || at <= s.Turn.Due {
		return 0
	}
	return at - s.Turn.Due
}

// turnSeconds returns how long a turn of the seat is under the rules, including its extra time, or 0 for no limit.
func (s *State) turnSeconds(seat int) int {
	if s.Rules.TurnSeconds == 0 {
		return 0
	}
	return s.Rules.TurnSeconds + s.Extra[seat]
}

// turnDue returns the deadline of a seat's turn that starts at the given moment, or 0 if turns have no limit.
func (s *State) turnDue(seat int, at Millis) Millis {
	if seconds := s.turnSeconds(seat); seconds != 0 {
		return at + Millis(seconds)*1000
	}
	return 0
}

// settle returns the events that the clock causes: the first turn, the end of a pause, or a time-out.
func settle(s *State, disturbed bool, at Millis) []Event {
	switch {
	case s.Paused != nil:
		turn := s.Turn
		if turn.Due != 0 {
			turn.Due = at + s.Paused.Left
		}
		return []Event{GameResumed{Stamp{at}, turn}}
	case s.Phase == PhaseDealt:
		return []Event{s.playBegins(at)}
	}
	n, cause := s.timeoutCosts(disturbed)
	tiles := s.top(automatic(&s.Rules, n))
	e := TurnExpired{Stamp: Stamp{at}, Seat: s.Turn.Seat, Disturbed: disturbed, Tiles: tiles,
		Count: s.byHand(automatic(&s.Rules, n)), Late: at - Due(s)}
	after := *s
	after.draw(s.Turn.Seat, tiles)
	turn, end := s.nextTurn(&after, len(tiles)+e.Count == 0, at)
	e.Turn = turn
	return s.withProposal(withEnd(e, end), n, cause)
}

// timeoutCosts returns the penalty tiles for a time-out under the rules, and their cause.
func (s *State) timeoutCosts(disturbed bool) (tiles int, cause string) {
	if disturbed || s.Physical { // the layout of a real table is unknown
		return s.Rules.TimeoutTiles, CauseTimeout
	}
	return s.Rules.IdleTiles, CauseIdle
}

func (Expire) decide(*State, Millis) ([]Event, error) {
	return nil, refuse(RefusedNotDue, "no deadline has passed")
}

// decide gives back the time during which the server was down, so that an outage costs no player a turn.
func (c Outage) decide(s *State, at Millis) ([]Event, error) {
	if s.Turn.Due == 0 || s.Paused != nil && s.Paused.ResumeAt == 0 {
		return nil, refuse(RefusedNotDue, "no clock was running")
	}
	left := s.Turn.Due - c.Since
	if s.Paused != nil {
		left = s.Paused.Left
	}
	left = min(max(left, Millis(OutageFloor.Milliseconds())),
		max(s.Turn.Due-s.Turn.Started, Millis(OutageFloor.Milliseconds())))
	return []Event{GamePaused{Stamp: Stamp{at}, Pause: Pause{Left: left, ResumeAt: at +
		Millis(OutageCountdown.Milliseconds()), Why: PausedByOutage}}}, nil
}
