package webtest

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// TestChargesAreNotGains checks that if points are penalties no page shows a loser's 30 as "+30": results, corrections,
// the protocol, the replay, the count and the standings.
func TestChargesAreNotGains(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, map[string]any{"points": "penalty", "standings": "lowest_points"})
	e.realTables(1)
	e.start()
	game := e.round.Tables[0].Games[0].ID
	var counted []map[string]any
	for _, rack := range []string{"", "R13 R7 R10", "K13 B13 O4", "K12 B12 O12 R4"} {
		counted = append(counted, map[string]any{"tiles": strings.Fields(rack), "opened": true})
	}
	e.referee.post(game, "starter", map[string]any{"seat": 0})
	e.referee.post(game, "ready", map[string]any{"turn": 0})
	e.referee.post(game, "end-turn", map[string]any{"turn": 1, "seat": 0, "opened": true, "out": true})
	e.referee.post(game, "count-racks", map[string]any{"racks": counted})
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), map[string]any{"rev": 1}, nil)

	o, public := e.signedIn("organizer"), e.reader()
	result := o.get(t, fmt.Sprintf("/desk/%d/results/%d", e.id, game))
	gain := regexp.MustCompile(`\+\d+`)
	for name, page := range map[string]*leaf{
		"results":    o.get(t, fmt.Sprintf("/desk/%d/results", e.id)),
		"result":     result,
		"correction": result.look(t, "/correct", "points-1", "40", "points-2", "25", "why", "two racks were exchanged"),
		"protocol":   o.get(t, fmt.Sprintf("/referee/%d/games/%d/protocol", e.id, game)),
		"replay":     public.get(t, fmt.Sprintf("/events/%d/games/%d", e.id, game)),
		"count":      o.get(t, fmt.Sprintf("/referee/%d/games/%d/count", e.id, game)),
		"standings":  public.get(t, fmt.Sprintf("/events/%d", e.id)),
	} {
		said := page.is(http.StatusOK).text("main")
		if plus := gain.FindString(said); plus != "" || !strings.Contains(said, "40") {
			t.Errorf("%s: %q in %s", name, plus, said)
		}
	}
}
