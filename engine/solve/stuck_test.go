package solve_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"meldhall/engine/solve"
	"meldhall/engine/tile"

	"pgregory.net/rapid"
)

type position struct {
	ID    string
	Board [][]tile.Face
	Rack  []tile.Face
	Tiles int // the most that can be laid under free joker rules
}

func positions(t testing.TB) []position {
	t.Helper()
	file, err := os.Open("testdata/tables.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []position
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var p position
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) != 100 {
		t.Fatalf("%d positions, not 100", len(all))
	}
	return all
}

func TestCanLayAgreesWithTheSharedCases(t *testing.T) {
	for _, p := range positions(t) {
		if got := solve.CanLay(tile.CountFaces(p.Board...), tile.CountFaces(p.Rack)); got != (p.Tiles > 0) {
			t.Errorf("%s: %v, but %d tiles can be laid", p.ID, got, p.Tiles)
		}
	}
}

func TestCanLay(t *testing.T) {
	for _, c := range []struct {
		name, table, rack string
		want              bool
	}{
		{"an empty rack", "R1 R2 R3", "", false},
		{"an empty table", "", "R1 R2 R3", true},
		{"nothing goes", "R1 R2 R3", "R5 B9 K13", false},
		{"a run is extended", "R1 R2 R3", "R4", true},
		{"three runs become three groups", "R1 R2 R3 B1 B2 B3 K1 K2 K3", "O2", true},
		{"a chain that does not close", "R2 B2 K2 O2 R3 B3 K3 R4 B4 O4", "R5 K4", true},
		{"an inner tile cannot leave", "R1 R2 R3 R4", "B2 K2", false},
		{"an end tile can", "R1 R2 R3 R4", "B1 K1", true},
		{"a joker of the rack always finds a place", "R1 R2 R3", "J", true},
		{"a joker beside a group of four alone does not", "R7 B7 K7 O7", "J", false},
		{"a joker of the table must stay in use", "R4 J R6", "B9", false},
		{"a joker of the table is replaced", "R4 J R6", "R5", true},
		{"a freed joker has no other place", "R7 B7 J K7", "O7", false},
		{"a table that is no sets", "R1 B5", "K9", false},
		{"split around the middle", "R1 R2 R3 R4 R5 R6 R7", "R4 B4 K4", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := solve.CanLay(rackOf(t, c.table), rackOf(t, c.rack)); got != c.want {
				t.Errorf("%v", got)
			}
		})
	}
}

// canLay enumerates: every table tile in some set, and a rack tile too.
func canLay(table, rack tile.Counts) bool {
	all := table
	for f, k := range rack {
		all[f] += k
	}
	var try func(left tile.Counts, sets []meld) bool
	try = func(left tile.Counts, sets []meld) bool {
		if left.Within(rack) && left != rack {
			return true
		}
		for i, m := range sets {
			if m.takes.Within(left) && try(left.Minus(m.takes), sets[i:]) {
				return true
			}
		}
		return false
	}
	return try(all, melds(all))
}

func TestCanLayIsExactOnSmallTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := racks(10).Draw(t, "tiles")
		var rack tile.Counts
		for _, f := range all.List() {
			if rapid.IntRange(0, 2).Draw(t, "on the rack") == 0 {
				rack[f]++
			}
		}
		table := all.Minus(rack)
		if got, want := solve.CanLay(table, rack), canLay(table, rack); got != want {
			t.Fatalf("table %v rack %v: %v", table.List(), rack.List(), got)
		}
	})
}

func BenchmarkCanLay(b *testing.B) {
	all := positions(b)
	for i := 0; b.Loop(); i++ {
		p := all[i%len(all)]
		solve.CanLay(tile.CountFaces(p.Board...), tile.CountFaces(p.Rack))
	}
}
