package engine

import (
	"strings"
	"time"
)

// decideOfficial decides what officials rule. One that was made without knowing of another ruling is refused, so that
// nothing is overwritten silently (faults.md 33).
func decideOfficial(s State, c Command, at Millis) ([]Event, error) {
	switch c := c.(type) {
	case AcknowledgeCall:
		return decideAcknowledge(s, c, at)
	case AnswerCall:
		return decideAnswer(s, c, at)
	}
	g := c.(grounded).grounds()
	if n := len(s.Rulings); g.Seen != 0 && n > 0 && s.Rulings[n-1].Seq > g.Seen {
		return nil, refuse(RefusedRuledSince, "%s, seq %d, came after seq %d", s.Rulings[n-1].Kind, s.Rulings[n-1].Seq, g.Seen)
	}
	said := Said{strings.TrimSpace(g.Reason), g.Rule, g.By}
	switch c := c.(type) {
	case PauseClock:
		return decidePause(s, said, at)
	case Resume:
		return decideResume(s, said, at)
	case GiveTime:
		return decideTime(s, c, said, at)
	case CallTime:
		return decideCallTime(s, said, at)
	}
	if said.Reason == "" {
		return nil, refuse(RefusedReason, "a ruling needs a reason")
	}
	switch c := c.(type) {
	case Penalise:
		return decidePenalty(s, c, said, at)
	case WaivePenalty:
		return decideWaive(s, c, said, at)
	case Warn:
		return decideWarning(s, c, said, at)
	case CancelRuling:
		return decideCancel(s, c, said, at)
	case SetPosition:
		return decidePosition(s, c, said, at)
	}
	return decideTurnRuling(s, c, said, at)
}

func decidePause(s State, said Said, at Millis) ([]Event, error) {
	if s.Paused != nil && s.Paused.Why == PausedByReferee && s.Paused.ResumeAt == 0 {
		return nil, refuse(RefusedPaused, "the clock is stopped already")
	}
	pause := Pause{Why: PausedByReferee, Reason: said.Reason}
	switch {
	case s.Paused != nil:
		pause.Left = s.Paused.Left
	case s.Turn.Due != 0:
		pause.Left = max(s.Turn.Due-at, 0)
	}
	return []Event{GamePaused{Stamp{at}, pause, said}}, nil
}

// decideResume lets the clock run on after a countdown, which Expire ends.
func decideResume(s State, said Said, at Millis) ([]Event, error) {
	switch {
	case s.Paused == nil:
		return nil, refuse(RefusedNotPaused, "the clock is running")
	case s.Paused.Why == PausedByReferee && s.Paused.ResumeAt != 0:
		return nil, refuse(RefusedNotPaused, "the clock runs on at %d", s.Paused.ResumeAt)
	}
	pause := *s.Paused
	pause.Why, pause.ResumeAt = PausedByReferee, at+Millis(ResumeCountdown.Milliseconds())
	return []Event{ResumeSet{Stamp{at}, pause, said}}, nil
}

func decideTime(s State, c GiveTime, said Said, at Millis) ([]Event, error) {
	if c.Seconds == 0 || c.Seconds < -maxTurnSeconds || c.Seconds > maxTurnSeconds {
		return nil, refuse(RefusedAmount, "%d seconds", c.Seconds)
	}
	if s.Turn.Due == 0 {
		return nil, refuse(RefusedNoLimit, "this turn has no limit")
	}
	e := TimeGiven{Stamp: Stamp{at}, Seconds: c.Seconds, Said: said}
	e.Turn, e.Pause = s.longer(c.Seconds, at)
	return []Event{e}, nil
}

// longer moves the running deadline, to no earlier than now.
func (s State) longer(seconds int, at Millis) (Turn, *Pause) {
	given := Millis(time.Duration(seconds) * time.Second / time.Millisecond)
	turn := s.Turn
	turn.Due = max(turn.Due+given, at)
	if s.Paused == nil {
		return turn, nil
	}
	pause := *s.Paused
	pause.Left = max(pause.Left+given, 0)
	return turn, &pause
}

// stopped gives a stopped clock a turn that begins at its full length; nil while the clock runs.
func (s State) stopped(turn Turn, at Millis) *Pause {
	if s.Paused == nil {
		return nil
	}
	pause := *s.Paused
	if pause.Left = 0; turn.Due != 0 {
		pause.Left = turn.Due - at
	}
	return &pause
}

// decideCallTime makes the running lap the last: it ends with the seat before the starter, so that
// all have had equally many turns (rules.md section 6).
func decideCallTime(s State, said Said, at Millis) ([]Event, error) {
	if err := s.checkRunning(s.Turn.Number); err != nil {
		return nil, err
	}
	turn := s.Turn
	turn.Left = fewer(turn.Left, s.lapLeft())
	return []Event{TimeCalled{Stamp{at}, said, turn}}, nil
}
