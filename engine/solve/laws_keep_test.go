package solve_test

import (
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// TestNoMoreSetsCanBeKept checks that no choice of one set more can be kept. It takes the sets of a choice off the
// table: if as much can be laid without them, they could be kept.
func TestNoMoreSetsCanBeKept(t *testing.T) {
	t.Parallel()
	moved := 0
	rapid.Check(t, func(t *rapid.T) {
		p, q := middlePositions().Draw(t, "position"), questions().Draw(t, "question")
		q.Keep = true
		play := best(t, p, q)
		broken := len(p.Table) - play.Kept
		if play.Tiles == 0 || broken == 0 || broken > 4 {
			return
		}
		moved++
		for out := range uint(1) << len(p.Table) {
			if bits.OnesCount(out) != broken-1 {
				continue
			}
			rest := solve.Position{Rules: p.Rules, Rack: p.Rack}
			var kept [][]tile.Face
			for i, set := range p.Table {
				if out>>i&1 == 1 {
					rest.Table = append(rest.Table, set)
				} else {
					kept = append(kept, set)
				}
			}
			if other := solve.Best(rest, solve.Question{Aim: q.Aim}); other.Tiles == play.Tiles &&
				other.Value == play.Value {
				t.Fatalf("%s: %d sets kept by %s; but %s can be kept, with %s", positionText(p, q), play.Kept,
					layoutText(play.Table), layoutText(kept), layoutText(other.Table))
			}
		}
	})
	if moved == 0 {
		t.Error("the table was never changed")
	}
}
