package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// knownCase is a line of a file of cases: a question in the form that meldhall solve reads, and its answer.
type knownCase struct {
	ID   string `json:"id"`
	Case struct {
		Rules     string        `json:"rules"`
		Opened    bool          `json:"opened"`
		Board     [][]tile.Face `json:"board"`
		Rack      []tile.Face   `json:"rack"`
		Objective string        `json:"objective"`
	} `json:"case"`
	Want wanted `json:"want"`
}

// readCases reads the cases of players who have opened under the presets whose jokers are free, by objective.
func readCases(file string) (all []class, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	jokerPoints := map[string]int{"club": clubRules.JokerPoints, "wrc": 100}
	byAim := map[solve.Aim][]task{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		var c knownCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s line %d: %w", file, n, err)
		}
		points, free := jokerPoints[c.Case.Rules]
		if !free || !c.Case.Opened {
			continue
		}
		rules := solve.Rules{Replace: solve.Free, JokerPoints: points}
		t := task{name: c.ID, position: solve.Position{Rules: rules, Table: c.Case.Board, Rack: tile.CountFaces(c.Case.Rack)},
			aim: solve.MostTiles, want: c.Want}
		if c.Case.Objective == "value" {
			t.aim = solve.MostValue
		}
		byAim[t.aim] = append(byAim[t.aim], t)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, c := range []struct {
		name string
		aim  solve.Aim
	}{{"cases, tiles", solve.MostTiles}, {"cases, value", solve.MostValue}} {
		if tasks := byAim[c.aim]; len(tasks) > 0 {
			all = append(all, class{"classes", c.name, func() []task { return tasks }})
		}
	}
	return all, nil
}
