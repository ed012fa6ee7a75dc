package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/people"
	"meldhall/tournament/screen"
	"meldhall/web"
	"meldhall/web/api"
	"meldhall/web/live"
	"meldhall/web/request"
	"meldhall/web/view"
)

// newsOf opens a page's stream and returns the texts of its news until the test ends.
func (r *reader) newsOf(t *testing.T, path string) <-chan string {
	t.Helper()
	return r.events(t, path, "news")
}

// heardNews waits for news that contain the text and returns how long that took.
func heardNews(t *testing.T, news <-chan string, text string) time.Duration {
	t.Helper()
	began := time.Now()
	for limit := time.After(patience); ; {
		select {
		case m := <-news:
			if strings.Contains(m, text) {
				return time.Since(began)
			}
		case <-limit:
			t.Fatalf("no news with %q", text)
		}
	}
}

// TestAnnouncementReachesAll checks that an announcement and its withdrawal reach a tablet in a game, a waiting one, a
// screen and the public, each in its language.
func TestAnnouncementReachesAll(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	e.begin(0)
	seat := func(table, at int) *reader {
		r := e.reader()
		base, err := url.Parse(e.http.URL)
		if err != nil {
			t.Fatal(err)
		}
		r.client.Jar.SetCookies(base, []*http.Cookie{{Name: "meldhall-seat", Value: e.at(table, at).token, Path: "/"}})
		return r
	}
	event := fmt.Sprintf("/events/%d", e.id)
	readers := map[string]<-chan string{
		"a tablet in a game":  seat(0, 0).newsOf(t, "/play/live"),
		"a tablet that waits": seat(1, 0).newsOf(t, "/play/waiting"),
		"a screen":            e.reader().newsOf(t, event+"/display/1/live"),
		"the public":          e.reader().newsOf(t, event+"/live"),
		"the schedule":        e.reader().newsOf(t, event+"/schedule/live"),
	}
	other := newsOf(t, e)
	var made api.AnnouncementView
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/announcements", e.id),
		screen.Announce{Level: "urgent", Texts: map[string]string{"en": "Lunch at noon", "it": "Pranzo a mezzogiorno"},
			Minutes: 10}, &made)
	for name, news := range readers {
		held(t, name+" heard it", heardNews(t, news, "Lunch at noon"), 2*time.Second)
	}
	if page := e.reader().get(t, event).is(http.StatusOK); page.text(".news") != "Lunch at noon Close" {
		t.Errorf("a page that is opened later says %q", page.text(".news"))
	}
	italian := e.reader().send(t, http.MethodGet, event, nil, "", "Accept-Language", "it").text(".news")
	if !strings.HasPrefix(italian, "Pranzo a mezzogiorno") {
		t.Errorf("in Italian: %q", italian)
	}
	if french := e.reader().send(t, http.MethodGet, event, nil, "", "Accept-Language",
		"he").text(".news"); !strings.HasPrefix(french, "Lunch at noon") {
		t.Errorf("in a language without a text: %q, want the English one", french)
	}
	e.referee.refusedWith(t, http.StatusForbidden, "err_not_allowed", http.MethodPost,
		fmt.Sprintf("/announcements/%d/end", made.ID), nil)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/announcements/%d/end", made.ID), nil, nil)
	for name, news := range readers {
		held(t, name+" was told that it is taken back", heardNews(t, news, ""), 2*time.Second)
	}
	if page := e.reader().get(t, event); strings.Contains(page.text(".news"), "Lunch") {
		t.Errorf("it stands yet: %q", page.text(".news"))
	}
	select {
	case m := <-other:
		t.Errorf("another event was told %q", m)
	default:
	}
}

// newsOf returns the news of another tournament on the same server, without the initial message.
func newsOf(t *testing.T, e *event) <-chan string {
	t.Helper()
	var made api.TournamentDetail
	e.organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Other", "format": "quick",
		"rules": map[string]any{"preset": "family"}}, &made)
	news := e.signedIn("referee").newsOf(t, fmt.Sprintf("/events/%d/live", made.ID))
	heardNews(t, news, "")
	return news
}

