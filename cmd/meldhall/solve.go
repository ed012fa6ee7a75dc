package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"meldhall/engine/judge"
	"meldhall/engine/solve"
	"meldhall/engine/steps"
	"meldhall/engine/tile"
)

// solveCmd is the command meldhall solve.
type solveCmd struct{}

// Help returns the text of meldhall solve --help.
func (solveCmd) Help() string {
	return `Reads one position per line: {"rules":"wrc","opened":true,"board":[["R4","J","R6"]],"rack":["R5","B9","K9"],"objective":"tiles"}. ` +
		`objective is tiles (default: most tiles, then most value) or value (most value, then most tiles). Optional: "relief":true if all ` +
		`others have opened; "limit" for the number of states visited, after which the result may have "proven":false; ` +
		`and "steps":true for the moves by hand.`
}

// Run solves the positions on standard input.
func (solveCmd) Run() error { return answerStdin(ruleNames.solve) }

type solveLine struct {
	Rules     json.RawMessage `json:"rules"`
	Opened    bool            `json:"opened"`
	Relief    bool            `json:"relief,omitempty"` // all other players have opened
	Board     []tile.FaceList `json:"board"`
	Rack      tile.FaceList   `json:"rack"`
	Objective string          `json:"objective,omitempty"`
	Limit     int             `json:"limit,omitempty"`
	Steps     bool            `json:"steps,omitempty"`
}

// aims maps the command's names for the objectives to those of package solve.
var aims = map[string]solve.Aim{"": solve.MostTiles, "tiles": solve.MostTiles, "value": solve.MostValue}

type solveAnswer struct {
	Tiles   int             `json:"tiles"`
	Value   int             `json:"value"`
	Played  tile.FaceList   `json:"played"`
	Board   []tile.FaceList `json:"board"`
	Empties bool            `json:"empties"`
	Meld    *meldAnswer     `json:"meld,omitempty"`
	Proven  *bool           `json:"proven,omitempty"` // omitted if true
	Steps   []steps.Step    `json:"steps,omitzero"`   // present if requested, even if empty
}

// meldAnswer describes the highest initial meld that the rack allows, whether or not it is enough.
type meldAnswer struct {
	Can       bool            `json:"can"`
	MaxPoints int             `json:"max_points"`
	Sets      []tile.FaceList `json:"sets"`
}

func (known ruleNames) solve(line []byte) (any, error) {
	var in solveLine
	if err := readLine(line, &in); err != nil {
		return nil, err
	}
	rules, err := known.ruleset(in.Rules)
	if err != nil {
		return nil, err
	}
	board := plain(in.Board)
	if err := in.check(board); err != nil {
		return nil, err
	}
	move := judge.Move{Opened: in.Opened, Relief: in.Relief, Before: board, Rack: in.Rack}
	play := judge.BestPlay(rules, move, solve.Question{Aim: aims[in.Objective], Keep: true, Limit: in.Limit})
	answer := solveAnswer{
		Tiles: play.Tiles, Value: play.Value, Played: inTextOrder(play.Played), Board: listed(play.Table),
		Empties: play.Tiles > 0 && play.Tiles == len(in.Rack),
	}
	if !play.Proven {
		answer.Proven = &play.Proven
	}
	if in.Steps {
		answer.Steps = append([]steps.Step{}, steps.Steps(move.Before, play.Table)...)
	}
	if !in.Opened {
		most, _ := solve.Meld{Aim: solve.HighestPoints}.Best(tile.CountFaces(in.Rack))
		answer.Meld = &meldAnswer{play.Tiles > 0, most.Points, listed(most.Sets)}
	}
	return answer, nil
}

// check rejects unknown objectives, negative limits and impossible positions: more copies of a tile than the game has,
// and invalid sets on the board.
func (in solveLine) check(board [][]tile.Face) error {
	if _, known := aims[in.Objective]; !known {
		return &fieldError{"objective", fmt.Errorf("%q must be tiles or value", in.Objective)}
	}
	if in.Limit < 0 {
		return &fieldError{"limit", fmt.Errorf("%d must be 0 (no limit) or more", in.Limit)}
	}
	for i, set := range board {
		if fault := tile.Fault(set); fault != "" {
			return &fieldError{fmt.Sprintf("board[%d]", i), fmt.Errorf("%v is not a set: %s", set, fault)}
		}
	}
	if err := tile.CheckCounts(tile.CountFaces(board...)); err != nil {
		return &fieldError{"board", err}
	}
	if err := tile.CheckCounts(tile.CountFaces(append(board, in.Rack)...)); err != nil {
		return &fieldError{"rack", fmt.Errorf("with the board, %w", err)}
	}
	return nil
}

func plain(lists []tile.FaceList) [][]tile.Face {
	sets := make([][]tile.Face, len(lists), len(lists)+1)
	for i, list := range lists {
		sets[i] = list
	}
	return sets
}

func listed(sets [][]tile.Face) []tile.FaceList {
	lists := make([]tile.FaceList, len(sets))
	for i, set := range sets {
		lists[i] = set
	}
	return lists
}

// inTextOrder lists the tiles sorted by their text, as judge does.
func inTextOrder(c tile.Counts) tile.FaceList {
	list := c.List()
	slices.SortFunc(list, func(a, b tile.Face) int { return strings.Compare(a.String(), b.String()) })
	return list
}
