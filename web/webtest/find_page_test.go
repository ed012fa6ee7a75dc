package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// foundOn returns the links of a search in order, each as address and text.
func foundOn(t *testing.T, r *reader, tournamentID int64, words string) (links [][2]string) {
	t.Helper()
	page := r.get(t, fmt.Sprintf("/desk/%d/find?words=%s", tournamentID, url.QueryEscape(words))).is(http.StatusOK)
	for _, list := range find(page.doc, ".found") {
		for _, a := range find(list, "a") {
			links = append(links, [2]string{attr(a, "href"), textOf(a)})
		}
	}
	return links
}

// TestFindLeadsThere checks that an official finds tables, people, pages and rulings by words, but only what the
// official's role may open.
func TestFindLeadsThere(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	e.begin(0)
	o, ref := e.signedIn("organizer"), e.signedIn("referee")
	player := e.round.Tables[1].Seats[0].Player
	table := fmt.Sprintf("/referee/%d/tables/%d", e.id, e.round.Tables[1].ID)
	for _, c := range []struct {
		who        *reader
		words, url string
	}{
		{o, "2", table}, {ref, "2", table}, {o, "table 2", table},
		{o, strings.ToUpper(player.Name), fmt.Sprintf("/desk/%d/players/%d", e.id, player.ID)},
		{ref, player.Name, table},
		{o, "results", fmt.Sprintf("/desk/%d/results", e.id)}, {ref, "results", fmt.Sprintf("/desk/%d/results", e.id)},
		{o, "late arrival", fmt.Sprintf("/desk/%d/roster#name", e.id)},
		{o, player.Name + " withdraw", fmt.Sprintf("/desk/%d/people/do?kind=leave&player=%d", e.id, player.ID)},
		{ref, "1 pause", fmt.Sprintf("/referee/%d/tables/%d/rule/pause?game=%d", e.id, e.round.Tables[0].ID,
			e.round.Tables[0].Games[0].ID)},
		{ref, "pause every", fmt.Sprintf("/referee/%d/rounds/%d/pause", e.id, e.round.ID)},
		{o, "disqual", fmt.Sprintf("/referee/%d/penalties", e.id)},
	} {
		links := foundOn(t, c.who, e.id, c.words)
		if len(links) == 0 || links[0][0] != c.url {
			t.Errorf("%q: got %v, want %s first", c.words, links, c.url)
		}
	}
	if links := foundOn(t, ref, e.id, "late arrival"); len(links) > 0 {
		t.Errorf("a referee finds %v", links)
	}
	if links := foundOn(t, o, e.id, "no such thing"); len(links) > 0 {
		t.Errorf("found %v by no words of ours", links)
	}
	for name, r := range map[string]*reader{"organizer": o, "referee": ref} {
		links := foundOn(t, r, e.id, "")
		links = append(links, foundOn(t, r, e.id, "1")...)
		if len(links) < 18 {
			t.Errorf("the %s finds only %d places", name, len(links))
		}
		for _, l := range links {
			address, _, _ := strings.Cut(l[0], "#")
			if page := r.get(t, address); page.status != http.StatusOK {
				t.Errorf("%s: %s (%s) answers %d", name, l[0], l[1], page.status)
			}
		}
	}
	e.reader().get(t, fmt.Sprintf("/desk/%d/find?words=1", e.id)).is(http.StatusOK).says("main", "Staff sign-in")
}

// TestFindIsOnEveryOfficialsPage checks that every page of a tournament links to the search, only for officials.
func TestFindIsOnEveryOfficialsPage(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	opener := "#find-open"
	for _, path := range []string{"/desk/%d", "/desk/%d/roster", "/referee/%d", "/referee/%d/ready", "/events/%d"} {
		path = fmt.Sprintf(path, e.id)
		if page := e.signedIn("organizer").get(t, path).is(http.StatusOK); len(find(page.doc, opener)) != 1 {
			t.Errorf("%s does not lead to the search", path)
		}
	}
	if page := e.reader().get(t, fmt.Sprintf("/events/%d", e.id)); len(find(page.doc, opener)) != 0 {
		t.Error("the public is led to the officials' search")
	}
}
