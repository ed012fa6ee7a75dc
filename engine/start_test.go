package engine

import (
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// dealt returns a deal whose pool begins with the given faces; the other tiles follow in order.
func dealt(t *testing.T, first, draws string) Deal {
	t.Helper()
	pool, order := tile.List(tile.All()), tile.List(tile.All())
	bringToFront(pool, first)
	bringToFront(order, draws)
	return Deal{Pool: pool, Draws: order, Salt: "0123456789abcdef"}
}

func started(t *testing.T, rules ruleset.Ruleset, seats, first int, d Deal) State {
	t.Helper()
	return do(t, State{}, Start{rules, seats, first, d, nil, false}, noon)
}

func TestDrawForStart(t *testing.T) {
	for _, c := range []struct {
		name, draws string
		seats       int
		starter     int
		told        string
	}{
		{"the highest number begins", "R5 K9 B2", 3, 1, "1A:R5 1B:K9 1C:B2"},
		{"equal highest draw again", "R9 K9 B2 R3 K4", 3, 1, "1A:R9 1B:K9 1C:B2 2A:R3 2B:K4"},
		{"equal lower ones do not", "R2 K2 B9", 3, 2, "1A:R2 1B:K2 1C:B9"},
		{"all equal draw again and again", "R9 K9 B1 O1 K2 K4", 2, 1, "1A:R9 1B:K9 2A:B1 2B:O1 3A:K2 3B:K4"},
		{"a joker is drawn again", "J R3 J K2", 2, 0, "1A:J 1A:R3 1B:J 1B:K2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := started(t, presetRules(t, "wrc"), c.seats, DrawForStart, dealt(t, "K1", c.draws))
			var told []string
			for _, d := range s.Draws {
				told = append(told, string(rune('0'+d.Round))+string(rune('A'+d.Seat))+":"+d.Tile.String())
			}
			if got := strings.Join(told, " "); got != c.told || s.Starter != c.starter || s.Turn.Seat != c.starter {
				t.Errorf("draws %s, starter %d, turn of %d; want %s, %d", got, s.Starter, s.Turn.Seat, c.told,
					c.starter)
			}
			if len(s.Pool)+c.seats*ruleset.HandTiles != tile.Count {
				t.Error("the tiles drawn did not go back")
			}
		})
	}
}

func TestStart(t *testing.T) {
	wrc := presetRules(t, "wrc")
	good := dealt(t, "", "R5 K9")
	t.Run("everyone takes 14", func(t *testing.T) {
		for seats := 2; seats <= 4; seats++ {
			s := started(t, wrc, seats, 1, good)
			for seat := range seats {
				if !slices.Equal(s.Racks[seat], good.Pool[seat*14:seat*14+14]) {
					t.Errorf("rack %d: %v", seat, s.Racks[seat])
				}
			}
			if len(s.Pool) != 106-14*seats || s.Starter != 1 || s.Turn.Due != noon+20_000 || s.Draws != nil ||
				s.Commitment != Commit(good) {
				t.Errorf("%d seats: pool %d, starter %d, due %d", seats, len(s.Pool), s.Starter, s.Turn.Due-noon)
			}
		}
	})
	short, salt, twice := good, good, good
	short.Pool = short.Pool[1:]
	salt.Salt = "short"
	twice.Draws = append(slices.Clone(twice.Draws[1:]), twice.Draws[1])
	three := wrc
	three.SeatsMax = 3
	for _, c := range []struct {
		name string
		cmd  Start
		code string
	}{
		{"one seat", Start{wrc, 1, 0, good, nil, false}, RefusedSeats},
		{"five seats", Start{wrc, 5, 0, good, nil, false}, RefusedSeats},
		{"more seats than these rules allow", Start{three, 4, 0, good, nil, false}, RefusedSeats},
		{"a starter who is not there", Start{wrc, 2, 2, good, nil, false}, RefusedSeat},
		{"a pool of 105", Start{wrc, 2, 0, short, nil, false}, RefusedBadDeal},
		{"a draw with a tile twice", Start{wrc, 2, DrawForStart, twice, nil, false}, RefusedBadDeal},
		{"a short salt", Start{wrc, 2, 0, salt, nil, false}, RefusedBadDeal},
	} {
		t.Run(c.name, func(t *testing.T) {
			events, err := Decide(&State{}, c.cmd, false, noon.time())
			wantRefusal(t, events, err, c.code)
		})
	}
	t.Run("rules out of range name the field", func(t *testing.T) {
		bad := wrc
		bad.GraceMillis = 9000
		events, err := Decide(&State{}, Start{bad, 2, 0, good, nil, false}, false, noon.time())
		if f, ok := err.(*ruleset.FieldError); !ok || f.Field != "grace_ms" || events != nil {
			t.Errorf("%v, %v", events, err)
		}
	})
	t.Run("nothing else before the start", func(t *testing.T) {
		events, err := Decide(&State{}, Draw{0, 0}, false, noon.time())
		wantRefusal(t, events, err, RefusedNotStarted)
	})
	t.Run("not twice", func(t *testing.T) {
		events, err := Decide(new(started(t, wrc, 2, 0, good)), Start{wrc, 2, 0, good, nil, false}, false, noon.time())
		wantRefusal(t, events, err, RefusedAlreadyStarted)
	})
}

