// Package request contains what all routes share: the caller's identity and language, rate limits, the mapping of
// errors to responses, streams, and the commands that tablets and programs have in common. The pages and the API for
// programs are built on it.
package request

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/gin-gonic/gin"

	"meldhall/engine/exact"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/web/bots"
	"meldhall/web/guard"
	"meldhall/web/live"
	"meldhall/web/view"
)

// Base contains what all routes share: the caller's identity and language, rate limits, and responses with errors and
// streams.
type Base struct {
	view               *view.Reader
	Desk               *action.Desk // performs people's actions
	Bots               *bots.Bots
	Hub                *live.Hub
	Streams            *live.Streams
	Texts              *locale.Texts
	address            string // for people to type; "": that of the request
	sessions           *scs.SessionManager
	seats              *seatCache
	tables             *tableCache
	requests           *requestIDs
	origins            guard.Origins
	guards, pageGuards map[string][]string
	secure             bool                         // the address is https
	Page               func(*gin.Context, *Failure) // shows an error to a reader of pages
	Answered           Answered
	Longest            time.Duration // limit for requests other than players'
	// SecondStep restricts an official without a second step to setting one up.
	SecondStep bool

	signIns   *guard.SignIns
	codeTries *guard.SignIns // at second factors
	Codes     *guard.Throttle
	starts    *guard.Throttle // of practice tables
	entries   *guard.Throttle // of registrations
	Pins      *guard.PINTries
	readers   *readers

	security *security.Log
	halves   *halves
	newKeys  *halves // passkeys being added
}

// New returns a Base for an address such as https://hall.example:8443. With https, cookies are secure and bound to
// this host.
func New(v *view.Reader, desk *action.Desk, bots *bots.Bots, streams *live.Streams, texts *locale.Texts,
	log *security.Log, address string) (*Base, error) {
	origins, err := guard.NewOrigins(address)
	if err != nil {
		return nil, fmt.Errorf("base URL: %w", err)
	}
	guards, pageGuards := guard.Headers(strings.HasPrefix(address, "https://"))
	guards[EpochHeader] = []string{streams.Epoch}
	secure, now := strings.HasPrefix(address, "https://"), func() time.Time { return v.Store.Now() }
	s := &Base{
		view: v, Desk: desk, Bots: bots, Hub: streams.Hub, Streams: streams, Texts: texts, address: address,
		sessions: newSessions(v.Store, secure), seats: newSeatCache(v.Store, v.Games),
		tables: &tableCache{store: v.Store}, requests: newRequestIDs(),
		origins: origins, guards: guards, pageGuards: pageGuards, secure: secure,
		Pins: guard.NewPINTries(now), signIns: guard.NewSignIns(now), codeTries: guard.NewCodeTries(now),
		Codes:  guard.NewThrottle(5, 5*time.Minute, now),
		starts: guard.NewThrottle(10, time.Minute, now), entries: guard.NewThrottle(10, time.Minute, now),
		readers: newReaders(now),
		Longest: workLongest, security: log, halves: newHalves(now, desk.DB.Shelf("sign-in")),
		newKeys: newHalves(now, desk.DB.Shelf("new key")),
	}
	if book := v.Store.Tries(); book != nil {
		s.tries().Keep(book)
	}
	desk.OnRecorded(s.noteRecord)
	return s, nil
}

// tries returns the counters of attempts at secrets, which all nodes share.
func (s *Base) tries() guard.Shared {
	all := guard.Shared{"PINs": s.Pins, "codes": s.Codes}
	s.signIns.Shared("passwords", all)
	s.codeTries.Shared("second steps", all)
	return all
}

// Answered is called for each completed request except streams. route is the pattern of its address, "" for one that
// does not exist.
type Answered func(route, method string, status int, took time.Duration)

// OpenStreams returns the number of open streams.
func (s *Base) OpenStreams() int { return s.readers.streams.Taken() + s.readers.players.Taken() }

// JSONKind is the media type of requests and responses of programs.
const JSONKind = "application/json"

// ReadJSON parses one JSON object into v. The error names a member that is unknown, duplicate or in the wrong case.
func ReadJSON(c *gin.Context, v any) error {
	b := bodies.Get().(*body)
	if err := b.read(c.Request.Body, v); err != nil {
		return Unreadable(err) // the decoder's remaining data is dropped with it
	}
	if b.text.Cap() <= 64<<10 {
		bodies.Put(b)
	}
	return nil
}

// body is a reusable reader of JSON requests. It may be reused once a request has been read to its end.
type body struct {
	text  bytes.Buffer
	dec   *json.Decoder // decodes text
	names exact.Names
}

var bodies = sync.Pool{New: func() any {
	b := new(body)
	b.dec = json.NewDecoder(&b.text)
	b.dec.DisallowUnknownFields()
	return b
}}

// read reads exactly one value.
func (b *body) read(from io.Reader, v any) error {
	b.text.Reset()
	if _, err := b.text.ReadFrom(from); err != nil {
		return err
	}
	whole := b.text.Bytes()
	if err := b.dec.Decode(v); err != nil {
		return err
	}
	if _, err := b.dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON value")
	}
	return b.names.Check(whole, reflect.TypeOf(v).Elem(), true)
}

