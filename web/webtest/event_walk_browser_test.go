package webtest

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"meldhall/tournament/people"
	"meldhall/web"
	"meldhall/web/api"
)

// eventWalk is an organizer who runs a tournament at a laptop. The test reads the seating and plays the games over
// HTTP.
type eventWalk struct {
	*event
	p     *tab
	whole *testing.T // the test of all stations
	asked []string   // the questions that pages asked
	looks bool       // whether to take pictures
	began time.Time
}

// TestOrganizerWalksAWholeEvent runs a tournament in a browser page by page as an organizer does, from an empty list to
// the champion of 61 players. It includes a roster with mistakes, the check-in, a draw changed by hand, a no-show, two
// late entries, a substitute, a result corrected after the next draw, the cut and the final, the files and the log. It
// checks on a laptop and a tablet that nothing is cut off or overflows on any page. The players act over HTTP.
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
		if !strings.Contains(complaint, "/roster/preview") { // the list with mistakes returns 422
			t.Errorf("the browser complains: %s", complaint)
		}
	}
}

// newWalk signs an organizer in through the form.
func newWalk(t *testing.T, b *chromium, change ...func(*web.Config)) *eventWalk {
	t.Helper()
	w := &eventWalk{whole: t, event: &event{players: map[int64]*caller{}}, looks: os.Getenv("MELDHALL_PICTURES") != "",
		began: time.Now()}
	w.hall, w.organizer, w.referee = newStaffed(t, change...)
	w.http.Config.WriteTimeout = time.Minute
	w.p = b.tab(t, 1366, 768)
	w.p.still()
	w.p.open(w.http.URL + "/sign-in")
	w.fill("name", "organizer")
	w.fill("password", password)
	w.press("main form .primary")
	return w
}

// here is true once a page is loaded and, if it has a stream, live.
const here = `!window.left && document.readyState === "complete" &&
	document.getElementById("link")?.classList.contains("live") !== false`

// press taps a control that opens another page and waits for that page. If the page asks for confirmation, it confirms
// and keeps the question.
func (w *eventWalk) press(selector string) {
	w.t.Helper()
	eval[bool](w.p, `window.left = true`)
	w.p.tap(w.p.reach(selector))
	w.p.wait(`document.querySelector("dialog.ask[open]") || ` + here)
	if question := eval[string](w.p, `document.querySelector("#ask-text")?.textContent || ""`); question != "" {
		w.asked = append(w.asked, question)
		w.p.tap("dialog.ask .primary")
	}
	w.p.wait(here)
}

// named presses the link or button with a text within a part of the page.
func (w *eventWalk) named(within, text string) {
	w.t.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll(%q)].find((el) => el.checkVisibility() &&
		el.innerText.trim().startsWith(%q))`, within+" :is(a, button)", text)
	w.p.wait(find)
	w.press(eval[string](w.p, `(() => {
		const path = [];
		for (let el = `+find+`; el !== document.documentElement; el = el.parentElement) path.unshift(el.localName + ":nth-child(" + ([...el.parentElement.children].indexOf(el) + 1) + ")");
		return path.join(" > ");
	})()`))
}

// open opens a page by its address, for pages that no button leads to from here.
func (w *eventWalk) open(path string) {
	w.t.Helper()
	w.p.open(w.http.URL + path)
	w.p.wait(here)
}

func (w *eventWalk) desk() string { return fmt.Sprintf("/desk/%d", w.id) }

// fill sets the value of a field.
func (w *eventWalk) fill(id, text string) {
	w.t.Helper()
	w.p.tap(w.p.reach("#" + id))
	eval[bool](w.p, fmt.Sprintf(`(document.getElementById(%q).select?.(), true)`, id))
	w.p.write(text)
}

// choose selects a radio button.
func (w *eventWalk) choose(name, value string) {
	w.t.Helper()
	if eval[bool](w.p, fmt.Sprintf(`!!document.querySelector("details:not([open]) input[name=%s][value=%s]")`, name,
		value)) {
		w.p.tap(w.p.reach(fmt.Sprintf("details:has(input[name=%s][value=%s]) > summary", name, value)))
	}
	w.p.tap(w.p.reach(fmt.Sprintf("label:has(> input[name=%s][value=%s])", name, value)))
	w.p.wait(fmt.Sprintf(`document.querySelector("input[name=%s][value=%s]").checked`, name, value))
}

// says checks that a part of the page contains a text.
func (w *eventWalk) says(selector, want string) {
	w.t.Helper()
	w.p.wait(fmt.Sprintf(`document.querySelector(%q)?.innerText.replace(/[\u2066-\u2069]/g, "").includes(%q)`, selector,
		want))
}

// next presses the page's next step, which must have the given text.
func (w *eventWalk) next(text string) {
	w.t.Helper()
	w.says(".next .primary", text)
	w.press(".next .primary")
}

// look checks that the page fits on a laptop and a tablet, and takes pictures of it.
func (w *eventWalk) look(name string) {
	w.t.Helper()
	for _, size := range [][2]int64{{1180, 820}, {1366, 768}} {
		w.p.size(size[0], size[1])
		w.p.wait(fmt.Sprintf("screen.width === %d && innerWidth >= %d", size[0], size[0]))
		for _, misfit := range eval[[]string](w.p, misfits) {
			w.t.Errorf("%s, %d x %d: %s", name, size[0], size[1], misfit)
		}
		if w.looks {
			w.p.t = w.whole // all stations share one test name
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

// latest loads the latest round.
func (w *eventWalk) latest() {
	w.t.Helper()
	var detail api.TournamentDetail
	w.organizer.must(http.MethodGet, fmt.Sprintf("/tournaments/%d", w.id), nil, &detail)
	w.organizer.must(http.MethodGet, fmt.Sprintf("/rounds/%d", detail.Rounds[len(detail.Rounds)-1].ID), nil, &w.round)
}

// join takes a tablet for every free seat by its code, except for the absent players.
func (w *eventWalk) join(absent ...string) {
	w.t.Helper()
	w.latest()
	for _, table := range w.round.Tables {
		for _, seat := range table.Seats {
			if seat.Joined || seat.Code == "" || strings.Contains(strings.Join(absent, "\n"), seat.Player.Name) {
				continue
			}
			var joined api.JoinedView
			w.public().must(http.MethodPost, "/join", people.Join{Code: seat.Code}, &joined)
			w.players[seat.Player.ID] = &caller{w.hall, seat.Player.Name, joined.Token}
		}
	}
}

// find returns the table, the seat and the id of the player with a name.
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
