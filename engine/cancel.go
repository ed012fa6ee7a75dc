package engine

import (
	"slices"

	"meldhall/engine/tile"
)

// decideCancel takes a ruling back, as far as the game has not gone on from it.
func decideCancel(s State, c CancelRuling, said Said, at Millis) ([]Event, error) {
	of, ok := s.ruling(c.Of)
	if !ok || of.Cancelled != 0 {
		return nil, refuse(RefusedNoRuling, "no ruling of seq %d stands", c.Of)
	}
	e := RulingCancelled{Stamp: Stamp{at}, Of: c.Of, Seat: of.Seat, Said: said, Turn: s.Turn}
	switch of.Kind {
	case NoticeGiven{}.Kind(), WarningGiven{}.Kind(), PenaltyWaived{}.Kind():
	case PenaltyGiven{}.Kind():
		for _, t := range of.Drawn {
			if slices.Contains(s.Racks[of.Seat], t) {
				e.Tiles = append(e.Tiles, t)
			}
		}
		if !s.Physical && len(e.Tiles) == len(s.Racks[of.Seat]) {
			return nil, refuse(RefusedCancelLate, "that would empty the rack: rewind instead")
		}
	case TimeGiven{}.Kind():
		if of.Turn != s.Turn.Number || s.Turn.Due == 0 {
			return nil, refuse(RefusedCancelLate, "the turn of seq %d is over", c.Of)
		}
		e.Turn, e.Pause = s.longer(-of.Seconds, at)
	case TimeCalled{}.Kind():
		left, ok := s.leftUncalled(of)
		if !ok {
			return nil, refuse(RefusedCancelLate, "the last lap runs for another reason by now")
		}
		e.Turn.Left = left
	case SeatForfeited{}.Kind():
		if s.Turn.Left > 0 {
			return nil, refuse(RefusedCancelLate, "the last lap is running: rewind instead")
		}
	case RedealRefused{}.Kind():
		if s.Phase != PhaseDealt || of.Turn != s.Turn.Number {
			return nil, refuse(RefusedCancelLate, "the first turn has begun")
		}
		e.MayRedeal = Doubles(tile.FacesOf(s.Racks[of.Seat])) >= 3
	default:
		return nil, refuse(RefusedCancelLate, "%s is taken back by rewinding", of.Kind)
	}
	return []Event{e}, nil
}

// leftUncalled is how many turns are left without time having been called; ok is false where the lap is the last one
// for another reason that came meanwhile.
func (s State) leftUncalled(of ruled) (left int, ok bool) {
	if of.Left == 0 {
		return 0, !s.poolEmpty() || s.Rules.Exhausted != LastLap
	}
	gone := s.Turn.Number - of.Turn // every ruling and turn since then counts; it may only make the lap shorter
	return max(of.Left-gone, s.Turn.Left), true
}
