package engine

import (
	"slices"
	"time"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// Decide returns the events that c causes at time now, or a *Refusal. A command after the deadline and its grace causes
// only the events of the clock (see ByClock); the caller may then repeat it on the resulting state. Only Decide judges
// lateness. disturbed says whether the player to move has rearranged the table in the draft. Decide does not change s.
//
// Time never runs backwards: now is clamped to the time of the last event.
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

// ByClock reports whether events returned by Decide come from the clock: the expiry of a turn, the first turn, or the
// end of a pause.
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
		if err := s.Rulings.check(one); err != nil {
			return nil, err
		}
	}
	return c.decide(s, at)
}

// decideCalls handles calls for the referee before the deal and after the end. It refuses all other commands.
func decideCalls(s *State, c Command, at Millis, otherwise, detail string) ([]Event, error) {
	switch c.(type) {
	case CallReferee, WithdrawCall, AcknowledgeCall, AnswerCall:
		return c.decide(s, at)
	}
	return nil, refuse(otherwise, "%s", detail)
}

// disturbs reports whether a late play shows that the player had rearranged the table: a play of the current turn whose
// sets differ from those on the table. A repeated play of an earlier turn does not count.
func disturbs(s *State, c Command) bool {
	play, ok := c.(Play)
	return ok && play.Seat == s.Turn.Seat && play.Turn == s.Turn.Number && !tile.SameSets(s.Table, play.Table)
}

func (s *State) checkSeat(seat int) error {
	if seat < 0 || seat >= s.Seats {
		return refuse(RefusedSeat, "there is no seat %d at a table of %d", seat, s.Seats)
	}
	return nil
}

// checkTurn refuses a turn command if turns are not being played, or if the command is for another seat or another
// turn.
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

// top returns the next n tiles of the pool, or all of them if it has fewer.
func (s *State) top(n int) tile.List { return slices.Clone(s.Pool[:min(n, len(s.Pool))]) }

// draw moves tiles from the top of the pool to a rack; s must be the caller's own copy.
func (s *State) draw(seat int, tiles tile.List) {
	s.Pool = s.Pool[len(tiles):]
	s.Racks[seat] = slices.Concat(s.Racks[seat], tiles)
}

// nextTurn returns the turn that follows s.Turn, or how the game ends instead. after is the state with the tiles
// already moved. idle says that no tile was laid or drawn in the turn.
func (s *State) nextTurn(after *State, idle bool, at Millis) (Turn, *End) {
	if !s.Physical && len(after.Racks[s.Turn.Seat]) == 0 {
		return s.Turn, after.ends(ruleset.EndedEmptied)
	}
	if after.alone() {
		return s.Turn, after.ends(ruleset.EndedForfeit)
	}
	seat, ending := after.moves()
	if ending != "" {
		return s.Turn, after.ends(ending)
	}
	next := Turn{Number: s.Turn.Number + 1, Seat: seat, Started: at, Due: s.turnDue(seat, at)}
	if idle && after.poolEmpty() {
		next.Passes = s.Turn.Passes + 1
	}
	had := after.Had
	had.passes(s.Turn.Seat, next)
	if s.Rules.Exhausted == ruleset.UntilStuck && after.poolEmpty() && (had.allPassed(after) || after.stuck()) {
		return s.Turn, after.ends(ruleset.EndedStuck)
	}
	next.Able = player{after, next.Seat}.ableAtTurn()
	return next, nil
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
