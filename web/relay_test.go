package web

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
)

// relay stands between browsers and a hall, as the network does, and can be broken in the ways of a network. Its
// address stays while the hall is started again.
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
	conns    map[net.Conn]struct{}
}

func newRelay(t *testing.T, h *hall) *relay {
	t.Helper()
	r := &relay{t: t, inner: h, conns: map[net.Conn]struct{}{}}
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
		r.mu.Lock()
		r.conns[c], r.conns[to] = struct{}{}, struct{}{}
		r.mu.Unlock()
		go r.pump(to, c, r.up, 0)
		go r.pump(c, to, r.down, 1)
	}
}

// pump hands on what comes. What comes while the direction is silent waits, as packets that are sent again do.
func (r *relay) pump(to io.WriteCloser, from io.ReadCloser, gate *sync.Cond, direction int) {
	defer to.Close()
	defer from.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		r.mu.Lock()
		for r.silent[direction] {
			gate.Wait()
		}
		r.mu.Unlock()
		if n > 0 {
			if _, e := to.Write(buf[:n]); e != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// hush swallows what is sent to the hall, and what comes from it, without a sign to either; or stops doing so.
func (r *relay) hush(up, down bool) {
	r.mu.Lock()
	r.silent = [2]bool{up, down}
	r.mu.Unlock()
	r.up.Broadcast()
	r.down.Broadcast()
}

// cut ends all connections; while it is gone nobody gets a new one.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.conns {
		c.Close()
	}
	clear(r.conns)
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
