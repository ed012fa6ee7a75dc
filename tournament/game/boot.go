package game

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"time"

	"meldhall/engine"
	"meldhall/tournament/store"
)

// Boot resumes the running games after the program has started. It stops their clocks as of the last heartbeat and
// restarts them after a countdown, so that an outage costs no player time. It also starts the games that should have
// started in the meantime.
func (g *Games) Boot(ctx context.Context) error {
	if !g.Owner.Alone() { // the games of other programs are running
		return g.Owner.Beat(ctx)
	}
	since, err := LastHeartbeat(ctx, g.DB)
	if err != nil {
		return err
	}
	games, err := g.DB.IDs(ctx, `SELECT id FROM games WHERE status = $1 ORDER BY id`, Running)
	if err != nil {
		return err
	}
	for _, game := range games {
		if err := g.credit(ctx, game, since); err != nil {
			slog.Error("restarting a game failed; the other games run", "game", game, "err", err)
		}
	}
	if err := g.StartWaiting(ctx, 0); err != nil {
		slog.Error("starting some waiting games failed; the other games run", "err", err)
	}
	return nil
}

// credit loads a game that was running and stops its clock as of since. Its timer is set only afterwards: the turn's
// deadline may have passed already and must not take effect before the credit.
func (g *Games) credit(ctx context.Context, game int64, since engine.Millis) error {
	r, err := g.cache.load(ctx, game, false)
	if err != nil {
		return err
	}
	_, err = g.Submit(ctx, clockActor, game, "", engine.Outage{Since: max(since, r.now.Load().State.Turn.Started)})
	var refusal *engine.Refusal
	if errors.As(err, &refusal) { // no clock was running
		r.mu.Lock()
		defer r.mu.Unlock()
		r.schedule(&r.now.Load().State)
		return nil
	}
	if err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.owe(since)
		r.retry(time.Second)
	}
	return err
}

// LastHeartbeat returns the time of the last heartbeat, or 0 if there has been none.
func LastHeartbeat(ctx context.Context, s *store.DB) (at engine.Millis, err error) {
	err = s.ReadSQL.QueryRowContext(ctx, `SELECT at FROM heartbeat WHERE id = 1`).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return at, err
}

// WriteHeartbeat records that the program was running at the time at. After a restart, players get back only the time
// since the last heartbeat.
func WriteHeartbeat(ctx context.Context, s *store.DB, at engine.Millis) error {
	_, err := s.BeatSQL().ExecContext(ctx,
		`INSERT INTO heartbeat (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at`, at)
	if err != nil {
		return err
	}
	return s.NoteServed(ctx)
}

// BeatEvery is the time between two heartbeats.
const BeatEvery = time.Second

// Heartbeat calls Owner.Beat once a second, or sooner if Owner.Hurry asks for it, until ctx ends or the clocks are
// stopped. After a restart, Boot takes the last heartbeat as the start of the outage.
func (g *Games) Heartbeat(ctx context.Context) {
	tick := time.NewTicker(BeatEvery)
	defer tick.Stop()
	hurry := g.Owner.Hurry()
	for g.stopped.Load() == 0 {
		began := g.DB.Millis()
		err := g.Owner.Beat(ctx)
		if ctx.Err() != nil {
			return
		}
		if g.wrote(began, err, true); err != nil {
			slog.Error("writing the heartbeat failed", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-hurry:
		}
	}
}

// Stop stops all clocks. It is the first step of a shutdown. No turn expires after it, and commands in progress are
// decided as of the moment of the call. The next start gives all players the time from that moment on, or from the
// start of the earliest gap whose time they have not got back yet.
func (g *Games) Stop(ctx context.Context) error {
	since := g.DB.Millis()
	if !g.stopped.CompareAndSwap(0, int64(since)) {
		return nil
	}
	g.creditAll(ctx)
	return WriteHeartbeat(ctx, g.DB, g.paidUntil(since))
}

// now returns the time at which commands are decided.
func (g *Games) now() time.Time {
	now := g.DB.Now()
	if at := g.stopped.Load(); at != 0 && now.UnixMilli() > at {
		return time.UnixMilli(at)
	}
	return now
}
