package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestOnlyRealRacksAreCountedAtTheTable checks that officials are not told to count racks at the table if the racks are
// on tablets.
func TestOnlyRealRacksAreCountedAtTheTable(t *testing.T) {
	t.Parallel()
	const note = "Count the racks at the table"
	tablets := newEvent(t, 4, nil)
	tablets.start()
	digital := tablets.begin(0)
	tablets.byDraws(digital)
	page := tablets.signedIn("referee").get(t, fmt.Sprintf("/referee/%d/games/%d/count", tablets.id,
		digital)).is(http.StatusOK)
	if said := page.says("main", "The count is right").text("main"); strings.Contains(said, note) {
		t.Errorf("a game on tablets: %s", said)
	}
	real := newRealEvent(t, 4, nil)
	real.start()
	game := real.round.Tables[0].Games[0].ID
	real.referee.post(game, "count-racks", map[string]any{"why": "emptied",
		"totals": []map[string]any{{"points": 30, "opened": true, "won": true},
			{"points": -10, "opened": true}, {"points": -10, "opened": true}, {"points": -10, "opened": true}}})
	real.signedIn("referee").get(t, fmt.Sprintf("/referee/%d/games/%d/count", real.id,
		game)).is(http.StatusOK).says("main", note)
}
