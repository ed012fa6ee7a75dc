package main

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/cluster"
	"meldhall/cmd/internal/prepare"
	"meldhall/engine"
	"meldhall/tournament/store"
)

// turnsCmd is the command meldbench turns.
type turnsCmd struct {
	DB     string        `help:"An empty database on a PostgreSQL server on this machine, one for each number of nodes: %d in its name stands for that number." required:"" placeholder:"postgres://…/turns%d"`
	Nodes  []int         `help:"Numbers of nodes to measure." default:"1,2,4"`
	Tables int           `help:"Tables of four." default:"20"`
	Think  time.Duration `help:"Thinking time per turn." default:"300ms"`
	For    time.Duration `help:"Time to measure." default:"20s"`
	Sticky bool          `help:"Send all requests of a table to one node, like a load balancer with sticky sessions."`
	exe    string        // path of the program
}

// Help returns the text of meldbench turns --help.
func (turnsCmd) Help() string {
	return "Builds the program and plays on one and on several nodes, each request on a random node, with four " +
		"streams per table. Prints the CPU time\n" +
		"of a turn for the nodes, PostgreSQL and NATS, and its number of statements, transactions and hints. The " +
		"cost without play is\n" +
		"printed separately and subtracted. Linux only."
}

// cost is the resources used so far, or between two moments.
type cost struct {
	turns                 int
	nodes, database, nats time.Duration // processor time
	statements, hints     int64
	transactions          int64
}

// less returns the resources used since before.
func (c cost) less(before cost) cost {
	return cost{c.turns - before.turns, c.nodes - before.nodes, c.database - before.database, c.nats - before.nats,
		c.statements - before.statements, c.hints - before.hints, c.transactions - before.transactions}
}

// times scales a cost by n.
func (c cost) times(n float64) cost {
	d := func(d time.Duration) time.Duration { return time.Duration(float64(d) * n) }
	return cost{int(float64(c.turns) * n), d(c.nodes), d(c.database), d(c.nats), int64(float64(c.statements) * n),
		int64(float64(c.hints) * n), int64(float64(c.transactions) * n)}
}

// Run measures and prints a table.
func (c turnsCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return c.report(ctx, os.Stdout)
}

func (c turnsCmd) report(ctx context.Context, out io.Writer) error {
	if len(c.Nodes) == 0 || c.Tables < 1 || c.For <= 0 {
		return errors.New("turns: --nodes, --tables and --for must be above 0")
	}
	dir, err := os.MkdirTemp("", "meldhall-turns-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if c.exe, err = buildProgram(ctx, dir); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d tables, %v a turn, %v\n%5s %8s %22s %10s %8s %6s %12s %13s %6s %18s\n", c.Tables, c.Think,
		c.For,
		"nodes", "turns/s", "µs a turn: programs", "PostgreSQL", "NATS", "all", "statements", "transactions", "hints",
		"at rest ms/s of one")
	for _, nodes := range c.Nodes {
		spent, rest, err := c.measure(ctx, dir, nodes)
		if err != nil {
			return fmt.Errorf("%d nodes: %w", nodes, err)
		}
		if spent.turns == 0 {
			return fmt.Errorf("%d nodes: no turn was played", nodes)
		}
		each := func(d time.Duration) int64 { return (d / time.Duration(spent.turns)).Microseconds() }
		per := func(n int64) float64 { return float64(n) / float64(spent.turns) }
		fmt.Fprintf(out, "%5d %8.0f %22d %10d %8d %6d %12.2f %13.2f %6.2f %18.1f\n", nodes,
			float64(spent.turns)/c.For.Seconds(), each(spent.nodes), each(spent.database), each(spent.nats),
			each(spent.nodes+spent.database+spent.nats), per(spent.statements), per(spent.transactions),
			per(spent.hints), (rest.nodes+rest.database+rest.nats).Seconds()*1000/float64(nodes))
	}
	return nil
}

