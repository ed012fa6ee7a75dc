package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
	"meldhall/web/request"
)

// planning is a running game in which the player whose turn it is plans sets on the rack.
type planning struct {
	e    *event
	game int64
	mine *reader
}

func newPlanning(t *testing.T) *planning {
	t.Helper()
	e := newEvent(t, 8, map[string]any{"turn_seconds": 600, "start_seconds": 120})
	e.games.Deal = func() engine.Deal { return preparedDeal(t, preparedRacks...) }
	e.start()
	return &planning{e: e, game: e.begin(0), mine: e.seated(e.at(0, 0))}
}

func (k *planning) plan(t *testing.T, p *reader, body string) (int, string) {
	t.Helper()
	status, _, answer := (&tablet{t, k.e, p.client}).send(http.MethodPost, fmt.Sprintf("/play/game/%d/plan", k.game),
		body, "Content-Type", request.JSONKind, "Accept", request.JSONKind)
	return status, answer
}

func (k *planning) look(t *testing.T) *game.Snapshot {
	t.Helper()
	snap, err := k.e.games.Look(t.Context(), k.game)
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// planOf returns the request body for these sets.
func planOf(t *testing.T, rows ...string) string {
	t.Helper()
	lists := make([]tile.FaceList, len(rows))
	for i, row := range rows {
		lists[i] = faces(t, row)
	}
	text, err := json.Marshal(map[string][]tile.FaceList{"sets": lists})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Only the holder of the rack gets a verdict on a plan, and nothing is stored.
func TestPlannedSets(t *testing.T) {
	t.Parallel()
	k := newPlanning(t)
	before := k.look(t)
	t.Run("good sets, with their points against what an opening needs", k.testPoints)
	t.Run("only of the own rack", k.testOwnRack)
	t.Run("a body is bounded", k.testBounds)
	t.Run("for the holder of the seat", k.testReaders)
	t.Run("nothing is kept", func(t *testing.T) {
		if after := k.look(t); !reflect.DeepEqual(before, after) {
			t.Errorf("got %+v, want %+v", after, before)
		}
	})
	t.Run("who has opened is told no sum", k.testOpened)
}

func (k *planning) testPoints(t *testing.T) {
	status, answer := k.plan(t, k.mine, planOf(t, "O10 O11 O12", "K4 K5", "B1 R1 O1"))
	want := `{"sets":[{"ok":true,"word":"run","points":33},{"ok":false,"word":"too short","points":0},{"ok":true,"word":"group","points":3}],"points":36,"message":"36 of 30"}`
	if status != 200 || answer != want {
		t.Errorf("got %d %s, want %s", status, answer, want)
	}
}

func (k *planning) testOwnRack(t *testing.T) {
	answers := map[string]bool{}
	for _, body := range []string{planOf(t, "R9 R10 J R12"), planOf(t, "R2 R3 R4"), planOf(t, "O10 O10 O11"),
		planOf(t, "O10 O11 O12", "O12"), planOf(t, strings.Repeat("O10 ", 300))} {
		status, answer := k.plan(t, k.mine, body)
		if status != 422 {
			t.Errorf("%.60s: got %d %s", body, status, answer)
		}
		var said struct{ Message string }
		if err := json.Unmarshal([]byte(answer), &said); err != nil {
			t.Fatal(err)
		}
		answers[said.Message] = true
	}
	if len(answers) != 1 {
		t.Errorf("the refusals differ, and may so tell of others' tiles: %v", answers)
	}
}

func (k *planning) testBounds(t *testing.T) {
	for body, want := range map[string]int{
		`{"sets":[` + strings.Repeat("[],", tile.Count) + `[]]}`: 422, `{"sets":[["X1"]]}`: 400, `{`: 400,
		`{"sets":[],"seat":1}`:                               400,
		`{"sets":[["` + strings.Repeat("K1", 1<<20) + `"]]}`: 413,
	} {
		if status, answer := k.plan(t, k.mine, body); status != want {
			t.Errorf("%.30s: got %d %.200s, want %d", body, status, answer, want)
		}
	}
}

func (k *planning) testReaders(t *testing.T) {
	for name, row := range map[string]struct {
		p    *reader
		want int
	}{"public": {k.e.reader(), 401}, "another table": {k.e.seated(k.e.at(1, 0)), 403},
		"referee":   {k.e.signedIn("referee"), 403},
		"organizer": {k.e.signedIn("organizer"), 403}, "another seat": {k.e.seated(k.e.at(0, 1)), 422}} {
		if status, answer := k.plan(t, row.p, planOf(t, "O10 O11 O12")); status != row.want {
			t.Errorf("%s: got %d %s, want %d", name, status, answer, row.want)
		}
	}
}

func (k *planning) testOpened(t *testing.T) {
	k.e.play(0, k.game, 0, "O10 O11 O12")
	if status, answer := k.plan(t, k.mine, planOf(t, "B1 R1 O1")); status != 200 ||
		!strings.Contains(answer, `"points":3,"message":""`) {
		t.Errorf("got %d %s", status, answer)
	}
	if status, answer := k.plan(t, k.mine, planOf(t, "O10 O11 O12")); status != 422 {
		t.Errorf("tiles that were laid: got %d %s", status, answer)
	}
}
