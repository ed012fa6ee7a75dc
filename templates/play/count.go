package play

import (
	"context"
	"strings"

	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
)

// SeatCount is the count of one seat after the game.
type SeatCount struct {
	Line   ResultLine    // as corrected by an official, otherwise as computed from the racks
	Rack   tile.FaceList // nil if it is hidden or unknown
	joker  int           // the points of a joker
	hidden int           // number of tiles on a hidden rack
	real   bool          // the tiles are real
	proven bool          // the proof shown with the rack explains the charge
}

// Count returns the count of a seat. The game must have a result.
func (g Game) Count(seat int) SeatCount {
	c := SeatCount{joker: g.View.Jokers.Points, real: g.View.Physical}
	r := g.View.Result
	if r != nil && seat < len(r.Racks) {
		c.Rack = r.Racks[seat]
	}
	if (r == nil || len(r.Racks) == 0 || g.View.Held) && seat < len(g.View.Seats) {
		c.hidden = g.View.Seats[seat].Tiles
	}
	if g.Corrected != nil && seat < len(g.Corrected.Lines) {
		c.Line = g.Corrected.Lines[seat]
	} else {
		c.Line = ResultLine{Points: r.Points[seat], Wins: r.Wins[seat], Charge: r.Charges[seat].Points,
			Why: r.Charges[seat].Reason}
	}
	_, c.proven = ProofOf(g.Openings, seat)
	return c
}

// AddsUp spells out a rack's charge the way a referee counts it: "3 + 13 + 30 = 46". It returns "" for fewer than two
// tiles, and if the charge is not just the sum of the tiles.
func (c SeatCount) AddsUp() string {
	sum, terms := 0, []string(nil)
	for _, f := range c.Rack {
		n := f.Number()
		if f.IsJoker() {
			n = c.joker
		}
		sum, terms = sum+n, append(terms, locale.Num(n))
	}
	if len(terms) < 2 || sum != c.Line.Charge || c.Line.Why != "" {
		return ""
	}
	return strings.Join(terms, " + ") + " = " + locale.Num(sum)
}

// chargeWords explains the charge. It returns "" if the tiles alone or the proof shown with them explain it.
func (c SeatCount) chargeWords(ctx context.Context) string {
	if c.proven {
		return ""
	}
	return ChargeWords(ctx, score.Charge{Reason: c.Line.Why})
}

// noTilesWords explains why no tiles are shown.
func (c SeatCount) noTilesWords(ctx context.Context) string {
	switch {
	case c.real && c.Line.Charge > 0:
		return locale.T(ctx, "count.points_only")
	case c.hidden > 0:
		return locale.T(ctx, "seat.tiles", "n", c.hidden)
	}
	return locale.T(ctx, "count.no_tiles")
}
