package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"meldhall/tournament/store/storetest"
	"meldhall/web/request"
)

// Every official's page reports problems of the machine, and /readyz fails while the database cannot be written; the
// public's pages show neither. Failing to record when an official or a screen was last seen locks no one out.
func TestOfficialsReadWhatIsWrongWithTheMachine(t *testing.T) {
	h := newEvent(t, 4, nil)
	h.start()
	o := h.as(h.organizer)
	h.store.Behind = 59*time.Minute + time.Second
	o.get(t, "/accounts").is(http.StatusOK).says(".flash", "60 minutes behind")
	o.send(t, http.MethodGet, "/accounts", nil, "", "Accept-Language", "it").is(http.StatusOK).says(".flash",
		"60 minuti")
	if n := h.reader().get(t, "/").is(http.StatusOK).count(".flash"); n != 0 {
		t.Error("the public reads of the machine's clock")
	}
	h.store.Behind = 2 * time.Second
	if n := o.get(t, "/accounts").is(http.StatusOK).count(".flash"); n != 0 {
		t.Error("two seconds are said")
	}

	game, screen := h.round.Tables[0].Games[0].ID, h.reader()
	h.signedIn("referee").post(t, "/displays/"+screen.get(t, "/display").text("code"),
		url.Values{"event": {fmt.Sprint(h.id)}, "number": {"1"}}).is(http.StatusOK)
	screen.get(t, "/display").is(http.StatusOK).says("main", "Player 1")
	h.store.Now = func() time.Time { return time.Now().Add(6 * time.Minute) } // all were last seen long ago
	storetest.Writable(t, h.store, false)
	screen.get(t, "/display").is(http.StatusOK).says("main", "Player 1")
	status, _, said := h.referee.send(http.MethodPost, fmt.Sprintf("/games/%d/pause", game),
		map[string]any{"key": h.key(), "reason": "x"})
	if status != http.StatusServiceUnavailable || h.games.Unwritten() == 0 {
		t.Errorf("a ruling that cannot be written: %d %s; nothing can be written since %d", status, said,
			h.games.Unwritten())
	}
	h.reader().get(t, "/readyz").is(http.StatusServiceUnavailable)
	o.get(t, "/accounts").is(http.StatusOK).says(".flash", "not been writable")
	storetest.Writable(t, h.store, true)
	h.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/pause", game), map[string]any{"key": h.key(), "reason": "x"},
		nil)
	h.reader().get(t, "/readyz").is(http.StatusOK)
	if n := o.get(t, "/accounts").count(".flash"); n != 0 {
		t.Error("it is said on when it is over")
	}
}

// While the database cannot be written, all tables' clocks are shown as stopped, even where no one has sent a request.
// Officials see it on open pages, and also when it is over. Then the current turn gets its time back.
func TestClocksStandWhileNothingCanBeWritten(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.start()
	busy, quiet := e.begin(0), e.begin(1)
	tablet, screen := e.readerAt(1, 0).regions(t, "/play/live"),
		e.reader().regions(t, fmt.Sprintf("/events/%d/display/2/live", e.id))
	officials := []<-chan string{e.as(e.referee).events(t, fmt.Sprintf("/referee/%d/live", e.id), "news"),
		e.as(e.organizer).events(t, fmt.Sprintf("/desk/%d/live", e.id), "news")}
	public := e.reader().events(t, fmt.Sprintf("/events/%d/tables/live", e.id), "news")
	until(t, tablet, `data-stopped="false"`)
	turn := e.public().view(busy).Turn
	write := func(yes bool) {
		t.Helper()
		storetest.Writable(t, e.store, yes)
	}
	write(false)
	if status, _, _ := e.at(0, turn.Seat).send(http.MethodPost, fmt.Sprintf("/games/%d/draw", busy),
		request.TurnRequest{Turn: turn.Number, Key: e.key()}); status != http.StatusServiceUnavailable {
		t.Errorf("a move that cannot be written: %d", status)
	}
	for _, stream := range []<-chan string{tablet, screen} {
		until(t, stream, "cannot save anything")
	}
	for _, stream := range officials {
		until(t, stream, "not been writable")
	}
	if view := e.public().view(quiet); view.Paused == nil || view.Paused.ResumeAt != 0 || view.Paused.Left == 0 {
		t.Errorf("programs are told of the pause %+v", view.Paused)
	}
	e.reader().get(t, "/readyz").is(http.StatusServiceUnavailable)
	e.as(e.referee).get(t, fmt.Sprintf("/referee/%d", e.id)).is(http.StatusOK).says(".news-urgent", "not been writable")
	write(true)
	until(t, tablet, "The server was down")
	for _, stream := range officials {
		for m := "not been writable"; strings.Contains(m, "not been writable"); {
			m = until(t, stream, "")
		}
	}
	e.reader().get(t, "/readyz").is(http.StatusOK)
	for len(public) > 0 {
		if m := <-public; strings.Contains(m, "writable") {
			t.Error("the public reads of the machine's disk")
		}
	}
}
