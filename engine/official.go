package engine

import (
	"slices"
	"strings"
	"time"

	"meldhall/engine/tile"
)

// decideOfficial decides what referees rule.
func decideOfficial(s State, c Command, at Millis) ([]Event, error) {
	switch c := c.(type) {
	case AcknowledgeCall:
		return decideAcknowledge(s, c, at)
	case AnswerCall:
		return decideAnswer(s, c, at)
	case PauseClock:
		return decidePause(s, c, at)
	case Resume:
		if s.Paused == nil {
			return nil, refuse(RefusedNotPaused, "the clock is running")
		}
		return []Event{GameResumed{Stamp{at}, s.resumedTurn(at)}}, nil
	case GiveTime:
		return decideTime(s, c, at)
	case Penalise:
		return decidePenalty(s, c, at)
	case CallTime:
		return decideCallTime(s, c, at)
	case RuleLeftovers:
		return decideLeftovers(s, c, at)
	}
	panic("engine: unknown command")
}

func decidePause(s State, c PauseClock, at Millis) ([]Event, error) {
	if s.Paused != nil && s.Paused.Why == PausedByReferee {
		return nil, refuse(RefusedPaused, "the clock is stopped already")
	}
	pause := Pause{Why: PausedByReferee, Reason: strings.TrimSpace(c.Reason)}
	switch {
	case s.Paused != nil:
		pause.Left = s.Paused.Left
	case s.Turn.Due != 0:
		pause.Left = max(s.Turn.Due-at, 0)
	}
	return []Event{GamePaused{Stamp{at}, pause}}, nil
}

func decideTime(s State, c GiveTime, at Millis) ([]Event, error) {
	if c.Seconds == 0 || c.Seconds < -maxTurnSeconds || c.Seconds > maxTurnSeconds {
		return nil, refuse(RefusedAmount, "%d seconds", c.Seconds)
	}
	if s.Turn.Due == 0 {
		return nil, refuse(RefusedNoLimit, "this turn has no limit")
	}
	given := Millis(time.Duration(c.Seconds) * time.Second / time.Millisecond)
	e := TimeGiven{Stamp: Stamp{at}, Seconds: c.Seconds, Reason: strings.TrimSpace(c.Reason), Turn: s.Turn}
	e.Turn.Due = max(e.Turn.Due+given, at)
	if s.Paused != nil {
		pause := *s.Paused
		pause.Left = max(pause.Left+given, 0)
		e.Pause = &pause
	}
	return []Event{e}, nil
}

// decidePenalty lets a seat draw tiles. If that takes the pool's last tile while another seat plays,
// everybody has one more turn after the running one.
func decidePenalty(s State, c Penalise, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	if c.Tiles < 1 || c.Tiles > maxPenaltyTiles {
		return nil, refuse(RefusedAmount, "%d penalty tiles: 1 to %d", c.Tiles, maxPenaltyTiles)
	}
	if strings.TrimSpace(c.Reason) == "" {
		return nil, refuse(RefusedReason, "a penalty needs a reason")
	}
	if s.Phase == PhaseDealt {
		return nil, refuse(RefusedNotBegun, "the first turn has not begun")
	}
	tiles := s.top(c.Tiles)
	turn := s.Turn
	if len(tiles) > 0 && len(tiles) == len(s.Pool) && s.Rules.Exhausted == LastLap {
		turn.Left = fewer(turn.Left, s.Seats+1)
	}
	return []Event{PenaltyGiven{Stamp{at}, c.Seat, tiles, s.byHand(c.Tiles), strings.TrimSpace(c.Reason), turn}}, nil
}

// decideCallTime makes the running lap the last: it ends with the seat before the starter, so that
// all have had equally many turns (rules.md section 6).
func decideCallTime(s State, c CallTime, at Millis) ([]Event, error) {
	if s.Phase != PhasePlaying {
		return nil, refuse(RefusedNotBegun, "the first turn has not begun")
	}
	turn := s.Turn
	turn.Left = fewer(turn.Left, s.Seats-(s.Turn.Seat-s.Starter+s.Seats)%s.Seats)
	return []Event{TimeCalled{Stamp{at}, strings.TrimSpace(c.Reason), turn}}, nil
}

// decideLeftovers rules on tiles whose place nobody knows (rules.md section 4, leftovers).
func decideLeftovers(s State, c RuleLeftovers, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	if strings.TrimSpace(c.Reason) == "" {
		return nil, refuse(RefusedReason, "a ruling needs a reason")
	}
	if s.Phase != PhasePlaying {
		return nil, refuse(RefusedNotBegun, "the first turn has not begun")
	}
	stays := make([][]tile.Face, len(c.Table))
	for i, set := range c.Table {
		if !tile.Valid(set.Faces) {
			return nil, &Refusal{Code: CodeInvalidSet, Set: i, Detail: "what stays on the table must be sets"}
		}
		stays[i] = set.Faces
	}
	named, before := tile.CountFaces(c.Tiles), tile.CountFaces(s.Table.Faces()...)
	if named.Total() == 0 || tile.CountFaces(append(stays, c.Tiles)...) != before {
		return nil, refuse(RefusedLeftovers, "the tiles named and the sets that stay are not the table's tiles")
	}
	table, _ := lay(s.Table, nil, c.Table)
	tiles := missing(s.Table, table)
	e := LeftoversRuled{Stamp: Stamp{at}, Seat: c.Seat, Tiles: tiles, Table: table, Reason: strings.TrimSpace(c.Reason), Turn: s.Turn}
	if s.Rules.Leftovers == ToRack {
		e.Rack, e.Pool = slices.Concat(s.Racks[c.Seat], tiles), s.Pool
	} else {
		pool := slices.Concat(s.Pool, tiles)
		e.Rack, e.Pool = slices.Concat(s.Racks[c.Seat], pool[:len(tiles)]), pool[len(tiles):]
	}
	e.Turn.Number++
	return []Event{e}, nil
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
