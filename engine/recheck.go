package engine

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"meldhall/engine/tile"
)

// Recheck replays a log and trusts only the choices that people made. Every event must be what the engine decides for
// its command, at its time, on the state before it. Every state must pass Check, and the deal must match its
// commitment. Recheck returns the last state, or the first fault with its place in the log.
func Recheck(events []Event) (State, error) {
	var s State
	starts := map[int]State{}
	for i := 0; i < len(events); {
		c, err := commandBehind(s, events[i:], starts)
		if err != nil {
			return s, fmt.Errorf("seq %d: %w", i+1, err)
		}
		decided, err := redecide(s, c, events[i:])
		if err != nil {
			return s, fmt.Errorf("seq %d: %s cannot have happened: %w", i+1, events[i].Kind(), err)
		}
		if err := agrees(s, events[i:], decided); err != nil {
			return s, fmt.Errorf("seq %w", err)
		}
		for j := range decided {
			have := events[i+j]
			s = Apply(s, have)
			if s.Deal == 0 && !s.Physical {
				continue // the tiles come with the next event
			}
			if err := Check(s); err != nil {
				return s, fmt.Errorf("seq %d: after %s: %w", i+j+1, have.Kind(), err)
			}
		}
		if _, met := starts[s.Turn.Number]; !met && s.Phase == PhasePlaying {
			starts[s.Turn.Number] = s
		}
		i += len(decided)
	}
	return s, nil
}

// TurnStart returns the state at the start of a turn in a log, including the penalty proposed for the end of the turn
// before. If there was no such turn, it returns an empty State.
func TurnStart(log []Event, turn int) State {
	var s State
	for i, e := range log {
		if s = Apply(s, e); s.Turn.Number == turn && s.Phase == PhasePlaying {
			if i+1 < len(log) && log[i+1].Kind() == (PenaltyProposed{}).Kind() {
				s = Apply(s, log[i+1])
			}
			return s
		}
	}
	return State{}
}

// redecide decides a command at the time of the first event.
func redecide(s State, c Command, events []Event) ([]Event, error) {
	expired, _ := events[0].(TurnExpired)
	decided, err := Decide(&s, c, expired.Disturbed, time.UnixMilli(int64(events[0].When())))
	if started, is := events[0].(GameStarted); is && err == nil && 0 < started.Edition && started.Edition < Edition {
		now := decided[0].(GameStarted)
		now.Edition = started.Edition
		decided[0] = now
	}
	if s.Edition == 0 {
		return redecideBefore(s, c, events, decided, err)
	}
	return decided, err
}

// agrees returns an error at the first event of the log that differs from the events decided on a state.
func agrees(s State, events, decided []Event) error {
	for j, want := range decided {
		if j == len(events) {
			return fmt.Errorf("%d: the log ends before %s", s.Seq+1, want.Kind())
		}
		if err := sameEvent(s, events[j], want); err != nil {
			return fmt.Errorf("%d: %w", s.Seq+1, err)
		}
		s = Apply(s, events[j])
	}
	return nil
}

