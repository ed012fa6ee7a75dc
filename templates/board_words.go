package templates

import (
	"context"
	"slices"
	"strings"
)

// Overlays are what a stream lays over its picture: the chosen table with its tiles, a lower third, who is to move, the first of the
// standings, the clock.
var Overlays = []string{"table", "lower", "turn", "standings", "clock"}

// boardHead is what a board says it is to the hall; the desk calls some of them otherwise.
func boardHead(ctx context.Context, kind string) string {
	if key := "board.head." + kind; HasText(key) {
		return T(ctx, key)
	}
	return T(ctx, "board."+kind)
}

func contains(list []string, one string) bool { return slices.Contains(list, one) }

// joined are names in one line, each in its own direction.
func joined(names []string) string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = isolate(n)
	}
	return strings.Join(all, ", ")
}
