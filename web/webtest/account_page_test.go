package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"meldhall/tournament/account"
	"meldhall/tournament/rights"
	"meldhall/web/api"
	"meldhall/web/view"
)

// gone is how long the streams of a signed-out device may stay open.
const gone = 2 * time.Second

// over waits for the end of a stream and returns how long that took.
func over(t *testing.T, messages <-chan message) time.Duration {
	t.Helper()
	began := time.Now()
	for {
		select {
		case _, ok := <-messages:
			if !ok {
				return time.Since(began)
			}
		case <-time.After(patience):
			t.Fatal("the stream goes on")
		}
	}
}

// TestRevokedDevice checks that revoking a device ends its streams and leaves its next request unauthenticated. Streams
// of the official's other device and of other accounts continue.
func TestRevokedDevice(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	game := e.begin(0)
	lost := e.referee
	var again api.SessionView
	e.public().must(http.MethodPost, "/sign-in", api.SignInBody{Name: "referee", Password: password}, &again)
	kept := &caller{e.hall, "referee", again.Token}
	paths := []string{fmt.Sprintf("/floor/live?round=%d", e.round.ID), fmt.Sprintf("/games/%d/live", game)}
	var ends, others []<-chan message
	for _, path := range paths {
		ends, others = append(ends, lost.watch(path)), append(others, kept.watch(path), e.organizer.watch(path))
	}
	for _, stream := range append(ends[:2:2], others...) {
		next(t, stream)
	}
	var devices []api.DeviceView
	kept.must(http.MethodGet, "/devices", nil, &devices)
	if len(devices) != 2 || devices[0].Self == devices[1].Self || devices[0].Browser != "Go" {
		t.Fatalf("got %+v", devices)
	}
	for _, d := range devices {
		if !d.Self {
			revoke := fmt.Sprintf("/devices/%d/revoke", d.ID)
			kept.refusedWith(t, http.StatusForbidden, "err_password_wrong", http.MethodPost, revoke, nil)
			kept.refusedWith(t, http.StatusForbidden, "err_password_wrong", http.MethodPost, revoke,
				fields{"password": "a wrong password"})
			kept.must(http.MethodPost, revoke, fields{"password": password}, nil)
		}
	}
	for i, stream := range ends {
		held(t, paths[i]+" ended", over(t, stream), gone)
	}
	if status, _, _ := lost.send(http.MethodGet, "/devices", nil); status != http.StatusUnauthorized {
		t.Errorf("the device that is signed out gets %d", status)
	}
	e.referee = kept
	kept.must(http.MethodPost, fmt.Sprintf("/games/%d/pause", game), api.RulingBody{Key: e.key(), Reason: "look"}, nil)
	for _, stream := range others {
		next(t, stream)
	}
}

// Signing a browser out also ends its cookie's streams, even those of public pages, because those pages show who is
// signed in.
func TestRevokedBrowser(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	ref := e.signsIn("referee")
	base, err := url.Parse(e.http.URL)
	if err != nil {
		t.Fatal(err)
	}
	streams := map[string]chan time.Time{}
	for _, path := range []string{"/referee/1/live", "/events/1/live"} {
		req, err := http.NewRequest(http.MethodGet, e.http.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, cookie := range ref.client.Jar.Cookies(base) {
			req.AddCookie(cookie)
		}
		res, err := e.http.Client().Do(req)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v, %v", path, res, err)
		}
		ended := make(chan time.Time, 1)
		streams[path] = ended
		go func() {
			defer res.Body.Close()
			buf := make([]byte, 4096)
			for {
				if _, err := res.Body.Read(buf); err != nil {
					ended <- time.Now()
					return
				}
			}
		}()
	}
	page := ref.get(t, "/account").is(http.StatusOK).says(".devices", "this device")
	other := ""
	for _, item := range find(page.doc, "li.device") {
		if strings.Contains(textOf(item), "this device") {
			other = attr(find(item, "input[name=device]")[0], "value")
		}
	}
	second := e.signedIn("referee")
	second.post(t, "/account/revoke", url.Values{"device": {other}}).is(http.StatusForbidden).says(".flash", "wrong")
	began := time.Now()
	after := ref.post(t, "/account/revoke", url.Values{"device": {other}})
	if !strings.HasPrefix(after.path, "/sign-in") {
		t.Errorf("led to %s", after.path)
	}
	for path, ended := range streams {
		select {
		case at := <-ended:
			held(t, path+" ended", at.Sub(began), gone)
		case <-time.After(patience):
			t.Errorf("%s goes on", path)
		}
	}
	if page := ref.get(t, "/referee/1"); !strings.HasPrefix(page.path, "/sign-in") {
		t.Errorf("the browser is at %s", page.path)
	}
}

