package schedule

import (
	"context"
	"errors"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/game/record"
	"meldhall/tournament/store"
)

// RoundPace is the progress of a round: its tables by number, and when the last of them is expected to finish, 0 if
// nothing is left to play.
type RoundPace struct {
	Tables  []record.TablePace
	Ends    engine.Millis
	Typical record.Typical
}

// PaceOf measures every table of a round. Tables that have not started are assumed to start now, or when the day's plan
// says so.
func PaceOf(ctx context.Context, s *store.DB, g *record.Reader, t tournament.Tournament, round int64) (RoundPace,
	error) {
	current, err := game.CurrentInRound(ctx, s, round)
	if err != nil {
		return RoundPace{}, err
	}
	now := engine.MillisOf(s.Now())
	begins, err := begins(ctx, s, t.ID, round, now)
	if err != nil {
		return RoundPace{}, err
	}
	at, err := draw.RoundByID(ctx, s, round)
	if err != nil {
		return RoundPace{}, err
	}
	rules, err := t.RulesIn(at.Stage, at.Number)
	if err != nil {
		return RoundPace{}, err
	}
	measured, err := g.Measured(ctx, t.ID)
	if err != nil {
		return RoundPace{}, err
	}
	pace := RoundPace{Typical: record.TypicalOf(measured, rules.SeatsMax, rules.TurnSeconds)}
	own, err := g.MeasuredTables(ctx, round)
	if err != nil {
		return pace, err
	}
	var open []record.Pace
	for _, at := range current {
		row, err := g.TablePace(ctx, at, measured, own[at.Table], rules, now, begins)
		if err != nil && !errors.Is(err, game.ErrBroken) {
			return pace, err
		}
		row.Err = err
		pace.Tables = append(pace.Tables, row)
		if !row.Done() {
			open = append(open, row.Pace)
		}
	}
	pace.Ends = record.LastOver(open)
	return pace, nil
}

// begins returns when the tables of a round that have not started are expected to start: now, or the planned time if
// the round has not started and that time is later.
func begins(ctx context.Context, s *store.DB, tournamentID, round int64, now engine.Millis) (engine.Millis, error) {
	r, err := draw.RoundByID(ctx, s, round)
	if err != nil || r.StartedAt != 0 {
		return now, err
	}
	slots, err := Slots(ctx, s, tournamentID)
	for _, slot := range slots {
		if slot.Round == r.Number {
			now = max(now, slot.StartsAt)
		}
	}
	return now, err
}
