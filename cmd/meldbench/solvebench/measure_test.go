package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"meldhall/cmd/internal/cputime"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

func TestSpreadTakesTheNearestRank(t *testing.T) {
	var times []time.Duration
	for i := range 200 {
		times = append(times, time.Duration(200-i)*time.Microsecond)
	}
	if got, want := spreadOf(times), (spread{100, 198, 200}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := spreadOf(times[:1]), (spread{1, 1, 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func wallClock(t *testing.T) func() time.Duration {
	t.Helper()
	clock, _, err := clockOf(false)
	if err != nil {
		t.Fatal(err)
	}
	return clock
}

// TestThreadTimeIsTheTimeOfWork checks that a thread's processor time grows with work but not during sleep.
func TestThreadTimeIsTheTimeOfWork(t *testing.T) {
	if _, ok := cputime.Thread(); !ok {
		if _, _, err := clockOf(true); err == nil {
			t.Error("a clock that does not exist is used")
		}
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	clock, _, err := clockOf(true)
	if err != nil {
		t.Fatal(err)
	}
	start := clock()
	time.Sleep(50 * time.Millisecond)
	slept := clock() - start
	for clock()-start-slept < 5*time.Millisecond { // ends only if work counts
	}
	if slept > 25*time.Millisecond {
		t.Errorf("%v of processor time in a sleep of 50 ms", slept)
	}
}

// sets parses a table such as "R1 R2 R3/K7 B7 O7".
func sets(t testing.TB, text string) (table [][]tile.Face) {
	t.Helper()
	for part := range strings.SplitSeq(text, "/") {
		faces, err := tile.ParseFaces(part)
		if err != nil {
			t.Fatal(err)
		}
		if len(faces) > 0 {
			table = append(table, faces)
		}
	}
	return table
}

// known returns positions with optima that were found by hand.
func known(t testing.TB) (tasks []task) {
	for _, c := range []struct {
		name, table, rack string
		aim               solve.Aim
		want              optimum
	}{
		{"nothing at all", "", "", solve.MostTiles, optimum{}},
		{"nothing fits", "R1 R2 R3", "B9 K13", solve.MostTiles, optimum{}},
		{"runs that become groups", "R1 R2 R3/B1 B2 B3/K1 K2 K3", "O2", solve.MostTiles, optimum{1, 2}},
		{"the higher of two", "K10 K11 K12/B10 B11 B12/O10 O11 O12", "R11 K13", solve.MostTiles, optimum{1, 13}},
		{"a run to split", "R1 R2 R3 R4 R5 R6 R7", "R4 B4 K4", solve.MostTiles, optimum{3, 12}},
		{"an inner tile that cannot leave", "R1 R2 R3 R4", "B2 K2", solve.MostTiles, optimum{}},
		{"most tiles", "", "R1 R2 R4 R5 R13 B13 J", solve.MostTiles, optimum{5, 42}},
		{"most value", "", "R1 R2 R4 R5 R13 B13 J", solve.MostValue, optimum{3, 56}},
		{"a joker that another tile sets free", "R4 R5 J", "R6 B9 K9", solve.MostTiles, optimum{3, 24}},
		{"two equal sets", "R1 R2 R3/R1 R2 R3", "R4 R4 B1 B2 B3", solve.MostTiles, optimum{5, 14}},
	} {
		var rack tile.Counts
		for _, faces := range sets(t, c.rack) {
			rack = tile.CountFaces(faces)
		}
		tasks = append(tasks, task{c.name, solve.Position{Rules: clubRules, Table: sets(t, c.table), Rack: rack}, c.aim,
			wanted{&c.want.Tiles, &c.want.Value}})
	}
	return tasks
}

func TestOursFindsTheKnownOptima(t *testing.T) {
	var log strings.Builder
	b := &bench{club: testSource(t).rules, repeats: 1, clock: wallClock(t), log: &log}
	if r := b.measure("classes", "known", known(t)); r.Disagree > 0 || r.Unproven > 0 || r.Positions < 10 {
		t.Errorf("%+v\n%s", r, &log)
	}
}

func TestAWrongBaselineIsReported(t *testing.T) {
	tasks := known(t)[4:5]
	for _, c := range []struct {
		name    string
		answers baseline
		want    string
	}{
		{"fewer tiles", func(solve.Position, solve.Aim) (optimum, error) { return optimum{2, 8}, nil },
			"GLPK 2 tiles value 8, known 3 tiles value 12"},
		{"an error", func(solve.Position, solve.Aim) (optimum, error) { return optimum{}, errors.New("no optimum") },
			"no optimum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log strings.Builder
			b := &bench{club: testSource(t).rules, answers: c.answers, repeats: 1, clock: wallClock(t), log: &log}
			if r := b.measure("classes", "known", tasks); r.Disagree != 1 || b.disagree != 1 ||
				!strings.Contains(log.String(), c.want) {
				t.Errorf("%+v\n%s", r, &log)
			}
		})
	}
}

func TestIllegalPlaysAreFound(t *testing.T) {
	b := &bench{club: testSource(t).rules}
	p := solve.Position{Rules: clubRules, Table: sets(t, "R1 R2 R3"), Rack: tile.CountFaces(sets(t, "R4 B9")[0])}
	four := tile.CountFaces(sets(t, "R4")[0])
	for _, c := range []struct {
		name, table string
		play        solve.Play
		legal       bool
	}{
		{"a legal play", "R1 R2 R3 R4", solve.Play{Tiles: 1, Played: four}, true},
		{"nothing", "R1 R2 R3", solve.Play{}, true},
		{"nothing, but the table changes", "R3 R2 R1", solve.Play{}, false},
		{"a tile from nowhere", "R1 R2 R3 R4 R5", solve.Play{Tiles: 1, Played: four}, false},
		{"a wrong count", "R1 R2 R3 R4", solve.Play{Tiles: 2, Played: four}, false},
	} {
		c.play.Table = sets(t, c.table)
		if fault := b.illegal(p, c.play); (fault == "") != c.legal {
			t.Errorf("%s: %q", c.name, fault)
		}
	}
}

func TestCasesAreReadByObjective(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cases.jsonl")
	text := `{"id":"a","case":{"rules":"club","opened":true,"board":[["R1","R2","R3"]],"rack":["R4"],"objective":"tiles"},"want":{"tiles":1,"value":4}}
{"id":"b","case":{"rules":"club","opened":true,"board":[],"rack":["R4"],"objective":"value"},"want":{"value":0}}
{"id":"c","case":{"rules":"casual","opened":true,"board":[],"rack":["R4"],"objective":"tiles"},"want":{"tiles":0,"value":0}}
{"id":"d","case":{"rules":"club","opened":false,"board":[],"rack":["R4"],"objective":"tiles"},"want":{"tiles":0,"value":0}}
{"id":"e","case":{"rules":"wrc","opened":true,"board":[],"rack":["R4","J"],"objective":"tiles"},"want":{"tiles":0,"value":0}}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	classes, err := readCases(file)
	if err != nil || len(classes) != 2 {
		t.Fatal(classes, err)
	}
	tiles, value := classes[0].tasks(), classes[1].tasks()
	if len(tiles) != 2 || tiles[0].name != "a" || tiles[0].want.String() != "known 1 tiles value 4" ||
		tiles[1].position.Rules.JokerPoints != 100 {
		t.Errorf("%+v", tiles)
	}
	if len(value) != 1 || value[0].name != "b" || value[0].aim != solve.MostValue ||
		value[0].want.String() != "known value 0" {
		t.Errorf("%+v", value)
	}
}

func TestRowsArePrintedAndGivenAsJSON(t *testing.T) {
	var out, errOut strings.Builder
	err := run([]string{"--positions", "2", "--growth", "1", "--repeats", "1", "--json", "--only",
		"^(early j0|table 10 j2|mid, 3 jokers)$"}, &out, &errOut)
	if err != nil {
		t.Fatalf("%v\n%s", err, &errOut)
	}
	var names []string
	for line := range strings.Lines(out.String()) {
		var r row
		if json.Unmarshal([]byte(line), &r) == nil {
			names = append(names, r.Table+": "+r.Class)
			if r.Ours.Median <= 0 || r.Positions == 0 {
				t.Errorf("%s", line)
			}
		}
	}
	if got := strings.Join(names, ", "); got != "classes: early j0, tiles: table 10 j2, jokers: mid, 3 jokers" {
		t.Errorf("%s\n%s", got, &out)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, args := range [][]string{{"--repeats", "0"}, {"--positions", "-1"}, {"more"}, {"--only", "("},
		{"--aim", "luck"}, {"--cases", "/does/not/exist"}, {"--positions", "0", "--growth", "0"},
		{"--positions", "1", "--games", "1", "--growth", "0", "--only", "no such class"}} {
		var out, errOut strings.Builder
		if err := run(args, &out, &errOut); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
