package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/judge"
	"meldhall/engine/score"
	"meldhall/engine/testmode"
	"meldhall/engine/tile"
)

// solveCase is a shared case: a position and what is known about the answer; -1 means unknown.
type solveCase struct {
	id, line     string
	tiles, value int
	most         int // most points to open with; -1 if the player has opened
}

// solveCases returns the shared cases: five questions about each of a hundred positions.
func solveCases(t testing.TB) (all []solveCase) {
	t.Helper()
	file, err := os.Open("../../engine/solve/testdata/solve.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := json.NewDecoder(file); lines.More(); {
		var p struct {
			ID, Table, Rack string
			Club, Opening   [2]int
			MostValue       int `json:"most_value"`
			WRC, Casual     int
		}
		if err := lines.Decode(&p); err != nil {
			t.Fatal(err)
		}
		ask := func(rules, objective string, tiles, value, most int) {
			line, err := json.Marshal(map[string]any{"rules": rules, "objective": objective, "opened": most < 0,
				"board": setsOf(t, p.Table), "rack": setsOf(t, p.Rack)[0]})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, solveCase{p.ID, string(line), tiles, value, most})
		}
		ask("club", "tiles", p.Club[0], p.Club[1], -1)
		ask("club", "value", -1, p.MostValue, -1)
		ask("wrc", "tiles", p.WRC, -1, -1)
		ask("casual", "tiles", p.Casual, -1, -1)
		ask("club", "tiles", p.Opening[0], -1, p.Opening[1])
	}
	if len(all) < 500 {
		t.Fatalf("%d cases, not 500", len(all))
	}
	return all
}

// setsOf parses sets separated by slashes.
func setsOf(t testing.TB, text string) []tile.FaceList {
	t.Helper()
	lists := []tile.FaceList{}
	for _, words := range strings.Split(text, "/") {
		faces, err := tile.ParseFaces(words)
		if err != nil {
			t.Fatal(err)
		}
		if len(faces) > 0 {
			lists = append(lists, faces)
		}
	}
	return lists
}

// TestSolveAnswersTheSharedCases runs the program as its users do: as a process that reads and writes lines.
func TestSolveAnswersTheSharedCases(t *testing.T) {
	testmode.SkipUnderRace(t)
	all := solveCases(t)
	var in bytes.Buffer
	for _, c := range all {
		in.WriteString(c.line + "\n")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := exec.CommandContext(t.Context(), exe, "solve")
	program.Env = append(os.Environ(), "MELDHALL_BE_PROGRAM=1")
	program.Stdin, program.Stderr = &in, os.Stderr
	out, err := program.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for _, c := range all {
		if !lines.Scan() {
			t.Fatalf("%s: no answer", c.id)
		}
		checkSolved(t, c, lines.Bytes())
	}
	if lines.Scan() {
		t.Errorf("one answer too many: %s", lines.Text())
	}
}

func checkSolved(t *testing.T, c solveCase, line []byte) {
	var got solveAnswer
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&got); err != nil {
		t.Fatalf("%s: %s: %v", c.id, line, err)
	}
	checkLegal(t, c, got)
	if c.tiles >= 0 && got.Tiles != c.tiles || c.value >= 0 && got.Value != c.value {
		t.Errorf("%s %s: %d tiles worth %d, want %d and %d", c.id, c.line, got.Tiles, got.Value, c.tiles, c.value)
	}
	if (c.most >= 0) != (got.Meld != nil) {
		t.Fatalf("%s: meld %v", c.id, got.Meld)
	}
	if c.most >= 0 && (got.Meld.Can != (c.most >= 30) || got.Meld.MaxPoints != c.most ||
		worthOf(got.Meld.Sets) != c.most) {
		t.Errorf("%s: meld %+v, want %d points", c.id, *got.Meld, c.most)
	}
}

func worthOf(sets []tile.FaceList) (points int) {
	for _, set := range sets {
		points += tile.Value(set)
	}
	return points
}

// checkLegal checks an answer with the judge and for consistency.
func checkLegal(t *testing.T, c solveCase, got solveAnswer) {
	var in solveLine
	if err := json.Unmarshal([]byte(c.line), &in); err != nil {
		t.Fatal(err)
	}
	rules, err := rulesForTests(t).ruleset(in.Rules)
	if err != nil {
		t.Fatal(err)
	}
	if got.Proven != nil {
		t.Errorf("%s: not proven without a limit", c.id)
	}
	if got.Tiles == 0 {
		if got.Value != 0 || len(got.Played) != 0 || got.Empties || !reflect.DeepEqual(got.Board, in.Board) {
			t.Errorf("%s: nothing is laid, yet %+v", c.id, got)
		}
		return
	}
	v := judge.Judge(rules, judge.Move{Opened: in.Opened, Relief: in.Relief, Before: plain(in.Board), Rack: in.Rack,
		After: plain(got.Board)})
	if !v.Legal || !slices.Equal(v.Played, got.Played) {
		t.Errorf("%s %s: %+v is judged %+v", c.id, c.line, got, v)
	}
	if got.Tiles != len(got.Played) || got.Value != score.RackCharge(rules, got.Played) ||
		got.Empties != (got.Tiles == len(in.Rack)) {
		t.Errorf("%s: %+v", c.id, got)
	}
}

