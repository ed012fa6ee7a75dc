package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/tournament"
)

// TestAnnouncementsAreTakenOver checks that the next event has the texts of the earlier one's announcements, shows none
// of them by itself, and fills the form with one on request.
func TestAnnouncementsAreTakenOver(t *testing.T) {
	t.Parallel()
	e := newEntered(t, "Club night 12", roster(8), nil)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/announcements", e.id),
		fields{"level": "urgent", "minutes": 10, "texts": fields{"en": "Tea at four",
			"it": "Il tè è alle quattro"}}, nil)
	o := e.signedIn("organizer")
	again := fmt.Sprintf("/desk/%d/again", e.id)
	ticked := url.Values{"name": {"Club night 13"}}
	for _, player := range find(o.get(t, again).doc, "input[name=players]") {
		ticked.Add("players", attr(player, "value"))
	}
	o.post(t, again, ticked).is(http.StatusOK).says("h1", "Club night 13").says(".flash", "8 players")
	address := fmt.Sprintf("/referee/%d/announcements", e.id+1)
	page := o.get(t, address).says("main", "Tea at four")
	if page.count("form[action=/actions/announce.end]") != 0 {
		t.Error("an old announcement is shown in the new event")
	}
	var use string
	for _, a := range find(page.doc, "a") {
		if strings.Contains(attr(a, "href"), "?again=") {
			use = attr(a, "href")
		}
	}
	page = o.get(t, use)
	if text := textOf(find(page.doc, "#text-it")[0]); text != "Il tè è alle quattro" {
		t.Errorf("the form has %q", text)
	}
}

// TestACancelledEventTakesNoEntries checks that the public page of registration says that an event is cancelled, and
// that no entry is accepted until that is taken back.
func TestACancelledEventTakesNoEntries(t *testing.T) {
	t.Parallel()
	e := newEntered(t, "Open", roster(4), nil)
	e.organizer.must(http.MethodPost, "/actions/people.settings", fields{"tournament": e.id,
		"settings": tournament.PeopleSettingsOf{RegistrationOpen: true, NoShowMinutes: 10}}, nil)
	address, r := fmt.Sprintf("/events/%d/register", e.id), e.reader()
	enter := func(name string, status int) *leaf {
		t.Helper()
		return r.post(t, address, form("name", name)).is(status)
	}
	cancel := func(undo bool) {
		t.Helper()
		e.organizer.must(http.MethodPost, "/actions/tournament.cancel", fields{"tournament": e.id, "undo": undo}, nil)
	}
	cancel(false)
	r.get(t, address).says("body", "This event has been cancelled")
	enter("Ann", http.StatusConflict)
	cancel(true)
	enter("Ann", http.StatusOK)
}
