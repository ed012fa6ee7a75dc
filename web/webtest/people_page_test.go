package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament/people"
	"meldhall/web/api"
	"meldhall/web/request"
	"meldhall/web/view"
)

// status sends a request and returns the response's status.
func (c *caller) status(method, path string, body any) int {
	c.hall.t.Helper()
	got, _, _ := c.send(method, path, body)
	return got
}

// seatCode returns the code at a player's seat and the name shown there.
func (e *event) seatCode(player int64) (code, name string) {
	e.t.Helper()
	var round api.RoundDetail
	e.organizer.must(http.MethodGet, fmt.Sprintf("/rounds/%d", e.round.ID), nil, &round)
	for _, table := range round.Tables {
		for _, seat := range table.Seats {
			if seat.Player.ID == player {
				return seat.Code, seat.Player.Name
			}
		}
	}
	e.t.Fatalf("player %d sits nowhere", player)
	return "", ""
}

// names returns the players of a game in seat order.
func (c *caller) names(game int64) []string {
	c.hall.t.Helper()
	var state view.LiveState
	c.must(http.MethodGet, fmt.Sprintf("/games/%d", game), nil, &state)
	return state.Names
}

// TestPeoplePagesWhileAGameRuns follows the organizer: each action from the player's page to its preview, its
// execution, and its undo in the list of changes.
func TestPeoplePagesWhileAGameRuns(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	game := e.begin(0)
	turn := e.public().view(game).Turn
	mover := e.round.Tables[0].Seats[turn.Seat].Player
	old, o := e.at(0, turn.Seat), e.signedIn("organizer")
	person := fmt.Sprintf("/desk/%d/players/%d", e.id, mover.ID)
	t.Run("a name is mended in the game that is on", func(t *testing.T) {
		p := e.round.Tables[0].Seats[(turn.Seat+2)%4].Player
		o.get(t, fmt.Sprintf("/desk/%d/roster", e.id)).says("table", p.Name).says("table", "playing")
		page := o.get(t, fmt.Sprintf("/desk/%d/people/do?kind=correct&player=%d&name=Zo%%C3%%AB&country=PL", e.id,
			p.ID)).is(http.StatusOK).says(".effects", "Zoë, PL")
		e.seated(old).get(t, "/play/game").says("main", p.Name)
		page.submit("/people/do").is(http.StatusOK).says("h1", "Zoë")
		e.seated(old).get(t, "/play/game").says("main", "Zoë")
		for seat := range 4 {
			if name := e.public().names(game)[seat]; (name == "Zoë") != (seat == (turn.Seat+2)%4) || name == p.Name {
				t.Errorf("seat %d is %s", seat, name)
			}
		}
	})
	t.Run("a substitute's device plays, the old one does not, and back",
		func(t *testing.T) { substitutePlays(t, e, game, mover, old, o, person) })
	next := e.round.Tables[0].Seats[e.public().view(game).Turn.Seat].Player
	t.Run("who leaves at once is out of the game that is on", func(t *testing.T) {
		path := fmt.Sprintf("/desk/%d/people/do?kind=leave&player=%d", e.id, next.ID)
		o.get(t, path).is(http.StatusOK).says(".effects", "finishes round 1")
		before := e.public().view(game).Turn.Seat
		o.get(t, path+"&now=yes").is(http.StatusOK).says(".effects", "gives up the seat").submit("/people/do", "why",
			"ill").is(http.StatusOK).says("main", "withdrawn")
		if now := e.public().view(game).Turn.Seat; now == before {
			t.Error("the turn is still with who has left")
		}
		o.get(t, path).is(http.StatusConflict).says(".flash", next.Name)
	})
	t.Run("a late entry misses the round", func(t *testing.T) {
		o.get(t, fmt.Sprintf("/desk/%d/people/do?kind=enter&name=Late+One", e.id)).is(http.StatusOK).says(".effects",
			"is entered as no. 9, and is here").
			says(".effects", "missed round 1: no wins, no points").submit("/people/do").is(http.StatusOK)
		o.get(t, fmt.Sprintf("/desk/%d/check-in", e.id)).says("strong", "here").says("#arrivals", "playing")
		o.get(t, fmt.Sprintf("/desk/%d/results", e.id)).says("#missed", "Late One").says("#missed",
			"Round 1: came late, no wins, no points")
		late := o.get(t, fmt.Sprintf("/desk/%d/roster", e.id))
		for _, link := range find(late.doc, "a.row-link") {
			if textOf(link) == "Late One" {
				late = o.get(t, attr(link, "href"))
			}
		}
		late.look(t, "/people/do", "points", "25").is(http.StatusOK).says(".effects",
			"25 points instead of 0").submit("/people/do").is(http.StatusOK).says("#missed", "25 points")
	})
	t.Run("a no-show", func(t *testing.T) {
		away := e.round.Tables[1].Seats[0].Player
		o.get(t, fmt.Sprintf("/desk/%d/people/do?kind=no_show&player=%d", e.id, away.ID)).says(".effects",
			"no-show").submit("/people/do").is(http.StatusOK).says("main", "no-show")
	})
	t.Run("a division goes through the files", func(t *testing.T) {
		e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/people", e.id),
			request.PeopleBody{Kind: "enter", Entries: []request.EntryBody{{Name: "Young One", Division: "junior"}}},
			nil)
		for path, want := range map[string]string{"export/roster.csv": "Young One,,,,,junior,",
			"export/standings.csv": ",junior", "people": `"division":"junior"`} {
			if body := o.body(t, fmt.Sprintf("%s/tournaments/%d/%s", request.APIBase, e.id,
				path)); !strings.Contains(body, want) {
				t.Errorf("%s has no %q: %.300s", path, want, body)
			}
		}
	})
	t.Run("a family is noted at a player, the log says that and not which",
		func(t *testing.T) { familyIsNoted(t, e, o, person) })
	t.Run("settings, check-in, tables, tickets and the log", func(t *testing.T) { settingsAndLog(t, e, mover, o) })
}

