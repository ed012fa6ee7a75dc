package engine

import "meldhall/engine/ruleset"

// The rulings about the clock. They change times, never tiles.

// PauseClock stops the clock of a game.
type PauseClock struct{ Grounds }

// GamePaused is a stopped clock.
type GamePaused struct {
	Stamp
	Pause Pause `json:"pause"`
	Said
}

// Kind returns the event's name in the log.
func (GamePaused) Kind() string { return "game_paused" }

func (c PauseClock) decide(s *State, at Millis) ([]Event, error) {
	if s.Paused.Held() || s.Paused != nil && s.Paused.Why == PausedByReferee && s.Paused.ResumeAt == 0 {
		return nil, refuse(RefusedPaused, "the clock is already stopped")
	}
	pause := Pause{Why: PausedByReferee, Reason: c.said().Reason}
	switch {
	case s.Paused != nil:
		pause.Left = s.Paused.Left
	case s.Turn.Due != 0:
		pause.Left = max(s.Turn.Due-at, 0)
	}
	return []Event{GamePaused{Stamp{at}, pause, c.said()}}, nil
}

// said returns the grounds of the pause. It takes the reason from Pause, because older games store it only there.
func (e GamePaused) said() Said { return Said{e.Pause.Reason, e.Rule, e.By} }

func (e GamePaused) tell(r *ruled, _ State) bool { return e.Pause.Why == PausedByReferee }

func (e GamePaused) apply(s State) State {
	s.pause(&e.Pause)
	return s
}

func (e GamePaused) behind(s State, _ []Event, _ map[int]State) Command {
	if e.Pause.Why == PausedByOutage {
		return Outage{Since: s.Turn.Due - e.Pause.Left}
	}
	return PauseClock{e.said().grounds()}
}

// Resume restarts a stopped clock after a countdown. It starts a held game without the absent players.
type Resume struct{ Grounds }

// ResumeSet starts the countdown after which the clock runs again. Pause.ResumeAt is its end.
type ResumeSet struct {
	Stamp
	Pause Pause `json:"pause"`
	Said
}

// Kind returns the event's name in the log.
func (ResumeSet) Kind() string { return "resume_set" }

// decide restarts the clock after a countdown, which Expire ends.
func (c Resume) decide(s *State, at Millis) ([]Event, error) {
	switch {
	case s.Paused == nil:
		return nil, refuse(RefusedNotPaused, "the clock is running")
	case s.Paused.Why == PausedByReferee && s.Paused.ResumeAt != 0:
		return nil, refuse(RefusedNotPaused, "the clock starts again at %d", s.Paused.ResumeAt)
	}
	pause := *s.Paused
	pause.Why, pause.Absent, pause.ResumeAt = PausedByReferee, nil, at+Millis(ResumeCountdown.Milliseconds())
	return []Event{ResumeSet{Stamp{at}, pause, c.said()}}, nil
}

func (ResumeSet) tell(*ruled, State) bool { return true }

func (e ResumeSet) apply(s State) State {
	s.pause(&e.Pause)
	return s
}

func (e ResumeSet) behind(State, []Event, map[int]State) Command { return Resume{e.Said.grounds()} }

// GameResumed restarts the clock, with the turn's new deadline.
type GameResumed struct {
	Stamp
	Turn Turn `json:"turn"`
}

// Kind returns the event's name in the log.
func (GameResumed) Kind() string { return "game_resumed" }

func (GameResumed) said() Said { return Said{} }

// tell reports whether an official restarted the clock without a countdown, as in older games.
func (GameResumed) tell(_ *ruled, before State) bool {
	return before.Paused != nil && before.Paused.Why == PausedByReferee && before.Paused.ResumeAt == 0
}

func (e GameResumed) apply(s State) State {
	s.Paused, s.Turn = nil, e.Turn
	return s
}

func (GameResumed) behind(State, []Event, map[int]State) Command { return Expire{} }

// GiveTime moves the running deadline by a number of seconds.
type GiveTime struct {
	Grounds
	Seconds int
}

// TimeGiven is a moved deadline.
type TimeGiven struct {
	Stamp
	Seconds int `json:"seconds"`
	Said
	Turn  Turn   `json:"turn"`
	Pause *Pause `json:"pause,omitempty"`
}

// Kind returns the event's name in the log.
func (TimeGiven) Kind() string { return "time_given" }

