package webtest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/engine/ruleset"
	"meldhall/engine/testmode"
	"meldhall/engine/tile"
	"meldhall/tournament/export"
	"meldhall/tournament/practice"
	"meldhall/tournament/store"
	"meldhall/web"
	"meldhall/web/api"
	"meldhall/web/guard"
	"meldhall/web/live"
	"meldhall/web/request"
	"meldhall/web/view"
)

// sit opens a practice table over HTTP and returns its player and the game.
func (h *hall) sit(strength, rules string) (*caller, int64) {
	h.t.Helper()
	var joined api.JoinedView
	h.public().must(http.MethodPost, "/practice", api.PracticeBody{Strength: strength, Rules: rules}, &joined)
	me := &caller{h, "person", joined.Token}
	var place api.PlaceView
	me.must(http.MethodGet, "/seat", nil, &place)
	if place.Game == nil || place.Seat != 0 || len(place.Tournament.Name) == 0 {
		h.t.Fatalf("no game was dealt: %+v", place)
	}
	me.must(http.MethodPost, fmt.Sprintf("/games/%d/ready", place.Game.ID),
		request.TurnRequest{Turn: me.view(place.Game.ID).Turn.Number, Key: h.key()}, nil)
	return me, place.Game.ID
}

// myTurn waits until it is the person's turn or the game is over.
func (c *caller) myTurn(t *testing.T, game int64, stream <-chan message) *engine.View {
	t.Helper()
	for {
		view := c.view(game)
		if view.Phase == engine.PhaseOver || view.Phase == engine.PhasePlaying && view.Turn.Seat == 0 &&
			view.Paused == nil {
			return view
		}
		next(t, stream)
	}
}

// turn requests a hint and plays it, which must succeed. It returns how many tiles were laid.
func (c *caller) turn(t *testing.T, game int64, view *engine.View) int {
	t.Helper()
	var hint api.HintView
	c.must(http.MethodGet, fmt.Sprintf("/games/%d/hint", game), nil, &hint)
	if hint.Turn != view.Turn.Number || !hint.Proven || hint.Message == "" || len(hint.Played) != hint.Tiles ||
		hint.Opens == view.Seats[0].Opened {
		t.Fatalf("turn %d of %v: got the hint %+v", view.Turn.Number, view, hint)
	}
	if hint.Tiles > 0 { // it uses only the table and the player's own rack
		var before, after [][]tile.Face
		for _, set := range view.Table {
			before = append(before, set.Tiles)
		}
		for _, set := range hint.Table {
			after = append(after, set.Faces)
		}
		played := tile.CountFaces(hint.Played)
		if tile.CountFaces(after...) != tile.CountFaces(append(before, hint.Played)...) ||
			!played.Within(tile.CountFaces(view.Rack)) || len(hint.Steps) == 0 {
			t.Fatalf("turn %d: the rack %v and the table %v: got the hint %+v", hint.Turn, view.Rack, view.Table, hint)
		}
	}
	var done request.CommandAnswer
	switch {
	case hint.Tiles > 0:
		c.must(http.MethodPost, fmt.Sprintf("/games/%d/play", game),
			request.PlayRequest{TurnRequest: request.TurnRequest{Turn: hint.Turn, Key: c.hall.key()},
				Table: hint.Table}, &done)
		if left := len(c.view(game).Rack); done.Outcome != "tiles_played" || left != len(view.Rack)-hint.Tiles {
			t.Fatalf("turn %d: the hint's %d tiles: got %s, %d of %d are left", hint.Turn, hint.Tiles, done.Outcome,
				left, len(view.Rack))
		}
	case view.Pool > 0:
		c.must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
			request.TurnRequest{Turn: hint.Turn, Key: c.hall.key()}, &done)
	default:
		c.must(http.MethodPost, fmt.Sprintf("/games/%d/pass", game),
			request.TurnRequest{Turn: hint.Turn, Key: c.hall.key()}, &done)
	}
	return hint.Tiles
}

func fast(c *web.Config) { c.Think = time.Millisecond }

