package web

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"meldhall/tournament"
	"meldhall/web/api"
)

// eventWalk is an organizer who runs an event at a laptop. Who sits where, and what is played, is known by HTTP.
type eventWalk struct {
	*event
	p     *tab
	whole *testing.T // the test of all stations
	looks bool       // pictures are taken
	began time.Time
}

// TestOrganizerWalksAWholeEvent goes from an empty list of events to the champion of 61 players as an organizer does it, page by
// page in a browser: a roster with mistakes, the check-in, a draw that is looked at and changed by hand, somebody who does not come,
// two late entries, a substitute, a result that is corrected after the next round was drawn, the cut and the final, the files and the
// log. On every page nothing is cut off or sticks out, on a laptop and on a tablet; what the players do goes by HTTP.
func TestOrganizerWalksAWholeEvent(t *testing.T) {
	w := newWalk(t, startChromium(t))
	for _, station := range []struct {
		name string
		do   func(*eventWalk)
	}{
		{"an event is made", (*eventWalk).makeEvent},
		{"61 players are entered from a list", (*eventWalk).enterRoster},
		{"the event is prepared", (*eventWalk).prepare},
		{"60 are checked in", (*eventWalk).checkIn},
		{"the first round is drawn and changed by hand", (*eventWalk).drawFirst},
		{"it is started, one is missing", (*eventWalk).startFirst},
		{"who does not come is a no-show", (*eventWalk).noShow},
		{"the first round is played", (*eventWalk).playFirst},
		{"two come late", (*eventWalk).enterLate},
		{"the second round is drawn, and one has a substitute", (*eventWalk).drawSecond},
		{"a result of the first round is corrected", (*eventWalk).correct},
		{"the second round is played", (*eventWalk).playSecond},
		{"four play the final", (*eventWalk).playFinal},
		{"the files and the log", (*eventWalk).takeHome},
	} {
		began := time.Now()
		if !t.Run(station.name, func(t *testing.T) {
			within(t, &w.t, &w.p.t)
			station.do(w)
		}) {
			break
		}
		t.Logf("%-50s %.1f s", station.name, time.Since(began).Seconds())
	}
	within(t, &w.t, &w.p.t)
	for _, complaint := range w.p.complaints() {
		if !strings.Contains(complaint, "/roster/preview") { // the list with mistakes is answered 422
			t.Errorf("the browser complains: %s", complaint)
		}
	}
}

// newWalk signs an organizer in through the form.
func newWalk(t *testing.T, b *chromium, change ...func(*Config)) *eventWalk {
	t.Helper()
	w := &eventWalk{whole: t, event: &event{players: map[int64]*caller{}}, looks: os.Getenv("MELDHALL_PICTURES") != "", began: time.Now()}
	w.hall, w.organizer, w.referee = newStaffed(t, change...)
	w.http.Config.WriteTimeout = time.Minute
	w.p = b.tab(t, 1366, 768)
	w.p.still()
	w.p.atStart(`window.confirm = (text) => { sessionStorage.asked = text; return true; };`)
	w.p.open(w.http.URL + "/sign-in")
	w.fill("name", "organizer")
	w.fill("password", password)
	w.press("main form .primary")
	return w
}

// here is true once a page stands and, if it is redrawn by a stream, hears it.
const here = `!window.left && document.readyState === "complete" && document.getElementById("link")?.classList.contains("live") !== false`

// press touches what leads to another page, and waits until that is there.
func (w *eventWalk) press(selector string) {
	w.t.Helper()
	eval[bool](w.p, `window.left = true`)
	w.p.tap(w.p.reach(selector))
	w.p.wait(here)
}

