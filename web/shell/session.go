package shell

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/gin-gonic/gin"

	"meldhall/tournament/naming"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/tournament/staff"
	"meldhall/tournament/storage"
)

// The life of a staff member's session, and how old its last use may be before it is written again.
const (
	sessionLife  = 24 * time.Hour
	sessionIdle  = 8 * time.Hour
	sessionTouch = 5 * time.Minute
	seatLife     = 14 * 24 * time.Hour

	accountValue = "account"
	usedValue    = "used"
)

func newSessions(store *storage.DB, secure bool) *scs.SessionManager {
	m := scs.New()
	m.Store = staff.Sessions{Store: store}
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

// CookieName is the name of a cookie of this server.
func (s *Shell) CookieName(name string) string { return cookieName(name, s.secure) }

// cookieName keeps a cookie to this very host where the connection is encrypted.
func cookieName(name string, secure bool) string {
	if secure {
		return "__Host-" + name
	}
	return "meldhall-" + name
}

// callers are whom a request comes from: somebody may be signed in as staff and hold a seat.
type callers struct {
	Staff, Player *rights.Actor
}

// plays tells whether it is a player of an event: practice tables anybody opens.
func (who callers) plays() bool { return who.Player != nil && !who.Player.Practice }

// ofCallers is the context of a request that is known to come from somebody, or of nobody. It reads names for them.
type ofCallers struct {
	naming.Context
	who callers
}

var nobody = rights.Public()

// in is ctx for callers.
func (who callers) in(ctx context.Context) context.Context {
	c := &ofCallers{who: who}
	c.For(ctx, cmp.Or(who.Staff, who.Player, &nobody))
	return c
}

type callersKey struct{}

// Value gives the callers too.
func (c *ofCallers) Value(key any) any {
	if key == (callersKey{}) {
		return &c.who
	}
	return c.Context.Value(key)
}

// CallersIn are whom identify found.
func CallersIn(c *gin.Context) callers {
	if who, ok := c.Request.Context().Value(callersKey{}).(*callers); ok {
		return *who
	}
	return callers{}
}

// StaffNow is staff as it is by now: while a stream goes on a device may be taken out, and a session end.
func (s *Shell) StaffNow(c *gin.Context) (rights.Actor, error) {
	who, err := s.callersOf(c)
	return first(who.Staff, who.Player), err
}

// Identify finds out, once a request, who sends it: by its bearer token, or by its cookies. A token that is
// not known is refused; a cookie that is not known is nobody.
func (s *Shell) Identify(c *gin.Context) {
	who, leave, err := s.admitted(c)
	if err == nil {
		defer leave() // whatever goes wrong from here on
		err = s.identified(c, who)
	}
	if err != nil {
		s.Fail(c, err)
		c.Abort()
		return
	}
	c.Next()
}

// admitted finds whom a request comes from, and lets it in until leave.
func (s *Shell) admitted(c *gin.Context) (who callers, leave func(), err error) {
	if who, err = s.callersOf(c); err != nil {
		return who, nil, s.spent(c, err) // whoever tries tokens
	}
	leave, err = s.readers.admit(c, who)
	return who, leave, err
}

// identified notes who it is for all that follows, unless that is an official who must set up a second step first.
func (s *Shell) identified(c *gin.Context, who callers) error {
	if err := s.secondStep(c, who); err != nil {
		return err
	}
	c.Request = c.Request.WithContext(who.in(c.Request.Context()))
	if who.Player != nil {
		s.venue.Presence.Heard(*who.Player)
	}
	return nil
}

func (s *Shell) callersOf(c *gin.Context) (callers, error) {
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

// staffOf gives the account's actor of a session, nil when there is none. A session in use is written again now
// and then, so that it does not go idle.
func (s *Shell) staffOf(ctx context.Context, token string) (*rights.Actor, error) {
	ctx, err := s.sessions.Load(ctx, token)
	if err != nil {
		return nil, err
	}
	id := s.sessions.GetInt64(ctx, accountValue)
	if id == 0 {
		return nil, nil
	}
	actor, err := staff.SignedIn(ctx, s.venue.Store, staff.SessionHash(token), id)
	if err != nil {
		return nil, Nobody(err)
	}
	now := s.venue.Store.Now()
	if now.Sub(time.UnixMilli(s.sessions.GetInt64(ctx, usedValue))) > sessionTouch {
		s.sessions.Put(ctx, usedValue, now.UnixMilli())
		_, _, err = s.sessions.Commit(ctx)
	}
	return &actor, storage.Sparing(err)
}

// Staff is who acts for staff's actions: the account, else whoever else it is, whom the tournament refuses.
func (s *Shell) Staff(c *gin.Context) rights.Actor {
	who := CallersIn(c)
	return first(who.Staff, who.Player)
}

// Player is who acts for players' actions.
func (s *Shell) Player(c *gin.Context) rights.Actor {
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

// Session is one that has begun. Device is the token by which the browser or program is known at the account from now on. Ticket is
// that of a sign-in which waits for its code (ErrCodeNeeded).
type Session struct {
	Token, Device string
	Actor         rights.Actor
	Ticket        string
}

// Begin signs an official in who has shown who it is, and how, in a browser or program that brings the token of a device, or none.
func (s *Shell) Begin(c *gin.Context, actor rights.Actor, how, device string) (Session, error) {
	begun, err := s.BeginSession(c.Request.Context(), actor, c.Request.UserAgent(), device)
	if err == nil {
		s.Note(c, security.SignedIn, actor.Name, how)
	}
	return begun, err
}

// BeginSession signs an official in, in a browser or program that names itself agent and brings the token of a device, or none.
func (s *Shell) BeginSession(ctx context.Context, actor rights.Actor, agent, device string) (Session, error) {
	begun := Session{Actor: actor}
	ctx, err := s.sessions.Load(ctx, "")
	if err != nil {
		return begun, err
	}
	s.sessions.Put(ctx, accountValue, actor.Account)
	s.sessions.Put(ctx, usedValue, s.venue.Store.Now().UnixMilli())
	if begun.Token, _, err = s.sessions.Commit(ctx); err != nil {
		return begun, err
	}
	if begun.Device, err = staff.Know(ctx, s.venue.Store, device, actor.Account); err != nil {
		return begun, err
	}
	return begun, staff.NoteDevice(ctx, s.venue.Store, staff.SessionHash(begun.Token), actor.Account, agent)
}

// NoteSessions notes the devices of sessions that began before devices were noted.
func (s *Shell) NoteSessions(ctx context.Context) error {
	return s.sessions.Iterate(ctx, func(ctx context.Context) error {
		account := s.sessions.GetInt64(ctx, accountValue)
		if _, err := staff.AccountActor(ctx, s.venue.Store, account); err != nil {
			return Nobody(err)
		}
		return staff.NoteDevice(ctx, s.venue.Store, s.sessions.Token(ctx), account, "") // tokens are stored as hashes
	})
}

// EndSession voids a token of staff.
func (s *Shell) EndSession(ctx context.Context, token string) error {
	ctx, err := s.sessions.Load(ctx, token)
	if err != nil {
		return err
	}
	return s.sessions.Destroy(ctx)
}

// StaffToken is the token that the request came with, "" without one.
func (s *Shell) StaffToken(c *gin.Context) string {
	if token, ok := strings.CutPrefix(c.GetHeader("Authorization"), "Bearer "); ok {
		return token
	}
	token, _ := c.Cookie(s.sessions.Cookie.Name)
	return token
}

// SetStaffCookie lets the browser be the account from now on, and ends the session that it had; "" lets it be nobody.
func (s *Shell) SetStaffCookie(c *gin.Context, token string) error {
	if old, err := c.Cookie(s.sessions.Cookie.Name); err == nil && old != "" && old != token {
		if err := s.EndSession(c.Request.Context(), old); err != nil {
			return err
		}
	}
	s.SetCookie(c, s.sessions.Cookie.Name, token, sessionLife)
	return nil
}

// deviceCookie holds the token by which a browser is known at the accounts that have signed in there.
const deviceCookie = "device"

// DeviceToken is the one that the browser brings, "" for none.
func (s *Shell) DeviceToken(c *gin.Context) string {
	token, _ := c.Cookie(s.CookieName(deviceCookie))
	return token
}

// Enter lets the browser be the account of a session that has begun.
func (s *Shell) Enter(c *gin.Context, begun Session) error {
	s.SetCookie(c, s.CookieName(deviceCookie), begun.Device, staff.KnownLife)
	return s.SetStaffCookie(c, begun.Token)
}

// SetCookie sets a cookie that scripts cannot read; an empty value deletes it.
func (s *Shell) SetCookie(c *gin.Context, name, value string, life time.Duration) {
	cookie := &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: int(life.Seconds()), HttpOnly: true,
		SameSite: http.SameSiteLaxMode, Secure: s.secure}
	if value == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(c.Writer, cookie)
}
