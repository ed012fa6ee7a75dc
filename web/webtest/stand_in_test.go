package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/people"
	"meldhall/web/request"
	"meldhall/web/view"
)

// TestWhoSitsInIsCalledByName checks that a stand-in who plays from the next game on is named as soon as that game
// begins, and the player until then.
func TestWhoSitsInIsCalledByName(t *testing.T) {
	e := newEvent(t, 4, nil)
	e.start()
	game := e.begin(0)
	entry := e.round.Tables[0].Seats[0].Player
	called := func(game int64) string {
		t.Helper()
		var now view.LiveState
		e.referee.must(http.MethodGet, fmt.Sprintf("/games/%d", game), nil, &now)
		return now.Names[0]
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/people", e.id),
		request.PeopleBody{Kind: tournament.PeopleSubstitute, Player: entry.ID,
			Entries: []request.EntryBody{{Name: "Aunt Mary"}}}, nil)
	if got := called(game); got != entry.Name {
		t.Errorf("in the game that is on %s is called %s", entry.Name, got)
	}
	next := e.round.Tables[0].Games[1].ID
	var joined struct{ Token string }
	code, _ := e.seatCode(entry.ID)
	e.public().must(http.MethodPost, "/join", people.Join{Code: code}, &joined)
	e.players[entry.ID] = &caller{e.hall, "Aunt Mary", joined.Token}
	e.byDraws(game)
	e.confirmed(game)
	if got := called(next); got != "Aunt Mary" {
		t.Errorf("in the next game Aunt Mary is called %s", got)
	}
}
