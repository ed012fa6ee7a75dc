package engine

import (
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// A physical game is played with real tiles. The engine keeps the turns, the clock and the penalties, but knows no
// tiles until the racks are counted (racks.go). A turn ends when a player or an official reports it. Penalties are
// counts, drawn by hand. When the last turn has ended, or a rack is declared empty, play is over and the racks are to
// be counted; State.Ending says why. The game itself ends with the count.

// NoStarter is a physical game's starter until the starter is entered.
const NoStarter = -1

// Everybody is the seat of a Ready for the whole table. It is allowed at physical tables only, where one tablet may
// serve all players.
const Everybody = wholeTable

// Booked is an entry of a physical game's penalty book: the tiles that a seat was to draw by hand, and why.
type Booked struct {
	Seq    int    `json:"seq"`
	At     Millis `json:"at"`
	Turn   int    `json:"turn" doc:"the number of its turn"`
	Seat   int    `json:"seat"`
	Kind   string `json:"kind" doc:"the event's kind: turn_expired, penalty_given, …"`
	Tiles  int    `json:"tiles" doc:"0: an empty pool, a notice or a warning; negative: tiles to put back"`
	Reason string `json:"reason,omitempty"`
}

// ChooseStarter enters the starter, as drawn at the real table. It may be entered again until the first turn begins.
type ChooseStarter struct{ Seat int }

// EndTurn ends a turn of a physical game. Opened says that the seat has laid its initial meld. Passed says that it
// neither laid nor drew a tile, because the pool is empty. Out says that its rack is empty, which ends play.
type EndTurn struct {
	Seat, Turn          int
	Opened, Passed, Out bool
}

// PoolEmptied says that a seat has drawn the pool's last tile, in the current turn or before it.
type PoolEmptied struct{ Seat int }

// The events of physical games only.
type (
	// StarterChosen says who begins.
	StarterChosen struct {
		Stamp
		Seat int `json:"seat"`
	}
	// TurnEnded is the end of a turn, as a player or an official reported it.
	TurnEnded struct {
		Stamp
		Seat   int    `json:"seat"`
		Opened bool   `json:"opened,omitempty"`
		Passed bool   `json:"passed,omitempty"`
		Out    bool   `json:"out,omitempty"`
		Late   Millis `json:"late,omitempty"`
		Turn   Turn   `json:"turn"`
	}
	// PoolRanOut says that the pool is empty. Since lists the seats that have begun a turn since then.
	PoolRanOut struct {
		Stamp
		Seat  int   `json:"seat"`
		Since []int `json:"since,omitempty"`
		Turn  Turn  `json:"turn"`
	}
	// PlayEnded is the end of play: the racks are to be counted.
	PlayEnded struct {
		Stamp
		Why string `json:"why"`
	}
)

// Kind returns the event's name in the log.
func (StarterChosen) Kind() string { return "starter_chosen" }

func (TurnEnded) Kind() string { return "turn_ended" }

func (PoolRanOut) Kind() string { return "pool_emptied" }

func (PlayEnded) Kind() string { return "play_ended" }

// checkKind refuses commands about tiles at a physical table, and commands for physical tables in a tablet game.
func (s *State) checkKind(c Command) error {
	digital := false
	switch c.(type) {
	case Play, Draw, Pass, Redeal:
		digital = true
	case ruling:
		digital = kindOf(c).Digital
	case ChooseStarter, EndTurn, PoolEmptied, CountRacks:
		if !s.Physical {
			return refuse(RefusedDigital, "this table's tiles are on the tablets")
		}
	}
	if digital && s.Physical {
		return refuse(RefusedPhysical, "this table plays with real tiles")
	}
	return nil
}

func (c ChooseStarter) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	switch {
	case s.Phase != PhaseDealt:
		return nil, refuse(RefusedStaleTurn, "the first turn has begun")
	case s.Edition > 0 && s.Ending != "":
		return nil, refuse(RefusedCounting, "the turns have ended, the racks are being counted")
	}
	return []Event{StarterChosen{Stamp{at}, c.Seat}}, nil
}

func (c EndTurn) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkTurn(c.Seat, c.Turn); err != nil {
		return nil, err
	}
	if c.Passed && !s.PoolEmpty {
		return nil, refuse(RefusedPoolNotEmpty, "the pool is not empty: play or draw")
	}
	if c.Passed && (c.Opened || c.Out) {
		return nil, refuse(RefusedPassed, "no tiles can be laid in a turn that was passed")
	}
	e := TurnEnded{Stamp: Stamp{at}, Seat: c.Seat, Opened: (c.Opened || c.Out) && !s.Opened[c.Seat], Passed: c.Passed,
		Out: c.Out, Late: late(s, at), Turn: s.Turn}
	if c.Out {
		return withEnd(e, s.ends(ruleset.EndedEmptied)), nil
	}
	turn, end := s.nextTurn(s, c.Passed, at)
	e.Turn = turn
	return withEnd(e, end), nil
}

