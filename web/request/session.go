package request

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/gin-gonic/gin"

	"meldhall/tournament/account"
	"meldhall/tournament/displayname"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/tournament/store"
)

// The lifetimes of an official's session and of a seat cookie, and how old a session's last use may be before it is
// stored again.
const (
	sessionLife  = 24 * time.Hour
	sessionIdle  = 8 * time.Hour
	sessionTouch = 5 * time.Minute
	seatLife     = 14 * 24 * time.Hour

	accountValue = "account"
	usedValue    = "used"
)

func newSessions(db *store.DB, secure bool) *scs.SessionManager {
	m := scs.New()
	m.Store = account.Sessions{Store: db}
	m.HashTokenInStore = true
	m.Lifetime = sessionLife
	m.IdleTimeout = sessionIdle
	m.Cookie.Name = cookieName("staff", secure)
	m.Cookie.Path = "/"
	m.Cookie.HttpOnly = true
	m.Cookie.SameSite = http.SameSiteLaxMode
	m.Cookie.Secure = secure
	return m
}

// CookieName returns the name of a cookie of this server.
func (s *Base) CookieName(name string) string { return cookieName(name, s.secure) }

// cookieName returns a name that binds a cookie to this host if the connection is encrypted.
func cookieName(name string, secure bool) string {
	if secure {
		return "__Host-" + name
	}
	return "meldhall-" + name
}

// callers are the actors of a request: a person may be signed in as an official and also hold a seat.
type callers struct {
	Staff, Player *rights.Actor
}

// plays reports whether the caller is a player of a tournament. Practice tables do not count, because anyone can open
// them.
func (who callers) plays() bool { return who.Player != nil && !who.Player.Practice }

// ofCallers is the context of a request whose callers have been determined, even if they are anonymous. Player names
// are read with the caller's rights.
type ofCallers struct {
	displayname.Context
	who callers
}

var nobody = rights.Public()

// in returns ctx with the callers.
func (who callers) in(ctx context.Context) context.Context {
	c := &ofCallers{who: who}
	c.For(ctx, cmp.Or(who.Staff, who.Player, &nobody))
	return c
}

type callersKey struct{}

// Value returns the callers for callersKey, and otherwise the value of the embedded context.
func (c *ofCallers) Value(key any) any {
	if key == (callersKey{}) {
		return &c.who
	}
	return c.Context.Value(key)
}

// CallersIn returns the callers that Identify found.
func CallersIn(c *gin.Context) callers {
	if who, ok := c.Request.Context().Value(callersKey{}).(*callers); ok {
		return *who
	}
	return callers{}
}

// StaffNow identifies the caller again and returns the actor for officials' actions. During a stream, a device may be
// removed and a session may end.
func (s *Base) StaffNow(c *gin.Context) (rights.Actor, error) {
	who, err := s.callersOf(c)
	return first(who.Staff, who.Player), err
}

// Identify identifies the sender once per request, by bearer token or by cookies. An unknown token is rejected; an
// unknown cookie means an anonymous caller.
func (s *Base) Identify(c *gin.Context) {
	who, leave, err := s.admitted(c)
	if err == nil {
		defer leave() // even if something fails from here on
		err = s.identified(c, who)
	}
	if err != nil {
		s.Fail(c, err)
		c.Abort()
		return
	}
	c.Next()
}

// admitted identifies the callers and admits the request until leave is called.
func (s *Base) admitted(c *gin.Context) (who callers, leave func(), err error) {
	if who, err = s.callersOf(c); err != nil {
		return who, nil, s.spent(c, err) // limits token guessing
	}
	leave, err = s.readers.admit(c, who)
	return who, leave, err
}

// identified stores the callers in the request's context, unless an official must first set up a second step.
func (s *Base) identified(c *gin.Context, who callers) error {
	if err := s.secondStep(c, who); err != nil {
		return err
	}
	c.Request = c.Request.WithContext(who.in(c.Request.Context()))
	if who.Player != nil {
		s.view.Presence.Heard(*who.Player)
	}
	return nil
}

func (s *Base) callersOf(c *gin.Context) (callers, error) {
	ctx := c.Request.Context()
	var who callers
	if header := c.Request.Header["Authorization"]; len(header) > 0 {
		token, ok := strings.CutPrefix(header[0], "Bearer ")
		if !ok {
			return who, refuse.Unauthenticated("err_token_unknown")
		}
		var err error
		if who.Player, err = s.seats.actor(ctx, token); err != nil || who.Player != nil {
			return who, err
		}
		if who.Staff, err = s.staffOf(ctx, token); err == nil && who.Staff == nil {
			err = refuse.Unauthenticated("err_token_unknown")
		}
		return who, err
	}
	if len(c.Request.Header["Cookie"]) == 0 {
		return who, nil
	}
	var err error
	if token, e := c.Cookie(s.seatCookie(c)); e == nil && token != "" {
		if who.Player, err = s.seats.actor(ctx, token); err != nil {
			return who, err
		}
	}
	if token, e := c.Cookie(s.sessions.Cookie.Name); e == nil && token != "" {
		who.Staff, err = s.staffOf(ctx, token)
	}
	return who, err
}

