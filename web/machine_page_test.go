package web

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// Officials read on every page what is wrong with the machine, and a watchdog is told that nothing can be written; the public
// reads neither.
func TestOfficialsReadWhatIsWrongWithTheMachine(t *testing.T) {
	h := newEvent(t, 4, nil)
	h.start()
	o := h.as(h.organizer)
	h.store.Behind = 59*time.Minute + time.Second
	o.get(t, "/accounts").is(http.StatusOK).says(".flash", "60 minutes behind")
	o.send(t, http.MethodGet, "/accounts", nil, "", "Accept-Language", "it").is(http.StatusOK).says(".flash", "60 minuti")
	if n := h.reader().get(t, "/").is(http.StatusOK).count(".flash"); n != 0 {
		t.Error("the public reads of the machine's clock")
	}
	h.store.Behind = 2 * time.Second
	if n := o.get(t, "/accounts").is(http.StatusOK).count(".flash"); n != 0 {
		t.Error("two seconds are said")
	}

	game := h.round.Tables[0].Games[0].ID
	if _, err := h.store.WriteSQL.Exec("PRAGMA query_only(1)"); err != nil {
		t.Fatal(err)
	}
	status, _, _ := h.referee.send(http.MethodPost, fmt.Sprintf("/games/%d/pause", game), map[string]any{"key": h.key(), "reason": "x"})
	if status != http.StatusServiceUnavailable {
		t.Errorf("a ruling that cannot be written: %d", status)
	}
	h.reader().get(t, "/healthz").is(http.StatusServiceUnavailable)
	o.get(t, "/accounts").is(http.StatusOK).says(".flash", "not been writable")
	if _, err := h.store.WriteSQL.Exec("PRAGMA query_only(0)"); err != nil {
		t.Fatal(err)
	}
	h.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/pause", game), map[string]any{"key": h.key(), "reason": "x"}, nil)
	h.reader().get(t, "/healthz").is(http.StatusOK)
	if n := o.get(t, "/accounts").count(".flash"); n != 0 {
		t.Error("it is said on when it is over")
	}
}
