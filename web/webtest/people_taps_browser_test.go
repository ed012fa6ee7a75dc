package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/tournament/people"
	"meldhall/web/api"
)

// TestDeskFourTaps checks that a late arrival, a no-show, a withdrawal and a substitute, in both variants where there
// are two, take at most four taps from the desk, before or during a round. This includes the tap on a text field, and
// the effects are shown before the last tap.
func TestDeskFourTaps(t *testing.T) {
	b := startChromium(t)
	e := newPublished(t, "Club", roster(16), nil)
	away := e.round.Tables[3].Seats[0].Player.Name
	for _, table := range e.round.Tables {
		for _, seat := range table.Seats {
			if seat.Player.Name != away {
				var joined api.JoinedView
				e.public().must(http.MethodPost, "/join", people.Join{Code: seat.Code}, &joined)
				e.players[seat.Player.ID] = &caller{e.hall, seat.Player.Name, joined.Token}
			}
		}
	}
	sits := func(seat int) string { return e.round.Tables[0].Seats[seat].Player.Name }
	w := &eventWalk{event: e, p: b.tab(t, 1180, 820), whole: t}
	w.p.still()
	w.p.cookie(e.http.URL, "meldhall-staff", e.organizer.token)
	goes := func(name, effect, after string, way func()) {
		t.Run(name, func(t *testing.T) {
			within(t, &w.t, &w.p.t)
			w.open(w.desk())
			w.p.taps = 0
			way()
			w.says(".effects", effect)
			w.p.picture("before")
			w.press("main form .primary")
			w.says("main", after)
			if w.p.taps > 4 {
				t.Errorf("%d taps", w.p.taps)
			}
		})
	}
	replaces := func(name, by, how string) func() {
		return func() {
			w.p.tap("#find-open")
			w.p.wait(`document.activeElement.id === "finder-words"`)
			w.p.write(name + " substitute")
			w.p.wait(`document.querySelector("#finder .found a")?.innerText.startsWith("Substitute")`)
			w.press("#finder .found a")
			w.p.wait(`document.activeElement.id === "sub-name"`)
			w.p.write(by)
			w.p.picture("person")
			w.named("main form", how)
		}
	}
	goes("substitute with own results, before the round", "Uncle Jim", "Uncle Jim",
		replaces(e.round.Tables[1].Seats[0].Player.Name, "Uncle Jim", "Own results from next round"))
	e.start()
	e.begin(0)
	goes("late arrival", "Late Lea is entered as no. 18", "Late Lea", func() {
		w.press(`.facts a[href$="/roster"]`)
		w.fill("name", "Late Lea")
		w.press("#add .btn")
	})
	goes("no-show", "no-show", "no-show", func() {
		w.press(`.desk-links a[href$="/people"]`)
		w.named(".row-list", away)
	})
	leaves := func(name, how string) func() {
		return func() {
			w.press(`.facts a[href$="/roster"]`)
			w.named("#players", name)
			w.p.picture("person")
			w.named(".row-list", how)
		}
	}
	goes("withdrawal after the round", "finishes round 1", "withdrawn", leaves(sits(0), "Withdraw after this round"))
	goes("withdrawal at once", "gives up the seat", "withdrawn", leaves(sits(1), "Withdraw at once"))
	goes("substitute who keeps the results", "Aunt Mary", "Aunt Mary",
		replaces(sits(2), "Aunt Mary", "Results stay with the entry"))
	goes("late arrival by name", "Late Leo is entered as no. 19", "Late Leo", func() {
		w.p.tap("#find-open")
		w.p.wait(`document.activeElement.id === "finder-words"`)
		w.p.write("late arrival")
		w.p.wait(fmt.Sprintf(`document.querySelector("#finder .found a")?.getAttribute("href") === "%s/roster#name"`,
			w.desk()))
		w.press("#finder .found a")
		w.p.wait(`document.activeElement.id === "name"`)
		w.p.write("Late Leo")
		w.press("#add .btn")
	})
}
