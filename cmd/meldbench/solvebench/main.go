// Command solvebench compares the exact search of engine/solve with the fastest known exact baseline, the compact
// integer program on GLPK. It measures both in one run on the same positions and checks that they agree:
//
//	go run -C cmd/meldbench -tags glpk ./solvebench
//
// It exits with status 1 if they differ anywhere. Without the tag, which needs cgo and Debian's libglpk-dev, it prints
// only our own times.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"

	"meldhall/cmd/internal/prepare"
	"meldhall/engine/ruleset"
	"meldhall/engine/solve"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "solvebench:", err)
		os.Exit(1)
	}
}

// options are the command-line options.
type options struct {
	positions, growth, repeats, games int
	hostile                           int
	seed                              uint64
	cases, aim, dump                  string
	only                              *regexp.Regexp
	json, plain, cpu                  bool
}

func readOptions(args []string, errOut io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("solvebench", flag.ContinueOnError)
	flags.SetOutput(errOut)
	flags.IntVar(&o.positions, "positions", 200, "positions of each class")
	flags.IntVar(&o.growth, "growth", 50, "positions of each row of the growth tables; 0: leave them out")
	flags.IntVar(&o.repeats, "repeats", 3, "how often each position is answered; the least time counts")
	flags.IntVar(&o.games, "games", 3000, "how many games at most are played to find the late-hard positions")
	flags.IntVar(&o.hostile, "hostile", 0,
		"instead, breed so many positions towards those that take longest, and print the worst")
	flags.StringVar(&o.dump, "dump", "",
		"with -hostile: write the hardest positions with their answers and states to this file, for -cases")
	flags.Uint64Var(&o.seed, "seed", 1, "the same seed makes the same positions")
	flags.StringVar(&o.cases, "cases", "",
		"a file of cases with known optima (JSON lines), to be measured and checked as well")
	only := flags.String("only", "", "measure only the classes whose name matches this regular expression")
	flags.StringVar(&o.aim, "aim", "tiles", "tiles: most tiles, then most value; value: the other way round")
	flags.BoolVar(&o.json, "json", false, "print the rows as JSON lines too")
	flags.BoolVar(&o.plain, "plain", false, "GLPK with its default settings instead of the fastest found")
	flags.BoolVar(&o.cpu, "cpu", false,
		"measure the time that the processor works instead of the wall's, for a busy machine (Linux)")
	if err = flags.Parse(args); err != nil {
		return o, err
	}
	if o.positions < 0 || o.growth < 0 || o.hostile < 0 || o.repeats < 1 || flags.NArg() > 0 {
		return o, errors.New("--positions, --growth and --hostile must not be negative, --repeats must be at least " +
			"1, and arguments are not allowed")
	}
	if o.aim != "tiles" && o.aim != "value" {
		return o, fmt.Errorf("--aim is tiles or value, not %q", o.aim)
	}
	o.only, err = regexp.Compile(*only)
	return o, err
}

func run(args []string, out, errOut io.Writer) error {
	o, err := readOptions(args, errOut)
	if err != nil {
		return err
	}
	club, err := clubRuleset()
	if err != nil {
		return err
	}
	s := source{seed: o.seed, games: o.games, rules: club}
	if o.aim == "value" {
		s.aim = solve.MostValue
	}
	if o.hostile > 0 {
		return hostile(o, s.aim, out)
	}
	classes := s.stages(o.positions)
	if o.cases != "" {
		known, err := readCases(o.cases)
		if err != nil {
			return err
		}
		classes = append(classes, known...)
	}
	if o.growth > 0 {
		classes = append(classes, s.growth(o.growth)...)
	}
	answers, name := glpkAnswers(o.plain)
	clock, unit, err := clockOf(o.cpu)
	if err != nil {
		return err
	}
	introduce(out, o, unit, name)
	b := &bench{club: club, answers: answers, repeats: o.repeats, clock: clock, warm: 10, log: errOut}
	r := &report{out: out, json: o.json, glpk: answers != nil}
	for _, c := range classes {
		if o.only.MatchString(c.name) {
			if tasks := c.tasks(); len(tasks) > 0 {
				r.add(b.measure(c.table, c.name, tasks))
			}
		}
	}
	if err := r.close(); err != nil {
		return err
	}
	if len(r.rows) == 0 {
		return errors.New("nothing was measured: no class with this name has positions")
	}
	if b.disagree > 0 || b.unproven > 0 {
		return fmt.Errorf("%d positions have a wrong result, %d are not proven optimal", b.disagree, b.unproven)
	}
	return nil
}

// clubRuleset returns the preset club, which has free jokers like the baseline.
func clubRuleset() (ruleset.Ruleset, error) {
	presets, err := prepare.Presets("")
	return presets.Rules["club"], err
}

func introduce(out io.Writer, o options, unit, baseline string) {
	fmt.Fprintf(out, "Times in µs%s per position, most %s first, minimum of %d, one thread; %s/%s, %s; seed %d.\n",
		unit, o.aim, o.repeats, runtime.GOOS, runtime.GOARCH, runtime.Version(), o.seed)
	if baseline == "" {
		fmt.Fprintln(out, "Without the baseline, which needs -tags glpk, cgo and GLPK's headers (Debian: libglpk-dev).")
		return
	}
	fmt.Fprintf(out,
		"Baseline: the compact integer program on %s, built and solved in this process; it and ours take turns.\n",
		baseline)
}
