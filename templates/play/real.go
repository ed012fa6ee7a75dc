package play

import (
	"context"
	"slices"
	"strings"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
)

// TilesKnown reports whether the numbers of tiles on the racks are available. With real tiles, they are available only
// after the count.
func (g Game) TilesKnown() bool {
	return !g.View.Physical || slices.ContainsFunc(g.View.Seats, func(s engine.SeatView) bool { return s.Tiles > 0 })
}

// RealNow describes the current step at a table with real tiles.
func (g Game) RealNow(ctx context.Context) string {
	switch v := g.View; {
	case v.Counting != "":
		return locale.T(ctx, "real.racks_counted")
	case v.Phase == engine.PhasePlaying:
		return locale.T(ctx, "real.turn_of", "name", g.NameOf(v.Turn.Seat))
	}
	if v := g.View; v.Starter >= 0 {
		return locale.T(ctx, "real.begins", "name", g.NameOf(v.Starter))
	}
	return locale.T(ctx, "real.at_start")
}

// RealLast returns one sentence about the last action at a table with real tiles.
func (g Game) RealLast(ctx context.Context) string {
	l := g.View.Last
	if l == nil {
		return ""
	}
	key := "real.last." + l.Kind
	if l.Drawn == 0 && locale.HasText(key+".none") {
		key += ".none"
	}
	if !locale.HasText(key) {
		return ""
	}
	text := locale.T(ctx, key, "n", l.Drawn, "name", g.NameOf(l.Seat))
	if lost(l.Kind) && l.Drawn == 0 {
		text += " " + noneWords(ctx, *l)
	}
	return text
}

// Endings returns the ways in which a game can end under its rules.
func Endings(g Game) []string {
	return engine.WaysToEnd(g.View.Exhausted, g.View.Counting == ruleset.EndedForfeit)
}

func openedText(v engine.View) string {
	flags := make([]string, len(v.Seats))
	for i, s := range v.Seats {
		flags[i] = "0"
		if s.Opened {
			flags[i] = "1"
		}
	}
	return strings.Join(flags, " ")
}

// sheetFaces returns all faces: four colours of thirteen, then the joker.
func sheetFaces() []tile.Face {
	faces := make([]tile.Face, tile.Faces)
	for i := range faces {
		faces[i] = tile.Face(i)
	}
	return faces
}

func newestFirst(book []engine.Booked) []engine.Booked {
	list := slices.Clone(book)
	slices.Reverse(list)
	return list
}
