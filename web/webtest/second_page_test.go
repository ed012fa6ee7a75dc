package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"meldhall/engine/testmode"
	"meldhall/tournament/account"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/web"
	"meldhall/web/api"
)

// appShows returns the code that an authenticator app shows, a number of time steps from now.
func (h *hall) appShows(secret string, steps int) string {
	h.t.Helper()
	code, err := totp.GenerateCode(secret, h.store.Wall().Add(time.Duration(steps)*30*time.Second))
	if err != nil {
		h.t.Fatal(err)
	}
	return code
}

// TestSecondFactorPages sets up an app on the account page, signs in with its code, and turns it off again.
func TestSecondFactorPages(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	now := time.Now()
	h.store.Now = func() time.Time { return now }
	h.store.Wall = h.store.Now
	h.account(rights.RoleOrganizer)
	r := h.signsIn("organizer")
	page := r.get(t, "/account").is(http.StatusOK)
	if page.count("a[href=/account/second]") != 1 {
		t.Error("no way leads to the set-up")
	}
	page = r.get(t, "/account/second").is(http.StatusOK)
	secret := page.value("secret")
	if page.count("svg.qr") != 1 || secret == "" || !strings.Contains(page.text("main"), secret) {
		t.Errorf("the secret is not shown: %q", secret)
	}
	page = page.submit("/account/second", "password", password, "code",
		"000000").is(http.StatusForbidden).says(".flash", "wrong")
	if page.value("secret") != secret {
		t.Error("after a wrong code there is another secret")
	}
	page = page.submit("/account/second", "password", password, "code", h.appShows(secret, 0)).is(http.StatusOK)
	if codes := find(page.doc, "code.code"); len(codes) != 10 {
		t.Fatalf("%d recovery codes are shown", len(codes))
	}
	recovery := textOf(find(page.doc, "code.code")[0])
	r.get(t, "/account").says("main", "10")

	in := h.reader()
	page = in.get(t, "/sign-in?next=/accounts").submit("/sign-in", "name", "organizer", "password",
		password).is(http.StatusOK).says("h1", "Code")
	if at := in.get(t, "/accounts"); !strings.HasPrefix(at.path, "/sign-in") {
		t.Errorf("the password alone leads to %s", at.path)
	}
	page = page.submit("/sign-in/code", "code", h.appShows(secret, 0)).is(http.StatusUnauthorized).says(".flash",
		"already been used")
	if page = page.submit("/sign-in/code", "code", h.appShows(secret, 1)); page.path != "/accounts" {
		t.Fatalf("led to %s: %s", page.path, page.text("main"))
	}
	if e := h.noted(t, security.Refused, "code"); e.Name != "organizer" {
		t.Errorf("got %+v", e)
	}
	t.Run("a ticket has an end", func(t *testing.T) {
		page := h.reader().get(t, "/sign-in").submit("/sign-in", "name", "organizer", "password", password)
		now = now.Add(6 * time.Minute)
		page.submit("/sign-in/code", "code", recovery).is(http.StatusUnauthorized).says(".flash", "too long")
	})
	t.Run("codes are guessed slowly", func(t *testing.T) {
		page := h.reader().get(t, "/sign-in").submit("/sign-in", "name", "organizer", "password", password)
		for range 4 {
			page = page.submit("/sign-in/code", "code", "000000").is(http.StatusUnauthorized)
		}
		page = page.submit("/sign-in/code", "code", recovery).is(http.StatusTooManyRequests)
		now = now.Add(time.Minute)
		if page = page.submit("/sign-in/code", "code", recovery); page.path != "/desk" {
			t.Errorf("led to %s", page.path)
		}
	})
	r = h.signedInBy(t, secret)
	r.get(t, "/account").submit("/account/second-off", "second-password", password, "code",
		"000000").is(http.StatusForbidden)
	now = now.Add(time.Minute)
	r.get(t, "/account").submit("/account/second-off", "second-password", password, "code",
		h.appShows(secret, 1)).is(http.StatusOK).says(".flash", "off")
	h.signsIn("organizer")
}

// signedInBy signs the organizer in with a password and a code.
func (h *hall) signedInBy(t *testing.T, secret string) *reader {
	t.Helper()
	r := h.reader()
	page := r.get(t, "/sign-in").submit("/sign-in", "name", "organizer", "password", password)
	if page = page.submit("/sign-in/code", "code", h.appShows(secret, 0)); page.path != "/desk" {
		t.Fatalf("led to %s: %s", page.path, page.text("main"))
	}
	return r
}

