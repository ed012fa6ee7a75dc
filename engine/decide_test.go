package engine

import (
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

// decided is a test case: a board, a command at a time after noon, and the events or the refusal that it must cause.
type decided struct {
	name    string
	given   string
	change  func(*State)
	when    Command
	after   time.Duration
	then    []string
	refused string
}

func runDecided(t *testing.T, cases []decided) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := board(t, c.given)
			if c.change != nil {
				c.change(&s)
			}
			now := noon + Millis(c.after.Milliseconds())
			events, err := asked(s, c.when, now)
			if err == nil && ByClock(events) && len(c.then) > len(events) { // asks again, as a player would
				var own []Event
				own, err = asked(applyAll(s, events), c.when, now)
				events = append(events, own...)
			}
			if c.refused != "" {
				wantRefusal(t, events, err, c.refused)
				return
			}
			wantEvents(t, nil, err)
			if got := tellOn(s, events); !slices.Equal(got, c.then) {
				t.Errorf("events\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(c.then, "\n     "))
			}
		})
	}
}

const (
	wrcTurn = "wrc turn 7 of B\ntable R4 J R6\nA R1\nB* R5 B9 K9\nC K1\npool O1 O2 O3 O4 O5"
	second  = time.Second
)

func TestTurn(t *testing.T) {
	runDecided(t, []decided{
		{"a draw takes the top tile and passes the turn", wrcTurn, nil, Draw{1, 7}, 10 * second,
			[]string{"tile_drawn: B O1 -> turn 8 of C due 1m10s"}, ""},
		{"after the last seat comes the first", strings.Replace(wrcTurn, "of B", "of C", 1), nil, Draw{2, 7}, 0,
			[]string{"tile_drawn: C O1 -> turn 8 of A due 1m0s"}, ""},
		{"a play lays tiles and passes the turn", wrcTurn, nil, Play{1, 7, asLaid(t, "R4 R5 R6; B9 K9 J")}, 5 * second,
			[]string{"tiles_played: B lays R5 B9 K9 -> turn 7 of B due 1m0s", "game_ended: emptied"}, ""},
		{"a play that leaves a tile passes the turn", wrcTurn, nil, Play{1, 7, asLaid(t, "R4 R5 R6 J")}, 5 * second,
			[]string{"tiles_played: B lays R5 -> turn 8 of C due 1m5s"}, ""},
		{"another seat's turn", wrcTurn, nil, Draw{0, 7}, 0, nil, RefusedNotYourTurn},
		{"a turn that is over", wrcTurn, nil, Draw{1, 6}, 0, nil, RefusedStaleTurn},
		{"a seat that is not there", wrcTurn, nil, Draw{3, 7}, 0, nil, RefusedSeat},
		{"a seat below the first", wrcTurn, nil, Draw{-1, 7}, 0, nil, RefusedSeat},
		{"no pass while the pool holds tiles", wrcTurn, nil, Pass{1, 7}, 0, nil, RefusedPoolNotEmpty},
		{"an unlimited turn has no deadline", strings.Replace(wrcTurn, "wrc", "casual", 1), nil, Draw{1, 7},
			90 * time.Hour,
			[]string{"tile_drawn: B O1 -> turn 8 of C"}, ""},
		{"an unlimited turn never expires", strings.Replace(wrcTurn, "wrc", "casual", 1), nil, disturbed{Expire{}},
			90 * time.Hour, nil, RefusedNotDue},
		{"an opening tells its points", "wrc turn 2 of A\nA R10 B10 K10 R1\nB K1\npool O1", nil,
			Play{0, 2, asLaid(t, "R10 B10 K10")}, 0,
			[]string{"tiles_played: A lays R10 B10 K10 opens with 30 -> turn 3 of B due 1m0s"}, ""},
		{"a time that runs backwards is the last event's", wrcTurn, nil, Draw{1, 7}, -50 * second,
			[]string{"tile_drawn: B O1 -> turn 8 of C due 1m0s"}, ""},
	})
}

