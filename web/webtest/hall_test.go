package webtest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/data"
	"meldhall/engine"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/preset"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
	"meldhall/web"
	"meldhall/web/api"
	"meldhall/web/guard"
	"meldhall/web/request"
	"meldhall/web/view"
)

const password = "correct horse battery"

// hall is a server over a real database file, reached over real HTTP. It records every body it sends, with the client
// that requested it.
type hall struct {
	t      *testing.T
	store  *store.DB
	log    *game.Log
	games  *game.Games
	desk   *action.Desk
	server *web.Server
	config web.Config
	http   *httptest.Server
	keys   atomic.Int64
	ahead  atomic.Int64 // nanoseconds by which the clock runs ahead, set by pass

	officials map[string]*caller // the signed-in officials by name

	mu   sync.Mutex
	sent []sentBody
}

type sentBody struct {
	who, path string
	status    int
	body      string
}

// caller is a client with or without a token.
type caller struct {
	hall  *hall
	name  string
	token string
}

func newHall(t *testing.T, change ...func(*web.Config)) *hall {
	t.Helper()
	return newHallAt(t, storetest.At(t), change...)
}

// newHallOver is newHall over an existing database.
func newHallOver(t *testing.T, database []byte, change ...func(*web.Config)) *hall {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hall.db")
	if err := os.WriteFile(path, database, 0o600); err != nil {
		t.Fatal(err)
	}
	return newHallAt(t, storetest.Over(t, path), change...)
}

func newHallAt(t *testing.T, path string, change ...func(*web.Config)) (h *hall) {
	t.Helper()
	h = &hall{t: t, officials: map[string]*caller{}}
	var err error
	if h.store, err = store.OpenAlone(path); err != nil {
		t.Fatal(err)
	}
	h.open()
	var seeds atomic.Int64
	h.desk.Seeds = func() int64 { return 7 ^ seeds.Add(1)<<40 } // the same draws in every run
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
	t.Cleanup(func() {
		h.server.Close()
		h.http.Close()
		h.games.Close()
		h.log.Close()
		if err := h.store.Close(); err != nil {
			t.Error(err)
		}
		// The cleanup functions of a parallel test stay in memory until all tests end, and the hall with them.
		h.server, h.http, h.games, h.log, h.desk, h.store = nil, nil, nil, nil, nil, nil
	})
	return h
}

// open connects the test's clock, the log and the desk to the store.
func (h *hall) open() {
	clock := h.store.Now
	h.store.Now = func() time.Time { return clock().Add(time.Duration(h.ahead.Load())) }
	h.log = game.OpenLog(h.store)
	h.games = result.NewGames(h.store, h.log)
	h.desk = action.NewDesk(h.store, h.games)
}

// pass advances the hall's clock, so the next request renders a cached page again.
func (h *hall) pass() { h.ahead.Add(int64(450 * time.Millisecond)) }

func presets(t *testing.T) preset.Library {
	t.Helper()
	p, err := preset.Load(data.Rules, data.Formats)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// public returns a client without a token.
func (h *hall) public() *caller { return &caller{hall: h, name: "public"} }

// staff creates an official's account and signs in over HTTP.
func (h *hall) staff(role rights.Role) *caller {
	h.t.Helper()
	name := string(role)
	if _, err := action.Do(context.Background(), h.desk, rights.Staff(rights.RoleOrganizer, "test"),
		account.CreateAccount{Name: name, Password: password, Role: role}); err != nil {
		h.t.Fatal(err)
	}
	var session api.SessionView
	h.public().must(http.MethodPost, "/sign-in", api.SignInBody{Name: name, Password: password}, &session)
	h.officials[name] = &caller{h, name, session.Token}
	return h.officials[name]
}

// staffed is a database in which an organizer and a referee have signed in, with their tokens. It is made once, because
// password hashing is slow by design.
var staffed struct {
	sync.Mutex
	database []byte
	tokens   map[rights.Role]string
}

// newStaffed is newHall with an organizer and a referee.
func newStaffed(t *testing.T, change ...func(*web.Config)) (h *hall, organizer, referee *caller) {
	t.Helper()
	staffed.Lock()
	defer staffed.Unlock()
	if staffed.database == nil {
		made, path := newHall(t), filepath.Join(t.TempDir(), "staffed.db")
		tokens := map[rights.Role]string{}
		for _, role := range []rights.Role{rights.RoleOrganizer, rights.RoleReferee} {
			tokens[role] = made.staff(role).token
		}
		err := made.store.Backup(context.Background(), path)
		if err == nil {
			staffed.database, err = os.ReadFile(path)
		}
		if err != nil {
			t.Fatal(err)
		}
		staffed.tokens = tokens
	}
	h = newHallOver(t, staffed.database, change...)
	for role, token := range staffed.tokens {
		h.officials[string(role)] = &caller{h, string(role), token}
	}
	return h, h.officials[string(rights.RoleOrganizer)], h.officials[string(rights.RoleReferee)]
}

// resume restarts a stopped clock and waits for the end of its countdown.
func (h *hall) resume(by *caller, game int64) {
	h.t.Helper()
	by.must(http.MethodPost, fmt.Sprintf("/games/%d/resume", game), map[string]any{"reason": "test", "key": h.key()},
		nil)
	h.runsOn(game)
}

// runsOn waits until a game's clock is running.
func (h *hall) runsOn(game int64) {
	h.t.Helper()
	for end := time.Now().Add(20 * time.Second); h.public().view(game).Paused != nil; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			h.t.Fatal("the clock stands")
		}
	}
}

