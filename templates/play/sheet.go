package play

import (
	"context"

	"meldhall/engine"
	"meldhall/templates/locale"
)

// RuledWords describes a ruling in one sentence with its reason.
func (g Game) RuledWords(ctx context.Context, r engine.Ruling) string {
	return g.toldWords(ctx, r, toldKey(r))
}

// toldKey returns the key of the text that describes a ruling.
func toldKey(r engine.Ruling) string {
	switch {
	case r.Seconds != 0 && r.Seat < 0:
		return "told.start_moved"
	case r.Seconds < 0:
		return "told.time_taken"
	}
	return "told." + r.Kind
}

func (g Game) toldWords(ctx context.Context, r engine.Ruling, key string) string {
	return WithReason(ctx, locale.T(ctx, key, "n", r.Tiles, "name", g.NameOf(r.Seat), "seconds",
		max(r.Seconds, -r.Seconds)),
		r.Reason)
}
