package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/format"
)

// TestATitleIsShared: when a correction leaves two champions whom nothing parts, the standings, the desk and the list of events
// say so plainly; the form of a format says beforehand that it may happen.
func TestATitleIsShared(t *testing.T) {
	t.Parallel()
	e, game := playedOut(t)
	o, seats := e.signedIn("organizer"), e.round.Tables[0].Seats
	first, second := seats[0].Player.Name, seats[1].Player.Name
	if text := o.get(t, "/desk/1").text("main"); strings.Contains(text, "share the title") {
		t.Errorf("one champion shares: %s", text)
	}
	half := engine.Whole(1) / 2
	e.organizer.must(http.MethodPost, fmt.Sprintf("/games/%d/correct", game), CorrectBody{Rev: 2, Why: "both were out", Lines: []CorrectLine{
		{Seat: 0, Wins: half, Points: engine.Whole(3)}, {Seat: 1, Wins: half, Points: engine.Whole(3)}, {Seat: 2, Points: -engine.Whole(2)}, {Seat: 3, Points: -engine.Whole(4)}}}, nil)
	names := []string{first, second}
	if seats[0].Player.Number > seats[1].Player.Number {
		names = []string{second, first}
	}
	page := o.get(t, "/events/1").is(http.StatusOK)
	if got, want := page.text(".champion"), "Champions: the title is shared "+names[0]+" "+names[1]+" Nothing that decides here parts them."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	page.says("#ranks", "=1 "+names[1])
	o.get(t, "/desk/1").says("main", names[0]+", "+names[1]+" share the title")
	e.reader().get(t, "/").says("main", "first: "+names[0]+", "+names[1])
	o.get(t, "/desk/formats/new?from=wrc").says("main", "shares the title")
	if text := o.get(t, "/desk/formats/new?from=poland").is(http.StatusOK).text("main"); strings.Contains(text, "shares the title") {
		t.Errorf("a format that decides: %s", text)
	}
}

// TestNowSaysAPlayOff: those who look on are told that ties are played off, not of one more round.
func TestNowSaysAPlayOff(t *testing.T) {
	stages := []format.Stage{{Name: "Cup"}}
	for _, row := range []struct {
		round tournament.Round
		want  string
	}{{tournament.Round{Number: 3}, "Cup, round 3"}, {tournament.Round{Number: 4, PlayOff: 1}, "Cup, play-off"}} {
		if got := nowWords(t.Context(), stages, row.round); got != row.want {
			t.Errorf("got %q, want %q", got, row.want)
		}
	}
}
