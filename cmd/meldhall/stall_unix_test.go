//go:build unix

package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/prepare"
	"meldhall/engine"
)

// A process that is stopped before a deadline and goes on after it charges nobody: the move that was sent meanwhile is not too
// late, the turn has its time back, and the log says why (faults.md 32).
func TestStoppedProcessCostsNobodyATurn(t *testing.T) {
	ctx := t.Context()
	server := launch(t, filepath.Join(t.TempDir(), "event.db"))
	defer func() { server.Kill() }()
	staff, err := client.SetUp(ctx, client.New(server.Base, client.NewTransport()), server.Setup, "Ada", "a long enough password")
	if err != nil {
		t.Fatal(err)
	}
	event, err := staff.Create(ctx, client.NewTournament{Name: "Stall", Format: "quick", Rules: map[string]any{"preset": "wrc"}}, prepare.Roster(4))
	if err != nil {
		t.Fatal(err)
	}
	round, err := staff.NextRound(ctx, event.ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	var seats []*client.Client
	for _, s := range round.Tables[0].Seats {
		mine, err := client.Join(ctx, staff.API, s.Code)
		if err != nil {
			t.Fatal(err)
		}
		seats = append(seats, mine)
	}
	if err := staff.Start(ctx, round.ID); err != nil {
		t.Fatal(err)
	}
	game := round.Tables[0].Games[0].ID
	key := 0
	send := func(by *client.Client, command string, body map[string]any) error {
		key++
		body["key"] = fmt.Sprintf("stall-%04d", key)
		return by.Call(ctx, http.MethodPost, fmt.Sprintf("/games/%d/%s", game, command), body, nil)
	}
	for _, seat := range seats {
		if err := send(seat, "ready", map[string]any{"turn": 0}); err != nil {
			t.Fatal(err)
		}
	}
	before := currentViews(ctx, t, staff, round.ID)[game]
	if err := send(staff.API, "time", map[string]any{"seconds": -(before.Turn.Due - before.Now - 4000) / 1000, "reason": "test"}); err != nil {
		t.Fatal(err)
	}
	before = currentViews(ctx, t, staff, round.ID)[game]
	left := time.Duration(before.Turn.Due-before.Now) * time.Millisecond
	if err := syscall.Kill(server.Pid(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // all its threads stand
	answer := make(chan error, 1)
	go func() { answer <- send(seats[before.Turn.Seat], "draw", map[string]any{"turn": before.Turn.Number}) }()
	time.Sleep(left + 3*time.Second) // the deadline, its grace, and more
	if err := syscall.Kill(server.Pid(), syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := <-answer; !client.Refused(err, engine.RefusedPaused) {
		t.Errorf("the move that was sent meanwhile: %v, want that the clock stands", err)
	}
	after := currentViews(ctx, t, staff, round.ID)[game]
	if after.Turn.Number != before.Turn.Number || after.Paused == nil || after.Paused.Why != engine.PausedByOutage || after.Paused.Left < engine.Millis(engine.OutageFloor.Milliseconds()) {
		t.Errorf("turn %d, pause %+v; want turn %d with its time back", after.Turn.Number, after.Paused, before.Turn.Number)
	}
}
