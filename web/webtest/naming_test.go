package webtest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/tournament/displayname"
)

// Two names that occur nowhere else, each of two unique words.
const (
	shortName  = "Quirina Zwetkowa"
	hiddenName = "Bartolo Yxkull"
)

// named returns the addresses where a reader sees one of the words, with the text around it.
func (l lookedAt) named(words ...string) (at []string) {
	for path, body := range l.pages {
		for _, word := range words {
			if i := strings.Index(body, word); i >= 0 {
				at = append(at, fmt.Sprintf("%s: …%s…", path, body[max(0, i-60):min(len(body), i+40)]))
			}
		}
	}
	slices.Sort(at)
	return at
}

// TestNamesInPublic checks that no public response of any route contains the full name of a player with a short or
// hidden public name, before, during and after the game. Officials and players at the same table see it.
func TestNamesInPublic(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	lines := strings.SplitAfter(roster(8), "\n")
	e := newNamedEvent(t, "Private", strings.Join(lines[:6], "")+shortName+",IT\n"+hiddenName+",IT\n"+"Player 8,IT\n",
		map[string]any{"turn_seconds": 0})
	for _, table := range e.round.Tables {
		for _, seat := range table.Seats {
			for name, way := range map[string]string{shortName: displayname.Short, hiddenName: displayname.Number} {
				if seat.Player.Name == name {
					e.organizer.must(http.MethodPost, fmt.Sprintf("/players/%d/naming", seat.Player.ID),
						fields{"way": way}, nil)
				}
			}
		}
	}
	look := func(when string) {
		for _, l := range e.everything(t, when) {
			whole := l.named("Zwetkowa", "Bartolo", "Yxkull")
			if l.who == "public" {
				for _, at := range whole {
					t.Errorf("%s: %s", when, at)
				}
				if n := len(l.named("Quirina Z.")); n < 8 {
					t.Errorf("%s the short name is read at %d addresses", when, n)
				}
				if n := len(l.named("№\u00a07")); n < 4 {
					t.Errorf("%s the number is read at %d addresses", when, n)
				}
			} else if l.who == "referee" && len(whole) < 20 || l.who == "player" &&
				(len(l.named("Yxkull")) < 5 || len(l.named("Zwetkowa")) > 0) {
				t.Errorf("%s the %s reads whole names at %q", when, l.who, whole)
			}
		}
	}
	look("seated")
	e.start()
	game := e.begin(0)
	look("in play")
	e.byDraws(game)
	e.confirmed(game)
	look("confirmed")
}

// TestAPlayerChoosesTheNameInPublic checks that the holder of a ticket chooses how the name is shown and sees it in
// full there.
func TestAPlayerChoosesTheNameInPublic(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Own", "name\n"+shortName+"\nCid\nDan\nEve\n", nil)
	var people []struct{ Name, Ticket string }
	e.organizer.must(http.MethodGet, fmt.Sprintf("/tournaments/%d/people", e.id), nil, &people)
	at := "/ticket/" + people[0].Ticket
	r := e.reader()
	page := r.get(t, at).is(http.StatusOK).says("h1", shortName)
	page.submit(at+"/naming", "way", "short").is(http.StatusOK).says("h1", shortName).says("main",
		"The public name has been set")
	r.get(t, fmt.Sprintf("/events/%d/players", e.id)).is(http.StatusOK).says("main", "Quirina Z.")
	if body := r.body(t, fmt.Sprintf("/events/%d/players", e.id)); strings.Contains(body, "Zwetkowa") {
		t.Errorf("the players' page has %s", body)
	}
	e.signedIn("organizer").get(t, fmt.Sprintf("/events/%d/players", e.id)).is(http.StatusOK).says("main", shortName)
	r.get(t, at).submit(at+"/naming", "way", "loud").is(http.StatusUnprocessableEntity)
	if status, _, _ := e.public().send(http.MethodPost, "/tickets/wrong/naming",
		fields{"way": "short"}); status != http.StatusNotFound {
		t.Errorf("a wrong ticket: %d", status)
	}
}
