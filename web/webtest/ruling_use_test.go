package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/screen"
)

// TestKeysAreOrderedByEarlierRounds checks that a ruling affects the order of the keys only from the next round on, so
// that no key moves during a round.
func TestKeysAreOrderedByEarlierRounds(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600})
	e.start()
	game := e.begin(0)
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/warning", game),
		map[string]any{"seat": 1, "reason": "noise", "key": e.key()}, nil)
	for round, want := range map[int]int{1: 0, 2: 1} {
		if used, err := screen.RulingsUsed(t.Context(), e.store, e.id, round); err != nil ||
			used[engine.RulingUse(engine.WarningGiven{})] != want {
			t.Errorf("before round %d: %v, %v", round, used, err)
		}
	}
}
