package screens

import (
	"context"
	"slices"
	"strings"

	"meldhall/templates/locale"
)

// Overlays lists the overlays for a broadcast picture: the chosen table with its tiles, a lower third, the player to
// move, the top of the standings, and the clock.
var Overlays = []string{"table", "lower", "turn", "standings", "clock"}

// boardHead returns the heading that a board shows in the hall; some boards have a different name on the officials'
// pages.
func boardHead(ctx context.Context, kind string) string {
	if key := "board.head." + kind; locale.HasText(key) {
		return locale.T(ctx, key)
	}
	return locale.T(ctx, "board."+kind)
}

func contains(list []string, one string) bool { return slices.Contains(list, one) }

// joined joins names on one line, isolating each so that it keeps its own text direction.
func joined(names []string) string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = locale.Isolate(n)
	}
	return strings.Join(all, ", ")
}
