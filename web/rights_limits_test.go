package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/tournament/door"
	"meldhall/tournament/floor"
	"meldhall/tournament/rights"
	"meldhall/tournament/staff"
	"meldhall/web/api"
	"meldhall/web/shell"
)

// official is somebody of the staff with a name and a role who serves these events alone; none: every one.
func (h *hall) official(name string, role rights.Role, events ...int64) *caller {
	h.t.Helper()
	account, err := door.Do(h.t.Context(), h.desk, rights.Staff(rights.RoleOrganizer, "test"), staff.CreateAccount{Name: name, Password: password, Role: role})
	if err == nil && len(events) > 0 {
		_, err = door.Do(h.t.Context(), h.desk, rights.Staff(rights.RoleOrganizer, "test"), staff.SetEvents{Account: account.ID, Events: events})
	}
	if err != nil {
		h.t.Fatal(err)
	}
	var session api.SessionView
	h.public().must(http.MethodPost, "/sign-in", api.SignInBody{Name: name, Password: password}, &session)
	h.officials[name] = &caller{h, name, session.Token}
	return h.officials[name]
}

// elsewhere is another event than e in the same hall.
func (e *event) elsewhere() int64 {
	e.t.Helper()
	var made api.TournamentDetail
	e.organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Elsewhere", "format": "open", "rules": map[string]any{"preset": "wrc"}}, &made)
	return made.ID
}

// whatIsOnesOwn are the addresses at which an official does something to the own account, whatever event it serves.
var whatIsOnesOwn = []string{"/own/", "/devices", "/sign-out", "/sign-in", "/actions", "/setup", "/join"}

// TestAnOfficialOfAnotherEventHasNothingHere asks every address for programs as the organizer of another event: what needs an
// official is refused, and so is what belongs to all events. What is wrong with it may be told first, never what is right.
func TestAnOfficialOfAnotherEventHasNothingHere(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	e.hasNothingHere(t, e.begin(0), e.official("Olga", rights.RoleOrganizer, e.elsewhere()), nil)
}