func TestPlayRefused(t *testing.T) {
	s := board(t, "wrc turn 2 of A\ntable R4 R5 R6\nA R7 R10 B10 O1\nB* K1\npool O2")
	for _, c := range []struct{ name, table, code string }{
		{"no set", "R4 R5 R6; R10 B10", judge.CodeInvalidSet},
		{"a tile of the table is gone", "", judge.CodeTileLost},
		{"a tile from nowhere", "R4 R5 R6; K3 K4 K5", judge.CodeNotOnRack},
		{"nothing", "R4 R5 R6", judge.CodeNothingPlayed},
		{"the table touched before opening", "R4 R5 R6 R7", judge.CodeTableTouched},
	} {
		t.Run(c.name, func(t *testing.T) {
			events, err := Decide(&s, Play{0, 2, asLaid(t, c.table)}, false, noon.time())
			wantRefusal(t, events, err, c.code)
		})
	}
	t.Run("too few points tell how many", func(t *testing.T) {
		s := board(t, "wrc turn 2 of A\nA R9 B9 K9 O1\nB K1\npool O2")
		events, err := Decide(&s, Play{0, 2, asLaid(t, "R9 B9 K9")}, false, noon.time())
		if r := wantRefusal(t, events, err, judge.CodeMeldShort); r.Points != 27 || r.Need != 30 {
			t.Errorf("%+v", r)
		}
	})
	t.Run("hundreds of tiles are tiles from nowhere", func(t *testing.T) {
		s := board(t, "wrc turn 2 of A\nA* R9 B9 K9 O1\nB K1\npool O2")
		table := slices.Repeat(asLaid(t, "R9 B9 K9"), 257)
		events, err := Decide(&s, Play{0, 2, table}, false, noon.time())
		wantRefusal(t, events, err, judge.CodeNotOnRack)
	})
}

func TestTimeOut(t *testing.T) {
	club := strings.Replace(wrcTurn, "wrc", "club", 1)
	runDecided(t, []decided{
		{"disturbed: the table as it was and three tiles", club, nil, disturbed{Expire{}}, 61*second + time.Millisecond,
			[]string{"turn_expired: B draws [O1 O2 O3] late 1 -> turn 8 of C due 2m1.001s"}, ""},
		{"idle: one tile under club", club, nil, Expire{}, 62 * second,
			[]string{"turn_expired: B draws [O1] late 1000 -> turn 8 of C due 2m2s"}, ""},
		{"idle: three tiles under wrc", wrcTurn, nil, Expire{}, 62 * second,
			[]string{"turn_expired: B draws [O1 O2 O3] late 1000 -> turn 8 of C due 2m2s"}, ""},
		{"before the deadline", club, nil, disturbed{Expire{}}, 59 * second, nil, RefusedNotDue},
		{"within the grace", club, nil, disturbed{Expire{}}, 60*second + time.Millisecond, nil, RefusedNotDue},
		{"at the last millisecond of the grace", club, nil, disturbed{Expire{}}, 61 * second, nil, RefusedNotDue},
		{"a draw at the deadline is in time", club, nil, Draw{1, 7}, 60 * second,
			[]string{"tile_drawn: B O1 -> turn 8 of C due 2m0s"}, ""},
		{"a draw at the last millisecond of the grace counts", club, nil, Draw{1, 7}, 61 * second,
			[]string{"tile_drawn: B O1 late 1000 -> turn 8 of C due 2m1s"}, ""},
		{"a draw a millisecond after the grace is a time-out", club, nil, Draw{1, 7}, 61*second + time.Millisecond,
			[]string{"turn_expired: B draws [O1] late 1 -> turn 8 of C due 2m1.001s"}, ""},
		{"a play after the grace is a time-out with a disturbed table", club, nil, Play{1, 7, asLaid(t, "R4 R5 R6 J")},
			62 * second,
			[]string{"turn_expired: B draws [O1 O2 O3] late 1000 -> turn 8 of C due 2m2s"}, ""},
		{"a play of an earlier turn says nothing of this turn's table", club, nil, Play{1, 4, asLaid(t, "R4 R5 R6 J")},
			62 * second,
			[]string{"turn_expired: B draws [O1] late 1000 -> turn 8 of C due 2m2s"}, ""},
		{"a late play of the table as it was did not disturb it", club, nil, Play{1, 7, asLaid(t, "R4 J R6")},
			62 * second,
			[]string{"turn_expired: B draws [O1] late 1000 -> turn 8 of C due 2m2s"}, ""},
		{"another seat's call comes after the expiry", club, nil, CallReferee{0}, 62 * second,
			[]string{"turn_expired: B draws [O1] late 1000 -> turn 8 of C due 2m2s", "referee_called: A"}, ""},
		{"and not with it", club, nil, CallReferee{0}, 62 * second,
			[]string{"turn_expired: B draws [O1] late 1000 -> turn 8 of C due 2m2s"}, ""},
		{"whoever's command it is, a disturbed table is one", club, nil, disturbed{CallReferee{0}}, 62 * second,
			[]string{"turn_expired: B draws [O1 O2 O3] late 1000 -> turn 8 of C due 2m2s"}, ""},
		{"a pool with fewer gives fewer", strings.Replace(club, "O1 O2 O3 O4 O5", "O1 O2", 1), nil, disturbed{Expire{}},
			62 * second,
			[]string{"turn_expired: B draws [O1 O2] late 1000 -> turn 8 of C due 2m2s left 3"}, ""},
		{"no grace: a millisecond late is late", club, func(s *State) { s.Rules.GraceMillis = 0 }, Draw{1, 7},
			60*second + time.Millisecond,
			[]string{"turn_expired: B draws [O1] late 1 -> turn 8 of C due 2m0.001s"}, ""},
	})
}

