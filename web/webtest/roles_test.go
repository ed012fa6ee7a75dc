package webtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/shuffle"
	"meldhall/engine/testmode"
	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/draw"
	"meldhall/tournament/embedding"
	"meldhall/tournament/export"
	"meldhall/tournament/game/shares"
	"meldhall/tournament/organization"
	"meldhall/tournament/people"
	"meldhall/tournament/privacy"
	"meldhall/tournament/ranking"
	"meldhall/tournament/result"
	"meldhall/tournament/rulebook"
	"meldhall/tournament/screen"
	"meldhall/web/api"
	"meldhall/web/request"
)

// access lists the status of a route for each caller: the public, the player whose turn it is, a player of another
// table, a referee and an organizer. The bodies are well formed. Where success would affect later rows, they request
// something impossible.
type access struct {
	route string
	body  any
	want  [5]int
}

var callerNames = [5]string{"public", "player", "player of another table", "referee", "organizer"}

func (e *event) routesTable(game int64, mover int) []access {
	key := func() string { return e.key() }
	all := func(status int) [5]int { return [5]int{status, status, status, status, status} }
	officials := func(status int) [5]int { return [5]int{401, 403, 403, status, status} }
	organizer := func(status int) [5]int { return [5]int{401, 403, 403, 403, status} }
	seat := func(status int) [5]int { return [5]int{401, status, 403, 403, 403} }
	atTable := func(status int) [5]int { return [5]int{401, status, 403, status, status} }
	g, r, t := fmt.Sprintf("/games/%d", game), fmt.Sprintf("/rounds/%d", e.round.ID),
		fmt.Sprintf("/tournaments/%d", e.id)
	const stale = 9999
	ruling := func(reason string) map[string]any { return map[string]any{"key": key(), "reason": reason} }
	var lists []access
	for _, what := range export.Lists {
		for _, kind := range []string{"csv", "json", "xlsx"} {
			lists = append(lists, access{"GET " + t + "/export/" + what + "." + kind, nil, all(200)})
		}
	}
	return append(lists, []access{
		{"GET /openapi.json", nil, all(200)}, {"GET /openapi.yaml", nil, all(200)},
		{"GET /openapi-3.0.json", nil, all(200)}, {"GET /openapi-3.0.yaml", nil, all(200)},
		{"GET /presets", nil, all(200)},
		{"GET /tournaments", nil, all(200)}, {"GET " + t, nil, all(200)}, {"GET " + t + "/players", nil, all(200)},
		{"GET " + t + "/standings", nil, all(200)}, {"GET " + t + "/tables", nil, all(200)},
		{"GET " + t + "/standings/live", nil, all(200)}, {"GET " + t + "/tables/live", nil, all(200)},
		{"GET " + t + "/cut", nil, all(404)},
		{"GET " + t + "/regulations", nil, all(200)},
		{"GET " + r, nil, all(200)}, {"GET " + g, nil, all(200)}, {"GET " + g + "/live", nil, all(200)},
		{"GET " + g + "/export", nil, all(409)}, {"GET " + g + "/replay", nil, all(409)},
		{"GET " + g + "/turns/1", nil, all(404)},
		{"POST /sign-in", api.SignInBody{Name: "nobody", Password: "wrong"}, [5]int{401, 401, 401, 401, 429}},
		{"POST /setup", account.SetUp{Token: "wrong", Name: "nobody", Password: password},
			[5]int{403, 403, 403, 403, 429}},
		{"POST /join", people.Join{Code: "AAAA-AAAA"}, [5]int{404, 404, 404, 404, 429}},
		{"GET /seat", nil, [5]int{401, 200, 200, 403, 403}},
		{"GET /seat/live", nil, [5]int{401, 200, 200, 403, 403}},
		{"POST " + g + "/play", map[string]any{"turn": stale, "key": key(), "table": []any{}}, seat(409)},
		{"POST " + g + "/draw", request.TurnRequest{Turn: stale, Key: key()}, seat(409)},
		{"POST " + g + "/pass", request.TurnRequest{Turn: stale, Key: key()}, seat(409)},
		// officials: only for a whole table with real tiles
		{"POST " + g + "/ready", request.TurnRequest{Turn: stale, Key: key()}, [5]int{401, 409, 403, 422, 422}},
		{"POST " + g + "/redeal", request.TurnRequest{Turn: stale, Key: key()}, seat(409)},
		{"POST " + g + "/draft", map[string]any{"turn": stale, "table": []any{}}, seat(409)},
		{"POST " + g + "/share", shares.Sent{Deal: 1, Nonce: &shuffle.Value{}}, seat(409)},
		{"POST /seat/key", people.BindKey{Key: strings.Repeat("!", 43)}, [5]int{401, 422, 422, 403, 403}},
		{"POST " + g + "/call", request.CallRequest{Key: key()}, seat(200)},
		{"POST " + g + "/withdraw-call", request.CallRequest{Key: key()}, seat(200)},
		{"POST " + g + "/starter", request.HandRequest{Key: key(), Seat: 0}, atTable(409)},
		{"POST " + g + "/end-turn", map[string]any{"turn": stale, "key": key(), "seat": mover}, atTable(409)},
		{"POST " + g + "/pool-empty", request.HandRequest{Key: key(), Seat: 0}, atTable(409)},
		{"POST " + g + "/count-racks", map[string]any{"key": key()}, atTable(409)},
		{"POST " + g + "/count-preview", map[string]any{}, atTable(409)},
		{"POST /join-table", people.JoinTable{Code: ""}, all(422)},
		{"POST /tables/" + fmt.Sprint(e.round.Tables[1].ID) + "/tiles", tournament.SetTableTiles{Tiles: "wood"},
			officials(422)},
		{"POST " + t + "/tiles", tournament.SetTiles{Tiles: "wood"}, organizer(422)},
		{"POST " + g + "/agree", api.AgreeBody{Rev: 1}, seat(404)},
		{"GET " + g + "/hint", nil, seat(403)},
		{"POST /practice", api.PracticeBody{Strength: "nobody", Rules: "wrc"}, all(422)},
		{"POST " + g + "/acknowledge", map[string]any{"key": key(), "seat": (mover + 1) % 4}, officials(409)},
		{"POST " + g + "/answer", map[string]any{"key": key(), "seat": (mover + 1) % 4}, officials(409)},
		{"POST " + g + "/resume", ruling(""), officials(409)},
		{"POST " + g + "/pause", ruling("test"), [5]int{401, 403, 403, 200, 409}},
		{"POST " + g + "/time", map[string]any{"key": key(), "seconds": 0}, officials(422)},
		{"POST " + g + "/penalty", map[string]any{"key": key(), "seat": 0, "tiles": 1}, officials(422)},
		{"POST " + g + "/leftovers", map[string]any{"key": key(), "seat": 0, "tiles": []string{"R1"}, "table": []any{}},
			officials(422)},
		{"POST " + g + "/call-time", ruling("test"), [5]int{401, 403, 403, 200, 409}}, // possible only once
		{"GET " + g + "/turns/1/evidence", nil, officials(200)},
		{"GET " + g + "/turns/0/evidence", nil, officials(200)},
		{"POST " + g + "/waive", map[string]any{"key": key(), "proposal": 9, "reason": "x"}, officials(409)},
		{"POST " + g + "/warning", map[string]any{"key": key(), "seat": 0}, officials(422)},
		{"POST " + g + "/skip", map[string]any{"key": key(), "turn": 0, "reason": "x"}, officials(409)},
		{"POST " + g + "/illegal", map[string]any{"key": key(), "turn": 0, "tiles": 3, "reason": "x"}, officials(409)},
		{"POST " + g + "/grant-redeal", map[string]any{"key": key(), "seat": 0}, officials(422)},
		{"POST " + g + "/refuse-redeal", map[string]any{"key": key(), "seat": 0}, officials(422)},
		{"POST " + g + "/forfeit", map[string]any{"key": key(), "seat": 0}, officials(422)},
		{"POST " + g + "/cancel", map[string]any{"key": key(), "of": 1, "reason": "x"}, officials(409)},
		{"POST " + g + "/rewind", map[string]any{"key": key(), "turn": 999, "reason": "x"}, officials(422)},
		{"POST " + g + "/position", map[string]any{"key": key(), "seat": 0, "table": []any{}}, officials(422)},
		{"POST " + g + "/protest", result.MakeProtest{Text: "x"}, seat(404)},
		{"GET " + g + "/protests", nil, [5]int{401, 200, 403, 200, 200}},
		{"GET " + g + "/protocol", nil, [5]int{401, 409, 409, 200, 200}},
		{"GET " + t + "/protests", nil, officials(200)},
		{"POST /protests/9999/decide", result.DecideProtest{Outcome: "rejected", Reason: "x"}, organizer(404)},
		{"GET " + g + "/count", nil, officials(409)},
		{"POST " + g + "/confirm", result.ConfirmResult{Rev: 1}, officials(404)},
		{"POST " + g + "/replay", api.ReplayBody{Rev: 1, Why: "x"}, officials(404)},
		{"POST " + g + "/recount", map[string]any{"rev": 1, "why": "x", "racks": []engine.CountedRack{{}, {}}},
			officials(409)},
		{"POST " + t + "/publishing", tournament.SetShown{Part: "racks", How: "public"}, organizer(422)},
		{"POST " + t + "/embedding", embedding.SetSites{Sites: "ftp://x"}, organizer(422)},
		{"POST " + t + "/second-over", result.SetSecondOver{}, organizer(200)},
		{"POST " + g + "/correct", map[string]any{"rev": 1, "why": "x", "lines": []api.CorrectLine{{}, {}}},
			officials(404)},
		{"GET " + r + "/floor", nil, officials(200)},
		{"GET /floor/live?round=" + fmt.Sprint(e.round.ID), nil, officials(200)},
		{"POST /tables/" + fmt.Sprint(e.round.Tables[1].ID) + "/code", api.ReissueBody{Seat: 3}, officials(200)},
		{"GET /accounts", nil, organizer(200)},
		{"GET /security", nil, organizer(200)},
		{"POST /accounts", account.CreateAccount{Name: "x:y", Password: password, Role: "referee"}, organizer(422)},
		{"POST /accounts/9999/role", account.SetRole{Role: "referee"}, organizer(404)},
		{"POST /accounts/9999/password", account.SetPassword{Password: password}, organizer(404)},
		{"POST /accounts/9999/remove", nil, organizer(404)},
		{"POST /accounts/9999/invite", nil, organizer(404)},
		{"POST /invites", api.InviteBody{Name: "x:y", Role: "referee"}, organizer(422)},
		{"POST /invites/accept", account.AcceptInvite{Token: "wrong"}, all(410)},
		{"GET /organizations", nil, organizer(200)}, {"GET /organizations/9999", nil, organizer(404)},
		{"POST /organizations", organization.Create{Slug: "x"}, organizer(422)},
		{"POST /organizations/9999/texts", organization.SetTexts{Texts: organization.Texts{Name: "x"}},
			organizer(404)},
		{"POST /organizations/9999/limits", organization.SetLimits{}, organizer(404)},
		{"POST /organizations/9999/delete", nil, organizer(404)},
		{"GET /devices", nil, officials(200)},
		{"POST /devices/9999/revoke", nil, organizer(404)},
		{"GET /own/second", nil, officials(200)},
		{"POST /own/second", account.AddSecond{Password: password, Secret: "x", Code: "1"}, officials(422)},
		{"POST /own/second-off", account.DropSecond{Password: password, Code: "1"}, officials(403)},
		{"POST /accounts/9999/second-reset", nil, organizer(404)},
		{"POST /own/password", account.ChangePassword{Old: password, Password: "short"}, officials(422)},
		{"POST /own/pin", account.SetPIN{PIN: "1"}, officials(422)},
		{"GET " + t + "/zones", nil, officials(200)},
		{"POST " + t + "/zones", screen.SetZone{Account: 1, Tables: "x"}, organizer(422)},
		{"GET " + t + "/announcements", nil, all(200)},
		{"POST " + t + "/announcements", screen.Announce{Level: "note", Texts: map[string]string{"en": ""}, Minutes: 5},
			organizer(422)},
		{"POST /announcements/9999/end", nil, organizer(404)},
		{"GET " + t + "/schedule", nil, all(200)},
		{"POST " + t + "/schedule", api.ScheduleBody{Slots: []api.SlotBody{{Round: 1}}}, organizer(422)},
		{"GET " + r + "/pace", nil, officials(200)},
		{"GET " + t + "/devices", nil, officials(200)},
		{"GET " + t + "/readiness", nil, officials(200)},
		{"POST " + t + "/rehearsal", api.RehearsalBody{By: "nobody"}, organizer(422)},
		{"POST /rehearsals/9999/remove", nil, organizer(404)},
		{"POST /backups", nil, organizer(200)},
		{"GET /actions", nil, all(200)}, {"POST /actions/round.check", map[string]any{"round": 9999}, organizer(404)},
		{"GET " + t + "/sanctions", nil, officials(200)},
		{"POST " + t + "/sanctions", api.SanctionBody{Kind: "points",
			PenaltyGrounds: result.PenaltyGrounds{Player: 1, Reason: "x"}}, officials(422)},
		{"POST /sanctions/9999/second", nil, organizer(404)},
		{"POST /sanctions/9999/cancel", result.CancelPenalty{Why: "x"}, officials(404)},
		{"GET /seat/sanctions", nil, [5]int{401, 200, 200, 403, 403}},
		{"POST /tournaments", map[string]any{"name": "x", "format": "none", "rules": map[string]any{"preset": "wrc"}},
			organizer(422)},
		{"POST " + t + "/roster", "name\n", organizer(422)},
		{"GET " + t + "/people", nil, organizer(200)}, {"POST " + t + "/people", request.PeopleBody{Kind: "dance"},
			organizer(422)},
		{"GET " + t + "/changes", nil, organizer(200)}, {"POST /changes/9999/undo", api.UndoBody{}, organizer(404)},
		{"GET " + t + "/registration", nil, all(200)}, {"POST " + t + "/registration", request.EntryBody{Name: "x"},
			all(409)},
		{"POST /tickets/wrong/check-in", nil, all(404)}, {"GET " + t + "/log?q=round", nil, officials(200)},
		{"GET " + t + "/export/roster.csv", nil, organizer(200)},
		{"GET " + t + "/export/roster.xlsx", nil, organizer(200)},
		{"GET " + t + "/export/archive.zip", nil, organizer(200)},
		{"POST " + t + "/rounds", map[string]any{}, organizer(409)},
		{"POST " + t + "/lot", nil, organizer(404)},
		{"POST " + t + "/script", "table\n", organizer(422)},
		{"POST " + t + "/promise", nil, organizer(200)},
		{"POST " + t + "/drawn", draw.WriteDrawn{}, organizer(200)},
		{"POST " + t + "/drawn/lots", nil, organizer(200)},
		{"GET " + t + "/promises", nil, all(200)},
		{"POST " + t + "/reopen", api.ReopenBody{Preview: true}, organizer(409)},
		{"POST " + t + "/stages/9/rounds", api.StageRoundsBody{Rounds: 3, Preview: true}, organizer(404)},
		{"GET /formats", nil, organizer(200)}, {"GET /formats/999", nil, organizer(404)},
		{"POST /formats", api.FormatBody{Format: "none"}, organizer(422)},
		{"POST /formats/check", api.FormatBody{Format: "wrc", Players: 33}, organizer(200)},
		{"POST /formats/999", api.FormatBody{Format: "wrc"}, organizer(404)},
		{"POST /formats/999/remove", nil, organizer(404)},
		{"GET " + t + "/format", nil, organizer(200)}, {"POST " + t + "/format", api.FormatBody{Format: "none"},
			organizer(422)},
		// a game has been dealt
		{"POST " + t + "/rules", rulebook.ChangeRules{Rules: map[string]any{"turn_seconds": 90}}, organizer(409)},
		{"POST " + t + "/rules-from", rulebook.RuleFrom{Round: 99, Why: "x", Rules: map[string]any{"turn_seconds": 90}},
			organizer(422)},
		{"POST " + t + "/rules-back", rulebook.CancelRuleChange{Number: 99}, organizer(404)},
		{"GET " + t + "/apart", nil, organizer(200)},
		{"POST " + t + "/apart", draw.KeepApart{A: 1, B: 1, Apart: true}, organizer(422)},
		{"GET " + r + "/draw", nil, organizer(200)},
		{"POST " + r + "/swap-preview", people.SwapSeats{A: 1, B: 2}, organizer(409)},
		{"POST " + r + "/swap", people.SwapSeats{A: 1, B: 2, Why: "x"}, organizer(409)},
		{"POST " + r + "/move", people.MoveSeat{Player: 1, Table: 2, Why: "x"}, organizer(409)},
		{"POST " + r + "/withdraw", nil, organizer(409)},
		{"POST " + r + "/check", nil, organizer(409)},
		{"POST " + r + "/duplicate", draw.SetDuplicate{Duplicate: true}, organizer(409)},
		{"POST /players/" + fmt.Sprint(e.round.Tables[1].Seats[3].Player.ID) + "/time",
			tournament.SetExtraTime{Seconds: 30}, organizer(200)},
		{"GET " + t + "/qualification", nil, all(200)},
		{"POST /players/" + fmt.Sprint(e.round.Tables[1].Seats[3].Player.ID) + "/waiver",
			ranking.SetWaiver{State: "lazy"}, organizer(422)},
		{"POST /players/" + fmt.Sprint(e.round.Tables[1].Seats[3].Player.ID) + "/division",
			tournament.SetDivision{Division: "junior"}, organizer(200)},
		{"POST /players/" + fmt.Sprint(e.round.Tables[1].Seats[3].Player.ID) + "/naming",
			privacy.NamePlayer{Way: "loud"}, organizer(422)},
		{"GET /players/" + fmt.Sprint(e.round.Tables[1].Seats[3].Player.ID) + "/held", nil, organizer(200)},
		{"POST /players/9999/erase", privacy.Erase{}, organizer(404)},
		{"POST " + t + "/take-out", nil, organizer(409)},
		{"POST /tickets/wrong/naming", fields{"way": "short"}, all(404)},
		{"POST /players/" + fmt.Sprint(e.round.Tables[1].Seats[3].Player.ID) + "/family",
			tournament.SetFamily{Family: familyName}, organizer(200)},
		{"POST " + r + "/discard", nil, organizer(409)},
		{"POST " + r + "/publish", nil, organizer(200)},
		{"POST " + r + "/start", nil, officials(200)},
		{"POST /tables/" + fmt.Sprint(e.round.Tables[1].ID) + "/start", nil, officials(200)},
		{"POST /sign-out", nil, [5]int{401, 401, 401, 200, 200}},
	}...)
}

