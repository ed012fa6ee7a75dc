package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/prepare"
	"meldhall/tournament/game"
)

// crowd is everybody in a hall besides the players: who looks on, a referee and an organizer.
type crowd struct {
	test    *loadTest
	paired  int64           // the event that the organizer draws
	bytes   [3]atomic.Int64 // that viewers have read, by what they look at
	viewers atomic.Int64    // who are there
	lost    atomic.Int64    // who were sent away

	rulings, draws, exports []time.Duration // by the measures' lock
}

const (
	crowdPlayers = 400             // of the event that is drawn
	crowdPause   = time.Second     // of the referee and of the organizer, between two things
	crowdRuling  = 10              // seconds, that the referee gives a turn
	crowdSettles = 2 * time.Second // until all have their first page
)

// gather brings the crowd, and comes back when all viewers have their streams.
func (t *loadTest) gather(ctx context.Context) (*crowd, error) {
	c := &crowd{test: t}
	event, err := t.staff.Create(ctx, client.NewTournament{Name: "Drawn", Format: "wrc", Rules: map[string]any{"preset": "wrc"}}, prepare.Roster(crowdPlayers))
	if err != nil {
		return nil, err
	}
	c.paired = event.ID
	arrived := make(chan error, t.Viewers)
	doors := make(chan struct{}, 16) // viewers who come in at once
	for i := range t.Viewers {
		t.run.Go(func() {
			doors <- struct{}{}
			what, page := c.page(i)
			stream, err := c.look(ctx, page)
			<-doors
			arrived <- err
			if err != nil {
				return
			}
			c.viewers.Add(1)
			_, _ = io.Copy(&counter{&c.bytes[what]}, stream)
			if ctx.Err() == nil {
				c.lost.Add(1)
			}
		})
	}
	for range t.Viewers {
		if err := <-arrived; err != nil {
			return nil, fmt.Errorf("a viewer: %w", err)
		}
	}
	t.run.Go(func() { t.fail(ctx, c.rule(ctx)) })
	t.run.Go(func() { t.fail(ctx, c.organize(ctx)) })
	return c, t.wait(ctx, crowdSettles)
}

// What viewers look at.
const (
	theStandings = iota
	allTables
	oneTable
)

// page is what the nth viewer looks at: every second one a table, the others the standings or all tables.
func (c *crowd) page(n int) (what int, stream string) {
	at := fmt.Sprintf("/events/%d", c.test.event)
	switch n % 4 {
	case 0:
		return theStandings, at + "/live"
	case 1:
		return allTables, at + "/tables/live"
	}
	return oneTable, fmt.Sprintf("%s/tables/%d/live", at, c.test.seated[n%len(c.test.seated)])
}

// look opens a page's stream as a browser does, over a plain connection, which ends with ctx. What comes is counted as it is, compressed.
func (c *crowd) look(ctx context.Context, page string) (io.Reader, error) {
	address := c.test.api.Base[len("http://"):]
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = conn.Close() })
	if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\nAccept-Encoding: gzip\r\n\r\n", page, address); err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(bufio.NewReaderSize(conn, 2<<10), nil)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", page, answer.Status)
	}
	return answer.Body, nil
}

// counter adds up what is written to it.
type counter struct{ n *atomic.Int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.n.Add(int64(len(b)))
	return len(b), nil
}

// rule gives a turn more time now and then, at a table of a referee's choice.
func (c *crowd) rule(ctx context.Context) error {
	staff := c.test.staff
	for n := 0; client.Sleep(ctx, crowdPause); n++ {
		began := time.Now()
		round, err := staff.Round(ctx, c.test.round)
		if err != nil {
			return err
		}
		at := round.Tables[rand.IntN(len(round.Tables))]
		for _, g := range at.Games {
			if g.Status != game.Running {
				continue
			}
			err := staff.API.Call(ctx, http.MethodPost, fmt.Sprintf("/games/%d/time", g.ID), map[string]any{"seconds": crowdRuling, "key": fmt.Sprintf("ruling-%d", n)}, nil)
			if err != nil && !client.Refused(err) { // a game that is over by now takes no ruling
				return err
			}
		}
		took := time.Since(began)
		c.test.m.record(func(*measures) { c.rulings = append(c.rulings, took) })
	}
	return nil
}

// organize looks at draws of a large field, and exports what there is.
func (c *crowd) organize(ctx context.Context) error {
	staff := c.test.staff
	for n := 1; client.Sleep(ctx, crowdPause); n++ {
		began := time.Now()
		err := staff.API.Call(ctx, http.MethodPost, "/actions/round.seat?preview=true", map[string]any{"tournament": c.paired, "seed": n}, nil)
		if err != nil {
			return err
		}
		took := time.Since(began)
		c.test.m.record(func(*measures) { c.draws = append(c.draws, took) })
		for _, list := range []string{"roster.csv", "seating.csv", "standings.csv", "results.csv"} {
			began := time.Now()
			if err := staff.API.Call(ctx, http.MethodGet, fmt.Sprintf("/tournaments/%d/export/%s", c.test.event, list), nil, nil); err != nil {
				return err
			}
			took := time.Since(began)
			c.test.m.record(func(*measures) { c.exports = append(c.exports, took) })
		}
	}
	return nil
}

// print says what the crowd saw, and how much longer the players waited for it.
func (c *crowd) print(out io.Writer, alone waits) {
	m := c.test.m
	with := m.waits()
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintf(out, "viewers         %d, %d of them sent away; read %d MiB of standings, %d of all tables, %d of single tables\n", c.viewers.Load(), c.lost.Load(),
		c.bytes[theStandings].Load()>>20, c.bytes[allTables].Load()>>20, c.bytes[oneTable].Load()>>20)
	fmt.Fprintf(out, "ruling          p50 %s  max %s (%d, with the round read before)\n", millis(quantile(c.rulings, .5)), millis(quantile(c.rulings, 1)), len(c.rulings))
	fmt.Fprintf(out, "draw of %d     p50 %s  max %s (%d)\n", crowdPlayers, millis(quantile(c.draws, .5)), millis(quantile(c.draws, 1)), len(c.draws))
	fmt.Fprintf(out, "export          p50 %s  max %s (%d)\n", millis(quantile(c.exports, .5)), millis(quantile(c.exports, 1)), len(c.exports))
	fmt.Fprintf(out, "with the crowd  answer p99 %.2f times, update p99 %.2f times what it is without (goal at most 1.10)\n",
		with.answer.Seconds()/alone.answer.Seconds(), with.update.Seconds()/alone.update.Seconds())
}