func TestFirstTurnBegins(t *testing.T) {
	s := started(t, presetRules(t, "wrc"), 2, 1, dealt(t, "", ""))
	events, err := Decide(&s, Draw{1, 0}, false, noon.time())
	wantRefusal(t, events, err, RefusedNotBegun)
	t.Run("when all are ready", func(t *testing.T) {
		s := do(t, s, Ready{0, 0}, noon)
		events, err := Decide(&s, Ready{0, 0}, false, noon.time())
		wantRefusal(t, events, err, RefusedAlreadyReady)
		events, err = Decide(&s, Ready{1, 0}, false, (noon + 5000).time())
		wantEvents(t, events, err, "seat_ready: B", "play_began -> turn 1 of B due 1m5s")
		events, err = Decide(new(applyAll(s, events)), Ready{1, 1}, false, (noon + 6000).time())
		wantRefusal(t, events, err, RefusedStaleTurn)
	})
	t.Run("by itself", func(t *testing.T) {
		events, err := Decide(&s, Expire{}, false, (noon + 21_000).time())
		wantRefusal(t, events, err, RefusedNotDue)
		events, err = Decide(&s, Expire{}, false, (noon + 21_001).time())
		wantEvents(t, events, err, "play_began -> turn 1 of B due 1m21.001s")
	})
}

const threeDoubles = "K3 K3 R8 R8 O12 O12 K1 K2 K5 K7 K9 K11 K13 B1"

func TestDoubles(t *testing.T) {
	for text, want := range map[string]int{threeDoubles: 3, "J J R1 R1 B2": 1, "R1 B1 K1": 0,
		"R1 R1 R2 R2 R3 R3 R4 R4": 4} {
		faces, _ := tile.ParseFaces(text)
		if got := Doubles(faces); got != want {
			t.Errorf("%s: %d doubles, want %d", text, got, want)
		}
	}
}

// redealable deals three doubles to seat 0 of two. It returns the state in which the racks are looked at, and the one
// after both seats are ready.
func redealable(t *testing.T, redeal string, first int) (dealtState, playing State) {
	t.Helper()
	rules := presetRules(t, "wrc")
	rules.Redeal = redeal
	s := started(t, rules, 2, first, dealt(t, threeDoubles, ""))
	return s, do(t, do(t, s, Ready{0, 0}, noon), Ready{1, 0}, noon)
}

