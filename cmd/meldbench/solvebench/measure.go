package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"time"

	"meldhall/cmd/internal/cputime"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/solve"
)

// optimum is the result that two exact methods must agree on.
type optimum struct{ Tiles, Value int }

func (o optimum) String() string { return fmt.Sprintf("%d tiles value %d", o.Tiles, o.Value) }

// baseline is an independent exact method.
type baseline func(p solve.Position, aim solve.Aim) (optimum, error)

// wanted is the known optimum: tiles, value, both or neither.
type wanted struct {
	Tiles *int `json:"tiles"`
	Value *int `json:"value"`
}

func (w wanted) met(o optimum) bool {
	return (w.Tiles == nil || *w.Tiles == o.Tiles) && (w.Value == nil || *w.Value == o.Value)
}

func (w wanted) String() string {
	text := "known"
	if w.Tiles != nil {
		text += fmt.Sprintf(" %d tiles", *w.Tiles)
	}
	if w.Value != nil {
		text += fmt.Sprintf(" value %d", *w.Value)
	}
	return text
}

// task is a position to solve.
type task struct {
	name     string
	position solve.Position
	aim      solve.Aim
	want     wanted
}

// spread summarizes the times of a class in microseconds.
type spread struct {
	Median float64 `json:"median_us"`
	P99    float64 `json:"p99_us"`
	Max    float64 `json:"max_us"`
}

// states summarizes the number of states searched, which does not depend on the machine.
type states struct {
	Median int `json:"median"`
	P99    int `json:"p99"`
	Max    int `json:"max"`
}

// row holds the measurements of one class.
type row struct {
	Table       string  `json:"table"`
	Class       string  `json:"class"`
	Positions   int     `json:"positions"`
	Ours        spread  `json:"ours"`      // the best play
	Kept        spread  `json:"ours_keep"` // the best play that keeps the most sets
	States      states  `json:"states"`
	StatesKept  states  `json:"states_keep"`
	GLPK        *spread `json:"glpk,omitempty"`
	RatioMedian float64 `json:"ratio_median,omitempty"`
	RatioP99    float64 `json:"ratio_p99,omitempty"`
	Disagree    int     `json:"disagree"` // different optima, missed known optima, or illegal plays
	Unproven    int     `json:"unproven"`
}

// mostFaults is how many faults of a class are reported in full.
const mostFaults = 5

// bench measures tasks and writes faults to log.
type bench struct {
	club     ruleset.Ruleset
	answers  baseline // nil: no baseline
	repeats  int
	clock    func() time.Duration
	warm     int // tasks of each class that are solved before timing starts
	log      io.Writer
	disagree int
	unproven int
}

// measure times every task: our search, the baseline and our search with Keep in turn, repeats times. The shortest time
// of each counts, so that other load on the machine matters little and affects all equally.
func (b *bench) measure(table, class string, tasks []task) row {
	runtime.LockOSThread() // GLPK's memory is per thread, and thread time may be measured
	defer runtime.UnlockOSThread()
	for _, t := range tasks[:min(b.warm, len(tasks))] {
		b.answer(t)
	}
	var ours, theirs, kept []time.Duration
	var looked, lookedKept []int
	r := row{Table: table, Class: class, Positions: len(tasks)}
	for _, t := range tasks {
		a := b.answer(t)
		for range b.repeats - 1 {
			again := b.answer(t)
			a.ours, a.theirs, a.kept = min(a.ours, again.ours), min(a.theirs, again.theirs), min(a.kept, again.kept)
		}
		ours, theirs, kept = append(ours, a.ours), append(theirs, a.theirs), append(kept, a.kept)
		looked, lookedKept = append(looked, a.best.Work), append(lookedKept, a.keeping.Work)
		if !a.best.Proven || !a.keeping.Proven {
			r.Unproven++
		}
		if fault := b.fault(t, a); fault != "" {
			if r.Disagree++; r.Disagree > mostFaults {
				continue
			}
			fmt.Fprintf(b.log, "%s %s: %s\n\ttable %v\n\track %v\n", class, t.name, fault, t.position.Table,
				t.position.Rack.List())
		}
	}
	r.Ours, r.Kept = spreadOf(ours), spreadOf(kept)
	r.States, r.StatesKept = statesOf(looked), statesOf(lookedKept)
	if b.answers != nil {
		s := spreadOf(theirs)
		r.GLPK, r.RatioMedian, r.RatioP99 = &s, s.Median/r.Ours.Median, s.P99/r.Ours.P99
	}
	b.disagree += r.Disagree
	b.unproven += r.Unproven
	return r
}

// answered is the result of one run of a task by all methods.
type answered struct {
	best, keeping      solve.Play
	baseline           optimum
	baselineErr        error
	ours, theirs, kept time.Duration
}

func (b *bench) answer(t task) (a answered) {
	start := b.clock()
	a.best = solve.Best(t.position, solve.Question{Aim: t.aim})
	a.ours = b.clock() - start
	if b.answers != nil {
		start = b.clock()
		a.baseline, a.baselineErr = b.answers(t.position, t.aim)
		a.theirs = b.clock() - start
	}
	start = b.clock()
	a.keeping = solve.Best(t.position, solve.Question{Aim: t.aim, Keep: true})
	a.kept = b.clock() - start
	return a
}

