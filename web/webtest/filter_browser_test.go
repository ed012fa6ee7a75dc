package webtest

import (
	"fmt"
	"net/http"
	"testing"
)

// TestBrowserListsAreFiltered checks that the officials' lists of accounts, penalties and tablets are filtered by the
// typed text like the roster, even after the page's stream has redrawn them.
func TestBrowserListsAreFiltered(t *testing.T) {
	b := startChromium(t)
	e := newEvent(t, 8, nil)
	e.start()
	for _, seat := range []int{0, 1} {
		player := e.round.Tables[0].Seats[seat].Player.ID
		e.referee.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/sanctions", e.id),
			fields{"player": player, "kind": "points", "points": 10, "rule": "7.2", "reason": "late"}, nil)
	}
	p := b.tab(t, 1280, 800)
	p.still()
	p.cookie(e.http.URL, "meldhall-staff", e.organizer.token)
	name := e.round.Tables[0].Seats[1].Player.Name
	for path, typed := range map[string]struct {
		list, words string
		rows        int
	}{
		"/accounts": {"accounts", "referee", 1},
		fmt.Sprintf("/referee/%d/penalties", e.id): {"penalties", name, 1},
		fmt.Sprintf("/referee/%d/devices", e.id):   {"devices", "TABLE 2", 4},
	} {
		p.open(e.http.URL + path)
		p.wait(here) // the stream's first update may move the targets
		shown := fmt.Sprintf(`[...document.querySelectorAll("#%s [data-name]")].filter((r) => r.checkVisibility()).length`, typed.list)
		all := eval[int](p, shown)
		p.tap("#find")
		p.write(typed.words)
		p.wait(fmt.Sprintf(`%s === %d`, shown, typed.rows))
		if all <= typed.rows {
			t.Errorf("%s has %d rows, so nothing is narrowed", path, all)
		}
		p.picture(typed.list)
		if typed.list == "devices" {
			e.begin(1) // the stream redraws the list
			p.wait(fmt.Sprintf(`%s === %d`, shown, typed.rows))
		}
		p.write("xyzzy")
		p.wait(fmt.Sprintf(`%s === 0 && document.getElementById("find-hint").textContent.includes("matches")`, shown))
	}
}