func TestIllegalPlayUnderPenalty(t *testing.T) {
	family := "family turn 7 of B\ntable R4 R5 R6\nA R1\nB* R7 B9\nC K1\npool O1 O2 O3 O4"
	runDecided(t, []decided{
		{"the table as it was, three tiles, the turn is over", family, nil, Play{1, 7, asLaid(t, "R4 R5 R6; R7 B9")},
			second,
			[]string{"illegal_played: B invalid_set draws [O1 O2 O3] -> turn 8 of C due 2m1s"}, ""},
		{"nothing played is illegal too", family, nil, Play{1, 7, asLaid(t, "R4 R5 R6")}, second,
			[]string{"illegal_played: B nothing_played draws [O1 O2 O3] -> turn 8 of C due 2m1s"}, ""},
		{"another seat's turn costs nothing", family, nil, Play{0, 7, asLaid(t, "R4 R5 R6; R7 B9")}, second, nil,
			RefusedNotYourTurn},
		{"with an empty pool it is a pass", strings.Replace(family, "O1 O2 O3 O4", "", 1), nil,
			Play{1, 7, asLaid(t, "R4 R5 R6; R7 B9")}, second,
			[]string{"illegal_played: B invalid_set draws [] -> turn 8 of C due 2m1s passes 1"}, ""},
		{"under reject the clock runs on", strings.Replace(family, "family", "club", 1), nil,
			Play{1, 7, asLaid(t, "R4 R5 R6; R7 B9")}, second, nil, judge.CodeInvalidSet},
	})
	s := board(t, family)
	s = do(t, s, Play{1, 7, asLaid(t, "R4 R5 R6; R7 B9")}, noon)
	if got := tableText(s.Table); got != "R4 R5 R6" || len(s.Racks[1]) != 5 {
		t.Errorf("table %s, rack of %d", got, len(s.Racks[1]))
	}
}

