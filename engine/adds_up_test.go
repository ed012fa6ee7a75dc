package engine

import (
	"slices"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// TestRulingsAddUp checks sequences of rulings and cancellations that once gave inconsistent results.
func TestRulingsAddUp(t *testing.T) {
	wrc := presetRules(t, "wrc")
	for name, test := range map[string]func(*testing.T){
		"a penalty of the pool's last tiles is taken back": func(t *testing.T) {
			g := playing(t, wrc, 3)
			g.drain(1, 21)
			g.turn()
			p := g.drain(0, 0)
			g.turn()
			g.cancel(p)
			if len(g.state.Pool) != 20 {
				t.Fatalf("%d tiles in the pool", len(g.state.Pool))
			}
			g.everyoneOnce(0, 1, 2)
		},
		"a penalty of the pool's last tiles, drawn anew by a rewind, is taken back": func(t *testing.T) {
			g := playing(t, wrc, 3)
			g.drain(1, 20)
			g.turn()
			p := g.drain(0, 0)
			g.rewind(2)
			g.cancel(p)
			g.everyoneOnce(0, 1, 2)
		},
		"one of two penalties is taken back, and given again": func(t *testing.T) {
			g := playing(t, wrc, 3)
			p := g.drain(1, 0)
			g.turn()
			g.cancel(p)
			g.drain(2, 0)
			g.everyoneOnce(0, 1, 2)
		},
		"with real tiles, a penalty is put back into the empty pool": func(t *testing.T) {
			g := playingByHand(t, wrc, 3)
			p := g.do(Penalise{Grounds: why, Seat: 2, Tiles: 3})
			g.do(PoolEmptied{0})
			g.turn()
			g.cancel(p)
			g.refused(EndTurn{Seat: 1, Turn: 2, Passed: true}, RefusedPoolNotEmpty)
			g.out(12)
			if g.over() {
				t.Fatal("ended with tiles in the pool")
			}
			g.do(PoolEmptied{g.state.Turn.Seat})
			g.everyoneOnce(0, 1, 2)
		},
		"with real tiles, the penalty was put back before a rewind": func(t *testing.T) {
			g := playingByHand(t, wrc, 3)
			p := g.do(Penalise{Grounds: why, Seat: 2, Tiles: 3})
			g.do(PoolEmptied{0})
			g.turn()
			g.turn()
			g.cancel(p)
			g.rewind(2)
			g.refused(EndTurn{Seat: 1, Turn: g.state.Turn.Number, Passed: true}, RefusedPoolNotEmpty)
		},
	} {
		t.Run(name, test)
	}
}

// everyoneOnce plays a game to its end and checks that each of the seats began exactly one turn after the pool became
// empty.
func (g *played) everyoneOnce(want ...int) {
	g.t.Helper()
	var begun []int
	for range 200 {
		if g.over() {
			break
		}
		empty, number := g.state.poolEmpty(), g.state.Turn.Number
		g.turn()
		if !empty {
			begun = nil
		}
		if g.state.Turn.Number != number && g.state.poolEmpty() {
			begun = append(begun, g.state.Turn.Seat)
		}
	}
	slices.Sort(begun)
	if !g.over() || !g.state.poolEmpty() || !slices.Equal(begun, want) {
		g.t.Errorf("over %t with %d tiles in the pool; turns since it became empty %v, want %v", g.over(),
			len(g.state.Pool), begun, want)
	}
}

// turnsOut plays a game to its end. It checks that the seats in want have the remaining turns in this order, starting
// with the current turn, and that the turns end for the reason given by why.
func (g *played) turnsOut(why string, want ...int) {
	g.t.Helper()
	seats := g.out(200)
	ending := g.state.Ending
	if g.state.End != nil {
		ending = g.state.End.Why
	}
	if !slices.Equal(seats, want) || ending != why {
		g.t.Errorf("turns of %v, ended %q; want %v, %q", seats, ending, want, why)
	}
}

func TestPenaltiesEndWithTheDeal(t *testing.T) {
	own := presetRules(t, "wrc")
	own.Redeal, own.Penalties, own.IllegalPlay = ruleset.OwnFirstTurn, ruleset.Proposed, ruleset.Penalty
	for name, redeal := range map[string]func(g *played){
		"an official deals anew": func(g *played) {
			g.do(GrantRedeal{why, 2, randomDeal(seeded{newRand(3)})})
		},
		"a player asks for it": func(g *played) {
			g.do(Redeal{3, g.state.Turn.Number, randomDeal(seeded{newRand(3)})})
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := playingWith(t, own, 4, doublesDealt())
			p := g.do(Penalise{Grounds: why, Seat: 0, Tiles: 3})
			q := g.do(Penalise{Grounds: why, Seat: 1, Tiles: 2})
			g.do(Play{Seat: 0, Turn: g.state.Turn.Number}) // a penalty is proposed
			redeal(g)
			g.refused(CancelRuling{why, p}, RefusedCancelLate)
			if len(g.state.Rulings.Undecided()) > 0 || penalties(g.state) != [ruleset.MaxSeats]int{} {
				t.Errorf("proposals %v, penalties %v", g.state.Rulings.Undecided(), penalties(g.state))
			}
			g.begin()
			g.refused(CancelRuling{why, q}, RefusedCancelLate)
			for seat := range 4 {
				if n := len(g.state.Racks[seat]); n != ruleset.HandTiles {
					t.Errorf("seat %d has %d tiles", seat, n)
				}
			}
			g.turn()
			g.rewind(g.state.Turn.Number - 1)
			if len(g.state.Racks[0]) != ruleset.HandTiles || penalties(g.state) != [ruleset.MaxSeats]int{} {
				t.Errorf("after a rewind rack %v, penalties %v", g.state.Racks[0], penalties(g.state))
			}
		})
	}
}

