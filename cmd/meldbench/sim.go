package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
)

// simCmd is the command meldbench sim.
type simCmd struct {
	Runs int    `help:"How many runs." default:"500"`
	Seed uint64 `help:"The seed of the first run; the next ones follow it. A run is repeated by its own seed and --runs 1." default:"1"`
}

// Environment variables that tell the test what to run.
const (
	simRuns = "MELDHALL_SIM_RUNS"
	simSeed = "MELDHALL_SIM_SEED"
)

// Help returns the text of meldbench sim --help.
func (simCmd) Help() string {
	return "Each run is a hall of two tables under a simulated clock: people play, rule, confirm and correct over a network that loses, doubles and\n" +
		"delays, while the disk refuses, the process stalls, the machine sleeps, its clock is set and the program is killed. Then the log is\n" +
		"checked against the laws. Simulated time is there in tests alone: it runs one, in the checkout that it is run in."
}

// Run runs the test that contains the simulation.
func (c simCmd) Run() error {
	if c.Runs < 1 {
		return errors.New("sim: --runs must be 1 or more")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	test := exec.CommandContext(ctx, "go", "test", "meldhall/cmd/meldbench", "-run", "^TestSimulatedServer$",
		"-count=1", "-timeout=0", "-v")
	test.Env = append(os.Environ(), fmt.Sprintf("%s=%d", simRuns, c.Runs), fmt.Sprintf("%s=%d", simSeed, c.Seed))
	test.Stdout, test.Stderr = os.Stdout, os.Stderr
	return test.Run()
}
