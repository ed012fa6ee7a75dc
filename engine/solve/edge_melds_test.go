package solve_test

import (
	"testing"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// TestEdgeCasesOfOpenings checks the most points that a rack can lay on its own, and the opening with the most tiles
// that is worth at least need.
func TestEdgeCasesOfOpenings(t *testing.T) {
	for _, c := range []struct {
		id, rack            string
		need                int
		most, tiles, points int // tiles 0: cannot open
	}{
		{"M01 exactly at the limit", "R10 B10 K10", 30, 30, 3, 30},
		{"M02 just under", "R9 B9 K9", 30, 27, 0, 0},
		{"M03 a joker counts as its face", "R9 B9 J", 30, 27, 0, 0},
		{"M03 a joker as a ten", "R10 B10 J", 30, 30, 3, 30},
		{"M04 the joker at the only end", "R12 R13 J", 30, 36, 3, 36},
		{"M04 the joker at the best end", "R9 R10 J", 30, 30, 3, 30},
		{"M04 the joker higher still", "R10 R11 J", 30, 33, 3, 33},
		{"M05 two jokers beside a 13", "R13 J J", 30, 39, 3, 39},
		{"M05 two jokers beside a 1", "R1 J J", 30, 6, 0, 0},
		{"M06 the best end, not the low one", "R7 R8 R9 J", 30, 34, 4, 34},
		{"M07 inside there is no choice", "R8 J R10", 30, 27, 0, 0},
		{"M08 a group ends at four", "R7 B7 J J", 30, 28, 0, 0},
		{"M09 h42 three sets add up", "R1 R2 R3 B4 B5 B6 K3 K4 K5", 30, 33, 9, 33},
		{"M10 h43 a low set and a joker set", "R1 R2 R3 B8 B9 J", 30, 33, 6, 33},
		{"M11 h44 two runs that overlap", "R3 R4 R5 R3 R4 R5 R6", 30, 30, 7, 30},
		{"M12 h40 duplicates are two tiles", "R13 O13 O13 B13 K1 R4", 30, 39, 3, 39},
		{"M13 no wrap", "R13 R1 R2", 30, 0, 0, 0},
		{"M13 no wrap below", "R12 R13 R1", 30, 0, 0, 0},
		{"M14 the table adds nothing", "R3 R4 R5 K6 K7", 30, 12, 0, 0},
		{"M19 a limit of 50 not reached", "R12 R13 J B1 B2 B3", 50, 42, 0, 0},
		{"M19 a limit of 50 reached", "R12 R13 J B5 B6 B7", 50, 54, 6, 54},
		{"M19 a limit of 0 still asks for a set", "R1 R2", 0, 0, 0, 0},
		{"M19 a limit of 0", "R1 R2 R3", 0, 6, 3, 6},
		{"M20 he may draw all the same: it exists", "R13 B13 K13", 30, 39, 3, 39},
		{"M21 h41 the joker cannot serve both pairs", "R10 R11 B10 B11 J", 30, 33, 3, 33},
		{"M22 h39 two jokers in a run of 5-6-7", "J J R5 B5 K5 O5", 30, 33, 6, 33},
	} {
		t.Run(c.id, func(t *testing.T) {
			rack := rackOf(t, c.rack)
			if most, _ := (solve.Meld{Aim: solve.HighestPoints}).Best(rack); most.Points != c.most {
				t.Errorf("at most %d points, want %d", most.Points, c.most)
			}
			o, ok := solve.Meld{Points: c.need}.Best(rack)
			if ok != (c.tiles > 0) || o.Tiles != c.tiles || o.Points != c.points {
				t.Errorf("%+v, want %d tiles, %d points", o, c.tiles, c.points)
			}
			worth := 0
			for _, set := range o.Sets {
				worth += tile.Value(set)
			}
			if used := tile.CountFaces(o.Sets...); worth != o.Points || !used.Within(rack) || used.Total() != o.Tiles {
				t.Errorf("%v is worth %d", o.Sets, worth)
			}
			if can := (solve.Meld{Points: c.need}).Exists(rack); can != ok {
				t.Errorf("exists: %v", can)
			}
		})
	}
}