// staffOf returns the actor of a session; nil if there is none. A session in use is stored again now and then, so that
// it does not expire as idle.
func (s *Base) staffOf(ctx context.Context, token string) (*rights.Actor, error) {
	ctx, err := s.sessions.Load(ctx, token)
	if err != nil {
		return nil, err
	}
	id := s.sessions.GetInt64(ctx, accountValue)
	if id == 0 {
		return nil, nil
	}
	actor, err := account.SignedIn(ctx, s.view.Store, account.SessionHash(token), id)
	if err != nil {
		return nil, Nobody(err)
	}
	now := s.view.Store.Now()
	if now.Sub(time.UnixMilli(s.sessions.GetInt64(ctx, usedValue))) > sessionTouch {
		s.sessions.Put(ctx, usedValue, now.UnixMilli())
		_, _, err = s.sessions.Commit(ctx)
	}
	return &actor, store.Sparing(err)
}

// Staff returns the actor for officials' actions: the signed-in official, or else any other caller, whom package
// tournament refuses.
func (s *Base) Staff(c *gin.Context) rights.Actor {
	who := CallersIn(c)
	return first(who.Staff, who.Player)
}

// Player returns the actor for players' actions.
func (s *Base) Player(c *gin.Context) rights.Actor {
	who := CallersIn(c)
	return first(who.Player, who.Staff)
}

func first(actors ...*rights.Actor) rights.Actor {
	for _, a := range actors {
		if a != nil {
			return *a
		}
	}
	return rights.Public()
}

// Session is a started session. Device is the token by which the account recognizes the browser or program from now on.
// Ticket belongs to a sign-in that waits for its code (ErrCodeNeeded).
type Session struct {
	Token, Device string
	Actor         rights.Actor
	Ticket        string
}

// begin signs in an official who has been authenticated. how is the way to sign in, as named in the security log.
// device is the token that the browser or program brought, or empty.
func (s *Base) begin(c *gin.Context, actor rights.Actor, how, device string) (Session, error) {
	begun, err := s.BeginSession(c.Request.Context(), actor, c.Request.UserAgent(), device)
	if err == nil {
		s.Note(c, security.SignedIn, actor.Name, how)
	}
	return begun, err
}

// BeginSession signs in an official, in a browser or program with the given User-Agent. device is the token that it
// brought, or empty.
func (s *Base) BeginSession(ctx context.Context, actor rights.Actor, agent, device string) (Session, error) {
	begun := Session{Actor: actor}
	ctx, err := s.sessions.Load(ctx, "")
	if err != nil {
		return begun, err
	}
	s.sessions.Put(ctx, accountValue, actor.Account)
	s.sessions.Put(ctx, usedValue, s.view.Store.Now().UnixMilli())
	if begun.Token, _, err = s.sessions.Commit(ctx); err != nil {
		return begun, err
	}
	if begun.Device, err = account.Know(ctx, s.view.Store, device, actor.Account); err != nil {
		return begun, err
	}
	return begun, account.NoteDevice(ctx, s.view.Store, account.SessionHash(begun.Token), actor.Account, agent)
}

// NoteSessions records the devices of sessions that began before devices were recorded.
func (s *Base) NoteSessions(ctx context.Context) error {
	return s.sessions.Iterate(ctx, func(ctx context.Context) error {
		acc := s.sessions.GetInt64(ctx, accountValue)
		if _, err := account.AccountActor(ctx, s.view.Store, acc); err != nil {
			return Nobody(err)
		}
		return account.NoteDevice(ctx, s.view.Store, s.sessions.Token(ctx), acc, "") // tokens are stored as hashes
	})
}

// EndSession invalidates an official's token.
func (s *Base) EndSession(ctx context.Context, token string) error {
	ctx, err := s.sessions.Load(ctx, token)
	if err != nil {
		return err
	}
	return s.sessions.Destroy(ctx)
}

// StaffToken returns the official's token that came with the request; "" without one.
func (s *Base) StaffToken(c *gin.Context) string {
	if token, ok := strings.CutPrefix(c.GetHeader("Authorization"), "Bearer "); ok {
		return token
	}
	token, _ := c.Cookie(s.sessions.Cookie.Name)
	return token
}

// SetStaffCookie signs the browser in with a session token and ends its previous session; "" signs it out.
func (s *Base) SetStaffCookie(c *gin.Context, token string) error {
	if old, err := c.Cookie(s.sessions.Cookie.Name); err == nil && old != "" && old != token {
		if err := s.EndSession(c.Request.Context(), old); err != nil {
			return err
		}
	}
	s.SetCookie(c, s.sessions.Cookie.Name, token, sessionLife)
	return nil
}

// deviceCookie holds the token by which accounts recognize a browser that has signed in before.
const deviceCookie = "device"

// DeviceToken returns the browser's device token; "" for none.
func (s *Base) DeviceToken(c *gin.Context) string {
	token, _ := c.Cookie(s.CookieName(deviceCookie))
	return token
}

// Enter signs the browser in with a started session.
func (s *Base) Enter(c *gin.Context, begun Session) error {
	s.SetCookie(c, s.CookieName(deviceCookie), begun.Device, account.KnownLife)
	return s.SetStaffCookie(c, begun.Token)
}

// SetCookie sets a cookie that scripts cannot read; an empty value deletes it.
func (s *Base) SetCookie(c *gin.Context, name, value string, life time.Duration) {
	cookie := &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: int(life.Seconds()), HttpOnly: true,
		SameSite: http.SameSiteLaxMode, Secure: s.secure}
	if value == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(c.Writer, cookie)
}
