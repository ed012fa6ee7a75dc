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
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// faultsCmd is the command meldbench faults.
type faultsCmd struct {
	Tests bool    `name:"run" help:"Run the tests and print the result of each case, with its tests' figures."`
	Cases numbers `aliases:"case" help:"Only these cases, by number: 7 or 21-32 or 3,21-32." placeholder:"NUMBERS"`
}

// numbers selects cases by number.
type numbers []int

// UnmarshalText parses numbers and ranges of numbers.
func (n *numbers) UnmarshalText(text []byte) error {
	*n = nil
	for part := range strings.SplitSeq(string(text), ",") {
		from, to, span := strings.Cut(part, "-")
		if !span {
			to = from
		}
		first, err := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil || first < 1 || last < first || last > len(faults) {
			return fmt.Errorf("%q must be a case number or a range", part)
		}
		for ; first <= last; first++ {
			*n = append(*n, first)
		}
	}
	return nil
}

// ended is the result of a test, and its output.
type ended struct {
	how     string
	figures []string
}

// Help returns the text of meldbench faults --help.
func (faultsCmd) Help() string {
	return "Without --run it prints for each case the goal and the tests that show it, and what is not shown. With --run it runs these tests,\n" +
		"as CI does, in the checkout that it is run in: all of them take minutes."
}

// Run runs the chosen tests and prints the table.
func (c faultsCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return c.report(ctx, os.Stdout)
}

func (c faultsCmd) report(ctx context.Context, out io.Writer) error {
	chosen := slices.DeleteFunc(slices.Clone(faults), func(f fault) bool {
		return len(c.Cases) > 0 &&
			!slices.Contains(c.Cases, f.number)
	})
	if len(chosen) == 0 {
		return errors.New("faults: no such case")
	}
	tests := map[string]ended{}
	if c.Tests {
		var err error
		if tests, err = runTests(ctx, chosen); err != nil {
			return err
		}
	}
	failed := 0
	for _, f := range chosen {
		fmt.Fprintf(out, "%d\t%s\n\tgoal: %s\n", f.number, f.says, f.goal)
		for _, name := range strings.Fields(f.tests) {
			fmt.Fprintf(out, "\t%s\t%s\n", name, tests[name].how)
			for _, figure := range tests[name].figures {
				fmt.Fprintf(out, "\t\t%s\n", figure)
			}
			if strings.HasPrefix(tests[name].how, "fail") {
				failed++
			}
		}
		if f.command != "" {
			fmt.Fprintf(out, "\t$ %s\n", f.command)
		}
		if f.open != "" {
			fmt.Fprintf(out, "\tnot covered: %s\n", f.open)
		}
	}
	if failed > 0 {
		return fmt.Errorf("faults: %d tests failed", failed)
	}
	return nil
}

// runTests runs the tests of the chosen cases, and returns the result of each.
func runTests(ctx context.Context, chosen []fault) (map[string]ended, error) {
	names, product, ours := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, f := range chosen {
		for _, test := range strings.Fields(f.tests) {
			folder, name, _ := strings.Cut(test, ".")
			names[name] = true
			if under, own := strings.CutPrefix(folder, "cmd/meldbench"); own {
				ours["."+under] = true
			} else {
				product["./"+folder] = true
			}
		}
	}
	said, err := testOutput(ctx, checkout, names, product)
	if err != nil {
		return nil, err
	}
	own, err := testOutput(ctx, ".", names, ours)
	return readEnds(append(said, own...), names), err
}

// testOutput runs the named tests of some folders of a module.
func testOutput(ctx context.Context, module string, names, folders map[string]bool) ([]byte, error) {
	if len(folders) == 0 {
		return nil, nil
	}
	run := "^(" + strings.Join(slices.Sorted(maps.Keys(names)), "|") + ")$"
	test := exec.CommandContext(ctx, "go", append([]string{"test", "-C", module, "-tags=long", "-count=1", "-json",
		"-timeout=60m",
		"-run", run}, slices.Sorted(maps.Keys(folders))...)...)
	test.Env = append(os.Environ(), "CI=true")
	said, err := test.Output()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	return said, nil
}

// printed matches a line that a test has logged, with its position.
var printed = regexp.MustCompile(`^ +[a-z_0-9]+_test\.go:\d+: (.*)`)

// readEnds parses the output of go test for the named tests and their subtests.
func readEnds(said []byte, names map[string]bool) map[string]ended {
	all := map[string]ended{}
	for line := range bytes.Lines(said) {
		var e struct {
			Action, Package, Test, Output string
			Elapsed                       float64
		}
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		top, _, under := strings.Cut(e.Test, "/")
		if !names[top] {
			continue
		}
		name := strings.TrimPrefix(e.Package, "meldhall/") + "." + top
		one := all[name]
		if figure := printed.FindStringSubmatch(e.Output); figure != nil {
			one.figures = append(one.figures, figure[1])
		}
		if !under && slices.Contains([]string{"pass", "fail", "skip"}, e.Action) {
			one.how = fmt.Sprintf("%s %.1f s", e.Action, e.Elapsed)
		}
		all[name] = one
	}
	return all
}
