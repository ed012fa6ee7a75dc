package engine

import (
	"encoding/json"
	"strings"
	"testing"

	"meldhall/engine/ruleset"
)

func TestCallsInEveryPhase(t *testing.T) {
	dealtState := started(t, presetRules(t, "wrc"), 2, 0, dealt(t, "", ""))
	playing := do(t, do(t, dealtState, Ready{0, 0}, noon), Ready{1, 0}, noon)
	over := do(t, board(t, "club turn 7 of A left 1\nA* K5\nB* O6\npool"), Pass{0, 7}, noon)
	for name, s := range map[string]State{"before the deal": {}, "dealt": dealtState, "playing": playing,
		"paused": do(t, playing, PauseClock{Grounds{Reason: "x"}}, noon), "over": over} {
		t.Run(name, func(t *testing.T) {
			phase, turn := s.Phase, s.Turn
			s := do(t, s, CallReferee{1}, noon+1)
			if got := ViewFor(&s, 0).Calls; len(got) != 1 || got[0] != (CallView{1, Call{Since: noon + 1}}) {
				t.Errorf("called: %+v", got)
			}
			back := do(t, s, WithdrawCall{1}, noon+2)
			if got := ViewFor(&back, Referee).Calls; len(got) != 0 || back.Phase != phase || back.Turn != turn {
				t.Errorf("withdrawn: %+v, %s", got, back.Phase)
			}
			s = do(t, s, AcknowledgeCall{1, "Anna"}, noon+2)
			events, err := Decide(&s, WithdrawCall{1}, false, noon.time())
			wantRefusal(t, events, err, RefusedCallComing)
			if got := ViewFor(&s, 1).Calls; len(got) != 1 || got[0].Coming != noon+2 || got[0].By != "Anna" ||
				!got[0].Open() {
				t.Errorf("on the way: %+v", got)
			}
			s = do(t, s, AnswerCall{1, "Ben"}, noon+3)
			if got := ViewFor(&s, Referee).Calls; len(got) != 1 || got[0].Answered != noon+3 || got[0].By != "Ben" ||
				got[0].Open() {
				t.Errorf("answered: %+v", got)
			}
			if s.Phase != phase || s.Turn != turn {
				t.Errorf("a call moved the game to %s, %+v", s.Phase, s.Turn)
			}
		})
	}
	t.Run("one made before the deal outlives it", func(t *testing.T) {
		s := do(t, State{}, CallReferee{1}, noon)
		s = do(t, s, Start{Rules: presetRules(t, "wrc"), Seats: 2, First: 0, Deal: dealt(t, "", "")}, noon)
		if err := Check(s); err != nil || !s.Calls[1].Open() {
			t.Errorf("calls %+v, %v", s.Calls, err)
		}
	})
	t.Run("there is no fifth seat before the deal", func(t *testing.T) {
		events, err := Decide(&State{}, CallReferee{ruleset.MaxSeats}, false, noon.time())
		wantRefusal(t, events, err, RefusedSeat)
	})
	t.Run("an answered call is told until the turn ends, an open one on", func(t *testing.T) {
		s := do(t, do(t, playing, CallReferee{0}, noon), CallReferee{1}, noon)
		s = do(t, s, AnswerCall{0, "Anna"}, noon)
		s = do(t, s, Draw{0, s.Turn.Number}, noon)
		if got := ViewFor(&s, 0).Calls; len(got) != 1 || got[0].Seat != 1 {
			t.Errorf("%+v", got)
		}
	})
	t.Run("the public hears nothing of calls", func(t *testing.T) {
		s := do(t, do(t, playing, CallReferee{0}, noon), AcknowledgeCall{0, "Anna"}, noon)
		for _, viewer := range []int{Spectator, ruleset.MaxSeats} {
			data, err := json.Marshal(ViewFor(&s, viewer))
			if err != nil || strings.Contains(string(data), "Anna") || strings.Contains(string(data), "call") {
				t.Errorf("viewer %d: %s, %v", viewer, data, err)
			}
		}
	})
}

