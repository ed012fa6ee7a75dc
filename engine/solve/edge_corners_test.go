package solve_test

import (
	"testing"

	"meldhall/engine/solve"
	"meldhall/engine/testmode"
)

// TestCorners checks positions in which an earlier search disagreed with the oracle, under every joker rule and several
// values of a joker.
func TestCorners(t *testing.T) {
	t.Parallel()
	worths := []int{0, 30, 100}
	if !testmode.Long {
		worths = worths[2:]
	}
	for _, c := range []struct{ name, table, rack string }{
		{"a joker worth more than the tile whose place it takes", "", "K7 R4 R7 B7 O7 J"},
		{"a joker of the rack beside an empty table", "", "K5 K5 R4 R7 B6 J"},
		{"jokers keep one face in common as a group", "J J K12 R12 / B9 O9 K9 / B9 B10 B11 B12", "K10 K11 R10 R11 B11"},
		{"jokers keep one face in common, crowded",
			"B10 O10 K10 / B9 O9 K9 R9 / R7 R8 R9 / K10 R10 B10 / O10 J R10 J / K8 R8 B8 O8 / R11 B11 O11 / O11 K11 R11 B11", "B9 O8"},
		{"a set is kept with the joker taken for another's", "R5 J O5 / J O5 K5 R5 / B7 O7 K7", "K7 R6 R7"},
		{"keeping sets costs no tile", "B11 O11 K11 / K11 R11 B11 O11 / O9 K9 R9 B9 / K9 R9 B9 O9", "R11 J"},
		{"each set with a released joker needs its own rack tile", "R5 J R7 R8 R9 J", "K4 K8 R4 R6 B5 B8"},
		{"a rack tile that is in two sets counts for one", "K4 R4 J / K5 R5 J", "K4 K6 K6 K8 K9 R4"},
		{"two jokers, one tile of each face on the table", "O9 K9 J / R11 B11 O11 / O11 K11 J B11", "K8 K10 B8 B9 B10"},
		{"a joker that moves within its own run", "J R2 J / K1 K2 K3 K4", "K1 K4 R1"},
		{"both jokers into one set", "R9 J R11 / B9 B10 J", "K9 K13 R10 B13 O10 O13"},
		{"a joker beside an old set of its own", "O3 J J O6 / R1 R2 R3 R4", "K3 R4 B3 O4"},
		{"nothing without the joker, which may not leave", "R4 B4 O4 / O4 K4 J / K2 R2 B2 O2", "K3 K5 R2 R3 R3"},
		{"a group's jokers in another group", "J B9 J / O9 O10 O11 O12 O13 / K8 R8 B8 O8", "K13 R7 R7 R10 B7"},
		{"kept sets against a joker without a rack tile", "K1 R1 B1 O1 / K3 J B3 J / K1 K2 K3", "K2 K4 R1 R2"},
		{"the whole rack goes with its joker beside a released one", "K8 J K10 / R8 R9 R10 R11", "B8 B9 O8 O9 O11 J"},
		{"a group of three that jokers alone fill up", "B2 B3 B4 / K6 R6 B6 O6 / R4 J J", "K7 B1 B3 B6"},
		{"a joker inside a run keeps a set more than at its end", "R3 R4 R5 R6 / B5 O5 K5 / O3 K3 R3", "R5 B2 J"},
		{"a kept set hosts a joker released elsewhere", "O7 K7 R7 B7 / J B6 O6 / O7 J R7 / B8 O8 K8 R8",
			"K5 B8 B9 O5 O6 O8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i := range 6 {
				p := solve.Position{Table: layout(t, c.table), Rack: rackOf(t, c.rack)}
				for _, points := range worths {
					p.Rules = solve.Rules{WithRackTile: i >= 3, Replace: solve.Replace(i % 3), JokerPoints: points}
					for _, aim := range []solve.Aim{solve.MostTiles, solve.MostValue} {
						checkAgainstOracle(t, p, solve.Question{Aim: aim})
						checkAgainstOracle(t, p, solve.Question{Aim: aim, Keep: true})
					}
				}
			}
		})
	}
}

// TestAKeptSetMayHost checks that a set that stays as it lies may hold the released joker, beside a tile of a face that
// was played. After the play, the joker of K13 B13 J may be the one that stood for R13, and that of R11 R12 J the one
// of B10 J K10.
func TestAKeptSetMayHost(t *testing.T) {
	p := solve.Position{
		Rules: solve.Rules{WithRackTile: true, JokerPoints: 30},
		Table: layout(t,
			"R11 R12 J / K10 K11 K12 K13 / K11 K12 K13 / O8 K8 R8 / B10 J K10 / O10 O11 O12 / B9 B10 B11 B12 B13 / R9 B9 O9 / O8 K8 R8"),
		Rack: rackOf(t, "K9 R11 O9"),
	}
	play := solve.Best(p, solve.Question{Keep: true})
	if fault := playFault(p, play); fault != "" || play.Value != 20 || play.Kept != 4 {
		t.Errorf("%d tiles, %d, %d kept: %s", play.Tiles, play.Value, play.Kept, fault)
	}
}

// TestThreeCopiesOfAFaceOnARackWhereJokersNeedHosts checks a rack with more copies of a face than the game has.
func TestThreeCopiesOfAFaceOnARackWhereJokersNeedHosts(t *testing.T) {
	p := solve.Position{
		Rules: solve.Rules{WithRackTile: true, JokerPoints: 30},
		Table: layout(t, "J R2 R3 R4 R5 R6 / R1 R2 R3 R4 R5 R6 / O9 O10 O11 O12 O13 / O3 O4 O5 O6 O7"),
		Rack:  rackOf(t, "R1 B6 B6 B6"),
	}
	for _, keep := range []bool{false, true} {
		play := solve.Best(p, solve.Question{Keep: keep})
		if fault := playFault(p, play); fault != "" || play.Tiles != 2 || !play.Proven {
			t.Errorf("keep %v: %d tiles, proven %v: %s", keep, play.Tiles, play.Proven, fault)
		}
	}
}