func TestSolve(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"an opening beside the table",
			`{"rules":"wrc","opened":false,"board":[["R4","J","R6"]],"rack":["R5","B9","K9","O9","R10","R11"]}`,
			`{"tiles":0,"value":0,"played":[],"board":[["R4","J","R6"]],"empties":false,"meld":{"can":false,"max_points":27,"sets":[["K9","B9","O9"]]}}`},
		{"an opening that empties the rack", `{"rules":"club","opened":false,"board":[],"rack":["R12","J","R13"]}`,
			`{"tiles":3,"value":55,"played":["J","R12","R13"],"board":[["J","R12","R13"]],"empties":true,"meld":{"can":true,"max_points":36,"sets":[["J","R12","R13"]]}}`},
		{"a joker is worth what the rules charge for it",
			`{"rules":"wrc","opened":false,"board":[],"rack":["R10","B10","K10","O10","J"],"objective":"value"}`,
			`{"tiles":4,"value":130,"played":["B10","J","K10","R10"],"board":[["K10","R10","B10","J"]],"empties":false,"meld":{"can":true,"max_points":40,"sets":[["K10","R10","B10","O10"]]}}`},
		{"two low sets without relief",
			`{"rules":{"last_to_open_relief":true},"opened":false,"board":[],"rack":["R1","R2","R3","R4","R5","R6"]}`,
			`{"tiles":0,"value":0,"played":[],"board":[],"empties":false,"meld":{"can":false,"max_points":21,"sets":[["R1","R2","R3","R4","R5","R6"]]}}`},
		{"two low sets with relief",
			`{"rules":{"last_to_open_relief":true},"relief":true,"opened":false,"board":[],"rack":["R1","R2","R3","R4","R5","R6"]}`,
			`{"tiles":6,"value":21,"played":["R1","R2","R3","R4","R5","R6"],"board":[["R1","R2","R3"],["R4","R5","R6"]],"empties":true,"meld":{"can":true,"max_points":21,"sets":[["R1","R2","R3","R4","R5","R6"]]}}`},
		{"an empty rack", `{"rules":"wrc","opened":true,"board":[["R4","J","R6"]],"rack":[]}`,
			`{"tiles":0,"value":0,"played":[],"board":[["R4","J","R6"]],"empties":false}`},
		{"a run is extended", `{"rules":"wrc","opened":true,"board":[["R4","R5","R6"]],"rack":["R7","B1"]}`,
			`{"tiles":1,"value":7,"played":["R7"],"board":[["R4","R5","R6","R7"]],"empties":false}`},
		{"the README's play", `{"rules":"wrc","opened":true,"board":[["R4","J","R6"]],"rack":["R5","B9","K9","O1"]}`,
			`{"tiles":3,"value":23,"played":["B9","K9","R5"],"board":[["R4","R5","R6"],["K9","B9","J"]],"empties":false}`},
		{"the README's rack that cannot open",
			`{"rules":"wrc","opened":false,"board":[["R4","J","R6"]],"rack":["R9","B9","K9","O1"]}`,
			`{"tiles":0,"value":0,"played":[],"board":[["R4","J","R6"]],"empties":false,"meld":{"can":false,"max_points":27,"sets":[["K9","R9","B9"]]}}`},
		{"the steps of a play",
			`{"rules":"wrc","opened":true,"board":[["R4","R5","R6"]],"rack":["R7","B1"],"steps":true}`,
			`{"tiles":1,"value":7,"played":["R7"],"board":[["R4","R5","R6","R7"]],"empties":false,` +
				`"steps":[{"kind":"extend","tiles":["R7"],"to":{"before":["R4","R5","R6"],"after":["R4","R5","R6","R7"]}}]}`},
		{"the steps of an opening",
			`{"rules":"wrc","opened":false,"board":[["R4","R5","R6"]],"rack":["R13","B13","K13"],"steps":true}`,
			`{"tiles":3,"value":39,"played":["B13","K13","R13"],"board":[["R4","R5","R6"],["K13","R13","B13"]],"empties":true,` +
				`"meld":{"can":true,"max_points":39,"sets":[["K13","R13","B13"]]},"steps":[{"kind":"lay","tiles":["K13","R13","B13"],"to":{"after":["K13","R13","B13"]}}]}`},
		{"no steps where nothing is laid", `{"rules":"wrc","opened":false,"board":[],"rack":["R7"],"steps":true}`,
			`{"tiles":0,"value":0,"played":[],"board":[],"empties":false,"meld":{"can":false,"max_points":0,"sets":[]},"steps":[]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := answerLines(strings.NewReader(c.line), &out, rulesForTests(t).solve); err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(out.String()); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestSolveNamesTheFieldThatCannotStand(t *testing.T) {
	const rest = `"opened":true,"board":[["K5","O5","B5"]],"rack":["R5"]}`
	for _, c := range []struct{ name, line, want string }{
		{"unknown preset", `{"rules":"tornado",` + rest, `field "rules": unknown preset "tornado"`},
		{"rule out of range", `{"rules":{"meld_points":201},` + rest, `"meld_points": 201 is not between`},
		{"no rules", `{` + rest, `field "rules": missing`},
		{"opened is not said", `{"rules":"wrc","board":[],"rack":[]}`, `field "opened": missing`},
		{"no board", `{"rules":"wrc","opened":true,"rack":[]}`, `field "board": missing`},
		{"no rack", `{"rules":"wrc","opened":true,"board":[]}`, `field "rack": missing`},
		{"unknown field", `{"rules":"wrc","before":[],` + rest, `field "before": unknown field`},
		{"unknown objective", `{"rules":"wrc","objective":"points",` + rest,
			`field "objective": "points" must be tiles or value`},
		{"objective of the wrong kind", `{"rules":"wrc","objective":1,` + rest,
			`field "objective": must be a string, not of type number`},
		{"limit below nothing", `{"rules":"wrc","limit":-1,` + rest, `field "limit": -1 must be 0 (no limit) or more`},
		{"no tile", `{"rules":"wrc","opened":true,"board":[],"rack":["R14"]}`, `field "rack": "R14" is not a tile`},
		{"number 0 on the board", `{"rules":"wrc","opened":true,"board":[["R0"]],"rack":[]}`,
			`field "board": "R0" is not a tile`},
		{"three copies", `{"rules":"wrc","opened":true,"board":[["R7","B7","K7"]],"rack":["R7","R7"]}`,
			`field "rack": with the board, 3 times R7`},
		{"three copies on the board",
			`{"rules":"wrc","opened":true,"board":[["R7","B7","K7"],["R7","B7","K7"],["R7","O7","K7"]],"rack":[]}`,
			`field "board": 3 times K7`},
		{"three jokers", `{"rules":"wrc","opened":true,"board":[["J","B7","K7"]],"rack":["J","J"]}`,
			`field "rack": with the board, 3 times J`},
		{"300 of one tile", `{"rules":"wrc","opened":true,"board":[],"rack":["R1"` + strings.Repeat(`,"R1"`, 299) +
			`]}`, `field "rack": with the board, 255 times R1`},
		{"a set that is none", `{"rules":"wrc","opened":true,"board":[["R1","R2","R3"],["R12","R13","J"]],"rack":[]}`,
			`field "board[1]": [R12 R13 J] is not a set: joker_off_end`},
		{"an empty set", `{"rules":"wrc","opened":true,"board":[[]],"rack":[]}`,
			`field "board[0]": [] is not a set: too_short`},
		{"a run out of order", `{"rules":"wrc","opened":true,"board":[["R5","R4","R3"]],"rack":[]}`,
			`field "board[0]": [R5 R4 R3] is not a set: run_order`},
		{"no object", `"solve"`, `not a JSON object`},
	} {
		t.Run(c.name, func(t *testing.T) {
			const good = `{"rules":"wrc",` + rest
			answers, err := answersTo(t, rulesForTests(t).solve, good, c.line, good)
			if err != errBadLines {
				t.Errorf("error %v", err)
			}
			said, _ := answers[1]["error"].(string)
			if !strings.Contains(said, c.want) || len(answers[1]) != 1 {
				t.Errorf("%v, want %q", answers[1], c.want)
			}
			if answers[0]["tiles"] != 1.0 || !reflect.DeepEqual(answers[0], answers[2]) {
				t.Errorf("the other lines: %v, %v", answers[0], answers[2])
			}
		})
	}
}

func TestManyPositionsNeedNoMoreMemory(t *testing.T) {
	all := solveCases(t)
	slices.SortFunc(all, func(a, b solveCase) int { return len(a.line) - len(b.line) })
	var text strings.Builder
	for _, c := range all[:50] {
		text.WriteString(c.line + "\n")
	}
	rules := rulesForTests(t)
	heap := func(times int) uint64 {
		in := &repeated{text: text.String(), times: times}
		if err := answerLines(in, io.Discard, rules.solve); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	few, many := heap(2), heap(40)
	if many > few+4<<20 {
		t.Errorf("%d bytes after 100 lines, %d after 2,000", few, many)
	}
}

// TestSolveSaysWhatALimitLeftOpen checks that a limit is observed, and that the answer names the unproven parts.
func TestSolveSaysWhatALimitLeftOpen(t *testing.T) {
	all := solveCases(t)
	cut := 0
	for _, c := range all {
		line := strings.Replace(c.line, `{`, `{"limit":1,`, 1)
		answers, err := answersTo(t, rulesForTests(t).solve, line)
		if err != nil {
			t.Fatal(err)
		}
		proven, said := answers[0]["proven"]
		if said && (proven != false || c.most >= 0) {
			t.Errorf("%s: %v", line, answers[0])
		}
		if said {
			cut++
		} else if c.tiles >= 0 && answers[0]["tiles"] != float64(c.tiles) {
			t.Errorf("%s: %v as if proven, want %d tiles", line, answers[0], c.tiles)
		}
	}
	if cut < 50 {
		t.Errorf("only %d of %d answers were cut by the limit", cut, len(all))
	}
}
