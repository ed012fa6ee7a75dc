package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/prepare"
	"meldhall/cmd/internal/unsynced"
	"meldhall/engine"
	"meldhall/engine/testmode"
)

// programOnADisk builds the program with a disk that can be made to fail.
func programOnADisk(t *testing.T) string {
	t.Helper()
	testmode.SkipUnlessLong(t)
	exe, err := buildProgram(t.Context(), t.TempDir(), "-tags", "unsynced")
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// TestReadsThatFail makes every third read of the database fail for a while, and then all of them, while two tables
// play and viewers load pages. Each request gets its normal response or an error that the data cannot be read. No
// acknowledged command is lost and no turn expires. Afterwards all games continue without a restart.
func TestReadsThatFail(t *testing.T) {
	exe, ctx := programOnADisk(t), t.Context()
	db := filepath.Join(t.TempDir(), "event.db")
	server, err := client.StartServer(ctx, exe, db, false, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Kill()
	h := playingHall(t, server)
	var said [600]atomic.Int64
	h.all.Go(func() { lookOn(h.ctx, t, server.Base, h.tournamentID, &said) })
	waitFor := func(what string, done func() bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); !done(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal(what)
			}
		}
	}
	waitFor("nobody plays", func() bool { return h.moves() > 20 })
	for _, each := range []string{"3", "1"} {
		if err := os.WriteFile(db+unsynced.Unreadable, []byte(each), 0o600); err != nil {
			t.Fatal(err)
		}
		before := said[http.StatusServiceUnavailable].Load()
		waitFor("no read has failed", func() bool { return said[http.StatusServiceUnavailable].Load() > before+2 })
		time.Sleep(time.Second)
	}
	if err := os.Remove(db + unsynced.Unreadable); err != nil {
		t.Fatal(err)
	}
	before, answered := h.moves(), said[http.StatusOK].Load()
	for _, table := range h.round.Tables { // where the clocks are stopped
		_ = h.staff.API.Call(ctx, http.MethodPost, fmt.Sprintf("/games/%d/resume", table.Games[0].ID),
			map[string]any{"key": fmt.Sprintf("resume-%d", table.ID)}, nil)
	}
	waitFor("the tables do not go on", func() bool {
		return h.moves() > before+20 &&
			said[http.StatusOK].Load() > answered+5
	})
	h.stop()
	h.all.Wait()
	if err := server.Stop(); err != nil {
		t.Error(err)
	}
	t.Logf("%d moves acknowledged; pages answered %d times, %d times that they cannot be read", h.moves(),
		said[http.StatusOK].Load(), said[http.StatusServiceUnavailable].Load())
	testTold(t, db, h.told)
	if text, err := exec.CommandContext(ctx, exe, "verify", "--all", "--db", db).CombinedOutput(); err != nil {
		t.Errorf("verify: %v\n%s", err, text)
	}
}

// heldMoves is a hall with playing tables, and the moves acknowledged to them.
type heldMoves struct {
	staff        client.Official
	tournamentID int64
	round        client.Round
	ctx          context.Context // canceled by stop
	stop         context.CancelFunc
	all          sync.WaitGroup
	mu           sync.Mutex
	told         map[place]string
}

func (h *heldMoves) moves() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.told)
}

// playingHall creates a tournament of two tables and lets them play, with a referee who confirms results.
func playingHall(t *testing.T, server *client.Server) *heldMoves {
	t.Helper()
	h := &heldMoves{told: map[place]string{}}
	ctx := t.Context()
	h.ctx, h.stop = context.WithCancel(ctx)
	var err error
	if h.staff, err = client.SetUp(ctx, client.New(server.Base, client.NewTransport()), server.Setup, "disk",
		"a long enough password"); err != nil {
		t.Fatal(err)
	}
	event, err := h.staff.Create(ctx, client.NewTournament{Name: "Disk", Format: json.RawMessage(loadFormat),
		Rules: map[string]any{"preset": "wrc"}}, prepare.Roster(8))
	if err != nil {
		t.Fatal(err)
	}
	h.tournamentID = event.ID
	if h.round, err = h.staff.NextRound(ctx, event.ID, 1); err != nil {
		t.Fatal(err)
	}
	bots, err := h.round.Bots(ctx, h.staff.API)
	if err != nil {
		t.Fatal(err)
	}
	for _, bot := range bots {
		bot.Think = func() time.Duration { return 30 * time.Millisecond }
		bot.Told = func(game int64, _ string, a client.Answer) {
			h.mu.Lock()
			h.told[place{game, int64(a.Seq)}] = a.Outcome
			h.mu.Unlock()
		}
		h.all.Go(func() { _ = bot.Run(h.ctx) })
	}
	if err := h.staff.Start(ctx, h.round.ID); err != nil {
		t.Fatal(err)
	}
	h.all.Go(func() {
		for client.Sleep(h.ctx, 50*time.Millisecond) { // the next game starts when a result is confirmed
			_ = h.staff.RefereeRound(h.ctx, h.round.ID, 50*time.Millisecond, nil)
		}
	})
	return h
}

// lookOn requests pages until ctx ends, and counts the status codes.
func lookOn(ctx context.Context, t *testing.T, base string, tournamentID int64, said *[600]atomic.Int64) {
	for n := 0; client.Sleep(ctx, 30*time.Millisecond); n++ {
		address := base + []string{fmt.Sprintf("/events/%d", tournamentID),
			fmt.Sprintf("/events/%d/tables", tournamentID), fmt.Sprintf("/api/v1/tournaments/%d", tournamentID)}[n%3]
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			t.Error(err)
			return
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			if ctx.Err() == nil {
				t.Error(err)
			}
			return
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		said[resp.StatusCode].Add(1)
		if resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusServiceUnavailable && ctx.Err() == nil {
			t.Errorf("%s is answered %d\n%.300s", address, resp.StatusCode, body)
			return
		}
	}
}

// testTold checks that every acknowledged move is in the log as acknowledged, and that no turn expired.
func testTold(t *testing.T, file string, told map[place]string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for at, outcome := range told {
		var kind string
		err := db.QueryRow(`SELECT kind FROM game_events WHERE game_id = ? AND seq = ?`, at.game, at.seq).Scan(&kind)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			t.Fatal(err)
		}
		if kind != outcome {
			t.Errorf("event %d of game %d is %q, and was said to be %q", at.seq, at.game, kind, outcome)
		}
	}
	var expired int
	if err := db.QueryRow(`SELECT count(*) FROM game_events WHERE kind = ?`,
		engine.TurnExpired{}.Kind()).Scan(&expired); err != nil || expired > 0 {
		t.Errorf("%d turns have run out, %v", expired, err)
	}
}
