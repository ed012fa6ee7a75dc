package engine

import (
	"slices"
	"strings"
	"testing"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

// why holds the grounds of the rulings in these tests.
var why = Grounds{Reason: "as seen", Rule: "4.2", By: "Anna"}

const threeSeats = "wrc turn 7 of B\ntable R4 R5 R6 R7; K5 O5 B5\nA* J B2 K9\nB* R5 B9\nC K1 K2\npool O1 O2 O3 O4 O6 O7"

func TestTurnRulings(t *testing.T) {
	lap := strings.Replace(threeSeats, "of B", "of B left 5", 1)
	stopped := paused(PausedByReferee, 40_000, 0)
	runDecided(t, []decided{
		{"a skipped turn draws nothing", threeSeats, nil, SkipTurn{why, 7}, second,
			[]string{"turn_skipped: B -> turn 8 of C due 1m1s"}, ""},
		{"a turn that is over is not skipped", threeSeats, nil, SkipTurn{why, 6}, second, nil, RefusedStaleTurn},
		{"after the deadline the skip finds another turn", threeSeats, nil, SkipTurn{why, 7}, 62 * second,
			[]string{"turn_expired: B draws [O1 O2 O3] late 1000 -> turn 8 of C due 2m2s"}, ""},
		{"an illegal play costs the turn and the tiles", threeSeats, nil, RuleIllegal{why, 7, 2, nil}, second,
			[]string{"illegal_ruled: B draws [O1 O2] -> turn 8 of C due 1m1s"}, ""},
		{"or no tiles", threeSeats, nil, RuleIllegal{why, 7, 0, nil}, second,
			[]string{"illegal_ruled: B draws [] -> turn 8 of C due 1m1s"}, ""},
		{"not minus one", threeSeats, nil, RuleIllegal{why, 7, -1, nil}, second, nil, RefusedAmount},
		{"without a reason nothing is ruled", threeSeats, nil, SkipTurn{Grounds{}, 7}, second, nil, RefusedReason},
		{"a redeal is not granted once tiles lie", threeSeats, nil, GrantRedeal{Grounds: why, Seat: 1}, second, nil,
			RefusedTilesLie},
		{"a redeal that nobody may ask is not refused", threeSeats, nil, RefuseRedeal{why, 1}, second, nil,
			RefusedRedealRight},
		{"a forfeit in the own turn passes it on", threeSeats, nil, ForfeitSeat{why, 1, false}, second,
			[]string{"seat_forfeited: B -> turn 8 of C due 1m1s"}, ""},
		{"a forfeit out of turn leaves it", threeSeats, nil, ForfeitSeat{why, 0, true}, second,
			[]string{"seat_forfeited: A -> turn 7 of B due 1m0s"}, ""},
		{"in the last laps its turns are gone", lap, nil, ForfeitSeat{why, 2, false}, second,
			[]string{"seat_forfeited: C -> turn 7 of B due 1m0s left 3"}, ""},
		{"a clock that stands keeps standing for the next turn", threeSeats, stopped, SkipTurn{why, 7}, second,
			[]string{"turn_skipped: B -> turn 8 of C due 1m1s"}, ""},
	})
	t.Run("the last seat that plays has won", func(t *testing.T) {
		s := do(t, board(t, threeSeats), ForfeitSeat{why, 1, false}, noon)
		s = do(t, s, ForfeitSeat{why, 2, true}, noon)
		if s.Phase != PhaseOver || s.End.Why != ruleset.EndedForfeit ||
			!slices.Equal(s.End.Outcome.Wins, []score.Twelfth{12, 0, 0}) {
			t.Fatalf("got %+v", s.End)
		}
		if want := []score.Twelfth{score.Whole(114), score.Whole(-14),
			score.Whole(-100)}; !slices.Equal(s.End.Outcome.Points, want) {
			t.Errorf("got %v, want %v", s.End.Outcome.Points, want)
		}
	})
	t.Run("who plays no more has no turn, and cannot win with the lowest charge", func(t *testing.T) {
		s := board(t, "wrc turn 7 of B left 2\nA* K1\nB* R5 B9\nC* K10\npool")
		s = do(t, s, ForfeitSeat{why, 0, false}, noon)
		if s = do(t, s, Pass{1, 7}, noon); s.Turn.Seat != 2 {
			t.Fatalf("turn of %d", s.Turn.Seat)
		}
		if s = do(t, s, Pass{2, 8}, noon); s.Phase != PhaseOver ||
			!slices.Equal(s.End.Outcome.Wins, []score.Twelfth{0, 0, 12}) {
			t.Fatalf("got %+v", s.End)
		}
		if want := []score.Twelfth{0, score.Whole(-4), 0}; !slices.Equal(s.End.Outcome.Points, want) {
			t.Errorf("got %v, want %v", s.End.Outcome.Points, want)
		}
	})
	t.Run("a skip in a pause gives the next turn its whole time", func(t *testing.T) {
		s := board(t, threeSeats)
		stopped(&s)
		s = do(t, s, SkipTurn{why, 7}, noon+1000)
		if s.Paused == nil || s.Paused.Left != 60_000 || s.Turn.Seat != 2 {
			t.Errorf("got %+v, turn %+v", s.Paused, s.Turn)
		}
	})
}

func TestRulingsKnowEachOther(t *testing.T) {
	s := board(t, threeSeats)
	seen := why
	seen.Seen = 1
	s.Seq = 1
	s = do(t, s, Warn{seen, 2}, noon)
	if got := s.Rulings.Warnings(); got != [ruleset.MaxSeats]int{0, 0, 1} {
		t.Fatalf("got %v", got)
	}
	events, err := Decide(&s, Penalise{Grounds: seen, Seat: 2, Tiles: 3}, false, noon.time())
	wantRefusal(t, events, err, RefusedRuledSince)
	seen.Seen = s.Seq
	s = do(t, s, Penalise{Grounds: seen, Seat: 2, Tiles: 3}, noon)
	t.Run("a player's move in between does not matter", func(t *testing.T) {
		seen.Seen = s.Seq
		do(t, do(t, s, Draw{1, 7}, noon), Warn{seen, 1}, noon)
	})
}

func TestPenaltiesAreProposed(t *testing.T) {
	proposed := func(s *State) { s.Rules.Penalties = ruleset.Proposed; s.Rules.IllegalPlay = ruleset.Penalty }
	runDecided(t, []decided{
		{"after a time-out with the table disturbed", threeSeats, proposed, disturbed{Expire{}}, 62 * second,
			[]string{"turn_expired: B draws [] late 1000 -> turn 8 of C due 2m2s", "penalty_proposed: B 3 for timeout"},
			""},
		{"after an illegal play", threeSeats, proposed, Play{1, 7, asLaid(t, "R4 R5")}, second,
			[]string{"illegal_played: B invalid_set draws [] -> turn 8 of C due 1m1s",
				"penalty_proposed: B 3 for illegal"}, ""},
		{"not where the game is over with it", "wrc turn 7 of B left 1\nA* K1\nB* R5\npool", proposed, Expire{},
			62 * second,
			[]string{"turn_expired: B draws [] late 1000 -> turn 7 of B due 1m0s left 1", "game_ended: last_lap"}, ""},
		{"none waits", threeSeats, nil, WaivePenalty{why, 1}, second, nil, RefusedNoProposal},
	})
	s := board(t, threeSeats)
	proposed(&s)
	s = do(t, s, disturbed{Expire{}}, noon+62_000)
	seq := s.Rulings.Undecided()[0].Seq
	for _, c := range []struct {
		name  string
		cmd   Command
		event string
	}{
		{"confirmed", Penalise{why, 1, 3, seq}, "penalty_given: B draws [O1 O2 O3] -> turn 8 of C due 2m2s"},
		{"changed", Penalise{why, 1, 1, seq}, "penalty_given: B draws [O1] -> turn 8 of C due 2m2s"},
		{"a notice instead", Penalise{why, 1, 0, seq}, "notice_given: B"},
		{"waived", WaivePenalty{why, seq}, "penalty_waived: B, seq 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			events, err := Decide(&s, c.cmd, false, (noon + 63_000).time())
			wantEvents(t, events, err, c.event)
			after := applyAll(s, events)
			events, err = Decide(&after, c.cmd, false, (noon + 63_000).time())
			wantRefusal(t, events, err, RefusedNoProposal)
		})
	}
	t.Run("for another seat", func(t *testing.T) {
		events, err := Decide(&s, Penalise{why, 0, 3, seq}, false, (noon + 63_000).time())
		wantRefusal(t, events, err, RefusedSeat)
	})
}

