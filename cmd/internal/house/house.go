// Package house is several programs that serve one database together, behind a balancer that sends each request to any of them by chance,
// and what may happen to them.
package house

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"meldhall/cmd/internal/client"
)

// House is the programs. It is an http.RoundTripper, whose requests go to one of those that live.
type House struct {
	exe, db string
	flags   []string
	log     io.Writer
	http    http.RoundTripper

	// Steady is read by whoever wants no node to be killed for a moment.
	Steady sync.RWMutex

	mu    sync.Mutex
	rng   *rand.Rand
	nodes []*client.Server // nil: dead

	kills, unanswered int
}

// Open starts so many programs at exe over a database; what they log goes to log. Close ends them.
func Open(ctx context.Context, exe, db string, nodes int, seed uint64, log io.Writer, flags ...string) (*House, error) {
	h := &House{exe: exe, db: db, flags: flags, log: log, http: client.NewTransport(), rng: rand.New(rand.NewPCG(seed, 19)), nodes: make([]*client.Server, nodes)}
	for i := range h.nodes {
		if err := h.Start(ctx, i); err != nil {
			h.Close()
			return nil, err
		}
	}
	return h, nil
}

// Close kills what lives.
func (h *House) Close() {
	for i := range h.nodes {
		if s := h.Take(i); s != nil {
			s.Kill()
		}
	}
}

// Setup is the token of the first organizer, which the last program printed, and the address of that one.
func (h *House) Setup() (base, token string) {
	last := h.nodes[len(h.nodes)-1]
	return last.Base, last.Setup
}

// Start starts a program in the place of one that is gone.
func (h *House) Start(ctx context.Context, i int) error {
	s, err := client.StartServer(ctx, h.exe, h.db, false, h.log, h.flags...)
	if err != nil {
		return fmt.Errorf("node %d: %w", i, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.nodes[i] = s
	return nil
}

// Take has nothing more sent to a node, as a balancer does that sees it stop.
func (h *House) Take(i int) *client.Server {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.nodes[i]
	h.nodes[i] = nil
	return s
}

// Kill kills a node while it works.
func (h *House) Kill(i int) {
	h.Steady.Lock()
	defer h.Steady.Unlock()
	if s := h.Take(i); s != nil {
		s.Kill()
		h.mu.Lock()
		h.kills++
		h.mu.Unlock()
	}
}

// Figures are how many nodes were killed, and how many requests had no answer.
func (h *House) Figures() (kills, unanswered int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.kills, h.unanswered
}

// any is a node by chance.
func (h *House) any() *client.Server {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		if s := h.nodes[h.rng.IntN(len(h.nodes))]; s != nil {
			return s
		}
	}
}

// triesMost is how often what only asks is sent on to another node.
const triesMost = 10

// RoundTrip sends a request to one of the nodes, and what only asks to another one where that has died.
func (h *House) RoundTrip(r *http.Request) (*http.Response, error) {
	for tries := 0; ; tries++ {
		to := r.Clone(r.Context())
		to.URL.Host = strings.TrimPrefix(h.any().Base, "http://")
		to.Host = ""
		answer, err := h.http.RoundTrip(to)
		if err == nil || r.Context().Err() != nil {
			return answer, err
		}
		if r.Method != http.MethodGet || tries == triesMost {
			h.mu.Lock()
			h.unanswered++
			h.mu.Unlock()
			return answer, err
		}
	}
}

// Harass kills nodes, one about every so long, and starts them again, until ctx ends.
func (h *House) Harass(ctx context.Context, every time.Duration) error {
	for {
		h.mu.Lock()
		i, wait := h.rng.IntN(len(h.nodes)), every/2+time.Duration(h.rng.Int64N(int64(every)))
		h.mu.Unlock()
		if !client.Sleep(ctx, wait) {
			return nil
		}
		h.Kill(i)
		if err := h.Start(context.WithoutCancel(ctx), i); err != nil {
			return err
		}
	}
}

// Stop stops all nodes as their operator does.
func (h *House) Stop() error {
	var errs []error
	for i := range h.nodes {
		if s := h.Take(i); s != nil {
			errs = append(errs, s.Stop())
		}
	}
	return errors.Join(errs...)
}
