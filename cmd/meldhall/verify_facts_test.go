package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/tournament/storage"
)

// Verification of a database, of one game of it and of the archive that is made of it end with an error that names what was forged.
func TestVerifyRefusesForgeries(t *testing.T) {
	testmode.SkipUnderRace(t)
	ctx := t.Context()
	db := filepath.Join(t.TempDir(), "event.db")
	simulated(t, simulateCmd{Players: 4, Format: "quick", Rules: "wrc", Seed: 3, Bots: "novice", Workers: 1, DB: db})
	store, err := storage.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var out bytes.Buffer
	if err := verifyEvents(ctx, &out, store); err != nil || out.String() != "event 1: ok: rounds, games, results, rulings and records agree\n" {
		t.Fatalf("as it was played: %v: %s", err, out.String())
	}
	var triggers []string
	if err := store.Write.Raw("SELECT name FROM sqlite_master WHERE type = 'trigger'").Scan(&triggers).Error; err != nil {
		t.Fatal(err)
	}
	for _, name := range triggers {
		if err := store.Write.Exec("DROP TRIGGER " + name).Error; err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Write.Exec("DELETE FROM game_events").Error; err != nil {
		t.Fatal(err)
	}
	if err := store.Write.Exec("UPDATE result_lines SET points = -points").Error; err != nil {
		t.Fatal(err)
	}
	const missing = "round 1, table 1, game 1: there is a result, but the log is missing"
	out.Reset()
	if err := verifyEvents(ctx, &out, store); err == nil || !strings.Contains(out.String(), "event 1: FAILED: "+missing) {
		t.Errorf("the database: %v: %s", err, out.String())
	}
	out.Reset()
	if err := verifyGameFacts(ctx, &out, store, 1); err == nil || !strings.Contains(out.String(), "game 1: FAILED: "+missing) {
		t.Errorf("the game: %v: %s", err, out.String())
	}
	if err := (verifyCmd{All: true, DB: db}).Run(); err == nil {
		t.Error("verify --all has found nothing")
	}
	file := filepath.Join(t.TempDir(), "event.zip")
	if err := (exportCmd{To: file, Event: 1, DB: db}).Run(); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if err := verifyGiven(ctx, &out, file); err == nil || !strings.Contains(out.String(), missing) {
		t.Errorf("the archive: %v: %s", err, out.String())
	}
}