func TestCancelled(t *testing.T) {
	cancel := func(seq int) CancelRuling { return CancelRuling{why, seq} }
	begin := board(t, threeSeats)
	for _, c := range []struct {
		name  string
		rules Command
		check func(State) bool
	}{
		{"penalty tiles go back to where they lay", Penalise{Grounds: why, Seat: 2, Tiles: 2}, func(s State) bool {
			return facesText(s.Pool) == "O1 O2 O3 O4 O6 O7" && facesText(s.Racks[2]) == "K1 K2" && penalties(s)[2] == 0
		}},
		{"a warning is counted no more", Warn{why, 1}, func(s State) bool { return s.Rulings.Warnings()[1] == 0 }},
		{"time that was given", GiveTime{why, 30}, func(s State) bool { return s.Turn.Due == noon+60_000 }},
		{"time that was called", CallTime{why}, func(s State) bool { return !s.TimeOver && s.TurnsLeft() == 0 }},
		{"a forfeit", ForfeitSeat{why, 2, false}, func(s State) bool { return !s.Out[2] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := do(t, begin, c.rules, noon)
			seq := s.Rulings.All[0].Seq
			if c.check(s) {
				t.Fatal("the ruling did nothing")
			}
			s = do(t, s, cancel(seq), noon)
			if !c.check(s) || len(s.Rulings.All) != 2 || s.Rulings.All[0].Cancelled != s.Rulings.All[1].Seq ||
				s.Rulings.All[1].Of != seq {
				t.Errorf("got %+v", s)
			}
			events, err := Decide(&s, cancel(seq), false, noon.time())
			wantRefusal(t, events, err, RefusedNoRuling)
		})
	}
	t.Run("of penalty tiles those that lie on the table stay there", func(t *testing.T) {
		s := do(t, board(t, "wrc turn 7 of B\ntable R4 R5 R6\nA* K9\nB* B9\npool R7 O2 O3"),
			Penalise{Grounds: why, Seat: 1, Tiles: 2}, noon)
		s = do(t, s, Play{1, 7, asLaid(t, "R4 R5 R6 R7")}, noon)
		if s = do(t, s, cancel(1), noon); facesText(s.Racks[1]) != "B9" || facesText(s.Pool) != "O2 O3" {
			t.Errorf("rack %s, pool %s", facesText(s.Racks[1]), facesText(s.Pool))
		}
	})
	t.Run("once others have drawn, penalty tiles go back under the pool", func(t *testing.T) {
		s := do(t, do(t, begin, Penalise{Grounds: why, Seat: 2, Tiles: 2}, noon), Draw{1, 7}, noon)
		if s = do(t, s, cancel(1), noon); facesText(s.Pool) != "O4 O6 O7 O1 O2" {
			t.Errorf("pool %s", facesText(s.Pool))
		}
	})
	t.Run("too late", func(t *testing.T) {
		s := do(t, begin, GiveTime{why, 30}, noon)
		s = do(t, s, SkipTurn{why, 7}, noon)
		for _, r := range s.Rulings.All { // time in a turn that is over; a skip, which a rewind undoes
			events, err := Decide(&s, cancel(r.Seq), false, noon.time())
			wantRefusal(t, events, err, RefusedCancelLate)
		}
	})
	t.Run("a refused redeal", func(t *testing.T) {
		s := board(t, "wrc turn 0 of A\nA K1 K1 K2 K2 K3 K3\nB R1\npool O1")
		s.Phase, s.Doubles[0] = PhaseDealt, true
		s = do(t, s, RefuseRedeal{why, 0}, noon)
		events, err := Decide(&s, Redeal{Seat: 0}, false, noon.time())
		wantRefusal(t, events, err, RefusedRedealRefused)
		if s = do(t, s, cancel(1), noon); !s.MayRedeal(0) {
			t.Error("the right has not come back")
		}
	})
}

