package main

import (
	"encoding/json"
	"fmt"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// judgeCmd is meldhall judge.
type judgeCmd struct{}

// Help is shown by meldhall judge --help.
func (judgeCmd) Help() string {
	return `Reads one play a line: {"rules":"wrc","opened":true,"before":[["R4","J","R6"]],"rack":["R5","B9","K9"],` +
		`"after":[["R4","R5","R6"],["B9","K9","J"]]}. rules is a preset or {"preset":"wrc", changed fields}.`
}

// Run judges the lines of standard input.
func (judgeCmd) Run() error { return answerStdin(ruleNames.judge) }

type judgeLine struct {
	Rules  json.RawMessage `json:"rules"`
	Opened bool            `json:"opened"`
	Relief bool            `json:"relief,omitempty"` // all the others have opened
	Before [][]tile.Face   `json:"before"`
	Rack   []tile.Face     `json:"rack"`
	After  [][]tile.Face   `json:"after"`
}

type judgeAnswer struct {
	Legal  bool          `json:"legal"`
	Code   string        `json:"code,omitempty"`
	Played tile.FaceList `json:"played,omitempty"`
	Points int           `json:"points,omitempty"`
	Detail string        `json:"detail,omitempty"`
}

func (known ruleNames) judge(line []byte) (any, error) {
	var in judgeLine
	if err := readLine(line, &in); err != nil {
		return nil, err
	}
	rules, err := known.ruleset(in.Rules)
	if err != nil {
		return nil, err
	}
	if err := tile.CheckCounts(tile.CountFaces(in.Before...)); err != nil {
		return nil, &fieldError{"before", err}
	}
	if err := tile.CheckCounts(tile.CountFaces(append(in.Before[:len(in.Before):len(in.Before)], in.Rack)...)); err != nil {
		return nil, &fieldError{"rack", fmt.Errorf("with the table before, %w", err)}
	}
	v := engine.Judge(rules, engine.Move{Opened: in.Opened, Relief: in.Relief, Before: in.Before, Rack: in.Rack, After: in.After})
	return judgeAnswer{v.Legal, v.Code, v.Played, v.Points, v.Detail}, nil
}