// WriteJSON sends v with status 200. Empty lists are never null.
func WriteJSON(c *gin.Context, v any) error {
	data, err := json.Marshal(exact.WithLists(v))
	if err != nil {
		return err
	}
	h := c.Writer.Header()
	h["Content-Type"] = jsonHeader
	if len(data) >= shortAnswer {
		h["Content-Length"] = []string{strconv.Itoa(len(data))}
	}
	c.Writer.WriteHeader(http.StatusOK)
	_, err = c.Writer.Write(data)
	return err
}

// shortAnswer is the size of the server's own buffer. For responses that fit into it, the server sets the length
// itself.
const shortAnswer = 2048

// jsonHeader is shared by all responses and must not be modified.
var jsonHeader = []string{"application/json; charset=utf-8"}

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

// errOf returns only the error of an action.
func errOf[O any](_ O, err error) error { return err }

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
	if s.secure || c.Request.TLS != nil {
		return "https://" + c.Request.Host
	}
	return "http://" + c.Request.Host
}

// Listen returns a gin handler for h, which must end by calling Stream or StreamShared. The gin context that h gets
// lives as long as the stream, longer than the request.
func (s *Base) Listen(h func(*gin.Context) error) gin.HandlerFunc {
	return func(c *gin.Context) {
		own := c.Copy()
		own.Request = c.Request.WithContext(s.outliving(c))
		own.Request.Body = http.NoBody // the request's own body would keep its connection's buffers
		own.Writer = c.Writer
		own.Set(listensKey, c.Request)
		if err := h(own); err != nil {
			s.Fail(c, err)
		}
	}
}

// outliving returns a context with the request's callers but without its connection. The stream would otherwise hold
// the connection for its whole life.
func (s *Base) outliving(c *gin.Context) context.Context {
	if ctx := c.Request.Context(); guard.ForHead(ctx) {
		return ctx
	}
	return CallersIn(c).in(context.Background())
}

const listensKey = "listens" // key of the request of a stream that may outlive it

// Stream writes a feed and ends it. An error of the first Next is returned as usual. A later error ends the stream; the
// reader then reconnects and gets it as a response.
func (s *Base) Stream(c *gin.Context, feed live.Feed) error {
	who := CallersIn(c)
	leave, err := s.listener(c, who)
	if err != nil || leave == nil {
		feed.End()
		return err
	}
	feed.Ends = append(feed.Ends, leave)
	m, err := feed.Next()
	if err != nil {
		feed.End()
		return err
	}
	next, request := feed.Next, requestID(c)
	if who.Staff != nil {
		feed.Urgent = s.Hub.Watch(live.AccountTopic(who.Staff.Account))
		own := next
		next = func() (live.Message, error) { return s.nextOf(c, own) }
	}
	feed.Next = func() (live.Message, error) { return told(request, next) }
	w, r, outlives := listening(c)
	feed.Outlives = outlives
	return s.Streams.Serve(w, r, m, feed)
}

// StreamShared serves a shared feed to one of its many viewers. Officials, whose streams depend on their session, and
// connections without non-blocking writes get their own stream.
func (s *Base) StreamShared(c *gin.Context, shared live.Shared) error {
	r, ok := c.Get(listensKey)
	if who := CallersIn(c); !ok || who.Staff != nil || !live.Shares(r.(*http.Request)) {
		feed := shared.Feed()
		feed.Zip = shared.Zip
		return s.Stream(c, feed)
	}
	leave, err := s.listener(c, CallersIn(c))
	if err != nil || leave == nil {
		return err
	}
	shared.Ends = append(shared.Ends, leave)
	w, request, _ := listening(c)
	return s.Streams.ServeShared(w, request, shared)
}

// listener counts a new stream until leave is called. For a HEAD request it responds and returns nil without an error.
func (s *Base) listener(c *gin.Context, who callers) (leave func(), err error) {
	if guard.ForHead(c.Request.Context()) { // a stream has no end
		c.Header("Content-Type", live.StreamKind)
		c.Status(http.StatusOK)
		return nil, nil
	}
	reader, _ := readerOf(c, who)
	hosted, err := s.hosted(c, who)
	if err != nil {
		return nil, err
	}
	taken, err := s.readers.listen(reader, who)
	if err != nil {
		hosted()
		return nil, err
	}
	return func() { hosted(); taken() }, nil
}

// listening returns the writer and the request of a stream. outlives reports whether c is a copy, whose reference to
// the writer is then released.
func listening(c *gin.Context) (w http.ResponseWriter, r *http.Request, outlives bool) {
	w, r = c.Writer, c.Request
	if of, ok := c.Get(listensKey); ok {
		r, outlives = of.(*http.Request), true
		c.Writer = nil // it belongs to the request
		delete(c.Keys, listensKey)
	}
	return w, r, outlives
}

// nextOf returns the newest message of an official's feed. An official who was signed out since the stream began gets
// nothing more, even from a public feed, because the page shows the account.
func (s *Base) nextOf(c *gin.Context, next func() (live.Message, error)) (live.Message, error) {
	now, err := s.callersOf(c)
	if err == nil && now.Staff == nil {
		err = refuse.Unauthenticated("err_sign_in_first", "action", "listen")
	}
	if err != nil {
		return live.Message{}, err
	}
	return next()
}

// told returns a feed's newest message. An error that is not a server error ends the stream with ErrOver. The function
// holds nothing of the request, which would otherwise stay in memory as long as a player listens.
func told(request string, next func() (live.Message, error)) (live.Message, error) {
	m, err := next()
	if err != nil && FailureOf(context.Background(), request, err).Status < http.StatusInternalServerError {
		err = live.ErrOver
	}
	return m, err
}
