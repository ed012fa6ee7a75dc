package main

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/cluster"
	"meldhall/tournament/store/storetest"
)

// testHouse is a cluster of this test's own binary, with its own database and NATS server.
type testHouse struct {
	*cluster.House
	db    string
	hints *cluster.Hints
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

// openHouse starts n nodes on a new database.
func openHouse(t *testing.T, n int, flags ...string) *testHouse {
	t.Helper()
	return openHouseOn(t, storetest.Server(t, storetest.Empty), n, flags...)
}

// openHouseOn starts n nodes on a database.
func openHouseOn(t *testing.T, db string, n int, flags ...string) *testHouse {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := &testHouse{db: db}
	nats, err := startNATS(server.Options{Port: server.RANDOM_PORT})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nats.Shutdown)
	if h.hints, err = cluster.RelayHints(nats.ClientURL()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.hints.Close)
	t.Setenv("MELDHALL_BE_PROGRAM", "1")
	if h.House, err = cluster.Open(t.Context(), []string{exe}, h.db, n, 1, os.Stderr,
		append(flags, "--nats", h.hints.URL())...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// cutHints makes NATS unreachable for a time.
func (h *testHouse) cutHints(ctx context.Context, long time.Duration) {
	h.hints.Cut(true)
	client.Sleep(ctx, long)
	h.hints.Cut(false)
}
