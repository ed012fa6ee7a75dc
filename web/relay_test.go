package web

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

// relay stands between browsers and a hall, as the network does, and can be broken in the ways of a network. Its
// address stays while the hall is started again. What TCP never does, losing bytes in the middle of a connection that goes on, it
// does not either: what is hushed or slow arrives later, or the connection is dead. That is why it is not Shopify's toxiproxy, whose
// hushed connections lose what is sent (its pull request 168) and have to be closed when they are heard again.
type relay struct {
	t     *testing.T
	inner *hall
	front *httptest.Server
	line  net.Listener
	url   string

	// answer may answer a request in the hall's place, and says whether it has.
	answer atomic.Pointer[func(http.ResponseWriter, *http.Request) bool]

	mu       sync.Mutex
	gone     bool
	up, down *sync.Cond
	silent   [2]bool // upwards, to the hall; downwards
	weather  weather
	links    map[*link]struct{}
}

// weather is how slow a network is: each way takes delay, up to jitter more or less, and bytes a second go through a connection; 0 is
// no limit.
type weather struct {
	delay, jitter time.Duration
	bytes         int
}

// link is a connection through the relay. A forgotten one is dead, and the browser is not told.
type link struct {
	near, far net.Conn
	forgotten atomic.Bool
	held      bool // what comes from the hall waits; under the relay's lock
}

// packet is a part of what was sent, and when it arrives.
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
		h.server.handler.ServeHTTP(w, q)
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

// pump hands on what comes, when it is due. What comes while the direction is silent waits, as packets that are sent again do.
func (r *relay) pump(l *link, to, from net.Conn, gate *sync.Cond, direction int) {
	sent := make(chan packet, 1024)
	go r.read(from, sent)
	defer func() {
		for range sent { // until the reader has seen that it is closed
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

// read reads until a connection ends. Its end arrives as late as what was sent on it.
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

// is makes the network slow.
func (r *relay) is(w weather) {
	r.mu.Lock()
	r.weather = w
	r.mu.Unlock()
}

// hush swallows what is sent to the hall, and what comes from it, without a sign to either; or stops doing so.
func (r *relay) hush(up, down bool) {
	r.mu.Lock()
	r.silent = [2]bool{up, down}
	r.mu.Unlock()
	r.up.Broadcast()
	r.down.Broadcast()
}

// forget lets all connections die without a sign to the browsers, as where an access point or a sleeping tablet has forgotten them;
// new ones are good.
func (r *relay) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for l := range r.links {
		l.forgotten.Store(true)
		l.far.Close()
	}
}

// hold has what the hall sends on the connections that there are wait, and comes late; new ones are good. It ends with false.
func (r *relay) hold(held bool) {
	r.mu.Lock()
	for l := range r.links {
		l.held = held
	}
	r.mu.Unlock()
	r.down.Broadcast()
}

// cut ends all connections; while it is gone nobody gets a new one.
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

// instead lets f answer in the hall's place; nil: the hall answers again.
func (r *relay) instead(f func(http.ResponseWriter, *http.Request) bool) {
	if f == nil {
		r.answer.Store(nil)
		return
	}
	r.answer.Store(&f)
}
