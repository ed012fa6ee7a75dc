package webtest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestSheetShowsTheUsualRulingsFirst checks that each player's row offers the rulings that the tournament's officials
// make most, at every table, and the usual ones before any was made. Confirmed proposals and other tournaments' rulings
// do not count.
func TestSheetShowsTheUsualRulingsFirst(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	games := []int64{e.begin(0), e.begin(1)}
	row := func(table int) (keys []string) {
		page := e.signedIn("referee").get(t, fmt.Sprintf("/referee/%d/tables/%d", e.id,
			e.round.Tables[table].ID)).is(http.StatusOK)
		for _, key := range find(page.doc, ".act") {
			if strings.Contains(attr(key, "href"), "seat=0") && !strings.Contains(attr(key, "class"), "position") {
				keys = append(keys, strings.TrimSpace(textOf(key)))
			}
		}
		return keys
	}
	usual := []string{"Notice", "1 tile", "2 tiles", "3 tiles", "Other…", "Warning", "Deduct points", "Forfeit"}
	if got := row(1); !slices.Equal(got, usual) {
		t.Errorf("before any ruling: %q", got)
	}
	rule := func(kind string, says map[string]any) {
		says["key"], says["seat"], says["reason"] = e.key(), 1, "x"
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/%s", games[0], kind), says, nil)
	}
	rule("penalty", map[string]any{"tiles": 2})
	rule("warning", map[string]any{})
	rule("warning", map[string]any{})
	if got := row(1); !slices.Equal(got, usual) { // the order is stable during a round
		t.Errorf("after two warnings and a penalty of two: %q", got)
	}
}