// hasNothingHere asks every address for programs as an organizer who has nothing to do with the event, but for what the organizer has of one's own.
func (e *event) hasNothingHere(t *testing.T, game int64, other *caller, own []string) {
	t.Helper()
	mover := e.public().view(game).Turn.Seat
	refused := 0
	for _, row := range e.routesTable(game, mover) {
		method, path, _ := strings.Cut(row.route, " ")
		if row.want[0] == http.StatusOK || slices.Contains(own, row.route) || slices.ContainsFunc(whatIsOnesOwn, func(own string) bool { return strings.HasPrefix(path, own) }) {
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
	records, err := door.Records(t.Context(), e.store, rights.Staff(rights.RoleOrganizer, "test"), e.id, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if strings.Contains(r.Actor, other.name) {
			t.Errorf("done by somebody who does not serve the event: %s", r.Kind)
		}
	}
}

// TestEveryActionNamesItsEvent: the door finds the event of an action before it is done, so that nothing is told of one to who does
// not serve it.
func TestEveryActionNamesItsEvent(t *testing.T) {
	hall := []string{"account.", "device.revoke", "format.", "backup", "copy.", "tournament.create", "tournament.import", "organization."}
	for _, k := range door.Kinds() {
		if !k.ByKind() {
			continue
		}
		a, err := k.Decode([]byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		table, _ := door.Subject(a)
		if ofNone := slices.ContainsFunc(hall, func(name string) bool { return strings.HasPrefix(k.Name, name) }); ofNone != (table == "") {
			t.Errorf("%s is about %q", k.Name, table)
		}
	}
}

// TestAnOfficialOfAnotherEventSeesNothingHere asks every page in the same way, and what a limited organizer has of one's own.
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
	if names := list.text("main"); !strings.Contains(names, "Elsewhere") || strings.Contains(names, "Test") || strings.Contains(names, "New event") {
		t.Errorf("the desk has %s", names)
	}
	olga.get(t, fmt.Sprintf("/desk/%d", there)).is(http.StatusOK)
	for _, path := range []string{"/accounts", "/accounts/security", "/desk/new", "/desk/formats"} {
		if got, _ := olga.first(t, path); got != http.StatusForbidden {
			t.Errorf("%s: got %d", path, got)
		}
	}
}

// seesNothingHere asks every page, file and stream of the event as an official who has nothing to do with it: what is not for everybody is refused.
func (e *event) seesNothingHere(t *testing.T, game int64, other *reader) {
	t.Helper()
	public, fill, looked := e.reader(), e.addresses(t, game), 0
	for _, route := range e.server.handler.Routes() {
		if route.Method != http.MethodGet || !strings.Contains(route.Path, ":event") || strings.HasPrefix(route.Path, shell.APIBase) {
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

// TestWhoMadeAnAccountIsNoSecondOfficial: an organizer who makes an account cannot use it to confirm what the organizer proposed,
// before its holder has a password of one's own.
func TestWhoMadeAnAccountIsNoSecondOfficial(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	at := fmt.Sprintf("/tournaments/%d/sanctions", e.id)
	propose := func(seat int) string {
		var made struct{ ID int64 }
		e.organizer.must(http.MethodPost, at, map[string]any{"kind": "disqualification", "player": e.round.Tables[0].Seats[seat].Player.ID, "reason": "x"}, &made)
		return fmt.Sprintf("/sanctions/%d/second", made.ID)
	}
	first := propose(0)
	e.organizer.must(http.MethodPost, "/accounts", staff.CreateAccount{Name: "Hal", Password: password, Role: rights.RoleHeadReferee}, nil)
	signIn := func(word string) *caller {
		var session api.SessionView
		e.public().must(http.MethodPost, "/sign-in", api.SignInBody{Name: "Hal", Password: word}, &session)
		return &caller{e.hall, "Hal", session.Token}
	}
	hal := signIn(password)
	hal.refusedWith(t, http.StatusForbidden, "err_second_own_hand", http.MethodPost, first, nil)
	hal.must(http.MethodPost, "/own/password", staff.ChangePassword{Old: password, Password: "nobody else knows it"}, nil)
	hal = signIn("nobody else knows it")
	hal.refusedWith(t, http.StatusForbidden, "err_second_own_hand", http.MethodPost, first, nil) // it was proposed before
	hal.must(http.MethodPost, propose(1), nil, nil)
	e.official("Eva", rights.RoleHeadReferee).must(http.MethodPost, first, nil, nil)
}

// TestZonesBind: where an event keeps its officials to their zones, a referee rules, counts and starts at the own tables alone, and is
// shown no keys elsewhere; a head referee goes everywhere, and so does a referee without a zone.
func TestZonesBind(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	games := []int64{e.begin(0), e.begin(1)}
	referee := e.referee
	id, err := staff.AccountNamed(t.Context(), e.store, "referee")
	if err != nil {
		t.Fatal(err)
	}
	rule := func(by *caller, table int) (int, string) {
		status, _, text := by.send(http.MethodPost, fmt.Sprintf("/games/%d/time", games[table]), map[string]any{"key": e.key(), "seconds": 5, "reason": "x"})
		return status, string(text)
	}
	at := fmt.Sprintf("/tournaments/%d", e.id)
	e.organizer.must(http.MethodPost, at+"/zones", floor.SetZone{Account: id, Tables: fmt.Sprint(e.round.Tables[0].Number)}, nil)
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
		if status, text := rule(row.by, row.table); status != row.want || status == 403 && !strings.Contains(text, "err_not_your_zone") {
			t.Errorf("%s at table %d: got %d %s, want %d", row.by.name, row.table+1, status, text, row.want)
		}
	}
	sanction := map[string]any{"kind": "points", "points": 5, "player": e.round.Tables[1].Seats[0].Player.ID, "reason": "x"}
	referee.refusedWith(t, http.StatusForbidden, "err_zone_no_table", http.MethodPost, at+"/sanctions", sanction)
	sanction["game"] = games[1]
	referee.refusedWith(t, http.StatusForbidden, "err_not_your_zone", http.MethodPost, at+"/sanctions", sanction)
	keys := func(table int) int {
		return e.signedIn("referee").get(t, fmt.Sprintf("/referee/%d/tables/%d", e.id, e.round.Tables[table].ID)).is(http.StatusOK).count(".act-forfeit")
	}
	if own, foreign := keys(0), keys(1); own == 0 || foreign > 0 {
		t.Errorf("the sheet of an own table has %d keys, that of another one %d", own, foreign)
	}
	e.organizer.must(http.MethodPost, "/actions/zone.bind", map[string]any{"tournament": e.id, "bind": false}, nil)
	if status, text := rule(referee, 1); status != http.StatusOK {
		t.Errorf("freed: got %d %s", status, text)
	}
}
