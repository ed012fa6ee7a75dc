package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/web/api"
)

// planned is a line of a plan as typed.
type planned struct{ what, from, until string }

// typed returns the form of a plan.
func typed(lines ...planned) url.Values {
	form := url.Values{}
	for _, l := range lines {
		form.Add("what", l.what)
		form.Add("name", "")
		form.Add("from", l.from)
		form.Add("until", l.until)
	}
	return form
}

// TestTimesAreTheEventsOwn checks that typed and shown times are in the event's zone, whatever zone the machine has.
func TestTimesAreTheEventsOwn(t *testing.T) {
	t.Parallel()
	h, organizer, _ := newStaffed(t)
	r := h.signedIn("organizer")
	june := typed(planned{"1", "2027-06-12T10:00", "2027-06-12T11:00"})
	for zone, want := range map[string]string{"Europe/Rome": "080000Z", "America/New_York": "140000Z",
		"Asia/Kathmandu": "041500Z"} {
		var made api.TournamentDetail
		organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Day", "format": "open",
			"time_zone": zone, "rules": map[string]any{"preset": "wrc"}}, &made)
		plan, event := fmt.Sprintf("/desk/%d/plan", made.ID), fmt.Sprintf("/events/%d", made.ID)
		r.post(t, plan, june).is(http.StatusOK).says("main", "The schedule has been saved")
		_, calendar := r.first(t, event+"/calendar.ics")
		if !strings.Contains(calendar, "DTSTART:20270612T"+want) {
			t.Errorf("%s: got %s, want %s", zone, calendar, want)
		}
		r.get(t, event+"/schedule").says("main", "10:00 – 11:00")
		r.get(t, event).says("main", "10:00")
		if from := attr(find(r.get(t, plan).doc, "input[name=from]")[0], "value"); from != "2027-06-12T10:00" {
			t.Errorf("%s: the plan's form has %s", zone, from)
		}
		_, log := r.first(t, fmt.Sprintf("/desk/%d/log", made.ID))
		if !strings.Contains(log, "10:00") || !strings.Contains(log, "11:00") {
			t.Errorf("%s: the log has not the times of the plan", zone)
		}
	}
}

// TestSummerTime checks that a plan across the change names the zone of each day, and that a time which the clocks skip
// is refused.
func TestSummerTime(t *testing.T) {
	t.Parallel()
	h, organizer, _ := newStaffed(t)
	r := h.signedIn("organizer")
	var made api.TournamentDetail
	organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Night", "format": "open",
		"time_zone": "Europe/Rome", "rules": map[string]any{"preset": "wrc"}}, &made)
	plan := fmt.Sprintf("/desk/%d/plan", made.ID)
	rows := find(r.post(t, plan, typed(planned{"1", "2027-03-27T18:00", "2027-03-27T19:00"},
		planned{"2", "2027-03-28T10:00", "2027-03-28T11:00"})).is(http.StatusOK).doc, "tr")[1:]
	if !strings.Contains(textOf(rows[0]), "CET (UTC+1)") || !strings.Contains(textOf(rows[1]), "CEST (UTC+2)") {
		t.Error("the rows of the plan have not their zones")
	}
	days := find(r.get(t, fmt.Sprintf("/events/%d/schedule", made.ID)).doc, ".day")
	if len(days) != 2 || !strings.Contains(textOf(days[0]), "CET (UTC+1)") ||
		!strings.Contains(textOf(days[1]), "CEST (UTC+2)") {
		t.Errorf("the days have not their zones: %v", days)
	}
	_, calendar := r.first(t, fmt.Sprintf("/events/%d/calendar.ics", made.ID))
	for _, want := range []string{"DTSTART:20270327T170000Z", "DTSTART:20270328T080000Z"} {
		if !strings.Contains(calendar, want) {
			t.Errorf("the calendar lacks %s", want)
		}
	}
	for name, form := range map[string]url.Values{
		"a line":  typed(planned{"1", "2027-03-28T02:30", "2027-03-28T04:00"}),
		"an end":  typed(planned{"1", "2027-03-28T01:00", "2027-03-28T02:00"}),
		"a start": {"make": {"1"}, "starts": {"2027-03-28T02:30"}, "minutes": {"60"}, "pause": {"10"}},
	} {
		t.Run(name, func(t *testing.T) {
			r.post(t, plan, form).is(http.StatusUnprocessableEntity).says("main", "does not exist in Europe/Rome")
		})
	}
	var kept api.ScheduleAnswer
	organizer.must(http.MethodGet, fmt.Sprintf("/tournaments/%d/schedule", made.ID), nil, &kept)
	if len(kept.Slots) != 2 {
		t.Errorf("a refused plan left %d slots", len(kept.Slots))
	}
}