// TestIllegalPlayFoundLater rules turn 7 an illegal play while turn 9 runs: the tiles of both turns go back, the seat
// draws the penalty, and the turn after it is played again.
func TestIllegalPlayFoundLater(t *testing.T) {
	for name, start := range map[string]State{"on tablets": board(t, threeSeats),
		"with real tiles": do(t, do(t, State{},
			Start{Rules: presetRules(t, "wrc"), Seats: 3, First: 1, Physical: true}, noon),
			Ready{Seat: Everybody}, noon)} {
		t.Run(name, func(t *testing.T) {
			physical, seat := start.Physical, start.Turn.Seat
			s, turn := start, start.Turn.Number
			for range 2 {
				if at := s.Turn; physical {
					s = do(t, s, EndTurn{Seat: at.Seat, Turn: at.Number}, noon)
				} else {
					s = do(t, s, Draw{at.Seat, at.Number}, noon)
				}
			}
			late := RuleIllegal{why, turn, 2, &start}
			events, err := Decide(&s, late, false, (noon + 5000).time())
			if err != nil || len(events) != 2 {
				t.Fatalf("%v %v", events, err)
			}
			s = do(t, s, late, noon+5000)
			if next := start.seatAfter(seat); s.Turn.Seat != next || s.Turn.Due != noon+65_000 {
				t.Errorf("turn %+v, want seat %d", s.Turn, next)
			}
			if !physical && (facesText(s.Racks[1]) != "R5 B9 O1 O2" || facesText(s.Racks[2]) != "K1 K2" ||
				facesText(s.Pool) != "O3 O4 O6 O7") {
				t.Errorf("racks %v, pool %s", s.Racks, facesText(s.Pool))
			}
			if r := s.Rulings.All; len(r) != 2 || r[0].To != turn || r[1].Seat != seat || r[1].Tiles != 2 {
				t.Errorf("rulings %+v", r)
			}
			events, err = Decide(&s, RuleIllegal{why, 99, 2, &State{}}, false, noon.time())
			wantRefusal(t, events, err, RefusedRewind)
		})
	}
}

