package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/tournament"
	"meldhall/web/request"
)

// TestTheStandingsAreWhole checks the public standings without scripts: all players are listed, withdrawn ones marked,
// under proper headers, with countries but without email addresses. The page refreshes itself, and every page about a
// player or a round has its own address, in the browser's language or the chosen one.
func TestTheStandingsAreWhole(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := cup(t)
	open := newEntered(t, "Open", "name,email\nAnna,anna@secret.example\nBen,ben@secret.example\nCleo,\nDan,\n", nil)
	players, err := tournament.Players(t.Context(), open.store, open.id)
	if err != nil {
		t.Fatal(err)
	}
	open.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", open.id), fields{"games": 1},
		&open.round)
	open.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", open.round.ID), nil, &open.round)
	open.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/people", open.id),
		request.PeopleBody{Kind: "leave", Player: players[1].ID, Why: "ill"}, nil)
	for _, path := range []string{"", "/players", "/tables", "/crosstable", "/results.atom"} {
		if _, body := open.asked(t, http.MethodGet, fmt.Sprintf("/events/%d%s", open.id, path)); strings.Contains(body,
			"secret.example") {
			t.Errorf("%s tells an address", path)
		}
	}
	left := open.reader().get(t, fmt.Sprintf("/events/%d/players", open.id)).is(http.StatusOK)
	if !strings.Contains(left.text("main"), "Ben") || !strings.Contains(left.text("main"), "withdrawn") {
		t.Errorf("who has left: %s", left.text("main"))
	}
	page := e.reader().get(t, fmt.Sprintf("/events/%d", e.id)).is(http.StatusOK)
	table := find(page.doc, "#ranks")
	if len(table) != 1 {
		t.Fatalf("%d tables of standings", len(table))
	}
	if rows, heads := len(find(table[0], "td.rank")), len(find(table[0], "th[scope=col]")); rows != 8 || heads < 5 {
		t.Errorf("%d rows under %d headers", rows, heads)
	}
	if _, body := e.asked(t, http.MethodGet, fmt.Sprintf("/events/%d", e.id)); !strings.Contains(body,
		`http-equiv="refresh"`) {
		t.Error("without script the page stays as it is")
	}
	for language, word := range map[string]string{"it": "Classifica", "he": "דירוג"} {
		_, browser := e.asked(t, http.MethodGet, fmt.Sprintf("/events/%d", e.id), "Accept-Language", language)
		_, chosen := e.asked(t, http.MethodGet, fmt.Sprintf("/events/%d", e.id), "Accept-Language", "en", "Cookie",
			"lang="+language)
		if !strings.Contains(browser, word) || !strings.Contains(chosen, word) ||
			strings.Contains(browser, `dir="rtl"`) != (language == "he") {
			t.Errorf("%s is not the language of the page", language)
		}
	}
}
