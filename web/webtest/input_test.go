package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"meldhall/tournament/account"
	"meldhall/tournament/people"
	"meldhall/tournament/rights"
	"meldhall/web/api"
	"meldhall/web/guard"
	"meldhall/web/request"
)

func TestBadInput(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	game := e.begin(0)
	path := func(format string, args ...any) string { return fmt.Sprintf(format, args...) }
	turn := e.public().view(game).Turn
	mover, other := e.at(0, turn.Seat), e.at(0, (turn.Seat+1)%4)
	draw := path("/games/%d/draw", game)
	before := e.public().view(game).Seq
	for _, row := range []struct {
		name   string
		by     *caller
		path   string
		body   any
		status int
		code   string
		names  string // text that the message or an argument contains
	}{
		{"an unknown rule preset", e.organizer, "/tournaments",
			map[string]any{"name": "T", "format": "wrc", "rules": map[string]any{"preset": "chess"}}, 422,
			"err_rules_unknown", "chess"},
		{"an unknown rule field", e.organizer, "/tournaments",
			map[string]any{"name": "T", "format": "wrc", "rules": map[string]any{"preset": "wrc", "turn_second": 5}},
			422, "err_rules_field", "turn_second"},
		{"a rule out of range", e.organizer, "/tournaments",
			map[string]any{"name": "T", "format": "wrc", "rules": map[string]any{"preset": "wrc", "turn_seconds": -5}},
			422, "err_rules_field", "turn_seconds"},
		{"an unknown format", e.organizer, "/tournaments", map[string]any{"name": "T", "format": "swiss",
			"rules": map[string]any{"preset": "wrc"}}, 422, "err_format_unknown", "swiss"},
		{"an unknown field of the request", e.organizer, "/tournaments",
			map[string]any{"name": "T", "colour": 1, "format": "wrc", "rules": map[string]any{"preset": "wrc"}}, 422,
			"err_field", "colour"},
		{"a body that is no JSON", e.organizer, "/tournaments", "{\"name\":", 400, "err_unreadable", ""},
		{"a broken roster line", e.organizer, path("/tournaments/%d/roster", e.id), "name,country\nAda,GB\n\"Bob,FR\n",
			422, "err_roster_problems", "3"},
		{"a player twice in a roster", e.organizer, path("/tournaments/%d/roster", e.id), "name\nAda\nBob\nADA\n", 422,
			"err_roster_problems", "4"},
		{"a wrong code", e.public(), "/join", people.Join{Code: "ZZZZ-ZZZZ"}, 404, "err_code_wrong", ""},
		{"a used code", e.public(), "/join", people.Join{Code: ""}, 422, "err_field", "code"},
		{"a stale turn", mover, draw, request.TurnRequest{Turn: turn.Number - 1, Key: "stale-key-1"}, 409, "stale_turn",
			""},
		{"a move when it is another's turn", other, draw, request.TurnRequest{Turn: turn.Number, Key: "other-key-1"},
			409, "not_your_turn", ""},
		{"a move at another table", e.at(1, 0), draw, request.TurnRequest{Turn: turn.Number, Key: "table-key-1"}, 403,
			"err_not_your_seat", ""},
		{"a move without a key", mover, draw, map[string]any{"turn": turn.Number}, 422, "err_key_length", ""},
		{"a short key", mover, draw, request.TurnRequest{Turn: turn.Number, Key: "short"}, 422, "err_key_length", ""},
		{"an unknown field of a move", mover, draw, map[string]any{"turn": turn.Number, "key": "field-key-1",
			"seat": 2}, 400, "err_unreadable", "seat"},
		{"a tile that does not exist", mover, path("/games/%d/play", game),
			map[string]any{"turn": turn.Number, "key": "tile-key-1",
				"table": []any{map[string]any{"at": 0, "tiles": []string{"R14"}}}}, 400, "err_unreadable", "R14"},
		{"a tile that is not on the rack", mover, path("/games/%d/play", game),
			map[string]any{"turn": turn.Number, "key": "rack-key-1", "table": []any{
				map[string]any{"at": 0, "tiles": []string{"R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10",
					"R11", "R12", "R13"}}}}, 422, "not_on_rack", ""},
		{"a game that does not exist", mover, "/games/4711/draw", request.TurnRequest{Turn: 1, Key: "game-key-1"}, 404,
			"err_game_not_found", "4711"},
		{"an oversized body", mover, draw, "{\"key\":\"" + strings.Repeat("x", request.BodyMost) + "\"}", 413,
			"err_too_large", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			fields := row.by.refusedWith(t, row.status, row.code, http.MethodPost, row.path, row.body)
			if text := fmt.Sprint(fields); !strings.Contains(text, row.names) {
				t.Errorf("%q is not named in %s", row.names, text)
			}
			if row.code == "stale_turn" && fields["view"] == nil {
				t.Error("no view comes with it")
			}
		})
	}
	t.Run("nothing has changed", func(t *testing.T) {
		if after := e.public().view(game); after.Seq != before {
			t.Errorf("seq went from %d to %d", before, after.Seq)
		}
		var all []api.TournamentView
		e.public().must(http.MethodGet, "/tournaments", nil, &all)
		var players []api.PlayerView
		e.public().must(http.MethodGet, path("/tournaments/%d/players", e.id), nil, &players)
		if len(all) != 1 || len(players) != 8 {
			t.Errorf("got %d tournaments and %d players", len(all), len(players))
		}
	})
}

