package main

import (
	"context"
	crand "crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/cluster"
	"meldhall/cmd/internal/linear"
	"meldhall/cmd/internal/prepare"
	"meldhall/cmd/internal/secrecy"
	"meldhall/engine"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
)

const (
	prepareTries = 20               // to create a tournament while nothing can be saved
	roundMost    = 90 * time.Second // a round that takes longer counts as stuck
	troubleAfter = 20               // most moves before the next failure
	awayFor      = 3 * time.Second  // NATS outage
	startTries   = 3                // starts of a killed node
)

// nodesFormat is one round of one game.
const nodesFormat = `{"name":"nodes","version":1,"source":"a test","stages":[{"name":"preliminary","kind":"preliminary","rounds":1,
"games_per_round":1,"cut":0,"seating":"random","seat_change":"every_round","carry_over":"all"}]}`

// open starts the nodes, behind proxies that can disturb the network, and creates the first organizer.
func (r *nodesRun) open(ctx context.Context) (err error) {
	if r.hints, err = cluster.RelayHints(r.NATS); err != nil {
		return err
	}
	var db string
	if r.commits, db, err = cluster.RelayDatabase(r.DB); err != nil {
		return err
	}
	if r.house, err = cluster.Open(ctx, r.exes, db, r.Nodes, r.Seed, &r.log, "--nats", r.hints.URL()); err != nil {
		return err
	}
	r.calls = linear.New(r.house, 0.1, r.Seed)
	r.calls.Races = 0.1
	if err := r.house.WatchLeases(); err != nil {
		return err
	}
	var setup string
	r.base, setup = r.house.Setup()
	r.staff, err = client.SetUp(ctx, r.api(secrecy.Viewer{Kind: secrecy.Staff}), setup, "nodes", crand.Text())
	return err
}

func (r *nodesRun) close() {
	r.house.Close()
	r.hints.Close()
	r.commits.Close()
}

// api returns a client whose responses are all recorded.
func (r *nodesRun) api(viewer secrecy.Viewer) *client.Client {
	c := client.New(r.base, r.calls)
	c.Seen = r.heard.As(viewer)
	return c
}

// play plays a round, and checks its logs, calls and responses.
func (r *nodesRun) play(ctx context.Context, n int) error {
	var round client.Round
	var players []*client.Bot
	var err error
	for range prepareTries {
		// after a slow disk or an interrupted commit, create another tournament
		if round, players, err = r.prepare(ctx); !client.Refused(err, "err_storage") {
			break
		}
		client.Sleep(ctx, time.Second)
	}
	if err != nil {
		return err
	}
	playing, over := context.WithTimeout(ctx, roundMost)
	defer over()
	var all sync.WaitGroup
	gaveUp := make(chan error, len(players))
	for _, bot := range players {
		all.Go(func() {
			if err := bot.Run(playing); err != nil && playing.Err() == nil {
				gaveUp <- fmt.Errorf("a player gave up: %w", err)
			}
		})
	}
	for _, table := range round.Tables {
		watcher := r.api(secrecy.Viewer{Kind: secrecy.Public})
		all.Go(func() {
			_ = watcher.Follow(playing, fmt.Sprintf("/games/%d/live", table.Games[0].ID),
				func(client.Message) error { return nil })
		})
	}
	all.Go(func() { r.resume(playing, round.ID) })
	troubled := make(chan error, 1)
	go func() { troubled <- r.trouble(playing, n) }()
	for {
		err = r.staff.RefereeRound(playing, round.ID, 20*time.Millisecond, nil)
		if err == nil || client.Refused(err) && !client.Refused(err, "err_storage") || playing.Err() != nil {
			break
		}
		client.Sleep(playing, 100*time.Millisecond)
	}
	over()
	all.Wait()
	close(gaveUp)
	for e := range gaveUp {
		err = errors.Join(err, e)
	}
	if err = errors.Join(err, <-troubled); err != nil {
		err = fmt.Errorf("the game did not end: %w; last calls:%s", err, r.calls.Last(8))
	}
	return errors.Join(err, r.check(context.WithoutCancel(ctx), round))
}

func (r *nodesRun) prepare(ctx context.Context) (round client.Round, players []*client.Bot, err error) {
	r.moved.Store(0)
	event, err := r.staff.Create(ctx, client.NewTournament{Name: "Nodes", Format: json.RawMessage(nodesFormat),
		Rules: map[string]any{"preset": "wrc"}}, prepare.Roster(4*r.Tables))
	if err != nil {
		return round, nil, err
	}
	if round, err = r.staff.NextRound(ctx, event.ID, 1); err != nil {
		return round, nil, err
	}
	for _, table := range round.Tables {
		for _, s := range table.Seats {
			mine, err := client.Join(ctx, r.api(secrecy.Viewer{Kind: secrecy.Player, Player: s.Player.ID}), s.Code)
			if err != nil {
				return round, nil, err
			}
			bot := client.NewBot(mine, s.Player.ID)
			bot.Told = func(int64, string, client.Answer) { r.moved.Add(1) }
			players = append(players, bot)
		}
	}
	return round, players, r.staff.Start(ctx, round.ID)
}

