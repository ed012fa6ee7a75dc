package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"meldhall/web/request"
)

// Once the tables of a round are cached, a move is rendered for all viewers without reading the database. Seating,
// displayed names and the current games are read once until they change.
func TestAMoveIsShownToViewersFromMemory(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	games := []int64{e.begin(0), e.begin(1)}
	regions := e.reader().regions(t, fmt.Sprintf("/events/%d/tables/live", e.id))
	drawn := 0
	draw := func() {
		t.Helper()
		game := games[drawn%2]
		turn := e.public().view(game).Turn
		e.at(drawn%2, turn.Seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
			request.TurnRequest{Turn: turn.Number, Key: e.key()}, nil)
		drawn++
		for limit := time.After(patience); ; {
			select {
			case m := <-regions:
				if strings.Count(m, `<b class="count">15</b>`) == drawn {
					return
				}
			case <-limit:
				t.Fatalf("move %d is not shown", drawn)
			}
		}
	}
	draw()
	read, err := e.store.Read.DB()
	if err != nil {
		t.Fatal(err)
	}
	read.Close() // reads now fail
	draw()
	draw()
}

// Every change drops the affected cached views: all viewers and the next request get the new state.
func TestWhatIsKeptForViewersIsForgotten(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, map[string]any{"turn_seconds": 0})
	e.start()
	game, table, reader := e.begin(0), e.round.Tables[0], e.reader()
	pages := map[string]string{"all tables": fmt.Sprintf("/events/%d/tables", e.id),
		"one table":     fmt.Sprintf("/events/%d/tables/%d", e.id, table.ID),
		"the standings": fmt.Sprintf("/events/%d", e.id)}
	live, short := map[string]<-chan string{}, table.Seats[2].Player.Name+"."
	for name, path := range pages {
		live[name] = reader.regions(t, path+"/live")
		reader.get(t, path)
	}
	for _, step := range []struct {
		what  string
		does  func()
		shows map[string]string
	}{
		{"a player is written otherwise", func() {
			e.organizer.must(http.MethodPost, fmt.Sprintf("/players/%d/naming", table.Seats[2].Player.ID),
				fields{"way": "short"}, nil)
		}, map[string]string{"all tables": short, "one table": short}},
		{"a game ends", func() { e.byDraws(game) }, map[string]string{"the standings": `id="ranks"`}},
		{"its result is confirmed", func() { e.confirmed(game) }, nil},
		{"it is corrected", func() { e.rescored(2, 1234, -1234, 0, 0) }, map[string]string{"the standings": "1234"}},
	} {
		step.does()
		for name, text := range step.shows {
			until(t, live[name], text)
			var body strings.Builder
			if err := html.Render(&body, reader.get(t, pages[name]).doc); err != nil ||
				!strings.Contains(body.String(), text) {
				t.Errorf("%s: %s does not show %q to the next one who asks", step.what, name, text)
			}
		}
	}
}
