package main

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/prepare"
)

// loadCmd is the command meldbench load.
type loadCmd struct {
	Tables  int           `help:"Tables of four with bots that play." default:"100"`
	Idle    int           `help:"Additional tables whose seats never play: their one-second turns expire." default:"10"`
	Seconds int           `help:"Seconds to measure." default:"15"`
	Laying  int           `help:"Percentage of turns that look for tiles to lay; the others draw." default:"100"`
	Think   time.Duration `help:"Average thinking time of a bot." default:"0s"`
	HTTP2   bool          `name:"http2" help:"Players connect over HTTPS and HTTP/2, with 40 tables per connection, so that the limit of open files allows more tables. Without it each player has one connection for its stream and one for its commands; above 2,400 tables, commands share a few connections."`
	Cores   bool          `help:"Let the server use all processors instead of one."`
	Viewers int           `help:"Number of viewers of public pages and boards. Measures three times: without viewers, with them, and without them again. Each time a referee rules, and an organizer draws 400 players and exports. Prints the viewers' delays and cost, and the extra wait of the players."`
	Profile string        `help:"Write the server's CPU profile to this file."`
	Server  string        `help:"Measure a new server that is already running on a loopback address. It needs a format preset named load."`
	Token   string        `help:"The one-time token printed by that server."`
}

// loadTest is a running load test.
type loadTest struct {
	loadCmd
	dir          string
	bench        string         // this program, for the viewers
	server       *client.Server // nil if the server was already running
	log          bytes.Buffer   // output of the started server and the viewers, such as slow requests
	api          *client.Client
	staff        client.Official
	m            *measures
	errs         chan error
	over         chan int64 // games that ended, for the referee
	tournamentID int64      // playing tournament; below, its round and tables
	round        int64
	seated       []int64
	lines        chan *line     // shared by all players' commands; nil: each has its own
	trusts       *tls.Config    // for HTTP/2
	joined       int            // players over HTTP/2 so far
	shared       *client.Client // connection of the players who join next
	run          sync.WaitGroup
}

// Help returns the text of meldbench load --help.
func (loadCmd) Help() string {
	return `Without --server, it builds the server from the current checkout and starts it in its own process.`
}

// Run measures a server under load. It makes this program's garbage collector run rarely, because a collection would
// delay the bots as much as one in the server delays the server.
func (c loadCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	debug.SetGCPercent(1000)
	debug.SetMemoryLimit(6 << 30)
	_, _, err := c.load(ctx, os.Stdout)
	return err
}

// load returns the last measurement and how long it took.
func (c loadCmd) load(ctx context.Context, out io.Writer) (m *measures, took time.Duration, err error) {
	if c.Tables < 1 || c.Idle < 0 || c.Viewers < 0 || c.Seconds < 1 || c.Laying < 0 || c.Laying > 100 {
		return nil, 0,
			errors.New("load: --tables and --seconds must be 1 or more, --idle and --viewers 0, --laying 0 to 100")
	}
	if c.HTTP2 && (c.Server != "" || c.Viewers > 0) {
		return nil, 0, errors.New("load: --http2 cannot be combined with --server or --viewers")
	}
	t := &loadTest{loadCmd: c, m: &measures{refusals: map[string]int{}}, errs: make(chan error, 1),
		over: make(chan int64, 8*c.Tables)}
	if !c.HTTP2 && c.Tables+c.Idle > linesOwn {
		t.lines = sharedLines()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		t.run.Wait()
		err = errors.Join(err, t.close())
	}()
	if err := t.open(ctx); err != nil {
		return nil, 0, err
	}
	if t.staff, err = client.SetUp(ctx, t.api, t.Token, "load", crand.Text()); err != nil {
		return nil, 0, err
	}
	took, err = t.measure(ctx, out)
	return t.m, took, err
}

// open uses the given server, or starts one.
func (t *loadTest) open(ctx context.Context) (err error) {
	if t.Server == "" {
		if err := t.start(ctx); err != nil {
			return err
		}
		t.Server, t.Token = t.server.Base, t.server.Setup
	}
	address, err := url.Parse(t.Server)
	if err != nil {
		return fmt.Errorf("load: server: %w", err)
	}
	if ip := net.ParseIP(address.Hostname()); ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("load: %s is not on the loopback", t.Server)
	}
	t.api = client.New(t.Server, t.transport())
	return nil
}

// referees is the number of referees, who confirm games at once so that tables do not wait.
const referees = 8

