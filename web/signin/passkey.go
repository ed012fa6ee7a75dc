package signin

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
)

// Challenge is a page's request to a passkey. Options is JSON for the browser and is valid only with Ticket and at
// Origin. Empty Options mean that passkeys cannot be used at this address.
type Challenge struct{ Ticket, Options, Origin string }

// passkeyOrigin returns the origin whose passkeys are used; "" for none. Keys belong to a domain name, and browsers
// support them only on https and on localhost. The origin is that of the base URL. The request's own host, which the
// client can choose, counts only if it is localhost.
func (a *Accounts) passkeyOrigin(c *gin.Context) string {
	if origin, _ := passkeyPlace(a.address); origin != "" {
		return origin
	}
	here := "http://" + c.Request.Host
	if c.Request.TLS != nil {
		here = "https://" + c.Request.Host
	}
	if origin, host := passkeyPlace(here); isLocal(host) {
		return origin
	}
	return ""
}

// passkeyPlace returns the origin and the host name of an address, if passkeys are possible there.
func passkeyPlace(address string) (origin, host string) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "", ""
	}
	host = strings.ToLower(u.Hostname())
	if net.ParseIP(host) != nil || u.Scheme != "https" && !isLocal(host) {
		return "", ""
	}
	if port := u.Port(); port != "" && port != map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		return u.Scheme + "://" + host + ":" + port, host // as browsers write it
	}
	return u.Scheme + "://" + host, host
}

func isLocal(host string) bool { return host == "localhost" || strings.HasSuffix(host, ".localhost") }

// relyingParty returns the WebAuthn configuration of an origin. A key identifies its holder; the make of the device is
// neither requested nor verified.
func relyingParty(origin string) (*webauthn.WebAuthn, error) {
	_, host := passkeyPlace(origin)
	return webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: "Meldhall", RPOrigins: []string{origin},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementDiscouraged, UserVerification: protocol.VerificationPreferred,
		},
		// Password managers send outputs that were not requested; none is used.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
}

// holder is an account as the WebAuthn ceremonies see it.
type holder struct {
	account int64
	name    string
	keys    []account.Passkey
}

// WebAuthnID identifies the account to a device without revealing its name.
func (h holder) WebAuthnID() []byte {
	id := sha256.Sum256(fmt.Appendf(nil, "meldhall account %d", h.account))
	return id[:]
}

// WebAuthnName returns the name that a device shows for a key.
func (h holder) WebAuthnName() string { return h.name }

// WebAuthnDisplayName returns the same name as WebAuthnName.
func (h holder) WebAuthnDisplayName() string { return h.name }

// WebAuthnCredentials returns the account's keys.
func (h holder) WebAuthnCredentials() []webauthn.Credential {
	list := make([]webauthn.Credential, len(h.keys))
	for i, k := range h.keys {
		list[i] = webauthn.Credential{ID: k.Credential, PublicKey: k.PublicKey,
			Flags:         webauthn.NewCredentialFlags(protocol.AuthenticatorFlags(k.Flags)),
			Authenticator: webauthn.Authenticator{SignCount: k.SignCount}}
	}
	return list
}

func (a *Accounts) holderOf(c *gin.Context, acc int64) (h holder, err error) {
	actor, err := account.AccountActor(c.Request.Context(), a.store, acc)
	if err != nil {
		return h, err
	}
	h = holder{account: acc, name: actor.Name}
	h.keys, err = account.PasskeysOf(c.Request.Context(), a.store, acc)
	return h, err
}

// NewPasskey returns the challenge for registering a device's key with an official's account.
func (a *Accounts) NewPasskey(c *gin.Context, me rights.Actor) (ask Challenge, err error) {
	if ask.Origin = a.passkeyOrigin(c); ask.Origin == "" {
		return ask, nil
	}
	party, err := relyingParty(ask.Origin)
	if err != nil {
		return ask, err
	}
	h, err := a.holderOf(c, me.Account)
	if err != nil {
		return ask, err
	}
	known := webauthn.Credentials(h.WebAuthnCredentials()).CredentialDescriptors()
	made, session, err := party.BeginRegistration(h, webauthn.WithExclusions(known))
	if err != nil {
		return ask, err
	}
	ask.Ticket = a.newKeys.give(me.Account)
	a.newKeys.ask(ask.Ticket, session)
	return ask, ask.with(made.Response)
}

func (a *Challenge) with(options any) error {
	text, err := json.Marshal(options)
	a.Options = string(text)
	return err
}

