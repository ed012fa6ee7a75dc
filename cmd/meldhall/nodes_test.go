package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/cluster"
	"meldhall/cmd/internal/linear"
	"meldhall/engine/testmode"
	"meldhall/tournament/game"
	"meldhall/tournament/store/ownserver"
	"meldhall/tournament/store/storetest"
)

// harshness defines the failures of a tournament on several nodes.
type harshness struct {
	times int           // multiplies the number of games before the final
	kills int           // least number of kills
	away  time.Duration // NATS outage
	db    *ownserver.Server
}

// harsh returns mild settings by default. MELDHALL_KILLS, for example 20, sets the number of kills: the tournament gets
// longer, NATS is away for a minute, and PostgreSQL is killed and restarted.
func harsh(t *testing.T) (much harshness, db string) {
	text := os.Getenv("MELDHALL_KILLS")
	if text == "" {
		return harshness{times: 1, kills: 1, away: 4 * time.Second}, storetest.Server(t, storetest.Empty)
	}
	kills, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	own, err := ownserver.Start(ownserver.Kept...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(own.Close)
	return harshness{times: 1 + kills/5, kills: kills, away: time.Minute, db: own}, own.Address("postgres") +
		"&folder=" + url.QueryEscape(t.TempDir())
}

// harass injects these failures until ctx ends.
func (h *testHouse) harass(ctx context.Context, much harshness) error {
	const every = 3 * time.Second
	if much.db == nil {
		return h.Harass(ctx, every)
	}
	first, cancel := context.WithTimeout(ctx, time.Duration(much.kills)*time.Second)
	defer cancel()
	if err := h.Harass(first, every); err != nil {
		return err
	}
	h.Steady.Lock() // an organizer would retry a failed round
	err := errors.Join(much.db.Kill(), much.db.Run())
	h.Steady.Unlock()
	if err != nil {
		return err
	}
	return h.Harass(ctx, every)
}

// TestWholeEventOnThreeNodes plays the tournament of 33 players on three nodes with one PostgreSQL database. Every
// request goes to a random node, and one command in ten to two nodes at once. Nodes are killed, hints are lost,
// duplicated and delayed, and NATS is away for some seconds. Acknowledged moves are there once, each game's calls are
// linearizable, and the standings equal those of the same tournament on one server.
func TestWholeEventOnThreeNodes(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Setenv("MELDHALL_TEST_DEALS", "7")
	much, db := harsh(t)
	alone := playWholeEvent(t, filepath.Join(t.TempDir(), "alone.db"), much.times)
	h := openHouseOn(t, db, 3, "--presets", presetFolder(t, "short", longer(much.times)))
	h.hints.Disturb(30, 50, 30)
	if err := h.WatchLeases(); err != nil {
		t.Fatal(err)
	}
	base, setup := h.Setup()
	calls := linear.New(h, 0.1, 1)
	e := &wholeEvent{base: base, setup: setup, house: h.House, times: much.times, db: h.db, transport: calls,
		acks: &acknowledged{moves: map[[2]int64]string{}}}
	ctx, calm := context.WithCancel(t.Context())
	harassed := make(chan error, 1)
	e.begun = func() {
		go func() { harassed <- h.harass(ctx, much) }()
		go e.resumeStanding(ctx)
		go func() {
			client.Sleep(ctx, 4*time.Second)
			h.cutHints(ctx, much.away)
		}()
	}
	e.play(t)
	calm()
	if err := <-harassed; err != nil {
		t.Error(err)
	}
	e.test(t)
	for move, outcome := range e.acks.moves {
		if events := e.games[move[0]].Events; int(move[1]) > len(events) || events[move[1]-1].Kind != outcome {
			t.Errorf("game %d, seq %d: %s was acknowledged and is not there", move[0], move[1], outcome)
		}
	}
	figures, err := calls.Check()
	if err != nil {
		t.Error(err)
	}
	e.testSameStandings(t, alone)
	taken := h.TakenOver() // before the nodes stop
	if err := h.Stop(); err != nil {
		t.Error(err)
	}
	if err := (verifyCmd{All: true, DB: h.db}).Run(); err != nil {
		t.Error(err)
	}
	kills, unanswered := h.Figures()
	lost, doubled, late := h.hints.Disturbed()
	t.Logf("%d nodes killed, %d requests without an answer, %d moves acknowledged and there; %v; hints lost %d, doubled %d, late %d",
		kills, unanswered, e.acks.count(), figures, lost, doubled, late)
	t.Logf("taken over after %v", taken)
	if n := len(taken); n > 0 && taken[n-1] >= cluster.TakenMost { // meldbench nodes measures how soon
		t.Errorf("what a dead node had was not taken over in %v", taken[n-1])
	}
	if kills < much.kills || figures.Again == 0 || lost == 0 {
		t.Errorf("%d nodes were killed of %d, %d commands doubled, %d hints lost", kills, much.kills, figures.Again,
			lost)
	}
}

// testSameStandings compares the standings with those of a tournament played with the same deals, draws and bots.
func (e *wholeEvent) testSameStandings(t *testing.T, as *wholeEvent) {
	t.Helper()
	rows := func(e *wholeEvent) []standingRow {
		rows, err := standings(t.Context(), client.New(e.base, e.transport), e.id)
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	got, want := rows(e), rows(as)
	if !slices.Equal(got, want) {
		t.Errorf("standings differ from those on one program:\n%v\n%v", got, want)
	}
}

// resumeStanding resumes clocks that a node's death stopped, so that the test need not wait for their countdown.
func (e *wholeEvent) resumeStanding(ctx context.Context) {
	ref := *e.ref.API
	ref.Seen = nil // the referee's view is not checked
	referee := client.Official{API: &ref}
	for client.Sleep(ctx, 500*time.Millisecond) {
		round, err := referee.Round(ctx, e.round.Load())
		if err != nil {
			continue
		}
		for _, table := range round.Tables {
			for _, g := range table.Games {
				var p client.Place
				if g.Status != game.Running || referee.API.Call(ctx, http.MethodGet, fmt.Sprintf("/games/%d", g.ID),
					nil, &p) != nil || p.View == nil || p.View.Paused == nil {
					continue
				}
				_ = referee.API.Call(ctx, http.MethodPost, fmt.Sprintf("/games/%d/resume", g.ID),
					map[string]any{"key": fmt.Sprintf("resume-%d-%d", g.ID, p.View.Seq)}, nil)
			}
		}
	}
}