// substitutePlays puts a substitute in a player's place and reverses it; only one device plays at a time.
func substitutePlays(t *testing.T, e *event, game int64, mover api.PlayerView, old *caller, o *reader, person string) {
	look := o.get(t, person).is(http.StatusOK).says("h1", mover.Name).look(t, "/people/do", "name",
		"Aunt Mary").is(http.StatusOK)
	look.says(".effects", "Aunt Mary").says(".effects", "results stay").says(".effects", "signed out")
	if old.status(http.MethodGet, "/seat", nil) != http.StatusOK {
		t.Error("looking at it took the device out")
	}
	look.submit("/people/do", "why", "a train was late").is(http.StatusOK).says(".facts", "Aunt Mary")
	if got := old.status(http.MethodGet, "/seat", nil); got != http.StatusUnauthorized {
		t.Errorf("the old device gets %d", got)
	}
	var joined api.JoinedView
	code, _ := e.seatCode(mover.ID)
	e.public().must(http.MethodPost, "/join", people.Join{Code: code}, &joined)
	aunt := &caller{e.hall, "aunt", joined.Token}
	aunt.must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
		request.TurnRequest{Turn: e.public().view(game).Turn.Number, Key: e.key()}, nil)
	list := o.get(t, fmt.Sprintf("/desk/%d/people", e.id)).says(".changes", "a train was late")
	undo := o.get(t, attr(find(find(list.doc, "ol.changes")[0], "a")[0], "href")).is(http.StatusOK).says(".effects",
		"Aunt Mary")
	undo.submit("/people.undo").is(http.StatusOK).says(".flash", "Undone")
	if got := aunt.status(http.MethodGet, "/seat", nil); got != http.StatusUnauthorized {
		t.Errorf("taken back, the substitute's device gets %d", got)
	}
	code, name := e.seatCode(mover.ID)
	if name != mover.Name {
		t.Errorf("taken back, %s sits there", name)
	}
	e.public().must(http.MethodPost, "/join", people.Join{Code: code}, &joined)
	e.players[mover.ID] = &caller{e.hall, old.name, joined.Token}
}

// familyIsNoted keeps a family apart; the log contains the change but not the family's name.
func familyIsNoted(t *testing.T, e *event, o *reader, person string) {
	page := o.get(t, person).submit("/roster/family", "family", "Castelvecchi").is(http.StatusOK).says(".flash",
		"family set").says(".facts", "Castelvecchi")
	o.get(t, fmt.Sprintf("/desk/%d/roster", e.id)).says("#players", "Castelvecchi")
	if log := o.body(t, fmt.Sprintf("%s/tournaments/%d/log", request.APIBase, e.id)); !strings.Contains(log,
		"player.family") || strings.Contains(log, "Castelvecchi") {
		t.Errorf("the log: %.300s", log)
	}
	page.submit("/roster/family", "family", "").is(http.StatusOK).says(".flash", "no family")
	long := page.submit("/roster/family", "family", strings.Repeat("x",
		61)).is(http.StatusUnprocessableEntity).says("#family-fault", "60")
	if long.value("family") != strings.Repeat("x", 61) || long.count(".facts") != 1 {
		t.Errorf("refused, the page has family %q and says %s", long.value("family"), long.text("main"))
	}
	long.submit("/roster/time", "seconds", "half a minute").is(http.StatusUnprocessableEntity).says("#seconds-fault",
		"“half a minute” is not a whole number")
	again := long.submit("/roster/time", "seconds", "601").is(http.StatusUnprocessableEntity).says("#seconds-fault",
		"0 to 600")
	if again.value("seconds") != "601" || again.value("family") != "" || again.count("#add") != 0 {
		t.Errorf("refused, the page has %q seconds, family %q", again.value("seconds"), again.value("family"))
	}
	again.submit("/roster/time", "seconds", "30").is(http.StatusOK).says(".flash",
		"30 extra seconds").submit("/roster/time", "seconds", "0")
}