// AddPasskey verifies a device's response to a ticket's challenge and adds the key. A ticket is valid once. It returns
// the recovery codes if they are new.
func (a *Accounts) AddPasskey(c *gin.Context, me rights.Actor, ticket, answer string,
	with account.AddPasskey) (codes []string, err error) {
	session, acc := a.newKeys.take(ticket)
	a.newKeys.end(ticket)
	if session == nil || acc != me.Account {
		return nil, refuse.Conflict("err_passkey_over")
	}
	with.Keep = account.SessionHash(a.sessions.Token(c))
	err = a.bounded(codeKey(me.Account), func() error {
		if with.Key, err = a.newKey(c, me, session, answer); err == nil {
			codes, err = action.Do(c.Request.Context(), a.desk, me, with)
		}
		return err
	})
	if errors.Is(err, account.ErrPasskeyWrong) {
		a.notes.Add(c, security.Refused, me.Name, byPasskey)
	}
	return codes, err
}

func (a *Accounts) newKey(c *gin.Context, me rights.Actor, session *webauthn.SessionData,
	answer string) (key account.DeviceKey, err error) {
	party, err := relyingParty(a.passkeyOrigin(c))
	if err != nil {
		return key, account.ErrPasskeyWrong
	}
	said, err := protocol.ParseCredentialCreationResponseBytes([]byte(answer))
	if err != nil {
		return key, account.ErrPasskeyWrong
	}
	made, err := party.CreateCredential(holder{account: me.Account, name: me.Name}, *session, said)
	if err != nil {
		return key, account.ErrPasskeyWrong
	}
	return deviceKey(made), nil
}

func deviceKey(of *webauthn.Credential) account.DeviceKey {
	return account.DeviceKey{Credential: of.ID, PublicKey: of.PublicKey, SignCount: of.Authenticator.SignCount,
		Flags: uint8(of.Flags.ProtocolValue())}
}

// DropPasskey removes a passkey.
func (a *Accounts) DropPasskey(c *gin.Context, me rights.Actor, with account.DropPasskey) error {
	with.Keep = account.SessionHash(a.sessions.Token(c))
	return a.bounded(codeKey(me.Account), func() error {
		_, err := action.Do(c.Request.Context(), a.desk, me, with)
		return err
	})
}

// Second lists the ways in which an account can complete the second step after its password.
type Second struct {
	App, Passkeys bool
	Ask           Challenge
}

// SecondOf returns the ways to complete a waiting sign-in, with a new challenge that replaces an earlier one. For an
// unknown or expired ticket it returns no ways and no error.
func (a *Accounts) SecondOf(c *gin.Context, ticket string) (second Second, err error) {
	acc, ok := a.halves.of(ticket)
	if !ok {
		return second, nil
	}
	if second.App, err = account.HasApp(c.Request.Context(), a.store, acc); err != nil {
		return second, err
	}
	h, err := a.holderOf(c, acc)
	second.Passkeys = len(h.keys) > 0
	if second.Ask.Origin = a.passkeyOrigin(c); err != nil || !second.Passkeys || second.Ask.Origin == "" {
		return second, err
	}
	party, err := relyingParty(second.Ask.Origin)
	if err != nil {
		return second, err
	}
	asked, session, err := party.BeginLogin(h)
	if err != nil {
		return second, err
	}
	a.halves.ask(ticket, session)
	return second, second.Ask.with(asked.Response)
}

// SignInByPasskey completes a waiting sign-in with a device's response to its ticket's challenge. A challenge is valid
// for one response. Unauthenticated errors: err_passkey_wrong, err_passkey_copied or err_second_over.
func (a *Accounts) SignInByPasskey(c *gin.Context, ticket, answer, device string) (Session, error) {
	acc, ok := a.halves.of(ticket)
	if !ok {
		return Session{}, refuse.Unauthenticated("err_second_over")
	}
	session, _ := a.halves.take(ticket)
	h, err := a.holderOf(c, acc)
	if err != nil {
		return Session{}, err
	}
	err = a.boundedCode(c, h.name, device, func() error { return a.useKey(c, h, session, answer) })
	var refused *refuse.Error
	if errors.As(err, &refused) && errors.Is(err, refuse.ErrForbidden) {
		what := byPasskey
		if errors.Is(err, account.ErrPasskeyCopied) {
			what = copiedPasskey
		}
		a.notes.Add(c, security.Refused, h.name, what)
		err = refuse.Unauthenticated(refused.Key)
	}
	if err != nil {
		return Session{}, err
	}
	actor, err := account.AccountActor(c.Request.Context(), a.store, acc)
	if err != nil {
		return Session{}, err
	}
	a.halves.end(ticket)
	return a.begin(c, actor, byPasskey, device)
}

func (a *Accounts) useKey(c *gin.Context, h holder, session *webauthn.SessionData, answer string) error {
	party, err := relyingParty(a.passkeyOrigin(c))
	if err != nil || session == nil {
		return account.ErrPasskeyWrong
	}
	said, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer))
	if err != nil {
		return account.ErrPasskeyWrong
	}
	used, err := party.ValidateLogin(h, *session, said)
	if err != nil {
		return account.ErrPasskeyWrong
	}
	key := deviceKey(used)
	key.SignCount = said.Response.AuthenticatorData.Counter // the library keeps the higher count
	return account.UsePasskey(c.Request.Context(), a.store, h.account, key)
}