func TestRedealWindow(t *testing.T) {
	fresh := dealt(t, "", "")
	t.Run("before_start: while the racks are looked at", func(t *testing.T) {
		s, playing := redealable(t, ruleset.BeforeStart, 0)
		events, err := Decide(&s, Redeal{0, 0, fresh}, false, (noon + 3000).time())
		wantEvents(t, events, err, "redeal_asked: A",
			"tiles_dealt: pool 78, redeal [false false] -> turn 1 of A due 23s")
		s = applyAll(do(t, s, Ready{1, 0}, noon), events)
		if s.Deal != 2 || s.Ready != [ruleset.MaxSeats]bool{} || s.Phase != PhaseDealt || Check(s) != nil ||
			s.Commitment != Commit(fresh) {
			t.Errorf("deal %d, ready %v, phase %s, %v", s.Deal, s.Ready, s.Phase, Check(s))
		}
		events, err = Decide(&playing, Redeal{0, 1, fresh}, false, noon.time())
		wantRefusal(t, events, err, RefusedRedealClosed)
	})
	t.Run("there is no limit to redeals", func(t *testing.T) {
		s, _ := redealable(t, ruleset.BeforeStart, 0)
		for n := range 5 {
			s = do(t, s, Redeal{0, n, dealt(t, threeDoubles, "")}, noon)
		}
		if s.Deal != 6 || !rights(s)[0] || Check(s) != nil {
			t.Errorf("deal %d, %v", s.Deal, Check(s))
		}
	})
	t.Run("own_first_turn: until the own first turn ends", func(t *testing.T) {
		_, playing := redealable(t, ruleset.OwnFirstTurn, 1)
		inOthers := do(t, playing, Redeal{0, 1, fresh}, noon)
		if inOthers.Deal != 2 || inOthers.Phase != PhaseDealt || inOthers.Starter != 1 {
			t.Errorf("in another's turn: deal %d, phase %s", inOthers.Deal, inOthers.Phase)
		}
		own := do(t, playing, Draw{1, 1}, noon)
		if inOwn := do(t, own, Redeal{0, 2, fresh}, noon); inOwn.Deal != 2 {
			t.Error("not in the own first turn")
		}
		after := do(t, own, Draw{0, 2}, noon)
		events, err := Decide(&after, Redeal{0, 3, fresh}, false, noon.time())
		wantRefusal(t, events, err, RefusedRedealClosed)
	})
	t.Run("two doubles give no right", func(t *testing.T) {
		s := started(t, presetRules(t, "wrc"), 2, 0, dealt(t, strings.Replace(threeDoubles, "O12 O12", "O12 O11", 1),
			""))
		if rights(s) != [ruleset.MaxSeats]bool{} {
			t.Errorf("%v", rights(s))
		}
	})
}

func TestRedealIsRefused(t *testing.T) {
	fresh := dealt(t, "", "")
	for _, c := range []struct {
		name, redeal string
		cmd          Redeal
		change       func(*State)
		code         string
	}{
		{"off", ruleset.Off, Redeal{0, 0, fresh}, nil, RefusedRedealOff},
		{"an official has refused it", ruleset.BeforeStart, Redeal{0, 0, fresh},
			func(s *State) { *s = applyAll(*s, []Event{RedealRefused{atSeat{Stamp{noon}, 0}, Said{}}}) },
			RefusedRedealRefused},
		{"the window has closed, with the doubles or without", ruleset.BeforeStart, Redeal{1, 0, fresh},
			func(s *State) { s.Phase = PhasePlaying }, RefusedRedealClosed},
		{"the own first turn is over, without the doubles", ruleset.OwnFirstTurn, Redeal{1, 0, fresh},
			func(s *State) { s.Phase, s.Had.Turns[1] = PhasePlaying, 2 }, RefusedRedealClosed},
		{"in the own first turn, without the doubles", ruleset.OwnFirstTurn, Redeal{1, 0, fresh},
			func(s *State) { s.Phase = PhasePlaying }, RefusedNoDoubles},
		{"without three doubles", ruleset.BeforeStart, Redeal{1, 0, fresh}, nil, RefusedNoDoubles},
		{"for tiles dealt earlier", ruleset.BeforeStart, Redeal{0, 5, fresh}, nil, RefusedStaleTurn},
		{"by nobody", ruleset.BeforeStart, Redeal{2, 0, fresh}, nil, RefusedSeat},
		{"with no new shuffle", ruleset.BeforeStart, Redeal{0, 0, Deal{}}, nil, RefusedBadDeal},
		{"while the clock is stopped", ruleset.BeforeStart, Redeal{0, 0, fresh},
			func(s *State) { s.Paused = &Pause{Why: PausedByReferee} }, RefusedPaused},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := redealable(t, c.redeal, 0)
			if c.change != nil {
				c.change(&s)
			}
			events, err := Decide(&s, c.cmd, false, noon.time())
			wantRefusal(t, events, err, c.code)
		})
	}
}

