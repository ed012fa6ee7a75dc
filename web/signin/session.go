package signin

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/gin-gonic/gin"

	"meldhall/tournament/account"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// The lifetimes of an official's session, and how old its last use may be before it is stored again.
const (
	sessionLife  = 24 * time.Hour
	sessionIdle  = 8 * time.Hour
	sessionTouch = 5 * time.Minute

	accountValue = "account"
	usedValue    = "used"
)

// Sessions contains the sessions of the signed-in officials.
type Sessions struct {
	manager *scs.SessionManager
	store   *store.DB
	cookies Cookies
}

// NewSessions returns the sessions in a database.
func NewSessions(db *store.DB, cookies Cookies) *Sessions {
	m := scs.New()
	m.Store = account.Sessions{Store: db}
	m.HashTokenInStore = true
	m.Lifetime = sessionLife
	m.IdleTimeout = sessionIdle
	m.Cookie.Name = cookies.Name("staff")
	m.Cookie.Path = "/"
	m.Cookie.HttpOnly = true
	m.Cookie.SameSite = http.SameSiteLaxMode
	m.Cookie.Secure = cookies.Secure
	return &Sessions{manager: m, store: db, cookies: cookies}
}

// CookieName returns the name of the cookie that holds an official's token.
func (s *Sessions) CookieName() string { return s.manager.Cookie.Name }

// Staff returns the actor of a session; nil if there is none. A session in use is stored again now and then, so that
// it does not expire as idle.
func (s *Sessions) Staff(ctx context.Context, token string) (*rights.Actor, error) {
	ctx, err := s.manager.Load(ctx, token)
	if err != nil {
		return nil, err
	}
	id := s.manager.GetInt64(ctx, accountValue)
	if id == 0 {
		return nil, nil
	}
	actor, err := account.SignedIn(ctx, s.store, account.SessionHash(token), id)
	if err != nil {
		return nil, UnlessUnknown(err)
	}
	now := s.store.Now()
	if now.Sub(time.UnixMilli(s.manager.GetInt64(ctx, usedValue))) > sessionTouch {
		s.manager.Put(ctx, usedValue, now.UnixMilli())
		_, _, err = s.manager.Commit(ctx)
	}
	return &actor, store.Sparing(err)
}

// Session is a started session. Device is the token by which the account recognizes the browser or program from now on.
// Ticket belongs to a sign-in that waits for its code (ErrCodeNeeded).
type Session struct {
	Token, Device string
	Actor         rights.Actor
	Ticket        string
}

// Begin signs in an official, in a browser or program with the given User-Agent. device is the token that it
// brought, or empty.
func (s *Sessions) Begin(ctx context.Context, actor rights.Actor, agent, device string) (Session, error) {
	begun := Session{Actor: actor}
	ctx, err := s.manager.Load(ctx, "")
	if err != nil {
		return begun, err
	}
	s.manager.Put(ctx, accountValue, actor.Account)
	s.manager.Put(ctx, usedValue, s.store.Now().UnixMilli())
	if begun.Token, _, err = s.manager.Commit(ctx); err != nil {
		return begun, err
	}
	if begun.Device, err = account.Know(ctx, s.store, device, actor.Account); err != nil {
		return begun, err
	}
	return begun, account.NoteDevice(ctx, s.store, account.SessionHash(begun.Token), actor.Account, agent)
}

// NoteDevices records the devices of sessions that began before devices were recorded.
func (s *Sessions) NoteDevices(ctx context.Context) error {
	return s.manager.Iterate(ctx, func(ctx context.Context) error {
		acc := s.manager.GetInt64(ctx, accountValue)
		if _, err := account.AccountActor(ctx, s.store, acc); err != nil {
			return UnlessUnknown(err)
		}
		return account.NoteDevice(ctx, s.store, s.manager.Token(ctx), acc, "") // tokens are stored as hashes
	})
}

// End invalidates an official's token.
func (s *Sessions) End(ctx context.Context, token string) error {
	ctx, err := s.manager.Load(ctx, token)
	if err != nil {
		return err
	}
	return s.manager.Destroy(ctx)
}

// Token returns the official's token that came with the request; "" without one.
func (s *Sessions) Token(c *gin.Context) string {
	if token, ok := strings.CutPrefix(c.GetHeader("Authorization"), "Bearer "); ok {
		return token
	}
	token, _ := c.Cookie(s.manager.Cookie.Name)
	return token
}

// SetCookie signs the browser in with a session token and ends its previous session; "" signs it out.
func (s *Sessions) SetCookie(c *gin.Context, token string) error {
	if old, err := c.Cookie(s.manager.Cookie.Name); err == nil && old != "" && old != token {
		if err := s.End(c.Request.Context(), old); err != nil {
			return err
		}
	}
	s.cookies.Set(c, s.manager.Cookie.Name, token, sessionLife)
	return nil
}

// Enter signs the browser in with a started session.
func (s *Sessions) Enter(c *gin.Context, begun Session) error {
	s.cookies.Set(c, s.cookies.Name(deviceCookie), begun.Device, account.KnownLife)
	return s.SetCookie(c, begun.Token)
}

// UnlessUnknown returns nil if err means that the account does not exist or is not signed in, otherwise err.
func UnlessUnknown(err error) error {
	if errors.Is(err, refuse.ErrNotFound) || errors.Is(err, refuse.ErrUnauthenticated) {
		return nil
	}
	return err
}
