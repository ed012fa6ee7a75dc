package signin

import (
	"errors"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/security"
	"meldhall/web/guard"
)

// The ways to sign in, as named in the security log. Each has a text (security.what).
const (
	byPassword = "password"
	byCode     = "code" // the code of the second factor
	byPasskey  = "passkey"
	byInvite   = "invite"
	bySetup    = "setup"
	ByJoining  = "join"
	ByPIN      = "pin"

	copiedPasskey = "passkey_copied"
)

// Notes adds entries about requests to the security log.
type Notes struct{ log *security.Log }

// NewNotes returns the notes in a security log.
func NewNotes(log *security.Log) *Notes { return &Notes{log} }

// notedKey is set in a request whose refusal is in the security log.
const notedKey = "noted"

// Noted reports whether a request's refusal is in the security log.
func Noted(c *gin.Context) bool { return c.GetBool(notedKey) }

// Add adds an entry to the security log. name is an official's account name or empty, never typed text.
func (n *Notes) Add(c *gin.Context, kind security.Kind, name, what string) {
	n.log.Note(security.Entry{Kind: kind, Name: name, Address: c.ClientIP(), What: what,
		Request: guard.RequestID(c.Writer)})
}

// Refused adds an entry to the security log if the error means that a secret was wrong.
func (n *Notes) Refused(c *gin.Context, err error, name, what string) {
	if errors.Is(err, refuse.ErrUnauthenticated) || errors.Is(err, refuse.ErrForbidden) ||
		errors.Is(err, refuse.ErrNotFound) {
		n.Add(c, security.Refused, name, what)
	}
}

// Common logs an event that anyone can cause without limit. For an IPv6 address it stores only the network;
// otherwise each address would get its own entry.
func (n *Notes) Common(c *gin.Context, kind security.Kind) {
	c.Set(notedKey, true)
	n.log.Note(security.Entry{Kind: kind, Address: guard.Network(c.ClientIP()), What: c.FullPath(),
		Request: guard.RequestID(c.Writer)})
}

// Record logs a change of accounts and rights.
func (n *Notes) Record(r action.Record) {
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
