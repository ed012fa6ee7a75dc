package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"meldhall/cmd/internal/prepare"
)

func rulesForTests(t testing.TB) ruleNames {
	t.Helper()
	presets, err := prepare.Presets("")
	if err != nil {
		t.Fatal(err)
	}
	return presets.Rules
}

// answersTo feeds lines to a command and returns its answers, one per line.
func answersTo(t testing.TB, answer func([]byte) (any, error), lines ...string) ([]map[string]any, error) {
	t.Helper()
	var out bytes.Buffer
	err := answerLines(strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, answer)
	var answers []map[string]any
	for _, text := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		var one map[string]any
		if err := json.Unmarshal([]byte(text), &one); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		answers = append(answers, one)
	}
	if len(answers) != len(lines) {
		t.Fatalf("%d answers to %d lines", len(answers), len(lines))
	}
	return answers, err
}

// sharedCases reads a file of cases that the engine's tests use too: the input lines, and the expected answers without
// null fields.
func sharedCases(t testing.TB, file string, least int) (lines []string, want []map[string]any) {
	t.Helper()
	f, err := os.Open("../../engine/testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		var c struct {
			Case json.RawMessage
			Want map[string]any
		}
		if err := json.Unmarshal(scan.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		lines, want = append(lines, string(c.Case)), append(want, c.Want)
	}
	if len(lines) < least {
		t.Fatalf("%s holds %d cases, not %d", file, len(lines), least)
	}
	return lines, want
}

func TestJudgeAnswersTheSharedCases(t *testing.T) {
	lines, want := sharedCases(t, "judge.jsonl", 120)
	answers, err := answersTo(t, rulesForTests(t).judge, lines...)
	if err != nil {
		t.Fatal(err)
	}
	for i, answer := range answers {
		if answer["legal"] == false && answer["detail"] == nil {
			t.Errorf("line %d has no detail", i+1)
		}
		delete(answer, "detail")
		if !reflect.DeepEqual(answer, want[i]) && !openedWithPoints(answer, want[i]) {
			t.Errorf("line %d: %v, want %v", i+1, answer, want[i])
		}
	}
}

// openedWithPoints accepts points 0 in a case if the answer has no points.
func openedWithPoints(answer, want map[string]any) bool {
	if want["points"] == 0.0 && answer["points"] == nil {
		delete(want, "points")
	}
	return reflect.DeepEqual(answer, want)
}

