package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"meldhall/engine/testmode"
)

// TestNodes plays eight rounds on three nodes, in two parallel runs; meldbench nodes plays more.
func TestNodes(t *testing.T) {
	testmode.SkipUnlessLong(t)
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed+1), func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			run := nodesCmd{Nodes: 3, Rounds: 4, Tables: 1, Kills: 1, Away: 10, Late: time.Second, Hints: 20, Cuts: 5,
				Seed: seed + 1}
			if err := run.report(t.Context(), &out); err != nil ||
				!strings.Contains(out.String(), "rounds          4 in") {
				t.Errorf("%v\n%s", err, out.String())
			}
			t.Log(out.String())
		})
	}
}

// TestEveryFaultFitsTheProgram checks that each fault changes a line that exists in the program.
func TestEveryFaultFitsTheProgram(t *testing.T) {
	for name := range nodesFaults {
		if _, err := faultyProgram(t.Context(), t.TempDir(), name); err != nil {
			t.Error(err)
		}
	}
}

// TestNodesFindAFault checks that meldbench nodes finds a program that does not store the keys of commands.
func TestNodesFindAFault(t *testing.T) {
	testmode.SkipUnlessLong(t)
	var out bytes.Buffer
	run := nodesCmd{Nodes: 2, Rounds: 5, Tables: 1, Seed: 1, Fault: "keys"}
	if err := run.report(t.Context(), &out); err == nil || !strings.Contains(err.Error(),
		"calls explains their responses") {
		t.Errorf("a program that does not keep keys: %v\n%s", err, out.String())
	}
}
