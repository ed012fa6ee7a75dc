package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/web/api"
	"meldhall/web/request"
)

// familyName is a family name that no other text contains.
const familyName = "Castelvecchi"

// relate puts the players at the tables' first seats into one family.
func (e *event) relate(t *testing.T) {
	t.Helper()
	for _, table := range e.round.Tables {
		if _, err := action.Do(t.Context(), e.desk, rights.Staff(rights.RoleOrganizer, "organizer"),
			tournament.SetFamily{Player: table.Seats[0].Player.ID, Family: familyName}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFamiliesAreKeptApart checks that every method of drawing seats a family at different tables, where the same
// players without a family would have met. A family that must meet is named at its table, only to the organizer.
func TestFamiliesAreKeptApart(t *testing.T) {
	t.Parallel()
	h, organizer, _ := newStaffed(t)
	o := h.signedIn("organizer")
	event := func(families ...string) (id int64) {
		var made api.TournamentDetail
		organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Family day", "format": "open",
			"rules": map[string]any{"preset": "wrc"}, "seed": 11}, &made)
		lines := "name;family\n"
		for i, family := range families {
			lines += fmt.Sprintf("Player %d;%s\n", i+1, family)
		}
		o.post(t, fmt.Sprintf("/desk/%d/roster/preview", made.ID), url.Values{"text": {lines}}).is(http.StatusOK).
			submit("/roster/import").is(http.StatusOK)
		return made.ID
	}
	drawn := func(id int64, method string) (r api.RoundDetail, together int) {
		organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", id),
			map[string]any{"method": method, "note": "families"}, &r)
		for _, table := range r.Tables {
			n := 0
			for _, seat := range table.Seats {
				if seat.Player.Number <= 4 {
					n++
				}
			}
			together += max(n-1, 0)
		}
		return r, together
	}
	related := []string{familyName, strings.ToUpper(familyName), " castelvecchi ", familyName, "", "Rossi", "Rossi", "",
		"", "", "", "", "", "", "", ""}
	strangers := event(make([]string, 16)...)
	family := event(related...)
	met := 0
	for _, method := range []string{"random", "plan", "standings"} {
		_, n := drawn(strangers, method)
		met += n
		round, together := drawn(family, method)
		if together != 0 {
			t.Errorf("%s: %d of the family sit together: %+v", method, together, round.Tables)
		}
		o.get(t, fmt.Sprintf("/desk/%d/rounds/%d", family, round.ID)).says("main",
			"Families at different tables").says("main", "2 of 2")
	}
	if met == 0 {
		t.Error("those who are nobody's family never met: nothing was kept apart")
	}
	t.Run("who has to meet is named to the organizer", func(t *testing.T) {
		five := event(familyName, familyName, familyName, familyName, familyName, "", "", "", "", "", "", "")
		round, _ := drawn(five, "random")
		page := fmt.Sprintf("/desk/%d/rounds/%d", five, round.ID)
		o.get(t, page).says("main", "same family").says("main", "0 of 1")
		if said := h.signedIn("referee").get(t, page).is(http.StatusOK).text("main"); strings.Contains(said, "amil") {
			t.Errorf("the referee reads %s", said)
		}
	})
	t.Run("who registers writes it, the public does not read it", func(t *testing.T) {
		people := fmt.Sprintf("/tournaments/%d/people", family)
		organizer.must(http.MethodPost, people, request.PeopleBody{Kind: "settings",
			Settings: &tournament.PeopleSettingsOf{RegistrationOpen: true, NoShowMinutes: 10}}, nil)
		ticket := h.reader().get(t, fmt.Sprintf("/events/%d/register", family)).submit("/register", "name", "Zia Rosa",
			"family", familyName).is(http.StatusOK)
		if said := ticket.text("body"); strings.Contains(said, familyName) {
			t.Errorf("the ticket reads %s", said)
		}
		list := o.body(t, request.APIBase+people)
		if n := strings.Count(strings.ToLower(list), `"family":"castelvecchi"`); n != 5 {
			t.Errorf("the organizer reads %d of the family, want 5: %.400s", n, list)
		}
		if body := o.body(t, fmt.Sprintf("%s/tournaments/%d/export/roster.csv", request.APIBase,
			family)); !strings.Contains(body, "email,division,family,drawn,mark,federation_number\r\n") ||
			!strings.Contains(body, "Zia Rosa,,,,,,Castelvecchi") {
			t.Errorf("the export: %.300s", body)
		}
	})
}
