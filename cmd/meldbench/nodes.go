package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/history"
	"meldhall/cmd/internal/house"
	"meldhall/cmd/internal/prepare"
	"meldhall/engine"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
)

// nodesCmd is meldbench nodes.
type nodesCmd struct {
	DB     string        `help:"An empty database of a PostgreSQL server." required:"" placeholder:"postgres://…"`
	NATS   string        `help:"A NATS server; without, one is started." name:"nats" placeholder:"nats://…"`
	Nodes  int           `help:"Programs that serve it together." default:"3"`
	Rounds int           `help:"Events of one round, played one after the other." default:"1000"`
	Tables int           `help:"Tables of four of an event, each with one game." default:"3"`
	Kill   time.Duration `help:"A node is killed about every so long; 0: none." default:"3s"`
	Late   time.Duration `help:"How late others see what happens is measured for so long with NATS, on a bad network and without NATS; 0: not." default:"60s"`
	Hints  uint64        `help:"So many hints of a thousand are lost, doubled and late." default:"20"`
	Cuts   uint64        `help:"So many commits of a thousand are cut before PostgreSQL is told, or before it is heard. Its address must not ask for encryption." default:"2"`
	Seed   uint64        `help:"Which nodes are killed, and where requests go." default:"1"`
	Beside string        `help:"A commit whose program serves as every second node, to see that both go together." placeholder:"COMMIT"`
	exe    string        // the program; "": it is built
}

// Help is shown by meldbench nodes --help.
func (nodesCmd) Help() string {
	return "Builds the program, starts several of it on one database, and has events played at them over HTTP, every request at a node by chance,\n" +
		"while nodes are killed and started again, hints lost, doubled and late, and commits cut. What was acknowledged must be in the logs, once; no turn may\n" +
		"have expired; each game's calls must be a history of one log; all logs verify."
}

// nodesRun is what a run knows.
type nodesRun struct {
	nodesCmd
	house *house.House
	exes  []string // of the nodes in turn
	staff client.Official
	log   bytes.Buffer

	hints   *house.Hints
	commits *house.Commits
	calls   *history.Recorder

	mu    sync.Mutex
	moves map[[2]int64]string // that were acknowledged, by game and seq

	acknowledged, games, turns, outages int
}

// prepareTries is how often an event is prepared while nothing can be saved.
const prepareTries = 20

// nodesFormat is one round of one game.
const nodesFormat = `{"name":"nodes","version":1,"source":"a test","stages":[{"name":"preliminary","kind":"preliminary","rounds":1,
"games_per_round":1,"cut":0,"seating":"random","seat_change":"every_round","carry_over":"all"}]}`

// Run plays and reports.
func (c nodesCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return c.report(ctx, os.Stdout)
}

