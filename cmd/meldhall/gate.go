package main

import (
	"context"
	"net/http"
	"sync"
)

// gate stands before the server from the first moment on: whoever comes before the database is open waits, as at an address where
// nobody answers yet, but that the program lives is said, and that it is not ready. It is shut again while another database is opened, and closed when the
// program stops.
type gate struct {
	mu  sync.Mutex
	now *passage
}

// passage is a way through the gate, until it is shut.
type passage struct {
	decided chan struct{} // closed once it is known whether there is a server
	behind  http.Handler  // nil: it does not open any more
	inside  sync.WaitGroup
}

func newGate() *gate { return &gate{now: &passage{decided: make(chan struct{})}} }

// open lets everybody through to the server, unless that was decided already.
func (g *gate) open(server http.Handler) {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.now.decided:
	default:
		g.now.behind = server
		close(g.now.decided)
	}
}

// close sends those away who wait for a server that does not come, and from now on everybody. It gives what waits, until ctx ends, for
// those who are inside.
func (g *gate) close() (left func(ctx context.Context)) {
	g.open(nil)
	left = g.shut()
	g.open(nil)
	return left
}

// shut lets nobody through to the server any more: who comes waits for the next one. It gives what waits, until ctx ends, for those who are
// inside.
func (g *gate) shut() (left func(ctx context.Context)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	before := g.now
	g.now = &passage{decided: make(chan struct{})}
	return func(ctx context.Context) {
		gone := make(chan struct{})
		go func() {
			before.inside.Wait()
			close(gone)
		}()
		select {
		case <-gone:
		case <-ctx.Done():
		}
	}
}

// enter gives the passage of the moment, and takes a place inside where it is decided and leads to a server.
func (g *gate) enter() (p *passage, decided bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.now.decided:
		if g.now.behind != nil {
			g.now.inside.Add(1)
		}
		return g.now, true
	default:
		return g.now, false
	}
}

// ServeHTTP lets a request through as soon as there is a server.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, decided := g.enter()
	if (!decided || p.behind == nil) && g.answers(w, r) {
		return
	}
	for !decided {
		select {
		case <-p.decided:
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		}
		p, decided = g.enter()
	}
	if p.behind == nil {
		panic(http.ErrAbortHandler)
	}
	defer p.inside.Done()
	p.behind.ServeHTTP(w, r)
}

// passed is the server behind the open gate, nil otherwise.
func (g *gate) passed() http.Handler {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.now.decided:
		return g.now.behind
	default:
		return nil
	}
}

// answers what can be said while the server starts or stops.
func (g *gate) answers(w http.ResponseWriter, r *http.Request) bool {
	switch r.URL.Path {
	case "/healthz":
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write([]byte("ok"))
	case "/readyz":
		w.Header().Set("Retry-After", "1")
		http.Error(w, "The server is starting or stopping.", http.StatusServiceUnavailable)
	default:
		return false
	}
	return true
}
