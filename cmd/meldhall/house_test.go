package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"meldhall/cmd/internal/client"
	"meldhall/tournament/storage/storagetest"
)

// house is several programs that serve one database together, behind a balancer that sends each request to any of them by chance.
type house struct {
	db, exe string
	flags   []string
	http    http.RoundTripper
	nats    *server.Server

	steady sync.RWMutex // read by whoever wants no node to be killed for a moment

	mu    sync.Mutex
	rng   *rand.Rand
	nodes []*client.Server // nil: dead

	kills, unanswered int
}

// startNATS starts a NATS server in this process.
func startNATS(options server.Options) (*server.Server, error) {
	options.Host, options.NoLog, options.NoSigs = "127.0.0.1", true, true
	s, err := server.NewServer(&options)
	if err != nil {
		return nil, err
	}
	go s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		return nil, errors.New("NATS does not start")
	}
	return s, nil
}

// cutHints takes NATS away for so long.
func (h *house) cutHints(ctx context.Context, long time.Duration) error {
	port := h.nats.Addr().(*net.TCPAddr).Port
	h.nats.Shutdown()
	h.nats.WaitForShutdown()
	client.Sleep(ctx, long)
	back, err := startNATS(server.Options{Port: port})
	if err == nil {
		h.nats = back
	}
	return err
}

// openHouse starts n programs on a new database.
func openHouse(t *testing.T, n int, flags ...string) *house {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	hints, err := startNATS(server.Options{Port: server.RANDOM_PORT})
	if err != nil {
		t.Fatal(err)
	}
	h := &house{db: storagetest.Server(t, storagetest.Empty), exe: exe, flags: append(flags, "--nats", hints.ClientURL()),
		http: client.NewTransport(), nats: hints, rng: rand.New(rand.NewPCG(1, 19)), nodes: make([]*client.Server, n)}
	t.Setenv("MELDHALL_BE_PROGRAM", "1")
	t.Cleanup(func() {
		for _, s := range h.nodes {
			if s != nil {
				s.Kill()
			}
		}
		h.nats.Shutdown()
	})
	for i := range h.nodes {
		if err := h.start(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func (h *house) start(ctx context.Context, i int) error {
	s, err := client.StartServer(ctx, h.exe, h.db, false, os.Stderr, h.flags...)
	if err != nil {
		return fmt.Errorf("node %d: %w", i, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.nodes[i] = s
	return nil
}

// kill kills a node while it works.
func (h *house) kill(i int) {
	h.steady.Lock()
	defer h.steady.Unlock()
	h.mu.Lock()
	s := h.nodes[i]
	h.nodes[i] = nil
	h.kills++
	h.mu.Unlock()
	s.Kill()
}

// take has nothing more sent to a node, as a balancer that sees it stop.
func (h *house) take(i int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.nodes[i] = nil
}

// any is a node by chance.
func (h *house) any() *client.Server {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		if s := h.nodes[h.rng.IntN(len(h.nodes))]; s != nil {
			return s
		}
	}
}

// RoundTrip sends a request to one of the nodes, and what only asks to another one where that has died.
func (h *house) RoundTrip(r *http.Request) (*http.Response, error) {
	for tries := 0; ; tries++ {
		to := r.Clone(r.Context())
		to.URL.Host = strings.TrimPrefix(h.any().Base, "http://")
		to.Host = ""
		answer, err := h.http.RoundTrip(to)
		if err == nil || r.Context().Err() != nil || r.Method != http.MethodGet || tries == 10 {
			if err != nil && r.Context().Err() == nil {
				h.mu.Lock()
				h.unanswered++
				h.mu.Unlock()
			}
			return answer, err
		}
	}
}

// harass kills nodes and starts them again until ctx ends.
func (h *house) harass(ctx context.Context, every time.Duration) error {
	for {
		h.mu.Lock()
		i, wait := h.rng.IntN(len(h.nodes)), every/2+time.Duration(h.rng.Int64N(int64(every)))
		h.mu.Unlock()
		if !client.Sleep(ctx, wait) {
			return nil
		}
		h.kill(i)
		if err := h.start(context.WithoutCancel(ctx), i); err != nil {
			return err
		}
	}
}

// stop stops all nodes as their operator does.
func (h *house) stop() error {
	var errs []error
	for i, s := range h.nodes {
		if s != nil {
			errs = append(errs, s.Stop())
			h.nodes[i] = nil
		}
	}
	return errors.Join(errs...)
}