// TestDayPlanAndPace checks that a schedule is made in one step, that a running round is compared with it, and that
// tables are listed by how slow they are.
func TestDayPlanAndPace(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	o := e.signedIn("organizer")
	page := o.get(t, fmt.Sprintf("/desk/%d/plan", e.id)).is(http.StatusOK)
	page.submit(fmt.Sprintf("/desk/%d/plan", e.id), "make", "1", "starts",
		e.store.Now().Add(-10*time.Minute).Format(view.DayFormat), "minutes", "60", "pause", "15")
	schedule := fmt.Sprintf("/events/%d/schedule", e.id)
	e.reader().get(t, schedule).is(http.StatusOK).says(".title", "minutes behind").says("main", "Round 2")
	e.start()
	game := e.begin(0)
	until(t, e.reader().regions(t, schedule+"/live"), "under way")
	for range 4 {
		e.draw(e.public().view(game).Turn.Seat, game)
	}
	var pace api.RoundPaceView
	e.referee.must(http.MethodGet, fmt.Sprintf("/rounds/%d/pace", e.round.ID), nil, &pace)
	if len(pace.Tables) != 2 || pace.Ends == 0 {
		t.Fatalf("got %+v", pace)
	}
	for _, table := range pace.Tables {
		switch {
		case table.Game == game && (table.Turns != 4 || *table.Pool != 46 || table.PerMinute == 0 || table.Left < 4):
			t.Errorf("the table that plays: %+v", table)
		case table.Game != game && (table.Turns != 0 || table.PerMinute != 0 || *table.Pool != 50):
			t.Errorf("the table that does not: %+v", table)
		}
	}
	// either table may exceed its own forecast
	if pace.Tables[0].RoundEnds < pace.Tables[1].RoundEnds || pace.Ends < pace.Tables[0].RoundEnds {
		t.Errorf("the slowest is not first: %+v", pace)
	}
	o.get(t, fmt.Sprintf("/desk/%d", e.id)).says(".title", "round ends at about")
	o.get(t, fmt.Sprintf("/referee/%d/pace", e.id)).is(http.StatusOK).says("table", "46")

	var plan api.ScheduleAnswer
	e.public().must(http.MethodGet, fmt.Sprintf("/tournaments/%d/schedule", e.id), nil, &plan)
	broken := api.ScheduleBody{Slots: []api.SlotBody{plan.Slots[0].SlotBody, plan.Slots[1].SlotBody}}
	broken.Slots[1].Starts = broken.Slots[0].Ends - 1
	e.organizer.refusedWith(t, http.StatusUnprocessableEntity, "err_slot_overlaps", http.MethodPost,
		fmt.Sprintf("/tournaments/%d/schedule", e.id), broken)
	broken.Slots[1].Starts, broken.Slots[1].Round = broken.Slots[0].Ends, 1
	e.organizer.refusedWith(t, http.StatusUnprocessableEntity, "err_slot_round", http.MethodPost,
		fmt.Sprintf("/tournaments/%d/schedule", e.id), broken)
}

// TestReadiness turns a fresh tournament into a ready one: each problem is named and links to the page that solves it.
func TestReadiness(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	look := func() map[string]view.ReadyCheck {
		t.Helper()
		var found view.Readiness
		e.referee.must(http.MethodGet, fmt.Sprintf("/tournaments/%d/readiness", e.id), nil, &found)
		checks, bad := map[string]view.ReadyCheck{}, false
		for _, c := range found.Checks {
			checks[c.Key] = c
			bad = bad || c.State == "bad"
		}
		if found.Ready == bad || len(checks) != 12 {
			t.Errorf("ready %v with %+v", found.Ready, found.Checks)
		}
		return checks
	}
	states := func(checks map[string]view.ReadyCheck, want map[string]string) {
		t.Helper()
		for key, state := range want {
			if got := checks[key]; got.State != state {
				t.Errorf("%s: got %+v, want %s", key, got, state)
			}
			if !strings.HasPrefix(checks[key].Link, "/") {
				t.Errorf("%s leads to %q", key, checks[key].Link)
			}
		}
	}
	checks := look()
	states(checks, map[string]string{"round": "good", "results": "good", "seats": "good", "officials": "good",
		"protests": "good", "second": "good", "screens": "good", "backup": "bad", "batteries": "good"})
	e.organizer.must(http.MethodPost, "/backups", nil, nil)
	me := e.at(0, 1)
	player := e.round.Tables[0].Seats[1].Player
	actor, err := people.ActorByToken(t.Context(), e.store, me.token)
	if err != nil {
		t.Fatal(err)
	}
	e.server.View.Presence.Reported(actor, live.DeviceReport{Agent: "Chrome/ Android", Build: "/assets/old", Delay: 12,
		Charge: 9})
	checks = look()
	states(checks, map[string]string{"backup": "good", "batteries": "bad", "versions": "bad"})
	for _, key := range []string{"batteries", "versions"} {
		if len(checks[key].Names) != 1 || checks[key].Names[0] != player.Name {
			t.Errorf("%s: got %v, want %s", key, checks[key].Names, player.Name)
		}
	}
	e.tabletRuns(t, player.Name, "old", true)
	e.server.View.Presence.Reported(actor, live.DeviceReport{Agent: "Chrome/ Android", Build: e.server.View.Build,
		Delay: 12, Charge: 60})
	e.tabletRuns(t, player.Name, versionOf(e.server), false)
	e.referee.must(http.MethodPost, fmt.Sprintf("/tables/%d/code", e.round.Tables[0].ID), api.ReissueBody{Seat: 1}, nil)
	checks = look()
	states(checks, map[string]string{"seats": "bad", "batteries": "good", "versions": "good"})
	if names := checks["seats"].Names; len(names) != 1 || names[0] != player.Name {
		t.Errorf("seats: got %v", names)
	}
	e.signedIn("organizer").get(t, fmt.Sprintf("/referee/%d/ready", e.id)).is(http.StatusOK).says("main", player.Name)
	var unseated view.Readiness
	e.organizer.must(http.MethodGet, fmt.Sprintf("/tournaments/%d/readiness", e.elsewhere()), nil, &unseated)
	for _, c := range unseated.Checks {
		if slices.Contains([]string{"seats", "tablets", "batteries", "versions"}, c.Key) {
			t.Errorf("where nobody is seated it tells of %+v", c)
		}
	}
}

