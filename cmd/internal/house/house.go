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
	"slices"
	"strings"
	"sync"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/tournament/storage"
)

// House is the programs. It is an http.RoundTripper, whose requests go to one of those that live.
type House struct {
	exes  []string // each node's in turn
	db    string
	flags []string
	log   io.Writer
	http  http.RoundTripper

	// Steady is read by whoever wants no node to be killed for a moment.
	Steady sync.RWMutex

	mu    sync.Mutex
	rng   *rand.Rand
	nodes []*client.Server // nil: dead

	kills, unanswered int
	leases            *storage.DB // where it is seen who has them; nil: it is not looked at
	taken             []time.Duration
	looking           sync.WaitGroup
}

// Open starts so many programs over a database, of the executable or the executables in turn; what they log goes to log. Close ends them.
func Open(ctx context.Context, exes []string, db string, nodes int, seed uint64, log io.Writer, flags ...string) (*House, error) {
	h := &House{exes: exes, db: db, flags: flags, log: &oneByOne{to: log}, http: client.NewTransport(), rng: rand.New(rand.NewPCG(seed, 19)), nodes: make([]*client.Server, nodes)}
	for i := range h.nodes {
		if err := h.Start(ctx, i); err != nil {
			h.Close()
			return nil, err
		}
	}
	return h, nil
}

// oneByOne is a writer to which several programs write.
type oneByOne struct {
	mu sync.Mutex
	to io.Writer
}

func (w *oneByOne) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(text)
}

// WatchLeases has the house measure from now on how long it takes until the others have what a killed node had.
func (h *House) WatchLeases() (err error) {
	h.leases, err = storage.Open(h.db)
	return err
}

// TakenOver gives how long that took, the shortest first.
func (h *House) TakenOver() []time.Duration {
	h.looking.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Sorted(slices.Values(h.taken))
}

// takenOver waits until nothing is a killed node's any more.
func (h *House) takenOver(pid int) {
	began, had := time.Now(), 0
	for time.Since(began) < TakenMost {
		var left int
		err := h.leases.ReadSQL.QueryRow(`SELECT count(*) FROM leases WHERE node LIKE ?`, fmt.Sprintf("%%/%d/%%", pid)).Scan(&left)
		if had = max(had, left); err == nil && left == 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if had == 0 { // it was new
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.taken = append(h.taken, time.Since(began))
}

// TakenMost is for how long it is looked at.
const TakenMost = 30 * time.Second

// Close kills what lives.
func (h *House) Close() {
	h.looking.Wait()
	if h.leases != nil {
		h.leases.Close()
	}
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
	s, err := client.StartServer(ctx, h.exes[i%len(h.exes)], h.db, false, h.log, h.flags...)
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

// Bases are the addresses of those that live.
func (h *House) Bases() (all []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.nodes {
		if s != nil {
			all = append(all, s.Base)
		}
	}
	return all
}

// Pids are the numbers of their processes.
func (h *House) Pids() (all []int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.nodes {
		if s != nil {
			all = append(all, s.Pid())
		}
	}
	return all
}

// Kill kills a node while it works.
func (h *House) Kill(i int) {
	h.Steady.Lock()
	defer h.Steady.Unlock()
	if s := h.Take(i); s != nil {
		if s.Kill(); h.leases != nil {
			h.looking.Go(func() { h.takenOver(s.Pid()) })
		}
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
