package engine

import (
	"math/rand"
	"slices"
	"testing"
	"time"

	"meldhall/engine/ruleset"
)

// heldGame deals a game of four while the players of two seats have no device, and returns it with its log.
func heldGame(t *testing.T) (s State, log []Event) {
	t.Helper()
	rules := presetRules(t, "wrc")
	rules.StartSeconds = 30
	log, err := asked(State{}, StartHeld{Start{Rules: rules, Seats: 4, First: 1,
		Deal: randomDeal(seeded{rand.New(rand.NewSource(7))})}, []int{2, 3}}, noon)
	if err != nil {
		t.Fatal(err)
	}
	return applyAll(State{}, log), log
}

// TestAGameIsHeldForItsPlayers checks that no turn begins and no tile is drawn until the absent players are ready or
// out, or an official starts the game, however long that takes. The log must verify like any other.
func TestAGameIsHeldForItsPlayers(t *testing.T) {
	after := func(minutes int) Millis { return noon + Millis((time.Duration(minutes) * time.Minute).Milliseconds()) }
	for _, c := range []struct {
		name  string
		do    []Command
		phase Phase // five minutes after the last command
	}{
		{"nothing happens", nil, PhaseDealt},
		{"those who are there are ready", []Command{Ready{0, 0}, Ready{1, 0}}, PhaseDealt},
		{"all are ready: the last one begins the first turn", []Command{Ready{0, 0}, Ready{1, 0}, Ready{2, 0},
			Ready{3, 0}}, PhasePlaying},
		{"one of the absent is ready", []Command{Ready{2, 0}}, PhaseDealt},
		{"both absent are ready: the others get their time to look", []Command{Ready{2, 0}, Ready{3, 0}}, PhasePlaying},
		{"an absent player forfeits, the other is ready", []Command{ForfeitSeat{Grounds: Grounds{Reason: "x",
			By: "Ann"}, Seat: 3}, Ready{2, 0}}, PhasePlaying},
		{"an official starts", []Command{Resume{Grounds{By: "Ann"}}}, PhasePlaying},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, log := heldGame(t)
			step := func(c Command, at Millis) {
				t.Helper()
				events, err := asked(s, c, at)
				if err != nil {
					t.Fatalf("%#v: %v", c, err)
				}
				s, log = applyAll(s, events), append(log, events...)
			}
			if !slices.Equal(s.Awaited(), []int{2, 3}) || Due(&s) != 0 {
				t.Fatalf("it awaits %v, due %d", s.Awaited(), Due(&s))
			}
			for i, command := range c.do {
				step(command, after(10)+Millis(i))
			}
			for range 5 { // the clock ends the hold, the countdown and the time to look
				if due := Due(&s); due != 0 && due < after(15) && s.Phase == PhaseDealt {
					if due == s.At && s.Paused.Held() && s.Paused.Left != 30_000 {
						t.Errorf("%+v", s.Paused)
					}
					step(Expire{}, due+1)
				}
			}
			if s.Phase != c.phase {
				t.Errorf("%s, %+v, awaits %v", s.Phase, s.Paused, s.Awaited())
			}
			for seat := range s.Seats {
				if n := len(s.Racks[seat]); n != ruleset.HandTiles {
					t.Errorf("seat %d holds %d tiles", seat, n)
				}
			}
			if again, err := Recheck(log); err != nil || again.Phase != s.Phase {
				t.Errorf("verified: %v", err)
			}
			if err := SecondReferee(log); err != nil {
				t.Errorf("the second referee: %v", err)
			}
		})
	}
}

// TestAHeldGameBeginsAtOnceWhenAllAreReady checks that the game then skips the time to look at the racks.
func TestAHeldGameBeginsAtOnceWhenAllAreReady(t *testing.T) {
	s, _ := heldGame(t)
	for seat := range 4 {
		s = do(t, s, Ready{seat, 0}, noon+Millis(seat))
	}
	if s.Phase != PhasePlaying || s.Paused != nil || s.Turn.Due == 0 {
		t.Errorf("%s %+v %+v", s.Phase, s.Paused, s.Turn)
	}
	held, _ := heldGame(t)
	if got := refusedBy(t, held, PauseClock{Grounds{By: "Ann"}}, noon); got != RefusedPaused {
		t.Errorf("it is paused twice: %q", got)
	}
}

// TestAForgedHoldIsFound checks that a log fails the recheck if a hold was added after the deal.
func TestAForgedHoldIsFound(t *testing.T) {
	s, log := heldGame(t)
	if _, err := Recheck(append(log[:2:2], GamePaused{Stamp: Stamp{noon},
		Pause: Pause{Why: HeldForPlayers, Left: 1, Absent: []int{2, 3}}})); err == nil {
		t.Error("another time to look was accepted")
	}
	if _, err := Recheck(append(log, GamePaused{Stamp: Stamp{noon + 5},
		Pause: Pause{Why: HeldForPlayers, Left: s.Paused.Left, Absent: []int{0}}})); err == nil {
		t.Error("a second hold was accepted")
	}
}
