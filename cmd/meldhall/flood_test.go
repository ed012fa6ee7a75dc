package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/engine"
	"meldhall/tournament/store"
)

// hallAddress is the public address shared by all tablets of a hall.
const hallAddress = "203.0.113.9"

// fromTheHall sends a tablet's requests from the hall's shared address. It counts those rejected as too many, and
// records how long commands take.
type fromTheHall struct {
	way     http.RoundTripper
	refused atomic.Int64
	mu      sync.Mutex
	took    []time.Duration
}

// RoundTrip sends a request from the hall's address.
func (f *fromTheHall) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Forwarded-For", hallAddress)
	began := time.Now()
	answer, err := f.way.RoundTrip(r)
	if err == nil && answer.StatusCode == http.StatusTooManyRequests {
		f.refused.Add(1)
	}
	if err == nil && r.Method == http.MethodPost {
		f.mu.Lock()
		f.took = append(f.took, time.Since(began))
		f.mu.Unlock()
	}
	return answer, err
}

// TestFloodBesideAGame sends requests without an account as fast as the server answers, from the address that all
// tablets share. The flood is rejected, while no player's request is, and no turn expires.
func TestFloodBesideAGame(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	db := filepath.Join(t.TempDir(), "event.db")
	server := launch(t, db, "--proxy", "127.0.0.1/32", "--presets", presetFolder(t, "restarts", restartsFormat))
	defer func() { server.Kill() }()
	hall := &fromTheHall{way: client.NewTransport()}
	staff, _, round := firstRound(t, client.New(server.Base, hall), server.Setup, "restarts", 8)
	if err := staff.Start(ctx, round.ID); err != nil {
		t.Fatal(err)
	}
	acks := &acknowledged{moves: map[[2]int64]string{}}
	var playing sync.WaitGroup
	plays, stop := context.WithCancel(ctx)
	bots, err := round.Bots(ctx, staff.API)
	if err != nil {
		t.Fatal(err)
	}
	for _, bot := range bots {
		bot.Told = acks.told
		playing.Go(func() { _ = bot.Run(plays) })
	}
	await(t, func() bool { return acks.count() > 8 })
	answered, refused := flood(ctx, t, server.Base, func() bool { return acks.count() > 30 })
	if refused == 0 || hall.refused.Load() > 0 {
		t.Errorf("of the flood %d were answered and %d refused, of the players' %d; want some, and none", answered,
			refused, hall.refused.Load())
	}
	stop()
	playing.Wait()
	slices.Sort(hall.took)
	t.Logf("%d requests of the flood answered, %d refused; %d moves beside it, refused 0; answer p50 %v, p99 %v",
		answered, refused, acks.count(),
		hall.took[len(hall.took)/2].Round(time.Millisecond), hall.took[len(hall.took)*99/100].Round(time.Millisecond))
	server.Kill()
	st, err := store.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	var expired int
	err = st.ReadSQL.QueryRowContext(ctx, `SELECT count(*) FROM game_events WHERE kind = $1`,
		engine.TurnExpired{}.Kind()).Scan(&expired)
	if err != nil || expired > 0 {
		t.Errorf("%d turns have run out, %v", expired, err)
	}
}

// flood sends many requests at a time on each of a few connections, until some were rejected and enough returns true.
// It returns how many were answered and how many were rejected.
func flood(ctx context.Context, t *testing.T, base string, enough func() bool) (answered, refused int64) {
	t.Helper()
	const together = 100
	address := strings.TrimPrefix(base, "http://")
	asks := strings.Repeat(fmt.Sprintf("GET /api/v1/games/0 HTTP/1.1\r\nHost: %s\r\nX-Forwarded-For: %s\r\n\r\n",
		address, hallAddress), together)
	var said [2]atomic.Int64
	var all sync.WaitGroup
	for range 4 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			defer c.Close()
			answers := bufio.NewReader(c)
			for ctx.Err() == nil && (said[1].Load() == 0 || !enough()) {
				if _, err := c.Write([]byte(asks)); err != nil {
					t.Error(err)
					return
				}
				for range together {
					answer, err := http.ReadResponse(answers, nil)
					if err == nil {
						_, err = io.Copy(io.Discard, answer.Body)
					}
					if err != nil {
						t.Error(err)
						return
					}
					if answer.StatusCode == http.StatusTooManyRequests {
						said[1].Add(1)
					} else {
						said[0].Add(1)
					}
				}
			}
		})
	}
	all.Wait()
	return said[0].Load(), said[1].Load()
}
