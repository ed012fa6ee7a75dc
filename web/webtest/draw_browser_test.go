package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/web/api"
)

// TestADraftIsChangedByHand swaps players of a draft round by dragging, by two taps and by the keyboard. Each way shows
// the cost first, requires a reason and asks for a new check.
func TestADraftIsChangedByHand(t *testing.T) {
	e := newEvent(t, 4, nil)
	var made api.TournamentDetail
	var round api.RoundDetail
	e.organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Club night", "format": "quick",
		"rules": map[string]any{"preset": "family"}, "seed": 3}, &made)
	roster := "name,country,club\n"
	for i := range 15 {
		roster += fmt.Sprintf("Player %c. Longname-Example,%s,%s\n", 'A'+i, []string{"Poland", "Italy", "Japan"}[i%3],
			[]string{"Blue", "Red"}[i%2])
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", made.ID), roster, nil)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", made.ID), map[string]any{}, &round)
	path := fmt.Sprintf("/desk/%d/rounds/%d", made.ID, round.ID)
	player := func(table, seat int) int64 { return round.Tables[table].Seats[seat].Player.ID }
	seat := func(table, seat int) string { return fmt.Sprintf(`[data-player="%d"]`, player(table, seat)) }
	const live = `document.getElementById("link").classList.contains("live")`
	p := startChromium(t).tab(t, 1180, 820)
	p.cookie(e.http.URL, "meldhall-staff", e.organizer.token)
	p.open(e.http.URL + path)
	p.wait(live)
	p.picture("draft-tablet")
	p.size(1180, 2200) // all tables are visible
	exchanged := func(how string) {
		t.Helper()
		p.wait(`location.pathname.endsWith("/swap")`)
		p.picture("swap-" + how)
		if said := eval[string](p, `document.querySelector("main").textContent`); !strings.Contains(said,
			"swap seats") {
			t.Fatalf("%s: %s", how, said)
		}
		eval[bool](p,
			`(document.querySelector("[name=why]").value = "`+how+`", document.querySelector(".swap-page form").requestSubmit(), true)`)
		p.wait(`location.pathname.endsWith("/rounds/` + fmt.Sprint(round.ID) + `") && ` + live)
		var now api.RoundDetail
		e.organizer.must(http.MethodGet, fmt.Sprintf("/rounds/%d", round.ID), nil, &now)
		moved := 0
		for i, table := range now.Tables {
			for j, s := range table.Seats {
				if s.Player.ID != player(i, j) {
					moved++
				}
			}
		}
		if moved != 2 {
			t.Fatalf("%s: %d players have moved", how, moved)
		}
		round = now
	}
	focus := func(selector string) { eval[bool](p, `(document.querySelector('`+selector+`').focus(), true)`) }
	p.hold(seat(0, 0), `!!document.querySelector(".swap-ghost")`, seat(1, 2))
	exchanged("drag")
	p.tap(seat(0, 1))
	p.wait(`location.search.startsWith("?swap=") && !!document.querySelector(".swap-how.chosen") && ` + live)
	p.picture("draft-chosen")
	p.tap(seat(2, 3))
	exchanged("taps")
	p.size(1366, 2200)
	focus(seat(0, 2))
	p.press("Enter")
	p.wait(`location.search.startsWith("?swap=") && ` + live)
	focus(seat(1, 1))
	p.press("Enter")
	exchanged("keys")
	p.size(1366, 768)
	p.picture("draft-laptop")
	p.size(1366, 2000)
	p.picture("draft-laptop-whole")
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the browser complains: %q", got)
	}
}