func TestLastLap(t *testing.T) {
	wrc := "wrc turn 7 of B\ntable R4 J R6\nA* R1\nB* R5 B9 K9\nC* K1 K2\npool O1"
	runDecided(t, []decided{
		{"the last tile drawn gives everyone one more turn", wrc, nil, Draw{1, 7}, 0,
			[]string{"tile_drawn: B O1 -> turn 8 of C due 1m0s left 3"}, ""},
		{"the last turn of the lap ends the game", strings.Replace(strings.Replace(wrc, "B\n", "B left 1\n", 1), "O1",
			"", 1), nil, Pass{1, 7}, 0,
			[]string{"turn_passed: B -> turn 7 of B due 1m0s left 1", "game_ended: last_lap"}, ""},
		{"an emptied rack in the last lap wins as ever", strings.Replace(strings.Replace(wrc, "B\n", "B left 1\n", 1),
			"O1", "", 1), nil,
			Play{1, 7, asLaid(t, "R4 R5 R6; B9 K9 J")}, 0,
			[]string{"tiles_played: B lays R5 B9 K9 -> turn 7 of B due 1m0s left 1", "game_ended: emptied"}, ""},
		{"no draw from an empty pool", strings.Replace(wrc, "O1", "", 1), nil, Draw{1, 7}, 0, nil, RefusedPoolEmpty},
	})
	s := board(t, wrc)
	s = do(t, s, Draw{1, 7}, noon)
	var order []int
	for s.Phase == PhasePlaying {
		order = append(order, s.Turn.Seat)
		s = do(t, s, Pass{s.Turn.Seat, s.Turn.Number}, noon)
	}
	if !slices.Equal(order, []int{2, 0, 1}) || s.End.Why != ruleset.EndedLastLap {
		t.Errorf("the last lap was %v, ended %s", order, s.End.Why)
	}
}

func TestUntilStuck(t *testing.T) {
	club := func(s *State) { s.Rules.Exhausted = ruleset.UntilStuck }
	// B's R7 fits, so the game is not stuck: all seats have to pass in a row.
	open := "club turn 7 of A passes 0\ntable R4 R5 R6\nA* K1\nB* R7 O1\nC* K3 R8\npool"
	s := board(t, open)
	club(&s)
	var passes []int
	for s.Phase == PhasePlaying {
		passes = append(passes, s.Turn.Passes)
		s = do(t, s, Pass{s.Turn.Seat, s.Turn.Number}, noon)
	}
	if !slices.Equal(passes, []int{0, 1, 2}) || s.End.Why != ruleset.EndedStuck {
		t.Errorf("passes %v, ended %s", passes, s.End.Why)
	}
	t.Run("a play starts the passes anew", func(t *testing.T) {
		s := board(t, strings.Replace(strings.Replace(open, "passes 0", "passes 1", 1), "of A", "of B", 1))
		club(&s)
		events, err := Decide(&s, Play{1, 7, asLaid(t, "R4 R5 R6 R7")}, false, noon.time())
		if err != nil || events[0].(TilesPlayed).Turn.Passes != 0 {
			t.Errorf("%v, %v", tellAll(events), err)
		}
	})
	const freed = "table R4 R5 J; R6 B6 K6 O6\nA* B9 K9\nB* K13\nC* O13\npool O1"
	runDecided(t, []decided{
		{"proven at the start of a turn", "club turn 7 of A\ntable R4 R5 R6\nA* K1\nB* K3\nC* O9\npool O1", club,
			Draw{0, 7}, 0,
			[]string{"tile_drawn: A O1 -> turn 7 of A due 1m0s", "game_ended: stuck"}, ""},
		{"not proven while one who has not opened could open",
			"club turn 7 of A\nA* K1\nB R10 B10 K10 K1\nC* O9\npool O1", club, Draw{0, 7}, 0,
			[]string{"tile_drawn: A O1 -> turn 8 of B due 1m0s"}, ""},
		{"one who has not opened may not extend", "club turn 7 of A\ntable R4 R5 R6\nA* K1\nB R7 K3\nC* O9\npool O1",
			club, Draw{0, 7}, 0,
			[]string{"tile_drawn: A O1 -> turn 7 of A due 1m0s", "game_ended: stuck"}, ""},
		{"one who has just opened may extend from now on", "club turn 7 of A\nA R10 B10 K10 O10 R1\nB* K3\nC* O9\npool",
			club, Play{0, 7, asLaid(t, "R10 B10 K10")}, 0,
			[]string{"tiles_played: A lays R10 B10 K10 opens with 30 -> turn 8 of B due 1m0s"}, ""},
		{"a joker that only the table could replace, under family", "family turn 7 of A\n" + freed, nil, Draw{0, 7}, 0,
			[]string{"tile_drawn: A O1 -> turn 7 of A due 2m0s", "game_ended: stuck"}, ""},
		{"the same where the table may replace it", "casual turn 7 of A\n" + freed, nil, Draw{0, 7}, 0,
			[]string{"tile_drawn: A O1 -> turn 8 of B"}, ""},
		{"the same where nothing need replace it", "wrc-50 turn 7 of A\n" + freed, nil, Draw{0, 7}, 0,
			[]string{"tile_drawn: A O1 -> turn 8 of B due 1m0s"}, ""},
		{"a time-out without tiles is a pass", "club turn 7 of A passes 2\ntable R4 R5 R6\nA* K1\nB* R7\nC* K3\npool",
			club, disturbed{Expire{}}, 62 * second,
			[]string{"turn_expired: A draws [] late 1000 -> turn 7 of A due 1m0s passes 2", "game_ended: stuck"}, ""},
		{"under last_lap nobody is asked whether all are stuck",
			"club turn 7 of A\ntable R4 R5 R6\nA* K1\nB* K3\nC* O9\npool O1", nil, Draw{0, 7}, 0,
			[]string{"tile_drawn: A O1 -> turn 8 of B due 1m0s left 3"}, ""},
	})
}