// fault describes the fault in the answers to a task, or returns "" if all agree and our plays are legal.
func (b *bench) fault(t task, a answered) string {
	ours, kept := optimum{a.best.Tiles, a.best.Value}, optimum{a.keeping.Tiles, a.keeping.Value}
	switch {
	case a.baselineErr != nil:
		return a.baselineErr.Error()
	case b.answers != nil && !t.want.met(a.baseline):
		return fmt.Sprintf("GLPK %v, %v", a.baseline, t.want)
	case !t.want.met(ours):
		return fmt.Sprintf("ours %v, %v", ours, t.want)
	case b.answers != nil && ours != a.baseline:
		return fmt.Sprintf("ours %v, GLPK %v", ours, a.baseline)
	case kept != ours:
		return fmt.Sprintf("ours %v, with Keep %v", ours, kept)
	case a.keeping.Kept < a.best.Kept:
		return fmt.Sprintf("%d sets kept, with Keep %d", a.best.Kept, a.keeping.Kept)
	}
	for _, play := range []solve.Play{a.best, a.keeping} {
		if fault := b.illegal(t.position, play); fault != "" {
			return fault
		}
	}
	return ""
}

// illegal explains why a play is illegal under the preset club, or returns "".
func (b *bench) illegal(p solve.Position, play solve.Play) string {
	if play.Tiles == 0 {
		if !slices.EqualFunc(play.Table, p.Table, slices.Equal) {
			return "nothing is played, yet the table changes"
		}
		return ""
	}
	v := judge.Judge(b.club, judge.Move{Opened: true, Before: p.Table, Rack: p.Rack.List(), After: play.Table})
	switch {
	case !v.Legal:
		return fmt.Sprintf("not legal: %s: %s: %v", v.Code, v.Detail, play.Table)
	case len(v.Played) != play.Tiles || play.Played.Total() != play.Tiles:
		return fmt.Sprintf("%d tiles are played, not %d", len(v.Played), play.Tiles)
	}
	return ""
}

// clockOf returns the clock to measure with: wall-clock time, or the thread's processor time.
func clockOf(cpu bool) (clock func() time.Duration, name string, err error) {
	if !cpu {
		start := time.Now()
		return func() time.Duration { return time.Since(start) }, "", nil
	}
	if _, ok := cputime.Thread(); !ok {
		return nil, "", errors.New("--cpu: this system does not report the CPU time of a thread")
	}
	return func() time.Duration {
		d, _ := cputime.Thread()
		return d
	}, " of processor time", nil
}

func spreadOf(times []time.Duration) spread {
	slices.Sort(times)
	at := func(share float64) float64 { return float64(nearest(times, share).Nanoseconds()) / 1000 }
	return spread{Median: at(0.5), P99: at(0.99), Max: at(1)}
}

func statesOf(looked []int) states {
	slices.Sort(looked)
	return states{Median: nearest(looked, 0.5), P99: nearest(looked, 0.99), Max: nearest(looked, 1)}
}

// nearest returns the value at the nearest rank of a sorted list.
func nearest[T int | time.Duration](sorted []T, share float64) T {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, int(math.Ceil(share*float64(len(sorted))))-1)]
}

var headings = map[string]string{
	"classes": "Classes of positions",
	"tiles":   "Growth with the tiles on the table, 10 tiles on the rack",
	"jokers":  "Growth with the jokers among table and rack, mid (40 + 12 tiles) and late (80 + 10)",
}

// report prints rows as they arrive, grouped by table, and on request JSON lines at the end.
type report struct {
	out   io.Writer
	json  bool
	glpk  bool // whether there is a baseline
	table string
	rows  []row
}

func (r *report) add(measured row) {
	if measured.Table != r.table {
		r.table = measured.Table
		r.heading()
	}
	r.rows = append(r.rows, measured)
	fmt.Fprintf(r.out, "%-16s%5d |%s |%s |%7d%8d |", measured.Class, measured.Positions, times(measured.Ours),
		times(measured.Kept),
		measured.States.P99, measured.StatesKept.P99)
	if measured.GLPK != nil {
		fmt.Fprintf(r.out, "%s |%8.1f%8.1f |", times(*measured.GLPK), measured.RatioMedian, measured.RatioP99)
	}
	fmt.Fprintf(r.out, "%9d%9d\n", measured.Disagree, measured.Unproven)
}

func (r *report) heading() {
	const columns = "    median       p99       max"
	fmt.Fprintf(r.out, "\n%s\n%-21s |%-30s |%-30s | %-14s |", headings[r.table], "", " ours", " ours, most sets kept",
		"states, p99")
	if r.glpk {
		fmt.Fprintf(r.out, "%-30s |%-16s |", " GLPK", " GLPK / ours")
	}
	fmt.Fprintf(r.out, "\n%-16s%5s |%s |%s |%7s%8s |", "class", "n", columns, columns, "ours", "kept")
	if r.glpk {
		fmt.Fprintf(r.out, "%s |%8s%8s |", columns, "median", "p99")
	}
	fmt.Fprintf(r.out, "%9s%9s\n", "disagree", "unproven")
}

func times(s spread) string { return fmt.Sprintf("%10.1f%10.1f%10.1f", s.Median, s.P99, s.Max) }

// close prints the JSON lines, if requested.
func (r *report) close() error {
	if !r.json {
		return nil
	}
	fmt.Fprintln(r.out)
	lines := json.NewEncoder(r.out)
	for _, measured := range r.rows {
		if err := lines.Encode(measured); err != nil {
			return err
		}
	}
	return nil
}
