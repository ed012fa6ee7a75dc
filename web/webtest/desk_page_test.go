package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/data"
	"meldhall/engine/testmode"
	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/people"
	"meldhall/tournament/rights"
	"meldhall/web/api"
	"meldhall/web/page"
	"meldhall/web/request"
)

func TestSetupAndSignIn(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	token, err := account.SetupToken(t.Context(), h.store)
	if err != nil {
		t.Fatal(err)
	}
	r := h.reader()
	page := r.get(t, "/setup?token="+token).is(http.StatusOK)
	if page.value("token") != token {
		t.Errorf("the token of the address is not in the form: %q", page.value("token"))
	}
	page = page.submit("/setup", "name", "Kasia", "password", "short").is(http.StatusUnprocessableEntity).says(".flash",
		"12")
	if page.value("name") != "Kasia" || page.value("token") != token || page.value("password") != "" {
		t.Errorf("what was typed is lost, or the password comes back: %q %q %q", page.value("name"),
			page.value("token"), page.value("password"))
	}
	h.reader().get(t, "/setup?token=guess").submit("/setup", "name", "Eve", "password",
		password).is(http.StatusForbidden)
	page = page.submit("/setup", "password", password).is(http.StatusOK).says(".flash", "Kasia")
	if page.path != "/desk/new" {
		t.Errorf("after the set-up comes %s", page.path)
	}
	h.reader().get(t, "/setup?token="+token).submit("/setup", "name", "Eve", "password",
		password).is(http.StatusForbidden)

	t.Run("a page asked for before the sign-in is shown after it", func(t *testing.T) {
		other := h.reader()
		page := other.get(t, "/accounts").is(http.StatusOK)
		if !strings.HasPrefix(page.path, "/sign-in?next=") {
			t.Fatalf("led to %s", page.path)
		}
		page.submit("/sign-in", "name", "Kasia", "password",
			"not the password").is(http.StatusUnauthorized).says(".flash", "wrong")
		if page = page.submit("/sign-in", "name", "Kasia", "password", password); page.path != "/accounts" {
			t.Errorf("led to %s", page.path)
		}
		page.submit("/sign-out")
		if page = other.get(t, "/accounts"); !strings.HasPrefix(page.path, "/sign-in") {
			t.Errorf("signed out, still at %s", page.path)
		}
	})
	t.Run("an address elsewhere is not gone on to", func(t *testing.T) {
		page := h.reader().get(t, "/sign-in?next=//evil.example/").submit("/sign-in", "name", "Kasia", "password",
			password)
		if page.path != "/desk" {
			t.Errorf("led to %s", page.path)
		}
	})
	t.Run("accounts", func(t *testing.T) {
		page := r.get(t, "/accounts").submit("/accounts", "name", "Ref", "password", "short", "role",
			"organizer").is(http.StatusUnprocessableEntity)
		if page.value("name") != "Ref" || !has(find(page.doc, "input[value=organizer]")[0], "checked") {
			t.Error("what was typed is lost")
		}
		page.submit("/accounts", "password", password, "role", "referee").is(http.StatusOK).says("table", "Ref")
		if page := h.signedIn("Ref").get(t, "/accounts"); page.status != http.StatusForbidden {
			t.Errorf("a referee sees the accounts: %d", page.status)
		}
	})
}

func TestSafePath(t *testing.T) {
	for _, row := range []struct{ address, want string }{
		{"/desk/1", "/desk/1"}, {"/desk?x=1", "/desk?x=1"}, {"", "/"}, {"//evil", "/"}, {`/\evil`, "/"},
		{"https://evil/", "/"},
		{"javascript:alert(1)", "/"}, {"desk", "/"}, {"/a\r\nSet-Cookie: x", "/"}, {"/%2f/evil", "/%2f/evil"},
	} {
		if got := page.SafePath(row.address, "/"); string(got) != row.want {
			t.Errorf("%q: got %q, want %q", row.address, got, row.want)
		}
	}
}

