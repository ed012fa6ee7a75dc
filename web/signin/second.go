package signin

import (
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-webauthn/webauthn/webauthn"

	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/security"
	"meldhall/tournament/store"
	"meldhall/web/guard"
)

// ErrCodeNeeded is the response to a correct password if the account also requires a code.
var ErrCodeNeeded = refuse.Unauthenticated("err_second_needed")

// afterPassword begins a session after the correct password, or requests the code.
func (a *Accounts) afterPassword(c *gin.Context, actor rights.Actor, with Credentials) (Session, error) {
	has, err := account.HasSecond(c.Request.Context(), a.store, actor.Account)
	switch {
	case err != nil:
		return Session{}, err
	case !has:
		return a.begin(c, actor, byPassword, with.Device)
	case with.Code == "":
		return Session{Ticket: a.halves.give(actor.Account)}, ErrCodeNeeded
	}
	return a.withCode(c, actor, with.Code, with.Device)
}

// SignInByCode completes a sign-in that waits for its code, identified by its ticket. Unauthenticated errors:
// err_second_wrong for a wrong code, err_second_over for an unknown or expired ticket.
func (a *Accounts) SignInByCode(c *gin.Context, ticket, code, device string) (Session, error) {
	acc, ok := a.halves.of(ticket)
	if !ok {
		return Session{}, refuse.Unauthenticated("err_second_over")
	}
	actor, err := account.AccountActor(c.Request.Context(), a.store, acc)
	if err != nil {
		return Session{}, err
	}
	begun, err := a.withCode(c, actor, code, device)
	if err == nil {
		a.halves.end(ticket)
	}
	return begun, err
}

func (a *Accounts) withCode(c *gin.Context, actor rights.Actor, code, device string) (Session, error) {
	err := a.boundedCode(c, actor.Name, device, func() error {
		return account.UseCode(c.Request.Context(), a.store, actor.Account, code)
	})
	if errors.Is(err, refuse.ErrForbidden) {
		a.notes.Add(c, security.Refused, actor.Name, byCode)
		err = refuse.Unauthenticated("err_second_wrong")
	}
	if err != nil {
		return Session{}, err
	}
	return a.begin(c, actor, byCode, device)
}

// AddSecond makes the official's account require a code from now on, and returns the recovery codes.
func (a *Accounts) AddSecond(c *gin.Context, me rights.Actor, with account.AddSecond) (codes []string, err error) {
	with.Keep = account.SessionHash(a.sessions.Token(c))
	err = a.bounded(codeKey(me.Account), func() error {
		codes, err = action.Do(c.Request.Context(), a.desk, me, with)
		return err
	})
	return codes, err
}

// DropSecond makes the official's account require only the password again.
func (a *Accounts) DropSecond(c *gin.Context, me rights.Actor, with account.DropSecond) error {
	with.Keep = account.SessionHash(a.sessions.Token(c))
	return a.bounded(codeKey(me.Account), func() error {
		_, err := action.Do(c.Request.Context(), a.desk, me, with)
		return err
	})
}

// bounded runs an action for which an official enters a secret. Wrong secrets, which are Forbidden, are limited by key.
func (a *Accounts) bounded(key string, do func() error) error {
	try, err := a.signIns.BeginKnown(key)
	if err != nil {
		return err
	}
	return tried(try, do)
}

// boundedCode is like bounded for a code at sign-in, which anyone with the password may enter. Other people's wrong
// codes do not lock the official out on a device that has used the account or on another network.
func (a *Accounts) boundedCode(c *gin.Context, name, device string, do func() error) error {
	try, _, err := a.try(c, a.codeTries, name, device)
	if err != nil {
		return err
	}
	return tried(try, do)
}

func tried(try *guard.SignInTry, do func() error) error {
	defer try.End()
	err := do()
	switch {
	case err == nil:
		try.Succeeded()
	case errors.Is(err, refuse.ErrForbidden):
		try.Failed()
	}
	return err
}

// codeKey returns the key by which wrong codes in an official's own sessions are counted.
func codeKey(account int64) string { return "code " + strconv.FormatInt(account, 10) }

// halves stores sign-ins with a correct password whose second step is pending, by the hash of their ticket. They are
// stored in memory, or shared with the other nodes.
type halves struct {
	now   func() time.Time
	nodes *store.Shelf
	mu    sync.Mutex
	open  map[string]half
}

type half struct {
	Account int64
	Until   time.Time
	Asked   *webauthn.SessionData // pending passkey challenge, or nil
}

const (
	halfLife   = 5 * time.Minute
	halvesMost = 1000
)

func newHalves(now func() time.Time, nodes *store.Shelf) *halves {
	return &halves{now: now, nodes: nodes, open: map[string]half{}}
}

// give stores a pending sign-in and returns its ticket. If too many are pending in memory, all are dropped and must
// start again: an attacker who creates that many knows a password.
func (h *halves) give(account int64) (ticket string) {
	ticket = secret.NewToken()
	h.put(secret.Hash(ticket), half{Account: account, Until: h.now().Add(halfLife)})
	return ticket
}

func (h *halves) put(hash string, one half) {
	if h.nodes != nil {
		h.nodes.Put(hash, one, one.Until)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for hash, one := range h.open {
		if !one.Until.After(h.now()) {
			delete(h.open, hash)
		}
	}
	if len(h.open) >= halvesMost {
		clear(h.open)
	}
	h.open[hash] = one
}

// see returns a pending sign-in unless it has expired. With take it also removes the sign-in.
func (h *halves) see(ticket string, take bool) (one half, ok bool) {
	hash := secret.Hash(ticket)
	switch {
	case h.nodes != nil && take:
		ok = h.nodes.Take(hash, &one)
		return one, ok
	case h.nodes != nil:
		ok = h.nodes.See(hash, &one)
		return one, ok
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if one, ok = h.open[hash]; take {
		delete(h.open, hash)
	}
	return one, ok && one.Until.After(h.now())
}

func (h *halves) of(ticket string) (account int64, ok bool) {
	one, ok := h.see(ticket, false)
	return one.Account, ok
}

// ask stores a passkey challenge, replacing an earlier one.
func (h *halves) ask(ticket string, challenge *webauthn.SessionData) {
	h.change(ticket, func(one *half) { one.Asked = challenge })
}

// take returns a ticket's challenge and account, and removes the challenge; nil for none.
func (h *halves) take(ticket string) (challenge *webauthn.SessionData, account int64) {
	h.change(ticket, func(one *half) {
		challenge, account = one.Asked, one.Account
		one.Asked = nil
	})
	return challenge, account
}

// change changes a pending sign-in unless it has expired. The entry stays present during the change, except when it is
// shared with other nodes.
func (h *halves) change(ticket string, change func(*half)) {
	hash := secret.Hash(ticket)
	if h.nodes != nil {
		if one, ok := h.see(ticket, true); ok {
			change(&one)
			h.put(hash, one)
		}
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if one, ok := h.open[hash]; ok && one.Until.After(h.now()) {
		change(&one)
		h.open[hash] = one
	}
}

func (h *halves) end(ticket string) { h.see(ticket, true) }
