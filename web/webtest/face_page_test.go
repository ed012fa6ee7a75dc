package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/tournament"
)

// A tournament's page lists the players, then shows a live table unless tables are delayed or hidden, and finally the
// podium.
func TestAnEventAtAGlance(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	public, table := e.reader(), e.round.Tables[0]
	page := public.get(t, "/events/1").is(http.StatusOK)
	for _, s := range table.Seats {
		page.says(".face-players", s.Player.Name)
	}
	page.says(".face-players", "4 players")
	if n := page.count(".face-table, .face-round"); n != 0 {
		t.Errorf("before the round a table is shown: %s", page.text("main"))
	}
	stream := public.regions(t, "/events/1/live")
	until(t, stream, "face-players")
	e.start()
	until(t, stream, "0 of 1 table") // no game has begun
	game := e.begin(0)
	shown := until(t, stream, "face-table")
	if want := fmt.Sprintf("/events/1/tables/%d", table.ID); !strings.Contains(shown, want) ||
		!strings.Contains(shown, "0 of 1 table") {
		t.Errorf("the table is not shown with how far the round is: %s", shown)
	}
	turn := e.public().view(game).Turn
	e.at(0, turn.Seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
		fields{"turn": turn.Number, "key": e.key()}, nil)
	until(t, stream, "drew a tile")
	e.shown(tournament.SetShown{Part: tournament.PartTables, How: tournament.ShownHidden})
	if page := public.get(t, "/events/1").is(http.StatusOK); page.count(".face-table, .face-round") != 0 {
		t.Errorf("hidden tables are shown: %s", page.text("main"))
	}
	if page := e.signedIn("referee").get(t, "/events/1"); page.count(".face-table") != 1 {
		t.Errorf("an official does not see the table: %s", page.text("main"))
	}
}

func TestAnEventThatIsOverAtAGlance(t *testing.T) {
	t.Parallel()
	e := cup(t)
	page := e.reader().get(t, fmt.Sprintf("/events/%d", e.id)).is(http.StatusOK)
	standings := e.standings(t)
	places := find(page.doc, ".step")[1:]
	if len(places) != 2 {
		t.Fatalf("got %d places beside the champion: %s", len(places), page.text("main"))
	}
	for i, place := range places {
		if got := textOf(place); !strings.Contains(got, standings.Rows[i+1].Player.Name) ||
			!strings.HasPrefix(strings.TrimSpace(got), fmt.Sprint(i+2)) {
			t.Errorf("place %d is %q, want %s", i+2, got, standings.Rows[i+1].Player.Name)
		}
	}
	for _, turn := range find(page.doc, ".finest-turn") {
		e.reader().get(t, attr(turn, "href")).is(http.StatusOK)
	}
}
