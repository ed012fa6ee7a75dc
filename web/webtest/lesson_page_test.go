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
	"meldhall/tournament/practice"
	"meldhall/web/request"
)

// learner is a newcomer's device in a lesson, over HTTP.
type learner struct {
	*tablet
	game int64
	keys int
}

// tablesOf returns sets, separated by commas, as a table.
func tablesOf(t *testing.T, sets string) []tile.LaidFaces {
	t.Helper()
	var faces [][]tile.Face
	for set := range strings.SplitSeq(sets, ",") {
		one, err := tile.ParseFaces(set)
		if err != nil {
			t.Fatal(err)
		}
		faces = append(faces, one)
	}
	return practice.Laid(faces)
}

// state returns the server's state of the game.
func (l *learner) state() engine.State {
	l.t.Helper()
	snap, err := l.e.games.Look(l.t.Context(), l.game)
	if err != nil {
		l.t.Fatal(err)
	}
	return snap.State
}

// post sends a table as a draft or as a play and returns the response.
func (l *learner) post(action, sets string) (status int, reply struct{ Lesson, Message string }) {
	l.t.Helper()
	l.keys++
	turn := request.TurnRequest{Turn: l.state().Turn.Number, Key: fmt.Sprintf("lesson-%08d", l.keys)}
	var sent any = request.PlayRequest{TurnRequest: turn, Table: tablesOf(l.t, sets)}
	if action == "draft" {
		sent = request.DraftRequest{Turn: turn.Turn, Table: tablesOf(l.t, sets)}
	}
	body, err := json.Marshal(sent)
	if err != nil {
		l.t.Fatal(err)
	}
	status, _, text := l.send(http.MethodPost, fmt.Sprintf("/practice/game/%d/%s", l.game, action), string(body),
		"Content-Type", "application/json", "Accept", "application/json")
	if err := json.Unmarshal([]byte(text), &reply); err != nil {
		l.t.Fatal(text, err)
	}
	return status, reply
}

// shows waits until the game's page shows a step.
func (l *learner) shows(step string, words ...string) {
	l.t.Helper()
	page := ""
	for end := time.Now().Add(20 * time.Second); !strings.Contains(page,
		`data-step="`+step+`"`); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			l.t.Fatalf("the page does not show %s: %s", step, page)
		}
		_, _, page = l.ask("/practice/game", nil)
	}
	for _, w := range words {
		if !strings.Contains(page, w) {
			l.t.Errorf("%s: the page does not say %q: %s", step, w, page)
		}
	}
}

func TestLessonPages(t *testing.T) {
	t.Parallel()
	h := newHall(t, fast)
	l := &learner{tablet: (&event{hall: h}).tablet(t)}
	l.expect("/practice", nil, 200, "", "New to the game?", `name="lesson"`)
	l.expect("/practice", url.Values{"lesson": {"yes"}}, 303, "/practice/game")
	games, err := practice.Games(t.Context(), h.store)
	if err != nil || len(games) != 1 {
		t.Fatalf("got %v %v", games, err)
	}
	l.game = games[0]
	page := l.expect("/practice/game", nil, 200, "", `data-step="run"`, "Practice · Lesson", "built/lesson.js",
		`class="clock none"`)
	if strings.Contains(page, "The referee") {
		t.Error("the set position is told as a ruling")
	}
	l.expect("/practice", nil, 200, "", "Continue the lesson")

	t.Run("a draft of the sets brings the next step, in whatever order they are laid", func(t *testing.T) {
		within(t, &l.t)
		for sets, step := range map[string]string{"B5 B6": "run", "B5 B6 B7 B8": "group", "K8 R8 B8": "run",
			"B5 B6 B7, K8 R8 O8": "points", "B5 B6 B7, K8 R8": "group"} {
			if status, reply := l.post("draft", sets); status != 200 ||
				!strings.Contains(reply.Lesson, `data-step="`+step+`"`) {
				t.Errorf("%q: got %d, %s; want %s", sets, status, reply.Lesson, step)
			}
		}
	})
	t.Run("a wrong play is refused with the reason, and nothing is lost", func(t *testing.T) {
		within(t, &l.t)
		before := l.state()
		status, reply := l.post("play", "B5 B6 B7")
		if now := l.state(); status != http.StatusUnprocessableEntity || !strings.Contains(reply.Message, "30") ||
			now.Seq != before.Seq || !slices.Equal(now.Racks[0], before.Racks[0]) {
			t.Errorf("got %d %q", status, reply.Message)
		}
	})
	for _, turn := range []struct{ sets, next string }{
		{"B5 B6 B7 B8, O8 R8 K8", "split"}, {"R5 R6 R7, R3 R4 R5", "joker"}, {"J K3 R3, K8 R8 B8 O8", ""},
	} {
		if status, reply := l.post("play", turn.sets); status != 200 {
			t.Fatalf("%s: got %d %+v", turn.sets, status, reply)
		}
		if !l.state().Opened[0] {
			t.Error("the learner has not opened")
		}
		if turn.next != "" {
			l.shows(turn.next)
		}
	}
	l.expect("/practice/game", nil, 200, "", "Now you can play!", "Free the joker")
	if s := l.state(); s.Phase != engine.PhaseOver || len(s.Racks[0]) != 0 || !freed(s) {
		t.Errorf("got %s, the table %v and the rack %v", s.Phase, s.Table, s.Racks[0])
	}
	if page := l.expect("/practice", nil, 200, ""); strings.Contains(page, "Continue the lesson") {
		t.Error("a finished lesson is offered")
	}
}

// freed reports whether the joker lies in another set than with the eights, and the orange 8 in its place.
func freed(s engine.State) bool {
	eights, jokers := 0, 0
	for _, set := range s.Table.Faces() {
		if slices.Contains(set, tile.Joker) {
			jokers++
			if slices.ContainsFunc(set, func(f tile.Face) bool { return !f.IsJoker() && f.Number() == 8 }) {
				return false
			}
		} else if len(set) == 4 && set[0].Number() == 8 {
			eights++
		}
	}
	return eights == 1 && jokers == 1
}

// TestLessonSurvivesARestart checks that a lesson continues at its step after a restart of the server.
func TestLessonSurvivesARestart(t *testing.T) {
	t.Parallel()
	h := newHall(t, fast)
	l := &learner{tablet: (&event{hall: h}).tablet(t)}
	l.expect("/practice", url.Values{"lesson": {"yes"}}, 303, "/practice/game")
	games, err := practice.Games(t.Context(), h.store)
	if err != nil || len(games) != 1 {
		t.Fatalf("got %v %v", games, err)
	}
	l.game = games[0]
	l.post("play", "B5 B6 B7, K8 R8 O8")
	l.shows("split")
	h.restart(t, fast)
	if s := l.state(); s.Paused != nil {
		t.Errorf("a lesson without a clock is paused: %+v", s.Paused)
	}
	l.shows("split")
	l.post("play", "R3 R4 R5, R5 R6 R7")
	l.shows("joker")
}