func (c nodesCmd) report(ctx context.Context, out io.Writer) (err error) {
	if c.Nodes < 1 || c.Rounds < 1 || c.Tables < 1 {
		return errors.New("nodes: --nodes, --rounds and --tables must be more than none")
	}
	dir, err := os.MkdirTemp("", "meldhall-nodes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if c.exe == "" {
		if c.exe, err = buildProgram(ctx, dir); err != nil {
			return err
		}
	}
	if c.NATS == "" {
		nats, err := startNATS(ctx, dir)
		if err != nil {
			return err
		}
		defer nats.stop()
		c.NATS = nats.url
	}
	r := &nodesRun{nodesCmd: c, exes: []string{c.exe}, moves: map[[2]int64]string{}}
	if c.Beside != "" {
		older, err := buildAt(ctx, dir, c.Beside)
		if err != nil {
			return err
		}
		r.exes = append(r.exes, older)
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
	kills, unanswered := r.house.Figures()
	fmt.Fprintf(out, "nodes           %d, killed %d times\nevents          %d in %v\ngames           %d, %d turns\nacknowledged    %d moves, all of them there once\n"+
		"no answer       %d requests\nclocks stopped  %d times, none ran out\n", c.Nodes, kills, played, time.Since(began).Round(time.Second), r.games, r.turns, r.acknowledged, unanswered, r.outages)
	if err == nil {
		err = r.reportCalls(out)
	}
	if err != nil {
		return err
	}
	if err := r.house.Stop(); err != nil {
		return fmt.Errorf("stop the nodes: %w\n%s", err, r.log.Bytes())
	}
	if said, err := exec.CommandContext(ctx, c.exe, "verify", "--all", "--db", c.DB).CombinedOutput(); err != nil {
		return fmt.Errorf("verify: %w\n%s", err, said)
	}
	return nil
}

// playAll plays the events while nodes are killed, and gives how many were played.
func (r *nodesRun) playAll(ctx context.Context) (played int, err error) {
	harassing, calm := context.WithCancel(ctx)
	r.hints.Disturb(r.Hints, r.Hints, r.Hints)
	r.commits.Disturb(r.Cuts)
	defer r.hints.Disturb(0, 0, 0)
	defer r.commits.Disturb(0)
	harassed := make(chan error, 1)
	go func() {
		if r.Kill == 0 {
			harassed <- nil
			return
		}
		harassed <- r.house.Harass(harassing, r.Kill)
	}()
	for ; played < r.Rounds && err == nil; played++ {
		if err = r.play(ctx); err != nil {
			err = fmt.Errorf("event %d: %w", played+1, err)
		}
	}
	calm()
	return played, errors.Join(err, <-harassed)
}

// play plays one event, and holds its logs against what was acknowledged.
func (r *nodesRun) play(ctx context.Context) error {
	var round client.Round
	var players []*client.Bot
	var err error
	for range prepareTries {
		r.house.Steady.RLock() // who prepares an event would try again
		round, players, err = r.prepare(ctx)
		r.house.Steady.RUnlock()
		if !client.Refused(err, "err_storage") { // the database is away, or its disk is slow: another event is made
			break
		}
		client.Sleep(ctx, time.Second)
	}
	if err != nil {
		return err
	}
	playing, over := context.WithCancel(ctx)
	var all sync.WaitGroup
	for _, bot := range players {
		all.Go(func() { _ = bot.Run(playing) })
	}
	all.Go(func() { r.resume(playing, round.ID) })
	for {
		err = r.staff.RefereeRound(ctx, round.ID, 50*time.Millisecond, nil)
		if err == nil || client.Refused(err) && !client.Refused(err, "err_storage") || ctx.Err() != nil {
			break
		}
		client.Sleep(ctx, 100*time.Millisecond)
	}
	over()
	all.Wait()
	if err != nil {
		return err
	}
	return r.check(ctx, round)
}

func (r *nodesRun) prepare(ctx context.Context) (round client.Round, players []*client.Bot, err error) {
	event, err := r.staff.Create(ctx, client.NewTournament{Name: "Nodes", Format: json.RawMessage(nodesFormat), Rules: map[string]any{"preset": "wrc"}}, prepare.Roster(4*r.Tables))
	if err != nil {
		return round, nil, err
	}
	if round, err = r.staff.NextRound(ctx, event.ID, 1); err != nil {
		return round, nil, err
	}
	for _, table := range round.Tables {
		for _, s := range table.Seats {
			mine, err := client.Join(ctx, r.staff.API, s.Code)
			if err != nil {
				return round, nil, err
			}
			bot := client.NewBot(mine, s.Player.ID)
			bot.Told = r.told
			players = append(players, bot)
		}
	}
	return round, players, r.staff.Start(ctx, round.ID)
}

func (r *nodesRun) told(of int64, _ string, answer client.Answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.moves[[2]int64{of, int64(answer.Seq)}] = answer.Outcome
}

// resume has clocks run on that stand because a node died: nobody here needs the countdown.
func (r *nodesRun) resume(ctx context.Context, round int64) {
	for client.Sleep(ctx, 300*time.Millisecond) {
		at, err := r.staff.Round(ctx, round)
		if err != nil {
			continue
		}
		for _, table := range at.Tables {
			for _, g := range table.Games {
				var p client.Place
				if g.Status != game.Running || r.staff.API.Call(ctx, http.MethodGet, fmt.Sprintf("/games/%d", g.ID), nil, &p) != nil || p.View == nil || p.View.Paused == nil {
					continue
				}
				_ = r.staff.API.Call(ctx, http.MethodPost, fmt.Sprintf("/games/%d/resume", g.ID), map[string]any{"key": fmt.Sprintf("resume-%d-%d", g.ID, p.View.Seq)}, nil)
			}
		}
	}
}

// check holds the logs of a round against what was acknowledged.
func (r *nodesRun) check(ctx context.Context, round client.Round) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var faults []error
	for _, table := range round.Tables {
		for _, g := range table.Games {
			var log export.Game
			if err := r.staff.API.Call(ctx, http.MethodGet, fmt.Sprintf("/games/%d/export", g.ID), nil, &log); err != nil {
				return err
			}
			if _, err := export.Verify(log); err != nil {
				faults = append(faults, fmt.Errorf("game %d: %w", g.ID, err))
			}
			r.games++
			for i, e := range log.Events {
				if outcome, told := r.moves[[2]int64{g.ID, int64(i + 1)}]; told {
					if delete(r.moves, [2]int64{g.ID, int64(i + 1)}); outcome != e.Kind {
						faults = append(faults, fmt.Errorf("game %d, seq %d: %s was acknowledged and is %s", g.ID, i+1, outcome, e.Kind))
					}
					r.acknowledged++
				}
				switch e.Kind {
				case (engine.TilesPlayed{}).Kind(), (engine.TileDrawn{}).Kind(), (engine.TurnPassed{}).Kind():
					r.turns++
				case (engine.TurnExpired{}).Kind():
					faults = append(faults, fmt.Errorf("game %d, seq %d: a turn expired", g.ID, i+1))
				case (engine.GamePaused{}).Kind():
					r.outages++
				}
			}
		}
	}
	for move, outcome := range r.moves {
		faults = append(faults, fmt.Errorf("game %d, seq %d: %s was acknowledged and is not there", move[0], move[1], outcome))
	}
	return errors.Join(faults...)
}