// loadFormat is a single long round, so that tables keep playing during the measurement.
const loadFormat = `{"name":"load","version":1,"source":"a load test","stages":[{"name":"preliminary","kind":"preliminary","rounds":1,
"games_per_round":20,"cut":0,"seating":"random","seat_change":"every_round","carry_over":"all"}]}`

// settles returns how long to wait before measuring. First turns wait until all players are ready. The rounds' printed
// sheets are prepared after two seconds, which takes time for each table.
func (t *loadTest) settles() time.Duration {
	return 6*time.Second + time.Duration(t.Tables)*10*time.Millisecond
}

// measure seats all players, lets the tables play, and prints the results. It returns the length of the last
// measurement.
func (t *loadTest) measure(ctx context.Context, out io.Writer) (time.Duration, error) {
	r := report{test: t, emptyMemory: t.memory()}
	playing, idle, err := t.enter(ctx)
	if err != nil {
		return 0, err
	}
	for range referees {
		t.run.Go(func() { t.referee(ctx) })
	}
	if err := t.startAll(ctx, playing, idle); err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "%d tables have begun; measuring starts in %v\n", t.Tables+t.Idle, t.settles())
	if err := t.wait(ctx, t.settles()); err != nil {
		return 0, err
	}
	if t.Viewers == 0 {
		if err = t.window(ctx, out, &r, true); err == nil {
			err = t.rest(ctx, out, &r)
		}
	} else {
		err = t.besideViewers(ctx, out, &r)
	}
	return r.took, err
}

// besideViewers measures three times in one run: with a referee and an organizer, with the viewers too, and without
// them again. That way drifts of the machine's other load affect both.
func (t *loadTest) besideViewers(ctx context.Context, out io.Writer, r *report) error {
	c, err := t.officials(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "Players and officials:")
	if err := t.window(ctx, out, r, false); err != nil {
		return err
	}
	without, before := t.m.forget(), t.memory()
	if err := c.gather(ctx); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nBeside viewers:")
	if err := errors.Join(c.say("begin"), t.window(ctx, out, r, true), c.say("end")); err != nil {
		return err
	}
	with, memory := t.m.forget(), t.memory()-before
	seen, used, err := c.leave()
	if err != nil {
		return err
	}
	c.printViewers(out, seen, used, memory)
	messages := 0
	for _, n := range seen.Messages {
		messages += n
	}
	if err := sampled("load: messages that viewers read", messages); err != nil {
		return err
	}
	if err := t.wait(ctx, crowdSettles); err != nil {
		return err
	}
	t.m.forget()
	fmt.Fprintln(out, "\nPlayers and officials again:")
	if err := t.window(ctx, out, r, false); err != nil {
		return err
	}
	c.printOfficials(out)
	without = without.and(t.m.forget())
	fmt.Fprintf(out,
		"with viewers, answer p50 %.2f, p99 %.2f, update p50 %.2f, p99 %.2f times those without viewers (before "+
			"and after combined) (goal p99 at most 1.10)\n",
		with.times(without, .5, answers), with.times(without, .99, answers), with.times(without, .5, updates),
		with.times(without, .99, updates))
	return nil
}

// window measures for the requested time and prints the results.
func (t *loadTest) window(ctx context.Context, out io.Writer, r *report, last bool) error {
	if !last {
		defer func(file string) { t.Profile = file }(t.Profile)
		t.Profile = ""
	}
	profiled := t.takeProfile(ctx)
	r.begin()
	t.m.run(true)
	if err := t.wait(ctx, time.Duration(t.Seconds)*time.Second); err != nil {
		return err
	}
	t.m.run(false)
	r.end()
	if err := <-profiled; err != nil {
		return err
	}
	r.print(out)
	return t.m.sampled()
}

// Idle use of the server is measured for atRest, starting restsAfter after the last turn.
const (
	atRest     = 10 * time.Second
	restsAfter = 2 * time.Second
)

// rest measures the server's use of processor time while clocks run and players listen, but no one plays. The
// difference to the normal load is the cost of the turns.
func (t *loadTest) rest(ctx context.Context, out io.Writer, r *report) error {
	t.m.resting.Store(true)
	if err := t.wait(ctx, restsAfter); err != nil {
		return err
	}
	before := t.processor()
	if err := t.wait(ctx, atRest); err != nil {
		return err
	}
	r.printRest(out, t.processor()-before)
	return nil
}

