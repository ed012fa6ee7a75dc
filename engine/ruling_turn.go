package engine

import (
	"slices"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// checkRunning refuses a ruling on a turn that is no longer running.
func (s *State) checkRunning(turn int) error {
	switch {
	case s.Phase != PhasePlaying:
		return refuse(RefusedNotBegun, "the first turn has not begun")
	case s.Ending != "":
		return refuse(RefusedCounting, "the turns have ended, the racks are being counted")
	case s.Turn.Number != turn:
		return refuse(RefusedStaleTurn, "turn %d is over, this is turn %d", turn, s.Turn.Number)
	}
	return nil
}

// SkipTurn ends the current turn without a play.
type SkipTurn struct {
	Grounds
	Turn int
}

// TurnSkipped is a turn that an official ended without a play.
type TurnSkipped struct {
	atSeat
	Said
	Turn  Turn   `json:"turn"`
	Pause *Pause `json:"pause,omitempty"`
}

// Kind returns the event's name in the log.
func (TurnSkipped) Kind() string { return "turn_skipped" }

func (c SkipTurn) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkRunning(c.Turn); err != nil {
		return nil, err
	}
	e := TurnSkipped{atSeat: atSeat{Stamp{at}, s.Turn.Seat}, Said: c.said()}
	turn, end := s.nextTurn(s, true, at)
	e.Turn, e.Pause = turn, s.Paused.forTurn(turn, at)
	return withEnd(e, end), nil
}

func (e TurnSkipped) apply(s State) State {
	s.endTurn(Last{Kind: e.Kind(), Seat: e.Seat}, e.Turn)
	s.pause(e.Pause)
	return s
}

func (e TurnSkipped) behind(s State, _ []Event, _ map[int]State) Command {
	return SkipTurn{Grounds: e.Said.grounds(), Turn: s.Turn.Number}
}

// RuleIllegal rules a turn an illegal play: the table is as it was before the turn, the seat draws this many tiles, and
// the turn ends. Back is nil for the current turn. For a turn that is over it is the state at its start, as returned by
// TurnStart: the game returns there first, as with Rewind.
type RuleIllegal struct {
	Grounds
	Turn, Tiles int
	Back        *State
}

// IllegalRuled is a turn that an official ended as an illegal play.
type IllegalRuled struct {
	Stamp
	Seat  int       `json:"seat"`
	Asked int       `json:"asked"`
	Tiles tile.List `json:"tiles"`
	Count int       `json:"count,omitempty"` // physical: tiles drawn by hand
	Said
	Turn  Turn   `json:"turn"`
	Pause *Pause `json:"pause,omitempty"`
}

// Kind returns the event's name in the log.
func (IllegalRuled) Kind() string { return "illegal_ruled" }

func (c RuleIllegal) decide(s *State, at Millis) ([]Event, error) {
	if c.Back != nil {
		events, err := Rewind{c.Grounds, c.Turn, *c.Back}.decide(s, at)
		if err != nil {
			return nil, err
		}
		start := Apply(*s, events[0])
		ruled, err := RuleIllegal{Grounds: c.Grounds, Turn: start.Turn.Number, Tiles: c.Tiles}.decide(&start, at)
		return append(events, ruled...), err
	}
	if err := s.checkRunning(c.Turn); err != nil {
		return nil, err
	}
	if c.Tiles < 0 || c.Tiles > ruleset.MaxPenaltyTiles {
		return nil, refuse(RefusedAmount, "%d penalty tiles: must be 0 to %d", c.Tiles, ruleset.MaxPenaltyTiles)
	}
	tiles := s.top(c.Tiles)
	after := *s
	after.draw(s.Turn.Seat, tiles)
	count := s.byHand(c.Tiles)
	turn, end := s.nextTurn(&after, len(tiles)+count == 0, at)
	return withEnd(IllegalRuled{Stamp{at}, s.Turn.Seat, c.Tiles, tiles, count, c.said(), turn,
		s.Paused.forTurn(turn, at)},
		end), nil
}

func (e IllegalRuled) tell(r *ruled, _ State) bool {
	r.Seat, r.Tiles, r.Drawn = e.Seat, len(e.Tiles)+e.Count, e.Tiles
	return true
}

