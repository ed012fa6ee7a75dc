package game

import (
	"context"
	"errors"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// SheetPreview is what the score sheet of a physical game comes to as far as it is filled in. Points and Wins are
// there once the whole of it can stand; Refusal says why it cannot yet.
type SheetPreview struct {
	Seats   []SheetSeat      `json:"seats,omitempty" doc:"by seat; missing with totals"`
	Why     string           `json:"why,omitempty" doc:"how the game ended"`
	Points  []engine.Twelfth `json:"points,omitempty"`
	Wins    []engine.Twelfth `json:"wins,omitempty"`
	Refusal *engine.Refusal  `json:"refusal,omitempty" doc:"why it cannot be handed in yet"`
}

// SheetSeat is one rack of a score sheet.
type SheetSeat struct {
	Tiles   int           `json:"tiles"`
	Sum     int           `json:"sum" doc:"of its faces and jokers"`
	Charge  engine.Charge `json:"charge" doc:"what it costs"`
	Opening *OpeningProof `json:"opening,omitempty" doc:"for one who has not opened: what could have been laid"`
}

// PreviewCount says what a count of a physical game would come to, and changes nothing; for those who may enter it.
func (g *Games) PreviewCount(ctx context.Context, actor rights.Actor, game int64, c engine.CountRacks) (SheetPreview, error) {
	snap, err := g.Look(ctx, game)
	if err != nil {
		return SheetPreview{}, err
	}
	if err := authorizeCommand(actor, snap.Ref, c); err != nil {
		return SheetPreview{}, err
	}
	s := snap.State
	if !s.Physical || s.Phase != engine.PhasePlaying {
		return SheetPreview{}, &engine.Refusal{Code: engine.RefusedNotBegun, Set: -1, Detail: "there is nothing to count"}
	}
	if len(c.Racks) > s.Seats {
		return SheetPreview{}, &engine.Refusal{Code: engine.RefusedCountSeats, Set: -1}
	}
	preview := SheetPreview{Why: c.Why}
	counted, err := s.Count(c)
	if err == nil {
		preview.Why, preview.Points, preview.Wins = counted.Why, counted.Outcome.Points, counted.Outcome.Wins
	} else if !errors.As(err, &preview.Refusal) {
		return SheetPreview{}, err
	}
	charges := s.Charges(c.Racks)
	for seat, rack := range c.Racks {
		if len(rack.Tiles) > tile.Count {
			return SheetPreview{}, refuse.Invalid("err_table_too_large", "most", tile.Count)
		}
		preview.Seats = append(preview.Seats, SheetSeat{Tiles: len(rack.Tiles), Sum: engine.RackCharge(s.Rules, rack.Tiles), Charge: charges[seat],
			Opening: sheetProof(s.Rules, seat, rack)})
	}
	return preview, nil
}

// sheetProof is the proof for an unopened rack, nil where the rules charge nothing for it.
func sheetProof(rules engine.Ruleset, seat int, rack engine.CountedRack) *OpeningProof {
	if rack.Opened || rack.Able || len(rack.Tiles) == 0 || rules.NoMeldAble == 0 && rules.NoMeldUnable == 0 {
		return nil
	}
	p := &OpeningProof{Seat: seat, Need: rules.MeldPoints, Rack: tile.CountFaces(rack.Tiles).List()}
	p.prove(rules)
	return p
}
