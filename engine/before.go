package engine

import (
	"reflect"
	"slices"
	"time"

	"meldhall/engine/ruleset"
)

// had returns which seats have had which turns after a rewind. Logs of edition 0 store only the turns left and the
// number of passes. For them, the seats before the one to move count as having moved.
func (e Rewound) had(s State) Had {
	if e.Had != nil {
		return *e.Had
	}
	had := s.Had
	had.Lap, had.Dry, had.Passed = [ruleset.MaxSeats]bool{}, [ruleset.MaxSeats]bool{}, [ruleset.MaxSeats]bool{}
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

// redecideBefore is redecide for logs of edition 0. That engine counted down the turns left, and its rulings did not
// always add up. Where the current rules give another result, the log is trusted about the length of the last lap and
// about cancellations, rewinds, calls of time and given time. Everything else is decided again.
func redecideBefore(s State, c Command, events, decided []Event, err error) ([]Event, error) {
	if err == nil && agrees(s, asNow(events[:min(len(events), len(decided))]), asBefore(decided, "")) == nil {
		return events[:len(decided)], nil
	}
	if s.Phase == PhaseNew {
		return decided, err
	}
	expired, _ := events[0].(TurnExpired)
	again, errAgain := Decide(new(lapAsTold(s, events)), c, expired.Disturbed, time.UnixMilli(int64(events[0].When())))
	if errAgain == nil && agrees(s, asNow(events[:min(len(events), len(again))]),
		asBefore(again, endIn(events))) == nil {
		return events[:len(again)], nil
	}
	switch events[0].(type) {
	case RulingCancelled, Rewound, TimeCalled, TimeGiven:
		return events[:1], nil
	}
	return decided, err
}

// lapAsTold returns s changed so that the current turn ends the game exactly if the log says so.
func lapAsTold(s State, events []Event) State {
	why := endIn(events)
	for seat := range s.Seats {
		s.Had.Lap[seat], s.Had.Dry[seat], s.Had.Passed[seat] = why != "", why != "", why != ""
	}
	s.TimeOver = s.TimeOver || why == ruleset.EndedLastLap
	return s
}

// endIn returns how the first of the events ended play, or "" if it did not.
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

// asNow returns events of edition 0 without their counts of turns left.
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

// asBefore returns events as edition 0 wrote them: without newer fields, and with its name for the end of the last lap.
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
			if e.End.Why == ruleset.EndedTimeCalled && why == ruleset.EndedLastLap {
				e.End.Why = why
			}
			before[i] = e
		case PlayEnded:
			if e.Why == ruleset.EndedTimeCalled && why == ruleset.EndedLastLap {
				e.Why = why
			}
			before[i] = e
		}
	}
	return before
}