// TestOrganizerRunsAnEvent runs a tournament as an organizer and a referee do with forms alone, from its creation to a
// corrected result.
func TestOrganizerRunsAnEvent(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	h, _, _ := newStaffed(t)
	o := h.signedIn("organizer")

	o.get(t, "/desk").says("main", "No events yet")
	page := o.get(t, "/desk/new").submit("/desk/new", "name", "", "place", "Torino").is(http.StatusUnprocessableEntity)
	if page.value("place") != "Torino" {
		t.Error("the place is lost")
	}
	page.submit("/desk/new", "name", "Cup", "rule-turn_seconds",
		"99999").is(http.StatusUnprocessableEntity).says(".flash", "“Seconds per turn (0: no clock)”: 99999 is not")
	page = page.submit("/desk/new", "name", "Cup", "format", "open", "rule-turn_seconds", "90")
	if page.path != "/desk/1/roster" {
		t.Fatalf("led to %s: %s", page.path, page.text("main"))
	}
	tour, err := tournament.TournamentByID(t.Context(), h.store, 1)
	if err != nil {
		t.Fatal(err)
	}
	if rules, err := tour.Rules(); err != nil || rules.TurnSeconds != 90 || rules.JokerPoints != 100 {
		t.Errorf("rules %v, %v", rules, err)
	}

	importRoster(t, h, o)
	round := seatAndPublish(t, o)
	players := h.joinBy(t, round)
	o.get(t, "/desk/1").says(".facts", "33 of 33").says(".next", "Start round 1")
	round.submit("/round.start").is(http.StatusOK).says(".progress", "9 running")
	o.get(t, "/desk/1").says(".next", "See the hall").says(".progress", "9 running")
	countAndCorrect(t, h, players)
}

func importRoster(t *testing.T, h *hall, o *reader) {
	t.Helper()
	page := o.get(t, "/desk/1/roster").says("main", "0 players")
	bad := "name,rating\nAnna,abc\n,12\nBob,12x\nAnna,7\n"
	page = page.submit("/roster/preview", "text", bad).is(http.StatusUnprocessableEntity).says(".flash", "4 lines")
	for i, want := range []string{"Line 2", "Line 3", "Line 4", "Line 5"} {
		if line := textOf(find(page.doc, "fieldset.wrong")[i]); !strings.HasPrefix(line, want) {
			t.Errorf("line %d: %q", i, line)
		}
	}
	if got := page.value("text"); got != bad {
		t.Errorf("the list is lost: %q", got)
	}
	if page.count("form[action=/desk/1/roster/import]") != 0 {
		t.Error("a list with problems can be imported")
	}
	o.post(t, "/desk/1/roster/import", url.Values{"text": {bad}}).is(http.StatusUnprocessableEntity)
	demo, err := data.Demo.ReadFile("demo/roster.csv")
	if err != nil {
		t.Fatal(err)
	}
	page = o.upload(t, "/desk/1/roster/preview", "file", string(demo)).is(http.StatusOK).says("main",
		"Import 33 players")
	page = page.submitText("/roster/import", string(demo))
	if players, err := tournament.Players(t.Context(), h.store, 1); err != nil || len(players) != 33 ||
		page.path != "/desk/1" {
		t.Fatalf("%d players, %v, at %s", len(players), err, page.path)
	}
	page.says(".flash", "33 players").says(".next", "Seat round 1")
	o.get(t, "/desk/1/roster").submit("/roster/add", "name", "Zofia Wiśniewska-Łoś", "country",
		"poland").is(http.StatusConflict).says(".flash", "already entered")
	page = o.get(t, "/desk/1/roster").submit("/roster/add", "name", "Late One").is(http.StatusOK).says(".flash",
		"no. 34")
	o.get(t, "/desk/1/nowhere").is(http.StatusNotFound).says("header", "Sign out")
	page.reader.post(t, "/desk/1/roster/time", url.Values{"player": {"34"},
		"seconds": {"601"}}).is(http.StatusUnprocessableEntity).says(".flash", "0 to 600")
	page.reader.post(t, "/desk/1/roster/time", url.Values{"player": {"34"},
		"seconds": {"30"}}).is(http.StatusOK).says(".flash", "Late One has 30 extra seconds")
	leaves := "/desk/1/people/do?kind=leave&player=34"
	o.get(t, leaves).says(".effects", "withdraws")
	o.get(t, "/desk/1/players/34").says("main", "registered") // the preview changed nothing
	o.get(t, leaves).submit("/people/do").is(http.StatusOK).says(".flash", "withdraws")
	o.get(t, "/desk/1/players/34").says("main", "withdrawn")
	changes, err := people.PeopleChanges(t.Context(), h.store, rights.Actor{Role: rights.RoleOrganizer}, 1, 1)
	if err != nil || len(changes) != 1 || changes[0].Kind != tournament.PeopleLeave {
		t.Fatalf("the last change is %+v, %v", changes, err)
	}
	undo := fmt.Sprintf("/desk/1/people/undo/%d", changes[0].ID)
	o.get(t, undo).says(".effects", "registered").submit("/people.undo").is(http.StatusOK)
	o.get(t, "/desk/1/players/34").says("main", "registered")
	o.get(t, leaves).submit("/people/do").is(http.StatusOK)
}