func TestRewind(t *testing.T) {
	start := board(t, threeSeats)
	s := do(t, start, Penalise{Grounds: why, Seat: 2, Tiles: 1}, noon) // O1
	s = do(t, s, Draw{1, 7}, noon)                                     // O2
	s = do(t, s, Penalise{Grounds: why, Seat: 0, Tiles: 2}, noon)      // O3 O4
	s = do(t, s, SkipTurn{why, 8}, noon)
	after := s
	s = do(t, s, Rewind{why, 7, start}, noon+5000)
	if s.Turn != (Turn{Number: 10, Seat: 1, Started: noon + 5000, Due: noon + 65_000}) {
		t.Errorf("turn %+v", s.Turn)
	}
	if facesText(s.Racks[2]) != "K1 K2 O1" || facesText(s.Racks[0]) != "J B2 K9 O2 O3" ||
		facesText(s.Racks[1]) != "R5 B9" || facesText(s.Pool) != "O4 O6 O7" {
		t.Errorf("racks %v, pool %s", s.Racks, facesText(s.Pool))
	}
	if penalties(s) != [ruleset.MaxSeats]int{2, 0, 1} || s.Rulings.All[2].Cancelled != s.Seq ||
		s.Rulings.All[0].Cancelled != 0 {
		t.Errorf("penalties %v, rulings %+v", penalties(s), s.Rulings.All)
	}
	t.Run("a penalty that was drawn again is taken back as it was drawn", func(t *testing.T) {
		if s := do(t, s, CancelRuling{why, s.Rulings.All[1].Seq}, noon); facesText(s.Pool) != "O4 O6 O7 O2 O3" {
			t.Errorf("pool %s", facesText(s.Pool))
		}
	})
	t.Run("a penalty that was taken back stays so", func(t *testing.T) {
		s := do(t, start, Penalise{Grounds: why, Seat: 2, Tiles: 1}, noon)
		s = do(t, s, Draw{1, 7}, noon)
		to := s
		s = do(t, s, CancelRuling{why, s.Rulings.All[0].Seq}, noon)
		if s = do(t, s, Rewind{why, 8, to}, noon); facesText(s.Racks[2]) != "K1 K2" ||
			facesText(s.Pool) != "O3 O4 O6 O7 O1" {
			t.Errorf("rack %s, pool %s", facesText(s.Racks[2]), facesText(s.Pool))
		}
	})
	for name, c := range map[string]struct {
		cmd  Rewind
		code string
	}{
		"a turn that never was": {Rewind{why, 3, State{}}, RefusedRewind},
		"another turn's state":  {Rewind{why, 8, start}, RefusedRewind},
		"another deal":          {Rewind{why, 7, func() State { s := start; s.Deal++; return s }()}, RefusedRewind},
	} {
		t.Run(name, func(t *testing.T) {
			events, err := Decide(&after, c.cmd, false, noon.time())
			wantRefusal(t, events, err, c.code)
		})
	}
	t.Run("not to a seat that plays no more", func(t *testing.T) {
		s := do(t, after, ForfeitSeat{why, 1, false}, noon)
		events, err := Decide(&s, Rewind{why, 7, start}, false, noon.time())
		wantRefusal(t, events, err, RefusedSeatOut)
	})
}

