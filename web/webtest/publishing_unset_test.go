package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/engine/testmode"
)

// TestWhatNobodyHasSetIsSafe checks a tournament with default publishing settings. On every page and in every file or
// response, an unconfirmed result is marked as provisional (in the API as a game that is finished but not confirmed).
// Email addresses, families and draft seats are never public, and the publishing page says so.
func TestWhatNobodyHasSetIsSafe(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	list := "name,email,family\n"
	for i := range 8 {
		list += fmt.Sprintf("Player %d,nobody%d@secret.example,Clan Hidden %d\n", i+1, i, i/2)
	}
	e := newEntered(t, "Unset", list, map[string]any{"turn_seconds": 0})
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), fields{"games": 1}, &e.round)
	for path, body := range e.everything(t, "a draft")[0].pages {
		if strings.Contains(body, `"table":2`) || strings.Contains(body, ">Table 2<") {
			t.Errorf("%s tells of a draft: %.300s", path, body)
		}
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	e.joinAll()
	e.realTables(1, 2)
	e.start()
	e.countAs(0, e.round.Tables[0].Games[0].ID, -539, 0, -17, -29)

	all := e.everything(t, "a count that nobody has confirmed")
	told := 0
	for _, l := range all {
		for path, body := range l.pages {
			if l.who == "public" && aHeldPoint.MatchString(body) {
				if told++; !strings.Contains(body, "provisional") &&
					!strings.Contains(body, `"status":"finished"},"view":`) {
					t.Errorf("%s tells a result that nobody has confirmed as if it counted: %s", path, body)
				}
			}
			if l.who != "referee" && (strings.Contains(body, "@secret.example") ||
				strings.Contains(body, "Clan Hidden")) {
				t.Errorf("%s tells the %s an address or a family", path, l.who)
			}
		}
	}
	if told < 4 {
		t.Errorf("the count stands at %d addresses, so little is tested", told)
	}
	e.signedIn("organizer").get(t, fmt.Sprintf("/desk/%d/publishing", e.id)).is(http.StatusOK).says("#safe",
		"marked as provisional").says("#safe", "draft").says("#safe", "address")
}