// measure measures a cluster with the given number of nodes.
func (c turnsCmd) measure(ctx context.Context, dir string, nodes int) (spent, rest cost, err error) {
	nats, err := startNATS(ctx, dir)
	if err != nil {
		return spent, rest, err
	}
	defer nats.stop()
	hints, err := cluster.RelayHints(nats.url)
	if err != nil {
		return spent, rest, err
	}
	defer hints.Close()
	db := strings.ReplaceAll(c.DB, "%d", strconv.Itoa(nodes))
	statements, through, err := cluster.RelayDatabase(db)
	if err != nil {
		return spent, rest, err
	}
	defer statements.Close()
	var log bytes.Buffer
	h, err := cluster.Open(ctx, []string{c.exe}, through, nodes, 1, &log, "--nats", hints.URL())
	if err != nil {
		return spent, rest, fmt.Errorf("%w\n%s", err, log.Bytes())
	}
	defer h.Close()
	s, err := store.Open(db)
	if err != nil {
		return spent, rest, err
	}
	defer s.Close()
	look := func() (now cost, err error) {
		if now, err = costOf(ctx, s); err != nil {
			return now, err
		}
		for _, pid := range h.Pids() {
			now.nodes += processorOf(pid)
		}
		now.nats, now.statements, now.hints = processorOf(nats.cmd.Process.Pid), statements.Asked(), hints.Heard()
		return now, nil
	}
	during := func(long time.Duration) (cost, error) {
		before, err := look()
		if err != nil {
			return cost{}, err
		}
		client.Sleep(ctx, long)
		after, err := look()
		return after.less(before), err
	}
	client.Sleep(ctx, min(5*time.Second, c.For)) // until the leases are distributed
	atRest := min(6*time.Second, c.For)
	if rest, err = during(atRest); err != nil {
		return spent, rest, err
	}
	playing, stop := context.WithCancel(ctx)
	defer stop()
	played, err := c.play(playing, h)
	if err != nil {
		return spent, rest, err
	}
	client.Sleep(ctx, min(12*time.Second, c.For)) // until tables play and each node has rendered the round's sheets
	spent, err = during(c.For)
	stop()
	played.Wait()
	return spent.less(rest.times(c.For.Seconds() / atRest.Seconds())), rest.times(1 / atRest.Seconds()), err
}

// play lets bots play at all tables until ctx ends.
func (c turnsCmd) play(ctx context.Context, h *cluster.House) (*sync.WaitGroup, error) {
	base, setup := h.Setup()
	staff, err := client.SetUp(ctx, client.New(base, h), setup, "turns", crand.Text())
	if err != nil {
		return nil, err
	}
	event, err := staff.Create(ctx, client.NewTournament{Name: "Turns", Format: json.RawMessage(turnsFormat),
		Rules: map[string]any{"preset": "wrc"}}, prepare.Roster(4*c.Tables))
	if err != nil {
		return nil, err
	}
	round, err := staff.NextRound(ctx, event.ID, 1)
	if err != nil {
		return nil, err
	}
	all := &sync.WaitGroup{}
	bases := h.Bases()
	for i, table := range round.Tables {
		api := staff.API
		if c.Sticky {
			api = client.New(bases[i%len(bases)], client.NewTransport())
		}
		for _, s := range table.Seats {
			mine, err := client.Join(ctx, api, s.Code)
			if err != nil {
				return nil, err
			}
			bot := client.NewBot(mine, 3*s.Player.ID) // a novice, the cheapest style
			bot.Think = func() time.Duration { return client.Jittered(c.Think) }
			all.Go(func() { _ = bot.Run(ctx) })
		}
	}
	if err := staff.Start(ctx, round.ID); err != nil {
		return nil, err
	}
	all.Go(func() { _ = staff.RefereeRound(ctx, round.ID, time.Second, nil) })
	return all, nil
}

// turnsFormat is one round that is longer than the measurement.
const turnsFormat = `{"name":"turns","version":1,"source":"a measurement","stages":[{"name":"preliminary","kind":"preliminary","rounds":1,
"games_per_round":20,"cut":0,"seating":"random","seat_change":"every_round","carry_over":"all"}]}`

// costOf reads the turns, the transactions and the processor time of the database.
func costOf(ctx context.Context, db *store.DB) (now cost, err error) {
	kinds := engine.TurnEnds()
	query := `SELECT (SELECT count(*) FROM game_events WHERE kind IN ` + store.Values(1, len(kinds)) +
		`), (SELECT xact_commit + xact_rollback FROM pg_stat_database
			WHERE datname = current_database()), pg_backend_pid()`
	values := make([]any, len(kinds))
	for i, kind := range kinds {
		values[i] = kind
	}
	var pid int
	if err := db.ReadSQL.QueryRowContext(ctx, query, values...).Scan(&now.turns, &now.transactions, &pid); err != nil {
		return now, err
	}
	now.database = processorOfAll(parentOf(pid))
	return now, nil
}
