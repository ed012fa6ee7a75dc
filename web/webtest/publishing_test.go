package webtest

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/engine/testmode"
	"meldhall/tournament"
	"meldhall/web/api"
	"meldhall/web/request"
)

// heldPoints are numbers of a result that occur nowhere else, and aHeldPoint matches them as separate numbers.
var (
	heldPoints = [4]int{867, -539, -743, -421}
	aHeldPoint = regexp.MustCompile(`(?:^|[^0-9A-Za-z.,_])(?:867|539|743|421)(?:[^0-9A-Za-z_]|$)`)
)

func (e *event) shown(set tournament.SetShown) (is tournament.Publishing) {
	e.t.Helper()
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/publishing", e.id),
		fields{"part": set.Part, "how": set.How, "minutes": set.Minutes, "since": set.Since}, &is)
	return is
}

// holdable returns a tournament of two tables with real tiles whose round is running.
func holdable(t *testing.T) *event {
	t.Helper()
	e := newEntered(t, "Held", roster(8), map[string]any{"turn_seconds": 0})
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), fields{"games": 1}, &e.round)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	e.joinAll()
	e.realTables(1, 2)
	e.start()
	return e
}

// scores ends the game at table 1 with heldPoints.
func (e *event) scores() {
	e.t.Helper()
	game := e.round.Tables[0].Games[0].ID
	e.count(0, game)
	e.confirmed(game)
	lines := make([]api.CorrectLine, len(heldPoints))
	for seat, points := range heldPoints {
		lines[seat] = api.CorrectLine{Seat: seat, Points: score.Whole(points), Opened: true}
	}
	lines[0].Wins = score.Whole(1)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/games/%d/correct", game),
		fields{"rev": 2, "why": "numbers to look for", "lines": lines}, nil)
}

// telling returns the addresses, out of all, that show the result to each reader.
func (e *event) telling(t *testing.T, when string) map[string][]string {
	t.Helper()
	found := map[string][]string{"public": nil, "referee": nil, "player": nil}
	for _, l := range e.everything(t, when) {
		for path, body := range l.pages {
			if at := aHeldPoint.FindStringIndex(body); at != nil {
				found[l.who] = append(found[l.who], fmt.Sprintf("%s: …%s…", path,
					body[max(0, at[0]-60):min(len(body), at[1]+20)]))
			}
		}
	}
	return found
}

// TestHeldTotalsAreNowhere freezes the standings, or the results, before a result is confirmed. No public response of
// any route contains its numbers, while officials see them all. One key makes them public, on an open page within 2 s.
func TestHeldTotalsAreNowhere(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	e := holdable(t)
	frozen := e.shown(tournament.SetShown{Part: tournament.PartStandings, How: tournament.ShownFrozen})
	e.scores()
	for _, part := range []string{tournament.PartStandings, tournament.PartResults} {
		e.shown(tournament.SetShown{Part: part, How: tournament.ShownFrozen, Since: frozen.Standings.Since})
		if part == tournament.PartResults {
			e.shown(tournament.SetShown{Part: tournament.PartStandings, How: tournament.ShownPublic})
		}
		found := e.telling(t, part+" frozen")
		for _, at := range found["public"] {
			t.Errorf("%s frozen: %s", part, at)
		}
		if len(found["referee"]) < 8 || len(found["player"]) < 2 { // the player's own result
			t.Errorf("%s frozen: a referee is told at %q, a player of the table at %q", part, found["referee"],
				found["player"])
		}
	}
	regions := e.reader().regions(t, fmt.Sprintf("/events/%d/live", e.id))
	if first := <-regions; aHeldPoint.MatchString(first) || !strings.Contains(first, "frozen at") {
		t.Errorf("the standings that are frozen: %s", first)
	}
	pressed := time.Now()
	e.shown(tournament.SetShown{Part: tournament.PartResults, How: tournament.ShownPublic})
	for html := range regions {
		if aHeldPoint.MatchString(html) {
			break
		}
		if time.Since(pressed) > 20*time.Second {
			t.Fatalf("not shown: %s", html)
		}
	}
	held(t, "shown", time.Since(pressed), 2*time.Second)
	if found := e.telling(t, "shown"); len(found["public"]) < 8 {
		t.Errorf("shown to the public only at %q", found["public"])
	}
}