// wait waits while the tables play; it returns early if a bot fails.
func (t *loadTest) wait(ctx context.Context, d time.Duration) error {
	select {
	case err := <-t.errs:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// enter creates the tournaments of the playing and of the idle tables, and lets bots take all seats. Each idle table is
// a tournament of its own.
func (t *loadTest) enter(ctx context.Context) (playing, idle []int64, err error) {
	long := max(turnSeconds, int(2*t.Think.Seconds())) // no turn expires
	if playing, err = t.enterEvents(ctx, t.Tables, eventTables, false,
		map[string]any{"preset": "wrc", "turn_seconds": long}); err != nil {
		return nil, nil, err
	}
	idle, err = t.enterEvents(ctx, t.Idle, 1, true, map[string]any{"preset": "wrc", "turn_seconds": 1,
		"start_seconds": 1, "grace_ms": 0, "idle_tiles": 0})
	return playing, idle, err
}

// enterEvents creates tournaments of each tables, the last with fewer, and returns their rounds.
func (t *loadTest) enterEvents(ctx context.Context, tables, each int, idle bool, rules map[string]any) (rounds []int64,
	err error) {
	for ; tables > 0; tables -= each {
		round, err := t.enterEvent(ctx, min(tables, each), idle, rules)
		if err != nil {
			return nil, err
		}
		rounds = append(rounds, round)
	}
	return rounds, nil
}

// startAll starts the rounds of the playing tables, pausing after each as long as its start took. It then starts the
// idle rounds spread over a second, which is the length of their turns. Otherwise their turns would always expire
// together, and the measurement would only see a few worst moments.
func (t *loadTest) startAll(ctx context.Context, playing, idle []int64) error {
	for _, round := range playing {
		began := time.Now()
		if err := t.staff.Start(ctx, round); err != nil {
			return err
		}
		if err := t.wait(ctx, time.Since(began)); err != nil {
			return err
		}
	}
	for _, round := range idle {
		if err := errors.Join(t.staff.Start(ctx, round), t.wait(ctx,
			time.Second/time.Duration(len(idle)))); err != nil {
			return err
		}
	}
	return nil
}

// eventTables is the largest number of tables in one tournament; larger tests use several tournaments.
const eventTables = 250

// enterEvent creates a tournament, seats a round and lets its players join; it returns the round. Viewers watch the
// last tournament that plays.
func (t *loadTest) enterEvent(ctx context.Context, tables int, idle bool, rules map[string]any) (int64, error) {
	event, err := t.staff.Create(ctx, client.NewTournament{Name: "Load", Format: "load", Rules: rules},
		prepare.Roster(4*tables))
	if err != nil {
		return 0, err
	}
	round, err := t.staff.NextRound(ctx, event.ID, 1)
	if err != nil {
		return 0, err
	}
	if !idle {
		t.tournamentID, t.round, t.seated = event.ID, round.ID, nil
	}
	for _, table := range round.Tables {
		if err := t.seat(ctx, table, idle); err != nil {
			return 0, err
		}
		if !idle {
			t.seated = append(t.seated, table.ID)
		}
	}
	return round.ID, nil
}

func (t *loadTest) seat(ctx context.Context, table client.Table, idle bool) error {
	watched := &watchedTable{seats: len(table.Seats)}
	var players []*loadPlayer
	for _, s := range table.Seats {
		api, err := client.Join(ctx, t.next(), s.Code)
		if err != nil {
			return err
		}
		p := &loadPlayer{api: api, table: watched, m: t.m, seat: s.Seat, idle: idle, lines: t.lines,
			http2: t.HTTP2, rng: rand.New(rand.NewPCG(uint64(s.Player.ID), 1)), laying: t.Laying, think: t.Think}
		if s.Seat == 0 {
			p.over = t.over
		}
		players = append(players, p)
	}
	for _, p := range players {
		t.run.Go(func() {
			if err := p.run(ctx); err != nil {
				t.fail(ctx, fmt.Errorf("a bot: %w", err))
			}
		})
	}
	return nil
}

// fail ends the test with an error, unless it has already ended.
func (t *loadTest) fail(ctx context.Context, err error) {
	if err == nil || ctx.Err() != nil {
		return
	}
	select {
	case t.errs <- err:
	default:
	}
}

// referee confirms games as they end, so that the next ones start.
func (t *loadTest) referee(ctx context.Context) {
	for {
		select {
		case game := <-t.over:
			if err := t.staff.Confirm(ctx, game, 1); err != nil {
				t.fail(ctx, err)
				return
			}
			t.m.record(func(m *measures) { m.games++ })
		case <-ctx.Done():
			return
		}
	}
}
