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
	Runs int    `help:"Number of runs." default:"500"`
	Seed uint64 `help:"The seed of the first run; the following runs use the next seeds. To repeat a run, give its seed and --runs 1." default:"1"`
}

// Environment variables that tell the test what to run.
const (
	simRuns = "MELDHALL_SIM_RUNS"
	simSeed = "MELDHALL_SIM_SEED"
)

// Help returns the text of meldbench sim --help.
func (simCmd) Help() string {
	return "Each run simulates a hall of two tables: people play, rule, confirm and correct over a network that " +
		"loses, duplicates and\n" +
		"delays messages, while disk writes fail, the process stalls, the machine sleeps, its clock is set and the " +
		"program is killed. Then the\n" +
		"log is checked against the laws. Simulated time only exists in tests, so this runs a test in the current " +
		"checkout."
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
