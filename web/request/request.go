// Package request contains what all routes share: the caller's identity and language, rate limits, the mapping of
// errors to responses, streams, and the commands that tablets and programs have in common. The pages and the API for
// programs are built on it.
package request

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/web/bots"
	"meldhall/web/guard"
	"meldhall/web/live"
	"meldhall/web/signin"
	"meldhall/web/view"
)

// Base contains what all routes share. Each of its parts has one topic.
type Base struct {
	Accounts *signin.Accounts // sign-in and secrets of officials
	Commands *Commands        // the commands of players
	Cookies  signin.Cookies
	Notes    *signin.Notes // entries in the security log
	Practice *Practice
	Seats    *Seats // seats and the devices at them
	Sessions *signin.Sessions
	Streams  *Streams
	Tokens   *Tokens

	view               *view.Reader
	Desk               *action.Desk // performs people's actions
	Bots               *bots.Bots
	Hub                *live.Hub
	Texts              *locale.Texts
	address            string // for people to type; "": that of the request
	requests           *requestIDs
	origins            guard.Origins
	guards, pageGuards map[string][]string
	readers            *readers
	Codes              *guard.Throttle              // counts wrong codes
	entries            *guard.Throttle              // limits registrations
	Page               func(*gin.Context, *Failure) // shows an error to a reader of pages
	Answered           Answered
	Longest            time.Duration // limit for requests other than players'
	// SecondStep restricts an official without a second step to setting one up.
	SecondStep bool
}

// New returns a Base for an address such as https://hall.example:8443. With https, cookies are secure and bound to
// this host.
func New(v *view.Reader, desk *action.Desk, bots *bots.Bots, streams *live.Streams, texts *locale.Texts,
	log *security.Log, address string) (*Base, error) {
	origins, err := guard.NewOrigins(address)
	if err != nil {
		return nil, fmt.Errorf("base URL: %w", err)
	}
	secure, now := strings.HasPrefix(address, "https://"), func() time.Time { return v.Store.Now() }
	s := &Base{
		view: v, Desk: desk, Bots: bots, Hub: streams.Hub, Texts: texts, address: address, origins: origins,
		requests: newRequestIDs(), readers: newReaders(now), Longest: workLongest,
		Codes: guard.NewThrottle(5, 5*time.Minute, now), entries: guard.NewThrottle(10, time.Minute, now),
		Cookies: signin.Cookies{Secure: secure}, Notes: signin.NewNotes(log),
	}
	s.guards, s.pageGuards = guard.Headers(secure)
	s.guards[EpochHeader] = []string{streams.Epoch}
	s.Sessions = signin.NewSessions(v.Store, s.Cookies)
	s.Seats = &Seats{store: v.Store, desk: desk, games: v.Games, hub: s.Hub, cookies: s.Cookies, notes: s.Notes,
		codes: s.Codes, cache: newSeatCache(v.Store, v.Games), tables: &tableCache{store: v.Store}}
	s.Tokens = &Tokens{sessions: s.Sessions, seats: s.Seats}
	s.Accounts = signin.NewAccounts(desk, address, s.Sessions, s.Notes, s.Codes, now)
	s.Commands = &Commands{store: v.Store, games: v.Games, language: s.Language}
	s.Practice = &Practice{store: v.Store, desk: desk, bots: bots, starts: guard.NewThrottle(10, time.Minute, now),
		places: s.readers.practice}
	s.Streams = &Streams{Live: streams, store: v.Store, readers: s.readers, tokens: s.Tokens}
	desk.OnRecorded(s.Notes.Record)
	return s, nil
}

// Answered is called for each completed request except streams. route is the pattern of its address, "" for one that
// does not exist.
type Answered func(route, method string, status int, took time.Duration)

// GameParam returns the game ID in the address. An invalid number is reported as not found.
func GameParam(c *gin.Context) (int64, error) { return pathID(c, "err_game_not_found") }

// pathID returns the ID in the address. An invalid number is reported as not found.
func pathID(c *gin.Context, missing string) (int64, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id <= 0 {
		return 0, refuse.NotFound(missing, "id", c.Param("id"))
	}
	return id, nil
}

// IDParam returns a number in the address. If it is not a valid ID, the error is that of an address that does not
// exist.
func IDParam(c *gin.Context, name string) (int64, error) {
	id, err := strconv.ParseInt(c.Param(name), 10, 64)
	if err != nil || id < 1 {
		return 0, NotFound(c)
	}
	return id, nil
}

// KindParam returns the kind of action in the address. It rejects an actor without the right to it, who need not learn
// its fields.
func KindParam(c *gin.Context, actor rights.Actor) (*action.Kind, error) {
	k := action.KindNamed(c.Param("kind"))
	if k == nil || !k.ByKind() {
		return nil, refuse.NotFound("err_action_not_found", "kind", c.Param("kind"))
	}
	return k, rights.Authorize(actor, rights.Place{Seat: -1}, k.Right)
}

// NotFound returns the error for an address that does not exist.
func NotFound(c *gin.Context) error {
	return Refused(http.StatusNotFound, "err_page_not_found", "path", c.Request.URL.Path)
}

// LanguageCookie stores the language that a person chose.
const LanguageCookie = "lang"

// Handle turns a handler that returns an error into a gin handler, which responds with the error.
func (s *Base) Handle(h func(*gin.Context) error) gin.HandlerFunc {
	return func(c *gin.Context) {
		defer s.Bound(c)()
		if err := h(c); err != nil {
			s.Fail(c, err)
		}
	}
}

// Bound limits the time of the request's context and returns the function that releases the timer. Players' commands
// have the game's own limit.
func (s *Base) Bound(c *gin.Context) (free func()) {
	if CallersIn(c).plays() {
		return func() {}
	}
	ctx, free := context.WithTimeoutCause(c.Request.Context(), s.Longest,
		refuse.New(refuse.KindBusy, "err_took_long", "limit", int(s.Longest.Seconds())))
	c.Request = c.Request.WithContext(ctx)
	return free
}

// DoOr performs an action, or previews it.
func DoOr[O any](ctx context.Context, desk *action.Desk, actor rights.Actor, preview bool, a action.ActionOf[O]) (O,
	error) {
	if preview {
		return action.Preview(ctx, desk, actor, a)
	}
	return action.Do(ctx, desk, actor, a)
}

// Language returns the request's context with the reader's language: that of the cookie, or else of the browser.
// Officials' pages only use languages in which all texts exist.
func (s *Base) Language(c *gin.Context) context.Context {
	chosen, _ := c.Cookie(LanguageCookie)
	texts := s.Texts
	if templates.ForOfficials(c.Request.URL.Path) {
		texts = texts.Whole()
	}
	return texts.With(c.Request.Context(), chosen, c.GetHeader("Accept-Language"))
}

// BaseURL returns the address that people type, for printed codes.
func (s *Base) BaseURL(c *gin.Context) string {
	if s.address != "" {
		return strings.TrimSuffix(s.address, "/")
	}
	if s.Cookies.Secure || c.Request.TLS != nil {
		return "https://" + c.Request.Host
	}
	return "http://" + c.Request.Host
}