// tabletRuns checks that a player's tablet reports a version, beside the server's own, and that the others report none.
func (e *event) tabletRuns(t *testing.T, player, version string, stale bool) {
	t.Helper()
	var hall view.HallDevices
	e.referee.must(http.MethodGet, fmt.Sprintf("/tournaments/%d/devices", e.id), nil, &hall)
	if own := versionOf(e.server); hall.Version != own || len(own) != 7 || strings.Contains(own, "/") {
		t.Errorf("the server runs %q, want %q", hall.Version, own)
	}
	for _, d := range hall.Seats {
		want := ""
		if d.Player == player {
			want = version
		}
		if d.Version != want || d.Stale != (stale && d.Player == player) {
			t.Errorf("%s: got version %q, stale %v, want %q", d.Player, d.Version, d.Stale, want)
		}
	}
	page := e.signedIn("referee").get(t, fmt.Sprintf("/referee/%d/devices", e.id)).says(".title",
		"This server: version "+hall.Version)
	if got := page.text("code"); got != version {
		t.Errorf("the page shows version %q, want %q", got, version)
	}
}

// TestTabletSwap checks that a seat's old tablet receives nothing more, and that the new one continues with the draft.
func TestTabletSwap(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, map[string]any{"turn_seconds": 600, "start_seconds": 120})
	e.games.Deal = func() engine.Deal { return preparedDeal(t, preparedRacks...) }
	e.start()
	game := e.begin(0)
	turn := e.public().view(game).Turn
	old := e.at(0, turn.Seat)
	laid := []tile.LaidFaces{{At: 0, Faces: faces(t, "O10 O11 O12")}}
	old.must(http.MethodPost, fmt.Sprintf("/games/%d/draft", game),
		request.DraftRequest{Turn: turn.Number, Table: laid}, nil)
	stream := old.watch("/seat/live")
	next(t, stream)

	began := time.Now()
	table := e.round.Tables[0].ID
	page := e.signedIn("referee").post(t, fmt.Sprintf("/referee/%d/devices/swap", e.id),
		url.Values{"table": {fmt.Sprint(table)}, "seat": {fmt.Sprint(turn.Seat)}})
	code := page.is(http.StatusOK).text("code")
	if code == "" || page.count("svg") == 0 {
		t.Fatalf("no code at %s: %s", page.path, page.text("main"))
	}
	if got, _ := old.probe(http.MethodGet, "/seat", nil); got != http.StatusUnauthorized {
		t.Errorf("the old tablet may look still: %d", got)
	}
	for limit := time.After(patience); stream != nil; {
		select {
		case m, ok := <-stream:
			if !ok || m.event == "over" {
				stream = nil
			}
		case <-limit:
			t.Fatal("the old tablet listens yet")
		}
	}
	var joined api.JoinedView
	e.public().must(http.MethodPost, "/join", people.Join{Code: code}, &joined)
	var state view.LiveState
	(&caller{e.hall, "new", joined.Token}).must(http.MethodGet, "/seat", nil, &struct{}{})
	m := next(t, (&caller{e.hall, "new", joined.Token}).watch("/seat/live"))
	if err := json.Unmarshal([]byte(m.data), &state); err != nil {
		t.Fatal(err)
	}
	if state.Draft == nil || len(state.Draft.Table) != 1 || len(state.View.Rack) != 14 ||
		state.View.Turn.Number != turn.Number {
		t.Errorf("the draft is lost: %+v", state.Draft)
	}
	held(t, "on the new tablet", time.Since(began), 10*time.Second)
	if page := e.signedIn("referee").get(t, page.path); !strings.Contains(page.text("main"), "plays this seat") {
		t.Errorf("the page says %q", page.text("main"))
	}
}

