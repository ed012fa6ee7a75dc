package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/ruleset"
)

// wandered plays random commands, keeps those that the engine accepts, and returns the game at an arbitrary point.
func wandered(t *rapid.T, presets []ruleset.Ruleset) *played {
	c := drawn{t}
	g := &played{starts: map[int]State{}, at: noon}
	start := Start{Rules: randomRules(c, presets), Seats: 2 + c.pick(3, "seats"), Physical: chance(c, 20, "real tiles")}
	drains := chance(c, 50, "drains")
	if drains { // avoids a search over very long racks
		start.Rules.Exhausted = ruleset.LastLap
	}
	start.First = c.pick(start.Seats, "first")
	if start.Deal = randomDeal(c); chance(c, 30, "doubles") {
		start.Deal = doublesDealt()
	}
	if err := g.try(start); err != nil { // the random rules contradict each other
		start.Rules = presets[0]
		if err = g.try(start); err != nil {
			t.Fatalf("the preset is refused: %v", err)
		}
	}
	m := mood{sensible: 60, plays: 40, officials: 70, callTime: 4}
	for range c.pick(60, "steps") {
		if drains && g.state.Phase == PhasePlaying && chance(c, 10, "drain") {
			_ = g.try(Penalise{Grounds: why, Seat: c.pick(g.state.Seats, "seat"), Tiles: min(20, len(g.state.Pool))})
			continue
		}
		g.at = max(g.at, g.state.At)
		if chance(c, 10, "rewind") {
			back := g.state.Turn.Number - c.pick(6, "back")
			if start := g.starts[back]; chance(c, 30, "illegal") {
				_ = g.try(RuleIllegal{why, back, c.pick(4, "tiles"), &start})
			} else {
				_ = g.try(Rewind{why, back, start})
			}
			continue
		}
		cmd, now := Command(nil), Millis(0)
		if g.state.Physical {
			cmd, now = physicalCommand(c, m, g.state), randomTime(c, m, g.state)
		} else {
			cmd, now = randomCommand(c, m, g.state)
		}
		g.at = max(now, g.state.At)
		_ = g.try(cmd)
	}
	g.at = max(g.at, g.state.At)
	return g
}

// but returns s as text without what only the log gives it: sequence numbers, rulings, recent actions, calls, the
// penalty book and the turn number.
func but(t *rapid.T, s State) string {
	records := fmt.Sprint(s.Rulings.Penalties(s.Deal), s.Rulings.Warnings(), s.Rulings.Undecided())
	s.Seq, s.At, s.PoolSince, s.Actions, s.Rulings, s.Book, s.Calls = 0, 0, 0, Actions{},
		Rulings{Proposed: s.Rulings.Proposed}, nil, Calls{}
	s.Turn.Number = 0
	if len(s.Pool) == 0 {
		s.Pool = nil
	}
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(data) + records
}

// cancellables returns random rulings that can be cancelled. Most of them are about seat.
func cancellables(c chooser, s State, seat int) []Command {
	list := []Command{Penalise{why, seat, 1 + c.pick(20, "tiles"), 0}, Penalise{why, seat, 0, 0}, Warn{why, seat},
		ForfeitSeat{why, seat, false},
		RefuseRedeal{why, seat}, GiveTime{why, c.pick(7200, "seconds") - 3600}, CallTime{why}}
	for _, p := range s.Rulings.Undecided() {
		list = append(list, WaivePenalty{why, p.Seq}, Penalise{why, p.Seat, c.pick(3, "tiles"), p.Seq})
	}
	return list
}

// TestLawsOfRulings checks in random games: (a) a ruling and its immediate cancellation change nothing; (b) two rulings
// on different seats that do not touch the pool give the same result in either order; (d) a rewind to a turn gives the
// state at that turn with the rulings that stand. The second referee, which walks the log, checks (c) when the game
// ends and (e) which tiles belong to a deal.
func TestLawsOfRulings(t *testing.T) {
	presets := allPresets(t)
	rapid.Check(t, func(t *rapid.T) {
		g := wandered(t, presets)
		lawOfTakingBack(t, g)
		lawOfOrder(t, g)
		lawOfRewinding(t, g)
		if err := SecondReferee(g.log); err != nil {
			t.Fatalf("the second referee: %v", err)
		}
	})
}

