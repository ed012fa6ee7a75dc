package engine

import (
	"strings"
	"testing"
	"time"
)

func paused(why string, left, resume Millis) func(*State) {
	return func(s *State) { s.Paused = &Pause{Why: why, Left: left, ResumeAt: resume} }
}

func TestPause(t *testing.T) {
	casual := strings.Replace(wrcTurn, "wrc", "casual", 1)
	stopped := paused(PausedByReferee, 40_000, 0)
	runDecided(t, []decided{
		{"keeps what the turn has left", wrcTurn, nil, PauseClock{Grounds{Reason: "question"}}, 20 * second,
			[]string{"game_paused: referee, 40000 left"}, ""},
		{"within the grace nothing is left", wrcTurn, nil, PauseClock{}, 60*second + time.Millisecond,
			[]string{"game_paused: referee, 0 left"}, ""},
		{"after the deadline the expiry comes first", wrcTurn, nil, PauseClock{}, 62 * second,
			[]string{"turn_expired: B draws [O1 O2 O3] late 1000 -> turn 8 of C due 2m2s",
				"game_paused: referee, 60000 left"}, ""},
		{"without a limit", casual, nil, PauseClock{}, 20 * second, []string{"game_paused: referee, 0 left"}, ""},
		{"not twice", wrcTurn, stopped, PauseClock{}, 20 * second, nil, RefusedPaused},
		{"resuming begins with a countdown", wrcTurn, stopped, Resume{}, 300 * second,
			[]string{"resume_set: 40000 left until 5m3s"}, ""},
		{"which ends by itself", wrcTurn, paused(PausedByReferee, 40_000, noon+303_000), Expire{}, 303*second +
			time.Millisecond, []string{"game_resumed -> turn 7 of B due 5m43.001s"}, ""},
		{"not twice", wrcTurn, paused(PausedByReferee, 40_000, noon+303_000), Resume{}, 301 * second, nil,
			RefusedNotPaused},
		{"stopped again in the countdown", wrcTurn, paused(PausedByReferee, 40_000, noon+303_000), PauseClock{},
			301 * second, []string{"game_paused: referee, 40000 left"}, ""},
		{"nobody plays in the countdown", wrcTurn, paused(PausedByReferee, 40_000, noon+303_000), Draw{1, 7},
			301 * second, nil, RefusedPaused},
		{"without a limit too", casual, paused(PausedByReferee, 0, 0), Resume{}, 300 * second,
			[]string{"resume_set: 0 left until 5m3s"}, ""},
		{"nothing to resume", wrcTurn, nil, Resume{}, second, nil, RefusedNotPaused},
		{"no draw meanwhile", wrcTurn, stopped, Draw{1, 7}, second, nil, RefusedPaused},
		{"no play meanwhile", wrcTurn, stopped, Play{1, 7, asLaid(t, "R4 R5 R6 J")}, second, nil, RefusedPaused},
		{"no expiry meanwhile", wrcTurn, stopped, disturbed{Expire{}}, time.Hour, nil, RefusedNotDue},
		{"a penalty is given meanwhile", wrcTurn, stopped, Penalise{Grounds: Grounds{Reason: "x"}, Seat: 0, Tiles: 1},
			time.Hour, []string{"penalty_given: A draws [O1] -> turn 7 of B due 1m0s"}, ""},
	})
}

func TestOutage(t *testing.T) {
	back := noon + 100_000
	runDecided(t, []decided{
		{"gives back what the turn had left, after ten seconds", wrcTurn, nil, Outage{noon + 20_000}, 100 * second,
			[]string{"game_paused: outage, 40000 left until 1m50s"}, ""},
		{"at least fifteen seconds", wrcTurn, nil, Outage{noon + 58_000}, 100 * second,
			[]string{"game_paused: outage, 15000 left until 1m50s"}, ""},
		{"at least fifteen when the turn had run out unnoticed", wrcTurn, nil, Outage{noon + 65_000}, 100 * second,
			[]string{"game_paused: outage, 15000 left until 1m50s"}, ""},
		{"never more than the whole turn", wrcTurn, nil, Outage{0}, 100 * second,
			[]string{"game_paused: outage, 60000 left until 1m50s"}, ""},
		{"a turn shorter than fifteen seconds gets fifteen", wrcTurn, func(s *State) { s.Turn.Due = noon + 5000 },
			Outage{noon}, 100 * second,
			[]string{"game_paused: outage, 15000 left until 1m50s"}, ""},
		{"down again during the countdown", wrcTurn, paused(PausedByOutage, 40_000, noon+30_000), Outage{noon + 25_000},
			100 * second,
			[]string{"game_paused: outage, 40000 left until 1m50s"}, ""},
		{"down in the countdown of a referee", wrcTurn, paused(PausedByReferee, 40_000, noon+3000), Outage{noon + 1000},
			100 * second,
			[]string{"game_paused: outage, 40000 left until 1m50s"}, ""},
		{"a referee's pause stays", wrcTurn, paused(PausedByReferee, 40_000, 0), Outage{noon}, 100 * second, nil,
			RefusedNotDue},
		{"no limit, nothing to give", strings.Replace(wrcTurn, "wrc", "casual", 1), nil, Outage{noon}, 100 * second,
			nil, RefusedNotDue},
		{"the countdown ends by itself", wrcTurn, paused(PausedByOutage, 40_000, back+10_000), disturbed{Expire{}},
			110*second + time.Millisecond,
			[]string{"game_resumed -> turn 7 of B due 2m30.001s"}, ""},
		{"not before", wrcTurn, paused(PausedByOutage, 40_000, back+10_000), disturbed{Expire{}}, 110 * second, nil,
			RefusedNotDue},
		{"a draw after the countdown resumes and draws", wrcTurn, paused(PausedByOutage, 40_000, back+10_000),
			Draw{1, 7}, 120 * second,
			[]string{"game_resumed -> turn 7 of B due 2m40s", "tile_drawn: B O1 -> turn 8 of C due 3m0s"}, ""},
		{"a referee may stop the clock in the countdown", wrcTurn, paused(PausedByOutage, 40_000, back+10_000),
			PauseClock{}, 105 * second,
			[]string{"game_paused: referee, 40000 left"}, ""},
	})
}