// key returns a new command key.
func (h *hall) key() string { return fmt.Sprintf("key-%08d", h.keys.Add(1)) }

// send sends a request under /api/v1 and returns the status, the headers and the body.
func (c *caller) send(method, path string, body any, headers ...string) (int, http.Header, []byte) {
	c.hall.t.Helper()
	var r io.Reader
	kind := "application/json"
	switch b := body.(type) {
	case nil:
	case string:
		r, kind = strings.NewReader(b), "text/csv"
		if strings.HasPrefix(b, "{") {
			kind = "application/json"
		}
	default:
		text, err := json.Marshal(b)
		if err != nil {
			c.hall.t.Fatal(err)
		}
		r = bytes.NewReader(text)
	}
	req, err := http.NewRequest(method, c.hall.http.URL+request.APIBase+path, r)
	if err != nil {
		c.hall.t.Fatal(err)
	}
	if r != nil {
		req.Header.Set("Content-Type", kind)
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
		req.Header.Set(request.EpochHeader, c.hall.store.Epoch.Name)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := c.hall.http.Client().Do(req)
	if err != nil {
		c.hall.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		c.hall.t.Fatal(err)
	}
	c.hall.keep(c.name, method+" "+path, res.StatusCode, text)
	checkAnswer(c.hall.t, c.hall.server, method, path, res.StatusCode, res.Header, text)
	return res.StatusCode, res.Header, text
}

func (h *hall) keep(who, path string, status int, body []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sent = append(h.sent, sentBody{who, path, status, string(body)})
}

// must sends a request that must succeed and decodes the response into out.
func (c *caller) must(method, path string, body, out any) {
	c.hall.t.Helper()
	status, _, text := c.send(method, path, body)
	if status != http.StatusOK {
		c.hall.t.Fatalf("%s %s as %s: %d %s", method, path, c.name, status, text)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(text, out); err != nil {
		c.hall.t.Fatalf("%s %s: %v in %s", method, path, err, text)
	}
}

// refusedWith sends a request that must be rejected and returns the error's fields.
func (c *caller) refusedWith(t *testing.T, status int, code, method, path string, body any) map[string]any {
	t.Helper()
	got, _, text := c.send(method, path, body)
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil || got != status || fields["code"] != code {
		t.Fatalf("%s %s: got %d %s, want %d %s", method, path, got, text, status, code)
	}
	if message, _ := fields["message"].(string); message == "" {
		t.Errorf("%s %s: no message in %s", method, path, text)
	}
	return fields
}

// message is one message of a stream.
type message struct{ id, event, data string }

// watch opens a stream and returns its messages until the test ends.
func (c *caller) watch(path string, headers ...string) <-chan message {
	c.hall.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.hall.http.URL+request.APIBase+path, nil)
	if err != nil {
		c.hall.t.Fatal(err)
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := c.hall.http.Client().Do(req)
	if err != nil {
		c.hall.t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(res.Body)
		c.hall.t.Fatalf("%s: %d %s", path, res.StatusCode, text)
	}
	messages := make(chan message, 10_000)
	var reading sync.WaitGroup
	reading.Go(func() {
		defer close(messages)
		lines := bufio.NewScanner(res.Body)
		lines.Buffer(nil, 1<<20)
		var m message
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "id":
				m.id = value
			case "event":
				m.event = value
			case "data":
				m.data = value
			case "":
				if m.data != "" {
					c.hall.keep(c.name, "stream "+path, 200, []byte(m.data))
					messages <- m
				}
				m = message{}
			}
		}
	})
	c.hall.t.Cleanup(func() { cancel(); res.Body.Close(); reading.Wait() })
	return messages
}

