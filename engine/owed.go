package engine

import "slices"

// Had is who has had which turns in the history that stands: what rewinding goes back to beside the tiles.
type Had struct {
	Turns  [MaxSeats]int  `json:"turns"`  // how many each seat has begun
	Lap    [MaxSeats]bool `json:"lap"`    // who has begun one in the running lap
	Dry    [MaxSeats]bool `json:"dry"`    // who has begun one since the pool became empty
	Passed [MaxSeats]bool `json:"passed"` // who has passed since a tile was laid, the pool being empty
}

// begins notes that a seat begins a turn: of the running lap, or of a new one if it has begun one there.
func (s *State) begins(seat int) {
	if s.Had.Lap[seat] {
		s.Had.Lap = [MaxSeats]bool{}
	}
	s.Had.Lap[seat], s.Had.Dry[seat] = true, true
	s.Had.Turns[seat]++
}

// passes notes whether the turn of a seat, after which next comes, was passed.
func (h *Had) passes(seat int, next Turn) {
	if next.Passes == 0 {
		h.Passed = [MaxSeats]bool{}
		return
	}
	h.Passed[seat] = true
}

// lastLap tells whether the running lap is the last one: time was called, or the pool is empty.
func (s *State) lastLap() bool { return s.TimeOver || s.poolLap() }

func (s *State) poolLap() bool { return s.Rules.Exhausted == LastLap && s.poolEmpty() }

// owes reports whether a seat is owed a turn in the last lap (RULES.md section 6). Each seat is owed one turn that
// begins after the pool became empty, but none after the lap in which time was called.
func (s *State) owes(seat int) bool {
	return !s.Out[seat] && !(s.TimeOver && s.Had.Lap[seat]) && !(s.poolLap() && s.Had.Dry[seat])
}

// owed are the seats that have a turn coming after the running one, in the order in which they move. In the last lap that
// may be nobody; before it everybody has.
func (s *State) owed() (seats []int) {
	for i := range s.Seats {
		if seat := (s.Turn.Seat + 1 + i) % s.Seats; s.owes(seat) {
			seats = append(seats, seat)
		}
	}
	return seats
}

// Owed are the seats that are still to move after the running turn, in their order; ok is false while the running lap is
// not the last one.
func (s *State) Owed() (seats []int, ok bool) {
	if s.Phase != PhasePlaying || s.Ending != "" || !s.lastLap() {
		return nil, false
	}
	return s.owed(), true
}

// TurnsLeft is how many turns the game has yet, the running one counted, unless somebody empties the rack; 0: nobody
// knows.
func (s *State) TurnsLeft() int {
	if s.Phase != PhasePlaying && s.Phase != PhaseOver || !s.lastLap() {
		return 0
	}
	return 1 + len(s.owed())
}

// allPassed tells whether all who play have passed one after the other.
func (s *State) allPassed(had Had) bool {
	for seat := range s.Seats {
		if !s.Out[seat] && !had.Passed[seat] {
			return false
		}
	}
	return true
}

// MayRedeal tells whether a seat may ask for a redeal now: its tiles of this deal hold three doubles, nobody has refused
// it, and the window is open.
func (s *State) MayRedeal(seat int) bool {
	switch {
	case !s.Doubles[seat], s.Out[seat], s.Ending != "":
		return false
	case s.Phase != PhaseDealt && s.Phase != PhasePlaying:
		return false
	}
	return !s.redealClosed(seat) && !s.redealRefused(seat)
}

// redealClosed reports whether the seat's window for a redeal has closed.
func (s *State) redealClosed(seat int) bool {
	return s.Phase == PhasePlaying && (s.Rules.Redeal != OwnFirstTurn || s.hadFirst(seat))
}

// redealRefused reports whether an official has refused the seat a redeal of this deal.
func (s *State) redealRefused(seat int) bool {
	return slices.ContainsFunc(s.Rulings, func(r ruled) bool {
		return r.Kind == (RedealRefused{}).Kind() && r.Seat == seat && r.Deal == s.Deal && r.Cancelled == 0
	})
}

// hadFirst tells whether a seat's own first turn has ended.
func (s *State) hadFirst(seat int) bool {
	return s.Had.Turns[seat] > 1 || s.Had.Turns[seat] == 1 && s.Turn.Seat != seat
}

// awaiting are the proposals that no ruling that stands has decided.
func (s *State) awaiting() (waiting []Proposal) {
	for _, p := range s.Proposed {
		if !s.decided(p.Seq) {
			waiting = append(waiting, p)
		}
	}
	return waiting
}

func (s *State) decided(proposal int) bool {
	for _, r := range s.Rulings {
		if r.Proposal == proposal && r.Cancelled == 0 {
			return true
		}
	}
	return false
}
