package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"meldhall/cmd/meldbench/referee"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/testmode"
	"meldhall/engine/tile"
)

// TestTwoReferees shows hostile boards to the judge and to the second referee; meldbench fuzz does it with millions.
func TestTwoReferees(t *testing.T) {
	boards := 30_000
	if testmode.Long {
		boards = 100_000
	}
	rules, err := rulesOfPresets()
	if err != nil {
		t.Fatal(err)
	}
	got := fuzzBoards(boards, 3, rules)
	for _, n := range got.differ[:min(3, len(got.differ))] {
		t.Errorf("board %d: %s", n, told(boardOf(3, n, rules)))
	}
	for _, code := range []string{"", judge.CodeInvalidSet, judge.CodeTileLost, judge.CodeNotOnRack,
		judge.CodeNothingPlayed, judge.CodeTableTouched,
		judge.CodeMeldShort, judge.CodeJokerWithoutRackTile, judge.CodeJokerNotReplaced} {
		if got.codes[code] < boards/1000 {
			t.Errorf("of %d boards only %d were %q", boards, got.codes[code], code)
		}
	}
	t.Logf("%d boards: %v", got.boards, got.codes)
}

// linesOf reads a file with one JSON value per line.
func linesOf[T any](t *testing.T, path string, least int) (all []T) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
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
		t.Fatalf("%s holds %d boards of at least %d", path, len(all), least)
	}
	return all
}

// TestKnownBoards checks both referees on boards with known verdicts: recorded boards of every code under every preset,
// and those that the engine's tests use, judged by people and by other programs.
func TestKnownBoards(t *testing.T) {
	rules, err := rulesOfPresets()
	if err != nil {
		t.Fatal(err)
	}
	for i, kept := range linesOf[keptBoard](t, "referee/testdata/boards.jsonl", 300) {
		b := referee.Board{Rules: rules[kept.Rules], Move: kept.Move}
		if code, agree := bothRule(b); code != kept.Code || !agree ||
			judge.Judge(b.Rules, b.Move).Points != kept.Worth {
			t.Errorf("line %d: judge %+v, referee %+v, known %q", i+1, judge.Judge(b.Rules, b.Move),
				referee.Rule(b.Rules, b.Move), kept.Code)
		}
	}
	names := map[string]ruleset.Ruleset{"wrc": rules[0], "wrc-50": rules[1], "club": rules[2], "family": rules[3],
		"casual": rules[4]}
	for i, c := range linesOf[struct {
		Case struct {
			Rules         string
			Opened        bool
			Before, After [][]tile.Face
			Rack          []tile.Face
		}
		Want struct {
			Code   string
			Points int
		}
	}](t, "../../engine/testdata/judge.jsonl", 120) {
		m := judge.Move{Opened: c.Case.Opened, Before: c.Case.Before, Rack: c.Case.Rack, After: c.Case.After}
		if got := referee.Rule(names[c.Case.Rules], m); got.Code != c.Want.Code || got.Points != c.Want.Points {
			t.Errorf("case %d: %+v, want %+v", i+1, got, c.Want)
		}
	}
}

// TestFuzzTable checks that parts left out have no row, and parts that ran have one.
func TestFuzzTable(t *testing.T) {
	var out bytes.Buffer
	if err := (fuzzCmd{Boards: 500, Seed: 9}).report(&out); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "boards, two referees") || !strings.Contains(text, " 500 ") ||
		strings.Contains(text, "keys") {
		t.Error(text)
	}
}
