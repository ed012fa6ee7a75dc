package shell

import (
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-webauthn/webauthn/webauthn"

	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/security"
	"meldhall/tournament/staff"
	"meldhall/tournament/storage"
	"meldhall/web/guard"
)

// ErrCodeNeeded is what a right password is answered with where the account asks for a code as well.
var ErrCodeNeeded = refuse.Unauthenticated("err_second_needed")

// afterPassword begins a session of who has shown the password, or asks for the code.
func (s *Shell) afterPassword(c *gin.Context, actor rights.Actor, with Credentials) (Session, error) {
	has, err := staff.HasSecond(c.Request.Context(), s.venue.Store, actor.Account)
	switch {
	case err != nil:
		return Session{}, err
	case !has:
		return s.Begin(c, actor, byPassword, with.Device)
	case with.Code == "":
		return Session{Ticket: s.halves.give(actor.Account)}, ErrCodeNeeded
	}
	return s.withCode(c, actor, with.Code, with.Device)
}

// secondStep refuses an official without a second step everything but to set one up, where one is asked for.
func (s *Shell) secondStep(c *gin.Context, who callers) error {
	if !s.SecondStep || who.Staff == nil || forSecond.MatchString(c.FullPath()) {
		return nil
	}
	has, err := staff.HasSecond(c.Request.Context(), s.venue.Store, who.Staff.Account)
	if err == nil && !has {
		err = Refused(http.StatusForbidden, "err_second_must")
	}
	return err
}

// forSecond finds the addresses that are needed to set a second step up, and to go away.
var forSecond = regexp.MustCompile(`^(/account(/.*)?|/sign-out|` + APIBase + `/(own/.*|sign-out))$`)

// SignInByCode goes on with a sign-in that waits for its code, by the ticket that it gave. Unauthenticated: err_second_wrong for a
// wrong code, err_second_over for a ticket that is none, or no more.
func (s *Shell) SignInByCode(c *gin.Context, ticket, code, device string) (Session, error) {
	account, ok := s.halves.of(ticket)
	if !ok {
		return Session{}, refuse.Unauthenticated("err_second_over")
	}
	actor, err := staff.AccountActor(c.Request.Context(), s.venue.Store, account)
	if err != nil {
		return Session{}, err
	}
	begun, err := s.withCode(c, actor, code, device)
	if err == nil {
		s.halves.end(ticket)
	}
	return begun, err
}

func (s *Shell) withCode(c *gin.Context, actor rights.Actor, code, device string) (Session, error) {
	err := s.boundedCode(c, actor.Name, device, func() error {
		return staff.UseCode(c.Request.Context(), s.venue.Store, actor.Account, code)
	})
	if errors.Is(err, refuse.ErrForbidden) {
		s.Note(c, security.Refused, actor.Name, byCode)
		err = refuse.Unauthenticated("err_second_wrong")
	}
	if err != nil {
		return Session{}, err
	}
	return s.Begin(c, actor, byCode, device)
}

// AddSecond lets the official's account ask for a code from now on, and gives the recovery codes.
func (s *Shell) AddSecond(c *gin.Context, me rights.Actor, with staff.AddSecond) (codes []string, err error) {
	with.Keep = staff.SessionHash(s.StaffToken(c))
	err = s.bounded(codeKey(me.Account), func() error {
		codes, err = door.Do(c.Request.Context(), s.Desk, me, with)
		return err
	})
	return codes, err
}

// DropSecond lets it ask for the password alone again.
func (s *Shell) DropSecond(c *gin.Context, me rights.Actor, with staff.DropSecond) error {
	with.Keep = staff.SessionHash(s.StaffToken(c))
	return s.bounded(codeKey(me.Account), func() error { return ErrOf(door.Do(c.Request.Context(), s.Desk, me, with)) })
}

// bounded does something for which an official shows a secret: wrong ones, which are Forbidden, are bounded by the key.
func (s *Shell) bounded(key string, do func() error) error {
	try, err := s.signIns.BeginKnown(key)
	if err != nil {
		return err
	}
	return tried(try, do)
}

// boundedCode is bounded for a code at the sign-in to an account, which anybody may be asked for who knows the password: wrong ones
// of others do not keep the official out, on a known device or from another network.
func (s *Shell) boundedCode(c *gin.Context, name, device string, do func() error) error {
	try, _, err := s.try(c, s.codeTries, name, device)
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

// codeKey names the tries at codes in an official's own sessions.
func codeKey(account int64) string { return "code " + strconv.FormatInt(account, 10) }

// halves are sign-ins whose password was right and whose second step is still to come, by the hash of their ticket: in memory alone, or with
// the other nodes.
type halves struct {
	now   func() time.Time
	nodes *storage.Shelf
	mu    sync.Mutex
	open  map[string]half
}

type half struct {
	Account int64
	Until   time.Time
	Asked   *webauthn.SessionData // that a passkey has not answered yet, or nil
}

const (
	halfLife   = 5 * time.Minute
	halvesMost = 1000
)

func newHalves(now func() time.Time, nodes *storage.Shelf) *halves {
	return &halves{now: now, nodes: nodes, open: map[string]half{}}
}

// give begins one. Where there are too many all begin again: whoever makes so many knows a password.
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

// see gives one that is not over; with take nobody else has it from then on.
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

// ask keeps a challenge for a passkey in place of an earlier one.
func (h *halves) ask(ticket string, challenge *webauthn.SessionData) {
	h.change(ticket, func(one *half) { one.Asked = challenge })
}

// take gives a ticket's challenge, once, and whose it is; nil for none.
func (h *halves) take(ticket string) (challenge *webauthn.SessionData, account int64) {
	h.change(ticket, func(one *half) {
		challenge, account = one.Asked, one.Account
		one.Asked = nil
	})
	return challenge, account
}

// change changes one that is not over. It is there all the while, but for other nodes.
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
