package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/tournament"
)

// TestTilesThatChangeNoTableNow checks that one sentence says from when other tiles are used.
func TestTilesThatChangeNoTableNow(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	o := e.signedIn("organizer")
	same := o.get(t, fmt.Sprintf("/desk/%d/rounds/%d/tiles?table=%d&tiles=%s", e.id, e.round.ID, e.round.Tables[0].ID,
		tournament.DigitalTiles)).is(http.StatusOK).
		says(".effects", "Table 1 already plays this way, and will in later rounds too.")
	e.start()
	later := o.get(t, fmt.Sprintf("/desk/%d/tiles?tiles=%s", e.id, tournament.RealTiles)).is(http.StatusOK).
		says(".effects", "From the next round on, all tables play with real tiles; nothing changes before that.")
	for _, page := range []*leaf{same, later} {
		if said := page.text(".effects"); strings.Contains(said, "No table changes") ||
			strings.Contains(said, "played this way") {
			t.Errorf("%s says %s", page.path, said)
		}
	}
}