func TestCodes(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	table := e.round.Tables[0]
	t.Run("a used code", func(t *testing.T) {
		e.public().refusedWith(t, 409, "err_code_used", http.MethodPost, "/join",
			people.Join{Code: table.Seats[2].Code})
	})
	t.Run("the code of a full table", func(t *testing.T) {
		e.public().refusedWith(t, 409, "err_table_full", http.MethodPost, "/join", people.Join{Code: table.Code})
	})
	t.Run("officials see that a code was tried again, and no code to the public", func(t *testing.T) {
		var round api.RoundDetail
		e.referee.must(http.MethodGet, fmt.Sprintf("/rounds/%d", e.round.ID), nil, &round)
		if round.Tables[0].Seats[2].CodeReused != 1 {
			t.Errorf("got %+v", round.Tables[0].Seats[2])
		}
		floor := e.as(e.referee).get(t, fmt.Sprintf("/referee/%d", e.id)).is(http.StatusOK).says(".floor-players",
			"code tried again")
		if n := floor.count(fmt.Sprintf("[data-alert=code-%d-2-1]", table.ID)); n != 1 {
			t.Errorf("officials are alerted %d times", n)
		}
		e.referee.must(http.MethodPost, fmt.Sprintf("/tables/%d/code", table.ID), api.ReissueBody{Seat: 1}, nil)
		e.public().must(http.MethodGet, fmt.Sprintf("/rounds/%d", e.round.ID), nil, &round)
		for _, seat := range round.Tables[0].Seats {
			if seat.Code != "" {
				t.Errorf("seat %d shows its code", seat.Seat)
			}
		}
	})
	t.Run("a table's code takes the seat of a player by the player's id", func(t *testing.T) {
		h, o, _ := newStaffed(t)
		var made api.TournamentDetail
		var round api.RoundDetail
		o.must(http.MethodPost, "/tournaments", map[string]any{"name": "T", "format": "open",
			"rules": map[string]any{"preset": "club"}}, &made)
		o.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", made.ID), "name\nA\nB\nC\nD\n", nil)
		o.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", made.ID), map[string]any{}, &round)
		o.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", round.ID), nil, &round)
		seat := round.Tables[0].Seats[2]
		var joined api.JoinedView
		h.public().must(http.MethodPost, "/join", people.Join{Code: round.Tables[0].Code, Player: seat.Player.ID},
			&joined)
		if joined.Player.ID != seat.Player.ID {
			t.Errorf("got %+v, want %+v", joined.Player, seat.Player)
		}
	})
}