// settingsAndLog walks through settings, check-in, tables, tickets and the log.
func settingsAndLog(t *testing.T, e *event, mover api.PlayerView, o *reader) {
	desk := fmt.Sprintf("/desk/%d", e.id)
	page := o.get(t, desk+"/people").submit(desk+"/people", "no_show_minutes",
		"500").is(http.StatusUnprocessableEntity).says(".flash", "240")
	page.submit(desk+"/people", "no_show_minutes", "15", "capacity", "40", "missed_charge",
		"0").is(http.StatusOK).says(".flash", "saved")
	o.post(t, desk+"/check-in", url.Values{"player": {fmt.Sprint(mover.ID)}, "here": {"true"}}).is(http.StatusOK)
	o.get(t, desk+"/check-in").says(".here", mover.Name)
	o.get(t, desk+"/people/do?kind=remove_absent").is(http.StatusConflict).says(".flash", "Round 1 is being played")
	o.get(t, desk+"/people/do?kind=close_table&number=9").is(http.StatusOK).says(".effects",
		"Table 9 is out of service").submit("/people/do", "why", "wet").is(http.StatusOK)
	o.get(t, desk+"/people").says("main", "Table 9")
	o.get(t, desk+"/people/do?kind=dance").is(http.StatusNotFound)
	o.get(t, desk+"/people/undo/9999").is(http.StatusNotFound)
	o.get(t, desk+"/log?q=Mary").is(http.StatusOK).says(".log", "a train was late")
	o.get(t, desk+"/log?q="+url.QueryEscape("late one, NO. 9")).is(http.StatusOK).says(".log",
		"Late One\u2069, no. 9").says(".log", "Late One\u2069 (no. 9): here")
	o.get(t, desk+"/log?q="+url.QueryEscape("a missed round")).is(http.StatusOK).says(".log", "25 points")
	o.get(t, desk+"/log?q="+url.QueryEscape("; tables: 2")).is(http.StatusOK).says(".log", "Round seated")
	stored := regexp.MustCompile(`[{}_\[\]]|\b(true|false|rev \d|player \d|registered: )`)
	for _, cell := range find(o.get(t, desk+"/log").doc, "tbody") {
		if raw := stored.FindString(textOf(cell)); raw != "" {
			t.Errorf("the log speaks the storage's language: %q in %s", raw, textOf(cell))
		}
	}
}

// TestNobodyIsMissingBeforeTheyAreDue checks that a player without a seat is expected, not missing, right after
// publication. The deadline is some minutes after the scheduled start, or after the actual start of the tables.
func TestNobodyIsMissingBeforeTheyAreDue(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", roster(8), nil)
	now, ahead := time.Now(), atomic.Int64{}
	e.store.Now = func() time.Time { return now.Add(time.Duration(ahead.Load())) }
	page := func() *leaf {
		return e.signedIn("organizer").get(t, fmt.Sprintf("/desk/%d/people", e.id)).is(http.StatusOK)
	}
	says := func(when string, late bool) {
		t.Helper()
		text := page().text("main")
		if is := strings.Contains(text, "Not at the table in round 1") &&
			strings.Contains(text, "The deadline was"); is != late ||
			strings.Contains(text, "Expected at the tables in round 1") == late {
			t.Errorf("%s: %s", when, text)
		}
	}
	says("just published", false)
	ahead.Store(int64(11 * time.Minute))
	says("without a plan, after eleven minutes", true)
	begins := engine.MillisOf(now.Add(time.Hour))
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/schedule", e.id),
		api.ScheduleBody{Slots: []api.SlotBody{{Round: 1, Starts: begins, Ends: begins + 3_600_000}}}, nil)
	says("before the plan's start", false)
	ahead.Store(int64(time.Hour + 11*time.Minute))
	says("after it", true)
}
