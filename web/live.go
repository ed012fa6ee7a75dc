package web

import (
	"bytes"
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/tournament"
	"meldhall/web/live"
)

// The life of a stream. A browser comes back by itself when one ends.
const (
	pingEvery    = 15 * time.Second
	streamLife   = 30 * time.Minute
	writeWithin  = 5 * time.Second
	retryMillis  = "retry: 2000\n\n"
	lastEventKey = "Last-Event-ID"
)

// Message is the full state for one reader: never a difference, so that one that is missed does no
// harm. Data is JSON or HTML; ID names the state, and a reader that has it is not sent it again, unless it
// is empty. Event is empty for the browser's "message".
type Message struct {
	ID, Event string
	Data      []byte
}

// Feed is what one stream sends. Watcher must have been watching before the first Next, so that
// nothing falls between. Next gives the newest state; Least is the shortest time between two messages, for
// readers of much. Ping is how often a stream says that it lives; 0: as configured.
type Feed struct {
	Watcher *live.Watcher
	Least   time.Duration
	Ping    time.Duration
	Next    func() (Message, error)
}

// stream writes a feed, to a page after the address of the assets that it should have, until the reader goes, the server stops or the stream's time is over. An error
// of the first Next is answered as any error is; a later one ends the stream, and the reader comes back
// and gets it as an answer.
func (s *Server) stream(c *gin.Context, feed Feed) error {
	defer feed.Watcher.Stop()
	m, err := feed.Next()
	if err != nil {
		return err
	}
	out := &sender{c: c, rc: http.NewResponseController(c.Writer)}
	if err := out.begin(); err != nil {
		return err
	}
	defer out.end()
	if !strings.HasPrefix(c.FullPath(), apiBase) && out.send(Message{Event: "build", Data: []byte(s.assets.Base())}) != nil {
		return nil
	}
	rights, news := s.hub.Watch(), s.watchNews(c)
	defer rights.Stop()
	defer news.watcher.Stop()
	if news.send(out) != nil {
		return nil
	}
	who, _ := c.Value(callersKey).(callers)
	if who.staff != nil {
		rights.Turn(live.AccountTopic(who.staff.Account))
	}
	life, ping := time.NewTimer(s.config.StreamLife), time.NewTicker(cmp.Or(feed.Ping, s.config.PingEvery))
	defer life.Stop()
	defer ping.Stop()
	for last := c.GetHeader(lastEventKey); ; {
		if m.ID == "" || m.ID != last {
			if out.send(m) != nil {
				return nil // the reader is gone
			}
			last = m.ID
		}
		if !s.await(c, feed, rights, news, out, life.C, ping.C) {
			return nil
		}
		if m, err = s.nextOf(c, feed, who); err != nil {
			if failureOf(c.Request.Context(), c.GetString(requestKey), err).Status < http.StatusInternalServerError {
				_ = out.send(Message{Event: "over", Data: []byte("{}")})
			}
			return nil
		}
	}
}

// nextOf gives a feed's newest message. An official who was signed out since the stream began hears nothing more, even
// where everybody may listen: the page says whose it is.
func (s *Server) nextOf(c *gin.Context, feed Feed, began callers) (Message, error) {
	if began.staff != nil {
		now, err := s.callersOf(c)
		if err == nil && now.staff == nil {
			err = tournament.Refuse(tournament.Unauthenticated, "err_sign_in_first", "action", "listen")
		}
		if err != nil {
			return Message{}, err
		}
	}
	return feed.Next()
}

// await waits until there is news to send. It is false when the stream is to end.
func (s *Server) await(c *gin.Context, feed Feed, rights *live.Watcher, news *newsFeed, out *sender, life, ping <-chan time.Time) bool {
	for {
		select {
		case <-feed.Watcher.Woken():
			return s.rest(c, feed.Least)
		case <-rights.Woken():
			return true
		case <-news.watcher.Woken():
			if news.send(out) != nil {
				return false
			}
		case <-ping:
			if out.send(Message{Event: "ping", Data: s.now()}) != nil {
				return false
			}
		case <-life:
			return false
		case <-s.hub.Closed():
			return false
		case <-c.Request.Context().Done():
			return false
		}
	}
}

// now is what a ping carries: the server's clock in milliseconds, which clocks are set by.
func (s *Server) now() []byte { return strconv.AppendInt(nil, s.store.Now().UnixMilli(), 10) }

// rest lets the time between two messages pass; what happens meanwhile is in the next one.
func (s *Server) rest(c *gin.Context, least time.Duration) bool {
	if least == 0 {
		return true
	}
	pause := time.NewTimer(least)
	defer pause.Stop()
	select {
	case <-pause.C:
		return true
	case <-s.hub.Closed():
	case <-c.Request.Context().Done():
	}
	return false
}

// sender writes messages with a deadline for each, so that a reader which takes nothing is cut off.
type sender struct {
	c   *gin.Context
	rc  *http.ResponseController
	buf bytes.Buffer
	zip *zipStream // nil: as it is
}

// begin writes the head. The server's deadlines are for ordinary requests; this one lives on.
func (o *sender) begin() error {
	h := o.c.Writer.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	if takesZip(o.c) && !strings.HasPrefix(o.c.FullPath(), apiBase) { // a table of 80 tiles is 40 KB, or 4
		o.zip = new(zipStream)
		h.Set("Content-Encoding", "gzip")
		h.Add("Vary", "Accept-Encoding")
	}
	if err := o.rc.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	o.c.Status(http.StatusOK)
	o.buf.WriteString(retryMillis)
	return o.flush() // a reader that has the newest state is to know at once that it is connected
}

func (o *sender) send(m Message) error {
	if m.ID != "" {
		o.buf.WriteString("id: ")
		o.buf.WriteString(m.ID)
		o.buf.WriteByte('\n')
	}
	if m.Event != "" {
		o.buf.WriteString("event: ")
		o.buf.WriteString(m.Event)
		o.buf.WriteByte('\n')
	}
	for line := range bytes.SplitSeq(m.Data, []byte{'\n'}) {
		o.buf.WriteString("data: ")
		o.buf.Write(line)
		o.buf.WriteByte('\n')
	}
	o.buf.WriteByte('\n')
	return o.flush()
}

func (o *sender) flush() error {
	if err := o.rc.SetWriteDeadline(time.Now().Add(writeWithin)); err != nil {
		return err
	}
	data := o.buf.Bytes()
	if o.zip != nil {
		var err error
		if data, err = o.zip.next(data); err != nil {
			return err
		}
	}
	_, err := o.c.Writer.Write(data)
	o.buf.Reset()
	if err != nil {
		return err
	}
	return o.rc.Flush()
}

// end tells a reader that is still there that nothing more comes.
func (o *sender) end() {
	if o.zip != nil {
		_, _ = o.c.Writer.Write(o.zip.end())
	}
}
