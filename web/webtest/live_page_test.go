package webtest

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"meldhall/web/live"
	"meldhall/web/request"
)

// regions opens a page's stream and returns the HTML of its messages until the test ends.
func (r *reader) regions(t *testing.T, path string) <-chan string {
	t.Helper()
	return r.events(t, path, "")
}

// events is regions for the messages of one event name.
func (r *reader) events(t *testing.T, path, event string) <-chan string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.http.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	res, err := r.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		t.Fatalf("%s: %d %s", path, res.StatusCode, res.Header.Get("Content-Type"))
	}
	messages := make(chan string, 1000)
	go func() {
		defer close(messages)
		defer res.Body.Close()
		lines := bufio.NewScanner(res.Body)
		lines.Buffer(nil, 1<<20)
		named := ""
		var html strings.Builder
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				named = value
			case "data":
				html.WriteString(value + "\n")
			case "":
				if html.Len() > 0 && named == event {
					messages <- html.String()
				}
				named = ""
				html.Reset()
			}
		}
	}()
	return messages
}

// until waits for a message that contains the text and returns it.
func until(t *testing.T, messages <-chan string, text string) string {
	t.Helper()
	for limit := time.After(patience); ; {
		select {
		case m, ok := <-messages:
			if !ok {
				t.Fatalf("the stream has ended before %q", text)
			}
			if strings.Contains(m, text) {
				return m
			}
		case <-limit:
			t.Fatalf("no message with %q", text)
		}
	}
}

func TestRegionStreams(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	ref, org, public := e.signedIn("referee"), e.signedIn("organizer"), e.reader()
	table := e.round.Tables[0].ID
	paths := map[string]string{
		"desk": "/desk/1/live", "round": fmt.Sprintf("/desk/1/rounds/%d/live", e.round.ID),
		"hall": "/referee/1/live", "ruling": fmt.Sprintf("/referee/1/tables/%d/live", table),
		"leaderboard": "/events/1/live", "tables": "/events/1/tables/live",
		"watch": fmt.Sprintf("/events/1/tables/%d/live", table),
	}
	t.Run("refused to those who may not", func(t *testing.T) {
		for _, name := range []string{"desk", "round", "hall", "ruling"} {
			page := public.send(t, http.MethodGet, paths[name], nil, "", "Accept", "text/event-stream")
			if page.status != http.StatusUnauthorized || page.path != paths[name] {
				t.Errorf("%s: got %d at %s, want 401", name, page.status, page.path)
			}
		}
		ref.send(t, http.MethodGet, paths["desk"], nil, "", "Accept", "text/event-stream").is(http.StatusForbidden)
	})
	streams := map[string]<-chan string{}
	for name, r := range map[string]*reader{"desk": org, "round": org, "hall": ref, "ruling": ref,
		"leaderboard": public, "tables": public, "watch": public} {
		streams[name] = r.regions(t, paths[name])
		until(t, streams[name], "<")
	}
	e.start()
	until(t, streams["desk"], "1 running")
	until(t, streams["round"], "1 running")
	until(t, streams["hall"], "need-running")
	until(t, streams["ruling"], "data-due")
	until(t, streams["tables"], "data-due")
	until(t, streams["watch"], "phase-dealt")
	game := e.begin(0)
	until(t, streams["watch"], "phase-playing")
	e.at(0, 1).must(http.MethodPost, fmt.Sprintf("/games/%d/call", game), map[string]string{"key": e.key()}, nil)
	until(t, streams["hall"], "need-called")
	until(t, streams["ruling"], "/answer")
	ref.get(t, fmt.Sprintf("/referee/1/tables/%d", table)).rule(t, "call-time").submit("/call-time", "reason",
		"late").is(http.StatusOK)
	for range 8 {
		if view := e.public().view(game); view.Phase != "over" {
			e.at(0, view.Turn.Seat).must(http.MethodPost, fmt.Sprintf("/games/%d/draw", game),
				request.TurnRequest{Turn: view.Turn.Number, Key: e.key()}, nil)
		}
	}
	until(t, streams["hall"], "need-called") // the call stays until it is handled
	until(t, streams["leaderboard"], "provisional")
	count := ref.regions(t, fmt.Sprintf("/referee/1/games/%d/count/live", game))
	until(t, count, "/result.confirm_result")
	org.get(t, fmt.Sprintf("/referee/1/games/%d/count", game)).submit("/result.confirm_result").is(http.StatusOK)
	until(t, count, "confirmed")
	until(t, streams["desk"], "1 confirmed")
	t.Run("who signs out hears no more", func(t *testing.T) {
		hall := ref.regions(t, paths["hall"])
		until(t, hall, "<")
		ref.get(t, "/").submit("/sign-out")
		e.server.Request.Hub.Wake(live.TournamentTopic(1))
		for limit := time.After(patience); ; {
			select {
			case _, ok := <-hall:
				if !ok {
					return
				}
			case <-limit:
				t.Fatal("the stream goes on")
			}
		}
	})
}

// The search is held at its first progress report while the test reads the desk.
func TestTheDeskShowsTheSearchForSeats(t *testing.T) {
	t.Parallel()
	const text = "Looking for the best seating"
	h, _, _ := newStaffed(t)
	o := h.signedIn("organizer")
	o.get(t, "/desk/new").submit("/desk/new", "name", "Cup", "format", "rounds").is(http.StatusOK)
	o.post(t, "/desk/1/roster/import", url.Values{"text": {roster(8)}}).is(http.StatusOK)
	searching, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	h.desk.Searches.OnMoved(func(tournamentID int64) {
		h.server.Request.Hub.Wake(live.TournamentTopic(tournamentID))
		once.Do(func() {
			close(searching)
			<-goOn
		})
	})
	stream, desk, drawn := o.regions(t, "/desk/1/live"), o.get(t, "/desk/1"), make(chan *leaf)
	go func() { drawn <- desk.submit("/desk/1/rounds") }()
	select {
	case <-searching:
	case page := <-drawn:
		t.Fatalf("drawn without a search: %d %s", page.status, page.text(".flash"))
	}
	until(t, stream, text)
	o.get(t, "/desk/1").says("main", text)
	close(goOn)
	if page := (<-drawn).is(http.StatusOK); page.path != "/desk/1/rounds/1" ||
		strings.Contains(page.text("main"), text) {
		t.Errorf("%s shows a search after its end, or is not the draft", page.path)
	}
	if m := until(t, stream, "View the draft of round 1"); strings.Contains(m, text) {
		t.Error("the desk goes on showing the search")
	}
}
