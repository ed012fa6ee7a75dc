package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"meldhall/engine/testmode"
	"meldhall/tournament/people"
	"meldhall/tournament/rights"
	"meldhall/web"
	"meldhall/web/api"
)

// behindProxy lets a test's callers come from any address.
func behindProxy(c *web.Config) { c.TrustedProxies = []string{"127.0.0.0/8", "::1/128"} }

// signsInFrom tries to sign in from an address and returns the status, the headers and the session.
func (h *hall) signsInFrom(address string, with api.SignInBody) (int, http.Header, api.SessionView) {
	h.t.Helper()
	status, headers, body := h.public().send(http.MethodPost, "/sign-in", with, "X-Forwarded-For", address)
	var session api.SessionView
	if err := json.Unmarshal(body, &session); err != nil {
		h.t.Fatal(err)
	}
	return status, headers, session
}

// Strangers who try passwords lock no one out: neither at another address nor, if they come from everywhere, on a
// device that has signed in before. Their attempts stay limited, and so do those of a known device.
func TestStrangersLockNobodyOut(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	h := newHall(t, behindProxy)
	now := time.Now()
	h.store.Now = func() time.Time { return now }
	h.staff(rights.RoleReferee)
	right, wrong := api.SignInBody{Name: "referee", Password: password},
		api.SignInBody{Name: "referee", Password: "a wrong password"}
	status, _, home := h.signsInFrom("198.51.100.1", right)
	if status != http.StatusOK || home.Device == "" {
		t.Fatalf("got %d and the device %q", status, home.Device)
	}
	for range 9 {
		h.signsInFrom("203.0.113.9", wrong)
	}
	if status, headers, _ := h.signsInFrom("203.0.113.9", right); status != http.StatusTooManyRequests ||
		headers.Get("Retry-After") == "" {
		t.Errorf("the stranger's next try: got %d", status)
	}
	for i := range 12 {
		if status, _, _ := h.signsInFrom(fmt.Sprintf("192.0.2.%d", i), right); status != http.StatusOK {
			t.Fatalf("the right password from elsewhere: got %d", status)
		}
	}
	for i := range 40 {
		h.signsInFrom(fmt.Sprintf("2001:db8:%d::1", i), wrong)
	}
	if status, _, _ := h.signsInFrom("2001:db8:ffff::1", right); status != http.StatusTooManyRequests {
		t.Errorf("strangers are not bounded together: %d", status)
	}
	known := right
	known.Device = home.Device
	if status, _, again := h.signsInFrom("203.0.113.9", known); status != http.StatusOK || again.Device != home.Device {
		t.Errorf("the known device: got %d, device %q", status, again.Device)
	}
	wrong.Device = home.Device
	for range 4 {
		h.signsInFrom("198.51.100.1", wrong)
	}
	if status, _, _ := h.signsInFrom("198.51.100.1", known); status != http.StatusTooManyRequests {
		t.Errorf("the known device's own tries are not bounded: %d", status)
	}
	t.Run("of one network as of one address", func(t *testing.T) {
		for i := range 4 {
			h.signsInFrom(fmt.Sprintf("2001:db8:a:b::%d", i),
				api.SignInBody{Name: "nobody", Password: "a wrong password"})
		}
		if status, _, _ := h.signsInFrom("2001:db8:a:b:ffff::1",
			api.SignInBody{Name: "nobody", Password: "a wrong password"}); status != http.StatusTooManyRequests {
			t.Errorf("got %d", status)
		}
	})
}

// A browser stays known after signing out, and no page shows its token.
func TestKnownBrowser(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	now := time.Now()
	h.store.Now = func() time.Time { return now }
	h.account(rights.RoleReferee)
	r := h.signsIn("referee")
	r.get(t, "/account").submit("/sign-out")
	for range 4 {
		h.reader().get(t, "/sign-in").submit("/sign-in", "name", "referee", "password",
			"a wrong password").is(http.StatusUnauthorized)
	}
	h.reader().get(t, "/sign-in").submit("/sign-in", "name", "referee", "password",
		password).is(http.StatusTooManyRequests)
	if page := r.get(t, "/sign-in").submit("/sign-in", "name", "referee", "password",
		password).is(http.StatusOK); page.path == "/sign-in" {
		t.Error("the browser that had signed in is kept out")
	}
}

// A guesser in the hall does not keep players from their seats, although all tablets may share one address. The guesser
// is told to wait.
func TestRightCodeBesideAGuesser(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", roster(4), nil)
	now := time.Now()
	e.store.Now = func() time.Time { return now }
	guess := func() (status int) {
		status, _, _ = e.public().send(http.MethodPost, "/join", people.Join{Code: "AAAA-AAAA"})
		return status
	}
	for range 9 {
		guess()
	}
	if status := guess(); status != http.StatusTooManyRequests {
		t.Fatalf("the guesser gets %d", status)
	}
	seats := e.round.Tables[0].Seats
	var joined api.JoinedView
	e.public().must(http.MethodPost, "/join", people.Join{Code: seats[0].Code}, &joined)
	page := e.reader().get(t, "/join/"+seats[1].Code).is(http.StatusOK)
	if page = page.submit("/join/" + seats[1].Code); page.status != http.StatusOK || page.path != "/play" {
		t.Errorf("the tablet's page: got %d at %s", page.status, page.path)
	}
	for range 9 { // a used code gives no more access
		e.public().send(http.MethodPost, "/join", people.Join{Code: seats[0].Code})
	}
	e.public().refusedWith(t, http.StatusTooManyRequests, "err_too_many_tries", http.MethodPost, "/join",
		people.Join{Code: seats[0].Code})
	e.public().must(http.MethodPost, "/join", people.Join{Code: seats[2].Code}, &joined)
}
