package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/engine/testmode"
	"meldhall/tournament/practice"
	"meldhall/web"
	"meldhall/web/api"
	"meldhall/web/request"
)

// behind lets a test set a request's client address, as a proxy does.
func behind(c *web.Config) { c.TrustedProxies = []string{"127.0.0.1/32"} }

// A hall behind one address can open practice tables while many are free; the last ones are reserved for other
// addresses.
func TestOneReaderCannotHoldThePracticeTables(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	h := newHall(t, fast, behind)
	h.store.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	open := func(from string) (int, string) {
		ahead.Add(int64(6 * time.Second))
		status, _, body := h.public().send(http.MethodPost, "/practice",
			api.PracticeBody{Strength: "novice", Rules: "casual"}, "X-Forwarded-For", from)
		return status, string(body)
	}
	opened := 0
	status, body := open("203.0.113.9")
	for ; status == http.StatusOK; status, body = open("203.0.113.9") {
		opened++
	}
	if opened != practice.Most-10 || status != http.StatusTooManyRequests ||
		!strings.Contains(body, `"err_practice_full"`) {
		t.Errorf("one address holds %d tables, want 40; then %d %s", opened, status, body)
	}
	if status, body := open("203.0.113.10"); status != http.StatusOK {
		t.Errorf("another address: %d %s", status, body)
	}
}

// JSON that is nested too deeply is rejected before it is decoded, on every code path.
func TestDeepJSONIsRefused(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	for _, path := range []string{"/sign-in", "/games/1/draw"} {
		said := h.public().refusedWith(t, http.StatusBadRequest, "err_unreadable", http.MethodPost, path,
			`{"name":`+strings.Repeat("[", 40)+strings.Repeat("]", 40)+`}`)
		if !strings.Contains(fmt.Sprint(said["message"]), "32 deep") {
			t.Errorf("%s: %v", path, said["message"])
		}
	}
}

// A client that sends too many requests is told to wait. Other addresses, and seated players at the same address, are
// not limited.
func TestBudgetOfAnAddress(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := newEvent(t, 4, nil, behind)
	now := e.store.Now()
	e.store.Now = func() time.Time { return now }
	ask := func(by *caller, from string) (int, http.Header) {
		status, head, _ := by.send(http.MethodGet, "/games/0", nil, "X-Forwarded-For", from)
		return status, head
	}
	answered := 0
	status, head := 0, http.Header(nil)
	for ; status != http.StatusTooManyRequests && answered < 10_000; answered++ {
		status, head = ask(e.public(), "203.0.113.9")
	}
	if answered != 6001 || head.Get("Retry-After") == "" {
		t.Errorf("refused after %d requests, with %v", answered, head)
	}
	for who, c := range map[string]struct {
		by   *caller
		from string
	}{"another address": {e.public(), "203.0.113.10"}, "a seat at this address": {e.at(0, 0), "203.0.113.9"},
		"an official at it": {e.referee, "203.0.113.9"}} {
		if status, _ := ask(c.by, c.from); status != http.StatusNotFound {
			t.Errorf("%s is answered %d", who, status)
		}
	}
}

// Every address with a limit of one request at a time per reader exists.
func TestCostlyAddressesAreThere(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	there := map[string]bool{}
	for _, route := range h.server.Routes() {
		there[route.Method+" "+route.Path] = true
	}
	for route := range request.Costly {
		if !there[route] {
			t.Errorf("%s is no address of the server", route)
		}
	}
}
