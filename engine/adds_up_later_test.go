package engine

import (
	"flag"
	"slices"
	"strconv"
	"testing"

	"meldhall/engine/tile"

	"pgregory.net/rapid"
)

// TestLawOfTakingBackLater holds law (a) with other acts between: what they did stands, and the rest is as if the ruling had
// not been. The same acts follow on a game with the ruling and on one without it, as long as the two let the same happen.
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

// many lets a test look at so many random games, unless -rapid.checks says how many.
func many(t *testing.T, games int) {
	checks := flag.Lookup("rapid.checks")
	if was := checks.Value.String(); was == checks.DefValue {
		t.Cleanup(func() { _ = checks.Value.Set(was) })
		if err := checks.Value.Set(strconv.Itoa(games)); err != nil {
			t.Fatal(err)
		}
	}
}

// lawOfTakingBackLater gives the kind of the ruling that was taken back after at least one act, "" where there was none.
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
	if of, _ := with.ruling(g.state.Seq + 1); len(of.Drawn) > 0 && len(taken(with.Racks[of.Seat], of.Drawn)) < len(of.Drawn) {
		return "" // some of the penalty's tiles have been played
	}
	kind = ruled[0].Kind()
	after := applyAll(with, back)
	if kind == (SeatForfeited{}).Kind() { // the turn that it interrupted goes on from there
		without.Turn.Started, without.Turn.Due = after.Turn.Started, after.Turn.Due
	}
	if kind == (PenaltyGiven{}).Kind() { // what could be laid with its tiles at the start of a turn could be laid
		without.Able, without.Turn.Able = after.Able, after.Turn.Able
		if drew {
			after, without = counted(after), counted(without)
		}
	}
	if got, want := but(t, unnumbered(after)), but(t, unnumbered(without)); got != want {
		t.Fatalf("law (a), later: %T%+v\n%s", c, c, apart(want, got))
	}
	return kind
}

// hurries tells whether a turn may run out while a few acts go on.
func hurries(s State) bool {
	const few = 10_000
	return s.Turn.Due != 0 && s.Turn.Due-s.At < few || s.Paused != nil && s.Paused.Left < few
}

// meanwhile lets the same happen in a game with a ruling of so many events after a seq and in one without it; not alike where
// the two would part.
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
		len(with.Pool)-len(after.Pool) == len(without.Pool)-len(afterToo.Pool) && after.Turn.Seat == afterToo.Turn.Seat &&
		!hurries(after) && !hurries(afterToo) && after.Phase != PhaseOver &&
		(after.Turn.Number == with.Turn.Number || (len(with.Pool) == 0) == (len(without.Pool) == 0)) // else it is a pass in one of them
	return after, afterToo, alike
}

// actBetween is an act while a ruling stands: turns and rulings, but none that puts the tiles anew or says of real ones that
// none is left.
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

// unruled is an act as it is without a ruling of so many events after a seq: what it speaks of has other numbers.
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

// unnumbered is a state without the numbers that the log gives.
func unnumbered(s State) State {
	s.Proposed, s.Proposals = slices.Clone(s.Proposed), slices.Clone(s.Proposals)
	for _, list := range [][]Proposal{s.Proposed, s.Proposals} {
		for i := range list {
			list[i].Seq = 0
		}
	}
	return s
}

// counted is a state with only how many tiles lie in the pool and on the racks, and with faces on the table: where tiles were
// drawn beside a penalty others were drawn without it.
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
