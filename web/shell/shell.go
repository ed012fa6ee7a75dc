// Package shell is what every address has, whatever is behind it: who asks and in which language, what a caller may try how
// often, how an error becomes an answer, streams, and the commands that tablets and programs send alike. Pages and the
// interface for programs stand on it.
package shell

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
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/web/bots"
	"meldhall/web/guard"
	"meldhall/web/live"
	"meldhall/web/venue"
)

// Shell is what every address of the program has, whatever is behind it: who asks and in which language, what that caller may
// try how often, and how an error or a stream is answered.
type Shell struct {
	venue              *venue.Venue
	Desk               *door.Desk // the door for what people do
	Practice           *bots.Tables
	Hub                *live.Hub
	Streams            *live.Streams
	Texts              *templates.Texts
	address            string // that people type, "" for that of the request
	sessions           *scs.SessionManager
	seats              *seatCache
	tables             *tableCache
	requests           *requestIDs
	origins            guard.Origins
	guards, pageGuards map[string][]string
	secure             bool                         // the address is https
	Page               func(*gin.Context, *Failure) // shows an error to somebody who reads pages
	Answered           Answered
	Longest            time.Duration // for a request that no player sends
	// SecondStep lets an official who has no second step set one up, and nothing else.
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
	newKeys  *halves // passkeys that are being added
}

// New makes a shell at an address such as https://hall.example:8443; with https the cookies are kept to it.
func New(v *venue.Venue, desk *door.Desk, practice *bots.Tables, streams *live.Streams, texts *templates.Texts, log *security.Log, address string) (*Shell, error) {
	origins, err := guard.NewOrigins(address)
	if err != nil {
		return nil, fmt.Errorf("base URL: %w", err)
	}
	guards, pageGuards := guard.Headers(strings.HasPrefix(address, "https://"))
	guards[EpochHeader] = []string{streams.Epoch}
	secure, now := strings.HasPrefix(address, "https://"), func() time.Time { return v.Store.Now() }
	s := &Shell{
		venue: v, Desk: desk, Practice: practice, Hub: streams.Hub, Streams: streams, Texts: texts, address: address,
		sessions: newSessions(v.Store, secure), seats: newSeatCache(v.Store, v.Games), tables: &tableCache{store: v.Store}, requests: newRequestIDs(),
		origins: origins, guards: guards, pageGuards: pageGuards, secure: secure,
		Pins: guard.NewPINTries(now), signIns: guard.NewSignIns(now), codeTries: guard.NewCodeTries(now), Codes: guard.NewThrottle(5, 5*time.Minute, now),
		starts: guard.NewThrottle(10, time.Minute, now), entries: guard.NewThrottle(10, time.Minute, now), readers: newReaders(now),
		Longest: workLongest, security: log, halves: newHalves(now, desk.DB.Shelf("sign-in")),
		newKeys: newHalves(now, desk.DB.Shelf("new key")),
	}
	if book := v.Store.Tries(); book != nil {
		s.tries().Keep(book)
	}
	desk.OnRecorded(s.noteRecord)
	return s, nil
}

// tries are the counters of tries at secrets, for all nodes to count together.
func (s *Shell) tries() guard.Shared {
	all := guard.Shared{"PINs": s.Pins, "codes": s.Codes}
	s.signIns.Shared("passwords", all)
	s.codeTries.Shared("second steps", all)
	return all
}

// Answered is told of each request that was answered but streams: the pattern of its address, "" for one that does not exist.
type Answered func(route, method string, status int, took time.Duration)

// OpenStreams is how many readers listen.
func (s *Shell) OpenStreams() int { return s.readers.streams.Taken() + s.readers.players.Taken() }

// JSONKind is the media type of what programs send and get.
const JSONKind = "application/json"

// ReadJSON parses one JSON object into v. The error names a member that is unknown, duplicate or in another case.
func ReadJSON(c *gin.Context, v any) error {
	b := bodies.Get().(*body)
	if err := b.read(c.Request.Body, v); err != nil {
		return Unreadable(err) // what the decoder has of it goes with it
	}
	if b.text.Cap() <= 64<<10 {
		bodies.Put(b)
	}
	return nil
}

// body is the JSON of a request, and what reads it, kept for the next request once it has been read to its end.
type body struct {
	text  bytes.Buffer
	dec   *json.Decoder // of text
	names exact.Names
}

var bodies = sync.Pool{New: func() any {
	b := new(body)
	b.dec = json.NewDecoder(&b.text)
	b.dec.DisallowUnknownFields()
	return b
}}

// read reads one value and nothing after it.
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

// shortAnswer is what the server below keeps until its end is known, and then says the length of.
const shortAnswer = 2048

// jsonHeader is shared by all answers; it is never written to.
var jsonHeader = []string{"application/json; charset=utf-8"}

// GameParam is the game in the address; what is no number is not found.
func GameParam(c *gin.Context) (int64, error) { return pathID(c, "err_game_not_found") }

// pathID reads the id in the address; what is no number is not found.
func pathID(c *gin.Context, missing string) (int64, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id <= 0 {
		return 0, refuse.NotFound(missing, "id", c.Param("id"))
	}
	return id, nil
}

// IDParam is a number in the address; an address without one does not exist.
func IDParam(c *gin.Context, name string) (int64, error) {
	id, err := strconv.ParseInt(c.Param(name), 10, 64)
	if err != nil || id < 1 {
		return 0, NotFound(c)
	}
	return id, nil
}

