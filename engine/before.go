package engine

import (
	"reflect"
	"slices"
	"time"
)

// had is who has had which turns once the game has been gone back. A log of before says only how many turns were left, and
// how many were passed: the seats before the one to move have had theirs.
func (e Rewound) had(s State) Had {
	if e.Had != nil {
		return *e.Had
	}
	had := s.Had
	had.Lap, had.Dry, had.Passed = [MaxSeats]bool{}, [MaxSeats]bool{}, [MaxSeats]bool{}
	for seat := s.starts(); ; seat = s.seatAfter(seat) {
		if had.Lap[seat] = true; seat == e.Turn.Seat {
			break
		}
	}
	for seat := range s.Seats {
		had.Dry[seat] = e.Turn.Left > 0
	}
	seat := e.Turn.Seat
	for range e.Turn.Left - 1 {
		seat = s.seatAfter(seat)
		had.Dry[seat] = false
	}
	for seat, n := e.Turn.Seat, e.Turn.Passes; n > 0; n-- {
		if seat = (seat + s.Seats - 1) % s.Seats; s.Out[seat] {
			n++
		}
		had.Passed[seat] = true
	}
	return had
}

// redecideBefore is redecide for a log of before. The engine then counted down the turns that were left, and rulings did not
// always add up: how many turns a lap had, and what was taken back, called or gone back to, is believed if the rules give
// otherwise now. All else is decided again.
func redecideBefore(s State, c Command, events, decided []Event, err error) ([]Event, error) {
	if err == nil && agrees(s, asNow(events[:min(len(events), len(decided))]), asBefore(decided, "")) == nil {
		return events[:len(decided)], nil
	}
	if s.Phase == PhaseNew {
		return decided, err
	}
	expired, _ := events[0].(TurnExpired)
	again, errAgain := Decide(new(s.lapAsTold(events)), c, expired.Disturbed, time.UnixMilli(int64(events[0].When())))
	if errAgain == nil && agrees(s, asNow(events[:min(len(events), len(again))]), asBefore(again, endIn(events))) == nil {
		return events[:len(again)], nil
	}
	switch events[0].(type) {
	case RulingCancelled, Rewound, TimeCalled, TimeGiven:
		return events[:1], nil
	}
	return decided, err
}

// lapAsTold is a state in which the running turn ends the game if the log says that it did, and goes on if it did not.
func (s State) lapAsTold(events []Event) State {
	why := endIn(events)
	for seat := range s.Seats {
		s.Had.Lap[seat], s.Had.Dry[seat], s.Had.Passed[seat] = why != "", why != "", why != ""
	}
	s.TimeOver = s.TimeOver || why == EndedLastLap
	return s
}

// endIn is how the first of the events ended the turns of a game, "" if it did not.
func endIn(events []Event) string {
	if len(events) > 1 {
		switch e := events[1].(type) {
		case GameEnded:
			return e.End.Why
		case PlayEnded:
			return e.Why
		}
	}
	return ""
}

// asNow are events of before without what they counted.
func asNow(events []Event) []Event {
	now := slices.Clone(events)
	for i, e := range now {
		v := reflect.New(reflect.TypeOf(e)).Elem()
		v.Set(reflect.ValueOf(e))
		if turn := v.FieldByName("Turn"); turn.IsValid() && turn.Type() == reflect.TypeFor[Turn]() {
			turn.FieldByName("Left").SetInt(0)
		}
		now[i] = v.Interface().(Event)
	}
	return now
}

// asBefore are events as they were written before: without what they say now, and with the lap's end called as it was then.
func asBefore(events []Event, why string) []Event {
	before := slices.Clone(events)
	for i, e := range before {
		switch e := e.(type) {
		case GameStarted:
			e.Edition = 0
			before[i] = e
		case Rewound:
			e.Had, e.Proposed, e.Redone, e.Pooled = nil, nil, nil, 0
			before[i] = e
		case RulingCancelled:
			e.Top, e.Refills = false, false
			before[i] = e
		case PoolRanOut:
			e.Since = nil
			before[i] = e
		case GameEnded:
			if e.End.Why == EndedTimeCalled && why == EndedLastLap {
				e.End.Why = why
			}
			before[i] = e
		case PlayEnded:
			if e.Why == EndedTimeCalled && why == EndedLastLap {
				e.Why = why
			}
			before[i] = e
		}
	}
	return before
}
