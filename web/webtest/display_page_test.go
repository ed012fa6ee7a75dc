package webtest

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/web/request"
)

func TestDisplayFollowsTheTable(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, map[string]any{"turn_seconds": 600, "start_seconds": 120})
	public := e.reader()
	address := fmt.Sprintf("/events/%d/display/2", e.id)
	t.Run("before the start it says what comes and who sits there", func(t *testing.T) {
		page := public.get(t, address).is(http.StatusOK).says(".d-now", "Next: game 1 of")
		if got := page.count("li.d-seat"); got < 4 {
			t.Errorf("got %d seats", got)
		}
	})
	screen := public.regions(t, address+"/live")
	until(t, screen, "d-rest")
	e.start()
	until(t, screen, "phase-dealt")
	game := e.begin(1)
	until(t, screen, "phase-playing")
	turn := e.public().view(game).Turn
	mover := e.at(1, turn.Seat)
	rack := mover.view(game).Rack
	mover.must(http.MethodPost, fmt.Sprintf("/games/%d/draft", game), map[string]any{"turn": turn.Number,
		"table": []any{map[string]any{"at": 40, "tiles": rack[:2]}}}, nil)
	until(t, screen, "laying")
	until(t, screen, `data-face="`+rack[1].String()+`"`)
	mover.must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
		request.TurnRequest{Turn: turn.Number, Key: e.key()}, nil)
	until(t, screen, `/display/2/turns/1`)
	t.Run("a ruling is told", func(t *testing.T) {
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/penalty", game),
			map[string]any{"key": e.key(), "seat": 0, "tiles": 3, "reason": "talked"}, nil)
		until(t, screen, "d-ruling")
		public.get(t, address).says(".d-ruling", "3 tiles. \u2068Talked\u2069")
	})
	t.Run("an earlier turn is a page of its own", func(t *testing.T) {
		public.get(t, address+"/turns/1").is(http.StatusOK).says("h1", "Turn 1 of 1")
		public.get(t, address+"/turns/2").is(http.StatusNotFound)
		public.get(t, address+"/turns/x").is(http.StatusNotFound)
	})
	t.Run("what is not there", func(t *testing.T) {
		public.get(t, fmt.Sprintf("/events/%d/display/3", e.id)).is(http.StatusOK).says(".d-now",
			"This table is not used")
		public.get(t, fmt.Sprintf("/events/%d/display/1001", e.id)).is(http.StatusNotFound)
		public.get(t, fmt.Sprintf("/events/%d/display/0", e.id)).is(http.StatusNotFound)
		public.get(t, "/events/99/display/1").is(http.StatusNotFound)
	})
	t.Run("the settings stand in the address", func(t *testing.T) {
		page := public.get(t, address+"?sides=2&turn=180&theme=light&lang=it").is(http.StatusOK)
		if page.count("main.two-sides") != 1 || page.count("main.turned") != 1 ||
			attr(find(page.doc, "html")[0], "data-theme") != "light" {
			t.Error("a setting is not kept")
		}
		page.says(".d-place", "Tavolo 2")
		for _, a := range find(find(page.doc, "nav.d-settings")[0], "a") {
			if !strings.Contains(attr(a, "href"), "lang=it") {
				t.Errorf("%s loses the language", attr(a, "href"))
			}
		}
	})
}

