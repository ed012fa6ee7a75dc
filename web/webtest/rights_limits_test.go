package webtest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/tournament/screen"
	"meldhall/web/api"
	"meldhall/web/request"
)

// official creates an official with a name and a role who serves only these tournaments, or all if none are given.
func (h *hall) official(name string, role rights.Role, events ...int64) *caller {
	h.t.Helper()
	acc, err := action.Do(h.t.Context(), h.desk, rights.Staff(rights.RoleOrganizer, "test"),
		account.CreateAccount{Name: name, Password: password, Role: role})
	if err == nil && len(events) > 0 {
		_, err = action.Do(h.t.Context(), h.desk, rights.Staff(rights.RoleOrganizer, "test"),
			account.SetEvents{Account: acc.ID, Events: events})
	}
	if err != nil {
		h.t.Fatal(err)
	}
	var session api.SessionView
	h.public().must(http.MethodPost, "/sign-in", api.SignInBody{Name: name, Password: password}, &session)
	h.officials[name] = &caller{h, name, session.Token}
	return h.officials[name]
}

// elsewhere creates another tournament in the same hall.
func (e *event) elsewhere() int64 {
	e.t.Helper()
	var made api.TournamentDetail
	e.organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Elsewhere", "format": "open",
		"rules": map[string]any{"preset": "wrc"}}, &made)
	return made.ID
}

// whatIsOnesOwn lists the addresses at which officials manage their own account, regardless of tournaments.
var whatIsOnesOwn = []string{"/own/", "/devices", "/sign-out", "/sign-in", "/actions", "/setup", "/join"}

// TestAnOfficialOfAnotherEventHasNothingHere requests every API address as the organizer of another tournament.
// Everything that needs an official, or belongs to all tournaments, is rejected. An error about an invalid request may
// come first, but no data may be revealed.
func TestAnOfficialOfAnotherEventHasNothingHere(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	e.hasNothingHere(t, e.begin(0), e.official("Olga", rights.RoleOrganizer, e.elsewhere()), nil)
}

// hasNothingHere requests every API address as an organizer without access to the tournament, except for the addresses
// in own.
func (e *event) hasNothingHere(t *testing.T, game int64, other *caller, own []string) {
	t.Helper()
	mover := e.public().view(game).Turn.Seat
	refused := 0
	for _, row := range e.routesTable(game, mover) {
		method, path, _ := strings.Cut(row.route, " ")
		if row.want[0] == http.StatusOK || slices.Contains(own, row.route) ||
			slices.ContainsFunc(whatIsOnesOwn, func(own string) bool { return strings.HasPrefix(path, own) }) {
			continue
		}
		got, body := other.probe(method, path, row.body)
		if row.want[4] == http.StatusOK && got != http.StatusForbidden || got < 400 {
			t.Errorf("%s: got %d %.200s", row.route, got, body)
		}
		if got == http.StatusForbidden {
			refused++
		}
	}
	if refused < 60 {
		t.Errorf("only %d were refused for the event", refused)
	}
	records, err := action.Records(t.Context(), e.store, rights.Staff(rights.RoleOrganizer, "test"), e.id, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if strings.Contains(r.Actor, other.name) {
			t.Errorf("done by somebody who does not serve the event: %s", r.Kind)
		}
	}
}

