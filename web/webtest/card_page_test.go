package webtest

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/engine/tile"
	"meldhall/web/api"
	"meldhall/web/request"
)

// cardEvent is an event in which the turn of the first mover has drafts, a call and a refused play.
func cardEvent(t *testing.T) (e *event, game int64) {
	t.Helper()
	e, game = newEvent(t, 4, map[string]any{"turn_seconds": 600}), int64(0)
	e.games.Deal = func() engine.Deal { return preparedDeal(t, preparedRacks...) }
	e.start()
	game = e.begin(0)
	mover := e.public().view(game).Turn
	draft := func(sets ...tile.LaidFaces) {
		e.at(0, mover.Seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draft", game),
			request.DraftRequest{Turn: mover.Number, Table: sets}, nil)
	}
	rack := e.at(0, mover.Seat).view(game).Rack
	draft(tile.LaidFaces{At: 0, Faces: rack[:1]})
	draft(tile.LaidFaces{At: 0, Faces: rack[:2]})
	draft(tile.LaidFaces{At: 0, Faces: rack[:1]}, tile.LaidFaces{At: 20, Faces: rack[1:2]})
	e.at(0, mover.Seat).must(http.MethodPost, fmt.Sprintf("/games/%d/call", game), request.CallRequest{Key: e.key()},
		nil)
	e.at(0, mover.Seat).refusedWith(t, http.StatusUnprocessableEntity, judge.CodeInvalidSet, http.MethodPost,
		fmt.Sprintf("/games/%d/play", game),
		request.PlayRequest{TurnRequest: request.TurnRequest{Turn: mover.Number, Key: e.key()},
			Table: []tile.LaidFaces{{At: 0, Faces: rack[:1]}, {At: 20, Faces: rack[1:2]}}})
	return e, game
}

func TestCardPage(t *testing.T) {
	t.Parallel()
	e, game := cardEvent(t)
	r := e.signedIn("referee")
	at := func(n int, query string) string {
		return fmt.Sprintf("/referee/%d/games/%d/turns/%d%s", e.id, game, n, query)
	}
	t.Run("one page tells the turn, the refused play shown and its set marked", func(t *testing.T) {
		p := r.get(t, at(0, ""))
		if p.status != http.StatusOK || len(find(p.doc, ".moments")) != 1 {
			t.Fatalf("got %d %s", p.status, p.text("main"))
		}
		text := p.text("main")
		for _, want := range []string{"Turn 1 of 1", "laid", "moved", "called the referee", "Play refused.",
			"Set 1 is invalid: too short"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not told in %s", want, text)
			}
		}
		if left := regexp.MustCompile(`\b(9:[0-5]\d|10:00)\.\d{3}`).FindAllString(text, -1); len(left) < 5 {
			t.Errorf("what was left of the turn is told %d times in %s", len(left), text)
		}
		if marked := find(p.doc, ".fault"); len(marked) != 1 {
			t.Errorf("%d cells are marked, want 1", len(marked))
		}
		if cited := p.text(".cites"); !strings.Contains(cited, "3.1") {
			t.Errorf("got %q, want article 3.1", cited)
		}
	})
	t.Run("links lead from the start to the end without a script", func(t *testing.T) {
		tiles := map[int]int{0: 0, 1: 1, 2: 2, 3: 2, 4: 2}
		for stop, want := range tiles {
			p := r.get(t, at(1, fmt.Sprintf("?at=%d", stop)))
			if got := len(find(find(p.doc, ".felt")[0], ".tile")); got != want {
				t.Errorf("stop %d shows %d tiles, want %d", stop, got, want)
			}
		}
	})
	t.Run("a turn that has not begun, another event's game and others' eyes", func(t *testing.T) {
		if p := r.get(t, at(2, "")); p.status != http.StatusNotFound {
			t.Errorf("turn 2: got %d", p.status)
		}
		if p := r.get(t, fmt.Sprintf("/referee/%d/games/%d/turns/1", e.id+1, game)); p.status != http.StatusNotFound {
			t.Errorf("another event: got %d", p.status)
		}
		if p := e.reader().get(t, at(1, "")); !strings.HasPrefix(p.path, "/sign-in") {
			t.Errorf("the public got %s", p.path)
		}
	})
	t.Run("programs get the same", func(t *testing.T) {
		var view api.TurnEvidence
		e.referee.must(http.MethodGet, fmt.Sprintf("/games/%d/turns/0/evidence", game), nil, &view)
		kinds := []string{}
		for _, m := range view.Moments {
			kinds = append(kinds, m.Kind)
		}
		slices.Sort(kinds) // events within one millisecond have no order
		if got := strings.Join(kinds, " "); got != "draft draft draft referee_called refused" {
			t.Errorf("got %s", got)
		}
		if tried := view.Moments[slices.IndexFunc(view.Moments,
			func(m api.TurnMoment) bool { return m.Kind == "refused" })].Tried; tried == nil ||
			tried.Code != judge.CodeInvalidSet || tried.Set != 0 {
			t.Errorf("got %+v", tried)
		}
	})
}
