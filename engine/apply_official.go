package engine

import (
	"slices"

	"meldhall/engine/tile"
)

// ruled applies what officials and the clock brought about.
func (s *State) ruled(e Event) {
	switch e := e.(type) {
	case GamePaused:
		s.pause(&e.Pause)
	case ResumeSet:
		s.pause(&e.Pause)
	case GameResumed:
		s.Paused, s.Turn = nil, e.Turn
	case TimeGiven:
		s.Turn = e.Turn
		s.pause(e.Pause)
	case TimeCalled:
		s.TimeOver, s.Turn = true, e.Turn
	case PenaltyProposed:
		s.Proposals = append(slices.Clip(s.Proposals), Proposal{s.Seq, e.Seat, e.Tiles, e.Cause, e.At})
	case PenaltyWaived:
		s.decided(e.Proposal)
	case NoticeGiven:
		s.decided(e.Proposal)
	case PenaltyGiven:
		s.draw(e.Seat, e.Tiles)
		s.Turn = e.Turn
		s.Last = Last{Kind: e.Kind(), Seat: e.Seat, Drawn: e.Tiles, Count: e.Count}
		s.decided(e.Proposal)
		s.countPenalties()
	case WarningGiven:
		s.Warnings[e.Seat]++
	case RefereeCalled:
		s.Calls[e.Seat] = Call{Since: e.At}
	case CallAcknowledged:
		s.Calls[e.Seat].Coming, s.Calls[e.Seat].By = e.At, e.By
	case CallAnswered:
		s.Calls[e.Seat].Answered, s.Calls[e.Seat].By = e.At, e.By
	case RulingCancelled:
		s.cancelled(e)
	default:
		s.ruledTurn(e)
	}
}

// ruledTurn applies what changes whose turn it is, or what lies where.
func (s *State) ruledTurn(e Event) {
	switch e := e.(type) {
	case TurnSkipped:
		s.endTurn(Last{Kind: e.Kind(), Seat: e.Seat}, e.Turn)
		s.pause(e.Pause)
	case IllegalRuled:
		s.draw(e.Seat, e.Tiles)
		s.endTurn(Last{Kind: e.Kind(), Seat: e.Seat, Drawn: e.Tiles, Count: e.Count}, e.Turn)
		s.pause(e.Pause)
	case LeftoversRuled:
		s.Table, s.Racks[e.Seat], s.Pool, s.Turn = e.Table, e.Rack, e.Pool, e.Turn
		s.Last = Last{Kind: e.Kind(), Seat: e.Seat, Played: e.Tiles}
	case RedealGranted:
		s.Last = Last{Kind: e.Kind(), Seat: e.Seat}
		s.pause(e.Pause)
	case RedealRefused:
		s.MayRedeal[e.Seat] = false
	case SeatForfeited:
		s.Out[e.Seat], s.MayRedeal[e.Seat] = true, false
		if e.Turn.Number != s.Turn.Number {
			s.endTurn(Last{Kind: e.Kind(), Seat: e.Seat}, e.Turn)
		} else {
			s.Turn, s.Last = e.Turn, Last{Kind: e.Kind(), Seat: e.Seat}
		}
		s.pause(e.Pause)
	case Rewound:
		s.rewound(e)
	case PositionSet:
		s.lies(e.Position)
		s.takeTurn(e.Turn)
		s.Last = Last{Kind: e.Kind(), Seat: e.Turn.Seat}
		s.pause(e.Pause)
	default:
		panic("engine: apply: unknown event " + e.Kind())
	}
}

// pause stops the clock so, nil leaving it as it is.
func (s *State) pause(p *Pause) {
	if p != nil {
		pause := *p
		s.Paused = &pause
	}
}

// decided forgets a proposal that an official has decided, 0 for none.
func (s *State) decided(proposal int) {
	if proposal != 0 {
		s.Proposals = slices.DeleteFunc(slices.Clone(s.Proposals), func(p Proposal) bool { return p.Seq == proposal })
	}
}

// lies puts all tiles where they are.
func (s *State) lies(p Position) {
	s.Table, s.Racks, s.Pool, s.PoolEmpty, s.Ending = p.Table, racksOf(p.Racks), p.Pool, p.PoolEmpty, ""
	s.Opened, s.Able, s.MayRedeal = seatsOf(p.Opened), seatsOf(p.Able), [MaxSeats]bool{}
}

func (s *State) rewound(e Rewound) {
	s.lies(e.Position)
	for _, seq := range e.Undone {
		s.amend(seq, func(r *ruled) { r.Cancelled = s.Seq })
	}
	for _, again := range e.Redrawn {
		s.amend(again.Of, func(r *ruled) { r.Drawn, r.Tiles = again.Tiles, len(again.Tiles) })
	}
	s.countPenalties()
	s.takeTurn(e.Turn)
	s.Last = Last{Kind: e.Kind(), Seat: e.Turn.Seat}
	s.pause(e.Pause)
}

func (s *State) cancelled(e RulingCancelled) {
	of, _ := s.ruling(e.Of)
	s.amend(e.Of, func(r *ruled) { r.Cancelled = s.Seq })
	s.Turn = e.Turn
	s.pause(e.Pause)
	switch of.Kind {
	case PenaltyGiven{}.Kind():
		s.Racks[e.Seat] = slices.DeleteFunc(slices.Clone(s.Racks[e.Seat]), func(t tile.Tile) bool { return slices.Contains(e.Tiles, t) })
		s.Pool = slices.Concat(s.Pool, e.Tiles)
		s.Last = Last{Kind: e.Kind(), Seat: e.Seat}
		s.countPenalties()
	case WarningGiven{}.Kind():
		s.Warnings[e.Seat]--
	case TimeCalled{}.Kind():
		s.TimeOver = false
	case SeatForfeited{}.Kind():
		s.Out[e.Seat] = false
	case RedealRefused{}.Kind():
		s.MayRedeal[e.Seat] = e.MayRedeal
	}
}
