package result

import (
	"context"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
)

// RecountResult replaces revision Rev of a game's result by the one that the rules give for the racks; CorrectResult is
// for other results. Racks are by seat: the remaining tiles and whether the player has opened. Sums replace Racks if a
// table added up its tiles without writing them down. Ended is how the game ended; empty keeps the stored ending.
type RecountResult struct {
	Game  int64                `json:"game,omitempty" path:"id" minimum:"1"`
	Rev   int                  `json:"rev" minimum:"1" doc:"the revision it replaces"`
	Ended string               `json:"ended,omitempty" maxLength:"40" doc:"emptied, last_lap, stuck, time_called or forfeit; empty: unchanged"`
	Racks []engine.CountedRack `json:"racks,omitempty" maxItems:"4" doc:"by seat: the remaining tiles"`
	Sums  []engine.SummedRack  `json:"sums,omitempty" maxItems:"4" doc:"by seat, instead of racks: each rack's sum"`
	Why   string               `json:"why" minLength:"1" maxLength:"500"`

	counted Correction
}

var _ = action.NewKind[RecountResult](action.Kind{Name: "result.recount", Right: rights.MayCorrectResult, Own: true,
	Changes: []action.What{action.TopicStandings}, Details: action.Keep[revision]})

// Plan counts the racks. It can run outside the transaction, because the log of a finished game does not change.
func (c RecountResult) Plan(ctx context.Context, d *action.Desk, actor rights.Actor) (action.Action, error) {
	snap, err := d.Games.Look(ctx, c.Game)
	if err != nil {
		return nil, err
	}
	ref := snap.Ref
	if err := rights.Authorize(actor, rights.Place{Tournament: ref.TournamentID, Table: ref.TableID, Seat: -1,
		Practice: ref.Practice != ""}, rights.MayCorrectResult); err != nil {
		return nil, err
	}
	counted, err := snap.State.Recount(c.Ended, c.Racks, c.Sums)
	if err != nil {
		return nil, err
	}
	c.counted = Correction{Ending: counted.Why, Lines: game.LinesOf(counted), Why: c.Why}
	return c, nil
}

func (c RecountResult) Do(tx *action.Tx) (CorrectionEffect, error) {
	return correcting{Game: c.Game, Rev: c.Rev, Correction: c.counted}.do(tx, false)
}
