package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"meldhall/tournament"
	"meldhall/tournament/ranking"
	"meldhall/tournament/screen"
)

// boardScreen returns a new screen that was paired with the hall and shows a board.
func (e *event) boardScreen(t *testing.T, board string) *reader {
	t.Helper()
	screen := e.reader()
	code := screen.get(t, "/board").is(http.StatusOK).text("code")
	e.signedIn("referee").get(t, "/displays/"+code).is(http.StatusOK).submit("/displays/"+code, "boards",
		board).is(http.StatusOK).says("main", "The screen shows it now.")
	return screen
}

// boardNow returns a tournament's current board, past any cached rendering.
func (e *event) boardNow(t *testing.T, board string) *leaf {
	t.Helper()
	e.pass()
	return e.reader().get(t, "/events/1/boards/"+board).is(http.StatusOK)
}

// shows chooses the boards of one of the tournament's screens.
func (e *event) shows(id int64, boards ...string) {
	e.t.Helper()
	e.referee.must(http.MethodPost, "/actions/board.show", fields{"tournament": e.id, "id": id, "boards": boards}, nil)
}

// TestABoardIsMoved checks that a television keeps one address. The desk chooses what it shows, a change arrives within
// 2 s, and it is restored after a server restart. A television that is assigned to a table goes there and returns to
// the same address.
func TestABoardIsMoved(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", roster(8), nil)
	screen := e.boardScreen(t, "names")
	if page := screen.get(t, "/board").is(http.StatusOK); page.path != "/board" ||
		len(page.inside(".of-names", "li")) != 8 {
		t.Errorf("at %s %d names", page.path, len(page.inside(".of-names", "li")))
	}
	regions := screen.regions(t, "/board/live")
	until(t, regions, "of-names")
	for _, board := range []string{"tables", "clock", "called", "standings", "results", "news", "code", "champion"} {
		pressed := time.Now()
		e.shows(1, board)
		until(t, regions, "of-"+board)
		held(t, board, time.Since(pressed), 2*time.Second)
	}
	screen.hears(t, "/board/live", "go", func() {
		e.referee.must(http.MethodPost, "/actions/display.move", fields{"tournament": e.id, "id": 1, "number": 2}, nil)
	})
	if at := screen.get(t, "/board").path; at != "/events/1/display/2" {
		t.Errorf("put at a table it is led to %s", at)
	}
	screen.hears(t, "/events/1/display/2/live", "go", func() { e.shows(1, "names", "clock") })
	if page := screen.get(t, "/display").is(http.StatusOK); page.path != "/board" || page.count(".b") != 2 {
		t.Errorf("before the hall again it is at %s with %d boards", page.path, page.count(".b"))
	}
	e.restart(t)
	if n := screen.get(t, "/board").is(http.StatusOK).count(".b"); n != 2 {
		t.Errorf("after a restart it shows %d boards", n)
	}
	screen.hears(t, "/board/live", "go", func() {
		e.signedIn("referee").get(t, "/referee/1/displays/1").submit("/display.remove").is(http.StatusOK)
	})
	if code := screen.get(t, "/board").text("code"); len(code) != 9 {
		t.Errorf("removed it shows %q", code)
	}
}

// TestCalledTables checks that the board shows called players until they have come.
func TestCalledTables(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", roster(8), nil)
	board := func() *leaf { return e.boardNow(t, "called") }
	board().says("main", "No player is being called.")
	desk := e.signedIn("referee")
	desk.get(t, "/referee/1/displays").submit("/board.call", "number", "2").is(http.StatusOK).says("#calls", "Table 2")
	name := e.round.Tables[1].Seats[0].Player.Name
	board().says(".b-calls", name)
	if n := board().count(".b-no"); n != 1 {
		t.Errorf("%d tables are called", n)
	}
	desk.post(t, "/actions/board.call", url.Values{"tournament": {"1"}, "number": {"2"}, "done": {"true"},
		"back": {"/referee/1/displays"}})
	board().says("main", "No player is being called.")
}

// TestBoardsObeyThePolicy checks that data frozen or hidden from the public is so on every board in every browser.
func TestBoardsObeyThePolicy(t *testing.T) {
	t.Parallel()
	e := holdable(t)
	all := "/events/1/boards/" + strings.Join(screen.Boards, ",")
	e.shown(tournament.SetShown{Part: tournament.PartStandings, How: tournament.ShownFrozen})
	e.scores()
	for who, r := range map[string]*reader{"the public": e.reader(), "an organizer": e.signedIn("organizer")} {
		body := r.body(t, all)
		if found := aHeldPoint.FindString(body); found != "" {
			t.Errorf("frozen, %s reads %q on a board", who, found)
		}
		if !strings.Contains(body, "frozen at") {
			t.Errorf("%s is not told that they are frozen", who)
		}
	}
	e.shown(tournament.SetShown{Part: "all", How: tournament.ShownPublic})
	e.boardNow(t, "clock")
	if body := e.reader().body(t, all); !aHeldPoint.MatchString(body) {
		t.Error("shown to all, no board has the points: they were not looked for where they are")
	}
	e.shown(tournament.SetShown{Part: tournament.PartPairing, How: tournament.ShownHidden})
	e.boardNow(t, "clock")
	if page := e.reader().get(t, all); len(page.inside(".of-names", "li"))+len(page.inside(".of-tables", "li")) != 0 {
		t.Error("hidden seats are on a board")
	}
}

