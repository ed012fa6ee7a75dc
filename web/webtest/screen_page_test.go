package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/tournament/screen"
	"meldhall/web"
)

// hears reads a stream until an event with the name arrives. It calls bring, which causes the event, after the first
// message.
func (r *reader) hears(t *testing.T, path, event string, bring func()) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.http.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	timer := time.AfterFunc(patience, func() { res.Body.Close() })
	defer timer.Stop()
	var text strings.Builder
	for part := make([]byte, 4096); !strings.Contains(text.String(), "event: "+event+"\n"); {
		n, err := res.Body.Read(part)
		text.Write(part[:n])
		if bring != nil && strings.Contains(text.String(), "\n\n") && strings.Contains(text.String(), "data: <") {
			bring()
			bring = nil
		}
		if err != nil {
			t.Fatalf("%s: no %q in %.300s: %v", path, event, text.String(), err)
		}
	}
}

func TestPairingAScreen(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	scr, referee, public := e.reader(), e.signedIn("referee"), e.reader()
	code := func() string {
		t.Helper()
		return scr.get(t, "/display").is(http.StatusOK).text("code")
	}
	first := code()
	if len(first) != 9 || code() != first {
		t.Fatalf("the screen shows %q, then %q", first, code())
	}
	choose := "/displays/" + first
	t.Run("only staff choose its table", func(t *testing.T) {
		if page := public.get(t, choose); !strings.HasPrefix(page.path, "/sign-in?next=") {
			t.Errorf("got %d at %s", page.status, page.path)
		}
		if page := public.post(t, choose, url.Values{"event": {"1"}, "number": {"1"}}); !strings.HasPrefix(page.path,
			"/sign-in") {
			t.Errorf("got %d at %s", page.status, page.path)
		}
		if code() != first {
			t.Error("the code is used")
		}
	})
	t.Run("one tap, and the screen goes to the table", func(t *testing.T) { pairAScreen(t, scr, referee, choose) })
	t.Run("it keeps its table when the server has been away", func(t *testing.T) {
		moved := e.games.Moved
		again, err := web.New(e.desk, web.Config{Version: "test", Presets: presets(t)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { again.Close(); e.games.Moved = moved })
		token := ""
		base, _ := url.Parse(e.http.URL)
		for _, cookie := range scr.client.Jar.Cookies(base) {
			if cookie.Name == "meldhall-display" {
				token = cookie.Value
			}
		}
		d, err := screen.DisplayByToken(t.Context(), e.store, token)
		if err != nil || d.Number != 2 || d.TokenHash == token {
			t.Errorf("got %+v, %v", d, err)
		}
	})
	t.Run("it is put at another table, and removed", func(t *testing.T) {
		moveAndRemoveAScreen(t, scr, referee, code,
			first)
	})
	t.Run("all of it is in the audit", func(t *testing.T) { auditAScreen(t, e) })
	t.Run("tries and fresh screens are limited", func(t *testing.T) { limitScreens(t, e, referee) })
}

func pairAScreen(t *testing.T, screen, referee *reader, choose string) {
	page := referee.get(t, choose).is(http.StatusOK).says("h2", "Test")
	if got := page.count("button[name=number]"); got != 2 {
		t.Errorf("got %d tables, want 2", got)
	}
	screen.hears(t, "/display/live", "go", func() {
		page.submit(choose, "number", "2").is(http.StatusOK).says("main", "The screen now shows table 2.")
	})
	if got := screen.get(t, "/display").is(http.StatusOK).path; got != "/events/1/display/2" {
		t.Errorf("the screen is led to %s", got)
	}
	referee.get(t, choose).is(http.StatusNotFound) // the code works only once
	referee.get(t, "/referee/1/displays").says("li.screen-line", "Table 2").says("li.screen-line", "seen")
}

func moveAndRemoveAScreen(t *testing.T, screen, referee *reader, code func() string, first string) {
	const move = "/display.move"
	referee.get(t, "/referee/1/displays").submit(move, "number", "0").is(http.StatusUnprocessableEntity)
	screen.hears(t, "/events/1/display/2/live", "go", func() {
		referee.get(t, "/referee/1/displays").submit(move, "number", "1").is(http.StatusOK)
	})
	if got := screen.get(t, "/display").path; got != "/events/1/display/1" {
		t.Errorf("the screen is led to %s", got)
	}
	screen.hears(t, "/events/1/display/1/live", "go", func() {
		referee.get(t, "/referee/1/displays").submit("/display.remove").is(http.StatusOK).says("main",
			"The screen has been removed.")
	})
	if second := code(); second == first || len(second) != 9 {
		t.Errorf("got the code %q after %q", second, first)
	}
}

func auditAScreen(t *testing.T, e *event) {
	entries, err := action.Records(t.Context(), e.store, rights.Staff(rights.RoleReferee, "test"), e.id, 100)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		if strings.HasPrefix(entry.Kind, "display.") {
			got = append(got, entry.Actor+" "+entry.Kind)
		}
	}
	if want := "[referee:referee display.remove referee:referee display.move referee:referee display.pair]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func limitScreens(t *testing.T, e *event, referee *reader) {
	status := 0
	for range 12 {
		if status = referee.get(t, "/displays/ZZZZ-ZZZZ").status; status == http.StatusTooManyRequests {
			break
		}
	}
	if status != http.StatusTooManyRequests {
		t.Errorf("guessing goes on: %d", status)
	}
	for range 40 {
		if status = e.reader().get(t, "/display").status; status == http.StatusTooManyRequests {
			return
		}
	}
	t.Errorf("codes are given without end: %d", status)
}
