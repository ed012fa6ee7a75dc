package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"sync/atomic"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/cluster"
	"meldhall/cmd/internal/linear"
	"meldhall/cmd/internal/secrecy"
	"meldhall/tournament/store/ownserver"
)

// nodesCmd is the command meldbench nodes.
type nodesCmd struct {
	DB     string        `help:"An empty database on a PostgreSQL server. By default a server is started and removed after the run." placeholder:"postgres://…"`
	NATS   string        `help:"A NATS server. By default one is started." name:"nats" placeholder:"nats://…"`
	Nodes  int           `help:"Number of nodes." default:"3"`
	Rounds int           `help:"Rounds, each in its own event, played one after the other." default:"1000"`
	Tables int           `help:"Tables of four per round, each with one game." default:"1"`
	Kills  int           `help:"Nodes killed per round, each after a random number of moves." default:"1"`
	Away   int           `help:"In one round out of this many, the PostgreSQL server started here is killed and restarted, and in another one NATS is stopped for 3 s; 0: never." default:"10"`
	Late   time.Duration `help:"Time to measure the delay of updates with NATS, on a bad network and without NATS; 0: do not measure." default:"60s"`
	Hints  uint64        `help:"Of 1,000 hints, how many are lost, duplicated and delayed." default:"20"`
	Cuts   uint64        `help:"Of 1,000 commits, how many are cut off before they reach PostgreSQL, or before its response arrives. The database address must not require encryption." default:"2"`
	Seed   uint64        `help:"The seed for choosing killed nodes and the nodes of requests." default:"1"`
	Beside string        `help:"Build every second node from this commit, to test that both versions work together." placeholder:"COMMIT"`
	Fault  string        `help:"Build the program with this fault, to test that the run finds it: ${faults}." placeholder:"NAME"`
}

// logMost is how many bytes of the nodes' log are printed after a failed round.
const logMost = 4000

// Help returns the text of meldbench nodes --help.
func (nodesCmd) Help() string {
	return "Builds the program, starts several nodes on one database, and plays rounds over HTTP. Each request " +
		"goes to a random node,\n" +
		"some commands are sent twice, and two devices play some turns at once. Nodes are killed and restarted, " +
		"hints lost, duplicated and delayed,\n" +
		"commits cut, PostgreSQL killed and NATS stopped. After each round, the logs must contain each " +
		"acknowledged command once; no turn may have expired;\n" +
		"each game's calls must be a history of one log; no response may contain a tile hidden from its recipient. " +
		"At the end all logs must verify."
}

// nodesRun is the state of a run.
type nodesRun struct {
	nodesCmd
	server *ownserver.Server // nil if the database was given
	house  *cluster.House
	base   string
	exes   []string // used by the nodes in turn
	staff  client.Official
	log    bytes.Buffer
	rng    *rand.Rand

	hints   *cluster.Hints
	commits *cluster.Commits
	calls   *linear.Recorder
	heard   secrecy.Eavesdropper
	moved   atomic.Int64 // acknowledged moves of this round

	acknowledged, games, turns, outages, views, bodies int
	restarts, away                                     int // of PostgreSQL, of NATS
	figures                                            linear.Figures
}

// Run plays the rounds and prints a report.
func (c nodesCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return c.report(ctx, os.Stdout)
}

