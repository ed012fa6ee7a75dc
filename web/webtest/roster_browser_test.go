package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// twoAnnas is a list with two people of the same name, a repeated person, and countries spelled in several ways.
const twoAnnas = "name,country,club\nAnna Rossi,IT,Torino\nBob,Italy,Milano\nAnna Rossi,Italia,Genova\nBob,ITA,Milano\nCarla,Italy,\nDora,IT,\nEva,Atlantis,\n"

// asOrganizer returns a tab of the organizer for a walk through pages.
func asOrganizer(t *testing.T, b *chromium, e *event, width, height int64) *eventWalk {
	t.Helper()
	w := &eventWalk{event: e, whole: t, p: b.tab(t, width, height)}
	w.p.still()
	w.p.cookie(w.http.URL, "meldhall-staff", w.organizer.token)
	return w
}

// TestBrowserTwoPeopleOfOneName checks that the preview of a list allows fixing two people of the same name line by
// line. From then on, a mark distinguishes the two wherever their names appear, and no other name has one.
func TestBrowserTwoPeopleOfOneName(t *testing.T) {
	b := startChromium(t)
	e := newEntered(t, "Two of one name", "name\nFinn\n", nil)
	w := asOrganizer(t, b, e, 1366, 900)
	w.open(w.desk() + "/roster")
	w.fill("text", twoAnnas)
	w.press(`form[action$="/roster/preview"] .btn`)
	w.says(".flash", "2 lines have problems")
	w.says("#line-4", "already on line 2")
	w.says("#line-4", "Another person with the same name?")
	w.says(".mend .facts", "IT · Italy · Italia · ITA")
	w.says(".mend .facts", "unknown country")
	w.p.picture("mend")
	w.fill("m-4-mark", "Genova")
	w.press("#lines .primary")
	w.says(".flash", "1 line has a problem")
	w.says("#line-4", "right")
	w.p.tap(w.p.reach(`input[name="m-5-out"]`))
	w.press("#lines .primary")
	w.says("#line-5", "left out")
	w.p.picture("mended")
	w.press("#lines .primary")
	w.says(".flash", "6 players")

	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), map[string]any{}, &e.round)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	var codes []string
	for _, table := range e.round.Tables {
		codes = append(codes, "/join/"+table.Code+"?seat=1")
	}
	says := func(page string, wants ...string) {
		t.Helper()
		w.open(page)
		text := eval[string](w.p, `document.body.innerText.replace(/[\u2066-\u2069]/g, "")`)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q: %s", page, want, text)
			}
		}
		if strings.Contains(text, "Bob (") || strings.Contains(text, "Carla (") {
			t.Errorf("%s marks who needs no mark: %s", page, text)
		}
		w.p.picture(strings.NewReplacer("/", "-", "?", "-").Replace(page))
	}
	both := []string{"Anna Rossi (Torino)", "Anna Rossi (Genova)"}
	says(w.desk()+"/roster", append(both, "Italy", "Atlantis")...)
	says(w.desk()+"/check-in", both...)
	says(fmt.Sprintf("%s/rounds/%d", w.desk(), e.round.ID), both...)
	says(fmt.Sprintf("/events/%d/tables", e.id), both...)
	var joins string
	for _, code := range codes {
		says(code)
		joins += eval[string](w.p, `document.body.innerText.replace(/[\u2066-\u2069]/g, "")`)
	}
	for _, want := range both {
		if !strings.Contains(joins, want) {
			t.Errorf("where a seat is taken nobody is called %q: %s", want, joins)
		}
	}
	e.joinAll()
	e.start()
	for i := range e.round.Tables {
		e.drawOut(t, i, e.round.Tables[i].Games[0].ID)
	}
	says(fmt.Sprintf("/events/%d", e.id), both...)
	says(w.desk()+"/results", both...)
	says(fmt.Sprintf("/referee/%d", e.id), both...)
}

// TestBrowserLateEntryIsLookedAt checks that a player who arrives after rounds are seated is entered after a preview of
// the effects. If the name exists already, the form asks for a mark that distinguishes the two.
func TestBrowserLateEntryIsLookedAt(t *testing.T) {
	b := startChromium(t)
	e := newPublished(t, "Late", "name,country\nAnna,IT\nBob,IT\nCid,IT\nDot,IT\n", nil)
	w := asOrganizer(t, b, e, 1024, 768)
	w.open(w.desk() + "/roster")
	w.p.tap(w.p.reach("#add summary")) // at 1024 px the form is collapsed
	w.fill("name", "Anna")
	w.fill("country", "Italia")
	w.press("#add .btn")
	w.says(".flash.bad", "already entered, as no. 1")
	w.p.picture("asked")
	w.fill("mark", "Genova")
	w.press("main form .primary")
	w.says(".effects", "Anna (Genova) is entered as no. 5")
	w.says(".effects", "Anna, no. 1, is shown as Anna (#1)")
	w.p.picture("look")
	w.press("main form .primary")
	w.says(".flash", "Anna (Genova)")
	w.says("#players", "Anna (Genova)")
	if got := eval[string](w.p, "location.pathname"); got != w.desk()+"/roster" {
		t.Errorf("it goes on at %s", got)
	}
}
