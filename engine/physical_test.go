package engine

import (
	"errors"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

// handGame returns a physical game of four seats. Its first turn, of seat 1, began at noon.
func handGame(t *testing.T, rules ruleset.Ruleset) State {
	t.Helper()
	s := do(t, State{}, Start{Rules: rules, Seats: 4, First: DrawForStart, Physical: true}, noon)
	s = do(t, s, ChooseStarter{1}, noon)
	return do(t, s, Ready{Everybody, 0}, noon)
}

func endTurn(t *testing.T, s State, at Millis) State {
	t.Helper()
	return do(t, s, EndTurn{Seat: s.Turn.Seat, Turn: s.Turn.Number}, at)
}

func refusedBy(t *testing.T, s State, c Command, at Millis) string {
	t.Helper()
	events, err := Decide(&s, c, false, at.time())
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		t.Fatalf("%+v was not refused: %v, %v", c, events, err)
	}
	return refusal.Code
}

func TestPhysicalStart(t *testing.T) {
	wrc := presetRules(t, "wrc")
	s := do(t, State{}, Start{Rules: wrc, Seats: 4, First: DrawForStart, Physical: true}, noon)
	if s.Phase != PhaseDealt || s.Starter != NoStarter || Due(&s) != 0 || s.Commitment != "" {
		t.Fatalf("%+v", s)
	}
	t.Run("nobody begins before it is known who does", func(t *testing.T) {
		if got := refusedBy(t, s, Ready{2, 0}, noon); got != RefusedNoStarter {
			t.Error(got)
		}
	})
	t.Run("the starter may be entered anew", func(t *testing.T) {
		s := do(t, do(t, s, ChooseStarter{0}, noon), ChooseStarter{3}, noon)
		for seat := range 3 {
			s = do(t, s, Ready{seat, 0}, noon)
		}
		if s.Phase != PhaseDealt {
			t.Fatal("began without seat 3")
		}
		s = do(t, s, Ready{3, 0}, noon)
		if s.Phase != PhasePlaying || s.Turn.Seat != 3 || s.Turn.Due != noon+60_000 {
			t.Errorf("%+v", s.Turn)
		}
		if got := refusedBy(t, s, ChooseStarter{0}, noon); got != RefusedStaleTurn {
			t.Error(got)
		}
	})
	t.Run("the rules may say who begins", func(t *testing.T) {
		s := do(t, State{}, Start{Rules: wrc, Seats: 4, First: 2, Physical: true}, noon)
		if s = do(t, s, Ready{Everybody, 0}, noon); s.Turn.Seat != 2 {
			t.Errorf("%+v", s.Turn)
		}
	})
	t.Run("each kind of table has its commands", func(t *testing.T) {
		for _, c := range []Command{Play{Seat: 1, Turn: 1}, Draw{1, 1}, Pass{1, 1}, Redeal{Seat: 1, Turn: 1},
			RuleLeftovers{Grounds: Grounds{Reason: "x"}}} {
			if got := refusedBy(t, handGame(t, wrc), c, noon); got != RefusedPhysical {
				t.Errorf("%T: %s", c, got)
			}
		}
		digital := started(t, wrc, 4, 0, randomDeal(seeded{rand.New(rand.NewSource(1))}))
		for _, c := range []Command{ChooseStarter{1}, EndTurn{Seat: 1, Turn: 1}, PoolEmptied{1}, CountRacks{}} {
			if got := refusedBy(t, digital, c, noon); got != RefusedDigital {
				t.Errorf("%T: %s", c, got)
			}
		}
	})
}

