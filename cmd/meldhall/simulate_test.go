package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/web/request"
)

var itsTime = regexp.MustCompile(`(?m)^.* per second; .*\n`)

// simulated plays a small tournament to its end and returns the output, without the line with times.
func simulated(t testing.TB, c simulateCmd) string {
	t.Helper()
	var out bytes.Buffer
	if err := c.simulate(t.Context(), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(itsTime.ReplaceAllString(out.String(), ""))
}

func TestSimulate(t *testing.T) {
	testmode.SkipUnderRace(t)
	small := simulateCmd{Players: 11, Format: "quick", Rules: "wrc", Seed: 7, Workers: 1}
	first := simulated(t, small)
	if lines := strings.Count(first, "\n"); lines != 11+2 {
		t.Fatalf("got %d lines, want 11 players, a head and a summary:\n%s", lines, first)
	}
	t.Run("the same seed gives the same standings with any number of workers", func(t *testing.T) {
		for _, workers := range []int{2, 7} {
			again := small
			again.Workers = workers
			if got := simulated(t, again); got != first {
				t.Errorf("%d workers: got\n%s\nwant\n%s", workers, got, first)
			}
		}
	})
	t.Run("officials rule at random, whatever the number of workers, and both referees agree", func(t *testing.T) {
		ruled := small
		ruled.Rulings = 40
		first := simulated(t, ruled)
		for _, kind := range []string{"rewound", "penalty_given", "position_set", "ruling_cancelled", "turn_skipped"} {
			if !strings.Contains(first, kind) {
				t.Errorf("no %s in\n%s", kind, first)
			}
		}
		ruled.Workers = 3
		if again := simulated(t, ruled); again != first {
			t.Errorf("got\n%s\nwant\n%s", again, first)
		}
	})
	t.Run("another seed gives other standings", func(t *testing.T) {
		other := small
		other.Seed = 8
		if simulated(t, other) == first {
			t.Error("seeds 7 and 8 gave the same event")
		}
	})
	t.Run("every preset of rules plays to its end", func(t *testing.T) {
		// with random rulings in every other one
		for i, rules := range []string{"wrc-50", "club", "family", "casual", "wrc"} {
			c := simulateCmd{Players: 8, Format: "quick", Rules: rules, Seed: 3, Workers: 2, Rulings: i % 2 * 30,
				DB: filepath.Join(t.TempDir(), "e.db")}
			simulated(t, c)
			if err := (verifyCmd{All: true, DB: c.DB}).Run(); err != nil {
				t.Errorf("%s: %v", rules, err)
			}
		}
	})
	t.Run("numbers of players that cannot be seated are refused with the reason", func(t *testing.T) {
		err := simulateCmd{Players: 5, Format: "open", Rules: "wrc", Seed: 1, Workers: 1}.simulate(t.Context(),
			io.Discard, io.Discard)
		if err == nil || !strings.Contains(request.ErrorText(t.Context(), err), "5 players") {
			t.Errorf("got %v, want that 5 players cannot be seated", err)
		}
	})
	t.Run("a field that would end at several finals is refused before it begins, with the most that can play",
		func(t *testing.T) {
			var progress bytes.Buffer
			c := simulateCmd{Players: 100, Format: "gwinnett", Rules: "wrc", Seed: 3, Workers: 1}
			err := c.simulate(t.Context(), io.Discard, &progress)
			if err == nil || !strings.Contains(request.ErrorText(t.Context(), err), "64") || progress.Len() > 0 {
				t.Errorf("got %v after %q", err, &progress)
			}
		})
	t.Run("unknown presets are named", func(t *testing.T) {
		for _, c := range []simulateCmd{{Players: 8, Format: "nope", Rules: "wrc", Workers: 1},
			{Players: 8, Format: "open", Rules: "nope", Workers: 1}} {
			if err := c.simulate(t.Context(), io.Discard, io.Discard); err == nil ||
				!strings.Contains(request.ErrorText(t.Context(), err), "nope") {
				t.Errorf("got %v, want an error that names the preset", err)
			}
		}
	})
}

// TestSimulateDrawsLots checks that a lot that decides the champion ends the tournament, even after lots at several
// tables.
func TestSimulateDrawsLots(t *testing.T) {
	testmode.SkipUnderRace(t)
	own := t.TempDir()
	if err := os.Mkdir(filepath.Join(own, "formats"), 0o700); err != nil {
		t.Fatal(err)
	}
	const lots = `{"name": "lots", "version": 1, "source": "a test",
		"scoring": {"ranking": "wins", "tie_breaks": ["lot"]}, "stages": [
		{"name": "groups", "kind": "preliminary", "rounds": 1, "games_per_round": 1, "cut": 0,
		"seating": "random", "seat_change": "keep", "carry_over": "all"},
		{"name": "final", "kind": "final", "rounds": 1, "games_per_round": 2, "cut": 0, "per_table": 2,
		"seating": "standings", "seat_change": "keep", "carry_over": "none", "decide": 4}]}`
	if err := os.WriteFile(filepath.Join(own, "formats", "lots.json"), []byte(lots), 0o600); err != nil {
		t.Fatal(err)
	}
	// Two players of each table advance, but three at each have no win. Two of the four finalists tie.
	for seed := range uint64(3) {
		simulated(t, simulateCmd{Players: 8, Format: "lots", Rules: "wrc", Seed: seed, Workers: 1, Presets: own})
	}
}
