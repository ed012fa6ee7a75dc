package solve_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"meldhall/engine/solve"
	"meldhall/engine/testmode"
	"meldhall/engine/tile"
)

// sharedCase is a position of the project's shared cases, with the optimum for each question about it.
type sharedCase struct {
	ID, Table, Rack string
	Club            [2]int // most tiles, and their most value, with jokers worth 30
	MostValue       int    `json:"most_value"` // under club
	WRC             int    // most tiles
	Casual          int    // most tiles, with each released joker's own tile on the table
	Opening         [2]int // most tiles of an opening worth 30; most points
}

func sharedCases(t testing.TB) (all []sharedCase) {
	t.Helper()
	file, err := os.Open("testdata/solve.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var c sharedCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	if len(all) != 100 {
		t.Fatalf("%d positions, not 100", len(all))
	}
	return all
}

func (c sharedCase) position(t testing.TB, replace solve.Replace, joker int) solve.Position {
	return solve.Position{
		Rules: solve.Rules{Replace: replace, JokerPoints: joker},
		Table: layout(t, c.Table), Rack: rackOf(t, c.Rack),
	}
}

// TestBestAgreesWithTheSharedCases checks the answers to the 500 shared questions, with and without keeping sets.
func TestBestAgreesWithTheSharedCases(t *testing.T) {
	t.Parallel()
	for i, c := range sharedCases(t) {
		if !testmode.Long && i%5 > 0 {
			continue
		}
		for _, q := range []struct {
			name         string
			replace      solve.Replace
			joker        int
			aim          solve.Aim
			tiles, value int // -1: not given
		}{
			{"club", solve.Free, 30, solve.MostTiles, c.Club[0], c.Club[1]},
			{"club, value", solve.Free, 30, solve.MostValue, -1, c.MostValue},
			{"wrc", solve.Free, 100, solve.MostTiles, c.WRC, -1},
			{"casual", solve.TableOrRack, 30, solve.MostTiles, c.Casual, -1},
		} {
			p := c.position(t, q.replace, q.joker)
			kept := 0
			for _, keep := range []bool{false, true} {
				play := solve.Best(p, solve.Question{Aim: q.aim, Keep: keep})
				if play.Tiles != q.tiles && q.tiles >= 0 || play.Value != q.value && q.value >= 0 || !play.Proven {
					t.Errorf("%s, %s, keep %v: %d tiles, %d, proven %v; want %d, %d", c.ID, q.name, keep, play.Tiles,
						play.Value, play.Proven, q.tiles, q.value)
				}
				if fault := playFault(p, play); fault != "" {
					t.Errorf("%s, %s, keep %v: %s", c.ID, q.name, keep, fault)
				}
				if play.Kept < kept {
					t.Errorf("%s, %s: %d sets kept when asked to, else %d", c.ID, q.name, play.Kept, kept)
				}
				kept = play.Kept
			}
			if can, proven := solve.CanPlay(p, 0); q.tiles >= 0 && can != (q.tiles > 0) || !proven {
				t.Errorf("%s, %s: can play %v, proven %v", c.ID, q.name, can, proven)
			}
		}
	}
}

func TestOpeningsAgreeWithTheSharedCases(t *testing.T) {
	for _, c := range sharedCases(t) {
		rack := rackOf(t, c.Rack)
		o, ok := solve.Meld{Points: 30}.Best(rack)
		most, _ := solve.Meld{Aim: solve.HighestPoints}.Best(rack)
		if most.Points != c.Opening[1] || ok != (most.Points >= 30) || o.Tiles != c.Opening[0] {
			t.Errorf("%s: %d tiles, at most %d points, want %v", c.ID, o.Tiles, most.Points, c.Opening)
		}
		if tile.CountFaces(o.Sets...).Total() != o.Tiles {
			t.Errorf("%s: %v", c.ID, o.Sets)
		}
	}
}

// TestOracleAgreesWithTheSharedCases checks the oracle with the shared cases that are small enough for it.
func TestOracleAgreesWithTheSharedCases(t *testing.T) {
	t.Parallel()
	small, most := 0, 11
	if !testmode.Long {
		most = 8
	}
	for _, c := range sharedCases(t) {
		p := c.position(t, solve.Free, 30)
		o, ok := newOracle(p)
		if !ok || p.Rack.Total() > most {
			continue
		}
		small++
		if got := o.best(solve.MostTiles, false); got.tiles != c.Club[0] || got.value != c.Club[1] {
			t.Errorf("%s: %d tiles, %d, want %v", c.ID, got.tiles, got.value, c.Club)
		}
		if got := o.best(solve.MostValue, false); got.value != c.MostValue {
			t.Errorf("%s: value %d, want %d", c.ID, got.value, c.MostValue)
		}
		o, _ = newOracle(c.position(t, solve.TableOrRack, 30))
		if got := o.best(solve.MostTiles, false); got.tiles != c.Casual {
			t.Errorf("%s: %d tiles under casual, want %d", c.ID, got.tiles, c.Casual)
		}
	}
	if small < 5 {
		t.Errorf("only %d small cases", small)
	}
}
