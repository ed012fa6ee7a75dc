package main

import (
	"context"
	"net/http"
	"sync"
)

// gate stands in front of the server from the start. Requests that arrive before the database is open wait, except
// /healthz and /readyz, which report that the program is alive but not ready. The gate is shut while the program
// switches to another database, and closed when the program stops.
type gate struct {
	mu  sync.Mutex
	now *passage
}

// passage is one period of the gate, until the gate is shut the next time.
type passage struct {
	decided chan struct{} // closed when it is decided whether there is a server
	behind  http.Handler  // nil if the gate will not open again
	inside  sync.WaitGroup
}

func newGate() *gate { return &gate{now: &passage{decided: make(chan struct{})}} }

// open lets requests through to the server, unless the gate is already open or closed.
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

// close aborts the requests that wait, and all later ones. It returns a function that waits for the requests in
// progress until ctx ends.
func (g *gate) close() (left func(ctx context.Context)) {
	g.open(nil)
	left = g.shut()
	g.open(nil)
	return left
}

// shut makes new requests wait for the next server. It returns a function that waits for the requests in progress until
// ctx ends.
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

// enter returns the current passage. decided reports whether the passage has been opened or closed. If it leads to a
// server, enter registers the request, and the caller must call p.inside.Done.
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

// ServeHTTP forwards a request to the server once there is one.
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

// passed returns the server behind the gate, or nil if the gate is not open.
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

// answers handles health checks while the server starts or stops. It reports whether r was a health check.
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
