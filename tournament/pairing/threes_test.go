package pairing

import (
	"maps"
	"slices"
	"testing"
)

// TestPlansBalanceTablesOfThree checks that in a planned tournament the numbers of places at tables of three differ by
// at most two between players, without causing repeated meetings.
func TestPlansBalanceTablesOfThree(t *testing.T) {
	for _, row := range []struct{ players, rounds, extra int }{{10, 3, 3}, {11, 3, 6}, {13, 3, 0}, {17, 5, 0},
		{18, 5, 0}} {
		rep := draw(t, Request{Method: Plan, Players: field(row.players), Sizes: sizesOf(row.players),
			Rounds: row.rounds, Seed: 1}).Report
		times := slices.Sorted(maps.Keys(rep.Threes))
		if apart := times[len(times)-1] - times[0]; apart > 2 || rep.Extra > row.extra {
			t.Errorf("%d players, %d rounds: %v times at a table of three, %d repeat meetings, want %d", row.players,
				row.rounds, rep.Threes, rep.Extra, row.extra)
		}
	}
}
