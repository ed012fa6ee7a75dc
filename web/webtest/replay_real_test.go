package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/tournament/result"
)

// countedOnly returns a tournament of four with real tiles whose first game was only counted: 30 points were won, and
// the count is confirmed.
func countedOnly(t *testing.T) (e *event, game int64) {
	t.Helper()
	e = newRealEvent(t, 4, nil)
	e.start()
	game = e.round.Tables[0].Games[0].ID
	e.referee.post(game, "count-racks", map[string]any{"why": "emptied",
		"totals": []map[string]any{{"points": 30, "opened": true, "won": true},
			{"points": -5, "opened": true}, {"points": -10, "opened": true}, {"points": -15, "opened": true}}})
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), result.ConfirmResult{Rev: 1}, nil)
	return e, game
}

// TestAGameOfWhichOnlyTheCountIsKnown checks that such a game's page shows no turns and no premature end, and that no
// link leads to its turns.
func TestAGameOfWhichOnlyTheCountIsKnown(t *testing.T) {
	t.Parallel()
	e, game := countedOnly(t)
	o := e.signedIn("organizer")
	result := fmt.Sprintf("/desk/%d/results/%d", e.id, game)
	page := o.get(t, result).is(http.StatusOK)
	if said := page.text("main"); strings.Contains(said, "turn by turn") {
		t.Errorf("the result leads to turns that nobody recorded: %s", said)
	}
	page.look(t, "/correct", "points-0", "31", "points-3", "-16", "charge-3", "16", "why",
		"counted anew").is(http.StatusOK).submit(result).is(http.StatusOK)
	replay := o.get(t, fmt.Sprintf("/events/%d/games/%d", e.id, game)).is(http.StatusOK).
		says("h1", "Game 1 at table 1").says("main",
		"Its turns were not recorded: only the count was entered.").says("h3", "As counted at the table")
	for _, wrong := range []string{"0 turns", "before the first turn", "As counted from the racks", "turn by turn"} {
		if said := replay.text("main") + replay.text("title"); strings.Contains(said, wrong) {
			t.Errorf("it says %q: %s", wrong, said)
		}
	}
}
