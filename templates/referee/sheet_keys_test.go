package referee

import (
	"slices"
	"testing"

	"meldhall/engine"
	"meldhall/templates/play"
)

// TestPenaltyKeysStandStill checks that the penalties for a turn keep their places in a player's row regardless of past
// rulings, and that the rulings under More are ordered by use.
func TestPenaltyKeysStandStill(t *testing.T) {
	v := RulingView{Game: play.Game{View: engine.View{Phase: engine.PhasePlaying},
		Seats: []play.Person{{Name: "Ana"}, {Name: "Ben"}}}}
	row := func(used map[string]int) (common, more []string) {
		v.Used = used
		for i, k := range v.playerKeys(t.Context(), 1) {
			if i < commonKeys {
				common = append(common, k.text)
			} else {
				more = append(more, k.use)
			}
		}
		return common, more
	}
	first, rest := row(nil)
	if len(first) != commonKeys || len(rest) < 4 {
		t.Fatalf("%q, %q", first, rest)
	}
	for _, used := range []map[string]int{
		{engine.PenaltyUse(3): 4, engine.PenaltyUse(1): 2}, {"forfeit": 9, engine.PenaltyUse(2): 1},
		{"warning": 7, "points": 8},
	} {
		now, more := row(used)
		if !slices.Equal(now, first) {
			t.Errorf("after %v the row is %q, before it was %q", used, now, first)
		}
		if used["forfeit"] > 0 && more[0] != "forfeit" || used["points"] > 0 &&
			(more[0] != "points" || more[1] != "warning") {
			t.Errorf("after %v More has %q", used, more)
		}
	}
}
