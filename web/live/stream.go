package live

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// The life of a stream where a server does not say otherwise. A browser comes back by itself when one ends.
const (
	pingEvery = 15 * time.Second
	lifespan  = 30 * time.Minute
	// pingsTogether is how early a stream's first ping may be, to go out with those of others: the machine wakes once for all of them.
	pingsTogether = 100 * time.Millisecond
)

// StreamKind is the media type of a stream.
const StreamKind = "text/event-stream"

// LastEventID is the header in which a reader that comes back names the state that it has.
const LastEventID = "Last-Event-ID"

// overEvent tells a reader that it hears nothing more.
const overEvent = "over"

// Message is the full state for one reader: never a difference, so that one that is missed does no
// harm. Data is JSON or HTML; ID names the state, and a reader that has it is not sent it again, unless it
// is empty. Event is empty for the browser's "message". Wire, if there is one, is shared by all who get this message. Again is how soon
// the state is another one though nothing wakes its watchers: then it is asked for anew; 0: never. Room, if there is one, is a NewRoom in
// which the Data of this reader alone lies.
type Message struct {
	ID, Event string
	Data      []byte
	Wire      *Wire
	Again     time.Duration
	Room      *[]byte

	epoch string // the life of the database, which the ID is written with
}

// NewRoom is for the data of one message.
func NewRoom() *[]byte { return buffers.Get().(*[]byte) }

// Done gives a message's room to the next one. A stream does so with what it has told.
func (m Message) Done() {
	if m.Room != nil {
		buffers.Put(m.Room)
	}
}

// ErrOver is what a feed's Next gives when its reader may hear nothing more: the reader is told so.
var ErrOver = errors.New("the stream is over")

// Feed is what one stream sends. Watcher must have been watching before the first message was drawn, so that
// nothing falls between. Next gives the newest state, whenever one of the watchers is woken; an error ends the
// stream. Least is the shortest time from being woken to the message, in which all that happens is in one, for readers of much; Spread
// is at most so much more, by chance, so that thousands are not written to at one moment; Apart is the shortest time between
// two messages. They do not hold up Urgent, which may be nil. Ping is how often a stream says that it lives; 0: as the server's streams do. Zip has it compressed.
// Outlives says that nothing in the feed is of the request that asked for it, so that the stream may go on without that. Ends is called when
// the stream is over.
type Feed struct {
	Watcher, Urgent *Watcher
	Next            func() (Message, error)
	Least, Spread   time.Duration
	Apart, Ping     time.Duration
	Zip, Outlives   bool
	Hello           Message // sent first, where it has data
	Aside           Aside
	Ends            []func()
}

// End stops the watchers, and calls what is to be called when the stream is over.
func (f Feed) End() {
	for _, w := range []*Watcher{f.Watcher, f.Urgent, f.Aside.Watcher} {
		if w != nil {
			w.Stop()
		}
	}
	for _, end := range f.Ends {
		end()
	}
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

	pushers pushers
	crowd   crowd
}

// ends is when a stream that begins now is over, and pings is how often one says that it lives.
func (s *Streams) ends(now time.Time) time.Time { return now.Add(cmp.Or(s.Life, lifespan)) }

func (s *Streams) pings(f Feed) time.Duration { return cmp.Or(f.Ping, s.Ping, pingEvery) }

// inEpoch names a state in the life of the database.
func (s *Streams) inEpoch(m Message) Message {
	m.epoch = s.Epoch
	return m
}

// newestOf is the state that a reader has who comes back, "" for none, or for one of another life of the database.
func (s *Streams) newestOf(r *http.Request) string {
	id := r.Header.Get(LastEventID)
	if s.Epoch == "" {
		return id
	}
	epoch, id, _ := strings.Cut(id, ".")
	if epoch != s.Epoch {
		return ""
	}
	return id
}

// Clock is what a ping says: the server's time in milliseconds.
func (s *Streams) Clock() Message {
	return Message{Event: "ping", Data: strconv.AppendInt(nil, s.Now().UnixMilli(), 10)}
}

