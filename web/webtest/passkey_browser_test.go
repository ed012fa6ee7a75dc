package webtest

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"meldhall/tournament/rights"
	"meldhall/tournament/security"
)

// device gives the tab a virtual authenticator that confirms every passkey request, and removes the previous one.
func (p *tab) device(had webauthn.AuthenticatorID) webauthn.AuthenticatorID {
	p.t.Helper()
	if had == "" {
		if _, err := chromedp.Call(p.ctx, webauthn.Enable, webauthn.EnableParams{}); err != nil {
			p.t.Fatal(err)
		}
	} else if _, err := chromedp.Call(p.ctx, webauthn.RemoveVirtualAuthenticator,
		webauthn.RemoveVirtualAuthenticatorParams{AuthenticatorID: had}); err != nil {
		p.t.Fatal(err)
	}
	made, err := chromedp.Call(p.ctx, webauthn.AddVirtualAuthenticator,
		webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
			HasUserVerification: true, IsUserVerified: true,
			AutomaticPresenceSimulation: true}})
	if err != nil {
		p.t.Fatal(err)
	}
	return made.AuthenticatorID
}

// fill sets the values of fields, given as selectors and texts.
func (p *tab) fill(selectorTexts ...string) {
	p.t.Helper()
	for i := 0; i+1 < len(selectorTexts); i += 2 {
		p.wait(fmt.Sprintf(`(e => e && !e.closest("[hidden]") && (e.value = %q))(document.querySelector(%q))`,
			selectorTexts[i+1], selectorTexts[i]))
	}
}

// asBefore removes functions that browsers before 2024 lack.
const asBefore = `delete PublicKeyCredential.parseCreationOptionsFromJSON; delete PublicKeyCredential.parseRequestOptionsFromJSON; delete PublicKeyCredential.prototype.toJSON`

// TestBrowserPasskey adds a passkey in a browser, signs in with it, and is rejected with another device; it repeats
// this as an older browser. After the passkey is removed, the password alone signs in.
func TestBrowserPasskey(t *testing.T) {
	b := startChromium(t)
	for name, script := range map[string]string{"now": "", "older": asBefore} {
		t.Run(name, func(t *testing.T) { tryPasskey(t, b, script) })
	}
}

func tryPasskey(t *testing.T, b *chromium, script string) {
	h := newHall(t)
	h.http.URL = atLocalhost(h.http.URL)
	organizer := h.staff(rights.RoleOrganizer)
	p := b.tab(t, 1024, 768)
	p.cookie(h.http.URL, "meldhall-staff", organizer.token)
	p.atStart(script)
	device := p.device("")
	add := func(name string) {
		t.Helper()
		p.open(h.http.URL + "/account/second")
		p.fill("#name", name, "#key-password", password)
		p.tap(p.reach(`form[data-passkey="create"] button`))
	}
	signIn := func() {
		t.Helper()
		p.cookie(h.http.URL, "meldhall-staff", "")
		p.open(h.http.URL + "/sign-in?next=/account/second")
		p.fill("#name", "organizer", "#password", password)
		p.tap(`main form button`)
		p.wait(`document.querySelector('form[data-passkey="get"]:not([hidden])')`)
	}
	const use = `form[data-passkey="get"] button`
	add("laptop")
	p.wait(`document.querySelectorAll("code.code").length === 10`)
	p.picture("passkey-recovery")
	add("the same")
	p.wait(`document.querySelector("form[data-passkey] [role=alert]").textContent.includes("already has a passkey")`)
	p.picture("passkey-added")
	signIn()
	p.picture("passkey-asked")
	p.tap(use)
	p.wait(`location.pathname === "/account/second" && document.querySelector("main").innerText.includes("last used")`)
	h.noted(t, security.SignedIn, "passkey")

	p.device(device) // a device without the passkey
	signIn()
	p.tap(use)
	p.wait(`document.querySelector("form[data-passkey] [role=alert]").textContent.includes("did not confirm")`)
	p.cookie(h.http.URL, "meldhall-staff", organizer.token)
	p.size(390, 844)
	p.open(h.http.URL + "/account/second")
	p.tap(p.reach(`.device summary`))
	p.fill(`.device input[type="password"]`, password)
	p.picture("passkey-remove")
	p.tap(p.reach(`.device button`))
	p.wait(`document.querySelector("main").innerText.includes("was removed") && !document.querySelector(".device")`)
	p.cookie(h.http.URL, "meldhall-staff", "")
	p.open(h.http.URL + "/sign-in?next=/account")
	p.fill("#name", "organizer", "#password", password)
	p.tap(`main form button`)
	p.wait(`location.pathname === "/account"`)
	if got := p.complaints(); len(got) > 0 {
		t.Errorf("the browser complains: %q", got)
	}
}
