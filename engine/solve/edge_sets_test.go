package solve_test

import (
	"errors"
	"testing"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// TestEdgeCasesOfSets checks whether tiles are a set, and what the set is worth. Order is part of a run
// (engine/RULES.md section 2).
func TestEdgeCasesOfSets(t *testing.T) {
	const no = 0
	for _, c := range []struct {
		id, set string
		value   int
	}{
		{"S01", "R7 B7 K7", 21},
		{"S02", "R7 B7 K7 O7", 28},
		{"S03 too short", "R7 B7", no},
		{"S04 a colour twice, first", "R7 R7 B7", no},
		{"S04 a colour twice, not first", "R7 B7 K7 B7", no},
		{"S04 a colour twice, apart", "R7 B7 R7", no},
		{"S05", "R7 R7 B7 K7", no},
		{"S06", "R7 B7 K8", no},
		{"S07 a fifth tile", "R7 B7 K7 O7 J", no},
		{"S08", "R7 B7 J", 21},
		{"S08 joker first", "J R7 B7", 21},
		{"S08 joker between", "R7 J B7", 21},
		{"S09", "R7 B7 K7 J", 28},
		{"S10", "R7 B7 J J", 28},
		{"S11", "R7 R7 J", no},
		{"S11 two jokers", "R7 R7 J J", no},
		{"S12 the run 7-8-9 counts", "R7 J J", 24},
		{"S13 two jokers", "J J", no},
		{"S13 three jokers", "J J J", no},
		{"S13 four jokers", "J J J J", no},
		{"S13 empty", "", no},
		{"S14 low end", "R1 R2 R3", 6},
		{"S14 high end", "R11 R12 R13", 36},
		{"S15 no wrap", "R12 R13 R1", no},
		{"S15 no wrap on", "R13 R1 R2", no},
		{"S15 no wrap through a joker", "R13 J R2", no},
		{"S16 short", "R4 R5", no},
		{"S16 colour", "R4 R5 B6", no},
		{"S16 gap", "R4 R6 R7", no},
		{"S16 gap at the end", "R3 R4 R5 R7", no},
		{"S17", "R4 R4 R5", no},
		{"S17 later", "R3 R4 R4 R5", no},
		{"S18", "R4 J R6", 15},
		{"S18 two jokers", "R4 J J R7", 22},
		{"S19", "R4 J R7", no},
		{"S20 ordered, so too many jokers", "R4 J J R6", no},
		{"S21", "J R12 R13", 36},
		{"S22 ordered: no 14", "R12 R13 J", no},
		{"S23 ordered: no 0", "J R1 R2", no},
		{"S24", "J R2 J", 6},
		{"S24 low", "R1 J J", 6},
		{"S24 high", "J J R3", 9},
		{"S25 a group only, high", "R13 J J", 39},
		{"S25 a group only, between", "J R13 J", 39},
		{"S25 a group only, low", "J J R1", 3},
		{"S25 run and group, the group counts", "J J R13", 39},
		{"S26 the run counts", "R1 J J", 6},
		{"S27 the longest", "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", 91},
		{"S28 longer than that", "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 J", no},
		{"S29 jokers at both ends", "J R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 J", 91},
		{"S30 descending as laid", "R5 R4 R3", no},
		{"S30 mixed as laid", "R3 R5 R4", no},
		{"S31 one numbered tile is enough here", "R7 J J", 24},
		{"S31 two", "R7 B7 J", 21},
	} {
		t.Run(c.id, func(t *testing.T) {
			set, err := tile.ParseFaces(c.set)
			if err != nil {
				t.Fatal(err)
			}
			if tile.Valid(set) != (c.value != no) || tile.Value(set) != c.value {
				t.Errorf("%s: valid %v, worth %d, want %d", c.set, tile.Valid(set), tile.Value(set), c.value)
			}
		})
	}
}

// TestEdgeCasesOfInput checks that tiles beyond one deck of 106 are an input error, not a wrong answer.
func TestEdgeCasesOfInput(t *testing.T) {
	for _, text := range []string{"R7 R7 R7", "J J J", "K1 J J B2 J"} {
		t.Run(text, func(t *testing.T) {
			if err := tile.CheckCounts(rackOf(t, text)); !errors.Is(err, tile.ErrTooMany) {
				t.Errorf("%v", err)
			}
		})
	}
	for _, text := range []string{"P7", "R0", "R14", "R-1", "R", "7", "R7.5"} {
		t.Run(text, func(t *testing.T) {
			if faces, err := tile.ParseFaces(text); err == nil {
				t.Errorf("read as %v", faces)
			}
		})
	}
}

// TestEdgeCasesOfPlays checks plays that the rules of a turn decide, not the search.
func TestEdgeCasesOfPlays(t *testing.T) {
	wrc := ruleset.Ruleset{JokerRelease: ruleset.Anywhere, JokerReplace: ruleset.Free, MeldPoints: 30}
	casual, family := wrc, wrc
	casual.JokerReplace = ruleset.TableOrRack
	family.JokerRelease, family.JokerReplace = ruleset.WithRackTile, ruleset.FromRack
	for _, c := range []struct {
		id     string
		rules  ruleset.Ruleset
		opened bool
		before string
		rack   string
		after  string
		code   string
	}{
		{"M14 rack tiles on a table set add nothing to an opening", wrc, false, "K3 K4 K5", "R3 R4 R5 K6 K7",
			"K3 K4 K5 K6 K7 / R3 R4 R5", judge.CodeTableTouched},
		{"M14 its own 12 points are too few", wrc, false, "K3 K4 K5", "R3 R4 R5 K6 K7", "K3 K4 K5 / R3 R4 R5",
			judge.CodeMeldShort},
		{"M15 no extension in the opening turn, not even after 30", wrc, false, "K3 K4 K5", "R10 B10 K10 K6",
			"K3 K4 K5 K6 / R10 B10 K10", judge.CodeTableTouched},
		{"M15 the opening alone", wrc, false, "K3 K4 K5", "R10 B10 K10 K6", "K3 K4 K5 / R10 B10 K10", ""},
		{"M16 a split table set", wrc, false, "K3 K4 K5 K6 K7 K8", "R10 B10 K10", "K3 K4 K5 / K6 K7 K8 / R10 B10 K10",
			judge.CodeTableTouched},
		{"M16 a borrowed table tile", wrc, false, "K7 K8 K9 K10", "R10 B10 O11 O12 O13",
			"K7 K8 K9 / R10 B10 K10 / O11 O12 O13", judge.CodeTableTouched},
		{"M17 no joker is taken before opening", wrc, false, "R4 J R6", "R5 B13 K13", "R4 R5 R6 / B13 K13 J",
			judge.CodeTableTouched},
		{"M18 a table joker counts for no opening", wrc, false, "K3 K4 K5 J", "R10 B10", "K3 K4 K5 / R10 B10 J",
			judge.CodeTableTouched},
		{"J04 R1 J J gives one joker by each reading at once", casual, true, "R1 J J / R4 R5 R6",
			"R2 R3 B1 K9 O9 K12 O12", "R1 R2 R3 / R4 R5 R6 / J K9 O9 / J K12 O12", ""},
		{"J04 under rack one reading must do for both", family, true, "R1 J J / R3 R4 R5 R6",
			"R2 B1 B2 B3 K9 O9 K12 O12",
			"R1 R2 R3 / R4 R5 R6 / B1 B2 B3 / J K9 O9 / J K12 O12", judge.CodeJokerNotReplaced},
		{"J05 J R1 J is only a group: R2 frees no joker", casual, true, "J R1 J", "R2 B9 K9", "R1 R2 J / J B9 K9",
			judge.CodeJokerNotReplaced},
		{"J06 a joker taken to the rack", wrc, true, "R4 R5 J", "R6", "R4 R5 R6", judge.CodeTileLost},
		{"J07 back into its own set, legal here (Pressman: not)", family, true, "R4 J R6", "R5", "R4 R5 R6 J", ""},
		{"J08 one rack tile in its new set, legal here (Pressman: two)", family, true, "R4 R5 J / K6 K7 K8 K9", "R6 B9",
			"R4 R5 R6 / K6 K7 K8 / J B9 K9", ""},
		{"J09 its set is extended", family, true, "R4 J R6", "R3 R7", "R3 R4 J R6 R7", ""},
		{"J10 its set is split, it keeps its face", family, true, "R3 R4 R5 J R7 R8", "B8 K8",
			"R3 R4 R5 J R7 / R8 B8 K8", ""},
		{"J11 a joker replaces no joker", casual, true, "R4 J R6 / B4 B5 B6 J", "R5 K9 O9 K12 O12",
			"R4 R5 R6 / B4 B5 B6 / J K9 O9 / J K12 O12", judge.CodeJokerNotReplaced},
		{"J12 what was released is derived, not claimed", casual, true, "R4 R5 R6 J", "B9 K9", "R4 R5 R6 / J B9 K9",
			judge.CodeJokerNotReplaced},
		{"J15 the joker left alone", wrc, true, "R7 B7 J", "K7 O7", "R7 B7 K7 O7 / J", judge.CodeInvalidSet},
		{"D09 a table tile is missing", wrc, true, "R1 R2 R3 R4", "R5", "R2 R3 R4 R5", judge.CodeTileLost},
		{"D09 a tile in two sets", wrc, true, "R1 R2 R3 R4", "B4 K4", "R1 R2 R3 R4 / R4 B4 K4", judge.CodeNotOnRack},
		{"D09 a tile from nowhere", wrc, true, "R1 R2 R3", "R5", "R1 R2 R3 R4", judge.CodeNotOnRack},
		{"D09 nothing played", wrc, true, "R1 R2 R3 R4 R5 R6", "R7", "R1 R2 R3 / R4 R5 R6", judge.CodeNothingPlayed},
	} {
		t.Run(c.id, func(t *testing.T) {
			v := judge.Judge(c.rules, judge.Move{Opened: c.opened, Before: layout(t, c.before),
				Rack: rackOf(t, c.rack).List(), After: layout(t, c.after)})
			if v.Code != c.code || v.Legal != (c.code == "") {
				t.Errorf("%+v, want %q", v, c.code)
			}
		})
	}
}

// TestCopiesAreInterchangeable checks that it does not matter which copy of a face lies where.
func TestCopiesAreInterchangeable(t *testing.T) {
	five := tile.NewFace(tile.Red, 5)
	for _, copies := range [][2]int{{0, 1}, {1, 0}} {
		run := tile.FacesOf([]tile.Tile{tile.Of(five-1, 0), tile.Of(five, copies[0]), tile.Of(five+1, 0)})
		group := tile.FacesOf([]tile.Tile{tile.Of(five, copies[1]), tile.Of(tile.NewFace(tile.Blue, 5), 0),
			tile.Of(tile.NewFace(tile.Black, 5), 0)})
		if got := layoutText([][]tile.Face{run, group}); got != "R4 R5 R6 / R5 B5 K5" {
			t.Error(got)
		}
	}
}
