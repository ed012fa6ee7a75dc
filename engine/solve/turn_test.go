package solve_test

import (
	"testing"

	"meldhall/engine/solve"
)

// TestAPlayIsWholeWhicheverTurnFoundIt checks that a way found in one turn and proven in later ones lays everything
// that it took where it was found. Here a joker ends a run at a number where a search in the other direction has
// nothing to do.
func TestAPlayIsWholeWhicheverTurnFoundIt(t *testing.T) {
	p := solve.Position{
		Table: layout(t,
			"R1 B1 O1 / K8 J K10 K11 / K12 R12 O12 / K12 B12 J / R11 B11 O11 / O4 O5 O6 O7 / B3 B4 B5 B6 / "+
				"B5 B6 B7 B8 B9 B10 / K2 K3 K4 K5 K6 K7 K8 / K1 B1 O1 / O2 O3 O4 O5 O6"),
		Rack: rackOf(t, "R4 R6 R11 O2 O8 O10 O10"),
	}
	for _, q := range []solve.Question{{}, {Keep: true}, {Aim: solve.MostValue}} {
		best := solve.Best(p, q)
		for _, play := range []solve.Play{best, solve.BestTurned(p, q), solve.BestInShortTurns(p, q)} {
			if play.Tiles != best.Tiles || play.Value != best.Value || !play.Proven {
				t.Errorf("%+v: %d tiles, %d, proven %v; in turns %d, %d", q, play.Tiles, play.Value, play.Proven,
					best.Tiles, best.Value)
			}
			if fault := playFault(p, play); fault != "" {
				t.Errorf("%+v: %s", q, fault)
			}
		}
	}
}