func TestTakingBackTimeRestoresWhatWasTaken(t *testing.T) {
	wrc := presetRules(t, "wrc")
	for _, c := range []struct {
		name   string
		rules  []int // seconds given
		cancel []int // indices of rules, in the order of cancelling
		want   Millis
	}{
		{"all that was left", []int{-3600}, []int{0}, 60_000},
		{"some", []int{-20}, []int{0}, 60_000},
		{"given", []int{30}, []int{0}, 60_000},
		{"taken, then given", []int{-3600, 30}, []int{0}, 90_000},
		{"given, then all taken", []int{30, -3600}, []int{1}, 90_000},
		{"given, then all taken, both taken back", []int{30, -3600}, []int{0, 1}, 60_000},
		{"taken twice", []int{-3600, -3600}, []int{1, 0}, 60_000},
		{"taken twice, the first back first", []int{-3600, -3600}, []int{0, 1}, 60_000},
	} {
		for _, stopped := range []bool{false, true} {
			name := c.name
			if stopped {
				name += ", the clock being stopped"
			}
			t.Run(name, func(t *testing.T) {
				g := playing(t, wrc, 3)
				g.at += 10_000
				if stopped {
					g.do(PauseClock{why})
					g.at += 500_000
				}
				due := g.state.Turn.Due
				var seqs []int
				for _, seconds := range c.rules {
					seqs = append(seqs, g.do(GiveTime{why, seconds}))
				}
				for _, i := range c.cancel {
					g.cancel(seqs[i])
				}
				if stopped {
					g.do(Resume{why})
					g.at += Millis(ResumeCountdown.Milliseconds()) + 1
					g.do(Expire{})
					if got := g.state.Turn.Due - g.at + 10_000; got != c.want {
						t.Errorf("%d left of %d", got, c.want)
					}
				} else if got := g.state.Turn.Due - due + 60_000; got != c.want {
					t.Errorf("%d left of %d", got, c.want)
				}
			})
		}
	}
}

// TestTimeUsedUpIsNotOwed checks that cancelling given time that was already used creates no debt. Time given later
// stays, whatever else is cancelled.
func TestTimeUsedUpIsNotOwed(t *testing.T) {
	g := playing(t, presetRules(t, "wrc"), 3)
	given := g.do(GiveTime{why, 60})
	g.at += 100_000 // 20 s of 120 s are left, so 40 s of the given 60 s are used
	g.do(PauseClock{why})
	g.cancel(given)
	g.do(GiveTime{why, 30})
	taken := g.do(GiveTime{why, -5})
	g.cancel(taken)
	if left := g.state.Paused.Left; left != 30_000 {
		t.Errorf("%d ms left, want the 30 s that were given", left)
	}
}

// TestPlayThatHasEndedStaysEnded checks at a table with real tiles that a ruling that ended play cannot be cancelled.
// Only a rewind undoes it.
func TestPlayThatHasEndedStaysEnded(t *testing.T) {
	t.Run("time called", func(t *testing.T) {
		g := playingByHand(t, presetRules(t, "wrc"), 2)
		called := g.do(CallTime{why})
		g.out(10)
		g.refused(CancelRuling{why, called}, RefusedCancelLate)
	})
	t.Run("a penalty that was due when the pool was empty", func(t *testing.T) {
		g := playingByHand(t, presetRules(t, "wrc"), 2)
		penalty := g.do(Penalise{why, 1, 3, 0})
		g.do(PoolEmptied{0})
		g.out(10)
		g.refused(CancelRuling{why, penalty}, RefusedCancelLate)
	})
	t.Run("a forfeit before the first turn: the racks are counted", func(t *testing.T) {
		g := &played{t: t, starts: map[int]State{}, at: noon}
		g.do(Start{Rules: presetRules(t, "wrc"), Seats: 2, First: NoStarter, Physical: true})
		g.do(ForfeitSeat{why, 0, false})
		g.refused(ChooseStarter{1}, RefusedCounting)
		g.refused(Ready{1, 0}, RefusedCounting)
		g.refused(Ready{Everybody, 0}, RefusedCounting)
		g.do(CountRacks{Racks: racks(t, couldNot, couldOpen)})
		if end := g.state.End; end == nil || end.Why != ruleset.EndedForfeit {
			t.Errorf("it ended %+v", end)
		}
		g.secondly(t)
	})
}

func TestPositionNotesWhoCouldOpen(t *testing.T) {
	rules := presetRules(t, "wrc")
	rules.AbleWhen = ruleset.AnyTurn
	g := playing(t, rules, 2)
	opens, err := tile.ParseFaces("K11 K12 K13 R1")
	if err != nil {
		t.Fatal(err)
	}
	g.do(SetPosition{Grounds: why, Seat: 1, Racks: [][]tile.Face{nil, opens}})
	if !g.state.Able[1] {
		t.Error("seat 1 begins its turn with a run of 36, and it is not noted that it could open")
	}
}
