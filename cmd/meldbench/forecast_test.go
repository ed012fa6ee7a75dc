package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestForecast checks that the same seed prints the same errors, and that halfway through a round the forecast of its
// end is within a fifth.
func TestForecast(t *testing.T) {
	run := func() string {
		var out bytes.Buffer
		if err := (forecastCmd{Events: 2, Rounds: 2, Tables: 4, Games: 2, Rules: "wrc", Seed: 1}).measure(t.Context(),
			&out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	first := run()
	if second := run(); second != first {
		t.Errorf("another run says\n%s\nafter\n%s", second, first)
	}
	_, rounds, ok := strings.Cut(first, "a round takes ")
	var took, low, high, off float64
	if n, err := fmt.Sscanf(rounds, "%f minutes on average, %f to %f", &took, &low, &high); !ok || n != 3 {
		t.Fatalf("got %q: %v", rounds, err)
	}
	_, half, _ := strings.Cut(rounds, "after 50 %: off by ")
	if n, err := fmt.Sscanf(strings.TrimSpace(half), "%f", &off); n != 1 || took < 5 || off > took/5 {
		t.Errorf("off by %v of %v minutes: %v\n%s", off, took, err, first)
	}
	if err := (forecastCmd{}).measure(t.Context(), &bytes.Buffer{}); err == nil {
		t.Error("no events: no error")
	}
}
