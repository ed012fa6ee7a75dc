package engine_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// presets reads the five shipped rule sets.
func presets(t testing.TB) map[string]ruleset.Ruleset {
	t.Helper()
	all := map[string]ruleset.Ruleset{}
	for _, name := range []string{"wrc", "wrc-50", "club", "family", "casual"} {
		text, err := os.ReadFile("../data/rules/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if all[name], err = ruleset.ParseRuleset(ruleset.Ruleset{}, text); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// cases reads a file of testdata with one JSON value per line. It fails the test if there are fewer than least.
func cases[T any](t testing.TB, name string, least int) []T {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []T
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	if len(all) < least {
		t.Fatalf("%s holds %d cases, not %d", name, len(all), least)
	}
	return all
}

type judgeCase struct {
	Case struct {
		Rules         string
		Opened        bool
		Before, After [][]tile.Face
		Rack          []tile.Face
	}
	Want struct {
		Legal  bool
		Code   string
		Played []tile.Face
		Points int
	}
}

func TestJudgeAgreesWithTheSharedCases(t *testing.T) {
	rules := presets(t)
	for i, c := range cases[judgeCase](t, "judge.jsonl", 120) {
		v := judge.Judge(rules[c.Case.Rules], judge.Move{Opened: c.Case.Opened, Before: c.Case.Before,
			Rack: c.Case.Rack, After: c.Case.After})
		if v.Legal != c.Want.Legal || v.Code != c.Want.Code || v.Points != c.Want.Points ||
			!slices.Equal(v.Played, c.Want.Played) {
			t.Errorf("line %d: %+v, want %+v", i+1, v, c.Want)
		}
	}
}

func sets(t testing.TB, text string) [][]tile.Face {
	t.Helper()
	var all [][]tile.Face
	for part := range strings.SplitSeq(text, "/") {
		faces, err := tile.ParseFaces(part)
		if err != nil {
			t.Fatal(err)
		}
		if len(faces) > 0 {
			all = append(all, faces)
		}
	}
	return all
}

func joined(faces []tile.Face) string {
	text := make([]string, len(faces))
	for i, f := range faces {
		text[i] = f.String()
	}
	return strings.Join(text, " ")
}

func rack(t testing.TB, text string) []tile.Face {
	t.Helper()
	faces, err := tile.ParseFaces(text)
	if err != nil {
		t.Fatal(err)
	}
	return faces
}

func TestTouched(t *testing.T) {
	for _, c := range []struct {
		name, before, rack, after string
		opened                    bool
		want                      []int
	}{
		{"a table set is longer", "R4 R5 R6", "R7 K1 K2 K3", "R4 R5 R6 R7/K1 K2 K3", false, []int{0}},
		{"who has opened may", "R4 R5 R6", "R7 K1 K2", "R4 R5 R6 R7/K1 K2", true, nil},
		{"beside a set that is not whole yet", "R4 R5 R6", "R7 K1 K2", "K1 K2/R4 R5 R6 R7", false, []int{1}},
		{"both parts of a set that was cut", "R1 R2 R3 R4 R5 R6", "K10 O10 B10", "R1 R2 R3/K10 O10 B10/R4 R5 R6", false,
			[]int{0, 2}},
		{"the own sets alone, too few points", "R4 R5 R6", "K1 K2 K3", "R4 R5 R6/K1 K2 K3", false, nil},
		{"the same set from the rack, beside one that was changed", "R4 R5 R6/K5 O5 B5", "R4 R5 R6 R5",
			"K5 O5 B5 R5/R4 R5 R6/R4 R5 R6", false, []int{0}},
		{"a joker of the table in an own set", "R4 J R6", "R5 K10 O10", "R4 R5 R6/K10 O10 J", false, []int{0, 1}},
	} {
		got := judge.Judge(ruleset.Ruleset{MeldPoints: 30}, judge.Move{Opened: c.opened, Before: sets(t, c.before),
			Rack: rack(t, c.rack), After: sets(t, c.after)}).Touched
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestOpening(t *testing.T) {
	for _, c := range []struct {
		name, before, rack, after string
		relief                    bool
		code                      string
		points                    int
	}{
		{"thirty points exactly", "", "R9 R10 R11 K1", "R9 R10 R11", false, "", 30},
		{"a joker counts as its face in a run", "", "R9 J R11", "R9 J R11", false, "", 30},
		{"the better reading of a set with two jokers", "", "R9 J J", "R9 J J", false, "", 30},
		{"two jokers before the highest number are a group", "", "J J R13", "J J R13", false, "", 39},
		{"eight and two jokers are short", "", "R8 J J", "R8 J J", false, judge.CodeMeldShort, 27},
		{"several sets are added up", "", "R1 R2 R3 K8 O8 B8", "R1 R2 R3/K8 O8 B8", false, "", 30},
		{"beside the table, which counts nothing", "K5 O5 B5/R4 J R6", "R9 R10 R11", "R4 J R6/B5 K5 O5/R9 R10 R11",
			false, "", 30},
		{"too few points, sets of the table not counted", "K13 O13 B13", "R7 R8 R9", "K13 O13 B13/R7 R8 R9", false,
			judge.CodeMeldShort, 24},
		{"a table set was extended", "R4 R5 R6", "R7 K10 O10 B10", "R4 R5 R6 R7/K10 O10 B10", false,
			judge.CodeTableTouched, 0},
		{"a group was extended", "K5 O5 B5", "R5 K10 O10 B10", "K5 O5 B5 R5/K10 O10 B10", false,
			judge.CodeTableTouched, 0},
		{"a run was cut in two", "R1 R2 R3 R4 R5 R6", "K10 O10 B10", "R1 R2 R3/R4 R5 R6/K10 O10 B10", false,
			judge.CodeTableTouched, 0},
		{"two runs were joined", "R1 R2 R3/R4 R5 R6", "K10 O10 B10", "R1 R2 R3 R4 R5 R6/K10 O10 B10", false,
			judge.CodeTableTouched, 0},
		{"a joker moved along its run", "J R5 R6", "K10 O10 B10", "R5 R6 J/K10 O10 B10", false, judge.CodeTableTouched,
			0},
		{"a table tile went into a new set", "K5 O5 B5 R5", "R6 R7 K10 O10 B10", "K5 O5 B5/R5 R6 R7/K10 O10 B10", false,
			judge.CodeTableTouched, 0},
		{"a set of one tile and two jokers reordered as a group", "R7 J J", "K10 O10 B10", "J R7 J/K10 O10 B10", false,
			"", 30},
		{"equal sets are told apart by number only", "R1 R2 R3/R1 R2 R3", "K10 O10 B10",
			"R1 R2 R3/K10 O10 B10/R1 R2 R3", false, "", 30},
		{"the same set once more from the rack", "K10 O10 B10", "B10 K10 O10", "O10 B10 K10/K10 O10 B10", false, "",
			30},
		{"a joker of the table swapped before opening", "R4 J R6", "R5 K10 O10", "R4 R5 R6/K10 O10 J", false,
			judge.CodeTableTouched, 0},
		{"two low sets without the relief of all others open", "", "R1 R2 R3 K1 K2 K3", "R1 R2 R3/K1 K2 K3", false,
			judge.CodeMeldShort, 12},
		{"two low sets with the relief", "", "R1 R2 R3 K1 K2 K3", "R1 R2 R3/K1 K2 K3", true, "", 12},
		{"one low set even with the relief", "", "R1 R2 R3", "R1 R2 R3", true, judge.CodeMeldShort, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := presets(t)["wrc"]
			r.LastToOpenRelief = true
			m := judge.Move{Relief: c.relief, Before: sets(t, c.before), Rack: rack(t, c.rack),
				After: sets(t, c.after)}
			if v := judge.Judge(r, m); v.Code != c.code || v.Points != c.points || v.Legal != (c.code == "") {
				t.Errorf("%+v, want %q with %d points", v, c.code, c.points)
			}
			r.LastToOpenRelief, m.Relief = false, true
			if v := judge.Judge(r, m); c.relief && c.code == "" && v.Code != judge.CodeMeldShort {
				t.Errorf("relief without the field: %+v", v)
			}
		})
	}
}

func TestFirstCodeApplies(t *testing.T) {
	for _, c := range []struct {
		name                string
		opened              bool
		before, rack, after string
		code                string
		set                 int
	}{
		{"a short set before a lost tile", true, "K5 O5 B5", "R1", "K5 O5", judge.CodeInvalidSet, 0},
		{"the second set is no set", true, "K5 O5 B5", "R1 R2", "K5 O5 B5/R1 R2", judge.CodeInvalidSet, 1},
		{"a run laid downwards", true, "", "R3 R4 R5", "R5 R4 R3", judge.CodeInvalidSet, 0},
		{"a set of no tiles", true, "K5 O5 B5", "", "K5 O5 B5/", judge.CodeNothingPlayed, -1},
		{"a lost tile before a strange one", true, "K5 O5 B5 R5", "R1", "K5 O5 B5/R7 R8 R9", judge.CodeTileLost, -1},
		{"a joker put on the rack is a lost tile", true, "R4 J R6", "R5", "R4 R5 R6", judge.CodeTileLost, -1},
		{"a strange tile", true, "K5 O5 B5", "R1", "K5 O5 B5/R7 R8 R9", judge.CodeNotOnRack, 1},
		{"a copy more than the rack has", true, "", "R7 B7 K7", "R7 B7 K7/R7 B7 K7", judge.CodeNotOnRack, 0},
		{"a joker that the rack has not", true, "", "R7 B7", "R7 B7 J", judge.CodeNotOnRack, 0},
		{"nothing on an empty table", false, "", "R7", "", judge.CodeNothingPlayed, -1},
		{"only rearranged", true, "R1 R2 R3/B1 B2 B3/K1 K2 K3", "R9", "R1 B1 K1/R2 B2 K2/R3 B3 K3",
			judge.CodeNothingPlayed, -1},
		{"only rearranged before opening", false, "R1 R2 R3/B1 B2 B3/K1 K2 K3", "R9", "R1 B1 K1/R2 B2 K2/R3 B3 K3",
			judge.CodeNothingPlayed, -1},
		{"a touched table before too few points", false, "R1 R2 R3", "R4", "R1 R2 R3 R4", judge.CodeTableTouched, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, r := range presets(t) {
				v := judge.Judge(r, judge.Move{Opened: c.opened, Before: sets(t, c.before), Rack: rack(t, c.rack),
					After: sets(t, c.after)})
				if v.Legal || v.Code != c.code || v.Set != c.set || v.Detail == "" {
					t.Errorf("%s: %+v, want %s at %d", name, v, c.code, c.set)
				}
			}
		})
	}
}

// TestJokers checks plays that release jokers. The columns are the codes under joker_replace free, table_or_rack and
// rack with jokers released anywhere, and the code for with_rack_tile (joker_replace free): "" legal, N not replaced, W
// without a rack tile.
func TestJokers(t *testing.T) {
	const n, w = judge.CodeJokerNotReplaced, judge.CodeJokerWithoutRackTile
	for _, c := range []struct {
		name, before, rack, after string
		free, table, own, with    string
	}{
		{"example 5, joker to a new set", "R4 J R6", "R5 B9 K9", "R4 R5 R6/B9 K9 J", "", "", "", ""},
		{"example 5, joker to the end of its set", "R4 J R6", "R5 B9 K9", "R4 R5 R6 J", "", "", "", ""},
		{"example 6, replaced from the table", "R4 J R6/B8 B9 B10 B11/K5 O5 R5 B5", "O11 K11",
			"R4 R5 R6/B8 B9 B10/K5 O5 B5/B11 O11 K11 J", "", "", n, ""},
		{"its own set extended at the far end", "R4 J R6", "R7", "R4 J R6 R7", "", "", "", ""},
		{"extended below, the joker further in", "R4 J R6", "R3", "R3 R4 J R6", "", "", "", ""},
		{"split, the joker keeps its face", "R3 R4 R5 J R7 R8", "B8 K8", "R3 R4 R5 J R7/R8 B8 K8", "", "", "", ""},
		{"joker goes to another run as the same face", "R4 R5 R6 J", "R8 R9", "R4 R5 R6/J R8 R9", "", "", "", ""},
		{"joker of a run goes to a group as the same face", "R4 R5 R6 J", "K7 B7", "R4 R5 R6/K7 B7 J", "", "", "", ""},
		{"joker of a group of three, either colour stays", "R7 B7 J", "K7", "R7 B7 K7 J", "", "", "", ""},
		{"freed by one missing colour", "R7 B7 J", "K7 O1 O2", "R7 B7 K7/O1 O2 J", "", "", "", ""},
		{"group taken apart, the joker stands for its other colour", "R7 B7 J", "R8 R9 B8 B9 K8 K9",
			"R7 R8 R9/B7 B8 B9/J K8 K9", "", "", "", ""},
		{"group taken apart, the joker changes number", "R7 B7 J", "R8 R9 B8 B9 K1 K2", "R7 R8 R9/B7 B8 B9/K1 K2 J", "",
			n, n, ""},
		{"fourth of a group freed without its colour", "R7 B7 K7 J", "R1 B1", "R7 B7 K7/R1 B1 J", "", n, n, ""},
		{"fourth of a group freed with its colour", "R7 B7 K7 J", "O7 R1 B1", "R7 B7 K7 O7/R1 B1 J", "", "", "", ""},
		{"end of a run freed without its face", "R4 R5 R6 J", "B9 K9", "R4 R5 R6/B9 K9 J", "", n, n, ""},
		{"its face lies on the table elsewhere", "R4 R5 R6 J/R7 B7 K7", "B9 K9", "R4 R5 R6/R7 B7 K7/B9 K9 J", "", "", n,
			""},
		{"its face is played but to another set", "R4 R5 R6 J", "R7 R8 R9 B9 K9", "R4 R5 R6/R7 R8 R9/B9 K9 J", "", "",
			"", ""},
		{"released to a set of table tiles", "R4 R5 R6 J/K9 O9 B9", "R7", "R4 R5 R6 R7/K9 O9 B9 J", "", "", "", w},
		{"released to a set of table tiles, replaced on the table", "R4 R5 R6 J/R7 R8 R9 R10/K9 O9 B9", "R11",
			"R4 R5 R6 R7/R8 R9 R10 R11/K9 O9 B9 J", "", "", n, w},
		{"joker moves within its run", "J R5 R6", "R7 R4", "R4 R5 R6 R7 J", "", "", "", ""},
		{"two jokers compete for one tile", "R4 R5 R6 J/K4 K5 K6 J", "R7 B9 K9 B12 K12",
			"R4 R5 R6 R7/K4 K5 K6/B9 K9 J/B12 K12 J", "", n, n, ""},
		{"two jokers of one face compete for one tile", "R4 R5 R6 J/R4 R5 R6 J", "R7 B9 K9 B12 K12",
			"R4 R5 R6 R7/R4 R5 R6/B9 K9 J/B12 K12 J", "", n, n, ""},
		{"two jokers of one face, both replaced", "R4 R5 R6 J/R4 R5 R6 J", "R7 R7 B9 K9 B12 K12",
			"R4 R5 R6 R7/R4 R5 R6 R7/B9 K9 J/B12 K12 J", "", "", "", ""},
		{"one of two jokers freed", "R3 J J R6", "R4 B9 K9", "R3 R4 J R6/B9 K9 J", "", "", "", ""},
		{"both jokers of one run freed", "R3 J J R6", "R4 R5 B9 K9 O2 O3", "R3 R4 R5 R6/B9 K9 J/O2 O3 J", "", "", "",
			""},
		{"group with two jokers, both freed", "R7 B7 J J", "K7 O7 R1 R2 B12 B13", "R7 B7 K7 O7/R1 R2 J/J B12 B13", "",
			"", "", ""},
		{"two jokers change places with no tile moved", "R4 J R6/B9 K9 J", "R7", "R4 J R6 R7/B9 K9 J", "", "", "", ""},
		{"a joker played takes the place of the one of the table", "R4 J R6", "J B9 K9", "R4 J R6/B9 K9 J", "", "", "",
			""},
		{"freed beside a played joker counts as a rack tile there", "R4 R5 R6 J/K9 O9 B9 R9", "R7 J",
			"R4 R5 R6 R7/K9 O9 B9/R9 J J", "", "", "", ""},
		{"two freed to two sets, one rack tile", "R4 R5 R6 J/K4 K5 K6 J/B9 O9 R9/B1 O1 R1", "R7 K7",
			"R4 R5 R6 R7/K4 K5 K6 K7/B9 O9 R9 J/B1 O1 R1 J", "", "", "", w},
		{"two freed to one set with one rack tile", "R4 R5 R6 J/K4 K5 K6 J/B9 B10 B11", "R7 K7 O11",
			"R4 R5 R6 R7/K4 K5 K6 K7/B9 B10 B11/O11 J J", "", "", "", ""},
		{"the copy that was played may be the one beside the joker", "R4 R5 R6 J/O9 O10 O11 O12/R7 R8 R9", "O12 B12",
			"R4 R5 R6/R7 R8 R9/O9 O10 O11 O12/O12 B12 J", "", "", n, ""},
		{"one tile and two jokers read as a run before", "R7 J J", "R8 R9 B1 B2 K1 K2", "R7 R8 R9/B1 B2 J/K1 K2 J", "",
			"", "", ""},
		{"one tile and two jokers read as a group before", "R7 J J", "K7 B7 B1 B2 K1 K2", "R7 K7 B7/B1 B2 J/K1 K2 J",
			"", "", "", ""},
		{"half a run, half a group is no reading", "R7 J J", "R6 K6 K8", "R6 R7 J/K6 J K8", "", n, n, ""},
		{"joker takes the place of a table tile that joins a run", "R4 R5 R6 J/O9 O10 O11/K12 B12 R12 O12", "R7",
			"R4 R5 R6 R7/O9 O10 O11 O12/K12 R12 B12 J", "", "", "", w},
		{"a run by the order as laid: a group only", "J R1 J", "R2 R3 B8 K8 B9 K9", "R1 R2 R3/B8 K8 J/B9 K9 J", "", n,
			n, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := judge.Move{Opened: true, Before: sets(t, c.before), Rack: rack(t, c.rack), After: sets(t, c.after)}
			r := presets(t)["wrc"]
			for _, f := range []struct{ release, replace, want string }{
				{ruleset.Anywhere, ruleset.Free, c.free}, {ruleset.Anywhere, ruleset.TableOrRack, c.table},
				{ruleset.Anywhere, ruleset.FromRack, c.own}, {ruleset.WithRackTile, ruleset.Free, c.with},
			} {
				r.JokerRelease, r.JokerReplace = f.release, f.replace
				if v := judge.Judge(r, m); v.Code != f.want || v.Legal != (f.want == "") {
					t.Errorf("%s, %s: %+v, want %q", f.release, f.replace, v, f.want)
				}
			}
			want := c.with
			if want == "" {
				want = c.own
			}
			r.JokerRelease, r.JokerReplace = ruleset.WithRackTile, ruleset.FromRack
			if v := judge.Judge(r, m); v.Code != want {
				t.Errorf("both: %+v, want %q", v, want)
			}
		})
	}
}

func TestPlayedIsSortedByText(t *testing.T) {
	m := judge.Move{Opened: true, Rack: rack(t, "R10 R9 R11 J O2 B2 K2 K3"), After: sets(t, "R9 R10 R11 J/O2 B2 K2")}
	if got := joined(judge.Judge(presets(t)["family"], m).Played); got != "B2 J K2 O2 R10 R11 R9" {
		t.Error(got)
	}
}

func BenchmarkJudgeLateTable(b *testing.B) {
	r := presets(b)["family"]
	before := sets(b,
		"R4 J R6/B8 B9 B10 B11/K5 O5 R5 B5/K1 K2 K3/O1 O2 O3/R1 R2 R3/B1 B2 B3/K10 K11 K12/O10 O11 O12/R10 R11 R12/R13 B13 K13/O6 K6 B6")
	after := sets(b,
		"R4 R5 R6/B8 B9 B10 B11/K5 O5 R5 B5/K1 K2 K3/O1 O2 O3/R1 R2 R3/B1 B2 B3/K10 K11 K12/O10 O11 O12/R10 R11 R12/R13 B13 K13/O6 K6 B6/K9 B9 J")
	m := judge.Move{Opened: true, Before: before, Rack: rack(b, "R5 K9 B9 O4"), After: after}
	b.ReportAllocs()
	for b.Loop() {
		if v := judge.Judge(r, m); !v.Legal {
			b.Fatal(v)
		}
	}
}
