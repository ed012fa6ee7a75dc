package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"meldhall/templates/play"
	"meldhall/tournament/rights"
	"meldhall/web/request"
)

// tablePointing is a running game with a set on the table, and the streams of the pages on which people point.
type tablePointing struct {
	*planning
	heard, silent map[string]<-chan string // by reader
}

const tablePoint = "/referee/1/tables/1/point"

// newPointing begins a game. Seat 0 has laid a set; seat 1 is to play.
func newPointing(t *testing.T) *tablePointing {
	t.Helper()
	k := &tablePointing{planning: newPlanning(t)}
	e := k.e
	other := e.begin(1)
	e.play(0, k.game, 0, "O10 O11 O12")
	screen, stray, referee := e.reader(), e.reader(), e.signedIn("referee")
	for i, scr := range []*reader{screen, stray} {
		choose := "/displays/" + scr.get(t, "/display").is(http.StatusOK).text("code")
		referee.post(t, choose, url.Values{"event": {"1"}, "number": {fmt.Sprint(i + 1)}}).is(http.StatusOK)
	}
	k.heard = map[string]<-chan string{
		"the pointing player": k.mine.events(t, "/play/live", "point"),
		"another player":      e.seated(e.at(0, 2)).events(t, "/play/live", "point"),
		"the table's screen":  screen.events(t, "/events/1/display/1/live", "point"),
		"a referee":           referee.events(t, "/referee/1/tables/1/live", "point"),
		"an organizer":        e.signedIn("organizer").events(t, "/referee/1/tables/1/live", "point"),
	}
	k.silent = map[string]<-chan string{
		"a player of another table":   e.seated(e.at(1, 0)).events(t, "/play/live", "point"),
		"the screen of another table": stray.events(t, "/events/1/display/2/live", "point"),
		"the sheet of another table":  referee.events(t, "/referee/1/tables/2/live", "point"),
	}
	for _, path := range []string{"/events/1/display/1/live", "/events/1/live", "/events/1/tables/live",
		"/events/1/tables/1/live", "/embed/events/1/tables/1/live", "/overlay/1/table/live"} {
		k.silent["the public at "+path] = e.reader().events(t, path, "point")
	}
	if other == k.game {
		t.Fatal("both tables have the same game")
	}
	return k
}

// point sends a pointer for the game's own table.
func (k *tablePointing) point(t *testing.T, p *reader, body string) (int, string) {
	t.Helper()
	return k.send(t, p, fmt.Sprintf("/play/game/%d/point", k.game), body)
}

func (k *tablePointing) send(t *testing.T, p *reader, path, body string) (int, string) {
	t.Helper()
	status, _, answer := (&tablet{t, k.e, p.client}).send(http.MethodPost, path, body, "Content-Type",
		request.JSONKind, "Accept", request.JSONKind)
	return status, answer
}

// TestPointing points at sets as players and officials. The pointer reaches the pages of the table and no other page,
// and leaves no trace in the game.
func TestPointing(t *testing.T) {
	t.Parallel()
	k := newPointing(t)
	before := k.look(t)
	t.Run("everyone at the table sees it", k.testSeen)
	t.Run("only those at the table may point", k.testMay)
	t.Run("only at tiles of the table", k.testTiles)
	t.Run("only now and then", k.testOften)
	t.Run("nobody else has seen any of it", func(t *testing.T) {
		for who, messages := range k.silent {
			if n := len(messages); n > 0 {
				t.Errorf("%s got %d pointers: %s", who, n, <-messages)
			}
		}
	})
	t.Run("nothing is kept", func(t *testing.T) {
		if after := k.look(t); !reflect.DeepEqual(before.State, after.State) || before.Head != after.Head {
			t.Errorf("got %+v, want %+v", after.State, before.State)
		}
	})
}

