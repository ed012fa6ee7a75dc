package webtest

import (
	"net/http"
	"strings"
	"testing"

	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/web"
)

// atLocalhost replaces the host of a test's address by localhost, which browsers consider secure.
func atLocalhost(address string) string {
	return strings.Replace(address, "127.0.0.1", "localhost", 1)
}

// addsKey adds a passkey to the account that a reader is signed in to, and returns the recovery codes that the page
// shows.
func (k *softKey) addsKey(t *testing.T, r *reader) (codes []string) {
	t.Helper()
	page := r.get(t, "/account/second").is(http.StatusOK)
	page = page.submit("/account/passkeys", "name", "laptop", "key-password", password, "answer",
		k.made(asks(page))).is(http.StatusOK)
	for _, code := range find(page.doc, "code.code") {
		codes = append(codes, textOf(code))
	}
	return codes
}

// halfIn signs the organizer in with the password and returns the page of the second step.
func (h *hall) halfIn(t *testing.T) *leaf {
	t.Helper()
	return h.reader().get(t, "/sign-in?next=/accounts").submit("/sign-in", "name", "organizer", "password",
		password).is(http.StatusOK)
}

// sends submits a passkey answer that must be rejected.
func (p *leaf) sends(answer string) *leaf {
	p.t.Helper()
	return p.submit("/sign-in/passkey", "answer", answer).is(http.StatusUnauthorized)
}

// newKeyed returns a hall whose organizer has a passkey, with its recovery codes.
func newKeyed(t *testing.T) (*hall, *reader, *softKey, []string) {
	t.Helper()
	h, key := newHall(t), newSoftKey(t)
	h.http.URL = atLocalhost(h.http.URL)
	h.account(rights.RoleOrganizer)
	r := h.signsIn("organizer")
	return h, r, key, key.addsKey(t, r)
}

// TestPasskeySignIn adds a passkey, which ends the account's other sessions. It signs in with the passkey, with a
// recovery code, and after removing the passkey with the password alone.
func TestPasskeySignIn(t *testing.T) {
	t.Parallel()
	h, key := newHall(t), newSoftKey(t)
	h.http.URL = atLocalhost(h.http.URL)
	h.account(rights.RoleOrganizer)
	other, r := h.signsIn("organizer"), h.signsIn("organizer")
	page := r.get(t, "/account/second")
	options, origin := asks(page)
	page.submit("/account/passkeys", "name", "laptop", "key-password", "a wrong password", "answer",
		key.made(options, origin)).is(http.StatusForbidden).says("main", "wrong")
	page.submit("/account/passkeys", "name", "laptop", "key-password", password, "answer",
		key.made(options, origin)).is(http.StatusConflict).says("main", "too long")
	codes := key.addsKey(t, r)
	if len(codes) != 10 {
		t.Fatalf("%d recovery codes are shown", len(codes))
	}
	if at := other.get(t, "/accounts"); !strings.HasPrefix(at.path, "/sign-in") {
		t.Errorf("a sign-in without a passkey lasts: %s", at.path)
	}
	if e := h.noted(t, security.Rights, "account.passkey"); e.Name != "organizer" {
		t.Errorf("got %+v", e)
	}
	r.get(t, "/account/second").says("main", "laptop").says("main", "never used")
	r.get(t, "/account").says("main", "10")

	page = h.halfIn(t)
	if page.count("form[data-passkey=get]") != 1 || strings.Contains(page.text("main"), "Six digits") {
		t.Errorf("got %s", page.text("main"))
	}
	if page = page.submit("/sign-in/passkey", "answer", key.signed(asks(page))); page.path != "/accounts" {
		t.Fatalf("led to %s: %s", page.path, page.text("main"))
	}
	h.noted(t, security.SignedIn, "passkey")
	if page = h.halfIn(t).submit("/sign-in/code", "code", codes[0]); page.path != "/accounts" {
		t.Fatalf("led to %s: %s", page.path, page.text("main"))
	}
	h.halfIn(t).submit("/sign-in/code", "code", codes[0]).is(http.StatusUnauthorized)

	page = r.get(t, "/account/second")
	if page.text("main"); strings.Contains(page.text("main"), "never used") {
		t.Error("the page does not say when the passkey was used")
	}
	page.submit("/account/passkeys/remove", "key-password", "a wrong password").is(http.StatusForbidden)
	page.submit("/account/passkeys/remove", "key-password", password).is(http.StatusOK).says("main", "removed")
	h.noted(t, security.Rights, "account.passkey_off")
	h.signsIn("organizer")
}

// TestPasskeyRefused sends answers that do not come from the account's key for this challenge at this address.
func TestPasskeyRefused(t *testing.T) {
	t.Parallel()
	h, _, key, _ := newKeyed(t)
	page := h.halfIn(t)
	options, origin := asks(page)
	page = page.sends(newSoftKey(t).signed(options, origin)).says("main", "could not be verified")
	if again, _ := asks(page); again == options || again == "" {
		t.Error("a challenge is asked for twice")
	}
	page.sends(key.signed(options, origin)) // answers the first challenge
	h.noted(t, security.Refused, "passkey")

	page = h.halfIn(t)
	options, _ = asks(page)
	page.sends(key.signed(options, "http://localhost.evil.example"))
	page = h.halfIn(t)
	options, _ = asks(page)
	page.sends(key.signed(options, "http://localhost:1"))

	h, r, key, _ := newKeyed(t)
	page = h.halfIn(t)
	answer := key.signed(asks(page))
	if in := page.submit("/sign-in/passkey", "answer", answer); in.path != "/accounts" {
		t.Fatalf("led to %s", in.path)
	}
	page.sends(answer).says("main", "too long")
	h.halfIn(t).sends(answer).says("main", "could not be verified")
	key.count--
	page = h.halfIn(t)
	page.sends(key.signed(asks(page))).says("main", "copied")
	if e := h.noted(t, security.Refused, "passkey_copied"); e.Name != "organizer" {
		t.Errorf("got %+v", e)
	}
	page = h.halfIn(t)
	options, origin = asks(page)
	newSoftKey(t).addsKey(t, r)
	r.get(t, "/account/second").submit("/account/passkeys/remove", "key-password", password).is(http.StatusOK)
	page.sends(key.signed(options, origin)).says("main", "could not be verified")
}

// TestPasskeysBelongToAName checks that passkeys are offered only at origins where browsers allow them, and that
// request headers cannot change the origin.
func TestPasskeysBelongToAName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ base, host, origin string }{
		{"", "localhost", "http://localhost"},
		{"", "127.0.0.1", ""},
		{"http://192.0.2.7:8080", "localhost", "http://localhost"},
		{"http://hall.example", "127.0.0.1", ""},
		{"http://localhost:1", "127.0.0.1", "http://localhost:1"},
	} {
		h := newHall(t, func(config *web.Config) { config.BaseURL = c.base })
		h.account(rights.RoleOrganizer)
		h.http.URL = strings.Replace(h.http.URL, "127.0.0.1", c.host, 1)
		page := h.signsIn("organizer").get(t, "/account/second")
		_, origin := asks(page)
		if (origin == "") != (c.origin == "") || !strings.HasPrefix(origin, c.origin) {
			t.Errorf("at %s of %q: got %q", c.host, c.base, origin)
		}
		if c.origin == "" {
			page.says("main", "https")
		}
	}
}