func TestGiveTime(t *testing.T) {
	runDecided(t, []decided{
		{"moves the deadline", wrcTurn, nil, GiveTime{Grounds: Grounds{Reason: "slow"}, Seconds: 30}, 5 * second,
			[]string{"time_given: 30 s -> turn 7 of B due 1m30s"}, ""},
		{"takes time, but none that has passed", wrcTurn, nil, GiveTime{Grounds: Grounds{Reason: "x"}, Seconds: -59},
			5 * second, []string{"time_given: -59 s -> turn 7 of B due 5s"}, ""},
		{"not without a limit", strings.Replace(wrcTurn, "wrc", "casual", 1), nil,
			GiveTime{Grounds: Grounds{}, Seconds: 30}, second, nil, RefusedNoLimit},
		{"not nothing", wrcTurn, nil, GiveTime{Grounds: Grounds{}, Seconds: 0}, second, nil, RefusedAmount},
		{"not more than an hour", wrcTurn, nil, GiveTime{Grounds: Grounds{}, Seconds: 3601}, second, nil,
			RefusedAmount},
	})
	t.Run("in a pause it is there when the clock runs again", func(t *testing.T) {
		s := do(t, board(t, wrcTurn), PauseClock{}, noon+20_000)
		s = do(t, s, GiveTime{Grounds: Grounds{Reason: "x"}, Seconds: 30}, noon+30_000)
		s = do(t, s, Resume{}, noon+197_000)
		if s = do(t, s, Expire{}, noon+200_001); s.Turn.Due != noon+270_001 {
			t.Errorf("due after %d ms", s.Turn.Due-noon)
		}
	})
}

func TestCalls(t *testing.T) {
	called := func(s *State) { s.Calls[2] = Call{Since: noon} }
	coming := func(s *State) { s.Calls[2] = Call{Since: noon, Coming: noon, By: "Anna"} }
	answered := func(s *State) { s.Calls[2] = Call{Since: noon, Coming: noon, Answered: noon, By: "Anna"} }
	runDecided(t, []decided{
		{"a seat calls, its turn or not", wrcTurn, nil, CallReferee{2}, second, []string{"referee_called: C"}, ""},
		{"once", wrcTurn, called, CallReferee{2}, second, nil, RefusedAlreadyCalled},
		{"answered", wrcTurn, called, AnswerCall{2, "Anna"}, second, []string{"call_answered: C by Anna"}, ""},
		{"answered without a word before, or after one", wrcTurn, coming, AnswerCall{2, "Ben"}, second,
			[]string{"call_answered: C by Ben"}, ""},
		{"acknowledged", wrcTurn, called, AcknowledgeCall{2, "Anna"}, second, []string{"call_acknowledged: C by Anna"},
			""},
		{"one official takes a call", wrcTurn, coming, AcknowledgeCall{2, "Ben"}, second, nil, RefusedCallTaken},
		{"withdrawn", wrcTurn, called, WithdrawCall{2}, second, []string{"call_withdrawn: C"}, ""},
		{"withdrawn while one is on the way", wrcTurn, coming, WithdrawCall{2}, second, nil, RefusedCallComing},
		{"withdrawn without a call", wrcTurn, nil, WithdrawCall{2}, second, nil, RefusedNotCalled},
		{"withdrawn once it was answered", wrcTurn, answered, WithdrawCall{2}, second, nil, RefusedNotCalled},
		{"called again while one is on the way", wrcTurn, coming, CallReferee{2}, second, nil, RefusedAlreadyCalled},
		{"called again once it was answered", wrcTurn, answered, CallReferee{2}, second, []string{"referee_called: C"},
			""},
		{"answered is answered", wrcTurn, answered, AnswerCall{2, ""}, second, nil, RefusedNotCalled},
		{"nothing to acknowledge any more", wrcTurn, answered, AcknowledgeCall{2, ""}, second, nil, RefusedNotCalled},
		{"nobody called", wrcTurn, nil, AnswerCall{2, ""}, second, nil, RefusedNotCalled},
		{"nobody called anybody", wrcTurn, nil, AcknowledgeCall{2, ""}, second, nil, RefusedNotCalled},
		{"no such seat to go to", wrcTurn, nil, AcknowledgeCall{3, ""}, second, nil, RefusedSeat},
		{"no such seat", wrcTurn, nil, CallReferee{3}, second, nil, RefusedSeat},
	})
}