func TestEveryRouteByRole(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	game := e.begin(0)
	turn := e.public().view(game).Turn
	e.relate(t)
	callers := [5]*caller{e.public(), e.at(0, turn.Seat), e.at(1, 0), e.referee, e.organizer}
	table := e.routesTable(game, turn.Seat)
	var asked []sentBody
	for _, row := range table {
		method, path, _ := strings.Cut(row.route, " ")
		for i, c := range callers {
			got, body := c.probe(method, path, row.body)
			if got != row.want[i] {
				t.Errorf("%s as %s: got %d %.300s, want %d", row.route, callerNames[i], got, body, row.want[i])
			}
			if i < 4 && strings.Contains(body, familyName) && row.body != (tournament.SetFamily{Family: familyName}) {
				t.Errorf("%s tells the %s a family: %.300s", row.route, callerNames[i], body)
			}
			asked = append(asked, sentBody{c.name, row.route, got, body})
		}
	}
	e.keepsSecrets(t, asked)
	t.Run("no route without a row", func(t *testing.T) {
		for _, route := range e.server.Routes() {
			path, ok := strings.CutPrefix(route.Path, request.APIBase)
			if !ok {
				continue
			}
			if !slices.ContainsFunc(table, func(a access) bool { return fits(a.route, route.Method+" "+path) }) {
				t.Errorf("%s %s has no row in the table of roles", route.Method, path)
			}
		}
	})
}