// TestEveryActionNamesItsEvent checks that the tournament of an action is known before the action runs, so that an
// official who does not serve it learns nothing about it.
func TestEveryActionNamesItsEvent(t *testing.T) {
	hall := []string{"account.", "device.revoke", "format.", "backup", "copy.", "tournament.create",
		"tournament.import", "organization.", "rules.remove"}
	for _, k := range action.Kinds() {
		if !k.ByKind() {
			continue
		}
		a, err := k.Decode([]byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		table, _ := action.Subject(a)
		if ofNone := slices.ContainsFunc(hall, func(name string) bool {
			return strings.HasPrefix(k.Name,
				name)
		}); ofNone != (table == "") {
			t.Errorf("%s is about %q", k.Name, table)
		}
	}
}

// TestAnOfficialOfAnotherEventSeesNothingHere requests every page in the same way, and the pages that a limited
// organizer may still use.
func TestAnOfficialOfAnotherEventSeesNothingHere(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	game := e.begin(0)
	there := e.elsewhere()
	e.official("Olga", rights.RoleOrganizer, there)
	olga := e.signedIn("Olga")
	e.seesNothingHere(t, game, olga)
	list := olga.get(t, "/desk").is(http.StatusOK)
	if names := list.text("main"); !strings.Contains(names, "Elsewhere") || strings.Contains(names, "Test") ||
		strings.Contains(names, "New event") {
		t.Errorf("the desk has %s", names)
	}
	olga.get(t, fmt.Sprintf("/desk/%d", there)).is(http.StatusOK)
	for _, path := range []string{"/accounts", "/accounts/security", "/desk/new", "/desk/formats"} {
		if got, _ := olga.first(t, path); got != http.StatusForbidden {
			t.Errorf("%s: got %d", path, got)
		}
	}
}

// seesNothingHere requests every page, file and stream of the tournament as an official without access to it. All that
// is not public is rejected.
func (e *event) seesNothingHere(t *testing.T, game int64, other *reader) {
	t.Helper()
	public, fill, looked := e.reader(), e.addresses(t, game), 0
	for _, route := range e.server.Routes() {
		if route.Method != http.MethodGet || !strings.Contains(route.Path, ":event") ||
			strings.HasPrefix(route.Path, request.APIBase) {
			continue
		}
		path := fill.Replace(route.Path + queries[route.Path])
		if without, _ := public.first(t, path); without != signIn {
			continue
		}
		looked++
		if got, body := other.first(t, path); got != http.StatusForbidden {
			t.Errorf("%s: got %d %.200s", path, got, body)
		}
	}
	if looked < 40 {
		t.Errorf("only %d pages were asked", looked)
	}
}

// TestWhoMadeAnAccountIsNoSecondOfficial checks that organizers cannot confirm their own proposals through an account
// they created, until its holder has set a new password.
func TestWhoMadeAnAccountIsNoSecondOfficial(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	at := fmt.Sprintf("/tournaments/%d/sanctions", e.id)
	propose := func(seat int) string {
		var made struct{ ID int64 }
		e.organizer.must(http.MethodPost, at, map[string]any{"kind": "disqualification",
			"player": e.round.Tables[0].Seats[seat].Player.ID, "reason": "x"}, &made)
		return fmt.Sprintf("/sanctions/%d/second", made.ID)
	}
	first := propose(0)
	e.organizer.must(http.MethodPost, "/accounts", account.CreateAccount{Name: "Hal", Password: password,
		Role: rights.RoleHeadReferee}, nil)
	signIn := func(word string) *caller {
		var session api.SessionView
		e.public().must(http.MethodPost, "/sign-in", api.SignInBody{Name: "Hal", Password: word}, &session)
		return &caller{e.hall, "Hal", session.Token}
	}
	hal := signIn(password)
	hal.refusedWith(t, http.StatusForbidden, "err_second_own_hand", http.MethodPost, first, nil)
	hal.must(http.MethodPost, "/own/password", account.ChangePassword{Old: password, Password: "nobody else knows it"},
		nil)
	hal = signIn("nobody else knows it")
	// it was proposed before that
	hal.refusedWith(t, http.StatusForbidden, "err_second_own_hand", http.MethodPost, first, nil)
	hal.must(http.MethodPost, propose(1), nil, nil)
	e.official("Eva", rights.RoleHeadReferee).must(http.MethodPost, first, nil, nil)
}

// TestZonesBind checks a tournament that restricts officials to their zones. A referee may rule, count and start only
// at the tables of the zone and sees no keys elsewhere. Head referees and referees without a zone may do so everywhere.
func TestZonesBind(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	games := []int64{e.begin(0), e.begin(1)}
	referee := e.referee
	id, err := account.AccountNamed(t.Context(), e.store, "referee")
	if err != nil {
		t.Fatal(err)
	}
	rule := func(by *caller, table int) (int, string) {
		status, _, text := by.send(http.MethodPost, fmt.Sprintf("/games/%d/time", games[table]),
			map[string]any{"key": e.key(), "seconds": 5, "reason": "x"})
		return status, string(text)
	}
	at := fmt.Sprintf("/tournaments/%d", e.id)
	e.organizer.must(http.MethodPost, at+"/zones", screen.SetZone{Account: id,
		Tables: fmt.Sprint(e.round.Tables[0].Number)}, nil)
	if status, text := rule(referee, 1); status != http.StatusOK {
		t.Fatalf("advice stops a ruling: %d %s", status, text)
	}
	e.organizer.must(http.MethodPost, "/actions/zone.bind", map[string]any{"tournament": e.id, "bind": true}, nil)
	head := e.official("Hal", rights.RoleHeadReferee)
	free := e.official("Fee", rights.RoleReferee)
	for _, row := range []struct {
		by    *caller
		table int
		want  int
	}{{referee, 0, 200}, {referee, 1, 403}, {head, 1, 200}, {free, 1, 200}} {
		if status, text := rule(row.by, row.table); status != row.want || status == 403 &&
			!strings.Contains(text, "err_not_your_zone") {
			t.Errorf("%s at table %d: got %d %s, want %d", row.by.name, row.table+1, status, text, row.want)
		}
	}
	sanction := map[string]any{"kind": "points", "points": 5, "player": e.round.Tables[1].Seats[0].Player.ID,
		"reason": "x"}
	referee.refusedWith(t, http.StatusForbidden, "err_zone_no_table", http.MethodPost, at+"/sanctions", sanction)
	sanction["game"] = games[1]
	referee.refusedWith(t, http.StatusForbidden, "err_not_your_zone", http.MethodPost, at+"/sanctions", sanction)
	keys := func(table int) int {
		return e.signedIn("referee").get(t, fmt.Sprintf("/referee/%d/tables/%d", e.id,
			e.round.Tables[table].ID)).is(http.StatusOK).count(".act-forfeit")
	}
	if own, foreign := keys(0), keys(1); own == 0 || foreign > 0 {
		t.Errorf("the sheet of an own table has %d keys, that of another one %d", own, foreign)
	}
	e.signedIn("referee").get(t, fmt.Sprintf("/referee/%d/tables/%d", e.id, e.round.Tables[1].ID)).says("main",
		"is not in your zone")
	e.organizer.must(http.MethodPost, "/actions/zone.bind", map[string]any{"tournament": e.id, "bind": false}, nil)
	if status, text := rule(referee, 1); status != http.StatusOK {
		t.Errorf("freed: got %d %s", status, text)
	}
}
