package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// recheck plays a log again and believes nothing in it but what people chose: every event must be what
// the engine decides for the command that it stands for, at its time, on the state before it; every state
// must hold its invariants; the deal must be the one that was promised. It gives the last state, or the
// first fault with its place in the log.
func recheck(events []engine.Event) (engine.State, error) {
	var s engine.State
	starts := map[int]engine.State{}
	for i := 0; i < len(events); {
		c, err := commandBehind(s, events[i:], starts)
		if err != nil {
			return s, fmt.Errorf("seq %d: %w", i+1, err)
		}
		decided, err := engine.Decide(s, c, time.UnixMilli(int64(events[i].When())))
		if err != nil {
			return s, fmt.Errorf("seq %d: %s cannot have happened: %w", i+1, events[i].Kind(), err)
		}
		if len(decided) > len(events)-i {
			return s, fmt.Errorf("seq %d: the log ends before %s", len(events)+1, decided[len(events)-i].Kind())
		}
		for j, want := range decided {
			have := events[i+j]
			if err := sameEvent(s, have, want); err != nil {
				return s, fmt.Errorf("seq %d: %w", i+j+1, err)
			}
			s = engine.Apply(s, have)
			if _, met := starts[s.Turn.Number]; !met && s.Phase == engine.PhasePlaying {
				starts[s.Turn.Number] = s
			}
			if s.Deal == 0 && !s.Physical {
				continue // the tiles come with the next event
			}
			if err := engine.Check(s); err != nil {
				return s, fmt.Errorf("seq %d: after %s: %w", i+j+1, have.Kind(), err)
			}
		}
		i += len(decided)
	}
	return s, nil
}

// commandBehind gives the command that brings about the first of the events on a state.
func commandBehind(s engine.State, events []engine.Event, starts map[int]engine.State) (engine.Command, error) {
	turn := s.Turn.Number
	switch e := events[0].(type) {
	case engine.GameStarted:
		start := engine.Start{Rules: e.Rules, Seats: e.Seats, First: e.Starter, Deal: dealAfter(events), Extra: e.Extra, Physical: e.Physical}
		if len(e.Draws) > 0 {
			start.First = engine.DrawForStart
		}
		return start, nil
	case engine.RedealAsked:
		return engine.Redeal{Seat: e.Seat, Turn: turn, Deal: dealAfter(events)}, nil
	case engine.SeatReady:
		return engine.Ready{Seat: e.Seat, Turn: turn}, nil
	case engine.PlayBegan:
		return engine.Expire{}, nil
	case engine.TilesPlayed:
		return engine.Play{Seat: e.Seat, Turn: turn, Table: facesOf(e.Table)}, nil
	case engine.TileDrawn:
		return engine.Draw{Seat: e.Seat, Turn: turn}, nil
	case engine.TurnPassed:
		return engine.Pass{Seat: e.Seat, Turn: turn}, nil
	case engine.TurnExpired:
		return engine.Expire{Disturbed: e.Disturbed}, nil
	case engine.IllegalPlayed:
		return engine.Play{Seat: e.Seat, Turn: turn, Table: e.Table}, nil
	}
	if c := physicalBehind(turn, events[0]); c != nil {
		return c, nil
	}
	return rulingBehind(s, events, starts)
}

// physicalBehind gives the command of an event that only a table with real tiles has, nil for others.
func physicalBehind(turn int, e engine.Event) engine.Command {
	switch e := e.(type) {
	case engine.StarterChosen:
		return engine.ChooseStarter{Seat: e.Seat}
	case engine.TurnEnded:
		return engine.EndTurn{Seat: e.Seat, Turn: turn, Opened: e.Opened, Passed: e.Passed, Out: e.Out}
	case engine.PoolRanOut:
		return engine.PoolEmptied{Seat: e.Seat}
	case engine.RacksCounted:
		return e.Command()
	}
	return nil
}

// dealAfter gives the deal that follows the first event; one that is missing is refused as incomplete.
func dealAfter(events []engine.Event) engine.Deal {
	if len(events) > 1 {
		if dealt, ok := events[1].(engine.TilesDealt); ok {
			return dealt.Deal
		}
	}
	return engine.Deal{}
}