// keepsSecrets checks the responses of all routes against the log of the reader's game: that of table 1 for all callers
// except the players of table 2. No response may reveal a face that the reader cannot see.
func (e *event) keepsSecrets(t *testing.T, asked []sentBody) {
	t.Helper()
	var judges [2]secrecy
	for i := range judges {
		judges[i] = secrecy{states: e.statesOf(t, e.round.Tables[i].Games[0].ID)}
	}
	looked := 0
	for _, s := range asked {
		judge := judges[0]
		if at, ok := strings.CutPrefix(s.who, "table 2 "); ok && strings.HasPrefix(s.path, "GET /seat") {
			judge, s.who = judges[1], "table 1 "+at
		} else if ok { // at another table's game they are spectators
			s.who = "public"
		}
		leaks, views := judge.leaks(s)
		looked += views
		for _, leak := range leaks {
			t.Errorf("to %s by %s: %s\n%.600s", s.who, s.path, leak, s.body)
		}
	}
	if looked < 5 {
		t.Errorf("only %d views were looked at", looked)
	}
}

// fits reports whether a request matches a pattern with :parameters.
func fits(route, pattern string) bool {
	route, _, _ = strings.Cut(route, "?")
	a, b := strings.Split(route, "/"), strings.Split(pattern, "/")
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && !strings.HasPrefix(b[i], ":") {
			return false
		}
	}
	return true
}

