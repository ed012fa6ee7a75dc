package engine

import (
	"cmp"

	"meldhall/engine/ruleset"
)

// GrantRedeal deals again at a seat's request, with or without three doubles. No tile may have been laid yet.
type GrantRedeal struct {
	Grounds
	Seat int
	Deal Deal
}

// RedealGranted is an official's redeal; TilesDealt follows.
type RedealGranted struct {
	atSeat
	Said
	Pause *Pause `json:"pause,omitempty"`
}

// Kind returns the event's name in the log.
func (RedealGranted) Kind() string { return "redeal_granted" }

// decide deals again on an official's ruling. No seat may have laid a tile yet.
func (c GrantRedeal) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	if len(s.Table) > 0 {
		return nil, refuse(RefusedTilesLie, "tiles lie on the table")
	}
	if err := s.checkDeal(c.Deal, s.Seats, false); err != nil {
		return nil, err
	}
	dealt := s.deal(c.Deal, s.Turn.Number+1, at)
	return []Event{RedealGranted{atSeat{Stamp{at}, c.Seat}, c.said(), s.Paused.forTurn(dealt.Turn, at)}, dealt}, nil
}

func (e RedealGranted) apply(s State) State {
	s.Actions.add(Last{Kind: e.Kind(), Seat: e.Seat}, s.Seats)
	s.pause(e.Pause)
	return s
}

func (e RedealGranted) behind(_ State, after []Event, _ map[int]State) Command {
	return GrantRedeal{Grounds: e.Said.grounds(), Seat: e.Seat, Deal: dealIn(after)}
}

// RefuseRedeal takes away a seat's right to a redeal.
type RefuseRedeal struct {
	Grounds
	Seat int
}

// RedealRefused records that an official took away a seat's right to a redeal.
type RedealRefused struct {
	atSeat
	Said
}

// Kind returns the event's name in the log.
func (RedealRefused) Kind() string { return "redeal_refused" }

func (c RefuseRedeal) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	if !s.MayRedeal(c.Seat) {
		return nil, refuse(RefusedRedealRight, "seat %d has no right to a redeal", c.Seat)
	}
	return []Event{RedealRefused{atSeat{Stamp{at}, c.Seat}, c.said()}}, nil
}

func (e RedealRefused) apply(s State) State { return s }

func (e RedealRefused) behind(State, []Event, map[int]State) Command {
	return RefuseRedeal{Grounds: e.Said.grounds(), Seat: e.Seat}
}

func (RedealRefused) cancel(s State, of ruled, _ *RulingCancelled) error {
	if of.Deal != s.Deal || s.redealClosed(of.Seat) {
		return refuse(RefusedCancelLate, "the window for a redeal is closed")
	}
	return nil
}

func (RedealRefused) cancelled(s State, _ RulingCancelled) State { return s }

// ForfeitSeat makes a seat forfeit the game: it has no more turns and cannot win, and its rack is charged.
type ForfeitSeat struct {
	Grounds
	Seat         int
	Disqualified bool
}

// SeatForfeited says that a seat has forfeited the game.
type SeatForfeited struct {
	atSeat
	Disqualified bool `json:"disqualified,omitempty"`
	Said
	Turn  Turn   `json:"turn"`
	Pause *Pause `json:"pause,omitempty"`
}

// Kind returns the event's name in the log.
func (SeatForfeited) Kind() string { return "seat_forfeited" }

// decide makes a seat forfeit. If its turn was running, the next one begins. The last seat that still plays has won.
func (c ForfeitSeat) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	switch {
	case s.Out[c.Seat]:
		return nil, refuse(RefusedSeatOut, "seat %d is no longer playing", c.Seat)
	case s.Ending != "":
		return nil, refuse(RefusedCounting, "the turns have ended, the racks are being counted")
	}
	e := SeatForfeited{atSeat: atSeat{Stamp{at}, c.Seat}, Disqualified: c.Disqualified, Said: c.said(), Turn: s.Turn}
	after := *s
	after.Out[c.Seat] = true
	switch {
	case after.alone():
		return withEnd(e, after.ends(ruleset.EndedForfeit)), nil
	case s.Phase == PhasePlaying && s.Turn.Seat == c.Seat:
		turn, end := s.nextTurn(&after, true, at)
		e.Turn, e.Pause = turn, s.Paused.forTurn(turn, at)
		return withEnd(e, end), nil
	}
	return []Event{e}, nil
}

// interrupted describes the play that a forfeit ended: the seat's current turn with its remaining time, or the game at
// a table with real tiles.
type interrupted struct {
	Turn   Turn
	Left   Millis
	Paused *Pause
	Had    Had
	Able   [ruleset.MaxSeats]bool
}

func (e SeatForfeited) tell(r *ruled, before State) bool {
	r.Seat = e.Seat
	own, last := before.Phase == PhasePlaying && before.Turn.Seat == e.Seat, before.Physical && before.playing() == 2
	if own || last {
		r.Before = &interrupted{before.Turn, before.Turn.Due - e.At, before.Paused, before.Had, before.Able}
	}
	return true
}

func (e SeatForfeited) apply(s State) State {
	s.Out[e.Seat] = true
	if e.Turn.Number != s.Turn.Number {
		s.endTurn(Last{Kind: e.Kind(), Seat: e.Seat}, e.Turn)
	} else {
		s.Turn = e.Turn
		s.Actions.add(Last{Kind: e.Kind(), Seat: e.Seat}, s.Seats)
	}
	s.pause(e.Pause)
	return s
}

func (e SeatForfeited) behind(State, []Event, map[int]State) Command {
	return ForfeitSeat{Grounds: e.Said.grounds(), Seat: e.Seat, Disqualified: e.Disqualified}
}

// cancel lets a seat play on. If no other turn has ended since, the turn that it lost continues with the time that was
// left.
func (SeatForfeited) cancel(s State, of ruled, e *RulingCancelled) error {
	was := of.Before
	e.Resumes = s.Ending != "" && was != nil && was.Turn.Number == s.Turn.Number &&
		(s.Ending == ruleset.EndedForfeit || was.Turn.Seat == of.Seat)
	switch {
	case e.Resumes:
		e.Turn, e.Pause = was.goesOn(cmp.Or(s.Paused, was.Paused), of.At, e.At)
	case s.Ending == ruleset.EndedForfeit:
		return refuse(RefusedCancelLate, "play has ended since: rewind instead")
	case was == nil:
	case s.Phase == PhasePlaying && was.Turn.Number+1 == s.Turn.Number && s.Ending == "":
		e.Turn, e.Pause = was.goesOn(s.Paused, of.At, e.At)
		e.Turn.Number = s.Turn.Number + 1
	}
	return nil
}

// goesOn returns the turn that was interrupted at from and continues at at, with the time that it had left. paused is
// the clock's current pause, nil while it runs.
func (was interrupted) goesOn(paused *Pause, from, at Millis) (Turn, *Pause) {
	turn, left := was.Turn, was.Left
	turn.Started += at - from
	if was.Paused != nil {
		left = was.Paused.Left
	}
	if paused != nil {
		pause := *paused
		pause.Left = left
		return turn, &pause
	}
	if turn.Due != 0 {
		turn.Due = at + left
	}
	return turn, nil
}

func (SeatForfeited) cancelled(s State, e RulingCancelled) State {
	s.Out[e.Seat] = false
	return s
}
