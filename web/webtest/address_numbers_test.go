package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/templates"
)

// TestNumbersInAddresses checks that pages name a parameter of their address that holds no number, and that such a
// parameter may be empty or missing.
func TestNumbersInAddresses(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", roster(4), nil)
	public, referee := e.reader(), e.signedIn("referee")
	board := string(templates.BoardsPath(e.id, "names"))
	player := fmt.Sprintf("/events/%d/players/%d", e.id, e.round.Tables[0].Seats[0].Player.ID)
	display, penalties := string(templates.DisplayPath(e.id, 1)), string(templates.PenaltiesPath(e.id))
	for _, one := range []struct {
		by        *reader
		path      string
		parameter string
	}{
		{public, display, "sides"}, {public, display, "turn"}, {public, board + "?plain=1", "page"},
		{public, player, "with"}, {referee, penalties, "player"}, {referee, penalties, "game"},
	} {
		address, err := url.Parse(one.path)
		if err != nil {
			t.Fatal(err)
		}
		query := address.Query()
		for value, status := range map[string]int{"": http.StatusOK, " ": http.StatusOK, "1": http.StatusOK,
			"x1": http.StatusUnprocessableEntity, "1.5": http.StatusUnprocessableEntity} {
			query.Set(one.parameter, value)
			address.RawQuery = query.Encode()
			page := one.by.get(t, address.String()).is(status)
			if said := page.text("body"); status != http.StatusOK && (!strings.Contains(said, value) ||
				!strings.Contains(said, "whole number")) {
				t.Errorf("%s: %s", address, said)
			}
		}
	}
}