func (c GiveTime) decide(s *State, at Millis) ([]Event, error) {
	if c.Seconds == 0 || c.Seconds < -ruleset.MaxTurnSeconds || c.Seconds > ruleset.MaxTurnSeconds {
		return nil, refuse(RefusedAmount, "%d seconds is out of range", c.Seconds)
	}
	if s.Turn.Due == 0 {
		return nil, refuse(RefusedNoLimit, "this turn has no limit")
	}
	e := TimeGiven{Stamp: Stamp{at}, Seconds: c.Seconds, Said: c.said()}
	e.Turn, e.Pause = s.Turn.longer(s.Paused, Millis(c.Seconds)*1000, at)
	return []Event{e}, nil
}

// longer returns the turn with its deadline moved, but not to before least. If the clock is stopped, it also returns
// the pause with the time left moved by the same amount, but not below 0, and ignores least.
func (t Turn) longer(paused *Pause, by, least Millis) (Turn, *Pause) {
	if paused == nil {
		t.Due = max(t.Due+by, least)
		return t, nil
	}
	pause := *paused
	pause.Left = max(pause.Left+by, 0)
	t.Due += pause.Left - paused.Left
	return t, &pause
}

// timed records how a ruling changed the current turn's time. The turn could not end before least.
func (r *ruled) timed(before, turn Turn, pause *Pause, least Millis) {
	r.Moved, r.Room = turn.Due-before.Due, turn.Due-least
	if pause != nil {
		r.Room = pause.Left
	}
}

// forTurn returns the pause with the full length of a new turn left, or nil while the clock runs.
func (p *Pause) forTurn(turn Turn, at Millis) *Pause {
	if p == nil {
		return nil
	}
	pause := *p
	if pause.Left = 0; turn.Due != 0 {
		pause.Left = turn.Due - at
	}
	return &pause
}

func (e TimeGiven) tell(r *ruled, before State) bool {
	if r.Seconds = e.Seconds; before.Phase == PhasePlaying {
		r.Seat = e.Turn.Seat
	}
	r.timed(before.Turn, e.Turn, e.Pause, e.At)
	return true
}

func (e TimeGiven) apply(s State) State {
	s.Turn = e.Turn
	s.pause(e.Pause)
	return s
}

func (e TimeGiven) behind(State, []Event, map[int]State) Command {
	return GiveTime{Grounds: e.Said.grounds(), Seconds: e.Seconds}
}

func (TimeGiven) cancel(s State, of ruled, e *RulingCancelled) error {
	if of.Turn != s.Turn.Number || s.Turn.Due == 0 {
		return refuse(RefusedCancelLate, "the turn of seq %d is over", of.Seq)
	}
	e.Turn, e.Pause = s.Turn.longer(s.Paused, s.Rulings.untimed(s.Turn.Number, of.Seq),
		e.At-Millis(s.Rules.GraceMillis))
	return nil
}

func (TimeGiven) cancelled(s State, _ RulingCancelled) State { return s }

// CallTime ends a game after the current lap.
type CallTime struct{ Grounds }

// TimeCalled makes the current lap the last one.
type TimeCalled struct {
	Stamp
	Said
	Turn Turn `json:"turn"`
}

// Kind returns the event's name in the log.
func (TimeCalled) Kind() string { return "time_called" }

// decide makes the current lap the last: it ends when all have had equally many turns (engine/RULES.md section 6).
func (c CallTime) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkRunning(s.Turn.Number); err != nil {
		return nil, err
	}
	if s.TimeOver {
		return nil, refuse(RefusedTimeCalled, "time has been called")
	}
	return []Event{TimeCalled{Stamp{at}, c.said(), s.Turn}}, nil
}

func (TimeCalled) tell(*ruled, State) bool { return true }

func (e TimeCalled) apply(s State) State {
	s.TimeOver, s.Turn = true, e.Turn
	return s
}

func (e TimeCalled) behind(State, []Event, map[int]State) Command { return CallTime{e.Said.grounds()} }

// cancel lets the game continue as if time had not been called, unless that has already ended play.
func (TimeCalled) cancel(s State, _ ruled, _ *RulingCancelled) error {
	if s.Ending == ruleset.EndedTimeCalled {
		return refuse(RefusedCancelLate, "play has ended since: rewind instead")
	}
	return nil
}

func (TimeCalled) cancelled(s State, _ RulingCancelled) State {
	s.TimeOver = false
	return s
}
