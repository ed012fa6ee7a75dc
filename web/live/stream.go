package live

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// The life of a stream where a server does not say otherwise. A browser comes back by itself when one ends.
const (
	pingEvery = 15 * time.Second
	lifespan  = 30 * time.Minute
)

// StreamKind is the media type of a stream.
const StreamKind = "text/event-stream"

// LastEventID is the header in which a reader that comes back names the state that it has.
const LastEventID = "Last-Event-ID"

// Message is the full state for one reader: never a difference, so that one that is missed does no
// harm. Data is JSON or HTML; ID names the state, and a reader that has it is not sent it again, unless it
// is empty. Event is empty for the browser's "message". Wire, if there is one, is shared by all who get this message. Again is how soon
// the state is another one though nothing wakes its watchers: then it is asked for anew; 0: never.
type Message struct {
	ID, Event string
	Data      []byte
	Wire      *Wire
	Again     time.Duration
}

// ErrOver is what a feed's Next gives when its reader may hear nothing more: the reader is told so.
var ErrOver = errors.New("the stream is over")

// Feed is what one stream sends. Watcher must have been watching before the first message was drawn, so that
// nothing falls between. Next gives the newest state, whenever one of the watchers is woken; an error ends the
// stream. Least is the shortest time from being woken to the message, in which all that happens is in one, for readers of much; Spread
// is at most so much more, by chance, so that thousands are not written to at one moment; Apart is the shortest time between
// two messages. They do not hold up Urgent, which may be nil. Ping is how often a stream says that it lives; 0: as the server's streams do. Zip has it compressed.
type Feed struct {
	Watcher, Urgent *Watcher
	Next            func() (Message, error)
	Least, Spread   time.Duration
	Apart, Ping     time.Duration
	Zip             bool
	Hello           Message // sent first, where it has data
	Aside           Aside
}

// Aside is what a stream says besides its state: at its start, and whenever the watcher is woken. Without a watcher
// nothing is said.
type Aside struct {
	Watcher *Watcher
	Next    func() (Message, error)
}

// Streams is what all streams of a server have in common: how long one lives, 0 for 30 min, how often one that is
// silent says so, 0 for 15 s, and the server's clock, which readers set theirs by. Epoch is the life of the database: it is part of
// every message's ID, so that nobody who comes back with a state of another life is taken to have the newest.
type Streams struct {
	Hub        *Hub
	Life, Ping time.Duration
	Now        func() time.Time
	Epoch      string
}

// inEpoch names a state in the life of the database.
func (s *Streams) inEpoch(m Message) Message {
	if m.ID != "" && s.Epoch != "" {
		m.ID = s.Epoch + "." + m.ID
	}
	return m
}

// Clock is what a ping says: the server's time in milliseconds.
func (s *Streams) Clock() Message {
	return Message{Event: "ping", Data: strconv.AppendInt(nil, s.Now().UnixMilli(), 10)}
}

// Serve writes a feed, from its first message on, until the reader goes, the hub is closed or the stream's time is
// over. The watchers are the caller's to stop.
func (s *Streams) Serve(w http.ResponseWriter, r *http.Request, first Message, feed Feed) error {
	out := &sender{w: w, rc: http.NewResponseController(w)}
	if feed.Zip {
		out.zip = new(zipStream)
	}
	if err := out.begin(); err != nil {
		return err
	}
	defer out.end()
	if feed.Hello.Data != nil && out.send(feed.Hello) != nil || feed.Aside.Watcher != nil && !feed.Aside.send(out) {
		return nil // the reader is gone
	}
	life, ping := time.NewTimer(cmp.Or(s.Life, lifespan)), time.NewTicker(cmp.Or(feed.Ping, s.Ping, pingEvery))
	defer life.Stop()
	defer ping.Stop()
	m, last, sent, err := first, r.Header.Get(LastEventID), time.Now(), error(nil)
	for {
		m = s.inEpoch(m)
		if m.ID == "" || m.ID != last {
			if out.send(m) != nil {
				return nil
			}
			last, sent = m.ID, time.Now()
		}
		if !s.await(r, feed, sent, m.Again, out, life.C, ping.C) {
			return nil
		}
		if m, err = feed.Next(); err != nil {
			if errors.Is(err, ErrOver) {
				_ = out.send(Message{Event: "over", Data: []byte("{}")})
			}
			return nil
		}
	}
}

// await waits until there is news to send, after what was sent last, or until that is to be asked for again. It is false when the stream
// is to end.
func (s *Streams) await(r *http.Request, feed Feed, sent time.Time, again time.Duration, out *sender, life, ping <-chan time.Time) bool {
	var due <-chan time.Time
	if again > 0 {
		alarm := time.NewTimer(again)
		defer alarm.Stop()
		due = alarm.C
	}
	for {
		select {
		case <-due:
			return true
		case <-feed.Watcher.Woken():
			return s.rest(r, feed.pause(sent))
		case <-feed.Urgent.Woken():
			return true
		case <-feed.Aside.Watcher.Woken():
			if !feed.Aside.send(out) {
				return false
			}
		case <-ping:
			if out.send(s.Clock()) != nil {
				return false
			}
		case <-life:
			return false
		case <-s.Hub.Closed():
			return false
		case <-r.Context().Done():
			return false
		}
	}
}

// pause is how long a stream that is woken lets more happen, after it sent last.
func (f Feed) pause(sent time.Time) time.Duration {
	pause := f.Least
	if f.Spread > 0 {
		pause += rand.N(f.Spread)
	}
	return max(pause, f.Apart-time.Since(sent))
}

// rest lets the time before a message pass; what happens in between is in it.
func (s *Streams) rest(r *http.Request, length time.Duration) bool {
	if length <= 0 {
		return true
	}
	pause := time.NewTimer(length)
	defer pause.Stop()
	select {
	case <-pause.C:
		return true
	case <-s.Hub.Closed():
	case <-r.Context().Done():
	}
	return false
}

func (a Aside) send(out *sender) bool {
	m, err := a.Next()
	return err == nil && out.send(m) == nil
}