func TestPhysicalTurns(t *testing.T) {
	wrc := presetRules(t, "wrc")
	t.Run("a turn passes on with a fresh deadline", func(t *testing.T) {
		s := do(t, handGame(t, wrc), EndTurn{Seat: 1, Turn: 1, Opened: true}, noon+20_000)
		if s.Turn.Seat != 2 || s.Turn.Number != 2 || s.Turn.Due != noon+80_000 || !s.Opened[1] {
			t.Errorf("%+v opened %v", s.Turn, s.Opened)
		}
		if got := refusedBy(t, s, EndTurn{Seat: 1, Turn: 1}, noon+20_001); got != RefusedNotYourTurn {
			t.Error(got)
		}
	})
	t.Run("time over: tiles to draw by hand, and the next turn", func(t *testing.T) {
		s := handGame(t, wrc)
		s = do(t, s, Expire{}, Due(&s)+1)
		if s.Turn.Seat != 2 || s.Actions.Last().Count != 3 || len(s.Racks[1]) != 0 {
			t.Errorf("%+v %+v", s.Turn, s.Actions.Last())
		}
		want := []Booked{{Seq: s.Seq, At: s.At, Turn: 1, Seat: 1, Kind: "turn_expired", Tiles: 3}}
		if !slices.Equal(s.Book, want) {
			t.Errorf("book %+v", s.Book)
		}
		if v := ViewFor(&s, Spectator); v.Last.Drawn != 3 || len(v.Book) != 1 || !v.Physical {
			t.Errorf("%+v", v)
		}
	})
	t.Run("a turn ended too late is a time-out", func(t *testing.T) {
		s := handGame(t, wrc)
		events, err := Decide(&s, EndTurn{Seat: 1, Turn: 1}, false, (Due(&s) + 1).time())
		if err != nil || len(events) != 1 || events[0].Kind() != "turn_expired" {
			t.Errorf("%v %v", events, err)
		}
	})
	t.Run("a referee's penalty is a count too", func(t *testing.T) {
		s := do(t, handGame(t, wrc), Penalise{Grounds: Grounds{Reason: "shouting"}, Seat: 3, Tiles: 2}, noon)
		if penalties(s)[3] != 2 || len(s.Book) != 1 || s.Book[0].Reason != "shouting" || s.Rulings.shown().Tiles != 2 {
			t.Errorf("%+v %+v", s.Book, s.Rulings.shown())
		}
	})
	t.Run("nobody passes while the pool has tiles", func(t *testing.T) {
		if got := refusedBy(t, handGame(t, wrc), EndTurn{Seat: 1, Turn: 1, Passed: true},
			noon); got != RefusedPoolNotEmpty {
			t.Error(got)
		}
		s := do(t, handGame(t, wrc), PoolEmptied{1}, noon)
		if got := refusedBy(t, s, EndTurn{Seat: 1, Turn: 1, Passed: true, Out: true}, noon); got != RefusedPassed {
			t.Error(got)
		}
	})
}

func TestPhysicalEnd(t *testing.T) {
	wrc, fifty := presetRules(t, "wrc"), presetRules(t, "wrc-50")
	for _, c := range []struct {
		name  string
		rules ruleset.Ruleset
		drew  int // the seat that drew the last tile, in the first turn of seat 1
		turns int // turns that can still be ended
	}{
		{"who draws the last tile in the running turn has one more after all others", wrc, 1, 5},
		{"said a turn later it is the same lap", wrc, 0, 4},
		{"said two turns later", wrc, 3, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := do(t, handGame(t, c.rules), PoolEmptied{c.drew}, noon)
			for range c.turns {
				if s.Ending != "" {
					t.Fatalf("ended early: %+v", s.Turn)
				}
				s = endTurn(t, s, noon)
			}
			if s.Ending != ruleset.EndedLastLap || s.Phase != PhasePlaying || s.Turn.Seat != c.drew || Due(&s) != 0 {
				t.Errorf("%q %+v", s.Ending, s.Turn)
			}
			if got := refusedBy(t, s, EndTurn{Seat: s.Turn.Seat, Turn: s.Turn.Number}, noon); got != RefusedCounting {
				t.Error(got)
			}
		})
	}
	t.Run("until stuck: when all have passed, a time-out counts as a pass", func(t *testing.T) {
		s := do(t, handGame(t, fifty), PoolEmptied{0}, noon)
		s = endTurn(t, s, noon) // a tile was laid
		for range 3 {
			s = do(t, s, EndTurn{Seat: s.Turn.Seat, Turn: s.Turn.Number, Passed: true}, noon)
		}
		if s.Ending != "" {
			t.Fatal("ended early")
		}
		if s = do(t, s, Expire{}, Due(&s)+1); s.Ending != ruleset.EndedStuck || s.Actions.Last().Count != 0 {
			t.Errorf("%q %+v", s.Ending, s.Actions.Last())
		}
	})
	t.Run("time called: the lap is finished", func(t *testing.T) {
		s := do(t, endTurn(t, handGame(t, wrc), noon), CallTime{Grounds{Reason: "late"}}, noon)
		for range 3 {
			s = endTurn(t, s, noon)
		}
		if s.Ending != ruleset.EndedTimeCalled || s.Turn.Seat != 0 {
			t.Errorf("%q %+v", s.Ending, s.Turn)
		}
	})
	t.Run("an empty rack stops the clock", func(t *testing.T) {
		s := do(t, handGame(t, wrc), EndTurn{Seat: 1, Turn: 1, Out: true}, noon)
		if s.Ending != ruleset.EndedEmptied || !s.Opened[1] || Due(&s) != 0 {
			t.Errorf("%q %+v", s.Ending, s)
		}
		if v := ViewFor(&s, Spectator); v.Counting != ruleset.EndedEmptied {
			t.Errorf("%+v", v)
		}
	})
}