func (c nodesCmd) report(ctx context.Context, out io.Writer) (err error) {
	if c.Nodes < 1 || c.Rounds < 1 || c.Tables < 1 || c.Kills < 0 || c.Away < 0 {
		return errors.New("nodes: --nodes, --rounds and --tables must be above 0, --kills and --away 0 or more")
	}
	dir, err := os.MkdirTemp("", "meldhall-nodes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r := &nodesRun{nodesCmd: c, rng: rand.New(rand.NewPCG(c.Seed, 20))}
	if err := r.build(ctx, dir); err != nil {
		return err
	}
	if r.DB == "" {
		if r.server, err = ownserver.Start(ownserver.Kept...); err != nil {
			return err
		}
		defer func() { r.server.Close() }()
		r.DB = r.server.Address("postgres")
	}
	if r.NATS == "" {
		nats, err := startNATS(ctx, dir)
		if err != nil {
			return err
		}
		defer nats.stop()
		r.NATS = nats.url
	}
	if err := r.open(ctx); err != nil {
		return fmt.Errorf("%w\n%s", err, r.log.Bytes())
	}
	defer r.close()
	if err := r.measureLate(ctx, out); err != nil {
		return err
	}
	began := time.Now()
	played, err := r.playAll(ctx)
	r.print(out, played, time.Since(began), err == nil)
	if err != nil {
		said := r.log.Bytes()
		return fmt.Errorf("%w\nlast output of the nodes:\n%s", err, said[max(0, len(said)-logMost):])
	}
	if err := r.house.Stop(); err != nil {
		return fmt.Errorf("stop the nodes: %w\n%s", err, r.log.Bytes())
	}
	if said, err := exec.CommandContext(context.WithoutCancel(ctx), r.exes[0], "verify", "--all", "--db",
		r.DB).CombinedOutput(); err != nil {
		return fmt.Errorf("verify: %w\n%s", err, said)
	}
	return nil
}

// build builds the nodes' executables.
func (r *nodesRun) build(ctx context.Context, dir string) (err error) {
	var flags []string
	if r.Fault != "" {
		overlay, err := faultyProgram(ctx, dir, r.Fault)
		if err != nil {
			return err
		}
		flags = []string{"-overlay", overlay}
	}
	exe, err := buildProgram(ctx, dir, flags...)
	if err != nil {
		return err
	}
	r.exes = []string{exe}
	if r.Beside != "" {
		older, err := buildAt(ctx, dir, r.Beside)
		if err != nil {
			return err
		}
		r.exes = append(r.exes, older)
	}
	return nil
}

// playAll plays the rounds, or until ctx ends, and returns how many it played.
func (r *nodesRun) playAll(ctx context.Context) (played int, err error) {
	r.hints.Disturb(r.Hints, r.Hints, r.Hints)
	r.commits.Disturb(r.Cuts)
	defer r.hints.Disturb(0, 0, 0)
	defer r.commits.Disturb(0)
	for ; played < r.Rounds; played++ {
		if err := r.play(ctx, played+1); ctx.Err() != nil {
			return played, nil
		} else if err != nil {
			return played, fmt.Errorf("round %d: %w", played+1, err)
		}
	}
	return played, nil
}

// print reports the games, the injected failures, the checks and, if held is true, that all
// requirements were met.
func (r *nodesRun) print(out io.Writer, played int, took time.Duration, held bool) {
	law := func(said string) string {
		if held {
			return said
		}
		return ""
	}
	kills, unanswered := r.house.Figures()
	lost, doubled, late := r.hints.Disturbed()
	before, after := r.commits.Disturbed()
	fmt.Fprintf(out, "rounds          %d in %v, %d games, %d turns; seed %d\n", played, took.Round(time.Second),
		r.games, r.turns, r.Seed)
	fmt.Fprintf(out, "nodes           %d, killed %d times; PostgreSQL killed %d times, NATS stopped %d times\n",
		r.Nodes, kills, r.restarts, r.away)
	fmt.Fprintf(out, "hints           %d lost, %d duplicated, %d delayed\n", lost, doubled, late)
	fmt.Fprintf(out, "commits cut     %d before they reached PostgreSQL, %d before its response arrived\n",
		before, after)
	fmt.Fprintf(out, "acknowledged    %d commands%s; %d requests without a response\n", r.acknowledged,
		law(", none lost, none duplicated"), unanswered)
	fmt.Fprintf(out, "histories       %v\n", r.figures)
	fmt.Fprintf(out, "bodies          %d, %d of them with a view of a game%s\n", r.bodies, r.views,
		law("; none with a hidden tile"))
	fmt.Fprintf(out, "clocks stopped  %d times%s\n", r.outages, law(", none expired"))
	if taken := r.house.TakenOver(); len(taken) > 0 {
		fmt.Fprintf(out, "taken over      %d times, after %v (median), at most %v\n", len(taken),
			taken[len(taken)/2].Round(10*time.Millisecond), taken[len(taken)-1].Round(10*time.Millisecond))
	}
}