// submitText submits the form with a text unchanged, including its line ends.
func (p *leaf) submitText(action, text string) *leaf {
	p.t.Helper()
	return p.submit(action, "text", text)
}

func seatAndPublish(t *testing.T, o *reader) *leaf {
	t.Helper()
	page := o.get(t, "/desk/1").submit("/desk/1/rounds").is(http.StatusOK)
	if page.path != "/desk/1/rounds/1" || page.count(".table-card") != 9 || page.count(".code") != 0 {
		t.Fatalf("%s: %d tables, %d codes", page.path, page.count(".table-card"), page.count(".code"))
	}
	before := page.text(".tables")
	refused := page.submit("/draw").is(http.StatusUnprocessableEntity).says(".flash", "seating round 1 again")
	marked := attr(refused.inside("#draw-again", "input[name=note]")[0], "aria-invalid") == "true"
	if refused.text(".tables") != before || !marked {
		t.Errorf("without a word why: the field is marked: %v, the same seats: %v", marked,
			refused.text(".tables") == before)
	}
	page = page.submit("/draw", "note", "Fritz and Anna came together").is(http.StatusOK).says(".draw-notes",
		"Seated again: Fritz and Anna")
	o.get(t, "/desk/1/log").says("main", "Fritz and Anna came together")
	if page.text(".tables") == before {
		t.Error("drawn again, the same seats")
	}
	o.reader().get(t, "/events/1").is(http.StatusNotFound) // only its officials see a draft tournament
	o.get(t, "/events/1").is(http.StatusOK).says("main", "No results yet")
	page = page.submit("/round.publish").is(http.StatusOK).says(".flash", "published")
	o.reader().get(t, "/events/1").is(http.StatusOK).says("main", "No results yet")
	if page.count("svg.qr") != 9 || page.count("code.code") != 33+9 {
		t.Fatalf("%d QR codes, %d codes", page.count("svg.qr"), page.count("code.code"))
	}
	o.get(t, "/desk/1/paper").is(http.StatusOK).says(".paper-sheets", "Seat cards")
	return page
}

// joinBy joins every seat with the code that the page shows beside it, in the order of the seats.
func (h *hall) joinBy(t *testing.T, round *leaf) []*caller {
	t.Helper()
	var players []*caller
	for _, code := range find(round.doc, "code.code") {
		if strings.Contains(attr(code, "class"), "big") {
			continue
		}
		var joined api.JoinedView
		h.public().must(http.MethodPost, "/join", people.Join{Code: textOf(code)}, &joined)
		players = append(players, &caller{h, joined.Player.Name, joined.Token})
	}
	if len(players) != 33 {
		t.Fatalf("%d players joined", len(players))
	}
	return players
}

// countAndCorrect lets a referee call time at table 1, count, confirm and correct.
func countAndCorrect(t *testing.T, h *hall, players []*caller) {
	t.Helper()
	ref := h.signedIn("referee")
	hall := ref.get(t, "/referee/1").is(http.StatusOK)
	if hall.count(".floor-line") != 9 {
		t.Fatalf("%d tables in the hall", hall.count(".floor-line"))
	}
	for seat := range 4 {
		players[seat].must(http.MethodPost, "/games/1/ready",
			request.TurnRequest{Turn: h.public().view(1).Turn.Number, Key: h.key()}, nil)
	}
	players[1].must(http.MethodPost, "/games/1/call", map[string]string{"key": h.key()}, nil)
	ref.get(t, "/referee/1").says(".need-called", "referee called").says(".need-called", players[1].name)
	const sheet = "/referee/1/tables/1"
	hailed := ref.get(t, sheet).says("form.flash", "See that turn")
	ref.get(t, "/referee/1/games/1/turns/0").is(http.StatusOK).says("main", "Turn 1 of 1")
	table := hailed.submit("/answer").is(http.StatusOK).says(".flash", "answered")
	table = table.rule(t, "pause").is(http.StatusOK).says(".effects", "clock is paused").submit("/pause", "reason",
		"a tile fell").is(http.StatusOK)
	table.says(".flash", "clock is paused").says(".sheet-clock", "a tile fell")
	ref.get(t, sheet+"/rule/time?game=1&seconds=999999").is(http.StatusOK).says(".confirm", "range")
	table = ref.get(t, sheet).rule(t, "resume").submit("/resume").is(http.StatusOK)
	h.runsOn(1)
	ref.get(t, sheet).rule(t, "pause").submit("/pause", "reason", "another one").is(http.StatusOK)
	all := ref.get(t, "/referee/1/rounds/1/resume").is(http.StatusOK).says(".effects",
		"In force at 1 of 9 tables.").says(".not-held", "Tables \u20682-9\u2069")
	all.submit("/resume").is(http.StatusOK).says(".flash", "Now in force at 1 of 9 tables. Tables \u20682-9\u2069:")
	h.runsOn(1)
	before := h.public().view(1).Seats
	confirm := table.rule(t, "penalty", "seat=2", "tiles=3").says(".effects",
		fmt.Sprintf("draws 3 tiles: %d on the rack", before[2].Tiles+3))
	for range 2 { // the button is pressed twice
		confirm.submit("/penalty", "reason", "talked").is(http.StatusOK).says(".flash", "draws 3 tiles")
	}
	if got := h.public().view(1).Seats[2].Tiles; got != before[2].Tiles+3 {
		t.Errorf("%d tiles after one penalty of 3, %d before", got, before[2].Tiles)
	}
	lap := ref.get(t, sheet).rule(t, "call-time").says(".effects", "The game ends after")
	called := lap.submit("/call-time").is(http.StatusOK).says(".log", "Time was called").says(".sheet-clock",
		"Last lap")
	owed := h.public().view(1).Owed
	if len(owed) == 0 {
		t.Error("nobody is still to move")
	}
	for _, seat := range owed {
		lap.says(".effects", players[seat].name)
		called.says(".owed", players[seat].name)
	}
	ref.get(t, "/referee/1/games/1/count").is(http.StatusConflict)
	for range 8 {
		view := h.public().view(1)
		if view.Phase == "over" {
			break
		}
		players[view.Turn.Seat].must(http.MethodPost, "/games/1/draw",
			request.TurnRequest{Turn: view.Turn.Number, Key: h.key()}, nil)
	}
	confirmAndCorrect(t, ref)
}