func TestSameKeyTwice(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	game := e.begin(0)
	turn := e.public().view(game).Turn
	draw := request.TurnRequest{Turn: turn.Number, Key: "the-same-key"}
	path := fmt.Sprintf("/games/%d/draw", game)
	var first, second request.CommandAnswer
	e.at(0, turn.Seat).must(http.MethodPost, path, draw, &first)
	e.at(0, turn.Seat).must(http.MethodPost, path, draw, &second)
	if first.Seq != second.Seq || first.Outcome != second.Outcome || first.Again || !second.Again {
		t.Errorf("got %+v, then %+v", first, second)
	}
	if seq := e.public().view(game).Seq; seq != first.Seq {
		t.Errorf("seq is %d after the second, want %d", seq, first.Seq)
	}
	t.Run("the same key with another body is refused", func(t *testing.T) {
		e.at(0, turn.Seat).refusedWith(t, 422, "err_key_reused", http.MethodPost, path,
			request.TurnRequest{Turn: turn.Number + 4, Key: "the-same-key"})
	})
}

func TestOtherOriginsAreRefused(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	for _, row := range []struct {
		name    string
		headers []string
		want    int
	}{
		{"a foreign origin", []string{"Origin", "https://evil.example"}, 403},
		{"a cross-site fetch", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"the same origin", []string{"Sec-Fetch-Site", "same-origin"}, 401},
		{"a program, with neither", nil, 401},
		{"a session's cookie, with neither", []string{"Cookie", "meldhall-staff=a"}, 403},
		{"a seat's cookie, with neither", []string{"Cookie", "meldhall-seat=a"}, 403},
		{"a session's cookie, from the same origin", []string{"Cookie", "meldhall-staff=a", "Sec-Fetch-Site",
			"same-origin"}, 401},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got, _, body := h.public().send(http.MethodPost, "/sign-in", api.SignInBody{Name: "a", Password: "b"},
				row.headers...); got != row.want {
				t.Errorf("got %d %s, want %d", got, body, row.want)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	h := newHall(t)
	_, headers, _ := h.public().send(http.MethodGet, "/tournaments", nil)
	for name, want := range map[string]string{
		"Content-Security-Policy": guard.Policy, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
		"Referrer-Policy": "same-origin", "Cache-Control": "private, no-cache", // a browser revalidates
	} {
		if got := headers.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if headers.Get("X-Request-Id") == "" {
		t.Error("no request id")
	}
	if strings.Contains(guard.Policy, "unsafe") {
		t.Error("the policy allows something unsafe")
	}
}

// TestHeadersOfWhatIsNoPage checks that a response to a JSON request, which no browser shows as a page, has all headers
// except those for pages. A response to any other body has those too.
func TestHeadersOfWhatIsNoPage(t *testing.T) {
	h := newHall(t)
	every, pages := guard.Headers(false)
	for _, row := range []struct {
		body any
		page bool
	}{{fields{"code": "none"}, false}, {"code=none", true}} {
		_, headers, _ := h.public().send(http.MethodPost, "/join", row.body)
		for name, values := range every {
			if headers.Get(name) != values[0] {
				t.Errorf("%v: %s is %q", row.body, name, headers.Get(name))
			}
		}
		for name := range pages {
			if (headers.Get(name) != "") != row.page {
				t.Errorf("%v: %s is %q", row.body, name, headers.Get(name))
			}
		}
	}
}

func TestThrottles(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	now := time.Now()
	h.store.Now = func() time.Time { return now }
	for range 3 {
		h.public().refusedWith(t, 404, "err_code_wrong", http.MethodPost, "/join", people.Join{Code: "AAAA-AAAA"})
	}
	h.public().refusedWith(t, 404, "err_code_wrong", http.MethodPost, "/join", people.Join{Code: "AAAA-AAAB"})
	fields := h.public().refusedWith(t, 429, "err_too_many_tries", http.MethodPost, "/join",
		people.Join{Code: "AAAA-AAAC"})
	if fields["seconds"] != float64(2) {
		t.Errorf("got %v seconds after the fourth failure, want 2", fields["seconds"])
	}
	now = now.Add(2 * time.Second)
	h.public().refusedWith(t, 404, "err_code_wrong", http.MethodPost, "/join", people.Join{Code: "AAAA-AAAC"})
	fields = h.public().refusedWith(t, 429, "err_too_many_tries", http.MethodPost, "/join",
		people.Join{Code: "AAAA-AAAC"})
	if fields["seconds"].(float64) < 4 {
		t.Errorf("got %v seconds after the fifth failure, want at least 4", fields["seconds"])
	}
	t.Run("sign-in is bounded by account", func(t *testing.T) {
		h.staff(rights.RoleReferee)
		for range 4 {
			h.public().refusedWith(t, 401, "err_sign_in_wrong", http.MethodPost, "/sign-in",
				api.SignInBody{Name: "referee", Password: "wrong"})
		}
		status, headers, _ := h.public().send(http.MethodPost, "/sign-in",
			api.SignInBody{Name: "referee", Password: password})
		if status != 429 || headers.Get("Retry-After") == "" {
			t.Errorf("got %d and Retry-After %q", status, headers.Get("Retry-After"))
		}
	})
}

func TestMessagesInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	game := e.begin(0)
	turn := e.public().view(game).Turn
	said := map[string]string{}
	for _, language := range []string{"en", "it", "xx"} {
		_, _, body := e.at(0, turn.Seat).send(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
			request.TurnRequest{Turn: turn.Number + 1, Key: "language-1"}, "Accept-Language", language)
		var failed struct{ Code, Message string }
		if err := json.Unmarshal(body, &failed); err != nil || failed.Code != "stale_turn" {
			t.Fatalf("got %s, %v", body, err)
		}
		said[language] = failed.Message
	}
	if said["en"] == said["it"] || said["xx"] != said["en"] {
		t.Errorf("got %q", said)
	}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	referee := h.staff(rights.RoleReferee)
	t.Run("the token is not stored as it is", func(t *testing.T) {
		var n int64
		if err := h.store.Read.Raw("SELECT count(*) FROM sessions WHERE token = ?",
			referee.token).Scan(&n).Error; err != nil || n != 0 {
			t.Errorf("got %d rows, %v", n, err)
		}
	})
	t.Run("a token that is not known is refused", func(t *testing.T) {
		stranger := &caller{h, "stranger", referee.token + "x"}
		stranger.refusedWith(t, 401, "err_token_unknown", http.MethodGet, "/tournaments", nil)
	})
	t.Run("signing out ends it", func(t *testing.T) {
		referee.must(http.MethodPost, "/sign-out", nil, nil)
		referee.refusedWith(t, 401, "err_token_unknown", http.MethodGet, "/accounts", nil)
	})
	t.Run("the first organizer is made once", func(t *testing.T) {
		fresh := newHall(t)
		token, err := account.SetupToken(t.Context(), fresh.store)
		if err != nil {
			t.Fatal(err)
		}
		var session api.SessionView
		fresh.public().must(http.MethodPost, "/setup", account.SetUp{Token: token, Name: "Ada", Password: password},
			&session)
		organizer := &caller{fresh, "organizer", session.Token}
		organizer.must(http.MethodGet, "/accounts", nil, nil)
		fresh.public().refusedWith(t, 403, "err_setup_over", http.MethodPost, "/setup",
			account.SetUp{Token: token, Name: "Eve", Password: password})
	})
}
