package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/web/api"
	"meldhall/web/view"
)

// A player in the waiting room can call the referee and confirm a count without scripts, and the hall responds.
func TestCallsAndCountsWithoutAScript(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, map[string]any{"turn_seconds": 600, "start_seconds": 120})
	table, game := e.round.Tables[0], e.round.Tables[0].Games[0].ID
	room := e.tablet(t)
	page := func(p *tablet, path string) string { _, _, text := p.ask(path, nil); return text }
	token := &http.Cookie{Name: "meldhall-seat", Value: e.at(0, 1).token, Path: "/"}
	u, err := url.Parse(e.http.URL)
	if err != nil {
		t.Fatal(err)
	}
	room.client.Jar.SetCookies(u, []*http.Cookie{token})
	t.Run("a call before the game is dealt", func(t *testing.T) {
		within(t, &room.t)
		text := page(room, "/play")
		key := attribute(t, text[strings.Index(text, `name="key"`):], "value")
		for range 2 { // a repeated request has no further effect
			room.expect("/play", url.Values{"do": {"call"}, "game": {fmt.Sprint(game)}, "key": {key}}, 303, "/play")
		}
		room.expect("/play", nil, 200, "", "The referee has been called.", "Cancel the call")
		var floor view.Floor
		e.referee.must(http.MethodGet, fmt.Sprintf("/rounds/%d/floor", e.round.ID), nil, &floor)
		if line := floor.Tables[0]; line.Need != "called" || len(line.Calls) != 1 || line.Calls[0].Seat != 1 {
			t.Errorf("the floor says %+v", line)
		}
		room.expect("/play", url.Values{"do": {"withdraw_call"}, "game": {fmt.Sprint(game)}, "key": {e.key()}}, 303,
			"/play")
		floor = view.Floor{}
		e.referee.must(http.MethodGet, fmt.Sprintf("/rounds/%d/floor", e.round.ID), nil, &floor)
		if line := floor.Tables[0]; line.Need != "waiting" || len(line.Calls) != 0 {
			t.Errorf("the call is withdrawn, but the floor says %+v", line)
		}
		room.expect("/play", url.Values{"do": {"call"}, "game": {fmt.Sprint(game)}, "key": {e.key()}}, 303, "/play")
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/acknowledge", game), api.SeatBody{Key: e.key(), Seat: 1},
			nil)
		room.expect("/play", url.Values{"do": {"withdraw_call"}, "game": {fmt.Sprint(game)}, "key": {e.key()}}, 409, "",
			"already on the way")
		e.referee.must(http.MethodGet, fmt.Sprintf("/rounds/%d/floor", e.round.ID), nil, &floor)
		if line := floor.Tables[0]; line.Need != "coming" || line.Calls[0].By == "" {
			t.Errorf("the floor says %+v", line)
		}
		room.expect("/play", nil, 200, "", "is on the way.")
		if status, body := e.organizer.probe(http.MethodPost, fmt.Sprintf("/games/%d/acknowledge", game),
			api.SeatBody{Key: e.key(), Seat: 1}); status != 409 || !strings.Contains(body, "call_taken") {
			t.Errorf("a second official: got %d %s", status, body)
		}
	})
	t.Run("the public hears nothing of it", func(t *testing.T) {
		for _, path := range []string{fmt.Sprintf("/events/%d/tables", e.id),
			fmt.Sprintf("/events/%d/tables/%d", e.id, table.ID), fmt.Sprintf("/api/v1/games/%d", game)} {
			if text := page(e.tablet(t), path); strings.Contains(text, "on the way") ||
				strings.Contains(text, "called") && !strings.Contains(path, "/api/") ||
				strings.Contains(text, `"calls"`) {
				t.Errorf("%s tells of the call", path)
			}
		}
	})
	e.start()
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/answer", game), api.SeatBody{Key: e.key(), Seat: 1}, nil)
	e.readyBut(0, game)
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/call-time", game),
		map[string]any{"reason": "test", "key": e.key()}, nil)
	for view := e.public().view(game); view.Phase == engine.PhasePlaying; view = e.public().view(game) {
		e.draw(view.Turn.Seat, game)
	}
	t.Run("the count is agreed to, by its revision", func(t *testing.T) {
		within(t, &room.t)
		form := url.Values{"do": {"agree"}, "game": {fmt.Sprint(game)}, "rev": {"1"}}
		room.expect("/play", nil, 200, "", "0 of 4 agree", "The count is right")
		room.expect("/play", form, 303, "/play")
		room.expect("/play", form, 303, "/play")
		room.expect("/play", nil, 200, "", "1 of 4 agree")
		form.Set("rev", "2")
		room.expect("/play", form, 409, "")
		e.at(0, 2).must(http.MethodPost, fmt.Sprintf("/games/%d/agree", game), api.AgreeBody{Rev: 1}, nil)
		var count api.CountView
		e.referee.must(http.MethodGet, fmt.Sprintf("/games/%d/count", game), nil, &count)
		if got := fmt.Sprint(count.Count.Agreed); got != "[false true true false]" {
			t.Errorf("agreed %s", got)
		}
	})
}