// leaderboardSays checks whether the public standings contain a text.
func (r *reader) leaderboardSays(t *testing.T, text string, want bool) {
	t.Helper()
	r.hall.pass()
	if strings.Contains(r.get(t, "/events/1").text("main"), text) != want {
		t.Fatalf("%q in the leaderboard: %v, want %v", text, !want, want)
	}
}

func confirmAndCorrect(t *testing.T, ref *reader) {
	t.Helper()
	ref.get(t, "/referee/1").says(".need-count", "to be counted")
	count := ref.get(t, "/referee/1/games/1/count").is(http.StatusOK)
	if count.count(".counted .tile")+count.count(".tile") == 0 {
		t.Error("the count shows no rack")
	}
	ref.leaderboardSays(t, "provisional", true)
	count.submit("/result.confirm_result", "rev", "7").is(http.StatusConflict).says(".flash", "Check it again")
	after := count.submit("/result.confirm_result").is(http.StatusOK).says(".flash", "confirmed")
	if after.path != "/referee/1" {
		t.Errorf("after the count comes %s", after.path)
	}
	after.says("main", "game 2/4")
	ref.leaderboardSays(t, "provisional", false)
	if n := ref.get(t, "/desk/1/results/1").is(http.StatusOK).says("main",
		"head referee").count("form[action=/desk/1/results/1/correct]"); n != 0 {
		t.Error("a referee is shown how to change a confirmed result")
	}
	ref.post(t, "/desk/1/results/1", url.Values{"rev": {"2"}, "why": {"x"}, "annul": {"yes"}}).is(http.StatusForbidden)
	ref.account(rights.RoleHeadReferee)
	result := ref.signedIn(string(rights.RoleHeadReferee)).get(t, "/desk/1/results/1").is(http.StatusOK)
	wrong := result.look(t, "/correct", "wins-0", "1", "wins-1", "1", "why",
		"miscounted").is(http.StatusUnprocessableEntity)
	if wrong.value("why") != "miscounted" || wrong.value("wins-1") != "1" {
		t.Error("what was typed is lost")
	}
	look := result.look(t, "/correct", "wins-0", "1", "wins-1", "0", "wins-2", "0", "wins-3", "0", "points-0", "10.5",
		"why", "miscounted").is(http.StatusOK)
	if n := len(find(find(look.reader.get(t, "/desk/1/results/1").doc, ".revisions")[0], "li")); n != 2 {
		t.Errorf("looked at, the result has %d revisions", n)
	}
	result = look.says("#correct-standings", "10.5").submit("/results/1").is(http.StatusOK)
	result.says(".revisions", "Revision 3").says(".revisions", "miscounted").says(".revisions",
		"head_referee (Head referee)").says(".revisions", "+10.5")
	result.look(t, "/correct", "annul", "yes", "why",
		"a second copy of the tiles").is(http.StatusOK).submit("/results/1").says(".revisions", "Revision 4")
}
