package shell

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/tournament/staff"
	"meldhall/web/guard"
)

// What the security log calls the ways in, which it has texts for (security.what).
const (
	byPassword = "password"
	byCode     = "code" // of the second factor
	byPasskey  = "passkey"
	byInvite   = "invite"
	bySetup    = "setup"
	byJoining  = "join"
	ByPIN      = "pin"

	copiedPasskey = "passkey_copied"
)

// Note keeps something in the security log. Name is an official's, or empty; never what somebody typed.
func (s *Shell) Note(c *gin.Context, kind security.Kind, name, what string) {
	s.security.Note(security.Entry{Kind: kind, Name: name, Address: c.ClientIP(), What: what, Request: requestID(c)})
}

// noteRefused keeps an error in the security log that says that something secret was wrong.
func (s *Shell) noteRefused(c *gin.Context, err error, name, what string) {
	if errors.Is(err, refuse.ErrUnauthenticated) || errors.Is(err, refuse.ErrForbidden) || errors.Is(err, refuse.ErrNotFound) {
		s.Note(c, security.Refused, name, what)
	}
}

// noteCommon keeps what anybody can have happen without end: of an IPv6 address its network alone, or each of its addresses would be
// written.
func (s *Shell) noteCommon(c *gin.Context, kind security.Kind) {
	c.Set(notedKey, true)
	s.security.Note(security.Entry{Kind: kind, Address: guard.Network(c.ClientIP()), What: c.FullPath(), Request: requestID(c)})
}

// noteFailure keeps what every address may be refused with.
func (s *Shell) noteFailure(c *gin.Context, err error) {
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

// isImpossible tells of a play with tiles that are elsewhere, which no tablet sends.
func isImpossible(err error) bool {
	play := new(engine.Refusal)
	return errors.As(err, &play) && (play.Code == engine.CodeTileLost || play.Code == engine.CodeNotOnRack)
}

// NoteInput keeps that a request brought what no page of ours sends: by the name of who is known, else by the address.
func (s *Shell) NoteInput(c *gin.Context) {
	who := CallersIn(c)
	if me := first(who.Staff, who.Player); me.Role != rights.RolePublic {
		s.Note(c, security.Input, me.Name, c.FullPath())
		return
	}
	s.noteCommon(c, security.Input)
}

// nameOf is the name of the account that was typed as it is written, "" where there is none.
func (s *Shell) nameOf(ctx context.Context, typed string) string {
	name, err := staff.NameOf(ctx, s.venue.Store, typed)
	if err != nil {
		return ""
	}
	return name
}

// noteRecord keeps what was changed of accounts and rights.
func (s *Shell) noteRecord(r door.Record) {
	_, name, _ := strings.Cut(r.Actor, ":") // none has a colon in it
	for _, of := range []string{"account.", "device.", "zone."} {
		if strings.HasPrefix(r.Kind, of) {
			s.security.Note(security.Entry{Kind: security.Rights, Name: name, What: r.Kind, About: r.About().Name})
		}
	}
	if strings.HasPrefix(r.Kind, "organization.") { // by its number: the entry stays when the organization is gone
		s.security.Note(security.Entry{Kind: security.Rights, Name: name, What: r.Kind, About: strconv.FormatInt(r.About().Number, 10)})
	}
}
