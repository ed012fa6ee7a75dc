package webtest

import (
	"net/http"
	"strings"
	"testing"

	"meldhall/tournament"
)

// TestNewEventWithRoundsOfItsOwn checks that the form of a new tournament accepts another number of rounds than the
// format's, previews the plan, and rejects an invalid number at its field.
func TestNewEventWithRoundsOfItsOwn(t *testing.T) {
	t.Parallel()
	h, _, _ := newStaffed(t)
	o := h.signedIn("organizer")
	typed := []string{"name", "Club evening", "players", "Anna\nBen\nCarla\nDavid\nEva\nFranz\nGreta\nHugo\nIda",
		"format", "quick"}
	page := o.get(t, "/desk/new")
	none := func(when string) {
		t.Helper()
		if all, err := tournament.Tournaments(t.Context(), h.store); err != nil || len(all) > 0 {
			t.Fatalf("%s there are %d events, %v", when, len(all), err)
		}
	}
	plan := page.submit("/desk/new", append(typed, "rounds", "5", "do", "plan")...).is(http.StatusOK)
	plan.says("#plan",
		"Preliminaries: 5 rounds · 2 games per round · 60 minutes per round · 9 players · 3 tables").says("#plan",
		"Final: 1 round").says("#plan", "4 players · 1 table").
		says("#plan", "6 rounds in all, about 6 h 50 min with 10 minutes between them")
	if got := plan.value("rounds") + plan.value("name"); got != "5Club evening" ||
		!strings.Contains(plan.text("textarea"), "Ida") {
		t.Errorf("what was typed is lost: %q", got)
	}
	none("after a look")
	page.submit("/desk/new", append(typed, "format", "wrc", "do", "plan")...).is(http.StatusOK).says("#plan", "16")
	for _, wrong := range []string{"0", "41", "two", "2.5"} {
		refused := page.submit("/desk/new", append(typed, "rounds",
			wrong)...).is(http.StatusUnprocessableEntity).says(".flash", wrong+" is not a number of rounds")
		if field := find(refused.doc, "input[name=rounds]"); attr(field[0], "aria-invalid") != "true" {
			t.Errorf("%s: the field is not marked", wrong)
		}
	}
	none("after mistakes")
	page.submit("/desk/new", append(typed, "rounds", "5")...).is(http.StatusOK).says(".flash", "with 9 players")
	tour, err := tournament.TournamentByID(t.Context(), h.store, 1)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := tour.Format(); err != nil || f.Stages[0].Rounds != 5 || f.Stages[1].Rounds != 1 || f.Name != "quick" {
		t.Errorf("got %+v, %v", f, err)
	}
	if f, err := presets(t).Format("quick"); err != nil || f.Stages[0].Rounds != 2 {
		t.Errorf("the preset has changed: %+v, %v", f.Stages[0], err)
	}
}
