package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"meldhall/tournament/store/storetest"
)

// TestMove checks that a tournament played in a file is moved to a server and back, and verified on both. If something
// is in the way, the command says so and does nothing.
func TestMove(t *testing.T) {
	ctx, folder := t.Context(), t.TempDir()
	file, back, server := filepath.Join(folder, "a.db"), filepath.Join(folder, "b.db"),
		storetest.Server(t, storetest.Empty)
	if err := (simulateCmd{Players: 4, Format: "quick", Rules: "wrc", Seed: 3, Bots: "novice", Workers: 1,
		DB: file}).simulate(ctx, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	carried := regexp.MustCompile(`(?m)^(\d+) rows of \d+ tables copied and compared$`)
	for _, way := range [][2]string{{file, server}, {server, back}} {
		var out bytes.Buffer
		if err := (moveCmd{From: way[0], To: way[1]}).move(ctx, &out); err != nil {
			t.Fatal(err)
		}
		if !carried.Match(out.Bytes()) || !strings.Contains(out.String(), "\ndatabase: ok\n") ||
			!strings.Contains(out.String(), " games verified\n") || !strings.Contains(out.String(), "points [") {
			t.Errorf("it says %s", out.String())
		}
	}
	copied := filepath.Join(folder, "copy.db")
	if err := (backupCmd{To: copied, DB: server}).Run(); err != nil {
		t.Error(err)
	}
	for _, db := range []string{server, copied} {
		if err := (verifyCmd{All: true, DB: db}).Run(); err != nil {
			t.Errorf("verify %s: %v", db, err)
		}
	}
	zip := filepath.Join(folder, "event.zip")
	if err := (exportCmd{To: zip, Event: 1, DB: server}).Run(); err != nil {
		t.Error(err)
	}
	if err := (importCmd{File: zip, DB: storetest.Server(t, storetest.Empty)}).Run(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ from, to, says string }{
		{file, server, "is not empty"},
		{server, back, "is not empty"},
		{filepath.Join(folder, "none.db"), storetest.Server(t, storetest.Empty), "none.db"},
		{file, filepath.Join(folder, "none", "c.db"), "no such file"},
		{storetest.Server(t, storetest.Empty) + "&port=x", filepath.Join(folder, "d.db"), "is not the address"},
	} {
		if err := (moveCmd{From: c.from, To: c.to}).move(ctx, io.Discard); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("from %s to %s: %v", c.from, c.to, err)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "d.db")); err == nil {
		t.Error("a file was left by a move that was refused")
	}
}