// trouble injects the failures of a round, each after a random number of moves. In some rounds PostgreSQL is killed or
// NATS is away, and nodes are killed. Everything is running again when it returns.
func (r *nodesRun) trouble(ctx context.Context, n int) error {
	steady := context.WithoutCancel(ctx)
	switch {
	case r.Away == 0:
	case n%r.Away == r.Away/2 && r.server != nil && r.await(ctx):
		r.restarts++
		if err := errors.Join(r.server.Kill(), r.server.Run()); err != nil {
			return err
		}
	case n%r.Away == 0 && r.await(ctx):
		r.away++
		r.hints.Cut(true)
		client.Sleep(steady, awayFor)
		r.hints.Cut(false)
	}
	for range r.Kills {
		if !r.await(ctx) {
			return nil
		}
		i := r.rng.IntN(r.Nodes)
		r.house.Kill(i)
		err := r.house.Start(steady, i)
		for tries := 1; err != nil && tries < startTries; tries++ { // a commit was interrupted while the node started
			err = r.house.Start(steady, i)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// await waits for a random number of moves; it returns false if the round ends before.
func (r *nodesRun) await(ctx context.Context) bool {
	for until := r.moved.Load() + 1 + r.rng.Int64N(troubleAfter); r.moved.Load() < until; {
		if !client.Sleep(ctx, 5*time.Millisecond) {
			return false
		}
	}
	return true
}

// resume resumes clocks that a node's death stopped, because bots need no countdown.
func (r *nodesRun) resume(ctx context.Context, round int64) {
	api := *r.staff.API
	api.Seen = nil // a referee sees all tiles
	referee := client.Official{API: &api}
	for client.Sleep(ctx, 200*time.Millisecond) {
		at, err := referee.Round(ctx, round)
		if err != nil {
			continue
		}
		for _, table := range at.Tables {
			for _, g := range table.Games {
				var p client.Place
				if g.Status != game.Running || api.Call(ctx, http.MethodGet, fmt.Sprintf("/games/%d", g.ID), nil,
					&p) != nil || p.View == nil || p.View.Paused == nil {
					continue
				}
				_ = api.Call(ctx, http.MethodPost, fmt.Sprintf("/games/%d/resume", g.ID),
					map[string]any{"key": fmt.Sprintf("resume-%d-%d", g.ID, p.View.Seq)}, nil)
			}
		}
	}
}

// check checks the answers and responses of a round against its logs, and discards them.
func (r *nodesRun) check(ctx context.Context, round client.Round) error {
	defer r.heard.Forget()
	defer r.calls.Forget()
	figures, err := r.calls.Check()
	r.figures.Add(figures)
	faults := []error{err}
	public, games := r.api(secrecy.Viewer{Kind: secrecy.Public}), map[int64]secrecy.Game{}
	acknowledged := r.calls.Acknowledged()
	for _, table := range round.Tables {
		for _, g := range table.Games {
			var log export.Game
			if err := public.Call(ctx, http.MethodGet, fmt.Sprintf("/games/%d/export", g.ID), nil, &log); err != nil {
				return errors.Join(append(faults, err)...)
			}
			of, err := r.checkLog(log, acknowledged)
			faults, games[g.ID] = append(faults, err), of
		}
	}
	for move, outcome := range acknowledged {
		faults = append(faults, fmt.Errorf("game %d, seq %d: %s was acknowledged but is missing", move[0], move[1],
			outcome))
	}
	seen, err := r.heard.Check(games)
	r.bodies += seen.Others
	for _, n := range seen.Views {
		r.views += n
		r.bodies += n
	}
	return errors.Join(append(faults, err)...)
}

// checkLog checks a log against the acknowledged commands, and removes those that it finds from acknowledged.
func (r *nodesRun) checkLog(log export.Game, acknowledged map[[2]int64]string) (of secrecy.Game, err error) {
	if _, err := export.Verify(log); err != nil {
		return of, fmt.Errorf("game %d: %w", log.Game, err)
	}
	events, err := export.Log(log)
	if err != nil {
		return of, err
	}
	r.games++
	var faults []error
	of = secrecy.Game{Players: log.Players, States: []engine.State{{}}}
	for i, e := range events {
		of.States = append(of.States, engine.Apply(of.States[i], e))
		at := [2]int64{log.Game, int64(i + 1)}
		if outcome, told := acknowledged[at]; told {
			if delete(acknowledged, at); outcome != e.Kind() {
				faults = append(faults, fmt.Errorf("game %d, seq %d: %s was acknowledged, but the log has %s",
					log.Game, i+1, outcome, e.Kind()))
			}
			r.acknowledged++
		}
		switch e.(type) {
		case engine.TilesPlayed, engine.TileDrawn, engine.TurnPassed:
			r.turns++
		case engine.TurnExpired:
			faults = append(faults, fmt.Errorf("game %d, seq %d: a turn expired", log.Game, i+1))
		case engine.GamePaused:
			r.outages++
		}
	}
	return of, errors.Join(faults...)
}