// probe sends a request and returns its status and body, without waiting for a stream to end.
func (c *caller) probe(method, path string, body any) (int, string) {
	c.hall.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var r io.Reader
	kind := "application/json"
	if text, ok := body.(string); ok {
		r, kind = strings.NewReader(text), "text/csv"
	} else if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			c.hall.t.Fatal(err)
		}
		r = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.hall.http.URL+request.APIBase+path, r)
	if err != nil {
		c.hall.t.Fatal(err)
	}
	req.Header.Set("Content-Type", kind)
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	res, err := c.hall.http.Client().Do(req)
	if err != nil {
		c.hall.t.Fatal(err)
	}
	defer res.Body.Close()
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		return res.StatusCode, ""
	}
	text, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(text)
}

// in stands for a redirect to the sign-in page.
const in = -1

// sees opens a page and checks its status and that the page is complete.
func (r *reader) sees(t *testing.T, who, path string, want int) {
	t.Helper()
	page := r.get(t, path)
	if want == in {
		if page.status != 200 || !strings.HasPrefix(page.path, "/sign-in?next=") {
			t.Errorf("%s as %s: got %d at %s, want the sign-in", path, who, page.status, page.path)
		}
		return
	}
	if page.status != want {
		t.Errorf("%s as %s: got %d, want %d: %s", path, who, page.status, want, page.text("main"))
	}
	if page.count("main") != 1 || page.count("h1") < 1 {
		t.Errorf("%s as %s: %d main, %d h1", path, who, page.count("main"), page.count("h1"))
	}
}
