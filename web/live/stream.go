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

// The default times of a stream. A browser reconnects by itself when a stream ends.
const (
	pingEvery = 15 * time.Second
	lifespan  = 30 * time.Minute
	// pingsTogether is by how much a stream's first ping may come early to coincide with those of other streams: the
	// machine then wakes once for all of them.
	pingsTogether = 100 * time.Millisecond
)

// StreamKind is the media type of a stream.
const StreamKind = "text/event-stream"

// LastEventID is the header with which a reconnecting reader names its last state.
const LastEventID = "Last-Event-ID"

// HasQuery is the query value with which a page names the state that it was rendered with: the epoch of the database, a
// dot, and the ID of the message.
const HasQuery = "has"

// overEvent informs a reader that nothing more follows.
const overEvent = "over"

// Message is the full state for one reader. It is never a difference, so a missed one does no harm. Data is JSON or
// HTML. ID names the state; a reader that has it does not get it again, unless it is empty. Event is empty for the
// browser's "message". Wire, if set, is shared by all who get this message. Again is the time after which the state
// changes without waking its watchers and is requested again; 0: never. Room, if set, is a buffer from NewRoom that
// contains the Data of this reader only.
type Message struct {
	ID, Event string
	Data      []byte
	Wire      *Wire
	Again     time.Duration
	Room      *[]byte

	epoch string // the epoch of the database, written before the ID
}

// NewRoom returns a buffer for the data of one message.
func NewRoom() *[]byte { return buffers.Get().(*[]byte) }

// Done releases the message's room for reuse. A stream calls it after sending a message.
func (m Message) Done() {
	if m.Room != nil {
		buffers.Put(m.Room)
	}
}

// ErrOver is the error of a feed's Next when its reader may get nothing more. The reader is informed.
var ErrOver = errors.New("the stream has ended")

// Feed is the source of one stream. Watcher must have been watching before the first message was drawn, so that no
// change is missed. Next returns the newest state whenever one of the watchers is woken; an error ends the stream.
// Least is the shortest time from a wake to the message, to combine several changes into one. Spread is the upper limit
// of a random addition, so that thousands of readers are not written to at the same moment. Apart is the shortest time
// between two messages. None of these delays Urgent, which may be nil. Ping is the interval of pings; 0 means that of
// Streams. Zip enables compression. Outlives states that the feed uses nothing of its request, so that the stream may
// outlive the request. Ends are called when the stream is over.
type Feed struct {
	Watcher, Urgent *Watcher
	Next            func() (Message, error)
	Least, Spread   time.Duration
	Apart, Ping     time.Duration
	Zip, Outlives   bool
	Hello           Message // sent first, if it has data
	Aside           Aside
	Hint            Aside // a second one
	Ends            []func()
}

// End stops the watchers and calls the functions in Ends.
func (f Feed) End() {
	for _, w := range []*Watcher{f.Watcher, f.Urgent, f.Aside.Watcher, f.Hint.Watcher} {
		if w != nil {
			w.Stop()
		}
	}
	for _, end := range f.Ends {
		end()
	}
}

// Aside is what a stream sends besides its state: at the start and whenever the watcher is woken. Without a watcher
// nothing is sent, nor is a message without data.
type Aside struct {
	Watcher *Watcher
	Next    func() (Message, error)
}

// Streams is the common configuration of a server's streams: Life is the lifetime of one (0: 30 min), Ping is the
// interval of pings (0: 15 s), and Now is the server's clock, by which readers set theirs. Epoch is the epoch of the
// database. It is part of every message's ID, so that a reader with a state of another epoch does not count as up to
// date.
type Streams struct {
	Hub        *Hub
	Life, Ping time.Duration
	Now        func() time.Time
	Epoch      string

	pushers pushers
	crowd   crowd
}

// ends returns when a stream that begins now is over; pings returns the interval of a feed's pings.
func (s *Streams) ends(now time.Time) time.Time { return now.Add(cmp.Or(s.Life, lifespan)) }

func (s *Streams) pings(f Feed) time.Duration { return cmp.Or(f.Ping, s.Ping, pingEvery) }

// inEpoch adds the epoch of the database to a state.
func (s *Streams) inEpoch(m Message) Message {
	m.epoch = s.Epoch
	return m
}

// newestOf returns the ID of the last state that a reader has: one that reconnects, or one whose page was rendered with
// that state (HasQuery). It returns "" for none, or for one of another epoch.
func (s *Streams) newestOf(r *http.Request) string {
	id := cmp.Or(r.Header.Get(LastEventID), r.URL.Query().Get(HasQuery))
	if s.Epoch == "" {
		return id
	}
	epoch, id, _ := strings.Cut(id, ".")
	if epoch != s.Epoch {
		return ""
	}
	return id
}