func lawOfTakingBack(t *rapid.T, g *played) {
	for _, c := range cancellables(drawn{t}, g.state, rapid.IntRange(0, g.state.Seats-1).Draw(t, "seat")) {
		events, err := Decide(&g.state, c, false, g.at.time())
		if err != nil || ByClock(events) {
			continue
		}
		after := applyAll(g.state, events)
		back, err := Decide(&after, CancelRuling{why, g.state.Seq + 1}, false, g.at.time())
		if err != nil {
			continue // it would empty the rack, or the game is over
		}
		if got, want := but(t, applyAll(after, back)), but(t, g.state); got != want {
			t.Fatalf("law (a): %T%+v\n%s", c, c, apart(want, got))
		}
	}
}

// consequences returns what players can see of rulings.
func consequences(s State) any {
	owed, last := s.Owed()
	moves := s.Turn.Seat
	if s.Ending != "" {
		moves = -1
	}
	return []any{s.Phase, s.Ending, moves, s.Turn.Due, s.Paused, owed, last, s.Racks, s.Pool, s.Table, s.Out,
		s.Rulings.Warnings(), rights(s), s.Rulings.Undecided(), s.TimeOver, s.End}
}

func lawOfOrder(t *rapid.T, g *played) {
	c := drawn{t}
	one := c.pick(g.state.Seats, "one")
	other := (one + 1 + c.pick(g.state.Seats-1, "other")) % g.state.Seats
	of := func(seat int) Command {
		return oneOf[Command](c, "ruling", Warn{why, seat}, Penalise{why, seat, 0, 0}, RefuseRedeal{why, seat},
			ForfeitSeat{why, seat, false})
	}
	first, second := of(one), of(other)
	run := func(commands ...Command) (s State, ok bool) {
		s = g.state
		for _, c := range commands {
			events, err := Decide(&s, c, false, g.at.time())
			if err != nil || ByClock(events) {
				return s, false
			}
			s = applyAll(s, events)
		}
		return s, true
	}
	a, okA := run(first, second)
	b, okB := run(second, first)
	if !okA || !okB || a.Ending == ruleset.EndedForfeit || a.End != nil || b.End != nil {
		return // one of them is refused now, or the first ended the game
	}
	was, _ := json.Marshal(consequences(a))
	is, _ := json.Marshal(consequences(b))
	if string(was) != string(is) {
		t.Fatalf("law (b): %T%+v and %T%+v\none way   %s\nthe other %s", first, first, second, second, was, is)
	}
}

func lawOfRewinding(t *rapid.T, g *played) {
	s := g.state
	number := s.Turn.Number - rapid.IntRange(0, 8).Draw(t, "turns back")
	to, known := g.starts[number]
	if !known {
		return
	}
	events, err := Decide(&s, Rewind{why, number, to}, false, g.at.time())
	if err != nil || ByClock(events) {
		return
	}
	got := applyAll(s, events)
	want := to
	want.Out, want.TimeOver = s.Out, s.TimeOver
	for _, r := range s.Rulings.All { // penalties cancelled since that turn
		if was, known := to.Rulings.find(r.Seq); known && r.Kind == (PenaltyGiven{}).Kind() && r.Cancelled > to.Seq &&
			r.Deal == s.Deal && was.Cancelled == 0 {
			if want, known = again(want, CancelRuling{why, r.Seq}); !known {
				return
			}
		}
	}
	for _, r := range s.Rulings.All { // penalties given since that turn
		if _, known := to.Rulings.find(r.Seq); !known && r.Kind == (PenaltyGiven{}).Kind() && r.Cancelled == 0 &&
			r.Deal == s.Deal && !s.Physical {
			var ok bool
			if want, ok = again(want, Penalise{why, r.Seat, r.Asked, 0}); !ok {
				return
			}
		}
	}
	want.Turn.Started, want.Turn.Due, want.Rulings.All = got.Turn.Started, got.Turn.Due, got.Rulings.All
	want.PoolEmpty, want.Paused = got.PoolEmpty, got.Paused
	if got.Rulings.Warnings() != s.Rulings.Warnings() || !slices.Equal(got.Pool, want.Pool) ||
		but(t, got) != but(t, want) {
		t.Fatalf("law (d): to turn %d\n%s", number, apart(but(t, want), but(t, got)))
	}
}

// again decides a ruling at the state's own time with its clock off. ok is false if the ruling is refused there.
func again(s State, c Command) (after State, ok bool) {
	s.Paused, s.Turn.Due = nil, 0
	events, err := Decide(&s, c, false, s.At.time())
	if err != nil {
		return s, false
	}
	return applyAll(s, events), true
}

// apart returns excerpts of two texts around their first difference.
func apart(want, got string) string {
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	from := max(0, i-100)
	return "want " + want[from:min(len(want), i+200)] + "\nis   " + got[from:min(len(got), i+200)]
}
