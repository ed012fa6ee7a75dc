package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strconv"
	"testing"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/prepare"
	"meldhall/engine/shuffle"
)

// TestMain lets the test binary act as the program, so that tests can start it as a separate process.
func TestMain(m *testing.M) {
	if os.Getenv("MELDHALL_BE_PROGRAM") == "1" {
		releaseVersion = os.Getenv("MELDHALL_TEST_VERSION")
		args := &arguments{}
		if seed, err := strconv.ParseUint(os.Getenv("MELDHALL_TEST_DEALS"), 10, 64); err == nil {
			args.Serve.secret, args.Serve.seeds = secretsOf(seed), func() int64 { return int64(seed) }
		}
		begin(args)
		return
	}
	os.Exit(m.Run())
}

// launch starts the program with the database at db, on a free port in a separate process.
func launch(t testing.TB, db string, flags ...string) *client.Server {
	t.Helper()
	t.Setenv("MELDHALL_BE_PROGRAM", "1")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := client.StartServer(t.Context(), exe, db, false, os.Stderr, flags...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// firstRound sets up a fresh server: it creates the first organizer with the one-time token, a tournament with the WRC
// rules, and its first round.
func firstRound(t testing.TB, api *client.Client, token, format string, players int) (client.Official,
	client.Tournament, client.Round) {
	t.Helper()
	ctx := t.Context()
	staff, err := client.SetUp(ctx, api, token, "Ada", "a long enough password")
	if err != nil {
		t.Fatal(err)
	}
	event, err := staff.Create(ctx, client.NewTournament{Name: "Open", Format: format,
		Rules: map[string]any{"preset": "wrc"}}, prepare.Roster(players))
	if err != nil {
		t.Fatal(err)
	}
	round, err := staff.NextRound(ctx, event.ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	return staff, event, round
}

// secretsOf returns the secrets of shuffles that depend on a seed and on the game's number, so that the same tournament
// always has the same deals.
func secretsOf(seed uint64) func(int64) shuffle.Value {
	return func(game int64) shuffle.Value { return sha256.Sum256(fmt.Append(nil, seed, game)) }
}