// Clock returns a ping: the server's time in milliseconds.
func (s *Streams) Clock() Message {
	return Message{Event: "ping", Data: strconv.AppendInt(nil, s.Now().UnixMilli(), 10)}
}

// Serve writes a feed, from its first message on, until the reader is gone, the hub is closed or the stream's lifetime
// is over. It then ends the feed. If the stream can have the connection for itself, it continues there after Serve
// returns. No goroutine then waits for news: the one that draws a message also writes it.
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

// waitFor arranges that the stream ends when the reader closes the connection. Readers send nothing, so there is
// nothing else to read.
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

// stream is a connected reader. Only one goroutine at a time works on it: a pusher, or that of its request.
type stream struct {
	of    *Streams
	feed  Feed
	out   teller
	ready func()        // schedules work on the stream
	signs atomic.Uint32 // what has happened since the last work

	first                        Message
	last                         string        // the reader's last state
	every                        time.Duration // interval of pings
	sent, due, again, ping, over time.Time     // due and again: when to draw a state; zero: not scheduled
	alarm                        *time.Timer
	rings                        time.Time // when the alarm rings; zero: not set
}

// teller is the receiver of a stream's messages.
type teller interface {
	hello() error
	send(m Message) error
	end(told bool)
}

// The things that can happen to a stream. A stream that is being worked on, or is queued, is not scheduled again.
const (
	signWorked uint32 = 1 << iota
	signFirst
	signNews
	signUrgent
	signAside
	signHint
	signTime
	signMore   // some drawn messages are not written yet
	signGone   // the reader is gone
	signClosed // the hub is closed
)

// listen connects the stream to its watchers and registers it at the hub.
func (t *stream) listen() {
	t.feed.Watcher.tell(func() { t.sign(signNews) })
	t.feed.Urgent.tell(func() { t.sign(signUrgent) })
	t.feed.Aside.Watcher.tell(func() { t.sign(signAside) })
	t.feed.Hint.Watcher.tell(func() { t.sign(signHint) })
	t.of.Hub.enter(t)
}

// sign records that something has happened. It never blocks.
func (t *stream) sign(what uint32) {
	if t.signs.Or(what|signWorked)&signWorked == 0 {
		t.ready()
	}
}

// work handles the due updates. It returns false when the stream is over; the stream then remains marked as being
// worked on forever.
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

// safely calls heed. A panic while drawing ends only this stream.
func (t *stream) safely(signs uint32) (on bool) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("panic", "what", p, "stack", string(debug.Stack()))
			on = false
		}
	}()
	return t.heed(signs)
}

// heed handles signs and returns false if the stream must end.
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
	case signs&signFirst == 0 && signs&signHint != 0 && t.feed.Hint.send(t.out) != nil:
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
		t.sent = now // even if the state is unchanged, because it was drawn
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

// nextPing returns the time of the next ping if one was sent at now, in step with other streams.
func (t *stream) nextPing(now time.Time) time.Time {
	if t.every < 10*pingsTogether { // only in tests, where the adjustment would be far too early
		return now.Add(t.every)
	}
	return now.Add(t.every - time.Duration(now.UnixNano())%pingsTogether)
}

// come reports whether a time is set and has come.
func come(at, now time.Time) bool { return !at.IsZero() && !now.Before(at) }

// begin sends the initial messages and the first state. It returns false if a write fails.
func (t *stream) begin(now time.Time) bool {
	if t.out.hello() != nil || t.feed.Hello.Data != nil && t.out.send(t.feed.Hello) != nil ||
		t.feed.Aside.Watcher != nil && t.feed.Aside.send(t.out) != nil ||
		t.feed.Hint.Watcher != nil && t.feed.Hint.send(t.out) != nil {
		return false
	}
	m := t.first
	t.first, t.feed.Hello = Message{}, Message{} // both are large, and the stream lives long
	if m.ID != "" && m.ID == t.last && t.out.send(t.of.Clock()) != nil {
		return false
	}
	return t.tell(m, now)
}

// tell sends a state unless the reader already has it, or an event, which leaves the reader's state as it is. It returns
// false if the write fails.
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
	if t.sent = now; m.Event == "" || m.ID != "" {
		t.last = m.ID
	}
	return true
}

// setAlarm schedules work for the next time that something is due.
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

// end releases everything that the stream holds. If told is set, a reader still connected learns that nothing more
// follows.
func (t *stream) end(told bool) {
	if t.alarm != nil {
		t.alarm.Stop()
	}
	t.out.end(told)
	t.of.Hub.leave(t)
	t.feed.End()
}

// pause returns how long a woken stream waits for further changes, given when it last sent.
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
	if err != nil || m.Data == nil {
		return err
	}
	return out.send(m)
}
