package engine

import "meldhall/engine/tile"

// GrantRedeal deals again at a seat's request, with three doubles or without, as long as no tile has been laid.
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

// Kind is the name that the log keeps.
func (RedealGranted) Kind() string { return "redeal_granted" }

// decide deals again because an official says so; nobody may have laid a tile yet.
func (c GrantRedeal) decide(s State, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	if len(s.Table) > 0 {
		return nil, refuse(RefusedTilesLie, "tiles lie on the table")
	}
	if err := checkDeal(c.Deal, false); err != nil {
		return nil, err
	}
	dealt := s.deal(c.Deal, s.Turn.Number+1, at)
	return []Event{RedealGranted{atSeat{Stamp{at}, c.Seat}, c.said(), s.stopped(dealt.Turn, at)}, dealt}, nil
}

func (e RedealGranted) apply(s State) State {
	s.did(Last{Kind: e.Kind(), Seat: e.Seat})
	s.pause(e.Pause)
	return s
}

func (e RedealGranted) behind(_ State, after []Event, _ map[int]State) Command {
	return GrantRedeal{Grounds: e.Said.grounds(), Seat: e.Seat, Deal: dealIn(after)}
}

// RefuseRedeal takes a seat's right to a redeal.
type RefuseRedeal struct {
	Grounds
	Seat int
}

// RedealRefused takes a seat's right to a redeal.
type RedealRefused struct {
	atSeat
	Said
}

// Kind is the name that the log keeps.
func (RedealRefused) Kind() string { return "redeal_refused" }

func (c RefuseRedeal) decide(s State, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	if !s.MayRedeal[c.Seat] {
		return nil, refuse(RefusedNoDoubles, "seat %d has no right to a redeal", c.Seat)
	}
	return []Event{RedealRefused{atSeat{Stamp{at}, c.Seat}, c.said()}}, nil
}

func (e RedealRefused) apply(s State) State {
	s.MayRedeal[e.Seat] = false
	return s
}

func (e RedealRefused) behind(State, []Event, map[int]State) Command {
	return RefuseRedeal{Grounds: e.Said.grounds(), Seat: e.Seat}
}

func (RedealRefused) cancel(s State, of ruled, e *RulingCancelled) error {
	if s.Phase != PhaseDealt || of.Turn != s.Turn.Number {
		return refuse(RefusedCancelLate, "the first turn has begun")
	}
	e.MayRedeal = Doubles(tile.FacesOf(s.Racks[of.Seat])) >= 3
	return nil
}

func (RedealRefused) cancelled(s State, e RulingCancelled) State {
	s.MayRedeal[e.Seat] = e.MayRedeal
	return s
}

// ForfeitSeat makes a seat forfeit the game: it has no more turns and cannot win, and its rack is charged.
type ForfeitSeat struct {
	Grounds
	Seat         int
	Disqualified bool
}

// SeatForfeited is a seat that has forfeited the game.
type SeatForfeited struct {
	atSeat
	Disqualified bool `json:"disqualified,omitempty"`
	Said
	Turn  Turn   `json:"turn"`
	Pause *Pause `json:"pause,omitempty"`
}

// Kind is the name that the log keeps.
func (SeatForfeited) Kind() string { return "seat_forfeited" }

// decide makes a seat forfeit. If its turn was running the next one begins; the last seat that still
// plays has won.
func (c ForfeitSeat) decide(s State, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	switch {
	case s.Out[c.Seat]:
		return nil, refuse(RefusedSeatOut, "seat %d plays no more", c.Seat)
	case s.Ending != "":
		return nil, refuse(RefusedCounting, "the turns have ended, the racks are being counted")
	}
	e := SeatForfeited{atSeat: atSeat{Stamp{at}, c.Seat}, Disqualified: c.Disqualified, Said: c.said(), Turn: s.Turn}
	after := s
	after.Out[c.Seat] = true
	switch {
	case after.alone():
		return withEnd(e, after.ends(EndedForfeit)), nil
	case s.Phase == PhasePlaying && s.Turn.Seat == c.Seat:
		turn, end := s.nextTurn(after, true, at)
		e.Turn, e.Pause = turn, s.stopped(turn, at)
		return withEnd(e, end), nil
	case s.Turn.Left > 0:
		e.Turn.Left -= s.turnsOf(c.Seat)
	}
	return []Event{e}, nil
}

// turnsOf is how many of the turns that are left, the running one counted, a seat has.
func (s State) turnsOf(seat int) int {
	n := 0
	for turn, at := 0, s.Turn.Seat; turn < s.Turn.Left; turn, at = turn+1, s.seatAfter(at) {
		if at == seat {
			n++
		}
	}
	return n
}

func (e SeatForfeited) apply(s State) State {
	s.Out[e.Seat], s.MayRedeal[e.Seat] = true, false
	if e.Turn.Number != s.Turn.Number {
		s.endTurn(Last{Kind: e.Kind(), Seat: e.Seat}, e.Turn)
	} else {
		s.Turn = e.Turn
		s.did(Last{Kind: e.Kind(), Seat: e.Seat})
	}
	s.pause(e.Pause)
	return s
}

func (e SeatForfeited) behind(State, []Event, map[int]State) Command {
	return ForfeitSeat{Grounds: e.Said.grounds(), Seat: e.Seat, Disqualified: e.Disqualified}
}

func (SeatForfeited) cancel(s State, _ ruled, _ *RulingCancelled) error {
	if s.Turn.Left > 0 {
		return refuse(RefusedCancelLate, "the last lap is running: rewind instead")
	}
	return nil
}

func (SeatForfeited) cancelled(s State, e RulingCancelled) State {
	s.Out[e.Seat] = false
	return s
}