// TestTheChampionIsRevealedByHand checks that only the organizer's key reveals the places, one by one, and that this
// can be undone. While the standings are frozen, it reveals the true winner and nothing else.
func TestTheChampionIsRevealedByHand(t *testing.T) {
	t.Parallel()
	e := newPlayed(t)
	e.confirmed(e.round.Tables[0].Games[0].ID)
	e.count(1, e.round.Tables[1].Games[0].ID)
	board := func() *leaf { return e.boardNow(t, "champion") }
	o := e.signedIn("organizer")
	crown := fmt.Sprintf("/desk/%d/champion", e.id)
	o.get(t, crown).says("main", "not over")
	e.shown(tournament.SetShown{Part: tournament.PartStandings, How: tournament.ShownFrozen})
	e.organizer.must(http.MethodPost, "/tournaments/1/stages/1/rounds", fields{"rounds": 1}, nil)
	e.confirmed(e.round.Tables[1].Games[0].ID)
	standings, err := ranking.StandingsOf(t.Context(), e.store, e.id)
	if err != nil || standings.Tournament.Status != tournament.StatusFinished {
		t.Fatal(standings.Tournament.Status, err)
	}
	board().says("main", "will be announced")
	winner := standings.Rows[0].Name
	if text := board().text("main"); strings.Contains(text, winner) {
		t.Errorf("the event is over, and the board says %q", text)
	}
	regions := e.reader().regions(t, "/events/1/boards/champion/live")
	until(t, regions, "b-podium")
	pressed := time.Now()
	back := `form[action="/actions/champion.hide"]`
	if page := o.get(t, crown); page.count(back) != 0 {
		t.Error("nothing was told, and it can be taken back")
	}
	o.get(t, crown).submit("/champion.reveal", "place", "1").is(http.StatusOK)
	until(t, regions, winner)
	held(t, "revealed", time.Since(pressed), 2*time.Second)
	if page := board(); page.count(".b-place") != 1 {
		t.Errorf("%d places are told", page.count(".b-place"))
	}
	if text := e.reader().get(t, "/events/1").text("main"); strings.Contains(text, "Champion") {
		t.Error("the frozen standings tell it too")
	}
	if page := o.get(t, crown).submit("/champion.hide").is(http.StatusOK); page.count(back) != 0 {
		t.Error("it was taken back, and can be again")
	}
	if text := board().text("main"); strings.Contains(text, winner) {
		t.Errorf("taken back, the board says %q", text)
	}
}

// TestPlainBoards checks that a browser without scripts gets pages that reload automatically, each with whole rows, and
// shows all rows in turn.
func TestPlainBoards(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", roster(40), nil)
	fresh := e.reader()
	if page := fresh.get(t, "/board?plain=1"); page.count("meta[http-equiv=refresh]") != 1 ||
		page.count("script") != 0 || len(page.text("code")) != 9 {
		t.Errorf("the code: %d refreshes, %d scripts, %q", page.count("meta[http-equiv=refresh]"), page.count("script"),
			page.text("code"))
	}
	screen := e.boardScreen(t, "names")
	seen := map[string]bool{}
	for address, n := "/board?plain=1", 0; n < 3; n++ {
		page := screen.get(t, address).is(http.StatusOK)
		if rows := len(find(page.doc, "li")); rows > 32 || rows == 0 || page.count("script") != 0 {
			t.Errorf("%s has %d rows, %d scripts", address, rows, page.count("script"))
		}
		for _, row := range page.inside("li", "bdi") {
			seen[textOf(row)] = true
		}
		_, address, _ = strings.Cut(attr(find(page.doc, "meta[http-equiv=refresh]")[0], "content"), "url=")
	}
	if len(seen) != 40 {
		t.Errorf("%d of 40 players are seen", len(seen))
	}
}

// TestBoardsRefuse checks that a missing board, tournament or size returns its status and shows nothing.
func TestBoardsRefuse(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", roster(4), nil)
	for path, want := range map[string]int{"/events/1/boards/felt": 404, "/events/1/boards/names,names": 404,
		"/events/9/boards/names": 404, "/events/1/boards/names?inches=x": 422,
		"/events/1/boards/names?inches=3": 422, "/events/1/boards/names?metres=900": 422,
		"/events/1/boards/names?inches=43&metres=10": 200} {
		if page := e.reader().get(t, path); page.status != want {
			t.Errorf("%s: %d, want %d", path, page.status, want)
		}
	}
	e.boardScreen(t, "names")
	desk := e.signedIn("referee").get(t, "/referee/1/displays/1").is(http.StatusOK)
	desk.submit("/board.fit", "inches", "2").is(http.StatusUnprocessableEntity)
	desk.submit("/board.fit", "inches", "43", "metres", "6", "theme", "light").is(http.StatusOK).says("#letters",
		"24 pixels")
}