// commandBehind returns the command that causes the first of the events on a state.
func commandBehind(s State, events []Event, starts map[int]State) (Command, error) {
	turn := s.Turn.Number
	switch e := events[0].(type) {
	case GameStarted:
		start := Start{Rules: e.Rules, Seats: e.Seats, First: e.Starter, Deal: dealIn(events[1:]), Extra: e.Extra,
			Physical: e.Physical}
		if len(e.Draws) > 0 {
			start.First = DrawForStart
		}
		if absent := absentIn(events[1:]); absent != nil {
			return StartHeld{start, absent}, nil
		}
		return start, nil
	case RedealAsked:
		return Redeal{Seat: e.Seat, Turn: turn, Deal: dealIn(events[1:])}, nil
	case SeatReady:
		return Ready{Seat: e.Seat, Turn: turn}, nil
	case PlayBegan, TurnExpired:
		return Expire{}, nil
	case TilesPlayed:
		return Play{Seat: e.Seat, Turn: turn, Table: e.Table.Laid()}, nil
	case TileDrawn:
		return Draw{Seat: e.Seat, Turn: turn}, nil
	case TurnPassed:
		return Pass{Seat: e.Seat, Turn: turn}, nil
	case KeyPressed:
		return PressKey{Seat: e.Seat, Turn: turn}, nil
	case IllegalPlayed:
		return Play{Seat: e.Seat, Turn: turn, Table: e.Table}, nil
	case RefereeCalled:
		return CallReferee{Seat: e.Seat}, nil
	case CallWithdrawn:
		return WithdrawCall{Seat: e.Seat}, nil
	case CallAcknowledged:
		return AcknowledgeCall{Seat: e.Seat, By: e.By}, nil
	case CallAnswered:
		return AnswerCall{Seat: e.Seat, By: e.By}, nil
	}
	if c := physicalBehind(turn, events[0]); c != nil {
		return c, nil
	}
	if e, ok := events[0].(rulingEvent); ok {
		return e.behind(s, events[1:], starts), nil
	}
	return nil, fmt.Errorf("%s has no cause", events[0].Kind())
}

// physicalBehind returns the command behind an event of physical games, or nil for other events.
func physicalBehind(turn int, e Event) Command {
	switch e := e.(type) {
	case StarterChosen:
		return ChooseStarter{Seat: e.Seat}
	case TurnEnded:
		return EndTurn{Seat: e.Seat, Turn: turn, Opened: e.Opened, Passed: e.Passed, Out: e.Out}
	case PoolRanOut:
		return PoolEmptied{Seat: e.Seat}
	case RacksCounted:
		return e.Command()
	}
	return nil
}

// dealIn returns the deal at the start of the events. If it is missing, dealIn returns an empty Deal, which is refused
// as incomplete.
func dealIn(events []Event) Deal {
	if len(events) > 0 {
		if dealt, ok := events[0].(TilesDealt); ok {
			return dealt.Deal
		}
	}
	return Deal{}
}

// absentIn returns the seats that a game was held for when it was dealt.
func absentIn(events []Event) []int {
	if len(events) > 1 {
		if held, ok := events[1].(GamePaused); ok && held.Pause.Why == HeldForPlayers {
			return held.Pause.Absent
		}
	}
	return nil
}

// sameEvent compares an event of the log with what the engine decided. A player names faces, and the log stores which
// copies lay where. So sameEvent compares plays by faces, and their tiles by where they came from.
func sameEvent(s State, have, want Event) error {
	haveText, err := eventText(have)
	if err != nil {
		return err
	}
	wantText, err := eventText(want)
	if err != nil {
		return err
	}
	if haveText != wantText {
		return fmt.Errorf("the log says %s, the rules give %s", haveText, wantText)
	}
	if play, ok := have.(TilesPlayed); ok {
		left := slices.DeleteFunc(slices.Clone(s.Racks[play.Seat]),
			func(t tile.Tile) bool { return slices.Contains(play.Played, t) })
		if !slices.Equal(left, play.Rack) {
			return fmt.Errorf("the rack after the play does not match the rack before minus the played tiles")
		}
	}
	return nil
}

func eventText(e Event) (string, error) {
	if play, ok := e.(TilesPlayed); ok {
		play.Played = slices.SortedFunc(slices.Values(play.Played),
			func(a, b tile.Tile) int { return cmp.Compare(a.Face(), b.Face()) })
		e = play
	}
	data, err := json.Marshal(e)
	if err != nil {
		return "", err
	}
	text := e.Kind() + " " + string(data)
	switch e.(type) {
	case TilesPlayed, LeftoversRuled, PositionSet, GameEnded:
		text = strings.ReplaceAll(text, "'", "")
	}
	return text, nil
}
