package engine

import "meldhall/engine/ruleset"

// A Call is a seat's call for the referee. By is the official who is on the way or has come. An answered call is kept
// until the turn ends, so that the table can see it. A time of 0 means not yet.
type Call struct {
	Since    Millis `json:"since"`
	Coming   Millis `json:"coming,omitempty" doc:"when an official set out for the table"`
	Answered Millis `json:"answered,omitempty" doc:"when the official arrived"`
	By       string `json:"by,omitempty" doc:"the official's name"`
}

// Open reports whether the seat still waits for the referee.
func (c Call) Open() bool { return c.Since != 0 && c.Answered == 0 }

// CallView is a seat's call, for the players at the table and the officials.
type CallView struct {
	Seat int `json:"seat"`
	Call
}

// Calls holds the last call of each seat.
type Calls [ruleset.MaxSeats]Call

func (c *Calls) views() (calls []CallView) {
	for seat, call := range c {
		if call.Since != 0 {
			calls = append(calls, CallView{seat, call})
		}
	}
	return calls
}

// checkCaller refuses a seat that is not at the table. Before the deal the number of seats is unknown, so the caller of
// Decide must check the seat.
func (s State) checkCaller(seat int) error {
	if s.Phase == PhaseNew {
		s.Seats = ruleset.MaxSeats
	}
	return s.checkSeat(seat)
}

func (c CallReferee) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkCaller(c.Seat); err != nil {
		return nil, err
	}
	if s.Calls[c.Seat].Open() {
		return nil, refuse(RefusedAlreadyCalled, "the referee has already been called")
	}
	return []Event{RefereeCalled{Stamp{at}, c.Seat}}, nil
}

// decide refuses once an official has set out, because the official then ends the call.
func (c WithdrawCall) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkCaller(c.Seat); err != nil {
		return nil, err
	}
	switch call := s.Calls[c.Seat]; {
	case !call.Open():
		return nil, refuse(RefusedNotCalled, "seat %d has not called the referee", c.Seat)
	case call.Coming != 0:
		return nil, refuse(RefusedCallComing, "%s is on the way", call.By)
	}
	return []Event{CallWithdrawn{Stamp{at}, c.Seat}}, nil
}

// decide lets one official take a call. A second official is refused, with the name of the first.
func (c AcknowledgeCall) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkCaller(c.Seat); err != nil {
		return nil, err
	}
	switch call := s.Calls[c.Seat]; {
	case !call.Open():
		return nil, refuse(RefusedNotCalled, "seat %d has not called the referee", c.Seat)
	case call.Coming != 0:
		return nil, refuse(RefusedCallTaken, "%s is on the way", call.By)
	}
	return []Event{CallAcknowledged{Stamp{at}, c.Seat, c.By}}, nil
}

func (c AnswerCall) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkCaller(c.Seat); err != nil {
		return nil, err
	}
	if !s.Calls[c.Seat].Open() {
		return nil, refuse(RefusedNotCalled, "seat %d has not called the referee", c.Seat)
	}
	return []Event{CallAnswered{Stamp{at}, c.Seat, c.By}}, nil
}

// forgetAnswered clears the answered calls at the end of a turn.
func (c *Calls) forgetAnswered() {
	for seat, call := range c {
		if !call.Open() {
			c[seat] = Call{}
		}
	}
}
