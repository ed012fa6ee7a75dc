package record

import (
	"context"
	"slices"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
)

// AuthorizeTurns refuses to show the plays of a sealed game, turn by turn, to actors other than its players and the
// officials.
func (g *Reader) AuthorizeTurns(ctx context.Context, actor rights.Actor, id int64) error {
	snap, err := g.Games.Look(ctx, id)
	if err != nil {
		return err
	}
	ref := snap.Ref
	if snap.State.Physical || game.SeesAll(actor, ref) || actor.Role == rights.RolePlayer &&
		slices.Contains(ref.Players, actor.Player) {
		return nil
	}
	return g.Games.Seals.AuthorizeTiles(ctx, ref)
}

// Openings returns the proofs of a finished game's charges for unopened racks to actors who may see its racks; see
// AuthorizeReplay. For a sealed game a player gets only their own proof, to agree to, and officials get none.
func (g *Reader) Openings(ctx context.Context, actor rights.Actor, snap *game.Snapshot,
	confirmed bool) ([]game.OpeningProof,
	error) {
	s := snap.State
	if err := AuthorizeReplay(actor, snap.Ref, s.Phase == engine.PhaseOver, confirmed); err != nil {
		return nil, err
	}
	sealed, err := g.Games.Seals.SealedGame(ctx, snap)
	if err != nil {
		return nil, err
	}
	var turns []ReplayTurn
	if s.Rules.AbleWhen == ruleset.AnyTurn {
		events, err := g.Games.Log.Events(ctx, snap.Ref.ID)
		if err != nil {
			return nil, err
		}
		turns = ReplayTurns(events)
	}
	proofs := openingProofs(s, turns)
	if sealed {
		own := slices.Index(snap.Ref.Players, actor.Player)
		proofs = slices.DeleteFunc(proofs, func(p game.OpeningProof) bool {
			return actor.Role != rights.RolePlayer ||
				p.Seat != own
		})
	}
	return proofs, nil
}

// openingProofs returns the proofs of an ended game whose rules charge players who never opened. turns are needed only
// under able_when any_turn.
func openingProofs(s engine.State, turns []ReplayTurn) []game.OpeningProof {
	if s.Rules.NoMeldAble == 0 && s.Rules.NoMeldUnable == 0 {
		return nil
	}
	var proofs []game.OpeningProof
	for seat := range s.Seats {
		// an official ruled that it could have; no turn is recorded
		if s.Opened[seat] || len(s.Racks[seat]) == 0 || s.Physical && s.Able[seat] {
			continue
		}
		p := game.OpeningProof{Seat: seat, Rack: game.InOrder(s.Racks[seat])}
		then := s
		if s.Rules.AbleWhen == ruleset.AnyTurn && s.Able[seat] {
			if t, ok := firstAble(seat, turns); ok {
				then, p.Turn, p.Rack = t.Before, t.Number, game.InOrder(t.Start)
			}
		}
		p.Prove(then)
		proofs = append(proofs, p)
	}
	return proofs
}

// firstAble returns the first turn at whose start a seat could have opened, as noted in the log. ok is false if there
// is none. Notes from before a redeal do not count.
func firstAble(seat int, turns []ReplayTurn) (first ReplayTurn, ok bool) {
	for _, t := range turns {
		switch {
		case !t.Before.Able[seat]:
			ok = false
		case !ok && t.Seat() == seat:
			first, ok = t, true
		}
	}
	return first, ok
}