func TestPracticeGame(t *testing.T) {
	t.Parallel()
	presets := []string{"wrc-50", "family", "casual", "club", "wrc"}
	if testmode.Race {
		presets = presets[:2]
	}
	laid, played := 0, 0 // over all games, as a single one may allow no opening
	for i, rules := range presets {
		t.Run(rules, func(t *testing.T) {
			h := newHall(t, fast)
			me, game := h.sit(bot.Styles[i%len(bot.Styles)].String(), rules)
			stream := me.watch("/seat/live")
			turns := 0
			v := me.myTurn(t, game, stream)
			for ; v.Phase != engine.PhaseOver; v = me.myTurn(t, game, stream) {
				laid += me.turn(t, game, v)
				turns++
			}
			played += turns
			t.Run("the result is final by itself, and the table is over", func(t *testing.T) {
				for state := (view.LiveState{}); state.Game == nil || state.Game.Status != "confirmed"; {
					me.must(http.MethodGet, fmt.Sprintf("/games/%d", game), nil, &state)
				}
				if open, err := practice.Games(t.Context(), h.store); err != nil || len(open) != 0 {
					t.Errorf("got %v %v", open, err)
				}
			})
			t.Run("it is in no list of events, and its log can be checked", func(t *testing.T) {
				var all []api.TournamentView
				if h.public().must(http.MethodGet, "/tournaments", nil, &all); len(all) != 0 {
					t.Errorf("got %v", all)
				}
				if exported, err := export.OfGame(t.Context(), h.store, game); err != nil ||
					len(exported.Events) < v.Seq {
					t.Errorf("got %d events, %v", len(exported.Events), err)
				}
			})
			t.Run("there is no hint after the end", func(t *testing.T) {
				me.refusedWith(t, http.StatusConflict, engine.RefusedGameOver, http.MethodGet,
					fmt.Sprintf("/games/%d/hint", game), nil)
			})
		})
	}
	if laid == 0 || played < 3*len(presets) {
		t.Errorf("%d tiles were laid in %d turns", laid, played)
	}
}

// restart stops the server and starts it again with the same database.
func (h *hall) restart(t *testing.T, change ...func(*web.Config)) {
	t.Helper()
	h.restartOn(t, "", change...)
}