func TestTimeCalled(t *testing.T) {
	for starter := range 3 {
		for running := range 3 {
			s := board(t, "club turn 7 of A\ntable R4 R5 R6\nA* K1\nB* K3\nC* O9\npool O1 O2 O3 O4 O5 O6")
			s.Starter, s.Turn.Seat = starter, running
			s.Had = hadBy(s, 0)
			var turns [3]int // the turns of the current lap before this one
			for seat := starter; seat != running; seat = (seat + 1) % 3 {
				turns[seat]++
			}
			s = do(t, s, CallTime{Grounds{Reason: "slot over"}}, noon)
			for s.Phase == PhasePlaying {
				turns[s.Turn.Seat]++
				s = do(t, s, Draw{s.Turn.Seat, s.Turn.Number}, noon)
			}
			if turns != [3]int{1, 1, 1} || s.End.Why != ruleset.EndedTimeCalled {
				t.Errorf("starter %d, called in the turn of %d: turns %v, ended %s", starter, running, turns, s.End.Why)
			}
		}
	}
	runDecided(t, []decided{
		{"within the last lap it adds no turns", "club turn 7 of A left 2\nA* K1\nB* K3\npool", nil, CallTime{}, 0,
			[]string{"time_called -> turn 7 of A due 1m0s left 2"}, ""},
		{"the last tile drawn in the called lap gives no further turns",
			"club turn 7 of A left 2\nA* K1\nB* K3\npool O1", nil, Draw{0, 7}, 0,
			[]string{"tile_drawn: A O1 -> turn 8 of B due 1m0s left 1"}, ""},
		{"before the first turn there is no lap", "club turn 0 of A\nA* K1\nB* K3\npool O1",
			func(s *State) { s.Phase = PhaseDealt }, CallTime{}, 0, nil, RefusedNotBegun},
	})
}

