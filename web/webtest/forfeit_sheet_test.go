package webtest

import (
	"fmt"
	"net/http"
	"testing"
)

// At a table with real tiles, a game that ends by forfeits before its first turn is counted on the officials' pages.
func TestForfeitBeforeTheFirstTurnIsCounted(t *testing.T) {
	e := newRealEvent(t, 4, map[string]any{"turn_seconds": 0})
	e.joinTable(1)
	e.start()
	id := e.round.Tables[0].Games[0].ID
	for seat := range 3 {
		e.referee.post(id, "forfeit", map[string]any{"seat": seat, "reason": "x"})
	}
	o := e.as(e.referee)
	o.get(t, fmt.Sprintf("/referee/%d/games/%d/sheet", e.id, id)).is(http.StatusOK)
	if got := o.get(t, fmt.Sprintf("/referee/%d/games/%d/count", e.id,
		id)).is(http.StatusOK).path; got != fmt.Sprintf("/referee/%d/games/%d/sheet", e.id, id) {
		t.Errorf("the count leads to %s", got)
	}
}
