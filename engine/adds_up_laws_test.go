package engine

import (
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// wandered is a game of any commands that the engine accepts, to some moment in it.
func wandered(t *rapid.T, presets []Ruleset) *played {
	c := drawn{t}
	g := &played{starts: map[int]State{}, at: noon}
	start := Start{Rules: randomRules(c, presets), Seats: 2 + c.pick(3, "seats"), Physical: chance(c, 20, "real tiles")}
	drains := chance(c, 50, "drains")
	if drains { // no search for what could be laid from very long racks
		start.Rules.Exhausted = LastLap
	}
	start.First = c.pick(start.Seats, "first")
	if start.Deal = randomDeal(c); chance(c, 30, "doubles") {
		start.Deal = doublesDealt()
	}
	if err := g.try(start); err != nil { // rules that contradict each other
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
			_ = g.try(Rewind{why, back, g.starts[back]})
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

// but is a state as text, but for the log: what was ruled and told, and the version of its turn.
func but(t *rapid.T, s State) string {
	s.Seq, s.At, s.PoolSince, s.Did, s.Since, s.Rulings, s.TurnsSince, s.Book, s.Calls = 0, 0, 0, nil, [MaxSeats]Since{}, nil, 0, nil, [MaxSeats]Call{}
	s.Turn.Number = 0
	if len(s.Pool) == 0 {
		s.Pool = nil
	}
	if len(s.Proposals) == 0 {
		s.Proposals = nil
	}
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// cancellables are rulings that can be taken back, about a seat.
func cancellables(c chooser, s State, seat int) []Command {
	list := []Command{Penalise{why, seat, 1 + c.pick(20, "tiles"), 0}, Penalise{why, seat, 0, 0}, Warn{why, seat}, ForfeitSeat{why, seat, false},
		RefuseRedeal{why, seat}, GiveTime{why, c.pick(7200, "seconds") - 3600}, CallTime{why}}
	for _, p := range s.Proposals {
		list = append(list, WaivePenalty{why, p.Seq}, Penalise{why, p.Seat, c.pick(3, "tiles"), p.Seq})
	}
	return list
}

// TestLawsOfRulings holds in any game: (a) a ruling and its taking back, with nothing between, change nothing; (b) two
// rulings on different seats, which do not touch the pool, come to the same in either order; (d) a rewind to a turn is the
// state at that turn with the rulings that stand. (c) when the game ends, and (e) which tiles belong to a deal, are the
// second referee's, who goes through the log.
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

// consequences are what a player would see of rulings.
func consequences(s State) any {
	owed, last := s.Owed()
	moves := s.Turn.Seat
	if s.Ending != "" {
		moves = -1
	}
	return []any{s.Phase, s.Ending, moves, s.Turn.Due, s.Paused, owed, last, s.Racks, s.Pool, s.Table, s.Out, s.Warnings, rights(s), s.Proposals, s.TimeOver, s.End}
}

func lawOfOrder(t *rapid.T, g *played) {
	c := drawn{t}
	one := c.pick(g.state.Seats, "one")
	other := (one + 1 + c.pick(g.state.Seats-1, "other")) % g.state.Seats
	of := func(seat int) Command {
		return oneOf[Command](c, "ruling", Warn{why, seat}, Penalise{why, seat, 0, 0}, RefuseRedeal{why, seat}, ForfeitSeat{why, seat, false})
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
	if !okA || !okB || a.Ending == EndedForfeit || a.End != nil || b.End != nil {
		return // one of them is refused now, or the game is over with the first
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
	want.Out, want.TimeOver, want.Warnings = s.Out, s.TimeOver, s.Warnings
	for _, r := range s.Rulings { // what was taken back since
		if was, known := to.ruling(r.Seq); known && r.Kind == (PenaltyGiven{}).Kind() && r.Cancelled > to.Seq && r.Deal == s.Deal && was.Cancelled == 0 {
			if want, known = again(want, CancelRuling{why, r.Seq}); !known {
				return
			}
		}
	}
	for _, r := range s.Rulings { // and ruled
		if _, known := to.ruling(r.Seq); !known && r.Kind == (PenaltyGiven{}).Kind() && r.Cancelled == 0 && r.Deal == s.Deal && !s.Physical {
			var ok bool
			if want, ok = again(want, Penalise{why, r.Seat, r.Asked, 0}); !ok {
				return
			}
		}
	}
	want.Turn.Started, want.Turn.Due, want.Penalties, want.Proposals = got.Turn.Started, got.Turn.Due, got.Penalties, got.Proposals
	want.PoolEmpty, want.Paused = got.PoolEmpty, got.Paused
	if !slices.Equal(got.Pool, want.Pool) || but(t, got) != but(t, want) {
		t.Fatalf("law (d): to turn %d\n%s", number, apart(but(t, want), but(t, got)))
	}
}

// again rules on a state at its own moment, whatever its clock says; not ok where it can be taken back only where it was.
func again(s State, c Command) (after State, ok bool) {
	s.Paused, s.Turn.Due = nil, 0
	events, err := Decide(&s, c, false, s.At.time())
	if err != nil {
		return s, false
	}
	return applyAll(s, events), true
}

// apart shows where two texts part.
func apart(want, got string) string {
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	from := max(0, i-100)
	return "want " + want[from:min(len(want), i+200)] + "\nis   " + got[from:min(len(got), i+200)]
}
