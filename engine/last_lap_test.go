package engine

import (
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

func TestPositionAndTheLastLap(t *testing.T) {
	wrc := presetRules(t, "wrc")
	t.Run("it empties the pool: everyone has one more turn, the one that begins with it counted", func(t *testing.T) {
		for seat := range 3 {
			g := playing(t, wrc, 3)
			g.drain(2, 4)
			g.position(seat, 0, len(g.state.Racks[0])+4)
			g.turnsOut(ruleset.EndedLastLap, seat, (seat+1)%3, (seat+2)%3)
		}
	})
	t.Run("it fills the pool: the lap ends, and begins again", func(t *testing.T) {
		g := playing(t, wrc, 3)
		g.drain(2, 0)
		g.turn()
		g.position(1, 2, len(g.state.Racks[2])-2)
		g.everyoneOnce(0, 1, 2)
	})
	t.Run("it moves the turn in the last lap: nobody plays twice, nobody never", func(t *testing.T) {
		for seat, want := range [][]int{{0, 2, 3}, {1, 2, 3, 0}, {2, 3, 0}, {3, 0, 2}} {
			g := playing(t, wrc, 4)
			g.drain(2, 1)
			g.turn()
			g.move(seat)
			g.turnsOut(ruleset.EndedLastLap, want...)
		}
	})
	t.Run("it moves the turn after time was called", func(t *testing.T) {
		for seat, want := range [][]int{{0, 1, 2, 3}, {1, 2, 3}, {2, 3}, {3, 2}} {
			g := playing(t, wrc, 4)
			g.turn()
			g.do(CallTime{why})
			g.move(seat)
			g.turnsOut(ruleset.EndedTimeCalled, want...)
		}
	})
	t.Run("time is called after it has moved the turn", func(t *testing.T) {
		g := playing(t, wrc, 4)
		g.turn()
		g.move(3)
		g.do(CallTime{why})
		g.turnsOut(ruleset.EndedTimeCalled, 3, 2)
	})
}

func TestTimeIsCalledOnce(t *testing.T) {
	wrc := presetRules(t, "wrc")
	for name, begin := range map[string]func() *played{
		"on tablets":      func() *played { return playing(t, wrc, 3) },
		"with real tiles": func() *played { return playingByHand(t, wrc, 3) },
	} {
		t.Run(name, func(t *testing.T) {
			g := begin()
			g.turn()
			p := g.do(CallTime{why})
			g.refused(CallTime{why}, RefusedTimeCalled)
			g.cancel(p)
			if g.state.TimeOver {
				t.Error("still called")
			}
			if seats := g.out(8); len(seats) != 8 || g.over() {
				t.Errorf("ended after the turns of %v", seats)
			}
			g.until(1)
			g.do(CallTime{why})
			g.turnsOut(ruleset.EndedTimeCalled, 1, 2)
		})
		t.Run(name+", a rewind into a lap whose call was taken back", func(t *testing.T) {
			g := begin()
			g.turn()
			p := g.do(CallTime{why})
			g.turn()
			g.cancel(p)
			g.rewind(3)
			if seats := g.out(8); len(seats) != 8 || g.over() || g.state.TimeOver {
				t.Errorf("ended after the turns of %v, time called %t", seats, g.state.TimeOver)
			}
		})
		t.Run(name+", a rewind to before the call", func(t *testing.T) {
			g := begin()
			for range 4 {
				g.turn()
			}
			g.do(CallTime{why})
			g.rewind(3)
			g.turnsOut(ruleset.EndedTimeCalled, 2)
		})
		t.Run(name+", called again in the last lap", func(t *testing.T) {
			g := begin()
			if g.state.Physical {
				g.do(PoolEmptied{0})
			} else {
				g.drain(0, 0)
			}
			p := g.do(CallTime{why})
			g.turn()
			g.cancel(p)
			g.turnsOut(ruleset.EndedLastLap, 1, 2, 0)
		})
	}
}

func TestRightToARedealIsAFact(t *testing.T) {
	own := presetRules(t, "wrc")
	own.Redeal = ruleset.OwnFirstTurn
	all := [ruleset.MaxSeats]bool{true, true, true}
	t.Run("a rewind to the first turn", func(t *testing.T) {
		g := playingWith(t, own, 3, doublesDealt())
		if rights(g.state) != all {
			t.Fatalf("%v may", rights(g.state))
		}
		g.turn()
		g.rewind(1)
		if rights(g.state) != all {
			t.Errorf("%v may", rights(g.state))
		}
		g.turn()
		g.turn()
		if rights(g.state) != [ruleset.MaxSeats]bool{false, false, true} {
			t.Errorf("%v may", rights(g.state))
		}
	})
	t.Run("what was refused stays so", func(t *testing.T) {
		g := playingWith(t, own, 3, doublesDealt())
		p := g.do(RefuseRedeal{why, 2})
		g.turn()
		g.rewind(1)
		if rights(g.state) != [ruleset.MaxSeats]bool{true, true} {
			t.Errorf("%v may", rights(g.state))
		}
		if g.cancel(p); rights(g.state) != all {
			t.Errorf("%v may", rights(g.state))
		}
	})
	t.Run("a position takes nobody's right", func(t *testing.T) {
		g := playingWith(t, own, 3, doublesDealt())
		g.turn()
		g.move(1)
		if rights(g.state) != [ruleset.MaxSeats]bool{false, true, true} {
			t.Errorf("%v may", rights(g.state))
		}
		if g.move(2); rights(g.state) != [ruleset.MaxSeats]bool{false, false, true} {
			t.Errorf("%v may", rights(g.state))
		}
	})
	t.Run("a forfeit that is taken back", func(t *testing.T) {
		g := playingWith(t, own, 3, doublesDealt())
		if g.cancel(g.do(ForfeitSeat{why, 2, false})); rights(g.state) != all {
			t.Errorf("%v may", rights(g.state))
		}
	})
}

func TestForfeitAndTheLastLap(t *testing.T) {
	wrc := presetRules(t, "wrc")
	t.Run("in the own turn", func(t *testing.T) {
		g := playing(t, wrc, 4)
		g.drain(3, 0)
		g.do(ForfeitSeat{why, 0, false})
		g.turnsOut(ruleset.EndedLastLap, 1, 2, 3)
	})
	t.Run("in the own turn of a called lap", func(t *testing.T) {
		g := playing(t, wrc, 4)
		g.turn()
		g.do(CallTime{why})
		g.do(ForfeitSeat{why, 1, false})
		g.turnsOut(ruleset.EndedTimeCalled, 2, 3)
	})
	t.Run("before a rewind", func(t *testing.T) {
		g := playing(t, wrc, 4)
		g.turn()
		g.do(CallTime{why})
		g.do(ForfeitSeat{why, 2, false})
		g.rewind(2)
		g.turnsOut(ruleset.EndedTimeCalled, 1, 3)
	})
	t.Run("before a rewind in the last lap", func(t *testing.T) {
		g := playing(t, wrc, 4)
		g.drain(3, 0)
		g.turn()
		g.do(ForfeitSeat{why, 3, false})
		g.rewind(2)
		g.turnsOut(ruleset.EndedLastLap, 1, 2, 0)
	})
	t.Run("before the call of time is taken back", func(t *testing.T) {
		g := playing(t, wrc, 4)
		g.drain(3, 0)
		g.turn()
		p := g.do(CallTime{why})
		g.do(ForfeitSeat{why, 2, false})
		g.cancel(p)
		g.turnsOut(ruleset.EndedLastLap, 1, 3, 0)
	})
	t.Run("taken back in the last lap", func(t *testing.T) {
		g := playing(t, wrc, 4)
		p := g.do(ForfeitSeat{why, 2, false})
		g.drain(3, 0)
		g.turn()
		g.cancel(p)
		g.turnsOut(ruleset.EndedLastLap, 1, 2, 3, 0)
	})
	t.Run("taken back after laps without it", func(t *testing.T) {
		g := playing(t, wrc, 4)
		p := g.do(ForfeitSeat{why, 3, false})
		for range 7 { // 0 1 2 0 1 2 0
			g.turn()
		}
		g.cancel(p)
		g.do(CallTime{why})
		g.turnsOut(ruleset.EndedTimeCalled, 1, 2, 3)
	})
	t.Run("taken back at once, in the own turn", func(t *testing.T) {
		g := playing(t, wrc, 4)
		g.turn()
		was := g.state
		g.at += 5000
		g.cancel(g.do(ForfeitSeat{why, 1, false}))
		if g.state.Turn.Seat != 1 || g.state.Turn.Due != was.Turn.Due || g.state.Turn.Started != was.Turn.Started {
			t.Errorf("was %+v, is %+v", was.Turn, g.state.Turn)
		}
	})
	t.Run("with real tiles, nobody goes back to a turn that one seat would play alone",
		func(t *testing.T) { forfeitAlone(t, wrc) })
	t.Run("until stuck, all who play have passed", func(t *testing.T) { forfeitUntilStuck(t) })
}

// forfeitAlone forfeits a seat at a table of two with real tiles. A rewind to a turn that one seat would play alone is
// refused.
func forfeitAlone(t *testing.T, wrc ruleset.Ruleset) {
	g := playingByHand(t, wrc, 2)
	g.turn()
	p := g.do(ForfeitSeat{why, 0, false}) - 1 // the ruling is the event before the end of play
	g.refused(Rewind{why, 2, g.starts[2]}, RefusedCounting)
	g.cancel(p)
	if g.rewind(2); g.over() || g.state.Turn.Seat != 1 {
		t.Errorf("%q %+v", g.state.Ending, g.state.Turn)
	}
}

// forfeitUntilStuck forfeits a seat while the others pass. The game ends only when all seats that still play have
// passed.
func forfeitUntilStuck(t *testing.T) {
	g := &played{t: t, state: board(t, "club turn 7 of A\ntable R4 R5 R6\nA* K1\nB* K3\nC* R7\nD* K5\npool"),
		starts: map[int]State{}, at: noon}
	g.state.Rules.Exhausted = ruleset.UntilStuck
	g.turn()
	g.turn()
	g.do(ForfeitSeat{why, 0, false})
	if g.turn(); g.over() {
		t.Error("D has not passed")
	}
}

func TestDecisionTakenBackIsAProposalAgain(t *testing.T) {
	rules := presetRules(t, "wrc")
	rules.Penalties = ruleset.Proposed
	for name, decide := range map[string]func(seat, seq int) Command{
		"waived":      func(_, seq int) Command { return WaivePenalty{why, seq} },
		"given":       func(seat, seq int) Command { return Penalise{why, seat, 3, seq} },
		"but noticed": func(seat, seq int) Command { return Penalise{why, seat, 0, seq} },
	} {
		t.Run(name, func(t *testing.T) {
			g := playing(t, rules, 3)
			for range 2 {
				g.at = Due(&g.state) + 1
				g.do(Expire{})
			}
			proposed := g.state.Rulings.Undecided()
			first, second := proposed[0], proposed[1]
			p := g.do(decide(first.Seat, first.Seq))
			q := g.do(decide(second.Seat, second.Seq))
			if len(g.state.Rulings.Undecided()) != 0 {
				t.Fatalf("got %v", g.state.Rulings.Undecided())
			}
			g.cancel(q)
			g.cancel(p)
			if got := g.state.Rulings.Undecided(); len(got) != 2 || got[0] != first || got[1] != second {
				t.Errorf("got %v, want %v and %v", got, first, second)
			}
			g.do(WaivePenalty{why, first.Seq})
			g.rewind(2) // the second turn had not run out then
			if len(g.state.Rulings.Undecided()) != 0 {
				t.Errorf("got %v", g.state.Rulings.Undecided())
			}
		})
	}
}

// racksWith returns the racks of a position of which only one is given.
func racksWith(seats, whose int, tiles tile.List) [][]tile.Face {
	racks := make([][]tile.Face, seats)
	racks[whose] = tile.FacesOf(tiles)
	return racks
}

// rights returns which seats may ask for a redeal.
func rights(s State) (may [ruleset.MaxSeats]bool) {
	for seat := range s.Seats {
		may[seat] = s.MayRedeal(seat)
	}
	return may
}
