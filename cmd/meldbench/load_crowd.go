package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/prepare"
	"meldhall/tournament/game"
)

// crowd is everyone in a hall besides the players: a referee, an organizer and viewers.
type crowd struct {
	test   *loadTest
	paired int64 // the tournament whose rounds the organizer draws

	viewers *exec.Cmd // a separate process
	tell    io.WriteCloser
	told    *bufio.Reader

	rulings, draws, exports []time.Duration // guarded by the measures' lock
}

const (
	crowdPlayers = 400             // of the tournament that is drawn
	crowdPause   = time.Second     // of the referee and of the organizer, between two actions
	crowdRuling  = 10              // seconds that the referee adds to a turn
	crowdSettles = 3 * time.Second // until all viewers have their first page
	turnSeconds  = 60              // of the playing tables
)

// officials starts a referee who makes rulings and an organizer who draws and exports, until ctx ends.
func (t *loadTest) officials(ctx context.Context) (*crowd, error) {
	c := &crowd{test: t}
	event, err := t.staff.Create(ctx, client.NewTournament{Name: "Drawn", Format: "wrc",
		Rules: map[string]any{"preset": "wrc"}}, prepare.Roster(crowdPlayers))
	if err != nil {
		return nil, err
	}
	c.paired = event.ID
	t.run.Go(func() { t.fail(ctx, c.rule(ctx)) })
	t.run.Go(func() { t.fail(ctx, c.organize(ctx)) })
	return c, t.wait(ctx, crowdSettles)
}

// gather starts the viewers and returns when all have their streams. They run at low priority, if nice is installed,
// because they would run on other machines in practice.
func (c *crowd) gather(ctx context.Context) error {
	t := c.test
	if t.bench == "" {
		exe, err := os.Executable()
		if err != nil {
			return err
		}
		t.bench = exe
	}
	args := []string{t.bench, "viewers", "--server", t.Server, "--event", strconv.FormatInt(t.tournamentID, 10),
		"--count", strconv.Itoa(t.Viewers),
		"--turn", (turnSeconds * time.Second).String()}
	var tables []string
	for _, id := range t.seated {
		tables = append(tables, strconv.FormatInt(id, 10))
	}
	args = append(args, "--tables", strings.Join(tables, ","))
	if nice, err := exec.LookPath("nice"); err == nil {
		args = append([]string{nice, "-n", "10"}, args...)
	}
	c.viewers = exec.CommandContext(ctx, args[0], args[1:]...)
	c.viewers.Stderr = &t.log
	var err error
	if c.tell, err = c.viewers.StdinPipe(); err != nil {
		return err
	}
	out, err := c.viewers.StdoutPipe()
	if err != nil {
		return err
	}
	c.told = bufio.NewReader(out)
	if err := c.viewers.Start(); err != nil {
		return err
	}
	if _, err := c.told.ReadString('\n'); err != nil {
		return fmt.Errorf("start the viewers: %w\n%s", errors.Join(err, c.viewers.Wait()), t.log.Bytes())
	}
	return t.wait(ctx, crowdSettles)
}

// say tells the viewers to begin or to end their measurement.
func (c *crowd) say(word string) error {
	_, err := io.WriteString(c.tell, word+"\n")
	return err
}

// leave waits for the viewers to exit and returns their results and processor time.
func (c *crowd) leave() (seen seenBy, used time.Duration, err error) {
	err = json.NewDecoder(c.told).Decode(&seen)
	if err = errors.Join(err, c.viewers.Wait()); err != nil {
		return seen, 0, fmt.Errorf("the viewers: %w", err)
	}
	return seen, c.viewers.ProcessState.UserTime() + c.viewers.ProcessState.SystemTime(), nil
}

// rule regularly gives extra time at a random table.
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
			err := staff.API.Call(ctx, http.MethodPost, fmt.Sprintf("/games/%d/time", g.ID),
				map[string]any{"seconds": crowdRuling, "key": fmt.Sprintf("ruling-%d", n)}, nil)
			if err != nil && !client.Refused(err) { // a game that has ended rejects rulings
				return err
			}
		}
		took := time.Since(began)
		c.test.m.record(func(*measures) { c.rulings = append(c.rulings, took) })
	}
	return nil
}

// organize repeatedly previews the draw of a large field, and exports the lists.
func (c *crowd) organize(ctx context.Context) error {
	staff := c.test.staff
	for n := 1; client.Sleep(ctx, crowdPause); n++ {
		began := time.Now()
		err := staff.API.Call(ctx, http.MethodPost, "/actions/round.seat?preview=true",
			map[string]any{"tournament": c.paired, "seed": n}, nil)
		if err != nil {
			return err
		}
		took := time.Since(began)
		c.test.m.record(func(*measures) { c.draws = append(c.draws, took) })
		for _, list := range []string{"roster.csv", "seating.csv", "standings.csv", "results.csv"} {
			began := time.Now()
			if err := staff.API.Call(ctx, http.MethodGet, fmt.Sprintf("/tournaments/%d/export/%s", c.test.tournamentID,
				list), nil, nil); err != nil {
				return err
			}
			took := time.Since(began)
			c.test.m.record(func(*measures) { c.exports = append(c.exports, took) })
		}
	}
	return nil
}

// printViewers prints what the viewers measured, and what they cost.
func (c *crowd) printViewers(out io.Writer, seen seenBy, used time.Duration, memory int64) {
	fmt.Fprintf(out,
		"viewers         %d, %d of them rejected; %d parse messages like a browser, the others count them; their "+
			"process used %.1f s of CPU time\n",
		seen.There, seen.Lost, seen.Sampled, used.Seconds())
	for i, what := range looksAt {
		fmt.Fprintf(out, "  %-13s a new state p50 %s  p95 %s  max %s (%d, in %d messages); %d MiB read\n", what,
			millis(seen.P50[i]), millis(seen.P95[i]), millis(seen.Most[i]),
			seen.States[i], seen.Messages[i], seen.Bytes[i]>>20)
	}
	fmt.Fprintf(out, "  all           a new state p50 %s  p95 %s (goal p95 at most 300 ms)\n", millis(seen.AllP50),
		millis(seen.AllP95))
	if memory > 0 {
		fmt.Fprintf(out,
			"  memory        %.1f KiB per viewer: total growth of the server (goal at most 8)\n",
			float64(memory)/1024/float64(max(1, seen.There)))
	}
}

// printOfficials prints the officials' response times.
func (c *crowd) printOfficials(out io.Writer) {
	m := c.test.m
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintf(out, "ruling          p50 %s  max %s (%d, including reading the round)\n",
		millis(quantile(c.rulings, .5)), millis(quantile(c.rulings, 1)), len(c.rulings))
	fmt.Fprintf(out, "draw of %d     p50 %s  max %s (%d)\n", crowdPlayers, millis(quantile(c.draws, .5)),
		millis(quantile(c.draws, 1)), len(c.draws))
	fmt.Fprintf(out, "export          p50 %s  max %s (%d)\n", millis(quantile(c.exports, .5)),
		millis(quantile(c.exports, 1)), len(c.exports))
}
