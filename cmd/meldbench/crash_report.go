package main

import (
	"fmt"
	"io"
	"time"

	"meldhall/cmd/meldbench/powercut"
)

// startMost is how long a start should take, from creating the process until it is healthy.
const startMost = time.Second

// crashFigures are the findings of a run, over all its halls.
type crashFigures struct {
	measures measures
	kills    int
	starting int // kills during a start
	starts   []time.Duration
	stops    []time.Duration // planned stops, from the signal to the end of the process
	expired  int             // expired turns, in all halls
	outages  int             // outage pauses, in all halls
	verified int             // verified halls
	largest  int64           // size of the largest file, in bytes
	epochs   int             // of the latest hall

	acknowledged, refused, confirmed int
	again, againDone, repeated       int // resent unanswered; then acknowledged; resent answered
	lost, twice, otherwise           []string

	loss            powercut.Loss
	cuts, cutsTaken int // found unsynced writes; undid some of them
	cutsInFile      int // found unsynced writes in the database file
}

// add adds the answers recorded in a hall.
func (f *crashFigures) add(a *acts) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f.acknowledged += len(a.done)
	f.refused += a.refused
	f.confirmed += len(a.confirmed)
	f.lost = append(f.lost, a.lost...)
	f.twice = append(f.twice, a.twice...)
	f.otherwise = append(f.otherwise, a.otherwise...)
}

// cut adds what a power failure undid.
func (f *crashFigures) cut(l powercut.Loss) {
	f.loss.File += l.File
	f.loss.FileLost += l.FileLost
	f.loss.Log += l.Log
	f.loss.LogLost += l.LogLost
	if l.File+l.Log > 0 {
		f.cuts++
	}
	if l.FileLost+l.LogLost > 0 {
		f.cutsTaken++
	}
	if l.File > 0 {
		f.cutsInFile++
	}
}

func (f *crashFigures) print(out io.Writer, c crashCmd) {
	how := "killed "
	if c.Planned {
		how = "stopped"
	}
	fmt.Fprintf(out, "%s         %d times, %d of them during startup; %d tables; seed %d\n", how, f.kills,
		f.starting, c.Tables, c.Seed)
	fmt.Fprintf(out, "acknowledged    %d actions with a key, %d confirmed results; %d refused\n", f.acknowledged,
		f.confirmed, f.refused)
	fmt.Fprintf(out, "lost            %d\n", len(f.lost))
	fmt.Fprintf(out, "duplicated      %d\n", len(f.twice))
	fmt.Fprintf(out, "turns expired   %d; clocks stopped by an outage %d times\n", f.expired, f.outages)
	fmt.Fprintf(out,
		"sent again      %d unanswered, %d of them then acknowledged; %d answered, %d with another response\n",
		f.again, f.againDone, f.repeated, len(f.otherwise))
	slow := 0
	for _, d := range f.starts {
		if d > startMost {
			slow++
		}
	}
	fmt.Fprintf(out, "start to health p50 %s  p99 %s  max %s; %d over %v\n",
		millis(quantile(f.starts, .5)), millis(quantile(f.starts, .99)), millis(quantile(f.starts, 1)), slow, startMost)
	if c.Planned {
		fmt.Fprintf(out, "stop to exit    p50 %s  max %s (goal 5 s)\n", millis(quantile(f.stops, .5)),
			millis(quantile(f.stops, 1)))
	}
	fmt.Fprintf(out, "verified        %d halls, the largest file %.1f MiB\n", f.verified, float64(f.largest)/(1<<20))
	if c.Power {
		fmt.Fprintf(out,
			"power cut       %d times with unsynced data, %d of them in the file itself; %d lost some\n",
			f.cuts, f.cutsInFile, f.cutsTaken)
		fmt.Fprintf(out, "sectors lost    %d of %d unsynced in the write-ahead log, %d of %d in the file\n",
			f.loss.LogLost, f.loss.Log, f.loss.FileLost, f.loss.File)
	}
	for _, list := range [][]string{f.lost, f.twice, f.otherwise} {
		for _, fault := range list[:min(len(list), 5)] {
			fmt.Fprintln(out, fault)
		}
	}
}

// broken returns an error if a requirement was not met. A slow start is only printed, because it depends on the
// machine.
func (f *crashFigures) broken() error {
	if n := len(f.lost) + len(f.twice) + len(f.otherwise); n > 0 {
		return fmt.Errorf("crash: %d actions are lost, %d duplicated, %d with another response", len(f.lost),
			len(f.twice), len(f.otherwise))
	}
	if err := sampled("crash: acts that were acknowledged", f.acknowledged+f.confirmed); err != nil {
		return err
	}
	if f.expired > 0 {
		return fmt.Errorf("crash: %d turns have expired", f.expired)
	}
	return nil
}
