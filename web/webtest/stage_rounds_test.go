package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"meldhall/tournament/draw"
	"meldhall/web/api"
	"meldhall/web/view"
)

// TestRoundsAreAddedAndDraftsChanged adds rounds to a stage while it has a draft, with a preview and the reason in the
// log. The draft gets other settings and another time.
func TestRoundsAreAddedAndDraftsChanged(t *testing.T) {
	t.Parallel()
	h, organizer, _ := newStaffed(t)
	var made api.TournamentDetail
	organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Longer", "format": "open",
		"rules": map[string]any{"preset": "wrc"}}, &made)
	organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", made.ID), roster(8), nil)
	var round api.RoundDetail
	organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", made.ID), map[string]any{}, &round)
	rounds := func() int {
		t.Helper()
		var f api.FormatView
		organizer.must(http.MethodGet, fmt.Sprintf("/tournaments/%d/format", made.ID), nil, &f)
		return f.Format.Stages[0].Rounds
	}
	path := fmt.Sprintf("/tournaments/%d/stages/1/rounds", made.ID)
	var change draw.StageRounds
	organizer.must(http.MethodPost, path, api.StageRoundsBody{Rounds: 5, Preview: true}, &change)
	if change != (draw.StageRounds{Before: 3, After: 5, Drawn: 1, All: 5}) || rounds() != 3 {
		t.Errorf("the preview: got %+v, %d rounds", change, rounds())
	}
	r := h.signedIn("organizer")
	desk := fmt.Sprintf("/desk/%d", made.ID)
	look := r.get(t, desk+"/stages/0/rounds?rounds=4").is(http.StatusOK).says("main",
		"3 rounds so far, 4 from now on").says("main", "1 of them is already seated or played: it stays as it is.")
	if rounds() != 3 {
		t.Error("looking at it did it")
	}
	look.submit("/tournament.rounds", "why", "many came").is(http.StatusOK).says("main", "The stage now has 4 rounds")
	if rounds() != 4 {
		t.Errorf("got %d rounds, want 4", rounds())
	}
	r.get(t, desk+"/log?q=many").is(http.StatusOK).says("main", "many came")
	organizer.refusedWith(t, http.StatusUnprocessableEntity, "err_format_field", http.MethodPost, path,
		api.StageRoundsBody{Rounds: 500})

	round2 := func() (d api.RoundDetail) {
		organizer.must(http.MethodGet, fmt.Sprintf("/rounds/%d", round.ID), nil, &d)
		return d
	}
	page := fmt.Sprintf("%s/rounds/%d", desk, round.ID)
	drawn := r.get(t, page).is(http.StatusOK).submit("/draw", "note", "again", "method", "random", "games", "2",
		"seats_most",
		"2").is(http.StatusOK)
	page = drawn.path
	_, _ = fmt.Sscanf(page[strings.LastIndex(page, "/")+1:], "%d", &round.ID)
	if d := round2(); d.Games != 2 || len(d.Tables) != 4 || d.Status != "draft" {
		t.Errorf("the draft: got %d games at %d tables", d.Games, len(d.Tables))
	}
	if drawn.count("#round-start") != 0 {
		t.Error("a day without a plan has a time")
	}
	begins := time.Now().Add(time.Hour).Truncate(time.Minute)
	r.get(t, desk+"/plan").submit(desk+"/plan", "make", "1", "starts", begins.Format(view.DayFormat), "minutes", "60",
		"pause", "15")
	later := begins.Add(30 * time.Minute)
	r.get(t, page).submit("/starts", "starts", later.Format(view.DayFormat)).is(http.StatusOK)
	var plan api.ScheduleAnswer
	organizer.must(http.MethodGet, fmt.Sprintf("/tournaments/%d/schedule", made.ID), nil, &plan)
	if n := len(plan.Slots); n != 4 || int64(plan.Slots[0].SlotBody.Starts) != later.UnixMilli() ||
		int64(plan.Slots[n-1].SlotBody.Starts) != later.Add(3*75*time.Minute).UnixMilli() {
		t.Errorf("the plan: got %+v", plan.Slots)
	}
}
