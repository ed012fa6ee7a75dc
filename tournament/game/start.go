package game

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// StartWaiting starts every game that is due at a table, or at all tables if table is 0. It may be called at any time,
// since a started game is not started again. A game that cannot start does not block the others, and is retried if the
// disk was the cause. The games of a whole hall take only a few commits, and no table waits for more than one, or for
// the devices of another.
func (g *Games) StartWaiting(ctx context.Context, table int64) (err error) {
	tables := []int64{table}
	if table == 0 {
		if tables, err = tablesToStart(ctx, g.DB); err != nil {
			return err
		}
	}
	errs := make([]error, len(tables))
	var starting sync.WaitGroup
	for i, table := range tables {
		w, err := g.starts.toStart(ctx, g.DB.ReadSQL, table)
		if err != nil {
			errs[i] = fmt.Errorf("start a game at table %d: %w", table, err)
			continue
		}
		if w.ref.ID == 0 {
			continue
		}
		start, err := g.starts.prepare(ctx, w)
		if err != nil {
			errs[i] = w.failed(err)
			continue
		}
		starting.Go(func() { errs[i] = w.failed(g.starts.start(ctx, w, start)) })
	}
	starting.Wait()
	return g.starts.tryLater(errors.Join(errs...))
}

// starter starts the games that are due.
type starter struct {
	games *Games
	later atomic.Bool // a retry of games that could not start is due
	rules roundRules
}

// tryLater schedules a retry in a second for games that could not start because of the disk.
func (s *starter) tryLater(err error) error {
	if err != nil && IsStorage(err) && !s.games.closed.Load() && !s.later.Swap(true) {
		time.AfterFunc(time.Second, s.startLater)
	}
	return err
}

func (s *starter) startLater() {
	s.later.Store(false)
	if s.games.closed.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := s.games.StartWaiting(ctx, 0); err != nil {
		slog.Error("starting waiting games failed", "err", err)
	}
}

// prepare returns the command that starts a game, with its deal if that does not depend on the table's devices.
func (s *starter) prepare(ctx context.Context, w waitingGame) (start engine.Start, err error) {
	// reseated since, which the cached game does not reflect
	if r := s.games.cache.inMemory(w.ref.ID); r != nil && !slices.Equal(w.ref.Players, r.now.Load().Ref.Players) {
		s.games.cache.forget(w.ref.ID)
	}
	if s.games.cache.inMemory(w.ref.ID) == nil {
		if w.logged || !s.games.Owner.Alone() { // another program may have started it
			_, err = s.games.cache.read(ctx, w.ref, true)
		} else {
			s.games.cache.remember(&Snapshot{Ref: w.ref, Stands: s.games.Unwritten()}, true)
		}
		if err != nil {
			return start, err
		}
	}
	start = engine.Start{Seats: len(w.ref.Players), Physical: w.physical, Extra: w.extra}
	if start.Rules, err = s.rules.get(w.ruling); err != nil {
		return start, err
	}
	if start.First, err = s.firstSeat(ctx, w.ref, start.Rules); err != nil || start.Physical {
		return start, err
	}
	start.Deal, err = s.chosen(ctx, w)
	return start, err
}

// start starts a game without the players who are out, unless it has started already.
func (s *starter) start(ctx context.Context, w waitingGame, start engine.Start) (err error) {
	ref := w.ref
	if !start.Physical && len(start.Deal.Pool) == 0 {
		if start.Deal, err = s.games.dealt(ctx, &ref, &engine.State{}); err != nil {
			return err
		}
	}
	command := engine.Command(start)
	if !start.Physical && s.games.HoldAbsent && len(w.absent) > 0 {
		command = engine.StartHeld{Start: start, Absent: w.absent}
	}
	begun, err := s.games.Submit(ctx, eventActor, ref.ID, "", command)
	var refusal *engine.Refusal
	if errors.As(err, &refusal) && refusal.Code == engine.RefusedAlreadyStarted {
		begun.someOut, err = !s.games.Owner.Alone(), nil // the program that started it may have died before that query
	}
	if err == nil && begun.someOut {
		err = s.games.BeganWithout(ctx, ref)
	}
	return err
}

// firstSeat returns the seat that begins a game. Under starter: rotate, from the second game on, it is the seat after
// the one that began the previous game. Otherwise it returns engine.DrawForStart (engine/RULES.md section 5).
func (s *starter) firstSeat(ctx context.Context, ref Ref, rules ruleset.Ruleset) (int, error) {
	if rules.Starter != ruleset.Rotate || ref.Number == 1 {
		return engine.DrawForStart, nil
	}
	before, err := gameAtTable(ctx, s.games.DB, ref.TableID, ref.Number-1)
	if err != nil {
		return 0, err
	}
	snap, err := s.games.Look(ctx, before)
	if err != nil || snap.State.Starter < 0 { // with real tiles the starter may not have been recorded
		return engine.DrawForStart, err
	}
	return (snap.State.Starter + 1) % len(ref.Players), nil
}

// projection returns the writes to ordinary tables that follow from a command's events: that a game is running, with
// someOut set if a player may be out, and its result when it has ended.
func projection(ref Ref, after *engine.State, events []engine.Event) (project func(*sql.Tx) error, someOut *bool) {
	ctx := context.Background() // the log's writer commits for many callers
	runs := func(since engine.Millis) (func(*sql.Tx) error, *bool) {
		out := new(bool)
		return func(tx *sql.Tx) (err error) {
			*out, err = markRunning(ctx, tx, ref.ID, since)
			return err
		}, out
	}
	if started, ok := events[0].(engine.GameStarted); ok {
		return runs(started.At)
	}
	switch last := events[len(events)-1].(type) {
	case engine.TilesDealt:
		return runs(last.At)
	case engine.GameEnded:
		lines := resultLines(ref, after)
		return func(tx *sql.Tx) error { return RecordResult(ctx, tx, ref.ID, last.End.Why, last.At, lines) }, nil
	}
	return nil, nil
}

// rackText formats a rack as results store it: its faces in order, "R4 J".
func rackText(rack []tile.Face) string {
	faces := tile.CountFaces(rack).List()
	words := make([]string, len(faces))
	for i, f := range faces {
		words[i] = f.String()
	}
	return strings.Join(words, " ")
}

// resultLines returns the lines of the first revision of an ended game's result, in seat order.
func resultLines(ref Ref, s *engine.State) []ResultLine {
	lines := LinesOf(engine.Counting{Outcome: s.End.Outcome, Racks: s.End.Racks, Opened: s.Opened[:s.Seats]})
	for seat := range lines {
		lines[seat].PlayerID = ref.Players[seat]
	}
	return lines
}

// LinesOf returns the lines of a result that follows from a count, in seat order, without players.
func LinesOf(c engine.Counting) []ResultLine {
	lines := make([]ResultLine, len(c.Opened))
	for seat, opened := range c.Opened {
		charge := c.Outcome.Charges[seat]
		lines[seat] = ResultLine{Seat: seat, Points: c.Outcome.Points[seat], Wins: c.Outcome.Wins[seat],
			Charge: charge.Points, Reason: charge.Reason, Tiles: rackText(tile.FacesOf(c.Racks[seat])), Opened: opened}
	}
	return lines
}