// named presses the link or button that says so, within a part of the page.
func (w *eventWalk) named(within, text string) {
	w.t.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll(%q)].find((el) => el.checkVisibility() && el.innerText.trim().startsWith(%q))`, within+" :is(a, button)", text)
	w.p.wait(find)
	w.press(eval[string](w.p, `(() => {
		const path = [];
		for (let el = `+find+`; el !== document.documentElement; el = el.parentElement) path.unshift(el.localName + ":nth-child(" + ([...el.parentElement.children].indexOf(el) + 1) + ")");
		return path.join(" > ");
	})()`))
}

// open goes to a page of the event by its address: one that no button leads to from here.
func (w *eventWalk) open(path string) {
	w.t.Helper()
	w.p.open(w.http.URL + path)
	w.p.wait(here)
}

func (w *eventWalk) desk() string { return fmt.Sprintf("/desk/%d", w.id) }

// fill writes into a field.
func (w *eventWalk) fill(id, text string) {
	w.t.Helper()
	w.p.tap(w.p.reach("#" + id))
	eval[bool](w.p, fmt.Sprintf(`(document.getElementById(%q).select?.(), true)`, id))
	w.p.write(text)
}

// choose marks a radio button.
func (w *eventWalk) choose(name, value string) {
	w.t.Helper()
	if eval[bool](w.p, fmt.Sprintf(`!!document.querySelector("details:not([open]) input[name=%s][value=%s]")`, name, value)) {
		w.p.tap(w.p.reach(fmt.Sprintf("details:has(input[name=%s][value=%s]) > summary", name, value)))
	}
	w.p.tap(w.p.reach(fmt.Sprintf("label:has(> input[name=%s][value=%s])", name, value)))
	w.p.wait(fmt.Sprintf(`document.querySelector("input[name=%s][value=%s]").checked`, name, value))
}

// says fails unless a part of the page holds a text.
func (w *eventWalk) says(selector, want string) {
	w.t.Helper()
	w.p.wait(fmt.Sprintf(`document.querySelector(%q)?.innerText.replace(/[\u2066-\u2069]/g, "").includes(%q)`, selector, want))
}

// next takes the one step that the page calls the next one.
func (w *eventWalk) next(text string) {
	w.t.Helper()
	w.says(".next .primary", text)
	w.press(".next .primary")
}

// look holds the page to what fits, on a laptop and a tablet, and takes its pictures.
func (w *eventWalk) look(name string) {
	w.t.Helper()
	for _, size := range [][2]int64{{1180, 820}, {1366, 768}} {
		w.p.size(size[0], size[1])
		w.p.wait(fmt.Sprintf("screen.width === %d && innerWidth >= %d", size[0], size[0]))
		for _, misfit := range eval[[]string](w.p, misfits) {
			w.t.Errorf("%s, %d x %d: %s", name, size[0], size[1], misfit)
		}
		if w.looks {
			w.p.t = w.whole // one name for all stations
			w.p.picture(name + fmt.Sprint("-", size[0]))
		}
	}
	defer func() { w.p.t = w.t }()
	if !w.looks {
		return
	}
	if high := eval[float64](w.p, "document.documentElement.scrollHeight"); high > 768 {
		w.p.size(1366, int64(min(high, 2600)))
		w.p.picture(name + "-whole")
		w.p.size(1366, 768)
	}
	w.p.wait("screen.height === 768")
}

// latest reads the latest round.
func (w *eventWalk) latest() {
	w.t.Helper()
	var detail api.TournamentDetail
	w.organizer.must(http.MethodGet, fmt.Sprintf("/tournaments/%d", w.id), nil, &detail)
	w.organizer.must(http.MethodGet, fmt.Sprintf("/rounds/%d", detail.Rounds[len(detail.Rounds)-1].ID), nil, &w.round)
}

// join lets everybody who has none yet take a tablet by the code of the seat; but the absent.
func (w *eventWalk) join(absent ...string) {
	w.t.Helper()
	w.latest()
	for _, table := range w.round.Tables {
		for _, seat := range table.Seats {
			if seat.Joined || seat.Code == "" || strings.Contains(strings.Join(absent, "\n"), seat.Player.Name) {
				continue
			}
			var joined api.JoinedView
			w.public().must(http.MethodPost, "/join", tournament.Join{Code: seat.Code}, &joined)
			w.players[seat.Player.ID] = &caller{w.hall, seat.Player.Name, joined.Token}
		}
	}
}

// find gives the table, the seat and the player of a name.
func (w *eventWalk) find(name string) (table, seat int, player int64) {
	w.t.Helper()
	w.latest()
	for i, t := range w.round.Tables {
		for j, s := range t.Seats {
			if s.Player.Name == name {
				return i, j, s.Player.ID
			}
		}
	}
	w.t.Fatalf("%s sits nowhere", name)
	return 0, 0, 0
}
