package engine

import (
	"slices"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

// playPhysical plays one game with real tiles and checks it against the same laws.
func playPhysical(t failer, c chooser, presets []ruleset.Ruleset, seen map[string]int, steps int) *trial {
	g := &trial{failer: t, choose: c, seen: seen}
	m := moods[c.pick(len(moods), "mood")]
	seats := 2 + c.pick(3, "seats")
	first := DrawForStart
	if chance(c, 30, "rotate") {
		first = c.pick(seats, "first")
	}
	g.command(Start{Rules: randomRules(c, presets), Seats: seats, First: first, Physical: true}, noon)
	for i := 0; i < steps && !c.spent(); i++ {
		if g.state.Phase == PhaseOver {
			g.command(CallReferee{c.pick(seats, "seat")}, g.state.At)
			break
		}
		now := randomTime(c, m, g.state)
		g.command(physicalCommand(c, m, g.state), now)
	}
	g.finish()
	return g
}

func physicalCommand(c chooser, m mood, s State) Command {
	if s.Paused != nil && chance(c, 50, "resume") {
		return Resume{}
	}
	sensible := chance(c, m.sensible, "sensible")
	switch {
	case sensible && s.Phase == PhaseDealt && s.Starter == NoStarter && chance(c, 80, "starter"):
		return ChooseStarter{c.pick(s.Seats, "starter")}
	case sensible && s.Phase == PhaseDealt:
		return Ready{oneOf(c, "who", Everybody, c.pick(s.Seats, "seat")), s.Turn.Number}
	case s.Ending != "" && sensible && chance(c, 80, "count"):
		return randomCount(c, s)
	case chance(c, m.officials, "official"):
		return officialCommand(c, m, s)
	case !sensible && chance(c, 70, "wild"):
		return wildPhysical(c, s)
	case !s.PoolEmpty && s.Turn.Number > 20 && chance(c, 20, "pool"):
		return PoolEmptied{oneOf(c, "drew", s.Turn.Seat, (s.Turn.Seat+s.Seats-1)%s.Seats, c.pick(s.Seats, "seat"))}
	}
	e := EndTurn{Seat: s.Turn.Seat, Turn: s.Turn.Number, Opened: chance(c, 20, "opened"), Passed: s.PoolEmpty &&
		chance(c, 70, "passed")}
	if e.Passed {
		e.Opened = false
	} else {
		e.Out = s.Turn.Number > 12 && chance(c, 8, "out")
	}
	return e
}

func wildPhysical(c chooser, s State) Command {
	seat := oneOf(c, "seat", s.Turn.Seat, c.pick(6, "other")-1)
	turn := s.Turn.Number + oneOf(c, "turn", 0, 0, -1, 1)
	switch c.pick(8, "kind") {
	case 0:
		return ChooseStarter{seat}
	case 1:
		return EndTurn{Seat: seat, Turn: turn, Opened: chance(c, 50, "opened"), Passed: chance(c, 50, "passed"),
			Out: chance(c, 10, "out")}
	case 2:
		return PoolEmptied{seat}
	case 3, 4, 5:
		return randomCount(c, s)
	case 6:
		return Ready{seat, turn}
	}
	return wildCommand(c, s)
}

// randomCount returns a count of a real game's racks, or an impossible one.
func randomCount(c chooser, s State) Command {
	count := CountRacks{Why: oneOf(c, "why", "", "", "", ruleset.EndedEmptied, ruleset.EndedTimeCalled, "by lot",
		ruleset.EndedStuck)}
	why := count.Why
	if why == "" {
		why = s.Ending
	}
	out := -1
	if why == ruleset.EndedEmptied {
		out = c.pick(s.Seats, "out")
	}
	if chance(c, 40, "totals") {
		return randomTotals(c, s, count, out)
	}
	pool := randomOrder(c)
	for seat := range s.Seats {
		n := 1 + c.pick(20, "tiles")
		rack := CountedRack{Opened: chance(c, 60, "opened")}
		if !rack.Opened {
			n = max(n, ruleset.HandTiles)
		}
		if seat == out {
			rack.Opened, n = true, 0
		}
		rack.Tiles, pool = tile.FacesOf(pool[:n]), pool[n:]
		rack.Able = s.Rules.AbleWhen == ruleset.AnyTurn && !rack.Opened && chance(c, 20, "able")
		count.Racks = append(count.Racks, rack)
	}
	if chance(c, 30, "wrong") {
		rack := &count.Racks[c.pick(s.Seats, "seat")]
		switch c.pick(6, "what") {
		case 0:
			rack.Tiles = append(rack.Tiles, tile.Joker, tile.Joker, tile.Joker)
		case 1:
			rack.Tiles = nil
		case 2:
			rack.Opened, rack.Tiles = false, rack.Tiles[:min(3, len(rack.Tiles))]
		case 3:
			rack.Able = true
		case 4:
			count.Racks = count.Racks[1:]
		case 5:
			rack.Opened, rack.Tiles = true, slices.Concat(rack.Tiles, tile.FacesOf(pool))
		}
	}
	return count
}

func randomTotals(c chooser, s State, count CountRacks, out int) Command {
	charges := make([]score.Charge, s.Seats)
	opened := make([]bool, s.Seats)
	won, lowest := []int{out}, 0
	if out < 0 {
		lowest = c.pick(30, "lowest")
		won = []int{c.pick(s.Seats, "winner")}
		if chance(c, 30, "shared") {
			won = append(won, (won[0]+1)%s.Seats)
		}
	}
	most := oneOf(c, "most", 120, 120, 120, 700)
	for seat := range charges {
		opened[seat] = true
		charges[seat].Points = lowest
		if slices.Contains(won, seat) {
			continue
		}
		charges[seat].Points += 1 + c.pick(most, "charge")
		if opened[seat] = chance(c, 70, "opened"); !opened[seat] && s.Rules.NoMeldAble > 0 && lowest < 100 {
			charges[seat].Points = s.Rules.NoMeldAble
		}
	}
	o := score.Settle(s.Rules, score.Scored(oneOf(c, "", map[bool]string{true: ruleset.EndedEmptied,
		false: ruleset.EndedLastLap}[out >= 0])),
		won, charges)
	count.Lowest = lowest
	for seat := range charges {
		count.Totals = append(count.Totals, CountedTotal{o.Points[seat], opened[seat], slices.Contains(won, seat)})
	}
	if chance(c, 10, "lowest") {
		count.Lowest += 3
	}
	if chance(c, 40, "wrong") {
		total := &count.Totals[c.pick(s.Seats, "seat")]
		switch oneOf(c, "what", 0, 1, 1, 2, 3, 4) {
		case 0:
			total.Points += score.Whole(1)
		case 1:
			total.Won = !total.Won
		case 2:
			total.Points = -total.Points
		case 3:
			total.Opened = false
		case 4:
			total.Points += 5
		}
	}
	return count
}
