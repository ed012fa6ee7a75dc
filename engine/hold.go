package engine

import "slices"

// A game is held after the deal while some of its players have no device yet: no clock runs, and no player can be
// charged for an absence. The hold ends when those players are ready or have forfeited, or when an official starts the
// game without them (Resume).

// StartHeld starts a game and holds it for the players of some seats.
type StartHeld struct {
	Start
	Absent []int // the seats whose player has no device yet
}

func (c StartHeld) decide(s *State, at Millis) ([]Event, error) {
	noSeat := func(seat int) bool { return seat < 0 || seat >= c.Seats }
	if len(c.Absent) == 0 || c.Physical || slices.ContainsFunc(c.Absent, noSeat) {
		return nil, refuse(RefusedSeat, "a table of %d cannot be held for the seats %v", c.Seats, c.Absent)
	}
	events, err := c.Start.decide(s, at)
	if err != nil {
		return nil, err
	}
	pause := Pause{Left: Millis(c.Rules.StartSeconds) * 1000, Why: HeldForPlayers, Absent: c.Absent}
	return append(events, GamePaused{Stamp: Stamp{at}, Pause: pause}), nil
}

// Held reports whether the game waits for players who had no device when it was dealt. p may be nil.
func (p *Pause) Held() bool { return p != nil && p.Why == HeldForPlayers }

// Awaited returns the seats that a held game waits for.
func (s *State) Awaited() (seats []int) {
	if !s.Paused.Held() {
		return nil
	}
	for _, seat := range s.Paused.Absent {
		if !s.Ready[seat] && !s.Out[seat] {
			seats = append(seats, seat)
		}
	}
	return seats
}