// KindParam is the kind of action in the address, for an actor who may do it; who may not need not learn its fields.
func KindParam(c *gin.Context, actor rights.Actor) (*door.Kind, error) {
	k := door.KindNamed(c.Param("kind"))
	if k == nil || !k.ByKind() {
		return nil, refuse.NotFound("err_action_not_found", "kind", c.Param("kind"))
	}
	return k, rights.Authorize(actor, rights.Place{Seat: -1}, k.Right)
}

// NotFound refuses an address that does not exist.
func NotFound(c *gin.Context) error {
	return Refused(http.StatusNotFound, "err_page_not_found", "path", c.Request.URL.Path)
}

// LanguageCookie remembers the language that somebody chose.
const LanguageCookie = "lang"

// Handle makes a gin handler of one that returns its error, which is answered in one place.
func (s *Shell) Handle(h func(*gin.Context) error) gin.HandlerFunc {
	return func(c *gin.Context) {
		defer s.Bound(c)()
		if err := h(c); err != nil {
			s.Fail(c, err)
		}
	}
}

// Bound limits the time of the request's context and returns the function that releases the timer. Players' commands
// have the game's own limit.
func (s *Shell) Bound(c *gin.Context) (free func()) {
	if CallersIn(c).plays() {
		return func() {}
	}
	ctx, free := context.WithTimeoutCause(c.Request.Context(), s.Longest,
		refuse.New(refuse.KindBusy, "err_took_long", "limit", int(s.Longest.Seconds())))
	c.Request = c.Request.WithContext(ctx)
	return free
}

// DoOr does an action, or with preview tells what it would do.
func DoOr[O any](ctx context.Context, desk *door.Desk, actor rights.Actor, preview bool, a door.ActionOf[O]) (O, error) {
	if preview {
		return door.Preview(ctx, desk, actor, a)
	}
	return door.Do(ctx, desk, actor, a)
}

// ErrOf is what an action was refused by, for who needs nothing else of it.
func ErrOf[O any](_ O, err error) error { return err }

// Language gives the request's context with the reader's language: of the cookie, else of the browser; on an officials' page one
// that has all texts.
func (s *Shell) Language(c *gin.Context) context.Context {
	chosen, _ := c.Cookie(LanguageCookie)
	texts := s.Texts
	if templates.ForOfficials(c.Request.URL.Path) {
		texts = texts.Whole()
	}
	return texts.With(c.Request.Context(), chosen, c.GetHeader("Accept-Language"))
}

// BaseURL is the address that people type, for codes that are printed.
func (s *Shell) BaseURL(c *gin.Context) string {
	if s.address != "" {
		return strings.TrimSuffix(s.address, "/")
	}
	if s.secure || c.Request.TLS != nil {
		return "https://" + c.Request.Host
	}
	return "http://" + c.Request.Host
}

// Listen makes a gin handler of one that ends in Stream. What it is given lasts as long as the stream, longer than the request.
func (s *Shell) Listen(h func(*gin.Context) error) gin.HandlerFunc {
	return func(c *gin.Context) {
		own := c.Copy()
		own.Request = c.Request.WithContext(s.outliving(c))
		own.Request.Body = http.NoBody // that of the request holds on to its connection's buffers
		own.Writer = c.Writer
		own.Set(listensKey, c.Request)
		if err := h(own); err != nil {
			s.Fail(c, err)
		}
	}
}

// outliving is a context with the reader of a request's and nothing of its connection, which it would hold for as long as the stream goes on.
func (s *Shell) outliving(c *gin.Context) context.Context {
	if ctx := c.Request.Context(); guard.ForHead(ctx) {
		return ctx
	}
	return CallersIn(c).in(context.Background())
}

const listensKey = "listens" // the request of a stream that may outlive it

// Stream writes a feed, and ends it. An error of the first Next is answered as any error is; a later one
// ends the stream, and the reader comes back and gets it as an answer.
func (s *Shell) Stream(c *gin.Context, feed live.Feed) error {
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

// StreamShared writes what everybody sees alike to one of many who look at it. Officials, who are told apart by what becomes of their
// session, and connections that cannot be written to for many, have a stream of their own.
func (s *Shell) StreamShared(c *gin.Context, shared live.Shared) error {
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

// listener counts one who begins to listen, until leave. There is none, and no error, where the head alone is wanted, which is answered.
func (s *Shell) listener(c *gin.Context, who callers) (leave func(), err error) {
	if guard.ForHead(c.Request.Context()) { // of what goes on for ever
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

// listening gives what a stream is written to. Outlives says that what c holds is not the request's, which is let go.
func listening(c *gin.Context) (w http.ResponseWriter, r *http.Request, outlives bool) {
	w, r = c.Writer, c.Request
	if of, ok := c.Get(listensKey); ok {
		r, outlives = of.(*http.Request), true
		c.Writer = nil // it is the request's
		delete(c.Keys, listensKey)
	}
	return w, r, outlives
}

// nextOf gives the newest message of an official's feed. One who was signed out since the stream began hears nothing more, even
// where everybody may listen: the page says whose it is.
func (s *Shell) nextOf(c *gin.Context, next func() (live.Message, error)) (live.Message, error) {
	now, err := s.callersOf(c)
	if err == nil && now.Staff == nil {
		err = refuse.Unauthenticated("err_sign_in_first", "action", "listen")
	}
	if err != nil {
		return live.Message{}, err
	}
	return next()
}

// told is a feed's newest message as its reader is sent it: where there is none, and no fault of ours, the stream is over. It holds nothing
// of the request, which would be kept for as long as a player listens.
func told(request string, next func() (live.Message, error)) (live.Message, error) {
	m, err := next()
	if err != nil && FailureOf(context.Background(), request, err).Status < http.StatusInternalServerError {
		err = live.ErrOver
	}
	return m, err
}
