package main

import (
	"io"
	"testing"
)

// BenchmarkSimulate plays a whole tournament of 400 master bots, including the finals with a single table.
func BenchmarkSimulate(b *testing.B) {
	for b.Loop() {
		c := simulateCmd{Players: 400, Format: "wrc", Rules: "wrc", Bots: "master", Seed: 7, Workers: 2}
		if err := c.simulate(b.Context(), io.Discard, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
