package steps_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/steps"
	"meldhall/engine/tile"
)

// checkTurn checks that a difference explains every tile: each tile of a changed row stays or is in one Got, and all
// others come from the rack.
func checkTurn(t failing, before, after [][]tile.Face) steps.Turn {
	t.Helper()
	turn, ok := steps.Between(before, after)
	if !ok {
		t.Fatalf("no difference between %v and %v", before, after)
	}
	left := make([]tile.Counts, len(turn.Old))
	table := slices.Clone(before)
	for i, row := range turn.Old {
		left[i] = tile.CountFaces(row)
		at := slices.IndexFunc(table, func(other []tile.Face) bool { return slices.Equal(row, other) })
		if at < 0 {
			t.Fatalf("%v is not on the table %v", row, before)
		}
		table = slices.Delete(table, at, at+1)
	}
	rack := tile.CountFaces(after...).Minus(tile.CountFaces(before...))
	for _, row := range turn.Now {
		table = append(table, row.Tiles)
		if row.Was != steps.NoRow && !steps.Alike(turn.Old[row.Was], row.Tiles) {
			t.Fatalf("%v does not continue %v", row.Tiles, turn.Old[row.Was])
		}
		for i, f := range row.Tiles {
			from := &rack
			if at := row.From(i); at != steps.NoRow {
				from = &left[at]
			}
			if from[f] == 0 {
				t.Fatalf("%v to %v: no %v left for %v", before, after, f, row)
			}
			from[f]--
		}
	}
	if tableKey(table) != tableKey(after) {
		t.Fatalf("%v to %v: got %v", before, after, table)
	}
	if rack.Total() > 0 || slices.ContainsFunc(left, func(c tile.Counts) bool { return c.Total() > 0 }) {
		t.Fatalf("%v to %v: left over %v and %v", before, after, rack.List(), left)
	}
	return turn
}

func TestBetweenExplainsEveryTile(t *testing.T) {
	splits, swaps := 0, 0
	check := func(t failing, before, after [][]tile.Face) {
		turn := checkTurn(t, before, after)
		for _, row := range turn.Now {
			swaps += len(turn.Swaps(row))
			if turn.PartOf(row) != steps.NoRow {
				splits++
			}
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 3))
		for range 20 {
			before, after := rearranged(r, 1+r.IntN(10), r.IntN(8))
			check(rt, before, after)
		}
	})
	for _, pair := range bestPlays(t) {
		check(t, pair[0], pair[1])
	}
	if splits < 20 || swaps < 20 {
		t.Errorf("only %d splits and %d swaps", splits, swaps)
	}
}

func TestBetweenNeedsAllTiles(t *testing.T) {
	if turn, ok := steps.Between(tableOf(t, "R4 R5 R6 R7"), tableOf(t, "R4 R5 R6")); ok {
		t.Errorf("a lost tile is explained: %+v", turn)
	}
	same := tableOf(t, "R4 R5 R6")
	if turn, ok := steps.Between(same, same); !ok || len(turn.Now)+len(turn.Old) > 0 {
		t.Errorf("the same table differs: %+v, %t", turn, ok)
	}
}

func BenchmarkBetween(b *testing.B) {
	pairs := bestPlays(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		pair := pairs[i%len(pairs)]
		steps.Between(pair[0], pair[1])
	}
}
