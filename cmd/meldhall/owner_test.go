package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/engine/testmode"
)

// TestOneServerForAFile starts the program on a file that another process serves while games run. The start is refused
// with the name of the other process, and nothing is written. Reading tools work meanwhile. After kill -9 the next
// start succeeds at once.
func TestOneServerForAFile(t *testing.T) {
	testmode.SkipUnderRace(t)
	ctx := t.Context()
	folder := t.TempDir()
	db := filepath.Join(folder, "hall.db")
	server := launch(t, db)
	defer func() { server.Kill() }()
	playing(t, server)
	before := logLengths(t, db)

	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(folder, "another name.db")
	if err := os.Symlink(db, link); err != nil {
		t.Fatal(err)
	}
	host, _ := os.Hostname()
	for _, path := range []string{db, link} {
		var said bytes.Buffer
		second, err := client.StartServer(ctx, exe, path, false, &said)
		if err == nil {
			second.Kill()
			t.Errorf("a second server started on %s", path)
		}
		for _, want := range []string{"process " + strconv.Itoa(server.Pid()), "on " + host, "since " +
			time.Now().Format("2006-01-02")} {
			if !strings.Contains(said.String(), want) {
				t.Errorf("the refusal does not say %q: %s", want, said.String())
			}
		}
	}
	if err := (simulateCmd{Players: 4, Format: "quick", Rules: "wrc", Bots: "novice", Workers: 1, DB: db}).simulate(ctx,
		&bytes.Buffer{}, &bytes.Buffer{}); err == nil {
		t.Error("a simulation wrote into the file of a server")
	}

	if err := (verifyCmd{All: true, DB: db}).Run(); err != nil {
		t.Errorf("verify beside a server: %v", err)
	}
	if err := (backupCmd{To: filepath.Join(folder, "copy.db"), DB: db}).Run(); err != nil {
		t.Errorf("backup beside a server: %v", err)
	}
	if after := logLengths(t, db); len(before) == 0 || !maps.Equal(before, after) {
		t.Errorf("the games' logs had %v events, and have %v", before, after)
	}

	server.Kill()
	began := time.Now()
	server = launch(t, db)
	t.Logf("the start after kill -9 took %v", time.Since(began).Round(time.Millisecond))
}

// playing starts play at two tables of the server.
func playing(t *testing.T, server *client.Server) {
	t.Helper()
	ctx := t.Context()
	staff, _, round := firstRound(t, client.New(server.Base, client.NewTransport()), server.Setup, "quick", 8)
	for _, table := range round.Tables {
		for _, s := range table.Seats {
			if _, err := client.Join(ctx, staff.API, s.Code); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := staff.Start(ctx, round.ID); err != nil {
		t.Fatal(err)
	}
}

// logLengths returns the number of events in each game's log, read while the server runs.
func logLengths(t *testing.T, db string) map[int64]int {
	t.Helper()
	store, err := openExisting(db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	lengths := map[int64]int{}
	for _, g := range gamesOf(t, store) {
		lengths[g.Game] = len(g.Events)
	}
	return lengths
}
