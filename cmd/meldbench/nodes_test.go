package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"meldhall/tournament/storage/storagetest"
)

// TestNodes plays an event at three programs, as meldbench nodes does more often.
func TestNodes(t *testing.T) {
	buildsTheProgram(t)
	db := storagetest.Server(t, storagetest.Empty)
	exe, err := buildProgram(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	hints, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	go hints.Start()
	defer hints.Shutdown()
	if !hints.ReadyForConnections(10 * time.Second) {
		t.Fatal("NATS does not start")
	}
	var out bytes.Buffer
	run := nodesCmd{DB: db, NATS: hints.ClientURL(), Nodes: 3, Rounds: 1, Tables: 2, Kill: time.Second, Late: 3 * time.Second, Hints: 20, Cuts: 5, Seed: 1, exe: exe}
	if err := run.report(t.Context(), &out); err != nil || !strings.Contains(out.String(), "events          1 in") {
		t.Errorf("%v\n%s", err, out.String())
	}
	t.Log(out.String())
}
