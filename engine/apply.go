package engine

import (
	"slices"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// Apply returns the state after event e. It contains no rules and cannot fail, because the event carries every outcome.
// It panics on an event that is not of this package.
func Apply(s State, e Event) State {
	s.Follow(e)
	return s
}

// Follow applies e to s in place.
func (s *State) Follow(e Event) {
	pool, ranOut := s.Pool, s.PoolEmpty
	if ruling, ok := e.(rulingEvent); ok {
		s.rule(ruling)
	}
	s.Seq++
	s.At = e.When()
	if s.Physical {
		s.book(e)
	}
	if !s.turned(e) {
		s.begun(e)
	}
	s.Turn.Left = 0
	if !s.poolEmpty() {
		s.Had.Dry = [ruleset.MaxSeats]bool{}
	}
	if ranOut != s.PoolEmpty || !slices.Equal(pool, s.Pool) {
		s.PoolSince = s.Seq
	}
	s.pooled(e)
}

// turned applies the events that end most turns, and reports whether e was one of them.
func (s *State) turned(e Event) bool {
	switch e := e.(type) {
	case TilesPlayed:
		s.Actions.Before = s.Table
		s.Table, s.Racks[e.Seat], s.Opened[e.Seat] = e.Table, e.Rack, true
		s.endTurn(Last{Kind: e.Kind(), Seat: e.Seat, Played: e.Played, Points: e.Points}, e.Turn)
	case TileDrawn:
		s.draw(e.Seat, e.Tile)
		s.endTurn(Last{Kind: e.Kind(), Seat: e.Seat, Drawn: e.Tile}, e.Turn)
	case TurnPassed:
		s.endTurn(Last{Kind: e.Kind(), Seat: e.Seat}, e.Turn)
	default:
		return false
	}
	return true
}

// begun applies the start of a game and other events rarer than turns. It is separate from turned because it needs more
// stack.
func (s *State) begun(e Event) {
	switch e := e.(type) {
	case GameStarted:
		s.Phase, s.Rules, s.Seats, s.Draws, s.Starter, s.Edition = PhaseDealt, e.Rules, e.Seats, e.Draws, e.Starter,
			e.Edition
		copy(s.Extra[:], e.Extra)
		if s.Physical = e.Physical; s.Physical {
			s.Turn = Turn{Seat: max(e.Starter, 0), Started: e.At}
		}
	case TilesDealt:
		s.dealt(e)
	case RedealAsked:
		s.Actions.add(Last{Kind: e.Kind(), Seat: e.Seat}, s.Seats)
	case SeatReady:
		s.Ready[e.Seat] = true
	case PlayBegan:
		s.Phase, s.Paused = PhasePlaying, nil
		s.takeTurn(e.Turn)
	case TurnExpired:
		last := Last{Kind: e.Kind(), Seat: e.Seat, Drawn: e.Tiles, Count: e.Count, Seq: s.Seq, Kept: !e.Disturbed}
		n, _ := s.timeoutCosts(e.Disturbed)
		last.Dry = n > 0 && s.poolEmpty()
		s.draw(e.Seat, e.Tiles)
		s.endTurn(last, e.Turn)
	case IllegalPlayed:
		last := Last{Kind: e.Kind(), Seat: e.Seat, Drawn: e.Tiles, Code: e.Code, Seq: s.Seq,
			Kept: e.Code == judge.CodeNothingPlayed}
		last.Dry = s.Rules.IllegalTiles > 0 && s.poolEmpty()
		s.draw(e.Seat, e.Tiles)
		s.endTurn(last, e.Turn)
	case GameEnded:
		end := e.End
		s.Phase, s.End, s.Paused = PhaseOver, &end, nil
	default:
		if !s.handled(e) {
			s.noted(e)
		}
	}
}

// pooled sets PoolSince from a rewind that stores the last change of the pool. It is not part of Follow, because every
// turn needs the stack of Follow.
//
//go:noinline
func (s *State) pooled(e Event) {
	if back, ok := e.(Rewound); ok && back.Had != nil {
		s.PoolSince = back.Pooled
	}
}

func (s *State) dealt(e TilesDealt) {
	*s = State{
		Seq: s.Seq, Edition: s.Edition, At: s.At, Phase: PhaseDealt, Rules: s.Rules, Seats: s.Seats, Draws: s.Draws,
		Starter: s.Starter,
		Deal:    s.Deal + 1, Commitment: e.Commitment, Salt: e.Deal.Salt, Order: e.Order, DrawOrder: e.Deal.Draws,
		Joint: e.Deal.Joint,
		Pool:  e.Pool, Racks: racksOf(e.Racks), Doubles: seatsOf(e.MayRedeal), Turn: e.Turn,
		Actions: Actions{Newest: s.Actions.Newest}, Calls: s.Calls, Paused: s.Paused, TimeOver: s.TimeOver,
		Extra:   s.Extra,
		Rulings: Rulings{All: s.Rulings.All, TurnsSince: s.Rulings.TurnsSince}, Out: s.Out,
	}
}

func (s *State) endTurn(last Last, next Turn) {
	s.Had.passes(last.Seat, next)
	s.Actions.add(last, s.Seats)
	s.Actions.Since[last.Seat] = Since{Table: s.Table, Did: 1}
	s.Rulings.TurnsSince++
	s.Calls.forgetAnswered()
	s.takeTurn(next)
}

// takeTurn begins a turn. An event that ended the game repeats the turn before it, which does not begin again.
func (s *State) takeTurn(turn Turn) {
	if turn.Number != s.Turn.Number {
		s.Had.begins(turn.Seat)
	}
	s.Turn = turn
	s.Able[turn.Seat] = s.Able[turn.Seat] || turn.Able
}

// rule records an official's ruling before it is applied.
func (s *State) rule(e rulingEvent) {
	if r := rulingIn(*s, e); r.Kind != "" {
		s.Rulings.add(r)
	}
}

// noted applies proposals and calls. Rulings apply themselves.
func (s *State) noted(e Event) {
	switch e := e.(type) {
	case PenaltyProposed:
		s.Rulings.Proposed = append(slices.Clip(s.Rulings.Proposed), Proposal{s.Seq, e.Seat, e.Tiles, e.Cause, e.At})
	case KeyPressed:
		s.Press = Press{s.Turn.Number, e.At}
	case RefereeCalled:
		s.Calls[e.Seat] = Call{Since: e.At}
	case CallWithdrawn:
		s.Calls[e.Seat] = Call{}
	case CallAcknowledged:
		s.Calls[e.Seat].Coming, s.Calls[e.Seat].By = e.At, e.By
	case CallAnswered:
		s.Calls[e.Seat].Answered, s.Calls[e.Seat].By = e.At, e.By
	case rulingEvent:
		*s = e.apply(*s)
	default:
		panic("engine: apply: unknown event " + e.Kind())
	}
}

// pause stops the clock as p says. A nil p changes nothing.
func (s *State) pause(p *Pause) {
	if p != nil {
		pause := *p
		s.Paused = &pause
	}
}

// Replay applies the events of a log to an empty state.
func Replay(events []Event) State {
	var s State
	for _, e := range events {
		s = Apply(s, e)
	}
	return s
}

func racksOf(racks tileLists) (seats [ruleset.MaxSeats]tile.List) {
	copy(seats[:], racks)
	return seats
}

func seatsOf(flags []bool) (seats [ruleset.MaxSeats]bool) {
	copy(seats[:], flags)
	return seats
}
