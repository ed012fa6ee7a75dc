//go:build unix

package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/engine"
)

// tableOfFour is a table whose first turn has begun.
type tableOfFour struct {
	staff client.Official
	round int64
	game  int64
	seats []*client.Client
	keys  int
}

// seatedTable creates a tournament in a server's empty database and starts its first game.
func seatedTable(t *testing.T, server *client.Server) *tableOfFour {
	t.Helper()
	ctx := t.Context()
	staff, _, round := firstRound(t, client.New(server.Base, client.NewTransport()), server.Setup, "quick", 4)
	h := &tableOfFour{staff: staff, round: round.ID, game: round.Tables[0].Games[0].ID}
	for _, s := range round.Tables[0].Seats {
		mine, err := client.Join(ctx, staff.API, s.Code)
		if err != nil {
			t.Fatal(err)
		}
		h.seats = append(h.seats, mine)
	}
	if err := staff.Start(ctx, round.ID); err != nil {
		t.Fatal(err)
	}
	for _, seat := range h.seats {
		if err := h.send(ctx, seat, "ready", map[string]any{"turn": 0}); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// send sends a command with a new key.
func (h *tableOfFour) send(ctx context.Context, by *client.Client, command string, body map[string]any) error {
	h.keys++
	body["key"] = fmt.Sprintf("stall-%04d", h.keys)
	return by.Call(ctx, http.MethodPost, fmt.Sprintf("/games/%d/%s", h.game, command), body, nil)
}

// view returns the game as the referee sees it.
func (h *tableOfFour) view(t *testing.T) *engine.View {
	t.Helper()
	return currentViews(t.Context(), t, h.staff, h.round)[h.game]
}

// testTimeBack checks that after an outage the clock stands in the same turn as before, with the time that a turn gets
// back.
func (h *tableOfFour) testTimeBack(t *testing.T, before *engine.View) {
	t.Helper()
	after := h.view(t)
	if after.Turn.Number != before.Turn.Number || after.Paused == nil || after.Paused.Why != engine.PausedByOutage ||
		after.Paused.Left < engine.Millis(engine.OutageFloor.Milliseconds()) {
		t.Errorf("turn %d, pause %+v; want turn %d with its time back", after.Turn.Number, after.Paused,
			before.Turn.Number)
	}
}

// leave makes the referee take time from the turn so that about left remains.
func (h *tableOfFour) leave(t *testing.T, left engine.Millis) *engine.View {
	t.Helper()
	now := h.view(t)
	if err := h.send(t.Context(), h.staff.API, "time",
		map[string]any{"seconds": -(now.Turn.Due - now.Now - left) / 1000, "reason": "test"}); err != nil {
		t.Fatal(err)
	}
	return h.view(t)
}

// A request that never ends and an idle connection delay a planned stop. The stop is still short and costs no player a
// turn. After the next start, the current turn has the time that was left when the program received the signal.
func TestPlannedStopCostsNobodyATurn(t *testing.T) {
	db := filepath.Join(t.TempDir(), "event.db")
	server := launch(t, db)
	defer func() { server.Kill() }()
	h := seatedTable(t, server)
	address := strings.TrimPrefix(server.Base, "http://")
	for _, said := range []string{"",
		"POST /sign-in HTTP/1.1\r\nHost: hall\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nname="} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := c.Write([]byte(said)); err != nil {
			t.Fatal(err)
		}
	}
	before := h.leave(t, 8000) // shorter than an unlimited stop would take
	told := time.Now()
	if err := server.Stop(); err != nil {
		t.Error(err)
	}
	t.Logf("the program was gone after %v", time.Since(told).Round(time.Millisecond))
	server = launch(t, db)
	h.staff.API.Base = server.Base
	h.testTimeBack(t, before)
}