// racks parses counted racks. Those that begin with ! have not opened.
func racks(t *testing.T, texts ...string) (list []CountedRack) {
	t.Helper()
	for _, text := range texts {
		tiles, shut := strings.CutPrefix(text, "!")
		faces, err := tile.ParseFaces(tiles)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, CountedRack{Tiles: faces, Opened: !shut})
	}
	return list
}

func totals(points ...int) (list []CountedTotal) {
	for _, p := range points {
		list = append(list, CountedTotal{Points: score.Whole(p), Opened: true, Won: p >= 0})
	}
	return list
}

// The unopened racks of engine/RULES.md, example 2, filled up to fourteen tiles.
const (
	couldOpen = "!R10 B10 K10 O1 O2 B4 K6 R1 B6 O12 K3 R8 B13 O5"
	couldNot  = "!R10 B10 K9 O1 R2 O2 B4 K6 R5 B6 O12 K3 R8 B13"
)

func TestCountRacks(t *testing.T) {
	wrc, fifty, casual := presetRules(t, "wrc"), presetRules(t, "wrc-50"), presetRules(t, "casual")
	out := func(why string) ruleset.Ruleset {
		return map[string]ruleset.Ruleset{"": wrc, "50": fifty, "casual": casual}[why]
	}
	for _, c := range []struct {
		name   string
		rules  string
		count  CountRacks
		want   []int // points
		reason string
	}{
		{"RULES.md, example 1", "", CountRacks{Why: ruleset.EndedEmptied, Racks: racks(t, "", "R3 K13", "J O2", "R1")},
			[]int{119, -16, -102, -1}, ""},
		{"an unopened rack that could have opened", "", CountRacks{Why: ruleset.EndedEmptied,
			Racks: racks(t, "", "R3 K13", "J O2", couldOpen)}, []int{318, -16, -102, -200}, score.ReasonNoMeldAble},
		{"an unopened rack that could not", "", CountRacks{Why: ruleset.EndedEmptied,
			Racks: racks(t, "", "R3 K13", "J O2", couldNot)}, []int{218, -16, -102, -100}, score.ReasonNoMeldUnable},
		{"RULES.md, example 3", "", CountRacks{Why: ruleset.EndedLastLap,
			Racks: racks(t, "R13 B7", "B5", "B12", "R13 B13 K13 O1")}, []int{-15, 0, -7, -35}, ""},
		{"the same under wrc-50", "50", CountRacks{Why: ruleset.EndedStuck,
			Racks: racks(t, "R13 B7", "B5", "B12", "R13 B13 K13 O1")}, []int{-15, 57, -7, -35}, ""},
		{"penalty points", "casual", CountRacks{Why: ruleset.EndedEmptied, Racks: racks(t, "", "R3 K13", "J O2", "R1")},
			[]int{0, 16, 32, 1}, ""},
		{"a score sheet", "", CountRacks{Why: ruleset.EndedEmptied, Totals: totals(119, -16, -102, -1)},
			[]int{119, -16, -102, -1}, ""},
		{"a score sheet of a last lap", "", CountRacks{Why: ruleset.EndedLastLap, Lowest: 5,
			Totals: totals(-15, 0, -7, -35)},
			[]int{-15, 0, -7, -35}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := handGame(t, out(c.rules))
			s = do(t, s, c.count, noon)
			if s.Phase != PhaseOver || s.End == nil {
				t.Fatalf("%+v", s)
			}
			for seat, want := range c.want {
				if got := s.End.Outcome.Points[seat]; got != score.Whole(want) {
					t.Errorf("seat %d: got %v, want %d", seat, got, want)
				}
			}
			if got := s.End.Outcome.Charges[3].Reason; got != c.reason {
				t.Errorf("reason %q, want %q", got, c.reason)
			}
			if err := Check(s); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestRecountTakesBackThatARackCouldOpen checks that a rack with real tiles that was counted as able to open by mistake
// is charged as unable when it is counted again without the mark.
func TestRecountTakesBackThatARackCouldOpen(t *testing.T) {
	rules := presetRules(t, "wrc")
	rules.AbleWhen = ruleset.AnyTurn
	counted := racks(t, "", "R3 K13", "J O2", couldNot)
	counted[3].Able = true
	s := do(t, handGame(t, rules), CountRacks{Why: ruleset.EndedEmptied, Racks: counted}, noon)
	if got := s.End.Outcome.Charges[3].Reason; got != score.ReasonNoMeldAble {
		t.Fatalf("first charged as %q", got)
	}
	counted[3].Able = false
	again, err := s.Recount("", counted, nil)
	if err != nil || again.Outcome.Charges[3].Reason != score.ReasonNoMeldUnable {
		t.Errorf("counted again: %+v, %v", again.Outcome.Charges, err)
	}
}

func TestCountRacksRefuses(t *testing.T) {
	wrc := presetRules(t, "wrc")
	unopened := totals(119, -16, -102, -1)
	unopened[3].Opened = false
	many := racks(t,
		strings.Repeat("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13 ", 2),
		strings.Repeat("K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 O1 O2 O3 O4 O5 O6 O7 O8 O9 O10 O11 O12 O13 ", 2),
		"J", "J")
	for _, c := range []struct {
		name  string
		count CountRacks
		want  string
	}{
		{"three racks of four", CountRacks{Why: ruleset.EndedEmptied, Racks: racks(t, "", "R1", "R2")},
			RefusedCountSeats},
		{"racks and points", CountRacks{Why: ruleset.EndedEmptied, Racks: racks(t, "", "R1"), Totals: totals(1, -1)},
			RefusedCountSeats},
		{"no ending", CountRacks{Racks: racks(t, "", "R1", "R2", "R3")}, RefusedCountEnding},
		{"an ending of other rules", CountRacks{Why: ruleset.EndedStuck, Racks: racks(t, "R4", "R1", "R2", "R3")},
			RefusedCountEnding},
		{"a face three times", CountRacks{Why: ruleset.EndedEmptied, Racks: racks(t, "", "R1 R1", "R1", "R3")},
			RefusedCountFace},
		{"three jokers", CountRacks{Why: ruleset.EndedEmptied, Racks: racks(t, "", "J J", "J", "R3")},
			RefusedCountFace},
		{"two empty racks", CountRacks{Why: ruleset.EndedEmptied, Racks: racks(t, "", "R1", "", "R3")},
			RefusedCountEmpty},
		{"no empty rack", CountRacks{Why: ruleset.EndedEmptied, Racks: racks(t, "R2", "R1", "R5", "R3")},
			RefusedCountEmpty},
		{"an empty rack after a last lap", CountRacks{Why: ruleset.EndedLastLap, Racks: racks(t, "", "R1", "R5", "R3")},
			RefusedCountEmpty},
		{"an unopened rack of one tile", CountRacks{Why: ruleset.EndedEmptied, Racks: racks(t, "", "R1", "!R5", "R3")},
			RefusedCountFew},
		{"out, and never opened", CountRacks{Why: ruleset.EndedEmptied, Racks: racks(t, "!", "R1", "R5", "R3")},
			RefusedCountFew},
		{"all 106 tiles on the racks", CountRacks{Why: ruleset.EndedLastLap, Racks: many}, RefusedCountMany},
		{"points that do not add up", CountRacks{Why: ruleset.EndedEmptied, Totals: totals(118, -16, -102, -1)},
			RefusedCountSum},
		{"two winners", CountRacks{Why: ruleset.EndedEmptied, Totals: totals(50, 50, -99, -1)}, RefusedCountWinner},
		{"no winner", CountRacks{Why: ruleset.EndedLastLap, Totals: totals(-1, -2, -3, -4)}, RefusedCountWinner},
		{"an unopened rack that costs 1", CountRacks{Why: ruleset.EndedEmptied, Totals: unopened},
			RefusedCountUnopened},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := refusedBy(t, handGame(t, wrc), c.count, noon); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestPhysicalOutage checks that a turn gets back the time that a server outage took from it.
func TestPhysicalOutage(t *testing.T) {
	s := handGame(t, presetRules(t, "wrc"))
	s = do(t, s, Outage{Since: noon + 10_000}, noon+5*60_000)
	if s.Paused == nil || s.Paused.Left != Millis((50*time.Second).Milliseconds()) {
		t.Errorf("%+v", s.Paused)
	}
}
