package game

import (
	"context"
	"slices"

	"meldhall/engine"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
	"meldhall/tournament/rights"
)

// OpeningProof is why a player who never opened is charged as one who could have, or as one who could not
// (rules.md section 6): the sets that one rack can lay on its own and that are worth most, found by exact search.
type OpeningProof struct {
	Seat   int             `json:"seat"`
	Able   bool            `json:"able" doc:"the rack could make an initial meld"`
	Turn   int             `json:"turn,omitempty" doc:"the player's turn at whose start it was first possible, counted from 1 over all turns; 0: the rack at the end"`
	Rack   tile.FaceList   `json:"rack" doc:"the rack that it is about"`
	Sets   []tile.FaceList `json:"sets" doc:"the most points that this rack can lay, jokers in the place of the faces they stand for; empty: no set at all"`
	Points int             `json:"points" doc:"their worth"`
	Need   int             `json:"need" doc:"the rules' meld_points"`
}

// Openings gives the proofs of a game that is over to those who may see its racks; see AuthorizeReplay. Of a sealed
// round's game a player gets only their own, to agree to.
func (g *Games) Openings(ctx context.Context, actor rights.Actor, snap *Snapshot, confirmed bool) ([]OpeningProof, error) {
	s := snap.State
	if err := AuthorizeReplay(actor, snap.Ref, s.Phase == engine.PhaseOver, confirmed); err != nil {
		return nil, err
	}
	sealed, err := g.SealedGame(ctx, snap)
	if err != nil {
		return nil, err
	}
	var turns []ReplayTurn
	if s.Rules.AbleWhen == engine.AnyTurn {
		events, err := g.events(ctx, snap.Ref.ID)
		if err != nil {
			return nil, err
		}
		turns = ReplayTurns(events)
	}
	proofs := openingProofs(s, turns)
	if sealed && !seesAll(actor, snap.Ref) {
		own := slices.Index(snap.Ref.Players, actor.Player)
		proofs = slices.DeleteFunc(proofs, func(p OpeningProof) bool { return actor.Role != rights.RolePlayer || p.Seat != own })
	}
	return proofs, nil
}

// openingProofs are those of an ended game whose rules charge a player who never opened. turns are needed under
// able_when any_turn only.
func openingProofs(s engine.State, turns []ReplayTurn) []OpeningProof {
	if s.Rules.NoMeldAble == 0 && s.Rules.NoMeldUnable == 0 {
		return nil
	}
	var proofs []OpeningProof
	for seat := range s.Seats {
		if s.Opened[seat] || len(s.Racks[seat]) == 0 || s.Physical && s.Able[seat] { // that it could earlier was ruled, not kept
			continue
		}
		p := OpeningProof{Seat: seat, Need: s.Rules.MeldPoints, Rack: inOrder(s.Racks[seat])}
		if s.Rules.AbleWhen == engine.AnyTurn && s.Able[seat] {
			p.Turn, p.Rack = firstAble(seat, turns, p.Rack)
		}
		p.prove(s.Rules)
		proofs = append(proofs, p)
	}
	return proofs
}

// firstAble finds the turn at whose start a seat could first have opened, as the log noted it, and its rack then.
// What was noted before a redeal does not count.
func firstAble(seat int, turns []ReplayTurn, end tile.FaceList) (int, tile.FaceList) {
	number, rack := 0, end
	for _, t := range turns {
		switch {
		case !t.Before.Able[seat]:
			number, rack = 0, end
		case number == 0 && t.Seat() == seat:
			number, rack = t.Number, inOrder(t.Start)
		}
	}
	return number, rack
}

func (p *OpeningProof) prove(rules engine.Ruleset) {
	rack := tile.CountFaces(p.Rack)
	p.Able, p.Sets = engine.CanOpen(rules, rack), []tile.FaceList{}
	if o, ok := (solve.Meld{Aim: solve.HighestPoints}).Best(rack); ok {
		p.Points = o.Points
		for _, set := range o.Sets {
			p.Sets = append(p.Sets, set)
		}
	}
}
