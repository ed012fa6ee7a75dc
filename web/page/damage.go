package page

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/tournament"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// damage returns a page's warning about damaged rows. Officials see the rows of all their tournaments and what to do.
// The public sees which results of the page's tournament may be wrong.
func (s *Base) damage(ctx context.Context, official *rights.Actor, event *tournament.Tournament) []part.Flash {
	if !s.view.Store.Damages.Any() {
		return nil
	}
	all, err := s.view.Store.Damages.All(ctx)
	if err != nil {
		slog.Error("listing damaged rows for a page failed", "err", err)
		return nil
	}
	all = slices.DeleteFunc(all, func(d store.Damage) bool {
		if official == nil {
			return event == nil || d.Event != event.ID || !d.IsResult()
		}
		return !official.Serves(d.Event)
	})
	if len(all) == 0 {
		return nil
	}
	var rows []string
	found := engine.Millis(0)
	for _, d := range all {
		if words := damageWords(ctx, d); !slices.Contains(rows, words) {
			rows = append(rows, words)
		}
		found = max(found, d.Found)
	}
	key := "damage.public"
	if official != nil {
		key = "damage.official"
	}
	return []part.Flash{{Kind: "bad", Text: locale.T(ctx, key, "what", strings.Join(rows, "; "),
		"time", locale.DayTime(ctx, time.UnixMilli(int64(found))))}}
}

// damageWords names the player, result or log that a damaged row belongs to.
func damageWords(ctx context.Context, d store.Damage) string {
	switch {
	case d.Player != 0:
		return locale.T(ctx, "damage.player", "number", d.Player)
	case d.IsResult():
		return locale.T(ctx, "damage.result", "round", d.Round, "table", d.Table, "game", d.Number)
	case d.Part == "game_events" && d.Game != 0:
		return locale.T(ctx, "damage.log", "round", d.Round, "table", d.Table, "game", d.Number)
	}
	return locale.T(ctx, "damage.row", "row", d.Row, "part", d.Part)
}
