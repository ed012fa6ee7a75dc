package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

// scoreCmd is the command meldhall score.
type scoreCmd struct{}

// Help returns the text of meldhall score --help.
func (scoreCmd) Help() string {
	return `Reads one finished game per line: {"rules":"wrc","ending":"emptied","racks":[[],["R3"]],"opened":[true,true]}. ` +
		`ending is emptied or exhausted; "racks_at_turns" lists, for each player, the racks at the start of that player's turns, ` +
		`for able_when any_turn. "relief_at_turns" lists, for the same turns, true if all ` +
		`others had opened.`
}

// Run scores the games on standard input.
func (scoreCmd) Run() error { return answerStdin(ruleNames.score) }

type scoreLine struct {
	Rules   json.RawMessage   `json:"rules"`
	Ending  string            `json:"ending"`
	Racks   []tile.FaceList   `json:"racks"`
	Opened  []bool            `json:"opened"`
	AtTurns [][]tile.FaceList `json:"racks_at_turns,omitempty"`
	Relief  [][]bool          `json:"relief_at_turns,omitempty"` // all other players had opened
}

func (known ruleNames) score(line []byte) (any, error) {
	var in scoreLine
	if err := readLine(line, &in); err != nil {
		return nil, err
	}
	rules, err := known.ruleset(in.Rules)
	if err != nil {
		return nil, err
	}
	hands, err := in.hands(rules)
	if err != nil {
		return nil, err
	}
	if in.Ending != score.Emptied && in.Ending != score.Exhausted {
		return nil, &fieldError{"ending", fmt.Errorf("%q must be %s or %s", in.Ending, score.Emptied,
			score.Exhausted)}
	}
	outcome, err := score.Score(rules, in.Ending, hands)
	if err != nil {
		return nil, &fieldError{"racks", err}
	}
	return outcome, nil
}

// hands checks that the lists match and returns the players' hands. It rejects more copies of a tile than the game has,
// on all racks together and on each rack at a turn.
func (in scoreLine) hands(rules ruleset.Ruleset) ([]score.Hand, error) {
	if len(in.Opened) != len(in.Racks) {
		return nil, &fieldError{"opened", fmt.Errorf("%d players, but %d racks", len(in.Opened), len(in.Racks))}
	}
	if in.AtTurns != nil && len(in.AtTurns) != len(in.Racks) {
		return nil, &fieldError{"racks_at_turns", fmt.Errorf("%d players, but %d racks", len(in.AtTurns),
			len(in.Racks))}
	}
	if in.Relief != nil && !slices.EqualFunc(in.Relief, in.AtTurns,
		func(a []bool, b []tile.FaceList) bool { return len(a) == len(b) }) {
		return nil, &fieldError{"relief_at_turns", errors.New("must have one entry for each rack of racks_at_turns")}
	}
	hands := make([]score.Hand, len(in.Racks))
	for i, rack := range in.Racks {
		hands[i] = score.Hand{Rack: rack, Opened: in.Opened[i]}
		if err := checkRack(rack); err != nil {
			return nil, &fieldError{fmt.Sprintf("racks[%d]", i), err}
		}
		if in.Ending == score.Emptied && len(rack) == 0 && !in.Opened[i] {
			return nil, &fieldError{fmt.Sprintf("opened[%d]", i), errors.New("false, but the rack is empty")}
		}
		if in.Ending == score.Exhausted && len(rack) == 0 {
			return nil, &fieldError{fmt.Sprintf("racks[%d]", i),
				errors.New("empty, but the game ended with an exhausted pool")}
		}
	}
	if err := tile.CheckCounts(tile.CountFaces(plain(in.Racks)...)); err != nil {
		return nil, &fieldError{"racks", fmt.Errorf("all together, %w", err)}
	}
	for i, turns := range in.AtTurns {
		for turn, rack := range turns {
			if err := checkRack(rack); err != nil {
				return nil, &fieldError{fmt.Sprintf("racks_at_turns[%d][%d]", i, turn), err}
			}
			if rules.AbleWhen == ruleset.AnyTurn && !hands[i].Able {
				hands[i].Able = judge.CanOpen(rules, tile.CountFaces(rack), in.Relief != nil && in.Relief[i][turn])
			}
		}
	}
	return hands, nil
}

// checkRack rejects more tiles, or more copies of a tile, than the game has.
func checkRack(rack tile.FaceList) error {
	if len(rack) > tile.Count {
		return fmt.Errorf("%d tiles: %w", len(rack), tile.ErrTooMany)
	}
	return tile.CheckCounts(tile.CountFaces(rack))
}
