package solve

import (
	"testing"

	"pgregory.net/rapid"
)

// TestTheLevelBelowIsTheNextCostThatTilesCanHave checks that below returns the next lower cost among all sets of tiles
// that may stay on the rack.
func TestTheLevelBelowIsTheNextCostThatTilesCanHave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rack := rapid.SliceOfN(rapid.IntRange(1, numbers), 0, 7).Draw(t, "rack")
		jokers, joker := rapid.IntRange(0, 2).Draw(t, "jokers"), rapid.SampledFrom([]int{0, 20, 30}).Draw(t, "joker")
		byValue := rapid.Bool().Draw(t, "by value")

		var on tiles
		on.rack = jokers
		values, total := []int{}, 0
		for _, n := range rack {
			on.idle[rapid.IntRange(0, 3).Draw(t, "colour")][n]++
			values, total = append(values, n), total+n
		}
		for range jokers {
			values, total = append(values, joker), total+joker
		}
		w := weights{tile: int32(total) + 1, point: 1}
		if byValue {
			w = weights{tile: 1, point: int32(len(values)) + 1}
		}
		costs := map[int32]bool{}
		for mask := range 1 << len(values) {
			cost := int32(0)
			for i, v := range values {
				if mask>>i&1 == 1 {
					cost += w.of(v)
				}
			}
			costs[cost] = true
		}
		l := levels{of: w, joker: joker, byValue: byValue}
		l.list(&on)
		if !l.few {
			t.Fatal("not listed")
		}
		from := rapid.Int32Range(-3, w.tile*int32(len(values))+w.point*int32(total)+5).Draw(t, "cost")
		want := from - 1
		for want >= 0 && !costs[want] {
			want--
		}
		if got := l.below(from); got != max(want, -1) {
			t.Fatalf("below %d: %d, want %d of %v", from, got, want, costs)
		}
	})
}
