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
	"meldhall/tournament/store"
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

// Notes adds entries about requests to the security log.
type Notes struct {
	log   *security.Log
	store *store.DB
}

// Add adds an entry to the security log. name is an official's account name or empty, never typed text.
func (n *Notes) Add(c *gin.Context, kind security.Kind, name, what string) {
	n.log.Note(security.Entry{Kind: kind, Name: name, Address: c.ClientIP(), What: what, Request: requestID(c)})
}

// refused adds an entry to the security log if the error means that a secret was wrong.
func (n *Notes) refused(c *gin.Context, err error, name, what string) {
	if errors.Is(err, refuse.ErrUnauthenticated) || errors.Is(err, refuse.ErrForbidden) ||
		errors.Is(err, refuse.ErrNotFound) {
		n.Add(c, security.Refused, name, what)
	}
}

// common logs an event that anyone can cause without limit. For an IPv6 address it stores only the network;
// otherwise each address would get its own entry.
func (n *Notes) common(c *gin.Context, kind security.Kind) {
	c.Set(notedKey, true)
	n.log.Note(security.Entry{Kind: kind, Address: guard.Network(c.ClientIP()), What: c.FullPath(),
		Request: requestID(c)})
}

// failure logs refusals that concern security.
func (n *Notes) failure(c *gin.Context, err error) {
	switch {
	case errors.As(err, new(*guard.TooMany)), errors.Is(err, &refuse.Error{Kind: refuse.KindBusy}):
		n.common(c, security.Throttled)
	case errors.Is(err, &refuse.Error{Kind: refuse.KindUnauthenticated, Key: "err_token_unknown"}):
		n.common(c, security.Forged)
	case rights.Denied(err):
		if me := CallersIn(c).staff(); me.Role != rights.RolePublic {
			n.Add(c, security.Denied, me.Name, c.FullPath())
		}
	case TooDeep(err), errors.As(err, new(*http.MaxBytesError)), isUnreadable(err), isImpossible(err):
		n.Input(c)
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

// Input logs a request that none of our pages would send, by the caller's name if identified, otherwise by address.
func (n *Notes) Input(c *gin.Context) {
	if me := CallersIn(c).staff(); me.Role != rights.RolePublic {
		n.Add(c, security.Input, me.Name, c.FullPath())
		return
	}
	n.common(c, security.Input)
}

// nameOf returns the account name for a typed name, as the account spells it; "" if there is none.
func (n *Notes) nameOf(ctx context.Context, typed string) string {
	name, err := account.NameOf(ctx, n.store, typed)
	if err != nil {
		return ""
	}
	return name
}

// record logs a change of accounts and rights.
func (n *Notes) record(r action.Record) {
	_, name, _ := strings.Cut(r.Actor, ":") // a role contains no colon
	for _, of := range []string{"account.", "device.", "zone."} {
		if strings.HasPrefix(r.Kind, of) {
			n.log.Note(security.Entry{Kind: security.Rights, Name: name, What: r.Kind, About: r.About().Name})
		}
	}
	if strings.HasPrefix(r.Kind, "organization.") { // by number, because the entry outlives the organization
		n.log.Note(security.Entry{Kind: security.Rights, Name: name, What: r.Kind,
			About: strconv.FormatInt(r.About().Number, 10)})
	}
}