// Open streams obey a changed role.
func TestDemotedOfficial(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	stream := e.organizer.watch(fmt.Sprintf("/floor/live?round=%d", e.round.ID))
	next(t, stream)
	var accounts []api.AccountView
	e.organizer.must(http.MethodGet, "/accounts", nil, &accounts)
	for _, a := range accounts {
		if a.Role == "organizer" {
			e.organizer.refusedWith(t, http.StatusConflict, "err_last_organizer", http.MethodPost,
				fmt.Sprintf("/accounts/%d/role", a.ID), account.SetRole{Role: "observer"})
		} else {
			e.organizer.must(http.MethodPost, fmt.Sprintf("/accounts/%d/role", a.ID), account.SetRole{Role: "observer"},
				nil)
		}
	}
	status, _, _ := e.referee.send(http.MethodPost, fmt.Sprintf("/games/%d/pause", e.round.Tables[0].Games[0].ID),
		api.RulingBody{Key: e.key(), Reason: "x"})
	if status != http.StatusForbidden {
		t.Errorf("who is an observer by now pauses: %d", status)
	}
	e.referee.must(http.MethodGet, fmt.Sprintf("/rounds/%d/floor", e.round.ID), nil, nil)
}

// TestInvitation follows an invitation from the organizer's page to the official's phone.
func TestInvitation(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	h.account(rights.RoleOrganizer)
	o := h.signsIn("organizer")
	o.get(t, "/accounts").submit("/accounts/invite", "invite-name", "", "role",
		"referee").is(http.StatusUnprocessableEntity).says(".flash", "name")
	shown := o.get(t, "/accounts").submit("/accounts/invite", "invite-name", "Nina", "role",
		"head_referee").is(http.StatusOK).says("h1", "Nina")
	if shown.count("svg.qr") != 1 {
		t.Error("no QR code is shown")
	}
	address := shown.text("code")
	address = address[strings.Index(address, "/invite/"):]
	phone := h.reader()
	page := phone.get(t, address).is(http.StatusOK).says("h1", "Nina").says("main", "Head referee")
	phone.get(t, "/account") // opening an invitation does not sign in
	page.submit(address, "password", "short").is(http.StatusUnprocessableEntity)
	in := page.submit(address).is(http.StatusOK).says(".flash", "Nina")
	if in.path != "/" {
		t.Errorf("led to %s", in.path)
	}
	phone.get(t, "/account").is(http.StatusOK).says("h1", "Nina")
	h.reader().get(t, address).is(http.StatusGone).says("main", "15 minutes")
	h.reader().post(t, address, nil).is(http.StatusGone)
	t.Run("the organizer signs the phone out", func(t *testing.T) {
		o.get(t, "/accounts/2").is(http.StatusOK).says(".devices",
			"Go").submit("/accounts/2/revoke").is(http.StatusOK).says("main", "None")
		if page := phone.get(t, "/account"); !strings.HasPrefix(page.path, "/sign-in") {
			t.Errorf("the phone is at %s", page.path)
		}
	})
	t.Run("role, password, removal", func(t *testing.T) {
		o.get(t, "/accounts/2").submit("/account.role", "role", "observer").is(http.StatusOK).says(".title", "Observer")
		o.get(t, "/accounts/2").submit("/accounts/2/password", "password", "short").is(http.StatusUnprocessableEntity)
		o.get(t, "/accounts/2").submit("/accounts/2/password", "password", password).is(http.StatusOK)
		nina := h.signsIn("Nina")
		nina.get(t, "/account").submit("/account/password", "old", "wrong wrong wrong", "password",
			password).is(http.StatusForbidden).says(".flash", "current password")
		nina.get(t, "/account").submit("/account/password", "old", password, "password",
			password+"!").is(http.StatusOK).says(".flash", "changed")
		if nina.get(t, "/account").count("form[action=/account/pin]") != 0 {
			t.Error("an observer is offered a PIN")
		}
		o.get(t, "/accounts/2").submit("/account.remove", "typed",
			"Nino").is(http.StatusUnprocessableEntity).says(".flash", "type the name exactly as shown: Nina")
		nina.get(t, "/account").is(http.StatusOK)
		if after := o.get(t, "/accounts/2").submit("/account.remove", "typed",
			"nina ").is(http.StatusOK); after.path != "/accounts" {
			t.Errorf("led to %s", after.path)
		}
		if page := nina.get(t, "/account"); !strings.HasPrefix(page.path, "/sign-in") {
			t.Errorf("who was removed is at %s", page.path)
		}
	})
}

func TestAgentNames(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1": "Safari iPhone",
		"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36":                         "Chrome Android",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0":           "Edge Windows",
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0":                                                                  "Firefox Linux",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15":                   "Safari Mac",
		"curl/8.5.0": "curl ", "": " ",
	} {
		browser, system := view.AgentNames(agent)
		if got := browser + " " + system; got != want {
			t.Errorf("%s: got %q, want %q", agent, got, want)
		}
	}
}
