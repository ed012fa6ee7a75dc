package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestScoreAnswersTheSharedCases(t *testing.T) {
	lines, want := sharedCases(t, "score.jsonl", 60)
	answers, err := answersTo(t, rulesForTests(t).score, lines...)
	if err != errBadLines {
		t.Fatal(err)
	}
	impossible := 0
	for i, answer := range answers {
		if thirdCopy(t, lines[i]) { // such a game cannot exist
			if impossible++; !strings.Contains(fmt.Sprint(answer["error"]), "more copies of a tile than the game has") {
				t.Errorf("line %d: %v, want a refusal", i+1, answer)
			}
			continue
		}
		for _, charge := range want[i]["charges"].([]any) {
			if c := charge.(map[string]any); c["reason"] == nil {
				delete(c, "reason")
			}
		}
		if !reflect.DeepEqual(answer, want[i]) {
			t.Errorf("line %d: %v, want %v", i+1, answer, want[i])
		}
	}
	if impossible != 7 {
		t.Errorf("%d games with a third copy of a tile, want 7", impossible)
	}
}

// thirdCopy reports whether a line's racks contain a tile more than twice, judged by the line's text.
func thirdCopy(t *testing.T, line string) bool {
	t.Helper()
	var c struct{ Racks [][]string }
	if err := json.Unmarshal([]byte(line), &c); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, rack := range c.Racks {
		for _, name := range rack {
			counts[name]++
		}
	}
	return slices.Max(slices.Collect(maps.Values(counts))) > 2
}

func TestScoreNamesTheFieldThatCannotStand(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"unknown ending", `{"rules":"wrc","ending":"over","racks":[[],["R3"]],"opened":[true,true]}`,
			`field "ending": "over" must be emptied`},
		{"no ending", `{"rules":"wrc","racks":[[],["R3"]],"opened":[true,true]}`, `field "ending": missing`},
		{"nobody emptied", `{"rules":"wrc","ending":"emptied","racks":[["R1"],["R3"]],"opened":[true,true]}`,
			`field "racks": 0 racks are empty`},
		{"two emptied", `{"rules":"wrc","ending":"emptied","racks":[[],[]],"opened":[true,true]}`,
			`field "racks": 2 racks are empty`},
		{"one player", `{"rules":"wrc","ending":"emptied","racks":[[]],"opened":[true]}`,
			`field "racks": a game of 1 players`},
		{"fewer said to have opened", `{"rules":"wrc","ending":"emptied","racks":[[],["R3"]],"opened":[true]}`,
			`field "opened": 1 players, but 2 racks`},
		{"a rack of more tiles than there are", `{"rules":"wrc","ending":"emptied","racks":[[],["R3"` +
			strings.Repeat(`,"R3"`, 106) + `]],"opened":[true,true]}`, `field "racks[1]": 107 tiles`},
		{"no tile", `{"rules":"wrc","ending":"emptied","racks":[[],["Z3"]],"opened":[true,true]}`,
			`field "racks": "Z3" is not a tile`},
		{"racks of turns for fewer players",
			`{"rules":"wrc","ending":"emptied","racks":[[],["R3"]],"opened":[true,true],"racks_at_turns":[[]]}`,
			`field "racks_at_turns": 1 players`},
		{"relief of other turns",
			`{"rules":"wrc","ending":"emptied","racks":[[],["R3"]],"opened":[true,true],` +
				`"racks_at_turns":[[],[["R3"]]],"relief_at_turns":[[],[]]}`, `field "relief_at_turns"`},
		{"unknown field", `{"rules":"wrc","ending":"emptied","racks":[[],["R3"]],"opened":[true,true],"winner":0}`,
			`field "winner": unknown field`},
		{"three K1 on a rack", `{"rules":"wrc","ending":"emptied","racks":[[],["K1","K1","K1"]],"opened":[true,true]}`,
			`field "racks[1]": 3 times K1`},
		{"three K1 on three racks",
			`{"rules":"wrc","ending":"emptied","racks":[[],["K1"],["K1"],["K1"]],"opened":[true,true,true,true]}`,
			`field "racks": all together, 3 times K1`},
		{"three jokers", `{"rules":"wrc","ending":"exhausted","racks":[["J"],["J","J"]],"opened":[true,true]}`,
			`field "racks": all together, 3 times J`},
		{"three of a tile at a turn",
			`{"rules":"wrc","ending":"emptied","racks":[[],["R3"]],"opened":[true,true],"racks_at_turns":` +
				`[[],[["R1"],["B2","B2","B2"]]]}`, `field "racks_at_turns[1][1]": 3 times B2`},
		{"emptied without opening", `{"rules":"wrc","ending":"emptied","racks":[[],["R3"]],"opened":[false,true]}`,
			`field "opened[0]": false, but the rack is empty`},
		{"exhausted with an empty rack",
			`{"rules":"wrc","ending":"exhausted","racks":[[],["R3"]],"opened":[true,true]}`, `field "racks[0]": empty`},
		{"five players",
			`{"rules":"wrc","ending":"emptied","racks":[[],["R3"],["R4"],["R5"],["R6"]],` +
				`"opened":[true,true,true,true,true]}`,
			`field "racks": a game of 5 players`},
		{"a field in capitals", `{"Rules":"wrc","ending":"emptied","racks":[[],["R3"]],"opened":[true,true]}`,
			`field "rules": missing`},
		{"a field in capitals beside its own",
			`{"rules":"wrc","RULES":"club","ending":"emptied","racks":[[],["R3"]],"opened":[true,true]}`,
			`field "RULES": unknown field; it is written "rules"`},
		{"a field twice", `{"rules":"wrc","rules":"club","ending":"emptied","racks":[[],["R3"]],"opened":[true,true]}`,
			`field "rules": is there twice`},
		{"a rule in capitals",
			`{"rules":{"Joker_Points":1},"ending":"emptied","racks":[[],["R3"]],"opened":[true,true]}`,
			`field "Joker_Points": unknown field`},
		{"a rule twice",
			`{"rules":{"joker_points":1,"joker_points":2},"ending":"emptied","racks":[[],["R3"]],"opened":[true,true]}`,
			`field "rules.joker_points": is there twice`},
	} {
		t.Run(c.name, func(t *testing.T) {
			answers, err := answersTo(t, rulesForTests(t).score, c.line)
			said, _ := answers[0]["error"].(string)
			if err != errBadLines || !strings.Contains(said, c.want) {
				t.Errorf("%v, %v, want %q", answers[0], err, c.want)
			}
		})
	}
}

