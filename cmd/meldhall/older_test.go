package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"meldhall/cmd/internal/client"
	"meldhall/engine/testmode"
	"meldhall/tournament/archive"
	"meldhall/tournament/export"
	"meldhall/tournament/store"
)

// unpacked decompresses a file of testdata into a temporary folder.
func unpacked(t *testing.T, name string) string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOlderDatabase opens a database and an exported game written by the program of 21 November 2026, before all
// changes became actions and records had fields. Both verify, and the records are unchanged. Old actions can be undone,
// and the tournament in progress continues.
func TestOlderDatabase(t *testing.T) {
	testmode.SkipUnderRace(t)
	ctx := t.Context()
	path := unpacked(t, "before_the_door.db")
	db, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	games, err := export.GameIDs(ctx, db)
	if err != nil || len(games) != 14 {
		t.Fatalf("%d games, %v", len(games), err)
	}
	var out bytes.Buffer
	if err := verifyGames(ctx, &out, db, games); err != nil {
		t.Errorf("%v: %s", err, &out)
	}
	out.Reset()
	if err := verifyEvents(ctx, &out, db); err != nil || !strings.Contains(out.String(),
		"event 1: note: round 1: it cannot be derived again") {
		t.Errorf("%v: %s", err, &out)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := (verifyCmd{File: unpacked(t, "before_the_door_game.json")}).Run(); err != nil {
		t.Errorf("the exported game: %v", err)
	}

	server := launch(t, path)
	defer func() { server.Kill() }()
	ann, err := client.SignIn(ctx, client.New(server.Base, client.NewTransport()), "Ann", "correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	type entry struct {
		Action, Who, Subject, Before, After string
		Version                             int
		Data                                json.RawMessage
	}
	log := func() (entries []entry) {
		t.Helper()
		var page struct{ Entries []entry }
		if err := ann.API.Call(ctx, http.MethodGet, "/tournaments/2/log?limit=200", nil, &page); err != nil {
			t.Fatal(err)
		}
		return page.Entries
	}
	old := log()
	for _, want := range []entry{
		{Action: "round.swap", Who: "organizer:Ann", Subject: "round 1",
			Before: "Player 1 at table 1 seat 3, Player 6 at table 2 seat 2",
			After:  "Player 6 at table 1 seat 3, Player 1 at table 2 seat 2"},
		{Action: "sanction.give", Who: "organizer:Ann", Subject: "sanction 1, player 3 (Player 3)",
			After: "50 points, rule 12.3"},
		{Action: "people.leave", Who: "organizer:Ann", Subject: "player 9 (Player 9)", Before: "9 Player 9: registered",
			After: "9 Player 9: withdrawn"},
	} {
		found := false
		for _, e := range old {
			found = found || fmt.Sprint(e) == fmt.Sprint(want)
		}
		if !found {
			t.Errorf("the log does not hold %+v any more", want)
		}
	}
	if err := ann.API.Call(ctx, http.MethodPost, "/tournaments/2/announcements",
		map[string]any{"level": "note", "minutes": 5, "texts": map[string]string{"en": "Lunch"}}, nil); err != nil {
		t.Error(err)
	}
	if err := ann.API.Call(ctx, http.MethodPost, "/changes/4/undo", map[string]any{"why": "is back"}, nil); err != nil {
		t.Errorf("what was done then cannot be taken back: %v", err)
	}
	now := log()
	if len(now) != len(old)+2 || now[1].Version == 0 || !strings.Contains(string(now[1].Data), "Lunch") {
		t.Errorf("the log goes on as %+v", now[:2])
	}
	round, err := ann.Tournament(ctx, 2)
	if err != nil || round.Status != "running" {
		t.Errorf("the event is %+v, %v", round, err)
	}
}

// TestOlderArchive verifies and imports an archive of version 1, written by the program of 28 November 2026. Its games
// were decided by edition 1 of the engine. The imported tournament verifies, too.
func TestOlderArchive(t *testing.T) {
	data, err := os.ReadFile("testdata/archive_1.zip")
	if err != nil {
		t.Fatal(err)
	}
	a, err := archive.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if games, err := a.Verify(t.Context()); err != nil || len(games) != 6 {
		t.Errorf("%d games: %v", len(games), err)
	}
	const made = "34a6c83dba8331de8f9028bf00b239103b8d18057489eaa6ef4007bc039f27f9"
	if len(a.Notes) == 0 || !strings.Contains(a.Notes[0], made) {
		t.Errorf("notes %q, want one with the hash %s", a.Notes, made)
	}
	path := filepath.Join(t.TempDir(), "hall.db")
	if err := (importCmd{File: "testdata/archive_1.zip", DB: path}).Run(); err != nil {
		t.Fatal(err)
	}
	if err := (verifyCmd{All: true, DB: path}).Run(); err != nil {
		t.Error(err)
	}
	changed := slices.Clone(data)
	changed[len(changed)/3] ^= 1
	if _, err := archive.Read(changed); err == nil {
		t.Error("a changed archive of version 1 was accepted")
	}
}
