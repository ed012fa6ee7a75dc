package main

import (
	"net/http"
	"sync"
)

// gate stands before the server from the first moment on: whoever comes before the database is open waits, as at an address where
// nobody answers yet, but that the program lives is said, and that it is not ready.
type gate struct {
	decided chan struct{}
	once    sync.Once
	behind  http.Handler // nil: it does not open any more
}

func newGate() *gate { return &gate{decided: make(chan struct{})} }

// open lets everybody through to the server.
func (g *gate) open(server http.Handler) {
	g.once.Do(func() {
		g.behind = server
		close(g.decided)
	})
}

// close sends those away who wait for a server that does not come.
func (g *gate) close() { g.open(nil) }

// ServeHTTP lets a request through as soon as there is a server.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-g.decided:
	default:
		if g.answers(w, r) {
			return
		}
	}
	select {
	case <-g.decided:
	case <-r.Context().Done():
	}
	if g.passed() == nil {
		panic(http.ErrAbortHandler)
	}
	g.behind.ServeHTTP(w, r)
}

// passed is the server behind the open gate, nil otherwise.
func (g *gate) passed() http.Handler {
	select {
	case <-g.decided:
		return g.behind
	default:
		return nil
	}
}

// answers what can be said while the server starts.
func (g *gate) answers(w http.ResponseWriter, r *http.Request) bool {
	switch r.URL.Path {
	case "/healthz":
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write([]byte("ok"))
	case "/readyz":
		w.Header().Set("Retry-After", "1")
		http.Error(w, "The server is starting.", http.StatusServiceUnavailable)
	default:
		return false
	}
	return true
}