// TestScoreKnowsTheRelief checks that a player who was last to open is charged as able if judge and solve allow the
// opening.
func TestScoreKnowsTheRelief(t *testing.T) {
	const low = `["R1","R2","R3","R4","R5","R6"]`
	const atTurn = `"ending":"emptied","racks":[[],["R1"]],"opened":[true,false],"racks_at_turns":[[],[` + low + `]],`
	rules := func(when string) string { return `{"rules":{"last_to_open_relief":true,"able_when":"` + when + `"},` }
	answers, err := answersTo(t, rulesForTests(t).score,
		rules("at_end")+`"ending":"emptied","racks":[[],`+low+`,["K9"]],"opened":[true,false,true]}`,
		rules("at_end")+`"ending":"emptied","racks":[[],`+low+`,["K9"]],"opened":[true,false,false]}`,
		rules("any_turn")+atTurn+`"relief_at_turns":[[],[true]]}`,
		rules("any_turn")+atTurn+`"relief_at_turns":[[],[false]]}`,
		`{"rules":"wrc","ending":"emptied","racks":[[],`+low+`],"opened":[true,false]}`)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"no_meld_able", "no_meld_unable", "no_meld_able", "no_meld_unable",
		"no_meld_unable"} {
		if charge := answers[i]["charges"].([]any)[1].(map[string]any); charge["reason"] != want {
			t.Errorf("line %d: %v, want %s", i+1, charge, want)
		}
	}
	verdicts, err := answersTo(t, rulesForTests(t).judge,
		`{"rules":{"last_to_open_relief":true},"relief":true,"opened":false,"before":[],"rack":`+low+
			`,"after":[["R1","R2","R3"],["R4","R5","R6"]]}`)
	if err != nil || verdicts[0]["legal"] != true {
		t.Errorf("judge: %v, %v", verdicts, err)
	}
}

func TestScoreAsksForTheRacksAtTurns(t *testing.T) {
	const game = `"ending":"emptied","racks":[[],["R1"]],"opened":[true,false],"racks_at_turns":[[],[["R2"],["R10","B10","K10"]]]}`
	answers, err := answersTo(t, rulesForTests(t).score,
		`{"rules":{"able_when":"any_turn"},`+game, `{"rules":"wrc",`+game)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"no_meld_able", "no_meld_unable"} {
		charge := answers[i]["charges"].([]any)[1].(map[string]any)
		if charge["reason"] != want {
			t.Errorf("line %d: %v", i+1, charge)
		}
	}
}

func TestSharesAreWrittenAsNumbers(t *testing.T) {
	answers, err := answersTo(t, rulesForTests(t).score,
		`{"rules":"club","ending":"exhausted","racks":[["R1"],["B1"],["K1"],["R2"]],"opened":[true,true,true,true]}`)
	if err != nil {
		t.Fatal(err)
	}
	third := 0.3333333333333333
	if want := []any{third, third, third, -1.0}; !reflect.DeepEqual(answers[0]["points"], want) {
		t.Errorf("%v", answers[0])
	}
}
