package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"time"

	"meldhall/cmd/internal/cputime"
)

// profileAddress is where the measured server serves its profiles.
const profileAddress = "127.0.0.1:16060"

// takeProfile fetches a profile of the server's processor time while the test runs.
func (t *loadTest) takeProfile(ctx context.Context) <-chan error {
	done := make(chan error, 1)
	if t.Profile == "" {
		done <- nil
		return done
	}
	go func() {
		done <- fetch(ctx, fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", profileAddress, t.Seconds),
			t.Profile)
	}()
	return done
}

func fetch(ctx context.Context, url, path string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := io.Copy(f, resp.Body); err != nil {
		return err
	}
	return f.Close()
}

// report holds the results of a load test.
type report struct {
	test                      *loadTest
	emptyMemory, usedMemory   int64
	began                     time.Time
	took, serverTime, ownTime time.Duration
}

func (r *report) begin() {
	r.began, r.serverTime, r.ownTime = time.Now(), r.test.processor(), cputime.Process()
}

func (r *report) end() {
	r.took = time.Since(r.began)
	r.serverTime = r.test.processor() - r.serverTime
	r.ownTime = cputime.Process() - r.ownTime
	r.usedMemory = r.test.memory()
}

func (r *report) print(out io.Writer) {
	t, m := r.test, r.test.m
	m.mu.Lock()
	defer m.mu.Unlock()
	seconds, over := r.took.Seconds(), "HTTP/1.1"
	if t.HTTP2 {
		over = "HTTP/2"
	}
	fmt.Fprintf(out,
		"%d tables of four over %s, %d idle tables; %.0f s; %d of 100 turns look for tiles to lay, think %v\n",
		t.Tables, over, t.Idle, seconds, t.Laying, t.Think)
	fmt.Fprintf(out, "durable turns   %d: %.0f a second (%d of them plays); %d games ended\n", m.turns,
		float64(m.turns)/seconds, m.plays, m.games)
	fmt.Fprintf(out, "answer          p50 %s  p99 %s\n", millis(quantile(m.answers, .5)),
		millis(quantile(m.answers, .99)))
	fmt.Fprintf(out, "update at all 4  p50 %s  p99 %s  (%d)\n", millis(quantile(m.updates, .5)),
		millis(quantile(m.updates, .99)), len(m.updates))
	fmt.Fprintf(out, "expiry late     p50 %s  p99 %s  (%d seen at the seats)\n", millis(quantile(m.expiries, .5)),
		millis(quantile(m.expiries, .99)), len(m.expiries))
	if t.server != nil {
		tables := int64(t.Tables + t.Idle)
		fmt.Fprintf(out,
			"memory          %d KiB per table with its streams (%d MiB empty, %d MiB under load, at most %d MiB "+
				"since the start)\n",
			(r.usedMemory-r.emptyMemory)/tables>>10, r.emptyMemory>>20, r.usedMemory>>20, t.status("VmHWM:")>>20)
		cores := "one processor"
		if t.Cores {
			cores = fmt.Sprintf("%d processors", runtime.NumCPU())
		}
		fmt.Fprintf(out, "processor       server %.0f %% of one (it may use %s), this process %.0f %%\n",
			100*r.serverTime.Seconds()/seconds, cores, 100*r.ownTime.Seconds()/seconds)
		fmt.Fprintf(out, "a turn          %d µs of the server's CPU time\n",
			r.serverTime.Microseconds()/int64(max(1, m.turns)))
	}
	for refusal, n := range m.refusals {
		fmt.Fprintf(out, "refused         %s: %d\n", refusal, n)
	}
}

// printRest prints the measurement at rest.
func (r *report) printRest(out io.Writer, spent time.Duration) {
	if r.test.server == nil {
		return
	}
	own := r.serverTime - time.Duration(float64(spent)*r.took.Seconds()/atRest.Seconds())
	fmt.Fprintf(out,
		"at rest         %.1f ms of the server's CPU time per second without play; marginal cost of a turn %d µs\n",
		1000*spent.Seconds()/atRest.Seconds(), own.Microseconds()/int64(max(1, r.test.m.turns)))
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