// TestHeldEndTellsNothing checks that if a tablet game ends while the standings are frozen, the public only sees that
// it is over: no count, rack, turn, replay or file. Its players see all of it.
func TestHeldEndTellsNothing(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, map[string]any{"turn_seconds": 0})
	e.start()
	game := e.begin(0)
	first := e.public().view(game).Turn
	e.shown(tournament.SetShown{Part: tournament.PartStandings, How: tournament.ShownFrozen})
	if v := e.public().view(game); v.Phase != engine.PhasePlaying || v.Turn != first || v.Seats[0].Tiles == 0 {
		t.Fatalf("the tables are public, and the game is %+v", v)
	}
	e.byDraws(game)
	r, at := e.reader(), fmt.Sprintf("/events/%d", e.id)
	if n := r.get(t, at+"/tables").count(".count"); n != 4 {
		t.Errorf("tiles of %d players are told, of 4 who still play", n)
	}
	r.get(t, fmt.Sprintf("%s/tables/%d", at, e.round.Tables[0].ID)).is(http.StatusOK).says("main",
		"Its result is not shown yet")
	e.confirmed(game)
	v := e.public().view(game)
	if v.Phase != engine.PhaseOver || v.Result != nil || v.Last != nil || len(v.Table) > 0 || v.Pool != 0 ||
		v.Seats[0] != (engine.SeatView{}) || v.Seats[3] != (engine.SeatView{}) {
		t.Errorf("of a game whose end is held back the public gets %+v", v)
	}
	for who, c := range map[string]*caller{"who played": e.at(0, 1), "a referee": e.referee} {
		if v := c.view(game); v.Result == nil || len(v.Result.Racks) != 4 {
			t.Errorf("%s gets %+v", who, v.Result)
		}
	}
	refused := map[string]int{"/turns/1": 404, "/turns/0": 404, "/replay": 403, "/export": 403}
	for path, want := range refused {
		if status, _, body := e.public().send(http.MethodGet, fmt.Sprintf("/games/%d%s", game, path),
			nil); status != want {
			t.Errorf("%s: %d %.200s", path, status, body)
		}
	}
	r.get(t, fmt.Sprintf("%s/games/%d", at, game)).is(http.StatusForbidden)
	r.get(t, fmt.Sprintf("%s/display/1/turns/1", at)).is(http.StatusNotFound)
	e.signedIn("referee").get(t, fmt.Sprintf("%s/games/%d", at, game)).is(http.StatusOK)
	e.shown(tournament.SetShown{Part: "all", How: tournament.ShownPublic})
	if v := e.public().view(game); v.Result == nil || len(v.Result.Points) != 4 {
		t.Errorf("shown to all it is %+v", v)
	}
	r.get(t, fmt.Sprintf("%s/games/%d", at, game)).is(http.StatusOK)
}

// TestHiddenPairing checks that the public finds no table of a round whose pairing or tables are hidden, while its
// players sit and play.
func TestHiddenPairing(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, map[string]any{"turn_seconds": 0})
	e.start()
	game, at := e.begin(0), fmt.Sprintf("/events/%d", e.id)
	for _, row := range []struct {
		part  string
		round int
	}{{tournament.PartTables, 200}, {tournament.PartPairing, 404}} {
		e.shown(tournament.SetShown{Part: row.part, How: tournament.ShownHidden})
		if status, _, _ := e.public().send(http.MethodGet, fmt.Sprintf("/rounds/%d", e.round.ID),
			nil); status != row.round {
			t.Errorf("%s: the round: %d", row.part, status)
		}
		for _, path := range []string{"", "/live", "/turns/0"} {
			if status, _, _ := e.public().send(http.MethodGet, fmt.Sprintf("/games/%d%s", game, path),
				nil); status != http.StatusForbidden {
				t.Errorf("%s: the game%s: %d", row.part, path, status)
			}
		}
		if n := e.reader().get(t, at+"/tables").count(".table-no"); n != 0 {
			t.Errorf("%s: %d tables are listed", row.part, n)
		}
		if v := e.at(0, 0).view(game); len(v.Rack) == 0 {
			t.Errorf("%s: a player has no rack", row.part)
		}
		if n := e.signedIn("referee").get(t, at+"/tables").count(".table-no"); n != 2 {
			t.Errorf("%s: a referee finds %d tables", row.part, n)
		}
	}
	names := len(e.reader().get(t, at+"/display/1").text(".d-name"))
	if seating, _, body := e.public().send(http.MethodGet, fmt.Sprintf("/tournaments/%d/export/seating.csv", e.id),
		nil); seating != 200 || strings.Count(string(body), "\n") != 1 || names > 0 {
		t.Errorf("the seating: %d %s; names on the display: %d", seating, body, names)
	}
}

// TestDelayedTables checks that viewers see a game as it was five minutes ago, including its round, turns and files,
// without stopped clocks. Its players see it live.
func TestDelayedTables(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, map[string]any{"turn_seconds": 0})
	var ahead atomic.Int64
	start := time.Now()
	e.store.Now = func() time.Time { return start.Add(time.Duration(ahead.Load())) }
	pass := func(d time.Duration) { ahead.Add(int64(d)) }
	e.start()
	game, at := e.begin(0), fmt.Sprintf("/events/%d", e.id)
	e.shown(tournament.SetShown{Part: tournament.PartTables, How: tournament.ShownDelayed, Minutes: 5})
	turn := e.referee.view(game).Turn
	status := func(path string) int {
		got, _, _ := e.public().send(http.MethodGet, fmt.Sprintf("/games/%d%s", game, path), nil)
		return got
	}
	if got := status(""); got != http.StatusForbidden {
		t.Errorf("of a round that was published just now: %d", got)
	}
	pass(5*time.Minute + 6*time.Second) // the delayed view advances every five seconds
	e.at(0, turn.Seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
		request.TurnRequest{Turn: turn.Number, Key: e.key()}, nil)
	then, now := e.public().view(game), e.at(0, turn.Seat).view(game)
	if then.Turn.Number != turn.Number || then.Last != nil || now.Turn.Number != turn.Number+1 ||
		status("/turns/1") != http.StatusNotFound {
		t.Errorf("five minutes late it is %+v, now %+v", then, now)
	}
	if n := e.reader().get(t, at+"/tables").count(".table-no"); n != 2 {
		t.Errorf("%d tables are listed", n)
	}
	pass(5*time.Minute + 6*time.Second) // the delayed view advances every five seconds
	if then := e.public().view(game); then.Turn.Number != turn.Number+1 || then.Turn.Due != 0 ||
		status("/turns/1") != http.StatusOK {
		t.Errorf("five minutes after the turn: %+v", then)
	}
	if v := e.referee.view(game); v.Turn.Number != turn.Number+1 {
		t.Errorf("a referee sees %+v", v)
	}
}
