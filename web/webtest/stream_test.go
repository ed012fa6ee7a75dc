package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/web"
	"meldhall/web/api"
	"meldhall/web/guard"
	"meldhall/web/live"
	"meldhall/web/request"
	"meldhall/web/view"
)

func TestSeatLive(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	player := e.at(0, 1)
	messages := player.watch("/seat/live")
	var state view.LiveState
	read := func(m message) view.LiveState {
		t.Helper()
		state = view.LiveState{}
		if err := json.Unmarshal([]byte(m.data), &state); err != nil {
			t.Fatalf("%v in %s", err, m.data)
		}
		return state
	}
	if s := read(next(t, messages)); s.Game == nil || s.Game.Status != "waiting" || len(s.View.Rack) != 0 {
		t.Fatalf("before the start: got %+v", s.Game)
	}
	e.start()
	m := next(t, messages)
	for s := read(m); s.View.Phase != "dealt"; s = read(m) {
		m = next(t, messages)
	}
	if len(state.View.Rack) != 14 || state.View.Seat != 1 || len(state.Names) != 4 || state.View.Now == 0 {
		t.Fatalf("got %+v", state)
	}
	game := e.begin(0)
	for s := read(m); s.View.Phase != "playing"; s = read(m) {
		m = next(t, messages)
	}
	t.Run("a turn of another seat is told", func(t *testing.T) {
		seat, turn := state.View.Turn.Seat, state.View.Turn.Number
		e.at(0, seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
			request.TurnRequest{Turn: turn, Key: e.key()}, nil)
		for s := read(m); s.View.Turn.Number == turn; s = read(m) {
			m = next(t, messages)
		}
		if state.View.Pool != 106-4*14-1 {
			t.Errorf("got a pool of %d", state.View.Pool)
		}
	})
	t.Run("a draft is told to the table, and gone with the turn", func(t *testing.T) {
		turn := state.View.Turn
		rack := e.at(0, turn.Seat).view(game).Rack
		mover := e.at(0, turn.Seat)
		var verdict judge.Verdict
		mover.must(http.MethodPost, fmt.Sprintf("/games/%d/draft", game), map[string]any{"turn": turn.Number,
			"table": []any{map[string]any{"at": 0, "tiles": rack[:1]}}}, &verdict)
		if verdict.Legal || verdict.Code != "invalid_set" {
			t.Errorf("got %+v", verdict)
		}
		for s := read(m); s.Draft == nil; s = read(m) {
			m = next(t, messages)
		}
		if state.Draft.Seat != turn.Seat || len(state.Draft.Table) != 1 || !state.Draft.Disturbed {
			t.Errorf("got %+v", state.Draft)
		}
		mover.must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
			request.TurnRequest{Turn: turn.Number, Key: e.key()}, nil)
		for s := read(m); s.Draft != nil; s = read(m) {
			m = next(t, messages)
		}
	})
	t.Run("what the reader has is not sent again", func(t *testing.T) {
		again := player.watch("/seat/live", live.LastEventID, m.id)
		turn := state.View.Turn
		e.at(0, turn.Seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
			request.TurnRequest{Turn: turn.Number, Key: e.key()}, nil)
		if s := read(next(t, again)); s.View.Turn.Number != turn.Number+1 {
			t.Errorf("got turn %d again, want %d first", s.View.Turn.Number, turn.Number+1)
		}
	})
	t.Run("a device that is taken out hears no more", func(t *testing.T) {
		e.referee.must(http.MethodPost, fmt.Sprintf("/tables/%d/code", e.round.Tables[0].ID), api.ReissueBody{Seat: 1},
			nil)
		for m := range messages {
			if m.event == "over" {
				break
			}
		}
		player.refusedWith(t, http.StatusUnauthorized, "err_token_unknown", http.MethodGet, "/seat", nil)
		player.refusedWith(t, http.StatusUnauthorized, "err_token_unknown", http.MethodPost,
			fmt.Sprintf("/games/%d/draw", game), request.TurnRequest{Turn: 99, Key: e.key()})
	})
}