func TestPenalty(t *testing.T) {
	wrc := "wrc turn 7 of B\nA R1\nB* R5\nC K1\npool O1 O2 O3"
	runDecided(t, []decided{
		{"draws from the pool, the turn goes on", wrc, nil, Penalise{Grounds: Grounds{Reason: " shouting "}, Seat: 2,
			Tiles: 2}, 5 * second,
			[]string{"penalty_given: C draws [O1 O2] -> turn 7 of B due 1m0s"}, ""},
		{"draining the pool: this turn, then everybody once", wrc, nil,
			Penalise{Grounds: Grounds{Reason: "shouting"}, Seat: 2, Tiles: 5}, 0,
			[]string{"penalty_given: C draws [O1 O2 O3] -> turn 7 of B due 1m0s left 4"}, ""},
		{"draining the pool until stuck has no lap", strings.Replace(wrc, "wrc", "wrc-50", 1), nil,
			Penalise{Grounds: Grounds{Reason: "shouting"}, Seat: 2, Tiles: 3}, 0,
			[]string{"penalty_given: C draws [O1 O2 O3] -> turn 7 of B due 1m0s"}, ""},
		{"an empty pool gives none and changes no lap", strings.NewReplacer("O1 O2 O3", "", "of B",
			"of B left 2").Replace(wrc), nil, Penalise{Grounds: Grounds{Reason: "shouting"}, Seat: 2, Tiles: 3}, 0,
			[]string{"penalty_given: C draws [] -> turn 7 of B due 1m0s left 2"}, ""},
		{"without a reason", wrc, nil, Penalise{Grounds: Grounds{Reason: "  "}, Seat: 2, Tiles: 2}, 0, nil,
			RefusedReason},
		{"no tiles is a notice", wrc, nil, Penalise{Grounds: Grounds{Reason: "x"}, Seat: 2, Tiles: 0}, 0,
			[]string{"notice_given: C"}, ""},
		{"fewer than none", wrc, nil, Penalise{Grounds: Grounds{Reason: "x"}, Seat: 2, Tiles: -1}, 0, nil,
			RefusedAmount},
		{"too many tiles", wrc, nil, Penalise{Grounds: Grounds{Reason: "x"}, Seat: 2, Tiles: 21}, 0, nil,
			RefusedAmount},
		{"no such seat", wrc, nil, Penalise{Grounds: Grounds{Reason: "x"}, Seat: 3, Tiles: 1}, 0, nil, RefusedSeat},
	})
}