func (c PoolEmptied) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	switch {
	case s.Phase != PhasePlaying:
		return nil, refuse(RefusedNotBegun, "the first turn has not begun")
	case s.Ending != "":
		return nil, refuse(RefusedCounting, "the racks are being counted")
	case s.Out[c.Seat]:
		return nil, refuse(RefusedSeatOut, "seat %d is no longer playing", c.Seat)
	case s.PoolEmpty:
		return nil, refuse(RefusedPoolEmpty, "the pool is empty already")
	}
	return []Event{PoolRanOut{Stamp{at}, c.Seat, s.movedSince(c.Seat), s.Turn}}, nil
}

// byHand returns how many of the penalty tiles must be drawn by hand: all of them, or none once the pool is empty. It
// returns 0 in a tablet game, where the events name the tiles.
func (s *State) byHand(tiles int) int {
	if !s.Physical || s.PoolEmpty {
		return 0
	}
	return tiles
}

// poolEmpty reports whether the pool is empty.
func (s *State) poolEmpty() bool {
	if s.Physical {
		return s.PoolEmpty
	}
	return len(s.Pool) == 0
}

// handled applies the events that only physical games have, and reports whether e was one of them.
func (s *State) handled(e Event) bool {
	switch e := e.(type) {
	case StarterChosen:
		s.Starter, s.Turn.Seat = e.Seat, e.Seat
	case TurnEnded:
		s.Opened[e.Seat] = s.Opened[e.Seat] || e.Opened
		s.endTurn(Last{Kind: e.Kind(), Seat: e.Seat}, e.Turn)
	case PoolRanOut:
		s.PoolEmpty, s.Turn = true, e.Turn
		if s.Edition == 0 {
			e.Since = s.movedSince(e.Seat)
		}
		for _, seat := range e.Since { // they have had their turn of the last lap
			s.Had.Dry[seat] = true
		}
		s.Actions.add(Last{Kind: e.Kind(), Seat: e.Seat}, s.Seats)
	case PlayEnded:
		s.Ending, s.Paused, s.Turn.Due = e.Why, nil, 0
	case RacksCounted:
		s.Racks, s.Opened, s.Able = racksOf(e.Racks), seatsOf(e.Opened), seatsOf(e.Able)
		s.Ending, s.Paused, s.Turn.Due = e.Why, nil, 0
	default:
		return false
	}
	return true
}

// movedSince returns the seats that have begun a turn after a seat drew the pool's last tile, in the current turn or in
// its own last one.
func (s *State) movedSince(seat int) (seats []int) {
	for i := range (s.Turn.Seat - seat + s.Seats) % s.Seats {
		seats = append(seats, (seat+1+i)%s.Seats)
	}
	return seats
}

// book records in the penalty book what a seat is to draw by hand. The cancellation of a ruling is recorded if the
// ruling cost tiles.
func (s *State) book(e Event) {
	b := Booked{Seq: s.Seq, At: e.When(), Turn: s.Turn.Number, Kind: e.Kind()}
	if expired, ok := e.(TurnExpired); ok {
		b.Seat, b.Tiles = expired.Seat, expired.Count
	} else if r := RulingOf(e); kindsByEvent[r.Kind].Booked {
		b.Seat, b.Tiles, b.Reason = r.Seat, r.Tiles, r.Reason
		if r.Of != 0 {
			of, _ := s.Rulings.find(r.Of)
			if b.Tiles = -of.Tiles; b.Tiles == 0 {
				return
			}
		}
	} else {
		return
	}
	s.Book = append(s.Book[:len(s.Book):len(s.Book)], b)
}

// checkPhysical is Check for a physical game: there are no tiles before the count, and no tile appears twice after it.
func checkPhysical(s *State) error {
	if len(s.Table) > 0 || len(s.Pool) > 0 {
		return errTilesUnknown
	}
	var seen [tile.Count]bool
	for _, rack := range s.Racks {
		for _, t := range rack {
			if int(t) >= tile.Count || seen[t] || s.Ending == "" {
				return errTilesUnknown
			}
			seen[t] = true
		}
	}
	return nil
}
