package engine

import (
	"strings"
	"testing"
	"time"
)

// pressedSince makes a key of the seat to move be held down since a time after noon.
func pressedSince(since time.Duration) func(*State) {
	return func(s *State) { s.Press = Press{Turn: s.Turn.Number, At: noon + Millis(since.Milliseconds())} }
}

// TestPressKey checks that a key that is held down close to the deadline keeps the turn open for half a second after
// the first touch, and never longer.
func TestPressKey(t *testing.T) {
	ms := time.Millisecond
	casual := strings.Replace(wrcTurn, "wrc", "casual", 1)
	runDecided(t, []decided{
		{"is noted close to the deadline", wrcTurn, nil, PressKey{1, 7}, 59_501 * ms, []string{"key_pressed: B"}, ""},
		{"at the deadline", wrcTurn, nil, PressKey{1, 7}, 60 * second, []string{"key_pressed: B"}, ""},
		{"within the grace", wrcTurn, nil, PressKey{1, 7}, 61 * second, []string{"key_pressed: B"}, ""},
		{"needs no time before", wrcTurn, nil, PressKey{1, 7}, 59_500 * ms, nil, RefusedNotDue},
		{"once", wrcTurn, pressedSince(59_600 * ms), PressKey{1, 7}, 59_700 * ms, nil, RefusedNotDue},
		{"of another seat", wrcTurn, nil, PressKey{0, 7}, 60 * second, nil, RefusedNotYourTurn},
		{"of another turn", wrcTurn, nil, PressKey{1, 6}, 60 * second, nil, RefusedStaleTurn},
		{"without a limit", casual, nil, PressKey{1, 7}, 60 * second, nil, RefusedNotDue},
		{"while the clock is stopped", wrcTurn, paused(PausedByReferee, 0, 0), PressKey{1, 7}, 60 * second, nil,
			RefusedPaused},
		{"too late", wrcTurn, nil, PressKey{1, 7}, 61_001 * ms,
			[]string{"turn_expired: B draws [O1 O2 O3] late 1 -> turn 8 of C due 2m1.001s"}, ""},
		{"a draw counts from the press", wrcTurn, pressedSince(59_900 * ms), Draw{1, 7}, 60_400 * ms,
			[]string{"tile_drawn: B O1 -> turn 8 of C due 2m0.4s"}, ""},
		{"in the grace too", wrcTurn, pressedSince(60_300 * ms), Draw{1, 7}, 61_300 * ms,
			[]string{"tile_drawn: B O1 late 800 -> turn 8 of C due 2m1.3s"}, ""},
		{"at the last moment", wrcTurn, pressedSince(61 * second), Draw{1, 7}, 61_500 * ms,
			[]string{"tile_drawn: B O1 late 1000 -> turn 8 of C due 2m1.5s"}, ""},
		{"no turn is longer by more than half a second", wrcTurn, pressedSince(61 * second), Draw{1, 7}, 61_501 * ms,
			[]string{"turn_expired: B draws [O1 O2 O3] late 1 -> turn 8 of C due 2m1.501s"}, ""},
		{"nor half a second after the press", wrcTurn, pressedSince(59_600 * ms), Draw{1, 7}, 61_101 * ms,
			[]string{"turn_expired: B draws [O1 O2 O3] late 1 -> turn 8 of C due 2m1.101s"}, ""},
		{"an old press gives nothing", wrcTurn, pressedSince(10 * second), Draw{1, 7}, 61_001 * ms,
			[]string{"turn_expired: B draws [O1 O2 O3] late 1 -> turn 8 of C due 2m1.001s"}, ""},
		{"nor one of another turn", wrcTurn, func(s *State) { s.Press = Press{6, noon + 60_000} }, Draw{1, 7},
			61_001 * ms, []string{"turn_expired: B draws [O1 O2 O3] late 1 -> turn 8 of C due 2m1.001s"}, ""},
	})
}
