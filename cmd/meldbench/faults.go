package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
)

// faultsCmd is meldbench faults.
type faultsCmd struct {
	Tests bool  `name:"run" help:"Run the tests and print how each case ended."`
	Case  []int `help:"Only these cases, by number."`
}

// Help is shown by meldbench faults --help.
func (faultsCmd) Help() string {
	return "Without --run it prints for each case the goal and the tests that show it, and what is not shown. With --run it runs these tests,\n" +
		"as CI does, in the checkout that it is run in: all of them take minutes."
}

// Run prints the table.
func (c faultsCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return c.report(ctx, os.Stdout)
}

func (c faultsCmd) report(ctx context.Context, out io.Writer) error {
	chosen := slices.DeleteFunc(slices.Clone(faults), func(f fault) bool { return len(c.Case) > 0 && !slices.Contains(c.Case, f.number) })
	if len(chosen) == 0 {
		return errors.New("faults: there is no such case")
	}
	ended := map[string]string{}
	if c.Tests {
		var err error
		if ended, err = runTests(ctx, chosen); err != nil {
			return err
		}
	}
	failed := 0
	for _, f := range chosen {
		fmt.Fprintf(out, "%d\t%s\n\tgoal: %s\n", f.number, f.says, f.goal)
		for _, name := range strings.Fields(f.tests) {
			fmt.Fprintf(out, "\t%s\t%s\n", name, ended[name])
			if strings.HasPrefix(ended[name], "fail") {
				failed++
			}
		}
		if f.command != "" {
			fmt.Fprintf(out, "\t$ %s\n", f.command)
		}
		if f.open != "" {
			fmt.Fprintf(out, "\tnot shown: %s\n", f.open)
		}
	}
	if failed > 0 {
		return fmt.Errorf("faults: %d tests failed", failed)
	}
	return nil
}

// runTests runs the tests of cases, and gives for each how it ended and how long it took.
func runTests(ctx context.Context, chosen []fault) (map[string]string, error) {
	names, in := map[string]bool{}, map[string]bool{}
	for _, f := range chosen {
		for _, test := range strings.Fields(f.tests) {
			folder, name, _ := strings.Cut(test, ".")
			names[name], in["./"+folder] = true, true
		}
	}
	run := "^(" + strings.Join(slices.Sorted(maps.Keys(names)), "|") + ")$"
	test := exec.CommandContext(ctx, "go", append([]string{"test", "-count=1", "-json", "-run", run}, slices.Sorted(maps.Keys(in))...)...)
	test.Env = append(os.Environ(), "CI=true")
	said, err := test.Output()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	ended := map[string]string{}
	for line := range bytes.Lines(said) {
		var e struct {
			Action, Package, Test string
			Elapsed               float64
		}
		if json.Unmarshal(line, &e) == nil && names[e.Test] && slices.Contains([]string{"pass", "fail", "skip"}, e.Action) {
			ended[strings.TrimPrefix(e.Package, "meldhall/")+"."+e.Test] = fmt.Sprintf("%s %.1f s", e.Action, e.Elapsed)
		}
	}
	return ended, nil
}
