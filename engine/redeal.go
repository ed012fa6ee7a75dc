package engine

import "meldhall/engine/ruleset"

// decide deals again for a seat that has three doubles and whose window for a redeal is open. A refusal names the
// obstacle: the rules, the window, an official or the tiles.
func (c Redeal) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	switch {
	case s.Rules.Redeal == ruleset.Off:
		return nil, refuse(RefusedRedealOff, "these rules have no redeal")
	case s.redealClosed(c.Seat) && s.Rules.Redeal == ruleset.BeforeStart:
		return nil, refuse(RefusedRedealClosed, "the first turn has begun")
	case s.redealClosed(c.Seat):
		return nil, refuse(RefusedRedealClosed, "the player's own first turn has ended")
	case s.Out[c.Seat]:
		return nil, refuse(RefusedSeatOut, "seat %d is no longer playing", c.Seat)
	case s.Paused != nil:
		return nil, refuse(RefusedPaused, "the clock is stopped, and the redeal window with it")
	case s.Turn.Number != c.Turn:
		return nil, refuse(RefusedStaleTurn, "turn %d is over, this is turn %d", c.Turn, s.Turn.Number)
	case s.Rulings.refusesRedeal(c.Seat, s.Deal):
		return nil, refuse(RefusedRedealRefused, "an official has refused the redeal")
	case !s.MayRedeal(c.Seat):
		return nil, refuse(RefusedNoDoubles, "these 14 tiles hold fewer than three doubles")
	}
	if err := s.checkDeal(c.Deal, s.Seats, false); err != nil {
		return nil, err
	}
	return []Event{RedealAsked{Stamp{at}, c.Seat}, s.deal(c.Deal, s.Turn.Number+1, at)}, nil
}

// MayRedeal reports whether a seat may ask for a redeal now: its rack of this deal held three doubles, no official has
// refused it, and the window is open.
func (s *State) MayRedeal(seat int) bool {
	switch {
	case !s.Doubles[seat], s.Out[seat], s.Ending != "":
		return false
	case s.Phase != PhaseDealt && s.Phase != PhasePlaying:
		return false
	}
	return !s.redealClosed(seat) && !s.Rulings.refusesRedeal(seat, s.Deal)
}

// redealClosed reports whether the seat's window for a redeal has closed.
func (s *State) redealClosed(seat int) bool {
	return s.Phase == PhasePlaying && (s.Rules.Redeal != ruleset.OwnFirstTurn || s.Had.first(seat, s.Turn.Seat))
}
