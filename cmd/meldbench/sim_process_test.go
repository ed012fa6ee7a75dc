package main

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"meldhall/cmd/internal/prepare"
	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/result"
	"meldhall/tournament/store"
	"meldhall/web/live"
)

// simProcess is one run of the server, from its start on a file until it is killed or stopped.
type simProcess struct {
	sim   *simulation
	path  string
	store *store.DB
	log   *game.Log
	games *game.Games
	desk  *action.Desk
	hub   *live.Hub
	dead  atomic.Bool

	beats sync.WaitGroup
	still context.CancelFunc

	pool *sql.DB   // the store's original pool, whose only connection is lent
	lent *sql.Conn // the connection that the simulated disk uses
	disk *simDisk

	plan   simPlan
	diedAt engine.Millis
}

// boot starts the server on the current file, as cmd/meldhall does, but without its pages.
func (s *simulation) boot() error {
	p := &simProcess{sim: s, path: s.path, still: func() {}}
	var err error
	if p.store, err = store.OpenAlone(s.path); err != nil {
		return err
	}
	if s.epoch != "" && s.epoch != p.store.Epoch.Name {
		s.broken("a process that was killed has begun another life of the database")
	}
	s.epoch = p.store.Epoch.Name
	if err := p.putDisk(); err != nil {
		return err
	}
	opened, stood, start := time.Now(), s.stood.Load(), p.store.Now()
	if wall := opened.Add(s.ahead + time.Duration(stood)); wall.After(start) {
		start = wall // otherwise the newest time in the file is later
	}
	p.store.Now = func() time.Time {
		return start.Add(time.Since(opened) + time.Duration(s.stood.Load()-stood))
	}
	p.log = game.OpenLog(p.store)
	p.games = result.NewGames(p.store, p.log)
	p.games.Deal = func() engine.Deal { return prepare.Deal(s.seed, s.deals.Add(1)) }
	p.games.Slept = func() time.Duration { return time.Duration(s.slept.Load()) }
	p.desk = action.NewDesk(p.store, p.games)
	p.desk.Seeds = func() int64 { return int64(s.deals.Add(1)) }
	p.wake()
	if s.last != nil {
		s.outage(s.last.diedAt, p.store.Millis())
	}
	if err := p.games.Boot(s.ctx); err != nil {
		return err
	}
	var ctx context.Context
	ctx, p.still = context.WithCancel(s.ctx)
	p.beats.Go(func() { p.games.Heartbeat(ctx) })
	p.beats.Go(func() {
		time.Sleep(simDraws) // offset from the heartbeat, so that runs are repeatable
		p.games.Pulse(ctx)
	})
	s.server = p
	return nil
}

// wake connects the hub to changes, so that it wakes the same streams as the server's pages.
func (p *simProcess) wake() {
	p.hub = live.NewHub()
	p.games.Moved = func(ref game.Ref, _ game.Step) {
		p.hub.Wake(live.GameTopic(ref.ID), live.TableTopic(ref.TableID), live.TournamentTopic(ref.TournamentID))
	}
	p.desk.OnChanged(func(c action.Changed) {
		for _, t := range c.Topics {
			p.hub.Wake(live.Topics(c.Tournament, t.What)...)
		}
	})
}

// end shuts down what is left of a process. Nothing that it still does reaches a file that is read again, or a person.
func (p *simProcess) end() error {
	p.hub.Close()
	p.still()
	p.beats.Wait()
	p.games.Close()
	p.log.Close()
	return errors.Join(p.takeDisk(), p.store.Close())
}

// bury shuts the killed server down and schedules a restart, sometimes with a changed machine clock.
func (s *simulation) bury() {
	s.last, s.server = s.server, nil
	if err := s.last.end(); err != nil && !errors.Is(err, errSimGone) {
		s.broken("stop: %v", err)
	}
	if s.IntN(4) == 0 {
		s.count("clock set between two starts")
		s.ahead += time.Duration(s.IntN(7200)-3600) * time.Second
	}
	s.later(time.Duration(100+s.IntN(20_000))*time.Millisecond, s.start)
}

// start restarts the server and reconnects the readers.
func (s *simulation) start() {
	if err := s.boot(); err != nil {
		s.broken("start: %v", err)
		return
	}
	for _, r := range s.readers {
		s.later(s.soon(3000), r.connect)
	}
}

// kill kills the server between two commits, or stops it properly.
func (s *simulation) kill() {
	if s.server == nil {
		return
	}
	if s.IntN(4) > 0 {
		s.count("killed")
	} else {
		s.count("stopped and started again")
		if err := s.server.store.NoteServed(s.ctx); err != nil {
			s.broken("stop: %v", err)
		}
	}
	if err := s.server.die(-1); err != nil {
		s.broken("kill: %v", err)
	}
}
