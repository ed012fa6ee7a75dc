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
	"meldhall/cmd/internal/history"
	"meldhall/cmd/internal/house"
	"meldhall/cmd/internal/prepare"
	"meldhall/cmd/internal/secrecy"
	"meldhall/engine"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
)

const (
	prepareTries = 20               // of an event, while nothing can be saved
	roundMost    = 90 * time.Second // after which a round counts as one that does not end
	troubleAfter = 20               // moves at most, until something fails
	awayFor      = 3 * time.Second  // NATS
	startTries   = 3                // of a node that was killed
)

// nodesFormat is one round of one game.
const nodesFormat = `{"name":"nodes","version":1,"source":"a test","stages":[{"name":"preliminary","kind":"preliminary","rounds":1,
"games_per_round":1,"cut":0,"seating":"random","seat_change":"every_round","carry_over":"all"}]}`

// open starts the nodes, behind networks that can be disturbed, and makes the first organizer.
func (r *nodesRun) open(ctx context.Context) (err error) {
	if r.hints, err = house.RelayHints(r.NATS); err != nil {
		return err
	}
	var db string
	if r.commits, db, err = house.RelayDatabase(r.DB); err != nil {
		return err
	}
	if r.house, err = house.Open(ctx, r.exes, db, r.Nodes, r.Seed, &r.log, "--nats", r.hints.URL()); err != nil {
		return err
	}
	r.calls = history.New(r.house, 0.1, r.Seed)
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

// api is a client of which everything that it is sent is kept.
func (r *nodesRun) api(viewer secrecy.Viewer) *client.Client {
	c := client.New(r.base, r.calls)
	c.Seen = r.heard.As(viewer)
	return c
}

// play plays a round, and holds its logs, calls and bodies against what must be so.
func (r *nodesRun) play(ctx context.Context, n int) error {
	var round client.Round
	var players []*client.Bot
	var err error
	for range prepareTries {
		if round, players, err = r.prepare(ctx); !client.Refused(err, "err_storage") { // the disk is slow, or a commit was cut: another event is made
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
	for _, bot := range players {
		all.Go(func() { _ = bot.Run(playing) })
	}
	for _, table := range round.Tables {
		watcher := r.api(secrecy.Viewer{Kind: secrecy.Public})
		all.Go(func() {
			_ = watcher.Follow(playing, fmt.Sprintf("/games/%d/live", table.Games[0].ID), func(client.Message) error { return nil })
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
	if err = errors.Join(err, <-troubled); err != nil {
		err = fmt.Errorf("it did not come to its end: %w; the last calls:%s", err, r.calls.Last(8))
	}
	return errors.Join(err, r.check(context.WithoutCancel(ctx), round))
}

func (r *nodesRun) prepare(ctx context.Context) (round client.Round, players []*client.Bot, err error) {
	r.moved.Store(0)
	event, err := r.staff.Create(ctx, client.NewTournament{Name: "Nodes", Format: json.RawMessage(nodesFormat), Rules: map[string]any{"preset": "wrc"}}, prepare.Roster(4*r.Tables))
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

// trouble has happen in a round what may happen to a house, each after a number of moves: PostgreSQL dies or NATS is away, in some rounds, and
// nodes are killed. What was taken away is back when it ends.
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
		for tries := 1; err != nil && tries < startTries; tries++ { // a commit of its start was cut
			err = r.house.Start(steady, i)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// await waits for a number of moves by chance; false when the round is over before.
func (r *nodesRun) await(ctx context.Context) bool {
	for until := r.moved.Load() + 1 + r.rng.Int64N(troubleAfter); r.moved.Load() < until; {
		if !client.Sleep(ctx, 5*time.Millisecond) {
			return false
		}
	}
	return true
}

// resume has clocks run on that stand because a node died: nobody here needs the countdown.
func (r *nodesRun) resume(ctx context.Context, round int64) {
	api := *r.staff.API
	api.Seen = nil // a referee is shown all that is laid
	referee := client.Official{API: &api}
	for client.Sleep(ctx, 200*time.Millisecond) {
		at, err := referee.Round(ctx, round)
		if err != nil {
			continue
		}
		for _, table := range at.Tables {
			for _, g := range table.Games {
				var p client.Place
				if g.Status != game.Running || api.Call(ctx, http.MethodGet, fmt.Sprintf("/games/%d", g.ID), nil, &p) != nil || p.View == nil || p.View.Paused == nil {
					continue
				}
				_ = api.Call(ctx, http.MethodPost, fmt.Sprintf("/games/%d/resume", g.ID), map[string]any{"key": fmt.Sprintf("resume-%d-%d", g.ID, p.View.Seq)}, nil)
			}
		}
	}
}

// check holds what people were answered and sent in a round against its logs, and forgets it.
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
		faults = append(faults, fmt.Errorf("game %d, seq %d: %s was acknowledged and is not there", move[0], move[1], outcome))
	}
	seen, err := r.heard.Check(games)
	r.bodies += seen.Others
	for _, n := range seen.Views {
		r.views += n
		r.bodies += n
	}
	return errors.Join(append(faults, err)...)
}

// checkLog holds one log against what was acknowledged, of which it takes away what is there.
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
				faults = append(faults, fmt.Errorf("game %d, seq %d: %s was acknowledged and is %s", log.Game, i+1, outcome, e.Kind()))
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
