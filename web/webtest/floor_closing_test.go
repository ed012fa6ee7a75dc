package webtest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/web/api"
)

// TestATableWhoseClockIsNearlyOverMovesUp checks that on an open page such a table moves above tables whose games run
// normally as time passes, and stays below those with a call or a stopped clock.
func TestATableWhoseClockIsNearlyOverMovesUp(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	e := newEvent(t, 20, map[string]any{"turn_seconds": 8, "grace_ms": 0})
	e.start()
	for table := range e.round.Tables {
		e.begin(table)
		e.listen(t, table)
		if table != 4 { // these have enough time left
			e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/time", e.round.Tables[table].Games[0].ID),
				map[string]any{"key": e.key(), "seconds": 300, "reason": "x"}, nil)
		}
	}
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/pause", e.round.Tables[3].Games[0].ID),
		map[string]any{"key": e.key(), "reason": "x"}, nil)
	e.at(1, 2).must(http.MethodPost, fmt.Sprintf("/games/%d/call", e.round.Tables[1].Games[0].ID),
		map[string]any{"key": e.key()}, nil)
	floor := until(t, e.signedIn("referee").regions(t, fmt.Sprintf("/referee/%d/live", e.id)), "time nearly over")
	var order []int
	for _, row := range strings.Split(floor, `<li id="t`)[1:] {
		id, _, _ := strings.Cut(row, `"`)
		table := slices.IndexFunc(e.round.Tables, func(t api.TableView) bool { return fmt.Sprint(t.ID) == id })
		order = append(order, table)
		if strings.Contains(row, "time nearly over") != (table == 4) {
			t.Errorf("table %d: %s", table+1, row)
		}
	}
	if fmt.Sprint(order) != "[1 3 4 0 2]" {
		t.Errorf("the tables stand as %v", order)
	}
}