// A tablet shows the name under which the officials' list has it.
func TestTabletsHaveNames(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	var hall view.HallDevices
	e.referee.must(http.MethodGet, fmt.Sprintf("/tournaments/%d/devices", e.id), nil, &hall)
	named := map[string]bool{}
	for i, d := range hall.Seats {
		named[d.Name] = true
		if page := e.seated(e.at(0, i)).get(t, "/play"); d.Name == "" || page.text(".device-name") != "Tablet "+d.Name {
			t.Errorf("seat %d: the tablet shows %q, the list %q", i, page.text(".device-name"), d.Name)
		}
	}
	if len(named) != 4 {
		t.Errorf("four tablets have the names %v", named)
	}
}

// A table's shared tablet is swapped like a seat's: the old one is disconnected at once, and the code admits another
// one.
func TestTheTablesOwnTabletIsSwapped(t *testing.T) {
	t.Parallel()
	e := newRealEvent(t, 4, nil)
	old, ref := e.joinTable(1), e.signedIn("referee")
	var place api.PlaceView
	if old.must(http.MethodGet, "/seat", nil, &place); place.Table != 1 || place.Player != nil || place.Seat != -1 ||
		!place.Seated {
		t.Errorf("the table's tablet is told that it is at %+v", place)
	}
	list := fmt.Sprintf("/referee/%d/devices", e.id)
	page := ref.get(t, list)
	if n := page.count("form[action=" + list + "/swap]"); n != 1 {
		t.Fatalf("%d swaps for one tablet", n)
	}
	page = page.submit("/swap").is(http.StatusOK)
	code := page.text("code")
	if code == "" || page.count("svg") == 0 {
		t.Fatalf("no code at %s: %s", page.path, page.text("main"))
	}
	if got, _ := old.probe(http.MethodGet, "/seat", nil); got != http.StatusUnauthorized {
		t.Errorf("the old tablet is answered %d", got)
	}
	var joined api.TableJoined
	e.public().must(http.MethodPost, "/join-table", people.JoinTable{Code: code}, &joined)
	if page = ref.get(t, page.path); !strings.Contains(page.text("main"), "serves this table") {
		t.Errorf("the page says %q", page.text("main"))
	}
	e.referee.must(http.MethodPost, fmt.Sprintf("/tables/%d/code", e.round.Tables[0].ID), api.ReissueBody{Seat: -1},
		nil)
	if got, _ := (&caller{e.hall, "new", joined.Token}).probe(http.MethodGet, "/seat",
		nil); got != http.StatusUnauthorized {
		t.Errorf("swapped by the API, the tablet is answered %d", got)
	}
}

// TestTheTablesOwnTabletMustBeHeard checks that a table's shared tablet counts as present once it reports, not when it
// is paired.
func TestTheTablesOwnTabletMustBeHeard(t *testing.T) {
	t.Parallel()
	e := newRealEvent(t, 4, nil)
	device := e.joinTable(1)
	states := func(want string) view.HallDevices {
		t.Helper()
		var hall view.HallDevices
		e.referee.must(http.MethodGet, fmt.Sprintf("/tournaments/%d/devices", e.id), nil, &hall)
		for _, d := range hall.Seats {
			if !d.Whole || d.State != want {
				t.Errorf("got %+v, want %s", d, want)
			}
		}
		if len(hall.Seats) != 4 {
			t.Errorf("got %d seats", len(hall.Seats))
		}
		return hall
	}
	if states("silent").Here != 0 {
		t.Error("it is there before it was heard")
	}
	device.send(http.MethodGet, fmt.Sprintf("/games/%d", e.round.Tables[0].Games[0].ID), nil)
	actor, err := people.ActorByToken(t.Context(), e.store, device.token)
	if err != nil {
		t.Fatal(err)
	}
	e.server.View.Presence.Reported(actor, live.DeviceReport{Agent: "Chrome/ Android", Delay: 12, Charge: 60})
	hall := states("here")
	if d := hall.Seats[0]; hall.Here != 4 || d.Charge == nil || *d.Charge != 60 || d.Heard == 0 {
		t.Errorf("got %+v", hall)
	}
	e.server.View.Presence.ForgetDevice(actor.Player)
	states("silent")
}

// versionOf returns the displayed version of a server's pages: the first characters of their assets' hash.
func versionOf(s *web.Server) string {
	base := s.View.Build
	return base[strings.LastIndexByte(base, '/')+1:][:7]
}
