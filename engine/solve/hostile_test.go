package solve_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// hostileCase is a position that solvebench -hostile has bred against the search, at an earlier or its current state.
// GLPK agrees with the optima: solvebench -cases.
type hostileCase struct {
	ID   string
	Case struct {
		Board [][]tile.Face
		Rack  []tile.Face
	}
	Want struct{ Tiles, Value int }
}

func hostileCases(t testing.TB) (all []hostileCase) {
	t.Helper()
	file, err := os.Open("testdata/hostile.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var c hostileCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	if len(all) < 100 {
		t.Fatalf("only %d positions", len(all))
	}
	return all
}

// TestHostilePositionsTakeFewStates checks how many states the hardest known positions take. The number does not depend
// on the machine. Before chains counted jokers and bounds of better states held for worse ones, the most was 39,848.
func TestHostilePositionsTakeFewStates(t *testing.T) {
	t.Parallel()
	const most, mostTogether, mostKept = 4_900, 365_000, 10_200
	together := 0
	for i, c := range hostileCases(t) {
		p := solve.Position{Rules: solve.Rules{JokerPoints: 30}, Table: c.Case.Board,
			Rack: tile.CountFaces(c.Case.Rack)}
		play := solve.Best(p, solve.Question{})
		if play.Tiles != c.Want.Tiles || play.Value != c.Want.Value || !play.Proven {
			t.Errorf("%s: %d tiles, %d, proven %v, want %d, %d", c.ID, play.Tiles, play.Value, play.Proven,
				c.Want.Tiles, c.Want.Value)
		}
		if fault := playFault(p, play); fault != "" {
			t.Errorf("%s: %s", c.ID, fault)
		}
		if together += play.Work; play.Work > most {
			t.Errorf("%s: %d states, at most %d", c.ID, play.Work, most)
		}
		if i%5 > 0 {
			continue
		}
		if keep := solve.Best(p, solve.Question{Keep: true}); keep.Work > mostKept || keep.Tiles != play.Tiles ||
			keep.Value != play.Value || keep.Kept < play.Kept {
			t.Errorf("%s, most sets kept: %d states, %d tiles, %d, %d kept", c.ID, keep.Work, keep.Tiles, keep.Value,
				keep.Kept)
		}
	}
	t.Logf("%d states together", together)
	if together > mostTogether {
		t.Errorf("%d states together, at most %d", together, mostTogether)
	}
}
