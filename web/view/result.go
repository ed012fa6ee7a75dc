package view

import (
	"context"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/templates/play"
	"meldhall/tournament/game"
	"meldhall/tournament/result"
)

// NewResult returns a result for display.
func NewResult(r game.Result, names []string, charged bool) play.Result {
	result := play.Result{Rev: r.Rev, Status: r.Status, Charged: charged}
	for i, l := range r.Lines {
		line := play.ResultLine{Points: l.Points, Wins: l.Wins, Charge: l.Charge, Why: l.Reason}
		if i < len(names) {
			line.Name = names[i]
		}
		if !r.Sealed {
			line.Tiles, _ = tile.ParseFaces(l.Tiles) // stored faces are valid
		}
		result.Lines = append(result.Lines, line)
	}
	return result
}

// NamesOf returns the names of a table's players, in seat order.
func NamesOf(people []play.Person) []string {
	names := make([]string, len(people))
	for i, p := range people {
		names[i] = p.Name
	}
	return names
}

// Counted adds the state of the count to an ended game. If an official's ruling differs from the log, it also adds the
// valid result.
func (s *Reader) Counted(ctx context.Context, snap *game.Snapshot, game *play.Game) error {
	if snap.State.Phase != engine.PhaseOver || snap.Ref.Practice != "" {
		return nil
	}
	count, err := result.GameCount(ctx, s.Store, snap.Ref.ID)
	if err != nil {
		return err
	}
	game.Rev, game.Agreed, game.Counted = count.Rev, count.Agreed, count.Confirmed
	if count.Rev == 1 {
		return nil
	}
	latest, err := result.LatestResult(ctx, s.Store, snap.Ref.ID)
	if err == nil && Differs(latest, snap.State.End.Outcome) {
		result := NewResult(latest, NamesOf(game.Seats), game.Charged)
		game.Corrected, game.CorrectedWhy = &result, latest.Why
	}
	return err
}

// Differs reports whether a result differs from the outcome of the racks.
func Differs(result game.Result, outcome score.Outcome) bool {
	for i, l := range result.Lines {
		if l.Points != outcome.Points[i] || l.Wins != outcome.Wins[i] || l.Charge != outcome.Charges[i].Points {
			return true
		}
	}
	return false
}
