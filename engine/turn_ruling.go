package engine

import (
	"slices"

	"meldhall/engine/tile"
)

// decideTurnRuling decides the rulings that end a turn, deal anew, or change what lies where.
func decideTurnRuling(s State, c Command, said Said, at Millis) ([]Event, error) {
	switch c := c.(type) {
	case SkipTurn:
		return decideSkip(s, c, said, at)
	case RuleIllegal:
		return decideIllegalRuling(s, c, said, at)
	case RuleLeftovers:
		return decideLeftovers(s, c, said, at)
	case GrantRedeal:
		return decideGrant(s, c, said, at)
	case RefuseRedeal:
		return decideRefuseRedeal(s, c, said, at)
	case ForfeitSeat:
		return decideForfeit(s, c, said, at)
	case Rewind:
		return decideRewind(s, c, said, at)
	}
	panic("engine: unknown command")
}

// checkRunning refuses a ruling on a turn that is no longer the running one (faults.md 34).
func (s State) checkRunning(turn int) error {
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

func decideSkip(s State, c SkipTurn, said Said, at Millis) ([]Event, error) {
	if err := s.checkRunning(c.Turn); err != nil {
		return nil, err
	}
	e := TurnSkipped{Stamp: Stamp{at}, Seat: s.Turn.Seat, Said: said}
	turn, end := s.nextTurn(s, true, at)
	e.Turn, e.Pause = turn, s.stopped(turn, at)
	return withEnd(e, end), nil
}

func decideIllegalRuling(s State, c RuleIllegal, said Said, at Millis) ([]Event, error) {
	if err := s.checkRunning(c.Turn); err != nil {
		return nil, err
	}
	if c.Tiles < 0 || c.Tiles > maxPenaltyTiles {
		return nil, refuse(RefusedAmount, "%d penalty tiles: 0 to %d", c.Tiles, maxPenaltyTiles)
	}
	tiles := s.top(c.Tiles)
	after := s
	after.draw(s.Turn.Seat, tiles)
	count := s.byHand(c.Tiles)
	turn, end := s.nextTurn(after, len(tiles)+count == 0, at)
	return withEnd(IllegalRuled{Stamp{at}, s.Turn.Seat, c.Tiles, tiles, count, said, turn, s.stopped(turn, at)}, end), nil
}

// decideLeftovers rules on tiles whose place nobody knows (rules.md section 4, leftovers).
func decideLeftovers(s State, c RuleLeftovers, said Said, at Millis) ([]Event, error) {
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
	table, _ := lay(s.Table, nil, c.Table)
	tiles := missing(s.Table, table)
	e := LeftoversRuled{Stamp: Stamp{at}, Seat: c.Seat, Tiles: tiles, Table: table, Said: said, Turn: s.Turn}
	if s.Rules.Leftovers == ToRack {
		e.Rack, e.Pool = slices.Concat(s.Racks[c.Seat], tiles), s.Pool
	} else {
		pool := slices.Concat(s.Pool, tiles)
		e.Rack, e.Pool = slices.Concat(s.Racks[c.Seat], pool[:len(tiles)]), pool[len(tiles):]
	}
	e.Turn.Number++
	return []Event{e}, nil
}

func validSets(table []LaidFaces) ([][]tile.Face, error) {
	sets := make([][]tile.Face, len(table))
	for i, set := range table {
		if !tile.Valid(set.Faces) {
			return nil, &Refusal{Code: CodeInvalidSet, Set: i, Detail: "what stays on the table must be sets"}
		}
		sets[i] = set.Faces
	}
	return sets, nil
}

func missing(before, after Table) tile.List {
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

// decideGrant deals anew because an official says so; nobody may have laid a tile yet.
func decideGrant(s State, c GrantRedeal, said Said, at Millis) ([]Event, error) {
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
	return []Event{RedealGranted{Stamp{at}, c.Seat, said, s.stopped(dealt.Turn, at)}, dealt}, nil
}

func decideRefuseRedeal(s State, c RefuseRedeal, said Said, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	if !s.MayRedeal[c.Seat] {
		return nil, refuse(RefusedNoDoubles, "seat %d has no right to a redeal", c.Seat)
	}
	return []Event{RedealRefused{Stamp{at}, c.Seat, said}}, nil
}

// decideForfeit lets a seat play no more. If its turn was running the next one begins; the last seat that still
// plays has won.
func decideForfeit(s State, c ForfeitSeat, said Said, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	switch {
	case s.Out[c.Seat]:
		return nil, refuse(RefusedSeatOut, "seat %d plays no more", c.Seat)
	case s.Ending != "":
		return nil, refuse(RefusedCounting, "the turns have ended, the racks are being counted")
	}
	e := SeatForfeited{Stamp: Stamp{at}, Seat: c.Seat, Disqualified: c.Disqualified, Said: said, Turn: s.Turn}
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
