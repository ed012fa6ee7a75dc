package webtest

import (
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// relay stands between browsers and a hall and can fail as networks do. Its address stays the same when the hall
// restarts. As with TCP, bytes are never lost within a living connection: silenced or slow data arrives later, or the
// connection dies. This is why it does not use Shopify's toxiproxy, which loses data of silenced connections (its pull
// request 168), so they must be closed afterwards.
type relay struct {
	t     *testing.T
	inner *hall
	front *httptest.Server
	line  net.Listener
	url   string

	// answer may handle a request in place of the hall, and reports whether it has.
	answer atomic.Pointer[func(http.ResponseWriter, *http.Request) bool]

	mu       sync.Mutex
	gone     bool
	up, down *sync.Cond
	silent   [2]bool // to the hall; to the browser
	weather  weather
	links    map[*link]struct{}
}

// weather is a network's quality: each direction is delayed by delay ± jitter, and a connection carries at most bytes
// per second; 0 means no limit.
type weather struct {
	delay, jitter time.Duration
	bytes         int
}

// link is a connection through the relay. A forgotten one is dead, but the browser is not notified.
type link struct {
	near, far net.Conn
	forgotten atomic.Bool
	held      bool // delays data from the hall; guarded by the relay's lock
}

// packet is a piece of data and when it is due.
type packet struct {
	bytes []byte
	due   time.Time
}

func newRelay(t *testing.T, h *hall) *relay {
	t.Helper()
	r := &relay{t: t, inner: h, links: map[*link]struct{}{}}
	r.up, r.down = sync.NewCond(&r.mu), sync.NewCond(&r.mu)
	r.front = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if answer := r.answer.Load(); answer != nil && (*answer)(w, q) {
			return
		}
		h.server.ServeHTTP(w, q)
	}))
	var err error
	if r.line, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	r.url = "http://" + r.line.Addr().String()
	go r.accept()
	t.Cleanup(func() {
		r.line.Close()
		r.hush(false, false)
		r.hold(false)
		r.is(weather{})
		h.server.Close()
		r.cut()
		r.front.Close()
	})
	return r
}

func (r *relay) accept() {
	for {
		c, err := r.line.Accept()
		if err != nil {
			return
		}
		r.mu.Lock()
		gone := r.gone
		r.mu.Unlock()
		to, err := net.Dial("tcp", r.front.Listener.Addr().String())
		if gone || err != nil {
			c.Close()
			if err == nil {
				to.Close()
			}
			continue
		}
		l := &link{near: c, far: to}
		r.mu.Lock()
		r.links[l] = struct{}{}
		r.mu.Unlock()
		go r.pump(l, to, c, r.up, 0)
		go r.pump(l, c, to, r.down, 1)
	}
}

// pump forwards data when it is due. Data for a silenced direction waits, like retransmitted packets.
func (r *relay) pump(l *link, to, from net.Conn, gate *sync.Cond, direction int) {
	sent := make(chan packet, 1024)
	go r.read(from, sent)
	defer func() {
		for range sent { // until the reader notices the close
		}
	}()
	defer l.far.Close()
	defer func() {
		if !l.forgotten.Load() {
			l.near.Close()
		}
	}()
	for p := range sent {
		time.Sleep(time.Until(p.due))
		if l.forgotten.Load() {
			continue
		}
		r.mu.Lock()
		for r.silent[direction] || direction == 1 && l.held {
			gate.Wait()
		}
		rate := r.weather.bytes
		r.mu.Unlock()
		if _, err := to.Write(p.bytes); err != nil {
			return
		}
		if rate > 0 {
			time.Sleep(time.Duration(len(p.bytes)) * time.Second / time.Duration(rate))
		}
	}
}

// read reads until a connection ends. The end is delayed like the data.
func (r *relay) read(from net.Conn, sent chan<- packet) {
	defer close(sent)
	for {
		part := make([]byte, 4<<10)
		n, err := from.Read(part)
		r.mu.Lock()
		late := r.weather.delay
		if r.weather.jitter > 0 {
			late += rand.N(2*r.weather.jitter) - r.weather.jitter
		}
		r.mu.Unlock()
		sent <- packet{part[:n], time.Now().Add(late)}
		if err != nil {
			return
		}
	}
}

// is sets the network's quality.
func (r *relay) is(w weather) {
	r.mu.Lock()
	r.weather = w
	r.mu.Unlock()
}

// hush silences the directions to the hall and from it without closing connections, or ends this.
func (r *relay) hush(up, down bool) {
	r.mu.Lock()
	r.silent = [2]bool{up, down}
	r.mu.Unlock()
	r.up.Broadcast()
	r.down.Broadcast()
}

// forget lets all connections die without notifying browsers, as when an access point or a sleeping tablet drops them.
// New connections work.
func (r *relay) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for l := range r.links {
		l.forgotten.Store(true)
		l.far.Close()
	}
}

// hold delays the hall's data on existing connections until hold(false). New connections work.
func (r *relay) hold(held bool) {
	r.mu.Lock()
	for l := range r.links {
		l.held = held
	}
	r.mu.Unlock()
	r.down.Broadcast()
}

// cut closes all connections; while the relay is gone, new ones fail.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for l := range r.links {
		l.near.Close()
		l.far.Close()
	}
	clear(r.links)
}

func (r *relay) vanish(gone bool) {
	r.mu.Lock()
	r.gone = gone
	r.mu.Unlock()
	if gone {
		r.cut()
	}
}

// instead lets f handle requests in place of the hall; nil restores the hall.
func (r *relay) instead(f func(http.ResponseWriter, *http.Request) bool) {
	if f == nil {
		r.answer.Store(nil)
		return
	}
	r.answer.Store(&f)
}
