package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// The public pages of an event, below its address, without a round, table, player or game.
var masthead = []string{"", "/tables", "/rounds", "/players", "/crosstable", "/statistics", "/regulations", "/schedule",
	"/proof", "/why"}

// amid returns the elements of a page that match a selector within others.
func amid(page *leaf, outer, selector string) (found []*html.Node) {
	for _, n := range find(page.doc, outer) {
		found = append(found, find(n, selector)...)
	}
	return found
}

// describe sets what an event says about itself.
func (e *event) describe(t *testing.T) {
	t.Helper()
	e.organizer.must(http.MethodPost, "/actions/tournament.describe", fields{"tournament": e.id, "name": "Rome Open",
		"place": "Sala Grande", "first_day": "2027-06-12", "last_day": "2027-06-13", "organizer": "Circolo Romano",
		"referee": "Anna Ferri", "federation": "ITA-27", "colour": "#0e4d86"}, nil)
}

// TestEveryPublicPageHasTheHeader checks that each public page of an event names its days, place, organizer and head
// referee in the event's colour, has one row of tabs and one heading of its own, and repeats no navigation.
func TestEveryPublicPageHasTheHeader(t *testing.T) {
	t.Parallel()
	e := cup(t)
	e.describe(t)
	at := fmt.Sprintf("/events/%d", e.id)
	player, round, table := e.round.Tables[0].Seats[0].Player.ID, e.round.ID, e.round.Tables[0].ID
	paths := append([]string{fmt.Sprintf("/players/%d", player), fmt.Sprintf("/rounds/%d", round),
		fmt.Sprintf("/tables/%d", table)}, masthead...)
	if games := e.rowsOf(t, "SELECT id FROM games WHERE tournament_id = ?1"); len(games) > 0 {
		paths = append(paths, "/games/"+games[0], "/games/"+games[0]+"/turns/1")
	}
	for _, path := range paths {
		page := e.reader().get(t, at+path).is(http.StatusOK)
		for _, fact := range []string{"Rome Open", "12 Jun 2027", "13 Jun 2027", "Sala Grande",
			"organized by \u2068Circolo Romano\u2069", "head referee \u2068Anna Ferri\u2069", "ITA-27", "ended"} {
			page.says(".masthead", fact)
		}
		if page.count(".c-0e4d86") != 1 || page.count("link[href=/colours.css?of=0e4d86]") != 1 {
			t.Errorf("%s is not in the event's colour", path)
		}
		links := 0
		for _, nav := range find(find(page.doc, ".bar")[0], "nav") {
			links += len(find(nav, "a"))
		}
		if page.count("h1") != 1 || page.count(".parts-nav") != 1 || links != 2 {
			t.Errorf("%s: %d headings, %d rows of tabs, %d other links", path, page.count("h1"),
				page.count(".parts-nav"), links)
		}
	}
	css := e.reader().get(t, "/colours.css?of=0e4d86-ffcc00").is(http.StatusOK)
	css.says("body", ".c-0e4d86{--event:#0e4d86;--on-event:#ffffff}").
		says("body", ".c-ffcc00{--event:#ffcc00;--on-event:#000000}")
	for _, wrong := range []string{"", "?of=", "?of=red", "?of=0e4d86-", "?of=0e4d86}body{display:none"} {
		e.reader().get(t, "/colours.css"+wrong).is(http.StatusNotFound)
	}
}

// TestTheHeaderHasOneHonestState checks the state of an event from its first published round to its end, on the pages
// and in what their streams send. An event that has ended is nowhere live.
func TestTheHeaderHasOneHonestState(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	public, at := e.reader(), fmt.Sprintf("/events/%d", e.id)
	shows := func(state, word string) {
		t.Helper()
		for _, path := range []string{"", "/tables", "/rounds", "/proof"} {
			page := public.get(t, at+path).is(http.StatusOK)
			if len(amid(page, ".masthead", "[data-state="+state+"]")) != 1 {
				t.Errorf("%s is not %s: %s", path, state, page.text(".masthead"))
			}
			if live := page.count("[data-live=" + word + "]"); page.count("#link") != live {
				t.Errorf("%s: the line about the connection does not say %s", path, word)
			}
		}
	}
	shows("draft", "planned")
	public.get(t, "/").says(".event-card", "planned")
	stream := public.regions(t, at+"/live")
	until(t, stream, `data-state="draft"`)
	e.start()
	until(t, stream, `data-state="running"`)
	shows("running", "live")
	e.organizer.must(http.MethodPost, "/actions/tournament.cancel", fields{"tournament": e.id}, nil)
	until(t, stream, `data-state="cancelled"`)
	shows("cancelled", "cancelled")

	over := cup(t)
	public, at = over.reader(), fmt.Sprintf("/events/%d", over.id)
	shows("finished", "ended")
	for _, path := range masthead {
		if text := public.get(t, at+path).text(".masthead"); strings.Contains(text, "live") {
			t.Errorf("%s: an ended event is live: %s", path, text)
		}
	}
	card := public.get(t, "/").says(".event-card", "ended").says(".event-card", "won by")
	if len(amid(card, ".event-card", ".btn")) != 0 {
		t.Errorf("an ended event has live tables: %s", card.text(".event-card"))
	}
	desk := over.signedIn("organizer").get(t, "/")
	if len(amid(desk, ".event-card", fmt.Sprintf("a[href=/desk/%d]", over.id))) != 1 {
		t.Error("the organizer's card does not lead to the desk")
	}
}