// Serve writes a feed, from its first message on, until the reader goes, the hub is closed or the stream's time is
// over, and ends it. Where the connection can be had for the stream alone, it goes on there after Serve has come back, and no goroutine
// waits for news: whoever draws a message writes it.
func (s *Streams) Serve(w http.ResponseWriter, r *http.Request, first Message, feed Feed) error {
	now := time.Now()
	t := &stream{of: s, feed: feed, first: first, last: s.newestOf(r), sent: now,
		over: s.ends(now), every: s.pings(feed)}
	t.ping = t.nextPing(now)
	t.signs.Store(signWorked | signFirst)
	out, conn, err := begin(w, r, feed)
	if err != nil {
		feed.End()
		return err
	}
	t.out = out
	if conn != nil {
		t.ready = func() { s.pushers.add(t) }
		t.listen()
		t.waitFor(conn)
		t.ready()
		return nil
	}
	turn := make(chan struct{}, 1)
	t.ready = func() { turn <- struct{}{} }
	t.listen()
	defer context.AfterFunc(r.Context(), func() { t.sign(signGone) })()
	for t.work() {
		<-turn
	}
	return nil
}

// waitFor notices that the reader has gone: there is nothing to read.
func (t *stream) waitFor(conn net.Conn) {
	gone := func() { t.sign(signGone) }
	if forget, ok := tellGone(t.out.(*sender).way.(*pushed).raw, gone); ok {
		t.feed.Ends = append(t.feed.Ends, forget)
		return
	}
	go func() {
		var none [1]byte
		_, _ = conn.Read(none[:])
		gone()
	}()
}

// stream is a reader that listens. One goroutine at a time works on it: a pusher, or that of its request.
type stream struct {
	of    *Streams
	feed  Feed
	out   teller
	ready func()        // has it worked on soon
	signs atomic.Uint32 // what has happened since it was worked on last

	first                        Message
	last                         string        // the state that the reader has
	every                        time.Duration // of the pings
	sent, due, again, ping, over time.Time     // due and again: when a state is to be drawn; zero: nothing has happened
	alarm                        *time.Timer
	rings                        time.Time // when the alarm does; zero: it does not
}

// teller is whom a stream speaks to.
type teller interface {
	hello() error
	send(m Message) error
	end(told bool)
}

// What may happen to a stream. One that is worked on, or waits for it, is not made ready again.
const (
	signWorked uint32 = 1 << iota
	signFirst
	signNews
	signUrgent
	signAside
	signTime
	signMore   // of what was drawn is still to be written
	signGone   // the reader
	signClosed // the hub
)

// listen has everything told to the stream that it is to know.
func (t *stream) listen() {
	t.feed.Watcher.tell(func() { t.sign(signNews) })
	t.feed.Urgent.tell(func() { t.sign(signUrgent) })
	t.feed.Aside.Watcher.tell(func() { t.sign(signAside) })
	t.of.Hub.enter(t)
}

// sign notes that something has happened. It never blocks.
func (t *stream) sign(what uint32) {
	if t.signs.Or(what|signWorked)&signWorked == 0 {
		t.ready()
	}
}

// work does what is to be done by now. It is false when the stream is over: then it stays as one that is worked on for ever.
func (t *stream) work() bool {
	for {
		signs := t.signs.Swap(signWorked) &^ signWorked
		if signs == 0 {
			if t.signs.CompareAndSwap(signWorked, 0) {
				return true
			}
			continue
		}
		if !t.safely(signs) {
			t.end(signs&signGone == 0)
			return false
		}
	}
}

// safely is heed; what goes wrong in drawing ends this stream and nothing else.
func (t *stream) safely(signs uint32) (on bool) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("panic", "what", p, "stack", string(debug.Stack()))
			on = false
		}
	}()
	return t.heed(signs)
}

