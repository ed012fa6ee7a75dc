package solve_test

import (
	"strings"
	"testing"

	"meldhall/engine/solve"
)

// TestCanPlay checks CanPlay under every joker rule, with released jokers allowed anywhere or only in a set with a rack
// tile.
func TestCanPlay(t *testing.T) {
	const never, always = "none", "all"
	for _, c := range []struct{ name, table, rack, under string }{
		{"an empty rack", "R1 R2 R3", "", never},
		{"an empty table", "", "R1 R2 R3", always},
		{"neither table nor rack", "", "", never},
		{"nothing goes", "R1 R2 R3", "R5 B9 K13", never},
		{"a run is extended", "R1 R2 R3", "R4", always},
		{"three runs become three groups", "R1 R2 R3 / B1 B2 B3 / K1 K2 K3", "O2", always},
		{"a chain that does not close", "R2 B2 K2 O2 / R3 B3 K3 / R4 B4 O4", "R5 K4", always},
		{"an inner tile cannot leave", "R1 R2 R3 R4", "B2 K2", never},
		{"an end tile can", "R1 R2 R3 R4", "B1 K1", always},
		{"split around the middle", "R1 R2 R3 R4 R5 R6 R7", "R4 B4 K4", always},
		{"a joker of the rack finds a place at a run", "R1 R2 R3", "J", always},
		{"beside a group of four alone it does not", "R7 B7 K7 O7", "J", never},
		{"a joker of the table must stay in use", "R4 J R6", "B9", never},
		{"a joker is replaced from the rack", "R4 J R6", "R5", always},
		{"a freed joker has no other place", "R7 B7 J K7", "O7", never},
		{"replaced from the table alone", "R4 R5 J / R6 B6 K6 O6", "B9 K9", "free table"},
		{"loose at the end of a run of four", "R4 R5 R6 J / K7 B7 O7 R7", "B9 K9", "free table"},
		{"the fourth of a group, not replaced", "R7 B7 K7 J", "R1 B1", "free"},
	} {
		for i, rule := range []string{"free", "table", "rack"} {
			for _, with := range []bool{false, true} {
				want := c.under == always
				if c.under != never && c.under != always {
					want = strings.Contains(c.under, rule)
				}
				p := solve.Position{Rules: solve.Rules{WithRackTile: with, Replace: solve.Replace(i)},
					Table: layout(t, c.table), Rack: rackOf(t, c.rack)}
				if can, proven := solve.CanPlay(p, 0); can != want || !proven {
					t.Errorf("%s, %s, with a rack tile %v: %v, proven %v", c.name, rule, with, can, proven)
				}
			}
		}
	}
}
