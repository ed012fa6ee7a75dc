package main

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/cputime"
	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
	"meldhall/tournament/store"
)

// writersCmd is the command meldbench writers.
type writersCmd struct {
	DB      string        `help:"An empty database on a PostgreSQL server." required:"" placeholder:"postgres://…"`
	Tables  []int         `help:"Numbers of tables to measure, one after the other." default:"1000,10000,100000"`
	Writers int           `help:"Number of writing nodes." default:"2"`
	Turn    time.Duration `help:"Average duration of a turn." default:"20s"`
	For     time.Duration `help:"Time to measure each." default:"15s"`
}

// Help returns the text of meldbench writers --help.
func (writersCmd) Help() string {
	return "Writes the turns of many tables to one PostgreSQL database with the log's own writer, from several " +
		"nodes, each turn when it is due. Prints how many\n" +
		"turns are written, how long a turn waits for its commit, and its CPU time. Requests, streams and pages " +
		"are not included."
}

// Run measures and prints a table.
func (c writersCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return c.report(ctx, os.Stdout)
}

func (c writersCmd) report(ctx context.Context, out io.Writer) error {
	if len(c.Tables) == 0 || c.Writers < 1 || c.Turn <= 0 || c.For <= 0 || slices.Min(c.Tables) < 1 {
		return errors.New("writers: --tables, --writers, --turn and --for must be above 0")
	}
	var stores []*store.DB
	for range c.Writers {
		db, err := store.OpenNode(c.DB)
		if err != nil {
			return err
		}
		defer db.Close()
		stores = append(stores, db)
	}
	games, err := manyGames(ctx, stores[0], slices.Max(c.Tables))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "a turn every %v at each table, %d writers, %v each\n%7s %9s %11s %10s %10s %10s %13s %22s %11s\n",
		c.Turn, c.Writers, c.For,
		"tables", "due/s", "written/s", "wait p50", "p99", "at most", "a commit", "µs a turn: programs", "PostgreSQL")
	for _, n := range c.Tables {
		w := &writing{writersCmd: c, games: games[:n]}
		if err := w.run(ctx, stores); err != nil {
			return fmt.Errorf("%d tables: %w", n, err)
		}
		waits := w.waits
		if len(waits) == 0 {
			return fmt.Errorf("%d tables: nothing was written", n)
		}
		slices.Sort(waits)
		at := func(part float64) time.Duration {
			return waits[int(float64(len(waits)-1)*part)].Round(100 * time.Microsecond)
		}
		fmt.Fprintf(out, "%7d %9.0f %11.0f %10v %10v %10v %13.1f %22d %11d\n", n, float64(n)/c.Turn.Seconds(),
			float64(len(waits))/w.took.Seconds(), at(0.5), at(0.99), at(1),
			float64(len(waits))/float64(max(w.commits.Load(), 1)), (w.own / time.Duration(len(waits))).Microseconds(),
			(w.database / time.Duration(len(waits))).Microseconds())
	}
	return nil
}

// playedGame is a game whose turns are written.
type playedGame struct {
	id   int64
	seq  int
	head string      // hash of its last event
	on   atomic.Bool // a turn is being written
}

// writing is the measurement with one number of tables.
type writing struct {
	writersCmd
	games   []*playedGame
	commits atomic.Int64

	mu            sync.Mutex
	waits         []time.Duration
	failed        error
	took          time.Duration
	own, database time.Duration // processor time
}

// run writes each game's turn when it is due. A turn is skipped if the table's previous one is still being written.
func (w *writing) run(ctx context.Context, stores []*store.DB) error {
	var logs []*game.Log
	for _, store := range stores {
		log := game.OpenLog(store)
		log.Committed = func(game.Commit) { w.commits.Add(1) }
		defer log.Close()
		logs = append(logs, log)
	}
	const tick = 5 * time.Millisecond
	begun, err := costOf(ctx, stores[0])
	if err != nil {
		return err
	}
	own, began := cputime.Process(), time.Now()
	var all sync.WaitGroup
	due := 0.0
	order := rand.Perm(len(w.games))
	for next, last := 0, began; time.Since(began) < w.For && client.Sleep(ctx, tick); {
		now := time.Now()
		due += float64(len(w.games)) * now.Sub(last).Seconds() / w.Turn.Seconds()
		for last = now; due >= 1; due-- {
			g := w.games[order[next]]
			log := logs[next%len(logs)]
			if next++; next == len(order) {
				next = 0
			}
			if g.on.CompareAndSwap(false, true) {
				all.Go(func() { w.turn(log, g) })
			}
		}
	}
	all.Wait()
	w.took, w.own = time.Since(began), cputime.Process()-own
	ended, err := costOf(ctx, stores[0])
	w.database = ended.database - begun.database
	return cmp.Or(w.failed, err)
}

// turn writes a turn as a node does: one event, with the key of its command.
func (w *writing) turn(log *game.Log, g *playedGame) {
	defer g.on.Store(false)
	began := time.Now()
	at := engine.Millis(began.UnixMilli())
	event := engine.TileDrawn{Stamp: engine.Stamp{At: at}, Seat: g.seq % 4,
		Tile: tile.List{tile.All()[g.seq%tile.Count]}, Turn: engine.Turn{Number: g.seq + 2, Seat: (g.seq + 1) % 4,
			Started: at, Due: at + 60_000}}
	by := game.By{Actor: "player:" + fmt.Sprint(g.id), Cmd: crand.Text()[:24]}
	err := log.Append(context.Background(), g.id, g.seq, &g.head, []engine.Event{event}, by, nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.failed = cmp.Or(w.failed, err)
		return
	}
	g.seq++
	w.waits = append(w.waits, time.Since(began))
}

// manyGames creates n games, each at its own table.
func manyGames(ctx context.Context, db *store.DB, n int) (games []*playedGame, err error) {
	for _, statement := range []string{
		`INSERT INTO tournaments (id, name, status, format, rules, created_at) VALUES (1, 'Many', 'running', '{}', '{}', 1)`,
		`INSERT INTO rounds (id, tournament_id, number, stage, stage_round, games, status, method, seed, created_at, started_at) VALUES (1, 1, 1, 0, 1, 1, 'running', 'random', 1, 1, 1)`,
		fmt.Sprintf(`INSERT INTO tables (id, tournament_id, round_id, number) SELECT i, 1, 1, i FROM generate_series(1, %d) i`, n),
		fmt.Sprintf(`INSERT INTO games (id, tournament_id, table_id, number, status) SELECT i, 1, i, 1, 'running' FROM generate_series(1, %d) i`, n),
	} {
		if _, err := db.WriteSQL.ExecContext(ctx, statement); err != nil {
			return nil, err
		}
	}
	games = make([]*playedGame, n)
	for i := range games {
		games[i] = &playedGame{id: int64(i + 1)}
	}
	return games, nil
}
