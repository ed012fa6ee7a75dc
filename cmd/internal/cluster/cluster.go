// Package cluster runs several nodes that serve one database, behind a balancer that sends each request to a random
// node, and injects faults.
package cluster

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
	"meldhall/tournament/store"
)

// House is a running cluster. As an http.RoundTripper it sends each request to one of the live nodes.
type House struct {
	exes  []string // assigned to the nodes in turn
	db    string
	flags []string
	log   io.Writer
	http  http.RoundTripper

	// Steady is read-locked by code during which no node may be killed.
	Steady sync.RWMutex

	mu    sync.Mutex
	rng   *rand.Rand
	nodes []*client.Server // nil if dead

	kills, unanswered int
	leases            *store.DB // database in which leases are watched; nil if they are not
	taken             []time.Duration
	looking           sync.WaitGroup
}

// Open starts the given number of nodes on a database. If there are several executables, the nodes use them in turn.
// The nodes' log output goes to log. Close stops them.
func Open(ctx context.Context, exes []string, db string, nodes int, seed uint64, log io.Writer,
	flags ...string) (*House, error) {
	h := &House{exes: exes, db: db, flags: flags, log: &oneByOne{to: log}, http: client.NewTransport(),
		rng: rand.New(rand.NewPCG(seed, 19)), nodes: make([]*client.Server, nodes)}
	for i := range h.nodes {
		if err := h.Start(ctx, i); err != nil {
			h.Close()
			return nil, err
		}
	}
	return h, nil
}

// oneByOne is a writer that several processes may write to.
type oneByOne struct {
	mu sync.Mutex
	to io.Writer
}

func (w *oneByOne) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(text)
}

// WatchLeases starts measuring how long the other nodes take to take over a killed node's leases.
func (h *House) WatchLeases() (err error) {
	h.leases, err = store.Open(h.db)
	return err
}

// TakenOver returns the measured times, shortest first.
func (h *House) TakenOver() []time.Duration {
	h.looking.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Sorted(slices.Values(h.taken))
}

// takenOver waits until the killed node holds no leases any more, and records how long that took.
func (h *House) takenOver(pid int) {
	began, had := time.Now(), 0
	for time.Since(began) < TakenMost {
		var left int
		err := h.leases.ReadSQL.QueryRow(`SELECT count(*) FROM leases WHERE node LIKE $1`,
			fmt.Sprintf("%%/%d/%%", pid)).Scan(&left)
		if had = max(had, left); err == nil && left == 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if had == 0 { // a new node without leases
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.taken = append(h.taken, time.Since(began))
}

// TakenMost limits how long a takeover is watched.
const TakenMost = 30 * time.Second

// Close kills the live nodes.
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

// Setup returns the first organizer's token, which the last node printed, and that node's address.
func (h *House) Setup() (base, token string) {
	last := h.nodes[len(h.nodes)-1]
	return last.Base, last.Setup
}

// Start starts a node in place of a dead one.
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

// Take removes a node from the balancer and returns the node, or nil if it is dead.
func (h *House) Take(i int) *client.Server {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.nodes[i]
	h.nodes[i] = nil
	return s
}

// Bases returns the addresses of the live nodes.
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

// Pids returns the process IDs of the live nodes.
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

// Kill kills a running node.
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

// Figures returns how often a node was killed, and how many requests got no answer.
func (h *House) Figures() (kills, unanswered int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.kills, h.unanswered
}

// any returns a random live node. It does not return if all nodes are dead.
func (h *House) any() *client.Server {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		if s := h.nodes[h.rng.IntN(len(h.nodes))]; s != nil {
			return s
		}
	}
}

// triesMost is how often a failed GET request is retried.
const triesMost = 10

// RoundTrip sends a request to a random node. A GET request that fails is retried.
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

// Harass kills and restarts a random node about once per interval, until ctx ends.
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

// Stop shuts all nodes down as an operator would.
func (h *House) Stop() error {
	var errs []error
	for i := range h.nodes {
		if s := h.Take(i); s != nil {
			errs = append(errs, s.Stop())
		}
	}
	return errors.Join(errs...)
}
