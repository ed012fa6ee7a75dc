// Package signin signs officials in and changes their secrets: passwords, PINs, second factors and passkeys. It also
// contains their sessions and cookies, and adds entries about requests to the security log.
package signin

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/security"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
	"meldhall/web/guard"
)

// Accounts signs officials in and changes their passwords, PINs, devices and second factors. It limits attempts at
// each secret.
type Accounts struct {
	store    *store.DB
	desk     *action.Desk
	address  string // whose passkeys are used; "": that of the request
	sessions *Sessions
	notes    *Notes

	signIns   *guard.SignIns
	codeTries *guard.SignIns  // counts tries at second factors
	codes     *guard.Throttle // counts wrong codes, including those for seats and screens
	Pins      *guard.PINTries
	halves    *halves
	newKeys   *halves // passkeys being added
}

// NewAccounts returns the sign-in of a desk. address is the server's base URL, and codes counts wrong codes.
func NewAccounts(desk *action.Desk, address string, sessions *Sessions, notes *Notes, codes *guard.Throttle,
	now func() time.Time) *Accounts {
	a := &Accounts{store: desk.DB, desk: desk, address: address, sessions: sessions, notes: notes, codes: codes,
		signIns: guard.NewSignIns(now), codeTries: guard.NewCodeTries(now), Pins: guard.NewPINTries(now),
		halves: newHalves(now, desk.DB.Nodes.Shelf("sign-in")), newKeys: newHalves(now, desk.DB.Nodes.Shelf("new key"))}
	if book := desk.DB.Nodes.Tries(); book != nil {
		a.tries().Keep(book)
	}
	return a
}

// tries returns the counters of attempts at secrets, which all nodes share.
func (a *Accounts) tries() guard.Shared {
	all := guard.Shared{"PINs": a.Pins, "codes": a.codes}
	a.signIns.Shared("passwords", all)
	a.codeTries.Shared("second steps", all)
	return all
}

// Credentials are an official's sign-in data. Device is the device token from an earlier sign-in, and Code is the code
// of the second factor. Either may be empty.
type Credentials struct{ Name, Password, Device, Code string }

// SignIn checks the name and password and begins a session with a new token. Wrong attempts are limited for unknown
// devices, and separately for each device that has used the account.
func (a *Accounts) SignIn(c *gin.Context, with Credentials) (Session, error) {
	ctx := c.Request.Context()
	try, known, err := a.try(c, a.signIns, with.Name, with.Device)
	if err != nil {
		return Session{}, err
	}
	defer try.End()
	actor, err := account.SignIn(ctx, a.store, with.Name, with.Password, known)
	if err != nil {
		if errors.Is(err, refuse.ErrUnauthenticated) {
			try.Failed()
			a.notes.Add(c, security.Refused, a.nameOf(ctx, with.Name), byPassword)
		}
		return Session{}, err
	}
	try.Succeeded()
	return a.afterPassword(c, actor, with)
}

// try begins a sign-in attempt for the account with the given name. device is a device token or empty. known reports
// whether the account has used that device.
func (a *Accounts) try(c *gin.Context, tries *guard.SignIns, name, device string) (_ *guard.SignInTry, known bool,
	err error) {
	acc := spelling.Fold(name)
	if known, err = account.KnownAt(c.Request.Context(), a.store, device, name); err != nil {
		return nil, false, err
	}
	if known {
		try, err := tries.BeginKnown(secret.Hash(device) + " at " + acc)
		return try, true, err
	}
	try, err := tries.Begin(acc, c.ClientIP())
	return try, false, err
}

// SetUp creates the first organizer's account with the token that the server printed, and begins a session.
func (a *Accounts) SetUp(c *gin.Context, with account.SetUp, device string) (Session, error) {
	from := "setup " + guard.Network(c.ClientIP())
	if err := a.codes.Check(from); err != nil {
		return Session{}, err
	}
	actor, err := action.Do(c.Request.Context(), a.desk, rights.Public(), with)
	if errors.Is(err, refuse.ErrForbidden) {
		a.codes.Failed(from)
		a.notes.Add(c, security.Refused, "", bySetup)
	}
	if err != nil {
		return Session{}, err
	}
	return a.begin(c, actor, bySetup, device)
}

// AcceptInvite accepts an invitation and begins a session.
func (a *Accounts) AcceptInvite(c *gin.Context, me rights.Actor, with account.AcceptInvite,
	device string) (Session, error) {
	ctx := c.Request.Context()
	invited, err := account.Invited(ctx, a.store, with.Token)
	if err != nil {
		a.notes.Refused(c, err, "", byInvite)
		return Session{}, err
	}
	var actor rights.Actor
	err = a.boundedCode(c, invited.Name, device, func() error {
		actor, err = action.Do(ctx, a.desk, me, with)
		return err
	})
	if err != nil {
		a.notes.Refused(c, err, invited.Name, byInvite)
		return Session{}, err
	}
	return a.begin(c, actor, byInvite, device)
}

// ChangePassword changes the password. It limits attempts at the old password, counting only those from the official's
// own sessions.
func (a *Accounts) ChangePassword(c *gin.Context, me rights.Actor, old, password string) error {
	change := account.ChangePassword{Old: old, Password: password, Keep: account.SessionHash(a.sessions.Token(c))}
	return a.bounded(PINKey(me.Account), func() error {
		_, err := action.Do(c.Request.Context(), a.desk, me, change)
		return err
	})
}

// SetPIN sets the official's own PIN and resets the count of wrong PINs. It limits attempts at the password as
// ChangePassword does.
func (a *Accounts) SetPIN(c *gin.Context, me rights.Actor, with account.SetPIN) error {
	err := a.bounded(PINKey(me.Account), func() error {
		_, err := action.Do(c.Request.Context(), a.desk, me, with)
		return err
	})
	if err == nil {
		a.Pins.Succeeded(PINKey(me.Account))
	}
	return err
}

// RevokeDevice signs a device out. It limits attempts at the password as ChangePassword does.
func (a *Accounts) RevokeDevice(c *gin.Context, me rights.Actor, with account.RevokeDevice) (device account.Device,
	err error) {
	with.Here = account.SessionHash(a.sessions.Token(c))
	err = a.bounded(PINKey(me.Account), func() error {
		device, err = action.Do(c.Request.Context(), a.desk, me, with)
		return err
	})
	return device, err
}

// PINKey returns the key by which attempts at an official's PIN are counted.
func PINKey(account int64) string { return "account " + strconv.FormatInt(account, 10) }

// begin signs in an official who has been authenticated. how is the way to sign in, as named in the security log.
// device is the token that the browser or program brought, or empty.
func (a *Accounts) begin(c *gin.Context, actor rights.Actor, how, device string) (Session, error) {
	begun, err := a.sessions.Begin(c.Request.Context(), actor, c.Request.UserAgent(), device)
	if err == nil {
		a.notes.Add(c, security.SignedIn, actor.Name, how)
	}
	return begun, err
}

// nameOf returns the account name for a typed name, as the account spells it; "" if there is none.
func (a *Accounts) nameOf(ctx context.Context, typed string) string {
	name, err := account.NameOf(ctx, a.store, typed)
	if err != nil {
		return ""
	}
	return name
}
