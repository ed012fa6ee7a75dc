package main

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A fitTap is one tap of the check's game, as taps.js records it.
type fitTap struct {
	X      float64 `json:"x"`
	At     float64 `json:"at"`
	Dwell  float64 `json:"dwell"`
	Wobble float64 `json:"wobble"`
	Gap    float64 `json:"gap"`
}

type fitted struct{ Slop, Press, Dead float64 }

// TestTheProposalCoversItsTaps checks that the proposed settings would have taken nearly all taps that they were
// measured from.
func TestTheProposalCoversItsTaps(t *testing.T) {
	s := loadScripts(t)
	rapid.Check(t, func(t *rapid.T) {
		wobble, dwell := rapid.Float64Range(0, 16).Draw(t, "wobble"), rapid.Float64Range(50, 700).Draw(t, "dwell")
		taps := make([]fitTap, rapid.IntRange(5, 25).Draw(t, "taps"))
		for i := range taps {
			taps[i] = fitTap{Wobble: rapid.Float64Range(0, wobble).Draw(t, "moved"),
				Dwell: rapid.Float64Range(30, dwell).Draw(t, "stayed")}
			if rapid.IntRange(0, 4).Draw(t, "twice") == 0 {
				taps[i].Gap = rapid.Float64Range(90, 700).Draw(t, "gap")
			}
		}
		found := call[map[string]float64](s, "measure", taps, 0)
		got := call[fitted](s, "fit", found)
		if !slices.Contains([]float64{6, 12, 18, 24}, got.Slop) || !slices.Contains([]float64{0, 350, 500, 700, 900}, got.Press) ||
			!slices.Contains([]float64{0, 250, 450, 700}, got.Dead) {
			t.Fatalf("%+v is not among the choices", got)
		}
		slipped := 0
		for _, tap := range taps {
			if tap.Gap > got.Dead {
				t.Fatalf("a second tap after %v ms with a dead time of %v", tap.Gap, got.Dead)
			}
			if tap.Wobble >= got.Slop || got.Press != 0 && tap.Dwell >= got.Press {
				slipped++
			}
		}
		if slipped > 2 { // those beyond the 95th percentile
			t.Fatalf("%+v slips on %d of %v", got, slipped, taps)
		}
	})
}

// TestTheHandThatPlays checks which hand is proposed from the side on which something rested.
func TestTheHandThatPlays(t *testing.T) {
	s := loadScripts(t)
	taps := []fitTap{{X: 400, At: 1000}, {X: 600, At: 2000}, {X: 500, At: 3000}}
	for want, x := range map[string][]float64{"right": {700, 20}, "left": {300, 980}} {
		for _, x := range x {
			if got := call[string](s, "handOf", taps, []map[string]float64{{"x": x, "at": 2000}}, 1000); got != want {
				t.Errorf("something rested at %v of 1000 px: the hand %q, want %q", x, got, want)
			}
		}
	}
	if got := call[*string](s, "handOf", taps, []any{}, 1000); got != nil {
		t.Errorf("nothing rested, but the hand is %q", *got)
	}
}
