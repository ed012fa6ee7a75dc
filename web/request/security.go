package request

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/web/guard"
)

// The ways to sign in, as named in the security log. Each has a text (security.what).
const (
	byPassword = "password"
	byCode     = "code" // the second factor's
	byPasskey  = "passkey"
	byInvite   = "invite"
	bySetup    = "setup"
	byJoining  = "join"
	ByPIN      = "pin"

	copiedPasskey = "passkey_copied"
)

// Note adds an entry to the security log. name is an official's account name or empty, never typed text.
func (s *Base) Note(c *gin.Context, kind security.Kind, name, what string) {
	s.security.Note(security.Entry{Kind: kind, Name: name, Address: c.ClientIP(), What: what, Request: requestID(c)})
}

// noteRefused adds an entry to the security log if the error means that a secret was wrong.
func (s *Base) noteRefused(c *gin.Context, err error, name, what string) {
	if errors.Is(err, refuse.ErrUnauthenticated) || errors.Is(err, refuse.ErrForbidden) ||
		errors.Is(err, refuse.ErrNotFound) {
		s.Note(c, security.Refused, name, what)
	}
}

// noteCommon logs an event that anyone can cause without limit. For an IPv6 address it stores only the network;
// otherwise each address would get its own entry.
func (s *Base) noteCommon(c *gin.Context, kind security.Kind) {
	c.Set(notedKey, true)
	s.security.Note(security.Entry{Kind: kind, Address: guard.Network(c.ClientIP()), What: c.FullPath(),
		Request: requestID(c)})
}

// noteFailure logs refusals that concern security.
func (s *Base) noteFailure(c *gin.Context, err error) {
	switch {
	case errors.As(err, new(*guard.TooMany)), errors.Is(err, &refuse.Error{Kind: refuse.KindBusy}):
		s.noteCommon(c, security.Throttled)
	case errors.Is(err, &refuse.Error{Kind: refuse.KindUnauthenticated, Key: "err_token_unknown"}):
		s.noteCommon(c, security.Forged)
	case rights.Denied(err):
		who := CallersIn(c)
		if me := first(who.Staff, who.Player); me.Role != rights.RolePublic {
			s.Note(c, security.Denied, me.Name, c.FullPath())
		}
	case TooDeep(err), errors.As(err, new(*http.MaxBytesError)), isUnreadable(err), isImpossible(err):
		s.NoteInput(c)
	}
}

func isUnreadable(err error) bool {
	own := new(requestError)
	return errors.As(err, &own) && own.status == http.StatusBadRequest
}

// isImpossible reports whether a play used tiles that are not there, which no tablet sends.
func isImpossible(err error) bool {
	play := new(engine.Refusal)
	return errors.As(err, &play) && (play.Code == judge.CodeTileLost || play.Code == judge.CodeNotOnRack)
}

// NoteInput logs a request that none of our pages would send, by the caller's name if identified, otherwise by address.
func (s *Base) NoteInput(c *gin.Context) {
	who := CallersIn(c)
	if me := first(who.Staff, who.Player); me.Role != rights.RolePublic {
		s.Note(c, security.Input, me.Name, c.FullPath())
		return
	}
	s.noteCommon(c, security.Input)
}

// nameOf returns the account name for a typed name, as the account spells it; "" if there is none.
func (s *Base) nameOf(ctx context.Context, typed string) string {
	name, err := account.NameOf(ctx, s.view.Store, typed)
	if err != nil {
		return ""
	}
	return name
}

// noteRecord logs a change of accounts and rights.
func (s *Base) noteRecord(r action.Record) {
	_, name, _ := strings.Cut(r.Actor, ":") // a role contains no colon
	for _, of := range []string{"account.", "device.", "zone."} {
		if strings.HasPrefix(r.Kind, of) {
			s.security.Note(security.Entry{Kind: security.Rights, Name: name, What: r.Kind, About: r.About().Name})
		}
	}
	if strings.HasPrefix(r.Kind, "organization.") { // by number, because the entry outlives the organization
		s.security.Note(security.Entry{Kind: security.Rights, Name: name, What: r.Kind,
			About: strconv.FormatInt(r.About().Number, 10)})
	}
}
