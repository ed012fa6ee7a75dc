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
	"meldhall/cmd/internal/history"
	"meldhall/cmd/internal/house"
	"meldhall/engine/testmode"
	"meldhall/tournament/game"
	"meldhall/tournament/storage/ownserver"
	"meldhall/tournament/storage/storagetest"
)

// harshness is what happens to an event on several nodes.
type harshness struct {
	times int           // as many games before the final as a test has time for
	kills int           // of nodes, at least
	away  time.Duration // NATS
	db    *ownserver.Server
}

// harsh is little, and by MELDHALL_KILLS, say 20, an event of so many more games in which as many nodes are killed, NATS is away for a minute
// and PostgreSQL is killed and started again.
func harsh(t *testing.T) (much harshness, db string) {
	text := os.Getenv("MELDHALL_KILLS")
	if text == "" {
		return harshness{times: 1, kills: 1, away: 4 * time.Second}, storagetest.Server(t, storagetest.Empty)
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
	return harshness{times: 1 + kills/5, kills: kills, away: time.Minute, db: own}, own.Address("postgres") + "&folder=" + url.QueryEscape(t.TempDir())
}

// harass does it until ctx ends.
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
	h.Steady.Lock() // whoever prepares a round would try again
	err := errors.Join(much.db.Kill(), much.db.Run())
	h.Steady.Unlock()
	if err != nil {
		return err
	}
	return h.Harass(ctx, every)
}

// TestWholeEventOnThreeNodes plays the event of 33 on three programs over one PostgreSQL: every request goes to any of them, and one command
// of ten to two at once; they are killed while it is played, hints are lost, doubled and late, and NATS is away for some seconds. What was
// acknowledged is there once, each game's calls are a history of one log, and the standings are those of the same event on one program.
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
	calls := history.New(h, 0.1, 1)
	e := &wholeEvent{base: base, setup: setup, house: h.House, times: much.times, db: h.db, transport: calls, acks: &acknowledged{moves: map[[2]int64]string{}}}
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
	taken := h.TakenOver() // while the others live
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
	if n := len(taken); n > 0 && taken[n-1] >= house.TakenMost { // how soon is measured by meldbench nodes
		t.Errorf("what a dead node had was not taken over in %v", taken[n-1])
	}
	if kills < much.kills || figures.Again == 0 || lost == 0 {
		t.Errorf("%d nodes were killed of %d, %d commands doubled, %d hints lost", kills, much.kills, figures.Again, lost)
	}
}

// testSameStandings holds the standings against those of an event that was played with the same deals, draws and bots.
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
