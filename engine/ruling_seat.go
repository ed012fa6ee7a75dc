package engine

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
	if !s.MayRedeal(c.Seat) {
		return nil, refuse(RefusedNoDoubles, "seat %d has no right to a redeal", c.Seat)
	}
	return []Event{RedealRefused{atSeat{Stamp{at}, c.Seat}, c.said()}}, nil
}

func (e RedealRefused) apply(s State) State { return s }

func (e RedealRefused) behind(State, []Event, map[int]State) Command {
	return RefuseRedeal{Grounds: e.Said.grounds(), Seat: e.Seat}
}

func (RedealRefused) cancel(s State, of ruled, _ *RulingCancelled) error {
	if of.Deal != s.Deal || s.Phase == PhasePlaying && (s.Rules.Redeal != OwnFirstTurn || s.hadFirst(of.Seat)) {
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
	}
	return []Event{e}, nil
}

// interrupted is what a seat's forfeit ended: its running turn, with what it had left of it.
type interrupted struct {
	Turn Turn
	Left Millis
	Had  Had
	Able [MaxSeats]bool
}

func (e SeatForfeited) tell(r *ruled, before State) bool {
	r.Seat = e.Seat
	if before.Phase != PhasePlaying || before.Turn.Seat != e.Seat {
		return true
	}
	r.Before = &interrupted{before.Turn, before.Turn.Due - e.At, before.Had, before.Able}
	if before.Paused != nil {
		r.Before.Left = before.Paused.Left
	}
	return true
}

func (e SeatForfeited) apply(s State) State {
	s.Out[e.Seat] = true
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

// cancel lets a seat play on. As long as no other turn has ended, the one that it lost goes on, with the time that it had.
func (SeatForfeited) cancel(s State, of ruled, e *RulingCancelled) error {
	was := of.Before
	if was == nil || was.Turn.Number+1 != s.Turn.Number || s.Phase != PhasePlaying {
		return nil
	}
	e.Turn = was.Turn
	e.Turn.Number = s.Turn.Number + 1
	e.Turn.Started += e.At - of.At
	if e.Turn.Due != 0 {
		e.Turn.Due = e.At + was.Left
	}
	if e.Pause = s.stopped(e.Turn, e.At); e.Pause != nil {
		e.Pause.Left, e.Turn.Due = was.Left, was.Turn.Due
	}
	return nil
}

func (SeatForfeited) cancelled(s State, e RulingCancelled) State {
	s.Out[e.Seat] = false
	return s
}