func TestStreamOutlivesTheServersTimeouts(t *testing.T) {
	t.Parallel()
	h, organizer, _ := newStaffed(t, func(c *web.Config) { c.PingEvery = 100 * time.Millisecond })
	e := &event{hall: h, organizer: organizer}
	var made api.TournamentDetail
	e.organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "T", "format": "open",
		"rules": map[string]any{"preset": "wrc"}}, &made)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", made.ID), "name\nA\nB\nC\nD\n", nil)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", made.ID), map[string]any{}, &e.round)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	h.http.Close()
	h.http = httptest.NewUnstartedServer(h.server)
	h.http.Config = guard.Server(h.server)
	h.http.Config.ReadTimeout, h.http.Config.WriteTimeout = 300*time.Millisecond, 300*time.Millisecond
	h.http.Start()
	messages := e.public().watch(fmt.Sprintf("/games/%d/live", e.round.Tables[0].Games[0].ID))
	if m := next(t, messages); m.id == "" {
		t.Fatalf("got %+v first", m)
	}
	for range 10 { // ten pings take longer than three times the timeouts
		if m := nextOrPing(t, messages); m.event != "ping" {
			t.Fatalf("got %+v, want a ping", m)
		}
	}
}

// TestAPlayIsDrawnFromMemory checks that once the tables of a round are cached, a turn reads nothing from the database,
// through the API or the page, and neither do the updates for the seats, a tablet and a spectator.
func TestAPlayIsDrawnFromMemory(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.games.Deal = func() engine.Deal { return preparedDeal(t, preparedRacks...) } // no redeal is possible
	e.start()
	game := e.begin(0)
	streams := map[string]<-chan message{"a spectator": e.public().watch(fmt.Sprintf("/games/%d/live", game))}
	for seat := range 4 {
		streams[fmt.Sprintf("seat %d", seat)] = e.at(0, seat).watch("/seat/live")
	}
	tablet := e.reader()
	base, err := url.Parse(e.http.URL)
	if err != nil {
		t.Fatal(err)
	}
	tablet.client.Jar.SetCookies(base, []*http.Cookie{{Name: "meldhall-seat", Value: e.at(0, 0).token, Path: "/"}})
	regions := tablet.regions(t, "/play/live")
	turn := e.public().view(game).Turn
	shown := func() {
		t.Helper()
		for name, messages := range streams {
			for s := (view.LiveState{}); s.View == nil || s.View.Turn.Number != turn.Number; {
				m := next(t, messages)
				if s = (view.LiveState{}); m.event == "over" || json.Unmarshal([]byte(m.data), &s) != nil {
					t.Fatalf("%s: %s", name, m.data)
				}
			}
		}
		until(t, regions, fmt.Sprintf(`data-turn="%d"`, turn.Number))
	}
	shown()
	read, err := e.store.Read.DB()
	if err != nil {
		t.Fatal(err)
	}
	read.Close() // reads now fail
	play := map[string]string{"the API": request.APIBase + "/games/%d/draw", "the page": "/play/game/%d/draw"}
	for range 2 {
		for through, path := range play {
			body := fmt.Sprintf(`{"turn": %d, "key": %q}`, turn.Number, e.key())
			mover := e.tablet(t)
			status, _, answer := mover.send(http.MethodPost, fmt.Sprintf(path, game), body, "Content-Type",
				"application/json",
				"Cookie", "meldhall-seat"+"="+e.at(0, turn.Seat).token)
			if status != http.StatusOK || !strings.Contains(answer, `"outcome":"tile_drawn"`) {
				t.Fatalf("through %s: %d %s", through, status, answer)
			}
			turn.Number, turn.Seat = turn.Number+1, (turn.Seat+1)%4
			shown()
		}
	}
}
