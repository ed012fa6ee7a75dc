package screen

import (
	"strings"
	"testing"

	"meldhall/tournament/store/storetest"
)

// TestRulingsUsedAreFound checks that the rulings of a tournament are found by their index, without reading every turn
// played.
func TestRulingsUsedAreFound(t *testing.T) {
	if plan := storetest.Plan(t, storetest.New(t), selectRuled, 1, 2); !strings.Contains(plan, "game_events_ruled") {
		t.Errorf("%q", plan)
	}
}
