package engine

import "meldhall/engine/ruleset"

// Had says which seats have had which turns in the current history. A rewind restores it together with the tiles.
type Had struct {
	Turns  [ruleset.MaxSeats]int  `json:"turns"`  // turns begun by each seat
	Lap    [ruleset.MaxSeats]bool `json:"lap"`    // has begun a turn in the current lap
	Dry    [ruleset.MaxSeats]bool `json:"dry"`    // has begun a turn since the pool became empty
	Passed [ruleset.MaxSeats]bool `json:"passed"` // has passed with an empty pool since a tile was last laid
}

// begins records that a seat begins a turn: in the current lap, or in a new one if it has already begun a turn there.
func (h *Had) begins(seat int) {
	if h.Lap[seat] {
		h.Lap = [ruleset.MaxSeats]bool{}
	}
	h.Lap[seat], h.Dry[seat] = true, true
	h.Turns[seat]++
}

// passes records whether a seat's turn was a pass. next is the turn that follows it.
func (h *Had) passes(seat int, next Turn) {
	if next.Passes == 0 {
		h.Passed = [ruleset.MaxSeats]bool{}
		return
	}
	h.Passed[seat] = true
}

// allPassed reports whether all seats that still play have passed in a row.
func (h *Had) allPassed(s *State) bool {
	for seat := range s.Seats {
		if !s.Out[seat] && !h.Passed[seat] {
			return false
		}
	}
	return true
}

// first reports whether a seat's own first turn has ended. running is the seat whose turn is running.
func (h *Had) first(seat, running int) bool {
	return h.Turns[seat] > 1 || h.Turns[seat] == 1 && running != seat
}

// lastLap reports whether the current lap is the last one: time was called, or the pool is empty under the rule
// last_lap.
func (s *State) lastLap() bool { return s.TimeOver || s.poolLap() }

func (s *State) poolLap() bool { return s.Rules.Exhausted == ruleset.LastLap && s.poolEmpty() }

// owes reports whether a seat that still plays is owed another turn (engine/RULES.md section 6). It is owed none if it
// has begun a turn in the lap in which time was called or, under last_lap, since the pool became empty.
func (s *State) owes(seat int) bool {
	return !s.Out[seat] && !(s.TimeOver && s.Had.Lap[seat]) && !(s.poolLap() && s.Had.Dry[seat])
}

// owed returns the seats that have a turn after the current one, in the order in which they move. In the last lap there
// may be none; before it, all seats that still play have one.
func (s *State) owed() (seats []int) {
	for i := range s.Seats {
		if seat := (s.Turn.Seat + 1 + i) % s.Seats; s.owes(seat) {
			seats = append(seats, seat)
		}
	}
	return seats
}

// Owed returns the seats that still move after the current turn, in their order. ok is false if the current lap is not
// the last one.
func (s *State) Owed() (seats []int, ok bool) {
	if s.Phase != PhasePlaying || s.Ending != "" || !s.lastLap() {
		return nil, false
	}
	return s.owed(), true
}

// TurnsLeft returns the number of turns left, including the current one, provided that no player empties the rack
// first. It returns 0 if the number is unknown.
func (s *State) TurnsLeft() int {
	if s.Phase != PhasePlaying && s.Phase != PhaseOver || !s.lastLap() {
		return 0
	}
	return 1 + len(s.owed())
}

// moves returns the seat that moves after s.Turn or, if the last lap ends with that turn, how the game ends.
func (s *State) moves() (seat int, ending string) {
	if !s.lastLap() {
		return s.seatAfter(s.Turn.Seat), ""
	}
	if owed := s.owed(); len(owed) > 0 {
		return owed[0], ""
	}
	if s.TimeOver {
		return 0, ruleset.EndedTimeCalled
	}
	return 0, ruleset.EndedLastLap
}