func TestSetPosition(t *testing.T) {
	faces := func(text string) []tile.Face {
		f, err := tile.ParseFaces(text)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	runDecided(t, []decided{
		{"a tile from the pool lies on the table", threeSeats, nil,
			SetPosition{why, 2, asLaid(t, "R4 R5 R6 R7; K5 O5 B5; O1 O2 O3"), nil}, second,
			[]string{"position_set: table R4 R5 R6 R7; K5 O5 B5; O1 O2 O3; pool O4 O6 O7 -> turn 8 of C due 1m1s"}, ""},
		{"what is named nowhere goes under the pool", threeSeats, nil, SetPosition{why, 0, asLaid(t, "R4 R5 R6"), nil},
			second,
			[]string{"position_set: table R4 R5 R6; pool O1 O2 O3 O4 O6 O7 R7 K5 O5 B5 -> turn 8 of A due 1m1s"}, ""},
		{"a rack that is named anew", threeSeats, nil, SetPosition{why, 0, asLaid(t, "R4 R5 R6; K5 O5 B5"),
			[][]tile.Face{nil, faces("R7 R5 O7")}}, second,
			[]string{"position_set: table R4 R5 R6; K5 O5 B5; pool O1 O2 O3 O4 O6 B9 -> turn 8 of A due 1m1s"}, ""},
		{"a tile of a rack that stays is not there", threeSeats, nil,
			SetPosition{why, 0, asLaid(t, "R4 R5 R6 R7; B9 B9 B9"), nil}, second, nil, judge.CodeInvalidSet},
		{"more tiles than there are", threeSeats, nil, SetPosition{why, 0, asLaid(t, "R4 R5 R6 R7; K5 O5 B5"),
			[][]tile.Face{faces("K9 K9")}}, second, nil, RefusedPosition},
		{"an empty rack", threeSeats, nil, SetPosition{why, 0, asLaid(t, "R4 R5 R6 R7; K5 O5 B5"), [][]tile.Face{{}}},
			second, nil, RefusedPosition},
		{"too many racks", threeSeats, nil, SetPosition{why, 0, nil, make([][]tile.Face, 4)}, second, nil,
			RefusedPosition},
	})
	s := do(t, board(t, threeSeats), SetPosition{why, 0, asLaid(t, "R4 R5 R6; K5 O5 B5"),
		[][]tile.Face{nil, faces("R7 R5 O7")}}, noon)
	if got := facesText(s.Racks[1]); got != "R7 R5 O7" || facesText(s.Racks[0]) != "J B2 K9" {
		t.Errorf("racks %s and %s", got, facesText(s.Racks[0]))
	}
}

// penalties returns the penalty tiles in force in the running deal, by seat.
func penalties(s State) [ruleset.MaxSeats]int { return s.Rulings.Penalties(s.Deal) }
