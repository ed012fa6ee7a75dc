package engine

import (
	"errors"
	"slices"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
)

// TestCountOf checks counts of sums that tables add up by hand, with no device following the turns. The expected points
// were worked out by hand.
func TestCountOf(t *testing.T) {
	open := func(sums ...int) []SummedRack {
		racks := make([]SummedRack, len(sums))
		for seat, sum := range sums {
			racks[seat] = SummedRack{sum, true}
		}
		return racks
	}
	shut := open(0, 16, 102, 200)
	shut[3].Opened = false
	for _, c := range []struct {
		name, rules, why string
		racks            []SummedRack
		want             []int
	}{
		{"RULES.md, example 1", "wrc", ruleset.EndedEmptied, open(0, 16, 102, 1), []int{119, -16, -102, -1}},
		{"one could have opened", "wrc", ruleset.EndedEmptied, shut, []int{318, -16, -102, -200}},
		{"RULES.md, example 3", "wrc", ruleset.EndedLastLap, open(20, 5, 12, 40), []int{-15, 0, -7, -35}},
		{"the same under wrc-50", "wrc-50", ruleset.EndedStuck, open(20, 5, 12, 40), []int{-15, 57, -7, -35}},
		{"two lowest", "wrc-50", ruleset.EndedTimeCalled, open(5, 5, 12, 40), []int{21, 21, -7, -35}},
		{"penalty points", "casual", ruleset.EndedEmptied, open(0, 16, 32, 1), []int{0, 16, 32, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := Start{Rules: presetRules(t, c.rules), Seats: 4, First: DrawForStart, Physical: true}
			events, err := asked(State{}, start, noon)
			if err != nil {
				t.Fatal(err)
			}
			log := events
			s := applyAll(State{}, events)
			count, err := s.CountOf(c.why, c.racks)
			if err != nil {
				t.Fatal(err)
			}
			if events, err = asked(s, count, noon+1000); err != nil {
				t.Fatalf("%+v: %v", count, err)
			}
			s = applyAll(s, events)
			for seat, want := range c.want {
				if got := s.End.Outcome.Points[seat]; got != score.Whole(want) {
					t.Errorf("seat %d: got %v, want %d", seat, got, want)
				}
			}
			if _, err := Recheck(append(log, events...)); err != nil {
				t.Errorf("the judge: %v", err)
			}
			recountsSums(t, s, c.racks)
		})
	}
	for name, c := range map[string]struct {
		why   string
		racks []SummedRack
		want  string
	}{
		"nobody is out":   {ruleset.EndedEmptied, open(3, 16, 102, 1), RefusedCountEmpty},
		"two are out":     {ruleset.EndedEmptied, open(0, 16, 0, 1), RefusedCountEmpty},
		"less than none":  {ruleset.EndedEmptied, open(0, -16, 4, 1), RefusedCountLoser},
		"a forgotten one": {ruleset.EndedTimeCalled, open(0, 5, 12, 40), RefusedCountEmpty},
		"one is missing":  {ruleset.EndedEmptied, open(0, 16, 4), RefusedCountSeats},
	} {
		t.Run(name, func(t *testing.T) {
			s := do(t, State{}, Start{Rules: presetRules(t, "wrc"), Seats: 4, First: DrawForStart, Physical: true},
				noon)
			_, err := s.CountOf(c.why, c.racks)
			var refusal *Refusal
			if !errors.As(err, &refusal) || refusal.Code != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// recountsSums checks that counting a game again by the same sums gives the same result, and by other sums another one.
func recountsSums(t *testing.T, s State, racks []SummedRack) {
	t.Helper()
	counted, err := s.Recount("", nil, racks)
	if err != nil || counted.Why != s.End.Why || !slices.Equal(counted.Outcome.Points, s.End.Outcome.Points) ||
		len(counted.Racks) != s.Seats || counted.Opened[3] != racks[3].Opened {
		t.Errorf("counted again by the same sums: %+v, %v", counted, err)
	}
	other := slices.Clone(racks)
	other[2].Sum += 11
	if counted, err = s.Recount("", nil, other); err != nil || counted.Outcome.Points[2] == s.End.Outcome.Points[2] {
		t.Errorf("11 more on a rack: %+v, %v", counted, err)
	}
	for name, refused := range map[string]struct {
		racks []CountedRack
		sums  []SummedRack
	}{"tiles and sums": {make([]CountedRack, 4), racks}, "three sums": {nil, racks[:3]}} {
		if _, err := s.Recount("", refused.racks, refused.sums); err == nil {
			t.Errorf("%s are a count", name)
		}
	}
}
