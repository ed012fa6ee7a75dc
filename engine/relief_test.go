package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// reliefRules returns wrc with the relief of engine/RULES.md section 7.
func reliefRules(t testing.TB, when string) ruleset.Ruleset {
	r := presetRules(t, "wrc")
	r.LastToOpenRelief, r.AbleWhen = true, when
	return r
}

// lowRack draws a rack of low tiles, which often has two sets and rarely 30 points.
func lowRack(r *rand.Rand) (rack []tile.Face) {
	var have tile.Counts
	for len(rack) < 6+r.IntN(9) {
		f := tile.NewFace(tile.Colour(r.IntN(3)), 1+r.IntN(6))
		if r.IntN(20) == 0 {
			f = tile.Joker
		}
		if have[f] < 2 {
			have[f]++
			rack = append(rack, f)
		}
	}
	return rack
}

// TestAbleIsWhatSolverAndJudgeAllow checks that a player counts as able exactly when the solver finds an opening that
// the judge allows (engine/RULES.md section 6).
func TestAbleIsWhatSolverAndJudgeAllow(t *testing.T) {
	rules := reliefRules(t, ruleset.AtEnd)
	relieved := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 43))
		hands := make([]score.Hand, 2+r.IntN(3))
		for i := range hands {
			hands[i] = score.Hand{Rack: lowRack(r), Opened: r.IntN(4) > 0, Out: r.IntN(8) == 0}
		}
		hands[0].Out = false
		outcome, err := score.Score(rules, score.Exhausted, hands)
		if err != nil {
			t.Fatal(err)
		}
		for i, h := range hands {
			if h.Opened {
				continue
			}
			m := judge.Move{Relief: score.LastToOpen(hands, i), Rack: h.Rack}
			best := judge.BestPlay(rules, m, solve.Question{})
			m.After = best.Table
			legal := best.Tiles > 0 && judge.Judge(rules, m).Legal
			if legal != (best.Tiles > 0) {
				t.Fatalf("seed %d: the judge refuses the solver's %v", seed, best.Table)
			}
			if able := outcome.Charges[i].Reason == score.ReasonNoMeldAble; able != legal {
				t.Fatalf("seed %d: %v, relief %v: charged as able %v, an opening exists: %v", seed, h.Rack, m.Relief,
					able, legal)
			}
			if legal && !judge.CanOpen(rules, tile.CountFaces(h.Rack), false) {
				relieved++
			}
		}
	}
	if relieved < 50 {
		t.Errorf("only %d racks could open by the relief alone", relieved)
	}
}

func TestReliefAtTheEnd(t *testing.T) {
	const low = "K1 K2 K3 B1 B2 B3 O9"
	for _, c := range []struct {
		name   string
		change func(*ruleset.Ruleset)
		others []score.Hand
		want   string
	}{
		{"all others have opened", nil, []score.Hand{{Opened: true}, {Opened: true}}, score.ReasonNoMeldAble},
		{"another has not", nil, []score.Hand{{Opened: true}, {}}, score.ReasonNoMeldUnable},
		{"another has not, and has forfeited", nil, []score.Hand{{Opened: true}, {Out: true}}, score.ReasonNoMeldAble},
		{"without the relief", func(r *ruleset.Ruleset) { r.LastToOpenRelief = false },
			[]score.Hand{{Opened: true}, {Opened: true}},
			score.ReasonNoMeldUnable},
	} {
		rules := reliefRules(t, ruleset.AtEnd)
		if c.change != nil {
			c.change(&rules)
		}
		hands := []score.Hand{{Rack: tile.FacesOf((&tileBox{t: t}).take(low))}}
		for _, h := range c.others {
			h.Rack = []tile.Face{tile.Joker}
			hands = append(hands, h)
		}
		if o, err := score.Score(rules, score.Exhausted, hands); err != nil || o.Charges[0].Reason != c.want {
			t.Errorf("%s: %+v, %v, want %s", c.name, o.Charges, err, c.want)
		}
	}
}

// TestReliefAtOwnTurns checks that the relief at the start of an own turn counts. Logs of the previous edition are
// decided as before.
func TestReliefAtOwnTurns(t *testing.T) {
	for _, c := range []struct {
		name    string
		edition int
		when    string
		opened  bool // whether C has opened, before A's turn begins
		able    bool
	}{
		{"the others have opened", Edition, ruleset.AnyTurn, true, true},
		{"one has not yet", Edition, ruleset.AnyTurn, false, false},
		{"only the end counts", Edition, ruleset.AtEnd, true, false},
		{"as the edition before decided", 1, ruleset.AnyTurn, true, false},
	} {
		s := board(t, "wrc turn 9 of C\nA K1 K2 K3 B1 B2 B3 O9\nB* R13\nC R12\npool O5 O6")
		s.Rules, s.Edition, s.Opened[2] = reliefRules(t, c.when), c.edition, c.opened
		if s = do(t, s, Draw{2, 9}, noon); s.Able[0] != c.able {
			t.Errorf("%s: able %v", c.name, s.Able[0])
		}
	}
	for edition, want := range map[int]string{1: score.ReasonNoMeldUnable, Edition: score.ReasonNoMeldAble} {
		s := board(t, "wrc turn 9 of B left 1\nA K1 K2 K3 B1 B2 B3 O9\nB* R13\nC* R12")
		s.Rules, s.Edition = reliefRules(t, ruleset.AtEnd), edition
		if s = do(t, s, Pass{1, 9}, noon); s.End == nil || s.End.Outcome.Charges[0].Reason != want {
			t.Errorf("edition %d: %+v, want %s", edition, s.End, want)
		}
	}
}

// TestReliefInACount checks that the count of a real table charges by the relief too, on the sheet and in the result.
func TestReliefInACount(t *testing.T) {
	s := do(t, State{}, Start{Rules: reliefRules(t, ruleset.AtEnd), Seats: 2, Physical: true}, noon)
	rack := func(text string) tile.FaceList { return tile.FacesOf((&tileBox{t: t}).take(text)) }
	racks := []CountedRack{{Tiles: rack("K1 K2 K3 B1 B2 B3 O9 O11 O13 R1 R5 R7 R9 B11")},
		{Tiles: rack("R13"), Opened: true}}
	counted, err := s.Count(CountRacks{Why: ruleset.EndedLastLap, Racks: racks})
	if err != nil || counted.Outcome.Charges[0].Reason != score.ReasonNoMeldAble {
		t.Fatalf("%+v, %v", counted, err)
	}
	if charges := s.Charges(racks); !slices.Equal(charges, counted.Outcome.Charges) {
		t.Errorf("the sheet says %+v, the count %+v", charges, counted.Outcome.Charges)
	}
	racks[1].Opened = false
	if charges := s.Charges(racks); charges[0].Reason != score.ReasonNoMeldUnable {
		t.Errorf("without the relief: %+v", charges)
	}
}