func TestRedealKeepsWhatWasCalled(t *testing.T) {
	fresh := dealt(t, "", "")
	t.Run("a call for the referee outlives it", func(t *testing.T) {
		s, _ := redealable(t, ruleset.BeforeStart, 0)
		s = do(t, do(t, s, CallReferee{1}, noon), Redeal{0, 0, fresh}, noon)
		if s.Calls[1].Since != noon {
			t.Errorf("called %v", s.Calls)
		}
	})
	t.Run("time called stays called: the new first lap is the last", func(t *testing.T) {
		_, s := redealable(t, ruleset.OwnFirstTurn, 0)
		s = do(t, s, CallTime{Grounds{Reason: "slot over"}}, noon)
		s = do(t, s, Redeal{0, 1, fresh}, noon)
		s = do(t, do(t, s, Ready{0, 2}, noon), Ready{1, 2}, noon)
		if s.TurnsLeft() != 2 || !s.TimeOver {
			t.Errorf("turns left %d, time over %v", s.TurnsLeft(), s.TimeOver)
		}
	})
}

func TestCommitment(t *testing.T) {
	d := dealt(t, threeDoubles, "R5 K9")
	was := Commit(d)
	changed := d
	changed.Pool = slices.Clone(d.Pool)
	changed.Pool[3], changed.Pool[77] = changed.Pool[77], changed.Pool[3]
	draws := d
	draws.Draws = nil
	salt := d
	salt.Salt += "x"
	if len(was) != 64 || was == Commit(changed) || was == Commit(draws) || was == Commit(salt) || was != Commit(d) {
		t.Errorf("commitment %s", was)
	}
}

func TestAbleIsNotedAtTheStartOfOwnTurns(t *testing.T) {
	rules := presetRules(t, "wrc")
	rules.AbleWhen = ruleset.AnyTurn
	s := started(t, rules, 2, 0, dealt(t, "R10 B10 K10", ""))
	s = do(t, do(t, s, Ready{0, 0}, noon), Ready{1, 0}, noon)
	if !s.Able[0] || !s.Turn.Able {
		t.Errorf("able %v, turn %+v", s.Able, s.Turn)
	}
	if v := ViewFor(&s, 1); v.Turn.Able {
		t.Error("the view tells what a hidden rack can do")
	}
	rules.AbleWhen = ruleset.AtEnd
	s = started(t, rules, 2, 0, dealt(t, "R10 B10 K10", ""))
	if s = do(t, do(t, s, Ready{0, 0}, noon), Ready{1, 0}, noon); s.Able[0] {
		t.Error("noted though the rules look at the end only")
	}
}

func TestDeadlines(t *testing.T) {
	s := started(t, presetRules(t, "wrc"), 2, 0, dealt(t, "", ""))
	if got := Due(&s) - noon; got != 21_000 {
		t.Errorf("dealt: due after %d", got)
	}
	if got := Due(&State{}); got != 0 {
		t.Errorf("new: %d", got)
	}
	if got := MillisOf(time.UnixMilli(1234)); got != 1234 {
		t.Errorf("moment %d", got)
	}
}

// TestExtraTime checks that a player who needs more time has it in every own turn, and that no other player has it
// (WCAG 2.2.1).
func TestExtraTime(t *testing.T) {
	start := func(extra []int) ([]Event, error) {
		return Decide(&State{}, Start{Rules: presetRules(t, "wrc"), Seats: 3, First: 0, Deal: dealt(t, "", ""),
			Extra: extra}, false, noon.time())
	}
	t.Run("in each own turn only", func(t *testing.T) {
		events, err := start([]int{0, 30, 0})
		if err != nil {
			t.Fatal(err)
		}
		s := applyAll(State{}, events)
		for seat := range 3 {
			s = do(t, s, Ready{Seat: seat, Turn: s.Turn.Number}, noon)
		}
		for i, want := range []int{60, 90, 60, 60, 90} {
			limit := int(s.Turn.Due-s.Turn.Started) / 1000
			if limit != want || ViewFor(&s, Spectator).TurnLimit != want {
				t.Errorf("turn %d: got %d s, shown %d, want %d", i, limit, ViewFor(&s, Spectator).TurnLimit, want)
			}
			s = do(t, s, Draw{Seat: s.Turn.Seat, Turn: s.Turn.Number}, noon)
		}
		if got := ViewFor(&s, 0).Seats[1].Extra; got != 30 {
			t.Errorf("others are told %d s, want 30", got)
		}
	})
	for name, extra := range map[string][]int{"for seats that are not there": {0, 0, 0, 5}, "less": {-1},
		"more than an hour": {0, 3601}} {
		t.Run("not "+name, func(t *testing.T) {
			if events, err := start(extra); err == nil {
				t.Errorf("got %v", events)
			}
		})
	}
}
