package main

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestSeatPlansWholeEvents(t *testing.T) {
	for _, row := range []struct{ players, rounds, repeats int }{{16, 5, 0}, {20, 5, 0}, {24, 6, 0}, {32, 8, 0},
		{33, 5, 0}, {16, 8, 72}} {
		answers, err := answersTo(t, seatEvent, fmt.Sprintf(`{"players":%d,"rounds":%d,"seed":1}`, row.players,
			row.rounds))
		if err != nil {
			t.Fatal(err)
		}
		met, sat, seated := map[string]float64{}, map[string]float64{}, map[float64]int{}
		counts := map[[2]float64]int{}
		for _, round := range answers[0]["rounds"].([]any) {
			for _, table := range round.([]any) {
				table := table.([]any)
				for i, a := range table {
					seated[a.(float64)]++
					for _, b := range table[:i] {
						counts[[2]float64{min(a.(float64), b.(float64)), max(a.(float64), b.(float64))}]++
					}
				}
			}
		}
		extra := 0
		for _, n := range counts {
			met[fmt.Sprint(n)]++
			extra += n - 1
		}
		met["0"] = float64(row.players*(row.players-1)/2 - len(counts))
		for p := range row.players {
			if seated[float64(p)] != row.rounds {
				t.Errorf("%dx%d: player %d has %d seats", row.players, row.rounds, p, seated[float64(p)])
			}
		}
		for k, n := range answers[0]["pairs_met"].(map[string]any) {
			if met[k] != n.(float64) {
				t.Errorf("%dx%d: %v pairs met %s times, said %v", row.players, row.rounds, met[k], k, n)
			}
		}
		for k, n := range answers[0]["threes_per_player"].(map[string]any) {
			sat[k] = n.(float64)
		}
		if row.players == 33 && (sat["1"] != 21 || sat["2"] != 12) {
			t.Errorf("33x5: tables of three: %v", sat)
		}
		if extra != row.repeats {
			t.Errorf("%dx%d: %d repeats, want %d", row.players, row.rounds, extra, row.repeats)
		}
	}
}

func TestSeatKnowsTheEntrantsAndThePast(t *testing.T) {
	const four = `"entrants":[{"id":"a","country":"PL"},{"id":"b","country":"PL"},{"id":"c"},{"id":"d"},{"id":7},{"id":"f"},{"id":"g"},{"id":"h"}]`
	lines := []string{
		`{"rounds":1,"seed":3,` + four + `,"keep_apart":[["c","d"],["c",7]]}`,
		`{"rounds":1,"seed":3,` + four + `,"history":[[["a","c","d",7],["b","f","g","gone"]]],"method":"random"}`,
		`{"rounds":1,"seed":3,` + four + `,"history":[["a","c","d",7],["b","f","g","h"]],"method":"random"}`,
		`{"players":8,"rounds":1,"history":[[[0,1,2,3],[4,5,6,7]]],"method":"snake"}`,
		`{"players":8,"rounds":1,"method":"standings"}`,
	}
	answers, err := answersTo(t, seatEvent, lines...)
	if err != nil {
		t.Fatal(err)
	}
	apart := func(answer map[string]any, a, b float64) bool {
		for _, table := range answer["rounds"].([]any)[0].([]any) {
			n := 0
			for _, p := range table.([]any) {
				if p == a || p == b {
					n++
				}
			}
			if n == 2 {
				return false
			}
		}
		return true
	}
	if !apart(answers[0], 2, 3) || !apart(answers[0], 2, 4) || !apart(answers[0], 0, 1) {
		t.Errorf("keep apart: %v", answers[0])
	}
	if met := answers[1]["pairs_met"].(map[string]any); met["1"].(float64) < 13 {
		t.Errorf("with a history: %v", met)
	}
	if met := answers[2]["pairs_met"].(map[string]any); met["2"] != 4.0 || met["3"] != nil {
		t.Errorf("with a history of tables: %v", met) // two of the four at each table must meet again
	}
	if got := fmt.Sprint(answers[4]["rounds"]); got != "[[[0 1 2 3] [4 5 6 7]]]" {
		t.Errorf("by standing: %s", got)
	}
	again, _ := answersTo(t, seatEvent, lines...)
	if !reflect.DeepEqual(answers, again) {
		t.Error("the same lines had other answers")
	}
}

func TestSeatNamesTheFieldThatCannotStand(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{"players":5,"rounds":1}`, `field "players": 5 players cannot be seated at tables of 4 and 3`},
		{`{"players":1,"rounds":1}`, `field "players": 1 is not between 2`},
		{`{"players":-4,"rounds":1}`, `field "players": -4 is not between 2`},
		{`{"players":"8","rounds":1}`, `field "players": must be a number, not of type string`},
		{`{"players":8,"rounds":1,"seed":1.5}`,
			`field "seed": 1.5 must be a whole number from -9223372036854775808 to 9223372036854775807`},
		{`{"players":8.5,"rounds":1}`, `field "players": 8.5 must be a whole number`},
		{`{"rounds":1}`, `field "players": missing`},
		{`{"players":8}`, `field "rounds": missing`},
		{`{"players":8,"rounds":0}`, `field "rounds": 0 is not between 1`},
		{`{"players":8,"rounds":1,"method":"magic"}`, `field "method": "magic" must be random`},
		{`{"players":8,"rounds":1,"tables":2}`, `field "tables": unknown field`},
		{`{"players":3,"rounds":1,"entrants":[{"id":"a"}]}`, `field "entrants": 1 entrants, but 3 players`},
		{`{"rounds":1,"entrants":[{"id":"a"},{"id":"a"},{"id":"c"}]}`, `field "entrants[1].id": a is listed twice`},
		{`{"rounds":1,"entrants":[{"id":"a"},{},{"id":"c"}]}`, `field "entrants[1].id": must be a string or a number`},
		{`{"players":8,"rounds":1,"keep_apart":[[1,9]]}`, `field "keep_apart[0]": 9 is not a player`},
		{`{"players":8,"rounds":1,"keep_apart":[[1]]}`, `field "keep_apart[0]": 1 names, but there must be 2`},
		{`{"players":8,"rounds":1,"keep_apart":[[1,1]]}`, `field "keep_apart[0]": must be two different entrants`},
		{`{"players":8,"rounds":1,"history":[[[1,2,3,4,5]]]}`, `field "history[0]": 5 players at table 0`},
		{`{"players":8,"rounds":1,"history":[[[1,2,3,1]]]}`, `field "history[0]": 1 is seated twice in this round`},
		{`{"players":8,"rounds":1,"history":[7]}`, `field "history[0]": must be a round or a table`},
		{`{"players":4,"rounds":1,"history":[` + strings.Repeat("[0,1],", 40_000) + `[0,1]]}`,
			`field "history": 40001 rounds: must be 30000 at most`},
		{`[]`, `not a JSON object`},
	} {
		answers, err := answersTo(t, seatEvent, c.line)
		said, _ := answers[0]["error"].(string)
		if err != errBadLines || !strings.Contains(said, c.want) {
			t.Errorf("%s: %v, %v, want %q", c.line, answers[0], err, c.want)
		}
	}
}
