package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/tournament/export"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// TestVerifyRefusesAnotherActor checks that verify rejects an exported game with a move by a player of another seat.
func TestVerifyRefusesAnotherActor(t *testing.T) {
	testmode.SkipUnderRace(t)
	g := playedGames(t)[0]
	verified := func() (string, error) {
		data, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "game.json")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err = verifyGiven(t.Context(), &out, path, trusting{})
		return out.String(), err
	}
	if out, err := verified(); err != nil {
		t.Fatal(out, err)
	}
	i := slices.IndexFunc(g.Events, func(e export.Event) bool { return e.Kind == "tile_drawn" })
	was := g.Events[i].Actor
	for _, player := range g.Players {
		other := fmt.Sprintf("player:%d", player)
		if other == was {
			continue
		}
		g.Events[i].Actor = other
		g.Head = g.ChainHead()
		want := fmt.Sprintf("seq %d: tile_drawn by %s: it was the turn or the right of", i+1, other)
		if out, err := verified(); err == nil || !strings.Contains(out, want) {
			t.Error(out, err)
		}
	}
}

// TestVerifyRefusesForgeries checks that verifying a forged database, a game of it or an archive of it returns an error
// that names the forged fact.
func TestVerifyRefusesForgeries(t *testing.T) {
	testmode.SkipUnderRace(t)
	ctx := t.Context()
	db := filepath.Join(t.TempDir(), "event.db")
	simulated(t, simulateCmd{Players: 4, Format: "quick", Rules: "wrc", Seed: 3, Bots: "novice", Workers: 1, DB: db})
	s, err := store.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var out bytes.Buffer
	if err := verifyEvents(ctx, &out, s); err != nil ||
		!strings.HasSuffix(out.String(), "\nevent 1: ok: rounds, games, results, rulings and records agree\n") {
		t.Fatalf("as it was played: %v: %s", err, out.String())
	}
	storetest.DropTriggers(t, s.WriteSQL)
	if err := s.Write.Exec("DELETE FROM game_events").Error; err != nil {
		t.Fatal(err)
	}
	if err := s.Write.Exec("UPDATE result_lines SET points = -points").Error; err != nil {
		t.Fatal(err)
	}
	const missing = "round 1, table 1, game 1: there is a result, but the log is missing"
	out.Reset()
	if err := verifyEvents(ctx, &out, s); err == nil ||
		!strings.Contains(out.String(), "event 1: FAILED: "+missing) {
		t.Errorf("the database: %v: %s", err, out.String())
	}
	out.Reset()
	if err := verifyGameFacts(ctx, &out, s, 1); err == nil ||
		!strings.Contains(out.String(), "game 1: FAILED: "+missing) {
		t.Errorf("the game: %v: %s", err, out.String())
	}
	if err := (verifyCmd{All: true, DB: db}).Run(); err == nil {
		t.Error("verify --all found nothing")
	}
	file := filepath.Join(t.TempDir(), "event.zip")
	if err := (exportCmd{To: file, Event: 1, DB: db}).Run(); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if err := verifyGiven(ctx, &out, file, trusting{}); err == nil || !strings.Contains(out.String(), missing) {
		t.Errorf("the archive: %v: %s", err, out.String())
	}
}
