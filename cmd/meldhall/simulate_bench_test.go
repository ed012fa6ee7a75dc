package main

import (
	"io"
	"testing"
)

// BenchmarkSimulate is a whole event of 400 masters, the finals with one table at the end included.
func BenchmarkSimulate(b *testing.B) {
	for b.Loop() {
		c := simulateCmd{Players: 400, Format: "wrc", Rules: "wrc", Bots: "master", Seed: 7, Workers: 2}
		if err := c.simulate(b.Context(), io.Discard, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
