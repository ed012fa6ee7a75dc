package webtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/request"
)

// TestResultsOfOthersWakeNoPlayer checks that changed standings do not redraw the page of a player in a game. A penalty
// arrives at once, and the standings again after the game.
func TestResultsOfOthersWakeNoPlayer(t *testing.T) {
	e := newEvent(t, 8, nil)
	e.start()
	game := e.begin(0)
	c, _ := gin.CreateTestContext(httptest.NewRecorder())
	c.Request = httptest.NewRequest(http.MethodGet, "/", nil)
	c.Request.Header.Set("Authorization", "Bearer "+e.at(0, 1).token)
	var at request.SeatAt
	feed := e.server.Request.Seats.Feed(c, rights.Actor{Tournament: e.id},
		func(now request.SeatAt) (live.Message, error) {
			at = now
			return live.Message{}, nil
		}, action.TopicStandings)
	defer feed.End()
	sees := func() {
		t.Helper()
		for shuffle := true; shuffle; { // the next game waits for its shuffle
			m, err := feed.Next()
			if err != nil {
				t.Fatal(err)
			}
			shuffle = m.Event == "shuffle"
		}
		select {
		case <-feed.Watcher.Woken():
		default:
		}
	}
	woken := func() bool { return len(feed.Watcher.Woken()) > 0 }
	standings := live.Topics(e.id, action.TopicStandings)
	if sees(); !at.Running() {
		t.Fatal("the game does not run")
	}
	if e.server.Request.Hub.Wake(standings...); woken() {
		t.Error("the standings wake who plays")
	}
	e.referee.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/sanctions", e.id),
		map[string]any{"player": e.round.Tables[0].Seats[1].Player.ID, "kind": "points", "points": 5, "rule": "7.2",
			"reason": "late"}, nil)
	if !woken() {
		t.Error("a penalty wakes nobody")
	}
	e.playOut(t, game)
	if sees(); !at.Over() {
		t.Fatal("the game is not over")
	}
	if e.server.Request.Hub.Wake(standings...); !woken() {
		t.Error("the standings wake nobody who waits")
	}
}

// TestNoBeginningWakesTheStandings checks that starting games, hundreds at a time, wake no watcher of the standings,
// but an ending game does.
func TestNoBeginningWakesTheStandings(t *testing.T) {
	e := newEvent(t, 8, nil)
	w := e.server.Request.Hub.Watch(live.Topics(e.id, action.TopicStandings)...)
	defer w.Stop()
	e.start()
	game := e.begin(0)
	if len(w.Woken()) > 0 {
		t.Error("a round's start and a first turn wake who watches the standings")
	}
	e.byDraws(game)
	if len(w.Woken()) == 0 {
		t.Error("the end of a game wakes nobody")
	}
}
