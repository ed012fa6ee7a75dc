package referee

import (
	"context"
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/referee"
)

// If droppedShare of the tablets at tables with a running clock, and at least droppedLeast, go silent within
// droppedWithin, the hall's network is the likely cause, not the tablets. The page then proposes a pause of all clocks.
const (
	droppedShare  = 30 // percent
	droppedWithin = 5 * engine.Millis(1000)
	droppedLeast  = 2
)

// droppedAtOnce returns an alert with the number of tablets lost at once, or nil if too few were.
func droppedAtOnce(ctx context.Context, rows []referee.FloorRow) *part.Alert {
	var silent []engine.Millis
	pages := 0
	for _, row := range rows {
		for _, p := range row.Players {
			if !row.Ticks || !p.Page {
				continue
			}
			if pages++; p.Offline != 0 {
				silent = append(silent, p.Offline)
			}
		}
	}
	slices.Sort(silent)
	most, since := 0, engine.Millis(0)
	for i, first := range silent {
		end, _ := slices.BinarySearch(silent, first+droppedWithin+1)
		if end-i > most {
			most, since = end-i, first
		}
	}
	if most < droppedLeast || most*100 < pages*droppedShare {
		return nil
	}
	return &part.Alert{Key: fmt.Sprintf("dropped-%d", since), Kind: "offline",
		Text: locale.T(ctx, "floor.dropped", "n", most, "of", pages)}
}
