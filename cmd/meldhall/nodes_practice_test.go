package main

import (
	"context"
	"net/http"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"meldhall/cmd/internal/client"
	"meldhall/engine"
	"meldhall/tournament/store/storetest"
)

// nodesInProcess starts nodes of one database in this process, and waits until the leases are distributed among them.
func nodesInProcess(t *testing.T, n int) (all []*program) {
	t.Helper()
	db := storetest.Server(t, storetest.Empty)
	nats, err := startNATS(server.Options{Port: server.RANDOM_PORT})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nats.Shutdown)
	for range n {
		p, err := startProgram(t.Context(), serveCmd{DB: db, NATS: nats.ClientURL(), Listen: "127.0.0.1:0"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = p.stop(context.Background()) })
		all = append(all, p)
	}
	await(t, func() bool {
		leases := 0
		for _, p := range all {
			if have := p.cluster.Leases(); have == 0 || have > 32/n+1 {
				return false
			} else {
				leases += have
			}
		}
		return leases == 32
	})
	return all
}

// TestPracticeAtAnyNode opens and leaves a practice table at a node that does not own its game. The game must end soon.
func TestPracticeAtAnyNode(t *testing.T) {
	nodes := nodesInProcess(t, 2)
	var opened struct {
		Token string `json:"token"`
	}
	api := client.New(nodes[0].base, client.NewTransport())
	if err := api.Call(t.Context(), http.MethodPost, "/practice", map[string]any{"strength": "novice", "rules": "club"},
		&opened); err != nil {
		t.Fatal(err)
	}
	var at client.Place
	if err := api.With(opened.Token).Call(t.Context(), http.MethodGet, "/seat", nil, &at); err != nil ||
		at.Game == nil {
		t.Fatalf("the seat: %+v, %v", at, err)
	}
	game, here, there := at.Game.ID, nodes[0], nodes[1]
	if here.games.Owns(game) {
		here, there = there, here
	}
	here.web.Request.Bots.Leave(game)
	await(t, func() bool {
		snap, err := there.games.Look(t.Context(), game)
		return err == nil && snap.State.Phase == engine.PhaseOver
	})
}
