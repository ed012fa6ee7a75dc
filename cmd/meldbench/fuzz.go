package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"meldhall/cmd/internal/prepare"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
)

// fuzzCmd is the command meldbench fuzz.
type fuzzCmd struct {
	Boards int    `help:"Number of hostile boards for both referees." default:"100000"`
	Keys   int    `help:"Number of commands sent again with a used key." default:"10000"`
	Games  int    `help:"Number of games in which every response body is searched for tiles hidden from its recipient." default:"24"`
	Seed   uint64 `help:"The seed. Equal seeds give equal runs, except for the order of concurrent requests." default:"1"`
	Keep   string `help:"Write a few boards of every code of every preset to this file, in the format of testdata." placeholder:"FILE"`
}

// Help returns the text of meldbench fuzz --help.
func (fuzzCmd) Help() string {
	return "Generates hostile input; 0 skips a kind. A second referee, written from the rules only, judges each " +
		"board along with\n" +
		"the engine. Keys are repeated immediately, later, with another command and for another game. Games are " +
		"played over HTTP with this program,\n" +
		"by a test in the current checkout. It fails on any disagreement. Parsers are fuzzed by go test -fuzz."
}

// Run judges boards, repeats keys and plays games.
func (c fuzzCmd) Run() error { return c.report(os.Stdout) }

// fuzzRow is a row of the table.
type fuzzRow struct {
	what  string
	count int
	wrong []string
	facts string
}

func (c fuzzCmd) report(out io.Writer) error {
	rules, err := rulesOfPresets()
	if err != nil {
		return err
	}
	if c.Keep != "" {
		if err := keepBoards(c.Keep, c.Seed, rules); err != nil {
			return err
		}
	}
	if c.Boards < 0 || c.Keys < 0 || c.Games < 0 || c.Boards+c.Keys+c.Games == 0 {
		return errors.New("fuzz: --boards, --keys and --games must not be negative, and one must be above 0")
	}
	failed := 0
	fmt.Fprintf(out, "%-32s%12s%10s%15s\n", "", "count", "seconds", "disagreements")
	for _, part := range []struct {
		count int
		run   func() (fuzzRow, error)
	}{
		{c.Boards, func() (fuzzRow, error) { return c.boardsRow(rules), nil }},
		{c.Keys, func() (fuzzRow, error) { return fuzzKeys(c.Keys) }},
		{c.Games, func() (fuzzRow, error) { return fuzzGames(c.Games) }},
	} {
		if part.count == 0 {
			continue
		}
		began := time.Now()
		row, err := part.run()
		if err != nil {
			return err
		}
		if err := sampled("fuzz: "+row.what, row.count); err != nil {
			return err
		}
		fmt.Fprintf(out, "%-32s%12d%10.1f%15d\n%s", row.what, row.count, time.Since(began).Seconds(), len(row.wrong),
			row.facts)
		for _, one := range row.wrong[:min(3, len(row.wrong))] {
			fmt.Fprintf(out, "  %s\n", one)
		}
		failed += len(row.wrong)
	}
	if failed > 0 {
		return fmt.Errorf("fuzz: %d disagreements", failed)
	}
	return nil
}

func (c fuzzCmd) boardsRow(rules []ruleset.Ruleset) fuzzRow {
	got := fuzzBoards(c.Boards, c.Seed, rules)
	row := fuzzRow{what: "boards, two referees", count: got.boards}
	for i, n := range got.differ {
		one := ""
		if i < 3 {
			one = told(boardOf(c.Seed, n, rules))
		}
		row.wrong = append(row.wrong, fmt.Sprintf("board %d: %s", n, one))
	}
	var facts strings.Builder
	for _, code := range slices.Sorted(maps.Keys(got.codes)) {
		name := code
		if code == "" {
			name = "legal"
		}
		fmt.Fprintf(&facts, "  %-30s%12d\n", name, got.codes[code])
	}
	row.facts = facts.String()
	return row
}

// rulesOfPresets returns the rule sets of the built-in presets.
func rulesOfPresets() (rules []ruleset.Ruleset, err error) {
	presets, err := prepare.Presets("")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"wrc", "wrc-50", "club", "family", "casual"} {
		one, err := presets.Ruleset(name, nil)
		if err != nil {
			return nil, err
		}
		rules = append(rules, one)
	}
	return rules, nil
}

// keptBoard is a line of the corpus: a board, and the verdict of both referees when it was recorded.
type keptBoard struct {
	Rules int // index of the preset
	Move  judge.Move
	Code  string
	Worth int `json:",omitempty"` // points of an opening
}

// keepBoards writes a corpus: a few boards for each code under each unmodified preset.
func keepBoards(path string, seed uint64, rules []ruleset.Ruleset) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewWriter(file)
	have := map[string]int{}
	for n := range 300_000 {
		b := boardOf(seed, n, rules)
		which := slices.Index(rules, b.Rules)
		code, agree := bothRule(b)
		name := fmt.Sprint(which, code)
		if which < 0 || !agree || have[name] == 8 || slices.ContainsFunc(b.Move.After, tooLongToKeep) {
			continue
		}
		have[name]++
		if err := json.NewEncoder(lines).Encode(keptBoard{which, b.Move, code,
			judge.Judge(b.Rules, b.Move).Points}); err != nil {
			return err
		}
	}
	return lines.Flush()
}
