package engine

import (
	"slices"
	"strings"
	"testing"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
)

// These tests play the worked examples of engine/RULES.md section 8: they decide the last command and count the end.

func ends(t *testing.T, given string, change func(*State), last Command) *End {
	t.Helper()
	s := board(t, given)
	if change != nil {
		change(&s)
	}
	if s = do(t, s, last, noon); s.Phase != PhaseOver {
		t.Fatalf("the game goes on: %s", tellTurn(s.Turn))
	}
	return s.End
}

func points(whole ...int) []score.Twelfth {
	list := make([]score.Twelfth, len(whole))
	for i, n := range whole {
		list[i] = score.Whole(n)
	}
	return list
}

func TestExampleEmptied(t *testing.T) {
	given := "PRESET turn 9 of A\ntable R4 R5 R6\nA* R7\nB* R3 K13\nC* J O2\npool O5"
	for preset, want := range map[string][]score.Twelfth{"wrc": points(118, -16, -102),
		"wrc-50": points(68, -16, -52)} {
		end := ends(t, strings.Replace(given, "PRESET", preset, 1), nil, Play{0, 9, asLaid(t, "R4 R5 R6 R7")})
		if end.Why != ruleset.EndedEmptied || !slices.Equal(end.Outcome.Points, want) ||
			!slices.Equal(end.Outcome.Wins, points(1, 0, 0)) {
			t.Errorf("%s: %+v", preset, end)
		}
	}
}

func TestExampleNeverOpened(t *testing.T) {
	for rack, want := range map[string]int{"R10 B10 K10 O1": 200, "R10 B10 K9 O1 R2": 100} {
		end := ends(t, "wrc turn 9 of A\ntable R4 R5 R6\nA* R7\nB "+rack+"\npool O5", nil,
			Play{0, 9, asLaid(t, "R4 R5 R6 R7")})
		if end.Outcome.Charges[1].Points != want || end.Outcome.Points[0] != score.Whole(want) {
			t.Errorf("%s: %+v", rack, end.Outcome)
		}
	}
}

func TestExampleExhausted(t *testing.T) {
	given := "wrc turn 9 of D left 1\nA* K10 B10\nB* O5\nC* R12\nD* K13 B13 O13 K1\npool"
	for preset, want := range map[string][]score.Twelfth{"wrc": points(-15, 0, -7, -35),
		"wrc-50": points(-15, 57, -7, -35)} {
		rules := presetRules(t, preset)
		end := ends(t, given, func(s *State) {
			s.Rules, s.Had.Passed = rules,
				[ruleset.MaxSeats]bool{true, true, true}
		},
			Pass{3, 9})
		if !slices.Equal(end.Outcome.Points, want) || !slices.Equal(end.Outcome.Wins, points(0, 1, 0, 0)) {
			t.Errorf("%s: %+v", preset, end.Outcome)
		}
	}
}

func TestExamplePenaltyPoints(t *testing.T) {
	given := "casual turn 9 of A\ntable R4 R5 R6\nA* R7\nB* R3 K13\nC* J O2\npool O5"
	end := ends(t, given, nil, Play{0, 9, asLaid(t, "R4 R5 R6 R7")})
	if !slices.Equal(end.Outcome.Points, points(0, 16, 32)) {
		t.Errorf("%+v", end.Outcome)
	}
}

func TestExampleJokers(t *testing.T) {
	five := "PRESET turn 9 of A\ntable R4 J R6\nA* R5 B9 K9\nB K1\npool O5"
	six := "PRESET turn 9 of A\ntable R4 J R6; B8 B9 B10 B11; K5 O5 R5 B5\nA* O11 K11 R1\nB K1\npool O6"
	freed := "R4 R5 R6; B8 B9 B10; K5 O5 B5; B11 O11 K11 J"
	for _, c := range []struct{ preset, given, table, code string }{
		{"wrc", five, "R4 R5 R6; B9 K9 J", ""},
		{"wrc-50", five, "R4 R5 R6; B9 K9 J", ""},
		{"club", five, "R4 R5 R6; B9 K9 J", ""},
		{"family", five, "R4 R5 R6; B9 K9 J", ""},
		{"casual", five, "R4 R5 R6; B9 K9 J", ""},
		{"wrc", five, "R4 R5 R6 J", ""},
		{"wrc-50", five, "R4 R5 R6 J", ""},
		{"wrc", six, freed, ""},
		{"wrc-50", six, freed, ""},
		{"family", six, freed, judge.CodeJokerNotReplaced},
	} {
		s := board(t, strings.Replace(c.given, "PRESET", c.preset, 1))
		s.Rules.IllegalPlay = ruleset.Reject
		events, err := Decide(&s, Play{0, 9, asLaid(t, c.table)}, false, noon.time())
		if c.code != "" {
			wantRefusal(t, events, err, c.code)
		} else if err != nil {
			t.Errorf("%s: %s: %v", c.preset, c.table, err)
		}
	}
}

// TestReliefForTheLastToOpen checks the relief of engine/RULES.md section 7: once all the others have opened, two sets
// laid at once open.
func TestReliefForTheLastToOpen(t *testing.T) {
	given := "wrc turn 9 of A\ntable R4 R5 R6\nA K1 K2 K3 B1 B2 B3 O9\nB* R13\nC* R12\npool O5"
	two := Play{0, 9, asLaid(t, "R4 R5 R6; K1 K2 K3; B1 B2 B3")}
	for _, c := range []struct {
		name   string
		change func(*State)
		cmd    Play
		code   string
	}{
		{"two sets open", func(s *State) { s.Rules.LastToOpenRelief = true }, two, ""},
		{"one set does not", func(s *State) { s.Rules.LastToOpenRelief = true },
			Play{0, 9, asLaid(t, "R4 R5 R6; K1 K2 K3")}, judge.CodeMeldShort},
		{"not while another has yet to open", func(s *State) { s.Rules.LastToOpenRelief, s.Opened[1] = true, false },
			two, judge.CodeMeldShort},
		{"not under other rules", func(*State) {}, two, judge.CodeMeldShort},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := board(t, given)
			c.change(&s)
			events, err := Decide(&s, c.cmd, false, noon.time())
			if c.code != "" {
				wantRefusal(t, events, err, c.code)
			} else if err != nil || events[0].(TilesPlayed).Points != 12 {
				t.Errorf("%v, %v", tellAll(events), err)
			}
		})
	}
	for rack, phase := range map[string]Phase{"K1 K2 K3 B1 B2 B3 O9": PhasePlaying, "K1 K2 K3 K4 K5 O9": PhaseOver} {
		t.Run("nobody is stuck while the last could open by it: "+rack, func(t *testing.T) {
			s := board(t, "wrc-50 turn 9 of C\nA "+rack+"\nB* R13\nC* R12\npool O5")
			s.Rules.LastToOpenRelief = true
			if s = do(t, s, Draw{2, 9}, noon); s.Phase != phase {
				t.Errorf("%v, ended %v", s.Phase, s.End)
			}
		})
	}
}