func (k *tablePointing) testSeen(t *testing.T) {
	if status, answer := k.point(t, k.mine, `{"tiles":["O10","O11"],"at":3}`); status != 200 {
		t.Fatalf("got %d %s", status, answer)
	}
	name := k.e.round.Tables[0].Seats[0].Player.Name
	for who, messages := range k.heard {
		var got play.Pointer
		if err := json.Unmarshal([]byte(until(t, messages, "O11")), &got); err != nil {
			t.Fatal(err)
		}
		want := play.Pointer{Who: 0, Name: name, Text: "\u2068" + name + "\u2069 points at: orange 10, 11.",
			Tiles: faces(t, "O10 O11"), At: 3}
		if who == "the pointing player" {
			want.Name, want.Text = "You", "You point at: orange 10, 11."
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", who, got, want)
		}
	}
	if status, answer := k.send(t, k.e.signedIn("referee"), tablePoint,
		`{"tiles":["O10","O11","O12"],"at":0}`); status != 200 {
		t.Fatalf("a referee: got %d %s", status, answer)
	}
	for _, messages := range k.heard {
		until(t, messages, `"name":"Referee","text":"The referee points at: orange 10–12."`)
	}
}

func (k *tablePointing) testMay(t *testing.T) {
	e, good := k.e, `{"tiles":["O10"],"at":0}`
	e.staff(rights.RoleObserver)
	e.staff(rights.RoleScorekeeper)
	for name, row := range map[string]struct {
		p             *reader
		tablet, sheet int
	}{"public": {e.reader(), 401, 401}, "another table": {e.seated(e.at(1, 0)), 403, 403},
		"a player": {e.seated(e.at(0, 3)), 200, 403}, "observer": {e.signedIn("observer"), 403, 403},
		"scorekeeper": {e.signedIn("scorekeeper"), 403, 403}, "organizer": {e.signedIn("organizer"), 403, 200}} {
		if status, answer := k.point(t, row.p, good); status != row.tablet {
			t.Errorf("%s: got %d %s, want %d", name, status, answer, row.tablet)
		}
		if status, answer := k.send(t, row.p, tablePoint, good); status != row.sheet {
			t.Errorf("%s at the sheet: got %d %s, want %d", name, status, answer, row.sheet)
		}
	}
	for _, path := range []string{"/referee/1/tables/99/point", "/referee/2/tables/1/point", "/play/game/99/point"} {
		if status, answer := k.send(t, e.signedIn("referee"), path, good); status != 404 && status != 403 {
			t.Errorf("%s: got %d %s", path, status, answer)
		}
	}
}

// testTiles uses a different seat for each body, because each may point only a few times in a row.
func (k *tablePointing) testTiles(t *testing.T) {
	e := k.e
	var answers []string
	for i, body := range []string{`{"tiles":["K4","K5","K6"],"at":0}`, `{"tiles":["O10","O10"],"at":0}`,
		`{"tiles":["R9"],"at":0}`, `{"tiles":["O10","K13"],"at":0}`, `{"tiles":[],"at":0}`,
		`{"tiles":[` + strings.Repeat(`"O10",`, 300) + `"O10"],"at":0}`} {
		status, answer := k.point(t, e.seated(e.at(0, 1+i%2)), body)
		if status != 422 {
			t.Errorf("%.60s: got %d %s", body, status, answer)
		}
		answers = append(answers, answer)
	}
	if all := slices.Compact(slices.Clone(answers)); len(all) != 1 ||
		!strings.Contains(all[0], "You can only point at tiles that were on the table") {
		t.Errorf("the refusals differ, and may so tell of others' tiles: %q", all)
	}
	t.Run("nor at those of a draft", func(t *testing.T) {
		e.pass()
		e.at(0, 1).must(http.MethodPost, fmt.Sprintf("/games/%d/draft", k.game), map[string]any{
			"turn": e.public().view(k.game).Turn.Number, "table": []any{
				map[string]any{"at": 0, "tiles": []string{"O10", "O11", "O12"}},
				map[string]any{"at": 39, "tiles": []string{"R9", "R10", "J", "R12"}}}}, nil)
		if status, answer := k.point(t, e.seated(e.at(0, 3)), `{"tiles":["R9","R10"],"at":1}`); status != 422 {
			t.Errorf("got %d %s", status, answer)
		}
	})
}

func (k *tablePointing) testOften(t *testing.T) {
	e := k.e
	p := e.seated(e.at(0, 1))
	statuses := map[int]int{}
	for range 10 {
		status, _ := k.point(t, p, `{"tiles":["O12"],"at":0}`)
		statuses[status]++
	}
	if statuses[429] < 5 || statuses[200]+statuses[429] != 10 {
		t.Errorf("got %v", statuses)
	}
	if status, answer := k.point(t, e.seated(e.at(0, 0)), `{"tiles":["O12"],"at":0}`); status != 200 {
		t.Errorf("another seat: got %d %s", status, answer)
	}
}