func TestLeftovers(t *testing.T) {
	rack := "wrc turn 7 of B\ntable R4 R5 R6 R7; K5 O5 B5\nA R1\nB* R9\npool O1 O2 O3 O4"
	pool := strings.Replace(rack, "wrc", "wrc-50", 1)
	ruling := func(tiles, stays string) RuleLeftovers {
		faces, _ := tile.ParseFaces(tiles)
		return RuleLeftovers{Grounds: Grounds{Reason: "fell over"}, Seat: 1, Tiles: faces, Table: asLaid(t, stays)}
	}
	runDecided(t, []decided{
		{"to the rack", rack, nil, ruling("R7 K5 O5 B5", "R4 R5 R6"), 0,
			[]string{"leftovers_ruled: R7 K5 O5 B5 of B; table R4 R5 R6; rack R9 R7 K5 O5 B5; pool O1 O2 O3 O4 -> turn 8 of B due 1m0s"}, ""},
		{"to the pool's bottom, as many from its top", pool, nil, ruling("R7", "R4 R5 R6; K5 O5 B5"), 0,
			[]string{"leftovers_ruled: R7 of B; table R4 R5 R6; K5 O5 B5; rack R9 O1; pool O2 O3 O4 R7 -> turn 8 of B due 1m0s"}, ""},
		{"to an empty pool and back", strings.Replace(pool, "O1 O2 O3 O4", "", 1), nil,
			ruling("R7", "R4 R5 R6; K5 O5 B5"), 0,
			[]string{"leftovers_ruled: R7 of B; table R4 R5 R6; K5 O5 B5; rack R9 R7; pool  -> turn 8 of B due 1m0s"},
			""},
		{"the whole table", rack, nil, ruling("R4 R5 R6 R7 K5 O5 B5", ""), 0,
			[]string{"leftovers_ruled: R4 R5 R6 R7 K5 O5 B5 of B; table ; rack R9 R4 R5 R6 R7 K5 O5 B5; pool O1 O2 O3 O4 -> turn 8 of B due 1m0s"}, ""},
		{"what stays must be sets", rack, nil, ruling("R6 R7", "R4 R5; K5 O5 B5"), 0, nil, judge.CodeInvalidSet},
		{"a tile is missing", rack, nil, ruling("R7", "R4 R5 R6"), 0, nil, RefusedLeftovers},
		{"a tile is not of the table", rack, nil, ruling("R7 R9", "R4 R5 R6; K5 O5 B5"), 0, nil, RefusedLeftovers},
		{"no tile named", rack, nil, ruling("", "R4 R5 R6 R7; K5 O5 B5"), 0, nil, RefusedLeftovers},
		{"a reason is missing", rack, nil, RuleLeftovers{Seat: 1, Tiles: []tile.Face{19},
			Table: asLaid(t, "R4 R5 R6; K5 O5 B5")}, 0, nil, RefusedReason},
	})
	t.Run("a play made before the ruling is stale", func(t *testing.T) {
		s := do(t, board(t, rack), ruling("R7", "R4 R5 R6; K5 O5 B5"), noon)
		events, err := Decide(&s, Draw{1, 7}, false, noon.time())
		wantRefusal(t, events, err, RefusedStaleTurn)
	})
	t.Run("hundreds of tiles are not the table's", func(t *testing.T) {
		c := ruling("R7", "R4 R5 R6; K5 O5 B5")
		c.Tiles = append(slices.Repeat([]tile.Face{19}, 256), c.Tiles...)
		events, err := Decide(new(board(t, rack)), c, false, noon.time())
		wantRefusal(t, events, err, RefusedLeftovers)
	})
}

func TestTieSharesTheWin(t *testing.T) {
	s := do(t, board(t, "club turn 7 of C left 1\ntable R4 R5 R6\nA* K5\nB* O5\nC* K9\npool"), Pass{2, 7}, noon)
	o := s.End.Outcome
	if !slices.Equal(o.Wins, []score.Twelfth{6, 6, 0}) || !slices.Equal(o.Points,
		[]score.Twelfth{score.Whole(2), score.Whole(2), score.Whole(-4)}) {
		t.Errorf("wins %v, points %v", o.Wins, o.Points)
	}
}

func TestGameOver(t *testing.T) {
	s := do(t, board(t, "club turn 7 of A left 1\nA* K5\nB* O6\npool"), Pass{0, 7}, noon)
	for _, c := range []Command{Draw{1, 8}, Play{1, 8, nil}, disturbed{Expire{}},
		Penalise{Grounds: Grounds{Reason: "x"}, Seat: 1, Tiles: 1}, GiveTime{Seconds: 5}, PauseClock{}, Resume{},
		CallTime{},
		RuleLeftovers{}, Outage{}, Ready{}, Redeal{}} {
		events, err := asked(s, c, noon)
		wantRefusal(t, events, err, RefusedGameOver)
	}
	for _, c := range []struct {
		cmd  Command
		want string
	}{
		{CallReferee{1}, "referee_called: B"}, {AcknowledgeCall{1, "Anna"}, "call_acknowledged: B by Anna"},
		{AnswerCall{1, "Anna"}, "call_answered: B by Anna"},
	} {
		events, err := Decide(&s, c.cmd, false, noon.time())
		wantEvents(t, events, err, c.want)
		s = applyAll(s, events)
	}
}