func TestRulingsAreToldUntilTheNextTurnIsOver(t *testing.T) {
	playing := board(t, "wrc turn 7 of B\ntable R4 R5 R6 R7; K5 O5 B5\nA* J B2 K9\nB* R5 B9\npool O1 O2 O3 O4 O6 O7")
	paused := do(t, playing, PauseClock{Grounds{Reason: "a question"}}, noon)
	for _, c := range []struct {
		name   string
		before State
		cmd    Command
		want   Ruling
	}{
		{"a stopped clock", playing, PauseClock{Grounds{Reason: "a question"}},
			Ruling{Kind: "game_paused", Seat: -1, Reason: "a question"}},
		{"a clock that runs again", paused, Resume{}, Ruling{Kind: "resume_set", Seat: -1}},
		{"time", playing, GiveTime{Grounds: Grounds{Reason: "slow"}, Seconds: 30},
			Ruling{Kind: "time_given", Seat: 1, Seconds: 30, Reason: "slow"}},
		{"penalty tiles", playing, Penalise{Grounds: Grounds{Reason: "shouting"}, Seat: 0, Tiles: 2},
			Ruling{Kind: "penalty_given", Seat: 0, Tiles: 2, Reason: "shouting"}},
		{"time called", playing, CallTime{Grounds{Reason: "late"}},
			Ruling{Kind: "time_called", Seat: -1, Reason: "late"}},
		{"leftovers", playing, RuleLeftovers{Grounds: Grounds{Reason: "fell"}, Seat: 1, Tiles: asLaid(t, "R7")[0].Faces,
			Table: asLaid(t, "R4 R5 R6; K5 O5 B5")}, Ruling{Kind: "leftovers_ruled", Seat: 1, Tiles: 1,
			Reason: "fell"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := do(t, c.before, c.cmd, noon+5)
			c.want.At, c.want.Turn, c.want.Seq = noon+5, 7, c.before.Seq+1
			for _, viewer := range []int{0, 1, Spectator, Referee} {
				if got := ViewFor(&s, viewer).Ruling; got == nil || *got != c.want {
					t.Errorf("viewer %d: %+v, want %+v", viewer, got, c.want)
				}
			}
			if s.Paused != nil {
				s.Paused = nil
			}
			s = do(t, s, Draw{1, s.Turn.Number}, noon+6)
			if ViewFor(&s, 0).Ruling == nil {
				t.Error("gone with the turn that it was given in")
			}
			if s.Phase == PhaseOver {
				return // time was called, and the lap is over
			}
			if s = do(t, s, Draw{0, s.Turn.Number}, noon+7); s.Phase != PhaseOver && ViewFor(&s, 0).Ruling != nil {
				t.Errorf("still there two turns later: %+v", s.Rulings.shown())
			}
		})
	}
	t.Run("a newer one takes its place and its time", func(t *testing.T) {
		s := do(t, playing, GiveTime{Grounds: Grounds{}, Seconds: 30}, noon)
		s = do(t, s, Draw{1, 7}, noon)
		s = do(t, s, Penalise{Grounds: Grounds{Reason: "x"}, Seat: 1, Tiles: 1}, noon)
		s = do(t, s, Draw{0, s.Turn.Number}, noon)
		if got := ViewFor(&s, 0).Ruling; got == nil || got.Kind != "penalty_given" {
			t.Errorf("%+v", got)
		}
	})
	t.Run("what the server did is no ruling", func(t *testing.T) {
		s := do(t, playing, Outage{noon}, noon+1)
		s = do(t, s, Expire{}, Due(&s)+1)
		if s.Paused != nil || ViewFor(&s, 0).Ruling != nil {
			t.Errorf("paused %v, ruling %+v", s.Paused, s.Rulings.shown())
		}
	})
}
