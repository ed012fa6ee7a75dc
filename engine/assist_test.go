package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// fitsOf returns fits as texts: "K9 3@4" inserts into set 3 before its tile 4, "K9 3=4" replaces its joker 4.
func fitsOf(t *testing.T, rules ruleset.Ruleset, opened bool, before, after, rack string) []string {
	t.Helper()
	box := &tileBox{t: t}
	s := State{Rules: rules, Seats: 2, Opened: [ruleset.MaxSeats]bool{opened}}
	for _, set := range asLaid(t, before) {
		s.Table = append(s.Table, tile.Laid{At: 0, Tiles: box.take(strings.Trim(fmt.Sprint([]tile.Face(set.Faces)),
			"[]"))})
	}
	s.Racks[0] = box.take(rack)
	texts := []string{}
	for _, fit := range Fits(s, 0, asLaid(t, after)) {
		sign := map[bool]string{false: "@", true: "="}[fit.Joker]
		texts = append(texts, fmt.Sprint(fit.Face, " ", fit.Set, sign, fit.At))
	}
	return texts
}

func TestFits(t *testing.T) {
	const table = "K4 K5 K6; R9 J R11; B7 R7 O7"
	for _, tc := range []struct {
		name                string
		opened              bool
		before, after, rack string
		want                []string
	}{
		{"the one set that takes a tile, and the joker whose place it can take", true, table, table, "K3 R10 R8 B1",
			[]string{"K3 0@0", "R8 1@0", "R10 1=1"}},
		{"two sets take it", true, table, table, "K7", nil},
		{"one takes it at either end", true, table, "K4 K5 K6; R9 J R11; B7 R7 O7", "J", nil},
		{"a tile that lies there by now is not asked for", true, table, "K4 K5 K6 K7; R9 J R11; B7 R7 O7", "K7 K8",
			[]string{"K8 0@4"}},
		{"an unfinished set takes what makes it one", true, "", "K4 K6; O1", "K4 K5 K6 O1", []string{"K5 0@1"}},
		{"a group's joker goes for each colour that is missing", true, "B7 J O7", "B7 J O7", "R7 K7",
			[]string{"K7 0=1", "K7 0@3", "R7 0=1", "R7 0@3"}},
		{"who has not opened touches nothing of the table", false, table, table, "K3 R10", nil},
		{"but the own new sets", false, table, table + "; O10 O11 O12", "O9 O10 O11 O12 R10", []string{"O9 3@0"}},
		{"nothing is told of a table that no hand could have laid", true, table, "K4 K5 K6", "K3", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := fitsOf(t, presetRules(t, "casual"), tc.opened, tc.before, tc.after, tc.rack)
			slices.Sort(got)
			slices.Sort(tc.want)
			if !slices.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			rules := presetRules(t, "wrc")
			for _, assist := range []string{ruleset.None, ""} {
				rules.Assist = assist
				if got := fitsOf(t, rules, tc.opened, tc.before, tc.after, tc.rack); len(got) > 0 {
					t.Errorf("under assist %q: got %q", assist, got)
				}
			}
		})
	}
}

func TestStanding(t *testing.T) {
	for text, want := range map[string][][2]int{
		"":                         nil,
		"K4 K5":                    nil,
		"K4 K5 K6":                 {{0, 3}},
		"R1 K4 K5 K6 K7 B7 O7 R13": {{1, 5}, {4, 7}},
		"K1 B1 R1 O1 O2 O3":        {{0, 4}, {3, 6}},
		"K6 K5 K4":                 nil,
	} {
		faces, err := tile.ParseFaces(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := Standing(faces); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}