// restartOn is restart with the database replaced by a copy; "" keeps it.
func (h *hall) restartOn(t *testing.T, copied string, change ...func(*web.Config)) {
	t.Helper()
	path := h.store.File()
	h.server.Close()
	h.http.Close()
	h.games.Close()
	h.log.Close()
	err := h.store.Close()
	if err == nil && copied != "" {
		err = os.Rename(copied, path)
	}
	if err == nil {
		h.store, err = store.OpenAlone(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	h.open()
	config := web.Config{Version: "test", Presets: presets(t)}
	for _, f := range change {
		f(&config)
	}
	h.config = config
	if h.server, err = web.New(h.desk, config); err != nil {
		t.Fatal(err)
	}
	h.http = httptest.NewUnstartedServer(h.server)
	h.http.Config = guard.Server(h.server)
	h.http.Start()
	if err = h.games.Boot(t.Context()); err == nil {
		err = h.server.ResumePractice(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestPracticeGoesOnAfterARestart(t *testing.T) {
	t.Parallel()
	h := newHall(t, fast)
	me, game := h.sit("club", "casual") // without a turn clock, nothing stops after an outage
	stream := me.watch("/seat/live")
	restarts, seq := 0, 0
	for turn := 0; ; turn++ {
		view := me.myTurn(t, game, stream)
		if view.Seq < seq {
			t.Fatalf("the game is at %d and was at %d before", view.Seq, seq)
		}
		if view.Phase == engine.PhaseOver {
			break
		}
		me.turn(t, game, view)
		if turn == 1 || turn == 4 {
			seq = me.view(game).Seq
			h.restart(t, fast)
			stream = me.watch("/seat/live")
			restarts++
		}
	}
	if restarts == 0 {
		t.Error("the game was over before the program ended")
	}
}

func TestHintsAreForPracticeOnly(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil, fast)
	e.start()
	game := e.begin(0)
	for seat := range 4 {
		e.at(0, seat).refusedWith(t, http.StatusForbidden, "err_hint_in_practice", http.MethodGet,
			fmt.Sprintf("/games/%d/hint", game), nil)
	}
	me, mine := e.sit("novice", "casual") // without a turn clock, nothing stops during an outage
	view := me.myTurn(t, mine, me.watch("/seat/live"))
	if view.Phase != engine.PhasePlaying {
		t.Fatal("the game is over before the first turn")
	}
	hint := fmt.Sprintf("/games/%d/hint", mine)
	me.must(http.MethodGet, hint, nil, nil)
	other, theirs := e.sit("novice", "wrc")
	other.refusedWith(t, http.StatusForbidden, "err_not_your_seat", http.MethodGet, hint, nil)
	me.refusedWith(t, http.StatusForbidden, "err_not_your_seat", http.MethodGet, fmt.Sprintf("/games/%d/hint", theirs),
		nil)
	me.refusedWith(t, http.StatusForbidden, "err_hint_in_practice", http.MethodGet, fmt.Sprintf("/games/%d/hint", game),
		nil)
	e.at(0, 0).refusedWith(t, http.StatusForbidden, "err_not_your_seat", http.MethodGet, hint, nil)
	e.referee.refusedWith(t, http.StatusForbidden, "err_not_allowed", http.MethodGet, hint, nil)
	e.organizer.refusedWith(t, http.StatusForbidden, "err_not_allowed", http.MethodGet, hint, nil)
	e.public().refusedWith(t, http.StatusUnauthorized, "err_sign_in_first", http.MethodGet, hint, nil)
	// The bots now think for longer than the test lasts, so they do not finish the turn after the player's.
	e.restart(t, func(c *web.Config) { c.Think = time.Hour })
	me.turn(t, mine, view)
	me.refusedWith(t, http.StatusConflict, engine.RefusedNotYourTurn, http.MethodGet, hint, nil)
}

func TestPracticePages(t *testing.T) {
	t.Parallel()
	h := newHall(t, fast)
	e := &event{hall: h}
	p := e.tablet(t)
	form := url.Values{"strength": {"novice"}, "rules": {"family"}}
	t.Run("the home page leads to practice", func(t *testing.T) {
		within(t, &p.t)
		p.expect("/", nil, 200, "", `href="/practice"`)
		p.expect("/practice", nil, 200, "", "Practice", `value="novice"`, `value="wrc-50"`, "Deal the tiles")
		p.expect("/practice/game", nil, 303, "/practice")
	})
	t.Run("what is chosen is dealt", func(t *testing.T) {
		within(t, &p.t)
		p.expect("/practice", url.Values{"strength": {"chief"}, "rules": {"wrc"}}, 422, "", "choose one from the list")
		p.expect("/practice", form, 303, "/practice/game")
		page := p.expect("/practice/game", nil, 200, "", "Practice · Novice", `id="hint"`, "Ada")
		if strings.Contains(page, `id="call"`) {
			t.Error("there is a key to call a referee who does not come")
		}
		if n := strings.Count(page, `data-face="`); n < 14 {
			t.Errorf("%d tiles are shown", n)
		}
		p.expect("/practice", nil, 200, "", "still running", `href="/practice/game"`)
	})
	t.Run("the seat in an event is another one", func(t *testing.T) {
		within(t, &p.t)
		p.expect("/play", nil, 303, "/join")
		p.expect("/play/game", nil, 303, "/join")
	})
	t.Run("played again ends the game that is on and deals another of its kind",
		func(t *testing.T) { playPracticeAgain(t, h, p) })
	t.Run("a game that is over can be seen again turn by turn", func(t *testing.T) { replayPractice(t, h, p) })
	t.Run("in Italian", func(t *testing.T) {
		within(t, &p.t)
		_, _, page := p.send(http.MethodGet, "/practice", "", "Accept-Language", "it")
		if !strings.Contains(page, "Allenamento") || !strings.Contains(page, "Principiante") {
			t.Error(page)
		}
	})
	t.Run("a page of another site cannot deal", func(t *testing.T) {
		within(t, &p.t)
		if status, _, _ := p.send(http.MethodPost, "/practice", form.Encode(), "Content-Type",
			"application/x-www-form-urlencoded", "Sec-Fetch-Site", "cross-site"); status != http.StatusForbidden {
			t.Errorf("got %d", status)
		}
	})
}

func playPracticeAgain(t *testing.T, h *hall, p *tablet) {
	within(t, &p.t)
	before, err := practice.Games(t.Context(), h.store)
	if err != nil || len(before) != 1 {
		t.Fatalf("got %v %v", before, err)
	}
	p.expect("/practice", url.Values{"again": {"yes"}}, 303, "/practice/game")
	p.expect("/practice/game", nil, 200, "", "Practice · Novice")
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		open, err := practice.Games(t.Context(), h.store)
		if err == nil && len(open) == 1 && open[0] != before[0] {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("got %v %v", open, err)
		}
	}
}

func replayPractice(t *testing.T, h *hall, p *tablet) {
	within(t, &p.t)
	open, err := practice.Games(t.Context(), h.store)
	if err != nil || len(open) != 1 {
		t.Fatalf("got %v %v", open, err)
	}
	h.server.Request.Bots.Leave(open[0])
	page := ""
	for end := time.Now().Add(20 * time.Second); !strings.Contains(page,
		"result-title"); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the bots have not ended the game: %s", page)
		}
		_, _, page = p.ask("/practice/game", nil)
	}
	_, address, _ := strings.Cut(page, `href="/events/`)
	address, _, _ = strings.Cut(address, `"`)
	status := 0
	for tries := 0; status != 200 && tries < 1000; tries++ { // it opens once the result is confirmed
		status, _, page = p.ask("/events/"+address, nil)
	}
	if status != 200 || !strings.Contains(page, `href="/practice/game"`) || strings.Contains(page, "/tables\"") {
		t.Errorf("the way back is to the practice table, and it is no event: %s", page)
	}
}

func TestPracticeIsBounded(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	var ahead atomic.Int64
	h := newHall(t, fast)
	h.store.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	t.Run("an address opens ten at once, and waits then", func(t *testing.T) {
		for range 10 {
			h.public().must(http.MethodPost, "/practice", api.PracticeBody{Strength: "novice", Rules: "casual"}, nil)
		}
		h.public().refusedWith(t, http.StatusTooManyRequests, "err_too_many_tries", http.MethodPost, "/practice",
			api.PracticeBody{Strength: "novice", Rules: "casual"})
	})
	t.Run("a wrong choice costs nothing", func(t *testing.T) {
		ahead.Store(int64(time.Minute))
		for range 20 {
			h.public().refusedWith(t, http.StatusUnprocessableEntity, "err_practice_bots", http.MethodPost, "/practice",
				api.PracticeBody{Strength: "chief", Rules: "wrc"})
			h.public().refusedWith(t, http.StatusUnprocessableEntity, "err_rules_unknown", http.MethodPost, "/practice",
				api.PracticeBody{Strength: "club", Rules: "x"})
		}
	})
	open := func() int {
		games, err := practice.Games(context.Background(), h.store)
		if err != nil {
			t.Fatal(err)
		}
		return len(games)
	}
	t.Run("the server has fifty tables", func(t *testing.T) {
		for open() < practice.Most {
			ahead.Add(int64(10 * time.Second))
			h.public().must(http.MethodPost, "/practice", api.PracticeBody{Strength: "novice", Rules: "casual"}, nil)
		}
		ahead.Add(int64(time.Minute))
		h.public().refusedWith(t, http.StatusTooManyRequests, "err_practice_full", http.MethodPost, "/practice",
			api.PracticeBody{Strength: "novice", Rules: "casual"})
	})
	t.Run("where nobody moves for half an hour the bots end the game", func(t *testing.T) {
		ahead.Add(int64(31 * time.Minute))
		games, _ := practice.Games(t.Context(), h.store)
		for _, game := range games {
			h.server.Request.Hub.Wake(live.GameTopic(game))
		}
		for end := time.Now().Add(time.Minute); open() > 0; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%d tables are still open", open())
			}
		}
		me := h.public()
		if view := me.view(games[0]); view.Phase != engine.PhaseOver || view.Result.Why != ruleset.EndedTimeCalled {
			t.Errorf("got %s, %+v", view.Phase, view.Result)
		}
	})
}