func TestJudgeNamesTheFieldThatCannotStand(t *testing.T) {
	const rest = `"opened":true,"before":[["K5","O5","B5"]],"rack":["R5"],"after":[["K5","O5","B5","R5"]]}`
	for _, c := range []struct{ name, line, want string }{
		{"unknown preset", `{"rules":"tornado",` + rest,
			`field "rules": unknown preset "tornado"; the presets are casual, club, family, wrc, wrc-50`},
		{"unknown preset in an object", `{"rules":{"preset":"tornado"},` + rest,
			`field "rules.preset": unknown preset "tornado"`},
		{"unknown rule", `{"rules":{"preset":"club","jokers":3},` + rest, `"jokers": unknown field`},
		{"rule out of range", `{"rules":{"meld_points":-1},` + rest, `"meld_points": -1 is not between`},
		{"rule that is no word", `{"rules":{"joker_replace":"never"},` + rest,
			`"joker_replace": "never" must be one of`},
		{"rules of the wrong kind", `{"rules":3,` + rest, `field "rules": must be the name of a preset or`},
		{"no rules", `{` + rest, `field "rules": missing`},
		{"unknown field", `{"rules":"wrc","board":[],` + rest, `field "board": unknown field`},
		{"missing field", `{"rules":"wrc","opened":true,"before":[],"after":[]}`, `field "rack": missing`},
		{"wrong kind", `{"rules":"wrc","opened":"yes","before":[],"rack":[],"after":[]}`,
			`field "opened": must be true or false, not of type string`},
		{"no tile", `{"rules":"wrc","opened":true,"before":[],"rack":["R14"],"after":[]}`,
			`field "rack": "R14" is not a tile`},
		{"number 0", `{"rules":"wrc","opened":true,"before":[["R0"]],"rack":[],"after":[]}`,
			`field "before": "R0" is not a tile`},
		{"unknown colour", `{"rules":"wrc","opened":true,"before":[],"rack":[],"after":[["G7"]]}`,
			`field "after": "G7" is not a tile`},
		{"three copies", `{"rules":"wrc","opened":true,"before":[["R7","B7","K7"]],"rack":["R7","R7"],"after":[]}`,
			`field "rack": with the table before, 3 times R7`},
		{"three jokers",
			`{"rules":"wrc","opened":true,"before":[["J","B7","K7","J"],["J","O7","R7"]],"rack":[],"after":[]}`,
			`field "before": 3 times J`},
		{"no object", `[]`, `not a JSON object: it has type array`},
		{"no JSON", `{"rules":`, `not a JSON object`},
		{"an empty line", ``, `not a JSON object: the line is empty`},
		{"two objects", `{} {}`, `not a JSON object`},
		{"a line without end", `{"rules":"` + strings.Repeat("x", maxLine) + `"}`, `the line is longer than`},
	} {
		t.Run(c.name, func(t *testing.T) {
			const good = `{"rules":"wrc",` + rest
			answers, err := answersTo(t, rulesForTests(t).judge, good, c.line, good)
			if err != errBadLines {
				t.Errorf("error %v", err)
			}
			said, _ := answers[1]["error"].(string)
			if !strings.Contains(said, c.want) || len(answers[1]) != 1 {
				t.Errorf("%v, want %q", answers[1], c.want)
			}
			if answers[0]["legal"] != true || !reflect.DeepEqual(answers[0], answers[2]) {
				t.Errorf("the other lines: %v, %v", answers[0], answers[2])
			}
		})
	}
}

func TestJudgeTakesAPresetWithChangedFields(t *testing.T) {
	const rest = `"opened":false,"before":[],"rack":["R10","B10","O10","Y1"],"after":[["R10","B10","O10"]]}`
	answers, err := answersTo(t, rulesForTests(t).judge,
		`{"rules":{},`+rest, `{"rules":{"preset":"club","meld_points":31},`+rest, `{"rules":{"meld_points":50},`+rest)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []any{true, false, false} {
		if answers[i]["legal"] != want || answers[i]["points"] != 30.0 {
			t.Errorf("line %d: %v", i+1, answers[i])
		}
	}
}

// repeated reads the same lines over and over.
type repeated struct {
	text  string
	at    int
	times int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.at == len(r.text) {
		r.at, r.times = 0, r.times-1
	}
	if r.times <= 0 {
		return 0, io.EOF
	}
	n := copy(p, r.text[r.at:])
	r.at += n
	return n, nil
}

func TestManyLinesNeedNoMoreMemory(t *testing.T) {
	lines, _ := sharedCases(t, "judge.jsonl", 120)
	rules := rulesForTests(t)
	heap := func(times int) uint64 {
		in := &repeated{text: strings.Join(lines, "\n") + "\n", times: times}
		if err := answerLines(in, io.Discard, rules.judge); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	few, many := heap(1), heap(50)
	if many > few+1<<20 {
		t.Errorf("%d bytes after 120 lines, %d after 6,000", few, many)
	}
}

func TestAnswersLeaveWhileTheAskerWaits(t *testing.T) {
	in, ask := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- answerLines(in, out, func(line []byte) (any, error) { return string(line), nil }) }()
	read := bufio.NewReader(answers)
	for _, line := range []string{"one", "two"} {
		if _, err := io.WriteString(ask, line+"\n"); err != nil {
			t.Fatal(err)
		}
		if got, err := read.ReadString('\n'); err != nil || got != `"`+line+"\"\n" {
			t.Fatalf("%q %v", got, err)
		}
	}
	ask.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
