package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/templates"
	"meldhall/tournament/format"
)

// TestWordsOfARound checks the wording for a round with nothing to do, its codes, and confirmed games.
func TestWordsOfARound(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", "name\nAnna\nBen\nCarla\nDavid\n", nil)
	o := e.signedIn("organizer")
	round := string(templates.RoundPath(e.id, e.round.ID))
	if n, text := strings.Count(o.get(t, round).text("ol.seated"), "Seat code"),
		o.get(t, round).text("ol.seated"); n != 4 {
		t.Errorf("%d of 4 codes say what they are: %s", n, text)
	}
	seats := e.reader().get(t, string(templates.JoinCodePath(e.round.Tables[0].Code))).is(http.StatusOK)
	if text := seats.text("button.take-seat"); !strings.Contains(text, "seat 1") || strings.Contains(text, "·") {
		t.Errorf("a seat of somebody without a country: %q", text)
	}
	e.joinAll()
	e.start()
	o.get(t, fmt.Sprintf("/referee/%d", e.id)).says(".floor-head", "no table needs help")
	o.get(t, fmt.Sprintf("/desk/%d", e.id)).says(".rows", "no game confirmed yet")
	played, _ := playedOut(t)
	played.signedIn("organizer").get(t, fmt.Sprintf("/desk/%d", played.id)).says(".rows", "the game is confirmed")
	o.get(t, "/desk/formats/new?from=wrc").says("h1", "New format, from a copy")
	o.get(t, string(templates.EventFormatPath(e.id))).says("h1", "Edit the format")
}

// TestAFinalIsNotBlamed checks that repeated opponents at a final's only table are not marked as bad or as a failed
// constraint.
func TestAFinalIsNotBlamed(t *testing.T) {
	t.Parallel()
	e, _ := playedOut(t, func(f *format.Format) {
		f.Stages = append(f.Stages, format.Stage{Name: "final", Kind: format.Final, Rounds: 1, GamesPerRound: 1, Cut: 4,
			Seating:    format.ByStandings,
			SeatChange: format.EveryRound, CarryOver: format.CarryNone})
	})
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), map[string]any{}, &e.round)
	page := e.signedIn("organizer").get(t, string(templates.RoundPath(e.id, e.round.ID))).says(".draw-facts",
		"Meet again 6").says(".draw-report", "There is only one table")
	if n := page.count("div.bad"); n > 0 || strings.Contains(page.text(".draw-report"), "ims not met") {
		t.Errorf("%d facts are bad: %s", n, page.text(".draw-report"))
	}
	if asked := page.asks("/round.publish"); asked != "" {
		t.Errorf("it asks %q", asked)
	}
}