// API clients send the code with name and password. An organizer can reset another official's second factor, which is
// recorded.
func TestSecondFactorOfPrograms(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	organizer, head := h.staff(rights.RoleOrganizer), h.staff(rights.RoleHeadReferee)
	var made api.SecretView
	head.must(http.MethodGet, "/own/second", nil, &made)
	var recovery api.RecoveryView
	head.must(http.MethodPost, "/own/second", account.AddSecond{Password: password, Secret: made.Secret,
		Code: h.appShows(made.Secret, 0)}, &recovery)
	with := api.SignInBody{Name: "head_referee", Password: password}
	h.public().refusedWith(t, http.StatusUnauthorized, "err_second_needed", http.MethodPost, "/sign-in", with)
	with.Code = "000000"
	h.public().refusedWith(t, http.StatusUnauthorized, "err_second_wrong", http.MethodPost, "/sign-in", with)
	with.Code = recovery.Codes[0]
	h.public().must(http.MethodPost, "/sign-in", with, nil)
	h.public().refusedWith(t, http.StatusUnauthorized, "err_second_wrong", http.MethodPost, "/sign-in", with)
	var accounts []api.AccountView
	organizer.must(http.MethodGet, "/accounts", nil, &accounts)
	for _, a := range accounts {
		if a.Name == "head_referee" {
			organizer.must(http.MethodPost, "/actions/account.second_reset", map[string]any{"account": a.ID}, nil)
		}
	}
	if e := h.noted(t, security.Rights, "account.second_reset"); e.About != "head_referee" {
		t.Errorf("got %+v", e)
	}
	with.Code = ""
	h.public().must(http.MethodPost, "/sign-in", with, nil)
}

// A stranger who knows the password and tries codes does not lock the official out: other networks can still sign in,
// and known devices always can.
func TestCodeTriesOfOthers(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	h := newHall(t, behindProxy)
	now := time.Now()
	h.store.Now = func() time.Time { return now }
	head := h.staff(rights.RoleHeadReferee)
	var made api.SecretView
	head.must(http.MethodGet, "/own/second", nil, &made)
	var recovery api.RecoveryView
	head.must(http.MethodPost, "/own/second", account.AddSecond{Password: password, Secret: made.Secret,
		Code: h.appShows(made.Secret, 0)}, &recovery)
	with := api.SignInBody{Name: "head_referee", Password: password}
	from := func(address, code, device string, want int) api.SessionView {
		t.Helper()
		with := with
		with.Code, with.Device = code, device
		status, _, session := h.signsInFrom(address, with)
		if status != want {
			t.Errorf("from %s: got %d, want %d", address, status, want)
		}
		return session
	}
	for range 4 {
		from("203.0.113.9", "000000", "", http.StatusUnauthorized)
	}
	from("203.0.113.9", recovery.Codes[0], "", http.StatusTooManyRequests)
	known := from("203.0.113.10", recovery.Codes[0], "", http.StatusOK).Device
	for i := range 10 {
		from(fmt.Sprintf("198.51.100.%d", i), "000000", "", http.StatusUnauthorized)
	}
	from("203.0.113.10", recovery.Codes[1], "", http.StatusTooManyRequests)
	from("203.0.113.9", recovery.Codes[1], known, http.StatusOK)
	for range 4 {
		from("203.0.113.9", "000000", known, http.StatusUnauthorized)
	}
	from("203.0.113.9", recovery.Codes[2], known, http.StatusTooManyRequests)
}

// TestSecondStepIsAskedOfAll checks that where a second step is mandatory, an official without one can only set one up
// or sign out, in every way. Other officials and the public are not affected.
func TestSecondStepIsAskedOfAll(t *testing.T) {
	t.Parallel()
	h := newHall(t, func(c *web.Config) { c.SecondStep = true })
	now := time.Now()
	h.store.Now = func() time.Time { return now }
	h.store.Wall = h.store.Now
	organizer := h.staff(rights.RoleOrganizer)
	for _, path := range []string{"/accounts", "/tournaments"} {
		organizer.refusedWith(t, http.StatusForbidden, "err_second_must", http.MethodGet, path, nil)
	}
	organizer.refusedWith(t, http.StatusForbidden, "err_second_must", http.MethodPost, "/accounts",
		account.CreateAccount{Name: "Eve", Password: password, Role: rights.RoleReferee})
	r := h.signsIn("organizer")
	page := r.get(t, "/accounts")
	if page.path != "/account/second" {
		t.Fatalf("led to %s", page.path)
	}
	page.says(".flash", "needs two-step sign-in").submit("/account/second", "password", password, "code",
		h.appShows(page.value("secret"), 0)).is(http.StatusOK)
	if page := r.get(t, "/accounts").is(http.StatusOK); page.path != "/accounts" {
		t.Errorf("with a second step it leads to %s", page.path)
	}
	h.reader().get(t, "/").is(http.StatusOK)
	h.account(rights.RoleReferee)
	if page := h.signsIn("referee").post(t, "/sign-out", nil).is(http.StatusOK); page.path != "/" {
		t.Errorf("signed out it is at %s", page.path)
	}
}
