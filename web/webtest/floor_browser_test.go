package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/tournament/people"
	"meldhall/web/page"
	"meldhall/web/request"
)

// outOfSight lists the tables of the floor page that are not fully visible, and keys that are too small.
const outOfSight = `(() => {
	const wrong = [], rows = [...document.querySelectorAll(".floor-row")];
	if (rows.length !== 12) wrong.push(rows.length + " tables");
	for (const row of rows) {
		const b = row.getBoundingClientRect();
		if (b.top < 0 || b.bottom > innerHeight) wrong.push(row.querySelector(".table-no").textContent + " lies at " + b.top + " to " + b.bottom);
		for (const key of row.querySelectorAll(".floor-line, .btn")) {
			const k = key.getBoundingClientRect();
			if (k.height < 44 || k.width < 44) wrong.push(key.textContent.trim() + " is " + k.width + " x " + k.height);
		}
	}
	return wrong;
})()`

// listen keeps the devices of a table's players online, however long the test takes.
func (e *event) listen(t *testing.T, table int) {
	t.Helper()
	for seat := range e.round.Tables[table].Seats {
		actor, err := people.ActorByToken(t.Context(), e.store, e.at(table, seat).token)
		if err != nil {
			t.Fatal(err)
		}
		e.server.View.Presence.Listens(actor, 1)
	}
}

// TestTwelveTablesAreSeenAtOnce checks that on a ten-inch tablet in both orientations all twelve tables of a hall are
// visible without scrolling, with long names in five scripts. A calling table is first, then a paused one.
func TestTwelveTablesAreSeenAtOnce(t *testing.T) {
	b := startChromium(t)
	e := newNamedEvent(t, "Campionato", fiveScripts(48), map[string]any{"turn_seconds": 600, "start_seconds": 600})
	e.start()
	for table := range e.round.Tables {
		e.begin(table)
		e.listen(t, table)
	}
	e.at(8, 2).must(http.MethodPost, fmt.Sprintf("/games/%d/call", e.round.Tables[8].Games[0].ID),
		request.CallRequest{Key: e.key()}, nil)
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/pause", e.round.Tables[4].Games[0].ID),
		map[string]any{"key": e.key(), "reason": "x"}, nil)
	for _, size := range [][2]int64{{1280, 800}, {1024, 768}, {800, 1280}, {768, 1024}} {
		for _, theme := range []string{"light", "dark"} {
			t.Run(fmt.Sprintf("%dx%d %s", size[0], size[1], theme), func(t *testing.T) {
				p := b.tab(t, size[0], size[1])
				p.still()
				p.cookie(e.http.URL, "meldhall-staff", e.referee.token)
				p.cookie(e.http.URL, page.ThemeCookie, theme)
				p.open(fmt.Sprintf("%s/referee/%d", e.http.URL, e.id))
				p.wait(isLive)
				noSound(p)
				p.picture("floor")
				for _, wrong := range eval[[]string](p, outOfSight) {
					t.Error(wrong)
				}
				for _, misfit := range eval[[]string](p, misfits) {
					t.Error(misfit)
				}
				if first := eval[[]string](p,
					`[...document.querySelectorAll(".floor-row .table-no [aria-hidden]")].slice(0, 2).map((el) => el.textContent)`); first[0] != "9" || first[1] != "5" {
					t.Errorf("tables %v come first, want 9 that calls, and 5 that is paused", first)
				}
			})
		}
	}
}
