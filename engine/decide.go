package engine

import (
	"slices"
	"time"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// Decide gives the events that a command brings about now, or a *Refusal. Whether it is late is decided here and nowhere
// else: one that comes after the deadline and its grace yields what the clock brings about (see ByClock) and nothing of its
// own. A player whoever still wants it asks again on the state that follows. disturbed is whether the player to move has the working
// table laid otherwise than the table lies. The state is left alone.
// Time never runs backwards: now is clamped to the last event's time.
func Decide(s *State, c Command, disturbed bool, now time.Time) ([]Event, error) {
	at := max(MillisOf(now), s.At)
	switch c.(type) {
	case Start, StartHeld:
		return decide(s, c, at)
	}
	switch s.Phase {
	case PhaseNew:
		return decideCalls(s, c, at, RefusedNotStarted, "the game has not started")
	case PhaseOver:
		return decideCalls(s, c, at, RefusedGameOver, "the game is over")
	}
	if _, ok := c.(Outage); !ok && overdue(s, at) {
		return settle(s, disturbed || disturbs(s, c), at), nil
	}
	return decide(s, c, at)
}

// ByClock tells whether what Decide gave is the clock's doing: the expiry of a turn, the first turn, or the end of a pause.
func ByClock(events []Event) bool {
	switch events[0].(type) {
	case TurnExpired, PlayBegan, GameResumed:
		return true
	}
	return false
}

func decide(s *State, c Command, at Millis) ([]Event, error) {
	if err := s.checkKind(c); err != nil {
		return nil, err
	}
	if one, ok := c.(ruling); ok {
		if err := s.checkRuling(one); err != nil {
			return nil, err
		}
	}
	return c.decide(s, at)
}

// decideCalls lets a seat call the referee before the deal and to the count, and nothing else.
func decideCalls(s *State, c Command, at Millis, otherwise, detail string) ([]Event, error) {
	switch c.(type) {
	case CallReferee, AcknowledgeCall, AnswerCall:
		return c.decide(s, at)
	}
	return nil, refuse(otherwise, "%s", detail)
}

// disturbs tells what a play that came too late says of the player's table: one of this very turn that names other sets than
// lie there. A play of an earlier turn, sent again, says nothing.
func disturbs(s *State, c Command) bool {
	play, ok := c.(Play)
	return ok && play.Seat == s.Turn.Seat && play.Turn == s.Turn.Number && !SameSets(s.Table, play.Table)
}

func (s *State) checkSeat(seat int) error {
	if seat < 0 || seat >= s.Seats {
		return refuse(RefusedSeat, "there is no seat %d at a table of %d", seat, s.Seats)
	}
	return nil
}

// checkTurn refuses a turn command that is not that seat's to give, or was made for another turn.
func (s *State) checkTurn(seat, turn int) error {
	if err := s.checkSeat(seat); err != nil {
		return err
	}
	switch {
	case s.Phase != PhasePlaying:
		return refuse(RefusedNotBegun, "the first turn has not begun")
	case s.Ending != "":
		return refuse(RefusedCounting, "the turns have ended, the racks are being counted")
	case s.Turn.Seat != seat:
		return refuse(RefusedNotYourTurn, "it is the turn of seat %d", s.Turn.Seat)
	case s.Turn.Number != turn:
		return refuse(RefusedStaleTurn, "turn %d is over, this is turn %d", turn, s.Turn.Number)
	case s.Paused != nil:
		return refuse(RefusedPaused, "the clock is stopped")
	}
	return nil
}

// top gives the next n tiles of the pool, fewer if it has fewer.
func (s *State) top(n int) tile.List { return slices.Clone(s.Pool[:min(n, len(s.Pool))]) }

// draw moves tiles from the top of the pool to a rack; s must be the caller's own copy.
func (s *State) draw(seat int, tiles tile.List) {
	s.Pool = s.Pool[len(tiles):]
	s.Racks[seat] = slices.Concat(s.Racks[seat], tiles)
}

// nextTurn gives the turn that follows s.Turn, after being the state with the tiles where they now
// are; or how the game ends instead. idle is a turn in which nothing was laid and nothing drawn.
func (s *State) nextTurn(after *State, idle bool, at Millis) (Turn, *End) {
	if !s.Physical && len(after.Racks[s.Turn.Seat]) == 0 {
		return s.Turn, after.ends(EndedEmptied)
	}
	if after.alone() {
		return s.Turn, after.ends(EndedForfeit)
	}
	seat, going := after.moves()
	if !going {
		return s.Turn, after.ends(s.lapEnd())
	}
	next := Turn{Number: s.Turn.Number + 1, Seat: seat, Started: at, Due: s.turnDue(seat, at)}
	if idle && after.poolEmpty() {
		next.Passes = s.Turn.Passes + 1
	}
	had := after.Had
	had.passes(s.Turn.Seat, next)
	if s.Rules.Exhausted == UntilStuck && after.poolEmpty() && (after.allPassed(had) || after.stuck()) {
		return s.Turn, after.ends(EndedStuck)
	}
	next.Able = after.ableAtTurn(next.Seat)
	return next, nil
}

func (s *State) lapEnd() string {
	if s.TimeOver {
		return EndedTimeCalled
	}
	return EndedLastLap
}

// moves is the seat that moves after s.Turn; going is false where the last lap ends with that turn.
func (s *State) moves() (seat int, going bool) {
	if !s.lastLap() {
		return s.seatAfter(s.Turn.Seat), true
	}
	if owed := s.owed(); len(owed) > 0 {
		return owed[0], true
	}
	return 0, false
}

// ableAtTurn tells, where the rules ask for it, whether a seat that has not opened could at the start of its turn.
func (s *State) ableAtTurn(seat int) bool {
	if s.Physical || s.Rules.AbleWhen != AnyTurn || s.Opened[seat] || s.Able[seat] {
		return false
	}
	return s.canOpen(seat)
}

// canOpen is not inlined, because it would enlarge the stack of ableAtTurn, which every turn needs.
//
//go:noinline
func (s *State) canOpen(seat int) bool {
	return CanOpen(s.chargeRules(), tile.CountFaces(tile.FacesOf(s.Racks[seat])), s.relief(seat))
}

// stuck tells whether the exact search proves, under the rules of the game, that nobody could lay a tile.
func (s *State) stuck() bool {
	if s.Physical {
		return false
	}
	for seat := range s.Seats {
		if s.couldLay(seat) {
			return false
		}
	}
	return true
}

// couldLay tells whether a seat that plays could lay a tile. The search has no limit, so that it proves one or the other; were it not
// proved, the game would go on until all have passed.
func (s *State) couldLay(seat int) bool {
	if s.Out[seat] {
		return false
	}
	can, proven := CanMove(s.Rules, s.move(seat), 0)
	return can || !proven
}

// CouldOpen returns the BestOpening of a rack of the seat by the rules of its charge. able reports whether it opens.
func (s State) CouldOpen(seat int, rack []tile.Face) (o solve.Opening, able bool) {
	rules, faces, relief := s.chargeRules(), tile.CountFaces(rack), s.relief(seat)
	o, _ = BestOpening(rules, faces, relief)
	return o, CanOpen(rules, faces, relief)
}

// Move returns the position of the seat to move.
func (s State) Move() Move { return s.move(s.Turn.Seat) }

func (s *State) move(seat int) Move {
	return Move{Opened: s.Opened[seat], Relief: s.relief(seat), Before: s.Table.Faces(),
		Rack: tile.FacesOf(s.Racks[seat])}
}

// relief tells whether all the others have opened and the rules make it easier for the last one.
func (s *State) relief(seat int) bool {
	if !s.Rules.LastToOpenRelief || s.Opened[seat] {
		return false
	}
	for other := range s.Seats {
		if other != seat && !s.Opened[other] && !s.Out[other] {
			return false
		}
	}
	return true
}

func withEnd(e Event, end *End) []Event {
	switch {
	case end == nil:
		return []Event{e}
	case end.Outcome.Points == nil:
		return []Event{e, PlayEnded{Stamp{e.When()}, end.Why}}
	}
	return []Event{e, GameEnded{Stamp{e.When()}, *end}}
}
