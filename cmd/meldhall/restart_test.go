package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
	"meldhall/tournament/store"
)

// acknowledged records the outcome of every move that the server acknowledged, by game and seq.
type acknowledged struct {
	mu    sync.Mutex
	moves map[[2]int64]string
}

func (a *acknowledged) told(game int64, _ string, answer client.Answer) {
	a.mu.Lock()
	a.moves[[2]int64{game, int64(answer.Seq)}] = answer.Outcome
	a.mu.Unlock()
}

func (a *acknowledged) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.moves)
}

// restartsFormat is one round that is longer than the test.
const restartsFormat = `{"name":"restarts","version":1,"source":"a test","stages":[{"name":"preliminary","kind":"preliminary","rounds":1,
"games_per_round":20,"cut":0,"seating":"random","seat_change":"every_round","carry_over":"all"}]}`

// TestKilledUnderLoad kills the program repeatedly while three tables play; there are more tables with many kills,
// because the 20 games of each would end too early. Every acknowledged move is in the log with the acknowledged
// outcome, and after each start the clocks are stopped and credited. MELDHALL_KILLS sets the number of kills (2, in CI
// 5).
func TestKilledUnderLoad(t *testing.T) {
	testmode.SkipUnlessLong(t)
	kills := 2
	if testmode.Long {
		kills = 5
	}
	if text := os.Getenv("MELDHALL_KILLS"); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(kills)*time.Minute)
	defer cancel()
	db := filepath.Join(t.TempDir(), "event.db")
	presets := presetFolder(t, "restarts", restartsFormat)
	server := launch(t, db, "--presets", presets)
	defer func() { server.Kill() }()
	staff, _, round := firstRound(t, client.New(server.Base, client.NewTransport()), server.Setup, "restarts",
		11+4*(kills/15))
	tokens := map[int64]string{}
	for _, table := range round.Tables {
		for _, s := range table.Seats {
			mine, err := client.Join(ctx, staff.API, s.Code)
			if err != nil {
				t.Fatal(err)
			}
			tokens[s.Player.ID] = mine.Token
		}
	}
	if err := staff.Start(ctx, round.ID); err != nil {
		t.Fatal(err)
	}
	acks := &acknowledged{moves: map[[2]int64]string{}}
	var slowest time.Duration
	for kill := range kills {
		before := acks.count()
		stop := playOn(ctx, server.Base, staff.API.Token, tokens, round.ID, acks)
		await(t, func() bool { return acks.count() >= before+60 })
		server.Kill()
		stop()
		testAcknowledged(t, db, acks)
		began := time.Now()
		server = launch(t, db, "--presets", presets)
		slowest = max(slowest, time.Since(began))
		staff.API.Base = server.Base
		if !testCredited(ctx, t, staff, round.ID, engine.MillisOf(began)) {
			t.Fatalf("after kill %d", kill+1)
		}
		resumeAll(ctx, t, staff, round.ID)
	}
	t.Logf("%d kills, %d moves acknowledged, 0 lost; the slowest start took %v", kills, acks.count(),
		slowest.Round(time.Millisecond))
}

// playOn lets bots and a referee play at the server until the returned function is called.
func playOn(ctx context.Context, base, staffToken string, tokens map[int64]string, round int64,
	acks *acknowledged) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	api := client.New(base, client.NewTransport())
	var all sync.WaitGroup
	for id, token := range tokens {
		bot := client.NewBot(api.With(token), id)
		bot.Told = acks.told
		all.Go(func() { _ = bot.Run(ctx) })
	}
	all.Go(func() {
		for ctx.Err() == nil { // until the server is killed
			_ = client.Official{API: api.With(staffToken)}.RefereeRound(ctx, round, 50*time.Millisecond, nil)
			client.Sleep(ctx, 50*time.Millisecond)
		}
	})
	return func() { cancel(); all.Wait() }
}

func await(t *testing.T, done func() bool) {
	t.Helper()
	for range 2400 {
		if done() {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatal("nothing happened for a minute")
}

// testAcknowledged checks that every move the killed program had acknowledged is in its file.
func testAcknowledged(t *testing.T, db string, acks *acknowledged) {
	t.Helper()
	s, err := store.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.CheckIntegrity(t.Context()); err != nil {
		t.Fatal(err)
	}
	games := map[int64]export.Game{}
	for _, g := range gamesOf(t, s) {
		if _, err := export.Verify(g); err != nil {
			t.Errorf("game %d: %v", g.Game, err)
		}
		games[g.Game] = g
	}
	lost := 0
	for move, outcome := range acks.moves {
		events := games[move[0]].Events
		if i := int(move[1]) - 1; i >= len(events) || events[i].Kind != outcome {
			lost++
		}
	}
	if lost > 0 {
		t.Errorf("%d of %d acknowledged moves are lost", lost, len(acks.moves))
	}
}

// testCredited checks that every running game is paused after a start, with at least the minimum time credited.
func testCredited(ctx context.Context, t *testing.T, staff client.Official, round int64, began engine.Millis) bool {
	t.Helper()
	running := 0
	for _, view := range currentViews(ctx, t, staff, round) {
		if view.Phase == engine.PhaseOver || view.Turn.Started >= began {
			continue // this game was only dealt at the start
		}
		running++
		switch {
		case view.Paused == nil:
			t.Errorf("a game runs on after the start, as if nothing had happened: %+v", view.Turn)
		case view.Paused.Why != engine.PausedByOutage ||
			view.Paused.Left < engine.Millis(engine.OutageFloor.Milliseconds()) ||
			view.Paused.ResumeAt <= view.Now-1000:
			t.Errorf("a game was not credited: %+v", *view.Paused)
		case view.Turn.Due != 0 && view.Paused.Left > view.Turn.Due-view.Turn.Started:
			t.Errorf("a game was credited more than a whole turn: %+v", *view.Paused)
		}
	}
	if running == 0 {
		t.Log("no game was running at this kill")
	}
	return !t.Failed()
}

// resumeAll ends the pauses at once, so that the test need not wait for the countdowns.
func resumeAll(ctx context.Context, t *testing.T, staff client.Official, round int64) {
	t.Helper()
	for game, view := range currentViews(ctx, t, staff, round) {
		if view.Paused == nil {
			continue
		}
		err := staff.API.Call(ctx, http.MethodPost, fmt.Sprintf("/games/%d/resume", game),
			map[string]any{"key": fmt.Sprintf("resume-%d-%d", game, view.Seq)}, nil)
		var answer *client.Error
		if err != nil && !(errors.As(err, &answer) && answer.Code == engine.RefusedNotPaused) {
			t.Fatal(err)
		}
	}
}

// currentViews returns the referee's view of every game that has begun.
func currentViews(ctx context.Context, t *testing.T, staff client.Official, round int64) map[int64]*engine.View {
	t.Helper()
	r, err := staff.Round(ctx, round)
	if err != nil {
		t.Fatal(err)
	}
	views := map[int64]*engine.View{}
	for _, table := range r.Tables {
		for _, g := range table.Games {
			if g.Status != game.Running {
				continue
			}
			var p client.Place
			if err := staff.API.Call(ctx, http.MethodGet, fmt.Sprintf("/games/%d", g.ID), nil, &p); err != nil {
				t.Fatal(err)
			}
			views[g.ID] = p.View
		}
	}
	return views
}
