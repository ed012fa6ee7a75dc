package webtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/tournament/action"
	"meldhall/tournament/people"
	"meldhall/tournament/rights"
	"meldhall/web/request"
)

// tablet is a browser without scripts that keeps cookies but does not follow redirects.
type tablet struct {
	t      *testing.T
	e      *event
	client *http.Client
}

func (e *event) tablet(t *testing.T) *tablet {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &tablet{t, e, &http.Client{Jar: jar, CheckRedirect: func(*http.Request,
		[]*http.Request) error {
		return http.ErrUseLastResponse
	}}}
}

// ask requests a page, or posts a form, and returns the status, the redirect and the body.
func (p *tablet) ask(path string, form url.Values) (int, string, string) {
	p.t.Helper()
	method, body := http.MethodGet, ""
	if form != nil {
		method, body = http.MethodPost, form.Encode()
	}
	return p.send(method, path, body, "Content-Type", "application/x-www-form-urlencoded")
}

func (p *tablet) send(method, path, body string, headers ...string) (int, string, string) {
	p.t.Helper()
	req, err := http.NewRequest(method, p.e.http.URL+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	if method != http.MethodGet && req.Header.Get("Origin")+req.Header.Get("Sec-Fetch-Site") == "" {
		req.Header.Set("Sec-Fetch-Site", "same-origin") // as browsers do
	}
	res, err := p.client.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return res.StatusCode, res.Header.Get("Location"), string(text)
}

// expect calls ask and checks the status, the redirect and words of the page.
func (p *tablet) expect(path string, form url.Values, status int, to string, words ...string) string {
	p.t.Helper()
	got, at, text := p.ask(path, form)
	if got != status || at != to {
		p.t.Fatalf("%s: got %d to %q, want %d to %q: %s", path, got, at, status, to, text)
	}
	for _, w := range words {
		if !strings.Contains(text, w) {
			p.t.Errorf("%s does not say %q: %s", path, w, text)
		}
	}
	return text
}

func TestJoiningByCode(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	table := e.round.Tables[0]
	staff := rights.Staff(rights.RoleReferee, "test")
	code := func(seat int) string {
		t.Helper()
		code, err := action.Do(context.Background(), e.desk, staff, people.ReissueCode{Table: table.ID, Seat: seat})
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	p := e.tablet(t)
	t.Run("a typed code leads on to what it opens", func(t *testing.T) {
		within(t, &p.t)
		p.expect("/join", nil, 200, "", "Join your table")
		p.expect("/join?code=abcd-efgh", nil, 303, "/join/ABCDEFGH")
	})
	t.Run("the player's pages ask for a code first", func(t *testing.T) {
		within(t, &p.t)
		p.expect("/play", nil, 303, "/join")
		p.expect("/play/game", nil, 303, "/join")
	})
	t.Run("the code of a table opens its sheet to officials, with a free seat and without", func(t *testing.T) {
		free := newPublished(t, "Test", roster(4), nil)
		for _, at := range []*event{e, free} {
			table := at.round.Tables[0]
			code := table.Code
			if status, _, _ := at.tablet(t).ask("/join/"+code, nil); (status == 409) != (at == e) {
				t.Errorf("a stranger's answer is %d", status)
			}
			want := string(templates.RulingPath(at.id, table.ID)) + "?code=" + code
			for _, name := range []string{"referee", "organizer"} {
				who := at.signedIn(name)
				got := who.get(t, "/join/"+code)
				if got.status != 200 || got.path != want {
					t.Errorf("%s: got %d at %s, want %s", name, got.status, got.path, want)
				}
				if seats := "/join/" + code + "?seat=1"; got.count("a[href="+seats+"]") != 1 {
					t.Errorf("%s: no way from the sheet to the table's seats", name)
				} else if got = who.get(t, seats); at == free &&
					(got.status != 200 || got.path != seats || got.count("button.take-seat") != 4) {
					t.Errorf("%s: got %d at %s, want the seats", name, got.status, got.path)
				}
			}
		}
	})
	seatCode := code(1)
	t.Run("one tap takes the seat, and only once", func(t *testing.T) {
		within(t, &p.t)
		name := table.Seats[1].Player.Name
		p.expect("/join/"+seatCode, nil, 200, "", "<bdi", name, "This is me")
		p.expect("/join/"+seatCode, url.Values{"seat": {"2"}}, 409, "", "seat 2")
		p.expect("/join/"+seatCode, url.Values{"seat": {"9"}}, 404, "")
		p.expect("/join/"+seatCode, url.Values{"seat": {"1"}}, 303, "/play")
		p.expect("/join/"+seatCode, url.Values{"seat": {"1"}}, 303, "/play")
		p.expect("/join/"+seatCode, nil, 303, "/play")
		p.expect("/play", nil, 200, "", name, "Table 1", "seat 2")
		e.tablet(t).expect("/join/"+seatCode, nil, 409, "", "already been used")
	})
	t.Run("a new device takes the old one's place, which is told so", func(t *testing.T) {
		within(t, &p.t)
		again := code(1)
		e.tablet(t).expect("/join/"+again, url.Values{"seat": {"1"}}, 303, "/play")
		p.expect("/play", nil, 303, "/join")
		p.expect("/join", nil, 200, "", "another device has taken it")
	})
	t.Run("wrong codes are told, and then have to wait", func(t *testing.T) {
		other := e.tablet(t)
		other.expect("/join/ZZZZZZZZ", nil, 404, "", "There is no such code")
		for status, tries := 0, 0; status != 429; tries++ {
			if tries > 10 {
				t.Fatal("ten wrong codes and no wait")
			}
			status, _, _ = other.ask(fmt.Sprintf("/join/ZZZZZZZ%d", tries), nil)
		}
	})
}

// attribute returns the first value of an attribute in a page.
func attribute(t *testing.T, html, name string) string {
	t.Helper()
	_, rest, ok := strings.Cut(html, name+`="`)
	value, _, _ := strings.Cut(rest, `"`)
	if !ok {
		t.Fatalf("no %s in %s", name, html)
	}
	return value
}

// tabletGame is a running game with a tablet at each of its four seats. It is seat 0's turn.
type tabletGame struct {
	e       *event
	game    int64
	turn    int
	seats   []*tablet
	opening []tile.LaidFaces // seat 0's opening
}

func newTabletGame(t *testing.T, more ...map[string]any) *tabletGame {
	t.Helper()
	rules := map[string]any{"turn_seconds": 600, "start_seconds": 120}
	for _, fields := range more {
		maps.Copy(rules, fields)
	}
	e := newEvent(t, 4, rules)
	e.games.Deal = func() engine.Deal { return preparedDeal(t, preparedRacks...) }
	e.start()
	k := &tabletGame{e: e, game: e.begin(0), seats: make([]*tablet, 4),
		opening: []tile.LaidFaces{{At: 0, Faces: faces(t, "O10 O11 O12")}}}
	for seat := range k.seats {
		k.seats[seat] = e.tablet(t)
		u, err := url.Parse(e.http.URL)
		if err != nil {
			t.Fatal(err)
		}
		k.seats[seat].client.Jar.SetCookies(u, []*http.Cookie{{Name: "meldhall-seat", Value: e.at(0, seat).token,
			Path: "/"}})
	}
	k.turn = e.public().view(k.game).Turn.Number
	return k
}

// post sends what the page's script would, and returns the status and the fields of the response.
func (k *tabletGame) post(t *testing.T, seat int, action string, body any, headers ...string) (int, map[string]any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	status, _, answer := k.seats[seat].send(http.MethodPost, fmt.Sprintf("/play/game/%d/%s", k.game, action),
		string(text),
		append([]string{"Content-Type", request.JSONKind, "Accept", request.JSONKind}, headers...)...)
	fields := map[string]any{}
	if err := json.Unmarshal([]byte(answer), &fields); err != nil {
		t.Fatalf("%s: %d %s", action, status, answer)
	}
	return status, fields
}

func TestTabletPages(t *testing.T) {
	t.Parallel()
	k := newTabletGame(t)
	t.Run("the waiting room sends who has a game to it", func(t *testing.T) {
		k.seats[0].expect("/play", nil, 303, "/play/game")
	})
	t.Run("a tablet holds its own rack only", k.testOwnRack)
	t.Run("a draft is judged in words and shown to the others", k.testDraft)
	t.Run("a draft of tiles that the player does not hold is refused", k.testDraftOfOthersTiles)
	t.Run("refusals are told in the reader's language", k.testRefusals)
	t.Run("an action is answered in words, once", k.testActions)
	t.Run("after the game the result, then the room with the standings", k.testEnd)
}

func (k *tabletGame) testOwnRack(t *testing.T) {
	for seat, p := range k.seats {
		page := p.expect("/play/game", nil, 200, "", "Table 1", "Game 1 of")
		if got, want := attribute(t, page, "data-rack"), k.e.at(0,
			seat).view(k.game).Rack; fmt.Sprint(strings.Fields(got)) != fmt.Sprint(want) {
			t.Errorf("seat %d: got the rack %s, want %v", seat, got, want)
		}
		if n := strings.Count(page, `data-face="`); n != 14 {
			t.Errorf("seat %d: %d tiles are shown, want the 14 of the rack", seat, n)
		}
	}
}

func (k *tabletGame) testDraft(t *testing.T) {
	status, v := k.post(t, 0, "draft", request.DraftRequest{Turn: k.turn, Table: k.opening})
	if status != 200 || v["legal"] != true || v["message"] != "33 of 30 · you can open" {
		t.Errorf("got %d %v", status, v)
	}
	if page := k.seats[2].expect("/play/game", nil, 200, "", `data-face="O11"`); strings.Count(page,
		`data-face="`) != 17 {
		t.Error("seat 2 does not see the three tiles that seat 0 lays")
	}
	if page := k.seats[0].expect("/play/game", nil, 200, ""); !strings.Contains(attribute(t, page, "data-draft"),
		"O12") {
		t.Error("the own draft is not in the page")
	}
}

func (k *tabletGame) testDraftOfOthersTiles(t *testing.T) {
	status, v := k.post(t, 0, "draft", request.DraftRequest{Turn: k.turn,
		Table: []tile.LaidFaces{{At: 0, Faces: faces(t, "R2 R3 R4")}}})
	if status != http.StatusUnprocessableEntity || v["code"] != judge.CodeNotOnRack {
		t.Errorf("got %d %v", status, v)
	}
	if page := k.seats[2].expect("/play/game", nil, 200, "", `data-face="O11"`); strings.Count(page,
		`data-face="`) != 17 {
		t.Error("seat 2 does not see the draft from before")
	}
}

func (k *tabletGame) testRefusals(t *testing.T) {
	italian := locale.WithLanguage(t.Context(), "it")
	for _, row := range []struct {
		seat   int
		action string
		body   any
		status int
		text   string
	}{
		{1, "draw", request.TurnRequest{Turn: k.turn, Key: k.e.key()}, 409,
			locale.T(italian, "refused.not_your_turn")},
		{0, "draw", request.TurnRequest{Turn: k.turn + 1, Key: k.e.key()}, 409,
			locale.T(italian, "refused.stale_turn")},
		{0, "play", request.PlayRequest{TurnRequest: request.TurnRequest{Turn: k.turn, Key: k.e.key()},
			Table: []tile.LaidFaces{{At: 0, Faces: faces(t, "K4 K5")}}}, 422, ""},
		{0, "pass", request.TurnRequest{Turn: k.turn, Key: ""}, 422, ""},
	} {
		status, got := k.post(t, row.seat, row.action, row.body, "Accept-Language", "it")
		text, _ := got["message"].(string)
		if status != row.status || text == "" || row.text != "" && text != row.text {
			t.Errorf("%s by seat %d: got %d %v, want %d %q", row.action, row.seat, status, got, row.status, row.text)
		}
	}
}

func (k *tabletGame) testActions(t *testing.T) {
	key := k.e.key()
	status, got := k.post(t, 0, "play", request.PlayRequest{TurnRequest: request.TurnRequest{Turn: k.turn, Key: key},
		Table: k.opening})
	if status != 200 || got["message"] != "Accepted: 3 tiles laid." || got["done"] != true {
		t.Errorf("got %d %v", status, got)
	}
	if status, again := k.post(t, 0, "play", request.PlayRequest{TurnRequest: request.TurnRequest{Turn: k.turn,
		Key: key}, Table: k.opening}); status != 200 || again["seq"] != got["seq"] || again["again"] != true {
		t.Errorf("got %d %v again", status, again)
	}
	if status, got := k.post(t, 1, "draw", request.TurnRequest{Turn: k.turn + 1, Key: k.e.key()}); status != 200 ||
		got["message"] != "Accepted: you drew a tile." {
		t.Errorf("got %d %v", status, got)
	}
	if status, got := k.post(t, 0, "call", request.CallRequest{Key: k.e.key()}); status != 200 ||
		got["message"] != "The referee has been called." {
		t.Errorf("got %d %v", status, got)
	}
}

func (k *tabletGame) testEnd(t *testing.T) {
	k.e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/call-time", k.game),
		map[string]any{"reason": "test", "key": k.e.key()}, nil)
	for seat := 2; seat < 4; seat++ {
		k.e.draw(seat, k.game)
	}
	for seat := 0; k.e.public().view(k.game).Phase != engine.PhaseOver; seat = (seat + 1) % 4 {
		k.e.draw(seat, k.game)
	}
	k.seats[0].expect("/play/game", nil, 200, "", "result-title", "Your table in the standings", "Provisional")
	k.seats[0].expect("/play", nil, 200, "", "The next game begins", "Your last game", "Standings so far")
}
