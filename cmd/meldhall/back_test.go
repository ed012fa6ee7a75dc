package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
)

// listener simulates an open page. It reads the page's stream. When the stream ends or the server is unreachable, it
// reconnects after the delay that the server requested, as browsers do. A tablet retries sooner by itself.
type listener struct {
	address, path, token string
	tablet               bool

	mu     sync.Mutex
	retry  time.Duration
	states []time.Time // when the first state of each connection arrived
}

// seekEvery is how often a tablet that has lost the server tries to reconnect (web/assets/js/live.js).
const seekEvery = 600 * time.Millisecond

func (l *listener) run(ctx context.Context) {
	for ctx.Err() == nil {
		_ = l.read(ctx)
		l.mu.Lock()
		wait := l.retry
		l.mu.Unlock()
		if l.tablet {
			wait = min(wait, seekEvery)
		}
		client.Sleep(ctx, wait)
	}
}

func (l *listener) read(ctx context.Context) error {
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", l.address)
	if err != nil {
		return err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { c.Close() })()
	head := ""
	if l.token != "" {
		head = "Authorization: Bearer " + l.token + "\r\n"
	}
	if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\n%s\r\n", l.path, l.address,
		head); err != nil {
		return err
	}
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	for first := true; lines.Scan(); {
		l.mu.Lock()
		if told, ok := strings.CutPrefix(lines.Text(), "retry: "); ok {
			ms, _ := strconv.Atoi(told)
			l.retry = time.Duration(ms) * time.Millisecond
		}
		if first && strings.HasPrefix(lines.Text(), "data: ") {
			first = false
			l.states = append(l.states, time.Now())
		}
		l.mu.Unlock()
	}
	return lines.Err()
}

// since returns how long after moment the listener received a state again, or 0 if it has not.
func (l *listener) since(moment time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, at := range l.states {
		if at.After(moment) {
			return at.Sub(moment)
		}
	}
	return 0
}

// After a restart all clients reconnect on their own. The viewers spread their attempts. The test logs how long it
// takes; the goals are 3 s for players and 15 s for viewers. MELDHALL_CROWD sets the number of viewers.
func TestEverybodyComesBackAfterARestart(t *testing.T) {
	crowd := 150
	if text := os.Getenv("MELDHALL_CROWD"); text != "" {
		var err error
		if crowd, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	db := filepath.Join(t.TempDir(), "event.db")
	server := launch(t, db)
	defer func() { server.Kill() }()
	staff, event, round := firstRound(t, client.New(server.Base, client.NewTransport()), server.Setup, "quick", 20)
	if err := staff.Start(t.Context(), round.ID); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	address := strings.TrimPrefix(server.Base, "http://")
	var players, viewers []*listener
	for _, table := range round.Tables {
		for _, s := range table.Seats {
			mine, err := client.Join(ctx, staff.API, s.Code)
			if err != nil {
				t.Fatal(err)
			}
			players = append(players, &listener{address: address, path: "/api/v1/seat/live", token: mine.Token,
				tablet: true})
		}
	}
	for range crowd {
		viewers = append(viewers, &listener{address: address, path: fmt.Sprintf("/events/%d/live", event.ID)})
	}
	everybody := slices.Concat(players, viewers)
	var all sync.WaitGroup
	for _, l := range everybody {
		all.Go(func() { l.run(ctx) })
	}
	defer all.Wait()
	defer cancel()
	there := func(since time.Time) func() bool {
		return func() bool {
			return !slices.ContainsFunc(everybody, func(l *listener) bool { return l.since(since) == 0 })
		}
	}
	began := time.Now().Add(-time.Second)
	await(t, there(began))
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	gone := time.Now()
	server = launch(t, db, "--listen", address)
	ready := time.Since(gone) // some may have reconnected by then
	await(t, there(gone))
	sorted := func(of []*listener) (took []time.Duration) {
		for _, l := range of {
			took = append(took, max(l.since(gone)-ready, 0).Round(time.Millisecond))
		}
		slices.Sort(took)
		return took
	}
	for who, took := range map[string][]time.Duration{"players": sorted(players), "viewers": sorted(viewers)} {
		t.Logf("%d %s are back after p50 %v, max %v", len(took), who, took[len(took)/2], took[len(took)-1])
	}
}
