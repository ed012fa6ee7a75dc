package shell

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

	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/tournament/staff"
)

// Challenge is what a page asks a device's key: Options for the browser as JSON, which is good for the page's Ticket alone, and at
// Origin. Without Options there is nothing to ask for at this address.
type Challenge struct{ Ticket, Options, Origin string }

// PasskeyOrigin is the origin whose passkeys are asked for, "" for none: keys belong to a name, and browsers use them on https and on
// the machine itself alone. It is that of the base URL; a request's own host, which whoever sends it may choose, counts only where
// it is this machine's.
func (s *Shell) PasskeyOrigin(c *gin.Context) string {
	if origin, _ := passkeyPlace(s.address); origin != "" {
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

// passkeyPlace gives the origin of an address and the name in it, where passkeys can be of that name.
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

// relyingParty asks for the passkeys of an origin. A key shows who has it; what makes it is not asked, and so not proved.
func relyingParty(origin string) (*webauthn.WebAuthn, error) {
	_, host := passkeyPlace(origin)
	return webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: "Meldhall", RPOrigins: []string{origin},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementDiscouraged, UserVerification: protocol.VerificationPreferred,
		},
		// Keepers of passwords send outputs that nobody asked for; none is used.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
}

// holder is an account as the ceremonies know it.
type holder struct {
	account int64
	name    string
	keys    []staff.Passkey
}

// WebAuthnID tells a device which account a key is of, without its name.
func (h holder) WebAuthnID() []byte {
	id := sha256.Sum256(fmt.Appendf(nil, "meldhall account %d", h.account))
	return id[:]
}

// WebAuthnName is what a device shows beside a key.
func (h holder) WebAuthnName() string { return h.name }

// WebAuthnDisplayName is the same.
func (h holder) WebAuthnDisplayName() string { return h.name }

// WebAuthnCredentials are the account's keys.
func (h holder) WebAuthnCredentials() []webauthn.Credential {
	list := make([]webauthn.Credential, len(h.keys))
	for i, k := range h.keys {
		list[i] = webauthn.Credential{ID: k.Credential, PublicKey: k.PublicKey, Flags: webauthn.NewCredentialFlags(protocol.AuthenticatorFlags(k.Flags)),
			Authenticator: webauthn.Authenticator{SignCount: k.SignCount}}
	}
	return list
}

func (s *Shell) holderOf(c *gin.Context, account int64) (h holder, err error) {
	actor, err := staff.AccountActor(c.Request.Context(), s.venue.Store, account)
	if err != nil {
		return h, err
	}
	h = holder{account: account, name: actor.Name}
	h.keys, err = staff.PasskeysOf(c.Request.Context(), s.venue.Store, account)
	return h, err
}

// NewPasskey asks a device for a key for an official's account.
func (s *Shell) NewPasskey(c *gin.Context, me rights.Actor) (ask Challenge, err error) {
	if ask.Origin = s.PasskeyOrigin(c); ask.Origin == "" {
		return ask, nil
	}
	party, err := relyingParty(ask.Origin)
	if err != nil {
		return ask, err
	}
	h, err := s.holderOf(c, me.Account)
	if err != nil {
		return ask, err
	}
	known := webauthn.Credentials(h.WebAuthnCredentials()).CredentialDescriptors()
	made, session, err := party.BeginRegistration(h, webauthn.WithExclusions(known))
	if err != nil {
		return ask, err
	}
	ask.Ticket = s.newKeys.give(me.Account)
	s.newKeys.ask(ask.Ticket, session)
	return ask, ask.with(made.Response)
}

func (a *Challenge) with(options any) error {
	text, err := json.Marshal(options)
	a.Options = string(text)
	return err
}

// AddPasskey adds the key by which a device has answered the challenge of a ticket, which is good once, and gives the recovery codes
// if they are new.
func (s *Shell) AddPasskey(c *gin.Context, me rights.Actor, ticket, answer string, with staff.AddPasskey) (codes []string, err error) {
	session, account := s.newKeys.take(ticket)
	s.newKeys.end(ticket)
	if session == nil || account != me.Account {
		return nil, refuse.Conflict("err_passkey_over")
	}
	with.Keep = staff.SessionHash(s.StaffToken(c))
	err = s.bounded(codeKey(me.Account), func() error {
		if with.Key, err = s.newKey(c, me, session, answer); err == nil {
			codes, err = door.Do(c.Request.Context(), s.Desk, me, with)
		}
		return err
	})
	if errors.Is(err, staff.ErrPasskeyWrong) {
		s.Note(c, security.Refused, me.Name, byPasskey)
	}
	return codes, err
}

func (s *Shell) newKey(c *gin.Context, me rights.Actor, session *webauthn.SessionData, answer string) (key staff.DeviceKey, err error) {
	party, err := relyingParty(s.PasskeyOrigin(c))
	if err != nil {
		return key, staff.ErrPasskeyWrong
	}
	said, err := protocol.ParseCredentialCreationResponseBytes([]byte(answer))
	if err != nil {
		return key, staff.ErrPasskeyWrong
	}
	made, err := party.CreateCredential(holder{account: me.Account, name: me.Name}, *session, said)
	if err != nil {
		return key, staff.ErrPasskeyWrong
	}
	return deviceKey(made), nil
}

func deviceKey(of *webauthn.Credential) staff.DeviceKey {
	return staff.DeviceKey{Credential: of.ID, PublicKey: of.PublicKey, SignCount: of.Authenticator.SignCount, Flags: uint8(of.Flags.ProtocolValue())}
}

// DropPasskey takes a passkey away.
func (s *Shell) DropPasskey(c *gin.Context, me rights.Actor, with staff.DropPasskey) error {
	with.Keep = staff.SessionHash(s.StaffToken(c))
	return s.bounded(codeKey(me.Account), func() error { return ErrOf(door.Do(c.Request.Context(), s.Desk, me, with)) })
}

// Second is how an account that has shown its password can show the second step.
type Second struct {
	App, Passkeys bool
	Ask           Challenge
}

// SecondOf gives the ways of the second step of a sign-in that waits for it, with a new challenge in place of an earlier one.
func (s *Shell) SecondOf(c *gin.Context, ticket string) (second Second, err error) {
	account, ok := s.halves.of(ticket)
	if !ok {
		return second, nil
	}
	if second.App, err = staff.HasApp(c.Request.Context(), s.venue.Store, account); err != nil {
		return second, err
	}
	h, err := s.holderOf(c, account)
	second.Passkeys = len(h.keys) > 0
	if second.Ask.Origin = s.PasskeyOrigin(c); err != nil || !second.Passkeys || second.Ask.Origin == "" {
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
	s.halves.ask(ticket, session)
	return second, second.Ask.with(asked.Response)
}

// SignInByPasskey goes on with a sign-in that waits for its second step, by what a device has answered to the challenge of its
// ticket, which is good for one answer. Unauthenticated: err_passkey_wrong, err_passkey_copied or err_second_over.
func (s *Shell) SignInByPasskey(c *gin.Context, ticket, answer, device string) (Session, error) {
	account, ok := s.halves.of(ticket)
	if !ok {
		return Session{}, refuse.Unauthenticated("err_second_over")
	}
	session, _ := s.halves.take(ticket)
	h, err := s.holderOf(c, account)
	if err != nil {
		return Session{}, err
	}
	err = s.boundedCode(c, h.name, device, func() error { return s.useKey(c, h, session, answer) })
	var refused *refuse.Error
	if errors.As(err, &refused) && errors.Is(err, refuse.ErrForbidden) {
		what := byPasskey
		if errors.Is(err, staff.ErrPasskeyCopied) {
			what = copiedPasskey
		}
		s.Note(c, security.Refused, h.name, what)
		err = refuse.Unauthenticated(refused.Key)
	}
	if err != nil {
		return Session{}, err
	}
	actor, err := staff.AccountActor(c.Request.Context(), s.venue.Store, account)
	if err != nil {
		return Session{}, err
	}
	s.halves.end(ticket)
	return s.Begin(c, actor, byPasskey, device)
}

func (s *Shell) useKey(c *gin.Context, h holder, session *webauthn.SessionData, answer string) error {
	party, err := relyingParty(s.PasskeyOrigin(c))
	if err != nil || session == nil {
		return staff.ErrPasskeyWrong
	}
	said, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer))
	if err != nil {
		return staff.ErrPasskeyWrong
	}
	used, err := party.ValidateLogin(h, *session, said)
	if err != nil {
		return staff.ErrPasskeyWrong
	}
	key := deviceKey(used)
	key.SignCount = said.Response.AuthenticatorData.Counter // the library keeps the higher one
	return staff.UsePasskey(c.Request.Context(), s.venue.Store, h.account, key)
}
