//go:build unix

package main

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/engine"
	"meldhall/engine/testmode"
)

// A process that is suspended before a deadline and resumed after it costs no player a turn. A move that was sent in
// the meantime is refused because the clock is stopped, not because it is late. The turn gets its time back, and the
// log records the reason.
func TestStoppedProcessCostsNobodyATurn(t *testing.T) {
	testmode.SkipUnlessLong(t)
	ctx := t.Context()
	server := launch(t, filepath.Join(t.TempDir(), "event.db"))
	defer func() { server.Kill() }()
	h := seatedTable(t, server)
	before := h.leave(t, 4000)
	left := time.Duration(before.Turn.Due-before.Now) * time.Millisecond
	if err := syscall.Kill(server.Pid(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // until all threads are suspended
	answer := make(chan error, 1)
	go func() {
		answer <- h.send(ctx, h.seats[before.Turn.Seat], "draw", map[string]any{"turn": before.Turn.Number})
	}()
	time.Sleep(left + 3*time.Second) // past the deadline and its grace
	if err := syscall.Kill(server.Pid(), syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := <-answer; !client.Refused(err, engine.RefusedPaused) {
		t.Errorf("the move that was sent meanwhile: %v, want that the clock stands", err)
	}
	h.testTimeBack(t, before)
}