// rulingBehind gives the command of an official; starts are the states at the starts of the turns so far.
func rulingBehind(s engine.State, events []engine.Event, starts map[int]engine.State) (engine.Command, error) {
	switch e := events[0].(type) {
	case engine.GamePaused:
		if e.Pause.Why == engine.PausedByOutage {
			return engine.Outage{Since: s.Turn.Due - e.Pause.Left}, nil
		}
		return engine.PauseClock{Grounds: grounds(engine.Said{Reason: e.Pause.Reason, Rule: e.Rule, By: e.By})}, nil
	case engine.ResumeSet:
		return engine.Resume{Grounds: grounds(e.Said)}, nil
	case engine.GameResumed:
		return engine.Expire{}, nil
	case engine.TimeGiven:
		return engine.GiveTime{Grounds: grounds(e.Said), Seconds: e.Seconds}, nil
	case engine.PenaltyGiven:
		asked := e.Asked
		if asked == 0 { // games of before it was noted
			asked = max(len(e.Tiles)+e.Count, 1)
		}
		return engine.Penalise{Grounds: grounds(e.Said), Seat: e.Seat, Tiles: asked, Proposal: e.Proposal}, nil
	case engine.NoticeGiven:
		return engine.Penalise{Grounds: grounds(e.Said), Seat: e.Seat, Proposal: e.Proposal}, nil
	case engine.PenaltyWaived:
		return engine.WaivePenalty{Grounds: grounds(e.Said), Proposal: e.Proposal}, nil
	case engine.WarningGiven:
		return engine.Warn{Grounds: grounds(e.Said), Seat: e.Seat}, nil
	case engine.TimeCalled:
		return engine.CallTime{Grounds: grounds(e.Said)}, nil
	case engine.RulingCancelled:
		return engine.CancelRuling{Grounds: grounds(e.Said), Of: e.Of}, nil
	case engine.RefereeCalled:
		return engine.CallReferee{Seat: e.Seat}, nil
	case engine.CallAcknowledged:
		return engine.AcknowledgeCall{Seat: e.Seat, By: e.By}, nil
	case engine.CallAnswered:
		return engine.AnswerCall{Seat: e.Seat, By: e.By}, nil
	}
	return turnRulingBehind(s, events, starts)
}

func turnRulingBehind(s engine.State, events []engine.Event, starts map[int]engine.State) (engine.Command, error) {
	turn := s.Turn.Number
	switch e := events[0].(type) {
	case engine.TurnSkipped:
		return engine.SkipTurn{Grounds: grounds(e.Said), Turn: turn}, nil
	case engine.IllegalRuled:
		return engine.RuleIllegal{Grounds: grounds(e.Said), Turn: turn, Tiles: e.Asked}, nil
	case engine.LeftoversRuled:
		return engine.RuleLeftovers{Grounds: grounds(e.Said), Seat: e.Seat, Tiles: tile.FacesOf(e.Tiles), Table: facesOf(e.Table)}, nil
	case engine.RedealGranted:
		return engine.GrantRedeal{Grounds: grounds(e.Said), Seat: e.Seat, Deal: dealAfter(events)}, nil
	case engine.RedealRefused:
		return engine.RefuseRedeal{Grounds: grounds(e.Said), Seat: e.Seat}, nil
	case engine.SeatForfeited:
		return engine.ForfeitSeat{Grounds: grounds(e.Said), Seat: e.Seat, Disqualified: e.Disqualified}, nil
	case engine.Rewound:
		return engine.Rewind{Grounds: grounds(e.Said), Turn: e.To, To: starts[e.To]}, nil
	case engine.PositionSet:
		c := engine.SetPosition{Grounds: grounds(e.Said), Seat: e.Turn.Seat, Table: facesOf(e.Table)}
		for seat, rack := range e.Racks {
			c.Racks = append(c.Racks, nil)
			if !slices.Equal(rack, s.Racks[seat]) {
				c.Racks[seat] = tile.FacesOf(rack)
			}
		}
		return c, nil
	}
	return nil, fmt.Errorf("%s follows from nothing", events[0].Kind())
}

func grounds(s engine.Said) engine.Grounds {
	return engine.Grounds{Reason: s.Reason, Rule: s.Rule, By: s.By}
}

func facesOf(table engine.Table) []engine.LaidFaces {
	sets := make([]engine.LaidFaces, len(table))
	for i, laid := range table {
		sets[i] = engine.LaidFaces{At: laid.At, Faces: tile.FacesOf(laid.Tiles)}
	}
	return sets
}

// sameEvent compares an event with what the engine decided. A player names faces, and the log keeps which
// copies lay where, so plays are compared by faces, and their tiles by where they came from.
func sameEvent(s engine.State, have, want engine.Event) error {
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
	if play, ok := have.(engine.TilesPlayed); ok {
		left := slices.DeleteFunc(slices.Clone(s.Racks[play.Seat]), func(t tile.Tile) bool { return slices.Contains(play.Played, t) })
		if !slices.Equal(left, play.Rack) {
			return fmt.Errorf("the rack after the play is not the rack before without the tiles played")
		}
	}
	return nil
}

func eventText(e engine.Event) (string, error) {
	if play, ok := e.(engine.TilesPlayed); ok {
		play.Played = slices.SortedFunc(slices.Values(play.Played), func(a, b tile.Tile) int { return cmp.Compare(a.Face(), b.Face()) })
		e = play
	}
	data, err := json.Marshal(e)
	if err != nil {
		return "", err
	}
	text := e.Kind() + " " + string(data)
	switch e.(type) {
	case engine.TilesPlayed, engine.LeftoversRuled, engine.PositionSet, engine.GameEnded:
		text = strings.ReplaceAll(text, "'", "")
	}
	return text, nil
}
