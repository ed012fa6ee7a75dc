package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"meldhall/web/api"
	"meldhall/web/view"
)

// A generated schedule starts from the format's values for each stage and follows the organizer's changes.
func TestPlanOfEachStage(t *testing.T) {
	t.Parallel()
	h, organizer, _ := newStaffed(t)
	r := h.signedIn("organizer")
	begins := time.Now().Add(time.Hour).Truncate(time.Hour)
	for _, row := range []struct {
		format         string
		minutes, pause []string // suggested by the form
		pauseSaid      string   // typed into the format's form before
		typed          url.Values
		starts         []int // of the rounds, in minutes after the first
		ends           int   // of the last round
	}{
		{"zory", []string{"50", "50"}, []string{"10", "10"}, "", nil, []int{0, 60, 120, 180, 240}, 290},
		{"zory", []string{"50", "50"}, []string{"10", "10"}, "",
			url.Values{"minutes": {"45", "70"}, "pause": {"5", "0"}}, []int{0, 50, 100, 150, 200}, 270},
		{"open", []string{"60"}, []string{"0"}, "0", nil, []int{0, 60, 120}, 180},
		{"open", []string{"60"}, []string{"10"}, "", url.Values{"minutes": {"40"}, "pause": {"20"}}, []int{0, 60, 120},
			160},
	} {
		var made api.TournamentDetail
		organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Day", "format": row.format,
			"rules": map[string]any{"preset": "wrc"}}, &made)
		if row.pauseSaid != "" {
			form := fmt.Sprintf("/desk/%d/format", made.ID)
			r.get(t, form).submit(form, "do", "save", "stages[0].break_minutes", row.pauseSaid).is(http.StatusOK)
		}
		address := fmt.Sprintf("/desk/%d/plan", made.ID)
		page := r.get(t, address).is(http.StatusOK)
		fields := url.Values{"make": {"1"}, "starts": {begins.Format(view.DayFormat)}}
		for _, name := range []string{"minutes", "pause"} {
			for _, n := range find(page.doc, "input[name="+name+"]") {
				fields.Add(name, attr(n, "value"))
			}
		}
		if !slices.Equal(fields["minutes"], row.minutes) || !slices.Equal(fields["pause"], row.pause) {
			t.Errorf("%s: proposes rounds of %v and pauses of %v, want %v and %v", row.format, fields["minutes"],
				fields["pause"], row.minutes, row.pause)
		}
		if len(row.minutes) > 1 {
			page.says(".plan-make", "Final · Minutes for a round")
		}
		for name, values := range row.typed {
			fields[name] = values
		}
		r.post(t, address, fields).is(http.StatusOK).says(".flash", "The schedule has been saved")
		var plan api.ScheduleAnswer
		organizer.must(http.MethodGet, fmt.Sprintf("/tournaments/%d/schedule", made.ID), nil, &plan)
		var starts []int
		ends := 0
		for _, slot := range plan.Slots {
			starts = append(starts, int((int64(slot.SlotBody.Starts)-begins.UnixMilli())/60_000))
			ends = int((int64(slot.SlotBody.Ends) - begins.UnixMilli()) / 60_000)
		}
		if !slices.Equal(starts, row.starts) || ends != row.ends {
			t.Errorf("%s with %v: got rounds at %v until %d, want %v until %d", row.format, row.typed, starts, ends,
				row.starts, row.ends)
		}
		fields["minutes"] = []string{"long"}
		r.post(t, address, fields).is(http.StatusUnprocessableEntity)
	}
}
