package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"meldhall/engine/judge"
	"meldhall/engine/tile"
)

// judgeCmd is the command meldhall judge.
type judgeCmd struct{}

// Help returns the text of meldhall judge --help.
func (judgeCmd) Help() string {
	return `Reads one play per line: {"rules":"wrc","opened":true,"before":[["R4","J","R6"]],"rack":["R5","B9","K9"],` +
		`"after":[["R4","R5","R6"],["B9","K9","J"]]}. rules is a preset's name or {"preset":"wrc", changed fields}.`
}

// Run judges the plays on standard input.
func (judgeCmd) Run() error { return answerStdin(ruleNames.judge) }

type judgeLine struct {
	Rules  json.RawMessage `json:"rules"`
	Opened bool            `json:"opened"`
	Relief bool            `json:"relief,omitempty"` // all other players have opened
	Before []tile.FaceList `json:"before"`
	Rack   tile.FaceList   `json:"rack"`
	After  []tile.FaceList `json:"after"`
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
	before := plain(in.Before)
	if err := tile.CheckCounts(tile.CountFaces(before...)); err != nil {
		return nil, &fieldError{"before", err}
	}
	if err := tile.CheckCounts(tile.CountFaces(append(slices.Clip(before), in.Rack)...)); err != nil {
		return nil, &fieldError{"rack", fmt.Errorf("with the table before, %w", err)}
	}
	v := judge.Judge(rules, judge.Move{Opened: in.Opened, Relief: in.Relief, Before: before, Rack: in.Rack,
		After: plain(in.After)})
	return judgeAnswer{v.Legal, v.Code, v.Played, v.Points, v.Detail}, nil
}
