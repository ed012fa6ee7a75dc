package game

import (
	"slices"
	"testing"

	"meldhall/engine/tile"
)

func TestShuffledDeal(t *testing.T) {
	d := ShuffledDeal()
	for name, order := range map[string]tile.List{"pool": d.Pool, "draws": d.Draws} {
		if got := slices.Sorted(slices.Values(order)); !slices.Equal(got, tile.All()) {
			t.Errorf("%s: got %v, want each tile once", name, got)
		}
	}
	if slices.Equal(d.Pool, d.Draws) || slices.Equal(d.Pool, ShuffledDeal().Pool) {
		t.Error("two shuffles gave the same order")
	}
	if len(d.Salt) != 64 {
		t.Errorf("salt %q: want 256 bits in hex", d.Salt)
	}
}

// TestShuffleIsUniform checks that the positions of one tile over many shuffles are uniformly distributed: chi-square
// with 105 degrees of freedom stays below the value that chance exceeds once in a million times.
func TestShuffleIsUniform(t *testing.T) {
	const rounds, limit = 4240, 190.0
	var seen [tile.Count]float64
	for range rounds {
		seen[slices.Index(shuffled(), tile.Tile(7))]++
	}
	want, chi := float64(rounds)/tile.Count, 0.0
	for _, n := range seen {
		chi += (n - want) * (n - want) / want
	}
	if chi > limit {
		t.Errorf("chi-square %.1f over %d places, want below %.1f", chi, tile.Count, limit)
	}
}
