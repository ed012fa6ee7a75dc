package view

import (
	"context"
	"errors"

	"meldhall/templates"
	"meldhall/templates/play"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// OpeningViews converts the proofs behind an ended game's charges for racks that never opened to the form that pages
// show.
func OpeningViews(proofs []game.OpeningProof, people []play.Person, ref game.Ref) []play.OpeningProof {
	views := make([]play.OpeningProof, len(proofs))
	for i, p := range proofs {
		views[i] = play.OpeningProof{Seat: p.Seat, Able: p.Able, Turn: p.Turn, Rack: p.Rack, Sets: p.Sets,
			Points: p.Points, Need: p.Need, Relief: p.Relief}
		if p.Seat < len(people) {
			views[i].Name = people[p.Seat].Name
		}
		if p.Turn > 0 {
			views[i].At = templates.ReplayTurnPath(ref.TournamentID, ref.ID, p.Turn)
		}
	}
	return views
}

// OpenRacks adds what an ended game's racks reveal, if actor may see it: why racks that never opened are charged, and
// the link to the replay. Otherwise, and while the game is running, it adds nothing.
func (s *Reader) OpenRacks(ctx context.Context, actor rights.Actor, snap *game.Snapshot, game *play.Game) error {
	proofs, err := s.Records.Openings(ctx, actor, snap, game.Counted)
	if errors.Is(err, refuse.ErrConflict) || errors.Is(err, refuse.ErrForbidden) {
		return nil
	}
	if err != nil {
		return err
	}
	game.Openings = OpeningViews(proofs, game.Seats, snap.Ref)
	if snap.State.Physical && snap.State.Turn.Number == 0 {
		return nil // no turns were recorded
	}
	if sealed, err := s.Games.Seals.SealedGame(ctx, snap); err != nil || sealed {
		return err
	}
	game.Replay = templates.ReplayPath(snap.Ref.TournamentID, snap.Ref.ID)
	return nil
}
