package request

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates/locale"
	"meldhall/tournament/organization"
	"meldhall/tournament/refuse"
	"meldhall/tournament/store"
	"meldhall/web/guard"
	"meldhall/web/live"
)

// Streams serves feeds to readers and limits how many each reader has.
type Streams struct {
	Live    *live.Streams
	store   *store.DB
	readers *readers
	tokens  *Tokens
}

// Open returns the number of open streams.
func (s *Streams) Open() int { return s.readers.streams.Taken() + s.readers.players.Taken() }

// Listen returns a gin handler for h, which must end by calling Streams.Serve or Streams.ServeShared. The gin context
// that h gets lives as long as the stream, longer than the request.
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

// outliving returns a context with the request's callers and time zone but without its connection. The stream would
// otherwise hold the connection for its whole life.
func (s *Base) outliving(c *gin.Context) context.Context {
	if ctx := c.Request.Context(); guard.ForHead(ctx) {
		return ctx
	}
	zone := locale.ZoneOf(c.Request.Context())
	return locale.InZone(CallersIn(c).in(context.Background()), func() *time.Location { return zone })
}

const listensKey = "listens" // key of the request of a stream that may outlive it

// Serve writes a feed and ends it. An error of the first Next is returned as usual. A later error ends the stream; the
// reader then reconnects and gets it as a response.
func (s *Streams) Serve(c *gin.Context, feed live.Feed) error {
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
	next, request := feed.Next, guard.RequestID(c.Writer)
	if who.Staff != nil {
		feed.Urgent = s.Live.Hub.Watch(live.AccountTopic(who.Staff.Account))
		own := next
		next = func() (live.Message, error) { return s.nextOf(c, own) }
	}
	feed.Next = func() (live.Message, error) { return told(request, next) }
	w, r, outlives := listening(c)
	feed.Outlives = outlives
	return s.Live.Serve(w, r, m, feed)
}

// ServeShared serves a shared feed to one of its many viewers. Officials, whose streams depend on their session, and
// connections without non-blocking writes get their own stream.
func (s *Streams) ServeShared(c *gin.Context, shared live.Shared) error {
	r, ok := c.Get(listensKey)
	if who := CallersIn(c); !ok || who.Staff != nil || !live.Shares(r.(*http.Request)) {
		feed := shared.Feed()
		feed.Zip = shared.Zip
		return s.Serve(c, feed)
	}
	leave, err := s.listener(c, CallersIn(c))
	if err != nil || leave == nil {
		return err
	}
	shared.Ends = append(shared.Ends, leave)
	w, request, _ := listening(c)
	return s.Live.ServeShared(w, request, shared)
}

// listener counts a new stream until leave is called. For a HEAD request it responds and returns nil without an error.
func (s *Streams) listener(c *gin.Context, who callers) (leave func(), err error) {
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
func (s *Streams) nextOf(c *gin.Context, next func() (live.Message, error)) (live.Message, error) {
	now, err := s.tokens.callers(c)
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

// hostedAgain is the number of seconds until a reader may retry after being rejected by an organization's limit.
const hostedAgain = 10

// hosted counts a new stream until leave is called, if the tournament's organization limits their number. It refuses a
// stream beyond the limit. Players and officials are admitted without being counted.
func (s *Streams) hosted(c *gin.Context, who callers) (leave func(), err error) {
	none := func() {}
	if who.Staff != nil || who.plays() {
		return none, nil
	}
	tournamentID, _ := strconv.ParseInt(c.Param("event"), 10, 64)
	if id := c.Param("id"); tournamentID == 0 && strings.HasPrefix(c.FullPath(), APIBase+"/games/") {
		game, _ := strconv.ParseInt(id, 10, 64)
		if tournamentID, err = organization.EventOf(c.Request.Context(), s.store, game); err != nil {
			return nil, err
		}
	}
	if tournamentID == 0 {
		return none, nil
	}
	org, most, err := organization.StreamsOf(c.Request.Context(), s.store, tournamentID)
	if err != nil || most == 0 {
		return none, err
	}
	leave, err = s.readers.hosted.TakeOf("organization "+strconv.FormatInt(org, 10), most)
	if err != nil {
		return nil, refuse.New(refuse.KindBusy, "err_hosted_busy", "most", most, "seconds", hostedAgain)
	}
	return leave, nil
}
