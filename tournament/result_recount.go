package tournament

import (
	"context"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
)

// RecountResult replaces revision Rev of a game's result by what follows from the racks under the game's rules, as CorrectResult does
// with a result that need not. Racks are by seat: the tiles that were left, and who has opened; Sums, in place of them, are what a table
// that wrote no tiles down added up. Ended is how the game ended; empty: as it did.
type RecountResult struct {
	Game  int64                `json:"game,omitempty" path:"id" minimum:"1"`
	Rev   int                  `json:"rev" minimum:"1" doc:"the revision that it replaces"`
	Ended string               `json:"ended,omitempty" maxLength:"40" doc:"emptied, last_lap, stuck, time_called or forfeit; empty: as it did"`
	Racks []engine.CountedRack `json:"racks,omitempty" maxItems:"4" doc:"by seat: the tiles that are left"`
	Sums  []engine.SummedRack  `json:"sums,omitempty" maxItems:"4" doc:"by seat, in place of racks: what each was added up to"`
	Why   string               `json:"why" minLength:"1" maxLength:"500"`

	counted Correction
}

var _ = door.NewKind[RecountResult](door.Kind{Name: "result.recount", Right: rights.MayCorrectResult, Own: true,
	Changes: []door.What{door.TopicStandings}, Details: door.Keep[revision]})

// Plan counts the racks: the log of a game that is over does not change.
func (c RecountResult) Plan(ctx context.Context, d *door.Desk, actor rights.Actor) (door.Action, error) {
	snap, err := d.Games.Look(ctx, c.Game)
	if err != nil {
		return nil, err
	}
	ref := snap.Ref
	if err := rights.Authorize(actor, rights.Place{Tournament: ref.TournamentID, Table: ref.TableID, Seat: -1, Practice: ref.Practice != ""}, rights.MayCorrectResult); err != nil {
		return nil, err
	}
	counted, err := snap.State.Recount(c.Ended, c.Racks, c.Sums)
	if err != nil {
		return nil, err
	}
	c.counted = Correction{Ending: counted.Why, Lines: game.LinesOf(counted), Why: c.Why}
	return c, nil
}

func (c RecountResult) Do(tx *door.Tx) (CorrectionEffect, error) {
	return correcting{Game: c.Game, Rev: c.Rev, Correction: c.counted}.do(tx, false)
}