// TestNamesLeadToPlayers checks that players' names on the public pages link to their pages.
func TestNamesLeadToPlayers(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	e.begin(0)
	at := fmt.Sprintf("/events/%d", e.id)
	for _, path := range []string{"/tables", fmt.Sprintf("/tables/%d", e.round.Tables[0].ID), ""} {
		page := e.reader().get(t, at+path).is(http.StatusOK)
		for _, s := range e.round.Tables[0].Seats {
			if page.count(fmt.Sprintf("a[href=%s/players/%d]", at, s.Player.ID)) == 0 {
				t.Errorf("%q: the name of %s leads nowhere", path, s.Player.Name)
			}
		}
	}
	if tablet := e.readerAt(0, 0).get(t, "/play/game").is(http.StatusOK); tablet.count("a.name-link") != 0 {
		t.Error("a tablet in play leads away")
	}
	over := cup(t)
	at = fmt.Sprintf("/events/%d", over.id)
	for _, path := range []string{"", "/why", "/crosstable", "/rounds/" + fmt.Sprint(over.round.ID)} {
		page := over.reader().get(t, at+path).is(http.StatusOK)
		for _, s := range over.round.Tables[0].Seats {
			if page.count(fmt.Sprintf("a[href=%s/players/%d]", at, s.Player.ID)) == 0 {
				t.Errorf("%q: the name of %s leads nowhere", path, s.Player.Name)
			}
		}
	}
}

// TestPhotosOfAnEvent checks that a photo appears on the event's page with its caption as text alternative, that other
// events and the public before publication do not get it, and that it is gone after its removal.
func TestPhotosOfAnEvent(t *testing.T) {
	t.Parallel()
	e := cup(t)
	at := fmt.Sprintf("/events/%d", e.id)
	e.organizer.must(http.MethodPost, "/actions/photo.add", fields{"tournament": e.id, "picture": pixel,
		"caption": "The final"}, nil)
	page := e.reader().get(t, at).is(http.StatusOK)
	photos := amid(page, ".photos", "img")
	if len(photos) != 1 || attr(photos[0], "alt") != "The final" || attr(photos[0], "loading") != "lazy" {
		t.Fatalf("got %d photos: %s", len(photos), page.text(".photos"))
	}
	src := attr(photos[0], "src")
	if photo := e.reader().get(t, src).is(http.StatusOK); photo.header.Get("Content-Type") != "image/jpeg" {
		t.Errorf("got %s", photo.header.Get("Content-Type"))
	}
	e.reader().get(t, strings.Replace(src, at, at+"1", 1)).is(http.StatusNotFound)
	e.organizer.must(http.MethodPost, "/actions/photo.remove", fields{"id": 1}, nil)
	e.reader().get(t, src).is(http.StatusNotFound)
	if page := e.reader().get(t, at).is(http.StatusOK); page.count(".photos") != 0 {
		t.Error("the removed photo is still shown")
	}

	draft := newEntered(t, "Draft", roster(4), nil)
	draft.organizer.must(http.MethodPost, "/actions/photo.add", fields{"tournament": draft.id, "picture": pixel,
		"caption": "Not yet"}, nil)
	draft.reader().get(t, fmt.Sprintf("/events/%d/photos/1", draft.id)).is(http.StatusNotFound)
	if status, _, _ := draft.public().send(http.MethodPost, "/actions/photo.remove", fields{"id": 1}); status !=
		http.StatusUnauthorized {
		t.Errorf("the public removes a photo: %d", status)
	}
}

// TestFlags checks that countries have flags beside their names, and none that is missing.
func TestFlags(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", "name,country\nAnna,Italy\nBen,Israel\nCleo,Atlantis\nDora,JPN\n", nil)
	page := e.reader().get(t, fmt.Sprintf("/events/%d/players", e.id)).is(http.StatusOK)
	flags := find(page.doc, "img.flag")
	if len(flags) != 3 {
		t.Errorf("got %d flags: %s", len(flags), page.text("#players"))
	}
	for _, flag := range flags {
		if attr(flag, "alt") != "" || attr(flag, "loading") != "lazy" {
			t.Errorf("got alt %q, loading %q", attr(flag, "alt"), attr(flag, "loading"))
		}
		svg := e.reader().get(t, attr(flag, "src")).is(http.StatusOK)
		if kind := svg.header.Get("Content-Type"); !strings.HasPrefix(kind, "image/svg+xml") {
			t.Errorf("got %s", kind)
		}
	}
	page.says("#players", "Italy").says("#players", "Atlantis")
	e.reader().get(t, "/flags/..%2fhall.css").is(http.StatusNotFound)
}