// next waits for the next message, skipping pings and what only devices that shuffle need.
func next(t *testing.T, messages <-chan message) (m message) {
	t.Helper()
	for m = nextOrPing(t, messages); m.event == "ping" || m.event == "shuffle"; m = nextOrPing(t, messages) {
	}
	return m
}

func nextOrPing(t *testing.T, messages <-chan message) message {
	t.Helper()
	select {
	case m, ok := <-messages:
		if !ok {
			t.Fatal("the stream has ended")
		}
		return m
	case <-time.After(patience):
		t.Fatal("no message came")
	}
	return message{}
}

// event is a tournament with a started round: n players at tables, all joined.
type event struct {
	*hall
	organizer, referee *caller
	id                 int64
	round              api.RoundDetail
	players            map[int64]*caller // by player id
}

func newEvent(t *testing.T, n int, rules map[string]any, change ...func(*web.Config)) *event {
	t.Helper()
	return newNamedEvent(t, "Test", roster(n), rules, change...)
}

func roster(n int) string {
	var lines strings.Builder
	lines.WriteString("name,country\n")
	for i := range n {
		fmt.Fprintf(&lines, "Player %d,IT\n", i+1)
	}
	return lines.String()
}

// newNamedEvent is newEvent with a name and a roster.
func newNamedEvent(t *testing.T, name, roster string, rules map[string]any, change ...func(*web.Config)) *event {
	t.Helper()
	e := newPublished(t, name, roster, rules, change...)
	e.joinAll()
	return e
}

// joinAll joins every player with a device.
func (e *event) joinAll() {
	e.t.Helper()
	for _, table := range e.round.Tables {
		for _, seat := range table.Seats {
			if p := e.players[seat.Player.ID]; p != nil && seat.Joined { // keeps the player's device
				e.players[seat.Player.ID] = &caller{e.hall, fmt.Sprintf("table %d seat %d", table.Number, seat.Seat),
					p.token}
				continue
			}
			var joined api.JoinedView
			e.public().must(http.MethodPost, "/join", people.Join{Code: seat.Code}, &joined)
			e.players[seat.Player.ID] = &caller{e.hall, fmt.Sprintf("table %d seat %d", table.Number, seat.Seat),
				joined.Token}
		}
	}
}

// newPublished is newNamedEvent before players have joined.
func newPublished(t *testing.T, name, roster string, rules map[string]any, change ...func(*web.Config)) *event {
	t.Helper()
	e := newEntered(t, name, roster, rules, change...)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), map[string]any{}, &e.round)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	return e
}

// newEntered is newPublished before its round is drawn.
func newEntered(t *testing.T, name, roster string, rules map[string]any, change ...func(*web.Config)) *event {
	t.Helper()
	e := &event{players: map[int64]*caller{}}
	e.hall, e.organizer, e.referee = newStaffed(t, change...)
	if rules == nil {
		rules = map[string]any{}
	}
	rules["preset"] = "wrc"
	if _, said := rules["start_seconds"]; !said {
		rules["start_seconds"] = 600 // no turn starts by itself during the setup
	}
	var made api.TournamentDetail
	e.organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": name, "format": "open", "rules": rules,
		"seed": 7}, &made)
	e.id = made.ID
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", e.id), roster, nil)
	return e
}

func (e *event) start() {
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/start", e.round.ID), nil, &e.round)
}

// at returns the player of a seat.
func (e *event) at(table, seat int) *caller {
	return e.players[e.round.Tables[table].Seats[seat].Player.ID]
}

// view returns a game as the caller sees it.
func (c *caller) view(game int64) *engine.View {
	c.hall.t.Helper()
	var state view.LiveState
	c.must(http.MethodGet, fmt.Sprintf("/games/%d", game), nil, &state)
	return state.View
}

// begin makes every seat ready, so that the first turn begins.
func (e *event) begin(table int) int64 {
	e.t.Helper()
	game := e.round.Tables[table].Games[0].ID
	for seat := range e.round.Tables[table].Seats {
		e.at(table, seat).must(http.MethodPost, fmt.Sprintf("/games/%d/ready", game),
			request.TurnRequest{Turn: e.public().view(game).Turn.Number, Key: e.key()}, nil)
	}
	return game
}
