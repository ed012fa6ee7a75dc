package floor

import (
	"strings"
	"testing"

	"meldhall/tournament/storage/storagetest"
)

// TestRulingsUsedAreFound: the rulings of an event are found by their index, not by reading every turn that was played.
func TestRulingsUsedAreFound(t *testing.T) {
	if plan := storagetest.Plan(t, storagetest.New(t), selectRuled, 1, 2); !strings.Contains(plan, "game_events_ruled") {
		t.Errorf("%q", plan)
	}
}