// TestDisplayKeepsSecrets plays a game in front of screens and checks every tile they were sent against the log. They
// may show only tiles on the table or in the draft of the player whose turn it is, and the tiles drawn for the start.
func TestDisplayKeepsSecrets(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, map[string]any{"turn_seconds": 0, "exhausted": "last_lap"})
	var turns atomic.Int64
	clock := e.store.Now
	// so that each page is rendered anew
	e.store.Now = func() time.Time { return clock().Add(time.Duration(turns.Load()) * 100 * time.Millisecond) }
	public := e.reader()
	screen := public.regions(t, fmt.Sprintf("/events/%d/display/1/live", e.id))
	game := e.round.Tables[0].Games[0].ID
	e.start()
	e.begin(0)
	var messages []string // the page after each turn, whatever the stream sent
	for ended := false; !ended; ended = e.playTurn(t, game) {
		turns.Add(1)
		messages = append(messages, public.body(t, fmt.Sprintf("/events/%d/display/1", e.id)))
	}
	for over := false; !over; {
		select {
		case m := <-screen:
			messages = append(messages, m)
			over = strings.Contains(m, "phase-over")
		case <-time.After(patience):
			t.Fatal("the screen was not told of the end")
		}
	}
	judge := screenJudge{states: e.statesOf(t, game)}
	for n := 1; n <= min(judge.states[len(judge.states)-1].Turn.Number, 10); n++ {
		messages = append(messages, public.body(t, fmt.Sprintf("/events/%d/display/1/turns/%d", e.id, n)))
	}
	seen := map[string]int{}
	for _, m := range messages {
		for _, leak := range judge.leaks(t, m, seen) {
			t.Errorf("%s in %.900s", leak, m)
		}
	}
	if len(messages) < 10 || seen["on the table"] < 100 || seen["phase-dealt"]+seen["phase-playing"] == 0 {
		t.Errorf("too little was looked at: %d messages, %v", len(messages), seen)
	}
	t.Run("a leak would be found", func(t *testing.T) {
		s := judge.states[len(judge.states)/2]
		hidden := tile.FacesOf(s.Racks[(s.Turn.Seat+1)%4])
		for _, f := range slices.Concat(s.Table.Faces()...) {
			hidden = slices.DeleteFunc(hidden, func(h tile.Face) bool { return h == f })
		}
		body := fmt.Sprintf(`<div id="display" class="phase-playing" data-seq="%d"><i data-face="%s"></i></div>`, s.Seq,
			hidden[0])
		if len(judge.leaks(t, body, map[string]int{})) == 0 {
			t.Errorf("%s was not found", body)
		}
		if len(judge.leaks(t, `<p>`+judge.states[len(judge.states)-1].Salt+`</p>`, map[string]int{})) == 0 {
			t.Error("the salt was not found")
		}
	})
}

// body returns a page's HTML.
func (r *reader) body(t *testing.T, path string) string {
	t.Helper()
	res, err := r.client.Get(r.http.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %v", path, res.StatusCode, err)
	}
	return string(text)
}

// screenJudge checks what a screen was sent against the log.
type screenJudge struct{ states []engine.State }

var (
	faceAttr   = regexp.MustCompile(`(data-[a-z]+)="([^"]*)"`)
	seqAttr    = regexp.MustCompile(`data-seq="(\d+)"`)
	phaseClass = regexp.MustCompile(`phase-[a-z]+`)
	turnOf     = regexp.MustCompile(`Turn (\d+) of`)
)

// leaks returns every tile in a body that only one player, or no one at all, could know at that time.
func (j screenJudge) leaks(t *testing.T, body string, seen map[string]int) (found []string) {
	t.Helper()
	last := j.states[len(j.states)-1]
	order, err := last.Order.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{last.Salt, string(order[:40]), string(order[len(order)-40:])} {
		if len(secret) > 8 && strings.Contains(body, secret) {
			found = append(found, "the salt or the order of the pool")
		}
	}
	var may []tile.Face
	if m := seqAttr.FindStringSubmatch(body); m != nil {
		seq, _ := strconv.Atoi(m[1])
		s := j.states[seq]
		phase := phaseClass.FindString(body)
		seen[phase]++
		may = slices.Concat(s.Table.Faces()...)
		if strings.Contains(body, " laying") {
			seen["drafts"]++
			may = append(may, tile.FacesOf(s.Racks[s.Turn.Seat])...)
		}
		if phase == "phase-dealt" {
			for _, d := range s.Draws {
				may = append(may, d.Tile)
			}
		}
	} else if m := turnOf.FindStringSubmatch(body); m != nil {
		seen["turns"]++
		n, _ := strconv.Atoi(m[1])
		for _, s := range j.states { // the table after the n-th ended turn
			switch s.Actions.Last().Kind {
			case "tiles_played", "tile_drawn", "turn_passed", "turn_expired", "illegal_played":
				if n--; n == 0 {
					may = slices.Concat(s.Table.Faces()...)
				}
			}
		}
	}
	for _, m := range faceAttr.FindAllStringSubmatch(body, -1) {
		for token := range strings.FieldsSeq(m[2]) {
			if !faceText.MatchString(token) {
				continue
			}
			f, err := tile.ParseFace(strings.TrimSuffix(token, "'"))
			if err != nil || m[1] != "data-face" || !slices.Contains(may, f) {
				found = append(found, token+" in "+m[1])
			}
			seen["on the table"]++
		}
	}
	return found
}