func (e IllegalRuled) apply(s State) State {
	s.draw(e.Seat, e.Tiles)
	s.endTurn(Last{Kind: e.Kind(), Seat: e.Seat, Drawn: e.Tiles, Count: e.Count}, e.Turn)
	s.pause(e.Pause)
	return s
}

func (e IllegalRuled) behind(s State, _ []Event, _ map[int]State) Command {
	return RuleIllegal{Grounds: e.Said.grounds(), Turn: s.Turn.Number, Tiles: e.Asked}
}

// RuleLeftovers takes tiles whose place is unknown off the table. Table lists the sets that stay.
type RuleLeftovers struct {
	Grounds
	Seat  int
	Tiles []tile.Face
	Table []tile.LaidFaces
}

// LeftoversRuled takes tiles whose place is unknown off the table. Rack and Pool are the rack and the pool afterwards,
// including these tiles and those drawn in their place.
type LeftoversRuled struct {
	Stamp
	Seat  int        `json:"seat"`
	Tiles tile.List  `json:"tiles"`
	Table tile.Table `json:"table"`
	Rack  tile.List  `json:"rack"`
	Pool  tile.List  `json:"pool"`
	Said
	Turn Turn `json:"turn"`
}

// Kind returns the event's name in the log.
func (LeftoversRuled) Kind() string { return "leftovers_ruled" }

// decide rules on tiles whose place is unknown (engine/RULES.md section 4, leftovers).
func (c RuleLeftovers) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	if s.Phase != PhasePlaying {
		return nil, refuse(RefusedNotBegun, "the first turn has not begun")
	}
	stays, err := validSets(c.Table)
	if err != nil {
		return nil, err
	}
	named, before := tile.CountFaces(c.Tiles), tile.CountFaces(s.Table.Faces()...)
	if named.Total() == 0 || tile.CountFaces(append(stays, c.Tiles)...) != before {
		return nil, refuse(RefusedLeftovers, "the tiles named and the sets that stay are not the table's tiles")
	}
	table, _ := tile.Lay(s.Table, nil, c.Table)
	tiles := missing(s.Table, table)
	e := LeftoversRuled{Stamp: Stamp{at}, Seat: c.Seat, Tiles: tiles, Table: table, Said: c.said(), Turn: s.Turn}
	if s.Rules.Leftovers == ruleset.ToRack {
		e.Rack, e.Pool = slices.Concat(s.Racks[c.Seat], tiles), s.Pool
	} else {
		pool := slices.Concat(s.Pool, tiles)
		e.Rack, e.Pool = slices.Concat(s.Racks[c.Seat], pool[:len(tiles)]), pool[len(tiles):]
	}
	e.Turn.Number++
	return []Event{e}, nil
}

func validSets(table []tile.LaidFaces) ([][]tile.Face, error) {
	sets := make([][]tile.Face, len(table))
	for i, set := range table {
		if !tile.Valid(set.Faces) {
			return nil, &Refusal{Code: judge.CodeInvalidSet, Set: i, Detail: "what stays on the table must be sets"}
		}
		sets[i] = set.Faces
	}
	return sets, nil
}

func missing(before, after tile.Table) tile.List {
	var stays [tile.Count]bool
	for _, laid := range after {
		for _, t := range laid.Tiles {
			stays[t] = true
		}
	}
	var gone tile.List
	for _, laid := range before {
		for _, t := range laid.Tiles {
			if !stays[t] {
				gone = append(gone, t)
			}
		}
	}
	return gone
}

func (e LeftoversRuled) tell(r *ruled, _ State) bool {
	r.Seat, r.Tiles = e.Seat, len(e.Tiles)
	return true
}

func (e LeftoversRuled) apply(s State) State {
	s.Table, s.Racks[e.Seat], s.Pool, s.Turn = e.Table, e.Rack, e.Pool, e.Turn
	if s.Rules.Leftovers == ruleset.ToPool { // the tiles were in the pool, even if it is empty again
		s.Had.Dry = [ruleset.MaxSeats]bool{}
	}
	s.Actions.add(Last{Kind: e.Kind(), Seat: e.Seat, Played: e.Tiles}, s.Seats)
	return s
}

func (e LeftoversRuled) behind(State, []Event, map[int]State) Command {
	return RuleLeftovers{Grounds: e.Said.grounds(), Seat: e.Seat, Tiles: tile.FacesOf(e.Tiles), Table: e.Table.Laid()}
}
