package solve_test

import (
	"slices"
	"testing"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// perRule holds the largest number of tiles that can be laid under joker_replace free, table_or_rack and rack.
type perRule [3]int

// edgeCase is a position with the most tiles that the joker rule (engine/RULES.md section 3, rule 6) lets the player
// lay.
type edgeCase struct {
	id, table, rack string
	anywhere        perRule
	withRackTile    perRule // {} if it is the same
}

var never = perRule{-1, -1, -1} // no tile under with_rack_tile, though some under anywhere

func runEdgeCases(t *testing.T, cases []edgeCase) {
	for _, c := range cases {
		t.Run(c.id, func(t *testing.T) {
			strict := c.withRackTile
			if strict == (perRule{}) {
				strict = c.anywhere
			}
			for i, want := range slices.Concat(c.anywhere[:], strict[:]) {
				p := solve.Position{
					Rules: solve.Rules{WithRackTile: i >= 3, Replace: solve.Replace(i % 3), JokerPoints: 30},
					Table: layout(t, c.table), Rack: rackOf(t, c.rack),
				}
				want = max(0, want)
				for _, q := range []solve.Question{{}, {Keep: true}} {
					if tiles := checkAgainstOracle(t, p, q); tiles != want {
						t.Errorf("%s: %d tiles, want %d", positionText(p, q), tiles, want)
					}
				}
				checkAgainstOracle(t, p, solve.Question{Aim: solve.MostValue, Keep: true})
			}
		})
	}
}

func TestEdgeCasesOfJokersOnTheTable(t *testing.T) {
	t.Parallel()
	runEdgeCases(t, []edgeCase{
		{"h04 replaced from the rack, the joker makes 9s", "R4 R5 J", "R6 B9 K9", perRule{3, 3, 3}, perRule{}},
		{"h05 its tile can come from the table only", "R4 R5 J / R6 B6 K6 O6", "B9 K9", perRule{2, 2, 0}, perRule{}},
		{"h06 its tile lay on the table all along", "R4 R5 R6 J / K7 B7 O7 R7", "B9 K9", perRule{2, 2, 0}, perRule{}},
		{"h07 at the low end", "J R2 R3", "R1 B12 K12", perRule{3, 3, 3}, perRule{}},
		{"h08 a group of three: either missing colour", "R7 B7 J", "K7 O1 O2", perRule{3, 3, 3}, perRule{}},
		{"h09 both missing colours", "R7 B7 J", "K7 O7 O1 O2", perRule{4, 4, 4}, perRule{}},
		{"h10 a group of four: the one missing colour", "R7 B7 K7 J", "O7 B1 K1", perRule{3, 3, 3}, perRule{}},
		{"h10a the fourth looks spare and is not replaced", "R7 B7 K7 J", "R1 B1", perRule{2, 0, 0}, perRule{}},
		{"h11 both replaced, used in two sets", "R3 J J R6", "R4 R5 B9 K9 O2 O3", perRule{6, 6, 6}, perRule{}},
		{"h12 one of two replaced", "R3 J J R6", "R4 B9 K9", perRule{3, 3, 3}, perRule{}},
		{"h13 a group with two jokers", "R7 B7 J J", "K7 O7 R1 R2 B12 B13", perRule{6, 6, 6}, perRule{}},
		{"h00 a redundant joker may stay", "R5 B5 K5 J", "R9 B9 K9", perRule{3, 3, 3}, perRule{}},
		{"h01 the joker end of a long run may stay", "R1 R2 R3 J", "K7 B7 O7", perRule{3, 3, 3}, perRule{}},
		{"h03 replaced, the joker at the low end of its own run", "R11 R12 J / R1 B1 K1", "R13 O1", perRule{2, 2, 2},
			perRule{}},
		{"J01 two jokers compete for one tile", "R4 R5 R6 J / R4 R5 R6 J", "R7 B9 K9 B12 K12", perRule{5, 3, 3},
			perRule{}},
		{"J01a a tile for each", "R4 R5 R6 J / R4 R5 R6 J", "R7 R7 B9 K9 B12 K12", perRule{6, 6, 6}, perRule{}},
		{"J02 two equal sets, one replaced", "J R4 R5 R6 / J R4 R5 R6", "R3 B12 K12", perRule{3, 3, 3}, perRule{}},
		{"J02a two equal sets, both replaced", "J R4 R5 R6 / J R4 R5 R6", "R3 R3 B9 K9 B12 K12", perRule{6, 6, 6},
			perRule{}},
		{"J03 both colours on the rack, black is needed elsewhere", "R7 B7 J", "K7 K8 K9 O7 R1 B1", perRule{6, 6, 6},
			perRule{}},
		{"J03a both colours on the rack, orange is needed elsewhere", "R7 B7 J", "O7 O8 O9 K7 R1 B1", perRule{6, 6, 6},
			perRule{}},
		{"J04 R1 J J read as a run", "R1 J J", "R2 B9 K9", perRule{3, 3, 3}, perRule{}},
		{"J04a R1 J J read as a group", "R1 J J", "B1 B9 K9", perRule{3, 3, 3}, perRule{}},
		{"J04b one reading for both jokers", "R1 J J / R3 R4 R5 R6", "R2 B1 K9 O9 K12 O12", perRule{5, 5, 4},
			perRule{}},
		{"J05 J R1 J is a group only", "J R1 J", "R2 B9 K9", perRule{3, 0, 0}, perRule{}},
		{"J06 a joker with no other place stays", "R7 B7 J K7", "O7", perRule{0, 0, 0}, perRule{}},
		{"J07 back into the same set is legal here", "R4 J R6", "R5", perRule{1, 1, 1}, perRule{}},
		{"J08 one rack tile in the joker's new set is enough here", "R4 R5 J / K6 K7 K8 K9", "R6 B9", perRule{2, 2, 2},
			perRule{}},
		{"J09 extended at either end", "R4 J R6", "R3 R7", perRule{2, 2, 2}, perRule{}},
		{"J10 split, the joker keeping its face", "R3 R4 R5 J R7 R8", "B8 K8", perRule{2, 2, 2}, perRule{}},
		{"J11 a joker replaces no joker", "R4 J R6 / B4 B5 B6 J", "R5 K9 O9 K12 O12", perRule{5, 3, 3}, perRule{}},
		{"J11a jokers are interchangeable: one stands for the other's face", "R4 J R6 / B4 B5 B6 J", "R5 K7 O7 K12 O12",
			perRule{5, 5, 5}, perRule{}},
		{"J12 a joker moved unasked", "R4 R5 R6 J", "B9 K9", perRule{2, 0, 0}, perRule{}},
		{"J13 in its new group again either missing colour", "R4 R5 R6 / J B9 K9", "R9 B12 K12", perRule{3, 3, 3},
			perRule{}},
		{"J15 both colours, and the joker would be left alone", "R7 B7 J", "K7 O7", perRule{1, 1, 1}, perRule{}},
		{"RULES.md example 5", "R4 J R6", "R5 B9 K9", perRule{3, 3, 3}, perRule{}},
		{"RULES.md example 6, without the joker", "R4 J R6 / B8 B9 B10 B11 / K5 O5 R5 B5", "O11 K11", perRule{2, 2, 2},
			perRule{}},
		{"W01 no rack tile fits its new set", "R7 B7 K7 J / K1 K2 K3", "O7", perRule{1, 1, 1}, never},
		{"W02 one rack tile beside it is enough", "R7 B7 K7 J / K1 K2 K3", "O7 K4", perRule{2, 2, 2}, perRule{}},
		{"W03 a rack joker counts as a rack tile", "R7 B7 K7 J / K1 K2 K3 / O9 K9 B9", "O7 J", perRule{2, 2, 2},
			perRule{}},
	})
}

func TestEdgeCasesOfDuplicates(t *testing.T) {
	runEdgeCases(t, []edgeCase{
		{"D01 h14 identical sets, each extended", "R1 R2 R3 / R1 R2 R3", "R4 R4 B1 B2 B3", perRule{5, 5, 5}, perRule{}},
		{"D02 h32 two equal groups", "", "R7 R7 B7 B7 K7 K7", perRule{6, 6, 6}, perRule{}},
		{"D03 h33 two groups that share two colours", "", "R7 R7 B7 B7 K7 O7", perRule{6, 6, 6}, perRule{}},
		{"D04 h31 the second red stays", "", "R7 R7 B7 K7", perRule{3, 3, 3}, perRule{}},
		{"D05 h15 split into two runs", "R1 R2 R3 R4 R5", "R3", perRule{1, 1, 1}, perRule{}},
		{"D06 h16 split with an overlap of two", "R1 R2 R3 R4 R5 R6", "R3 R4", perRule{2, 2, 2}, perRule{}},
		{"D07 h17 two equal groups give tiles to runs", "R5 B5 K5 O5 / R5 B5 K5 O5", "R4 R6 B4 B6", perRule{4, 4, 4},
			perRule{}},
	})
}

func TestEdgeCasesOfRearrangement(t *testing.T) {
	lows, highs := "R1 R2 R3 / B1 B2 B3 / K1 K2 K3", "K10 K11 K12 / B10 B11 B12 / O10 O11 O12"
	runEdgeCases(t, []edgeCase{
		{"h18 the runs stay", lows, "O1 O2 O3", perRule{3, 3, 3}, perRule{}},
		{"h19 three runs become three groups", lows, "O2", perRule{1, 1, 1}, perRule{}},
		{"h20 one of two", highs, "R11 K13", perRule{1, 1, 1}, perRule{}},
		{"h45 two of three", "R8 R9 R10 / B8 B9 B10 / K8 K9 K10", "O9 R7 B11", perRule{2, 2, 2}, perRule{}},
		{"h46 a chain that does not close", "R2 B2 K2 O2 / R3 B3 K3 / R4 B4 O4", "R5 K4", perRule{1, 1, 1}, perRule{}},
		{"h47 split around the middle", "R1 R2 R3 R4 R5 R6 R7", "R4 B4 K4", perRule{3, 3, 3}, perRule{}},
		{"h48 an end tile leaves a run of four", "R1 R2 R3 R4", "B1 K1", perRule{2, 2, 2}, perRule{}},
		{"h49 an inner tile cannot leave", "R1 R2 R3 R4", "B2 K2", perRule{0, 0, 0}, perRule{}},
		{"V1 the longest run first is wrong", "", "R3 R4 R5 R6 R7 B6 K6", perRule{6, 6, 6}, perRule{}},
		{"V2 nothing at all", "", "", perRule{0, 0, 0}, perRule{}},
		{"V2a an empty rack", "R1 R2 R3", "", perRule{0, 0, 0}, perRule{}},
		{"V2b one tile and no table", "", "R5", perRule{0, 0, 0}, perRule{}},
		{"V2c two tiles and no table", "", "R5 R6", perRule{0, 0, 0}, perRule{}},
		{"V2d two jokers and no table", "", "J J", perRule{0, 0, 0}, perRule{}},
		{"V2e one tile that fits", "R1 R2 R3", "R4", perRule{1, 1, 1}, perRule{}},
		{"V3 nothing goes", "R1 R2 R3 / K7 B7 O7", "R5 B9 K13", perRule{0, 0, 0}, perRule{}},
		{"V5 a joker between two pairs", "", "R1 R2 R4 R5 R13 B13 J", perRule{5, 5, 5}, perRule{}},
	})
}

func TestTheAimsDiffer(t *testing.T) {
	for _, c := range []struct {
		name, table, rack string
		joker             int
		aim               solve.Aim
		tiles, value      int
	}{
		{"h20 tiles tie and the value decides", "K10 K11 K12 / B10 B11 B12 / O10 O11 O12", "R11 K13", 30,
			solve.MostTiles, 1, 13},
		{"V5 most tiles", "", "R1 R2 R4 R5 R13 B13 J", 0, solve.MostTiles, 5, 12},
		{"V5 most value, a joker is worth nothing", "", "R1 R2 R4 R5 R13 B13 J", 0, solve.MostValue, 3, 26},
		{"V5 most value, a joker is worth 30", "", "R1 R2 R4 R5 R13 B13 J", 30, solve.MostValue, 3, 56},
		{"J14 a joker is worth its points, not its number", "R1 R2 R3", "J", 50, solve.MostTiles, 1, 50},
		{"D02 h32", "", "R7 R7 B7 B7 K7 K7", 30, solve.MostValue, 6, 42},
		{"a joker that is worth nothing is still a tile", "R1 R2 R3", "J", 0, solve.MostValue, 1, 0},
		{"most value then most tiles", "", "R12 R13 R11 J", 0, solve.MostValue, 4, 36},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := solve.Position{Rules: solve.Rules{JokerPoints: c.joker}, Table: layout(t, c.table),
				Rack: rackOf(t, c.rack)}
			got := solve.Best(p, solve.Question{Aim: c.aim})
			if got.Tiles != c.tiles || got.Value != c.value {
				t.Errorf("%d tiles, %d; want %d, %d", got.Tiles, got.Value, c.tiles, c.value)
			}
			checkAgainstOracle(t, p, solve.Question{Aim: c.aim, Keep: true})
		})
	}
}

// TestAllTilesCanLie checks that all tiles of the game can lie on the table at the end.
func TestAllTilesCanLie(t *testing.T) {
	t.Parallel()
	var table [][]tile.Face
	for c := range tile.Colour(4) {
		var run []tile.Face
		for n := 1; n <= tile.Highest; n++ {
			run = append(run, tile.NewFace(c, n))
		}
		table = append(table, run, run)
	}
	for i := range 6 {
		p := solve.Position{Rules: solve.Rules{WithRackTile: i >= 3, Replace: solve.Replace(i % 3), JokerPoints: 30},
			Table: table, Rack: rackOf(t, "J J")}
		play := solve.Best(p, solve.Question{Keep: true})
		if fault := playFault(p, play); fault != "" || play.Tiles != 2 || !play.Proven || play.Kept != 7 {
			t.Errorf("%v: %d tiles, %d kept: %s", p.Rules, play.Tiles, play.Kept, fault)
		}
	}
}
