package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/tournament/game"
)

// TestWholeEventOnThreeNodes plays the event of 33 on three programs over one PostgreSQL: every request goes to any of them, and they are
// killed while it is played, and NATS is away for some seconds. What was acknowledged is there once, and standings are what follows from it.
func TestWholeEventOnThreeNodes(t *testing.T) {
	h := openHouse(t, 3, "--presets", presetFolder(t, "short", shortFormat))
	base, setup := h.Setup()
	e := &wholeEvent{base: base, setup: setup, house: h.House, db: h.db, transport: h, acks: &acknowledged{moves: map[[2]int64]string{}}}
	ctx, calm := context.WithCancel(t.Context())
	harassed, cut := make(chan error, 1), make(chan error, 1)
	e.begun = func() {
		go func() { harassed <- h.Harass(ctx, 3*time.Second) }()
		go e.resumeStanding(ctx)
		go func() {
			client.Sleep(ctx, 4*time.Second)
			cut <- h.cutHints(ctx, 4*time.Second)
		}()
	}
	e.play(t)
	calm()
	if err := errors.Join(<-harassed, <-cut); err != nil {
		t.Error(err)
	}
	e.test(t)
	for move, outcome := range e.acks.moves {
		if events := e.games[move[0]].Events; int(move[1]) > len(events) || events[move[1]-1].Kind != outcome {
			t.Errorf("game %d, seq %d: %s was acknowledged and is not there", move[0], move[1], outcome)
		}
	}
	if err := h.Stop(); err != nil {
		t.Error(err)
	}
	if err := (verifyCmd{All: true, DB: h.db}).Run(); err != nil {
		t.Error(err)
	}
	kills, unanswered := h.Figures()
	t.Logf("%d nodes killed, %d requests without an answer, %d moves acknowledged and there", kills, unanswered, e.acks.count())
	if kills == 0 {
		t.Error("no node was killed")
	}
}

// resumeStanding has the clocks run on that stand because a node died, so that the test need not wait for their countdown.
func (e *wholeEvent) resumeStanding(ctx context.Context) {
	ref := *e.ref.API
	ref.Seen = nil // what a referee sees is not what this test looks at
	referee := client.Official{API: &ref}
	for client.Sleep(ctx, 500*time.Millisecond) {
		round, err := referee.Round(ctx, e.round.Load())
		if err != nil {
			continue
		}
		for _, table := range round.Tables {
			for _, g := range table.Games {
				var p client.Place
				if g.Status != game.Running || referee.API.Call(ctx, http.MethodGet, fmt.Sprintf("/games/%d", g.ID), nil, &p) != nil || p.View == nil || p.View.Paused == nil {
					continue
				}
				_ = referee.API.Call(ctx, http.MethodPost, fmt.Sprintf("/games/%d/resume", g.ID), map[string]any{"key": fmt.Sprintf("resume-%d-%d", g.ID, p.View.Seq)}, nil)
			}
		}
	}
}
