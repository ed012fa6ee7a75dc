package engine

import (
	"flag"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/tile"
)

// TestLawOfTakingBackLater checks law (a) with other commands between the ruling and its cancellation: their effects
// stay, and the rest is as if the ruling had never been made. The same commands run in a game with the ruling and in
// one without it, as long as they have the same effect in both.
func TestLawOfTakingBackLater(t *testing.T) {
	presets := allPresets(t)
	seen := map[string]int{}
	many(t, 1000)
	rapid.Check(t, func(t *rapid.T) {
		g := wandered(t, presets)
		for _, c := range cancellables(drawn{t}, g.state, rapid.IntRange(0, g.state.Seats-1).Draw(t, "seat")) {
			if kind := lawOfTakingBackLater(t, g, c); kind != "" {
				seen[kind]++
			}
		}
	})
	for _, kind := range RulingEvents(func(k RulingKind) bool { return k.Cancellable() }) {
		if seen[kind] == 0 {
			t.Errorf("no %s was taken back after other acts", kind)
		}
	}
	t.Log(seen)
}

// many sets the number of random games of a test, unless -rapid.checks is given.
func many(t *testing.T, games int) {
	checks := flag.Lookup("rapid.checks")
	if was := checks.Value.String(); was == checks.DefValue {
		t.Cleanup(func() { _ = checks.Value.Set(was) })
		if err := checks.Value.Set(strconv.Itoa(games)); err != nil {
			t.Fatal(err)
		}
	}
}

// lawOfTakingBackLater returns the kind of the ruling that was cancelled after at least one command, or "" if there was
// none.
func lawOfTakingBackLater(t *rapid.T, g *played, c Command) (kind string) {
	ruled, err := Decide(&g.state, c, false, g.at.time())
	if err != nil || ByClock(ruled) {
		return ""
	}
	with, without := applyAll(g.state, ruled), g.state
	if hurries(with) || hurries(without) {
		return ""
	}
	drew := false
	for range 6 {
		after, afterToo, alike := meanwhile(drawn{t}, with, without, g.state.Seq, len(ruled))
		if !alike {
			break
		}
		drew = drew || !slices.Equal(after.Pool, with.Pool)
		with, without = after, afterToo
	}
	back, err := Decide(&with, CancelRuling{why, g.state.Seq + 1}, false, with.At.time())
	if err != nil || ByClock(back) || with.Seq == g.state.Seq+len(ruled) {
		return ""
	}
	if of, _ := with.Rulings.find(g.state.Seq + 1); len(of.Drawn) > 0 &&
		len(taken(with.Racks[of.Seat], of.Drawn)) < len(of.Drawn) {
		return "" // some of the penalty's tiles have been played
	}
	kind = ruled[0].Kind()
	after := applyAll(with, back)
	if kind == (SeatForfeited{}).Kind() { // the interrupted turn continues from there
		without.Turn.Started, without.Turn.Due = after.Turn.Started, after.Turn.Due
	}
	if kind == (PenaltyGiven{}).Kind() { // Able stays set if the penalty's tiles let the seat open
		without.Able, without.Turn.Able = after.Able, after.Turn.Able
		if drew {
			after, without = counted(after), counted(without)
		}
	}
	if got, want := but(t, renumbered(after)), but(t, renumbered(without)); got != want {
		t.Fatalf("law (a), later: %T%+v\n%s", c, c, apart(want, got))
	}
	return kind
}

// hurries reports whether a turn may run out within a few commands.
func hurries(s State) bool {
	const few = 10_000
	return s.Turn.Due != 0 && s.Turn.Due-s.At < few || s.Paused != nil && s.Paused.Left < few
}

// meanwhile runs the same random command in a game with a ruling and in one without it. The ruling is the given number
// of events after seq. alike is false if the games would diverge.
func meanwhile(c chooser, with, without State, seq, events int) (after, afterToo State, alike bool) {
	act, at := actBetween(c, with)
	one, refused := Decide(&with, act, false, at.time())
	other, refusedToo := Decide(&without, unruled(act, seq, events), false, at.time())
	if refused != nil && refusedToo != nil {
		return with, without, true
	}
	if refused != nil || refusedToo != nil || ByClock(one) || ByClock(other) {
		return with, without, false
	}
	after, afterToo = applyAll(with, one), applyAll(without, other)
	alike = slices.EqualFunc(one, other, func(a, b Event) bool { return a.Kind() == b.Kind() }) &&
		len(with.Pool)-len(after.Pool) == len(without.Pool)-len(afterToo.Pool) &&
		after.Turn.Seat == afterToo.Turn.Seat &&
		!hurries(after) && !hurries(afterToo) && after.Phase != PhaseOver &&
		// otherwise one of them is a pass
		(after.Turn.Number == with.Turn.Number || (len(with.Pool) == 0) == (len(without.Pool) == 0))
	return after, afterToo, alike
}

// actBetween returns a random command to run while a ruling stands. It skips commands that set the tiles anew, counts,
// outages, and reports that a physical pool is empty.
func actBetween(c chooser, s State) (Command, Millis) {
	m := mood{sensible: 60, plays: 40, officials: 90}
	for range 20 {
		act, now := Command(nil), s.At+Millis(c.pick(900, "ms"))
		if s.Physical {
			act = physicalCommand(c, m, s)
		} else {
			act, _ = randomCommand(c, m, s)
		}
		switch act.(type) {
		case Rewind, SetPosition, RuleLeftovers, RuleIllegal, Redeal, GrantRedeal, CountRacks, Outage, PoolEmptied:
			continue
		}
		return act, now
	}
	return Warn{why, 0}, s.At
}

// unruled returns act for the game without the ruling: sequence numbers after seq are reduced by the given number of
// events.
func unruled(act Command, seq, events int) Command {
	move := func(of *int) {
		if *of > seq {
			*of -= events
		}
	}
	switch act := act.(type) {
	case CancelRuling:
		move(&act.Of)
		return act
	case WaivePenalty:
		move(&act.Proposal)
		return act
	case Penalise:
		move(&act.Proposal)
		return act
	}
	return act
}

// renumbered returns s with its proposals numbered from -1 down instead of by their sequence numbers.
func renumbered(s State) State {
	s.Rulings.Proposed, s.Rulings.All = slices.Clone(s.Rulings.Proposed), slices.Clone(s.Rulings.All)
	for i := range s.Rulings.Proposed {
		p := &s.Rulings.Proposed[i]
		for j := range s.Rulings.All {
			if r := &s.Rulings.All[j]; r.Proposal == p.Seq {
				r.Proposal = -1 - i
			}
		}
		p.Seq = -1 - i
	}
	return s
}

// counted reduces the pool and the racks of s to numbers of tiles, and the table to faces. With the penalty, later
// draws took other tiles than without it.
func counted(s State) State {
	s.Table = slices.Clone(s.Table)
	for i, set := range s.Table {
		s.Table[i].Tiles = nil
		for _, t := range set.Tiles {
			s.Table[i].Tiles = append(s.Table[i].Tiles, tile.Of(t.Face(), 0))
		}
	}
	s.Pool = make(tile.List, len(s.Pool))
	for seat, rack := range s.Racks {
		s.Racks[seat] = make(tile.List, len(rack))
	}
	return s
}