// heed is false when the stream is to end.
func (t *stream) heed(signs uint32) bool {
	now := time.Now()
	switch {
	case signs&signGone != 0:
		return false
	case signs&signFirst != 0 && !t.begin(now):
		return false
	case signs&signClosed != 0: // after what comes first, so that a reader knows when to come back
		return false
	case signs&signFirst == 0 && signs&signAside != 0 && t.feed.Aside.send(t.out) != nil:
		return false
	}
	if signs&signTime != 0 {
		t.rings = time.Time{}
	}
	switch {
	case signs&signUrgent != 0:
		t.due = now
	case signs&signNews != 0 && t.due.IsZero():
		t.due = now.Add(t.feed.pause(t.sent))
	}
	if come(t.due, now) || come(t.again, now) {
		t.due = time.Time{}
		m, err := t.feed.Next()
		if err != nil {
			if errors.Is(err, ErrOver) {
				_ = t.out.send(Message{Event: overEvent, Data: []byte("{}")})
			}
			return false
		}
		t.sent = now // also if it is no news: it was drawn
		if !t.tell(m, now) {
			return false
		}
	}
	if come(t.ping, now) {
		if t.out.send(t.of.Clock()) != nil {
			return false
		}
		t.ping = t.nextPing(now)
	}
	if come(t.over, now) {
		return false
	}
	t.setAlarm(now)
	return true
}

// nextPing is when a stream that pings now does so again, in step with the others.
func (t *stream) nextPing(now time.Time) time.Time {
	if t.every < 10*pingsTogether { // which only tests ask for: that would be much too early
		return now.Add(t.every)
	}
	return now.Add(t.every - time.Duration(now.UnixNano())%pingsTogether)
}

// come tells whether a time, if there is one, has come.
func come(at, now time.Time) bool { return !at.IsZero() && !now.Before(at) }

// begin says what comes before everything else, and the first state.
func (t *stream) begin(now time.Time) bool {
	if t.out.hello() != nil || t.feed.Hello.Data != nil && t.out.send(t.feed.Hello) != nil || t.feed.Aside.Watcher != nil && t.feed.Aside.send(t.out) != nil {
		return false
	}
	m := t.first
	t.first, t.feed.Hello = Message{}, Message{} // both are large, and the stream is long
	return t.tell(m, now)
}

// tell sends a state to a reader that does not have it.
func (t *stream) tell(m Message, now time.Time) bool {
	m = t.of.inEpoch(m)
	if t.again = (time.Time{}); m.Again > 0 {
		t.again = now.Add(m.Again)
	}
	defer m.Done()
	if m.ID != "" && m.ID == t.last {
		return true
	}
	if t.out.send(m) != nil {
		return false
	}
	t.last, t.sent = m.ID, now
	return true
}

// setAlarm has the stream worked on when something in it is due, whatever happens until then.
func (t *stream) setAlarm(now time.Time) {
	next := t.over
	for _, at := range [...]time.Time{t.due, t.again, t.ping} {
		if !at.IsZero() && at.Before(next) {
			next = at
		}
	}
	if !t.rings.IsZero() && !next.Before(t.rings) {
		return
	}
	t.rings = next
	if t.alarm == nil {
		t.alarm = time.AfterFunc(next.Sub(now), func() { t.sign(signTime) })
		return
	}
	t.alarm.Reset(next.Sub(now))
}

// end lets everything go that the stream holds; a reader who is still there is told that nothing more comes.
func (t *stream) end(told bool) {
	if t.alarm != nil {
		t.alarm.Stop()
	}
	t.out.end(told)
	t.of.Hub.leave(t)
	t.feed.End()
}

// pause is how long a stream that is woken lets more happen, after it sent last.
func (f Feed) pause(sent time.Time) time.Duration {
	pause := f.Least
	if f.Spread > 0 {
		pause += rand.N(f.Spread)
	}
	if f.Apart > 0 {
		pause = max(pause, f.Apart-time.Since(sent))
	}
	return pause
}

func (a Aside) send(out teller) error {
	m, err := a.Next()
	if err != nil {
		return err
	}
	return out.send(m)
}
