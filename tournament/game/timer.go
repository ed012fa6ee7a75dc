package game

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/tournament/storage"
)

// clock is the timer of a game, by which its time runs out here.
type clock struct {
	mu    sync.Mutex
	timer *time.Timer
	again bool // it is set to what is to be tried again, in place of the deadline
	heard int  // the seq of the move whose hint it is set by; 0: by the log
}

func (c *clock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.timer.Stop()
	}
}

// schedule sets the timer of a game to its next deadline. The timer is one way to send Expire; it runs
// whether or not a client is there. Where a hint has told of a later move by now, it stays as it is.
func (g *Games) schedule(r *runningGame, s *engine.State) {
	r.clock.mu.Lock()
	defer r.clock.mu.Unlock()
	if r.news.Load() > int64(s.Seq) && r.clock.timer != nil {
		return
	}
	r.clock.again, r.clock.heard = false, 0
	g.setClock(r, engine.Due(s))
}

// tell tells the other nodes of a move, and the one that keeps the clock when it is due.
func (g *Games) tell(now *Snapshot, step Step) {
	if g.Wrote == nil {
		return
	}
	due := engine.Due(&now.State)
	g.Wrote(Move{Game: now.Ref.ID, Seq: now.State.Seq, Tournament: now.Ref.TournamentID, Table: now.Ref.TableID,
		Step: min(step, StepPhase), Began: step == StepBegin, Due: &due})
}

// setClock sets the timer to a deadline; 0: the clock stands. r.clock.mu is held.
func (g *Games) setClock(r *runningGame, due engine.Millis) {
	if due == 0 || g.closed.Load() || g.stopped.Load() != 0 || !g.holds(r.now.Load().Ref.ID) {
		if r.clock.timer != nil {
			r.clock.timer.Stop()
		}
		return
	}
	g.setTimer(r, time.Duration(due+1-engine.MillisOf(g.DB.Now()))*time.Millisecond)
}

// setTimer has the game's timer fire after a while: the one that there is, since a game has another deadline at every turn. r.clock.mu is held.
func (g *Games) setTimer(r *runningGame, after time.Duration) {
	if r.clock.timer != nil {
		r.clock.timer.Reset(after)
		return
	}
	game := r.now.Load().Ref.ID
	r.clock.timer = time.AfterFunc(after, func() { g.expire(game) })
}

func (g *Games) expire(game int64) {
	if g.closed.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	r, err := g.find(ctx, game)
	if err != nil {
		slog.Error("expire", "game", game, "err", err)
		return
	}
	if !g.Owns(game) {
		g.payFromHere(ctx, r)
		return
	}
	_, err = g.Submit(ctx, clockActor, game, "", engine.Expire{})
	if err == nil || g.closed.Load() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone {
		return
	}
	if refusal := (*engine.Refusal)(nil); errors.As(err, &refusal) { // the deadline has moved
		g.schedule(r, &r.now.Load().State)
		return
	}
	slog.Error("expire: tried again in a second", "game", game, "err", err)
	if !errors.Is(err, errNotOurs) {
		g.owe(r, g.DB.Millis())
	}
	g.retry(r, time.Second)
}

// payFromHere gives back what this node has cost the players of a game whose clock another one keeps. Where it only is not sure whether
// that is so, it looks again.
func (g *Games) payFromHere(ctx context.Context, r *runningGame) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone {
		return
	}
	if g.holds(r.now.Load().Ref.ID) || g.payBack(ctx, r) != nil {
		g.retry(r, time.Second)
	}
}

// owe records the time since when a game's clock could not be settled, because the log could not be written or the
// program was suspended. The players get that time back. The caller holds r.mu.
func (g *Games) owe(r *runningGame, since engine.Millis) {
	if owed := r.owed.Load(); owed == 0 || int64(since) < owed {
		r.owed.Store(int64(since))
	}
}

// paidUntil is the last moment, now at the latest, of which no running game is owed time: what a start goes by after this program has died.
func (g *Games) paidUntil(now engine.Millis) engine.Millis {
	for _, since := range g.owedByShard(now) {
		now = min(now, since)
	}
	return now
}

// owedByShard is since when running games of a shard are owed time; shards of which none is are left away.
func (g *Games) owedByShard(now engine.Millis) map[int64]engine.Millis {
	gaps, owed := g.stalls.noticed(now, false), map[int64]engine.Millis{}
	for _, r := range g.all() {
		snap := r.now.Load()
		if phase := snap.State.Phase; phase == engine.PhaseNew || phase == engine.PhaseOver {
			continue
		}
		// Its gaps are asked for first: what is noted then is owed.
		since, short := g.costs(gaps[min(int(r.stalls.Load()), len(gaps)):], &snap.State)
		own := engine.Millis(r.owed.Load())
		at := min(now, cmp.Or(since, now), cmp.Or(own, now)) - short - r.lost.of(snap.State.Turn)
		if since != 0 || own != 0 || at < now {
			shard := shardOf(snap.Ref.ID)
			owed[shard] = min(cmp.Or(owed[shard], at), at)
		}
	}
	return owed
}

// retry settles a game's clock after a while, instead of at its deadline; r.mu is held.
func (g *Games) retry(r *runningGame, after time.Duration) {
	r.clock.mu.Lock()
	defer r.clock.mu.Unlock()
	if g.closed.Load() {
		if r.clock.timer != nil {
			r.clock.timer.Stop()
		}
		return
	}
	r.clock.again = true
	g.setTimer(r, after)
}

// payBack stops the clock of a game as after an outage, before anything else is decided, when it is owed time; r.mu is held. A node that
// does not keep the clock owes nothing where the game has gone on since: it was played at others.
func (g *Games) payBack(ctx context.Context, r *runningGame) error {
	for began := time.Now(); r.owed.Load() != 0; {
		if err := g.catchUp(ctx, r); err != nil { // a write that was said to have failed may have been made
			return err
		}
		if snap := r.now.Load(); !g.holds(snap.Ref.ID) && int64(snap.State.At) > r.owed.Load() {
			r.owed.Store(0)
			return nil
		}
		before, since := &r.now.Load().State, g.owedSince(r)
		_, err := g.try(ctx, r, clockName, "", engine.Outage{Since: since - r.lost.of(before.Turn)})
		if err == nil && before.Paused == nil {
			r.repaid(before.Turn, before.Turn.Due-since)
		}
		var refusal *engine.Refusal
		switch {
		case errors.Is(err, ErrClash):
			err = g.catchUp(ctx, r)
		case errors.Is(err, errNotOurs) && !g.holds(r.now.Load().Ref.ID): // it has just been lost
			err = nil
		case errors.Is(err, errNotOurs): // it is just being written
			if on, gone := g.awaitLease(ctx, began); on || gone != nil {
				err = gone
			}
		case err == nil, errors.As(err, &refusal): // refused: no clock was running
			r.owed.Store(0)
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// all gives the games that are known by now.
func (g *Games) all() []*runningGame {
	g.mu.Lock()
	defer g.mu.Unlock() // a command in hand may look at a game before it lets go of its own
	return slices.Collect(maps.Values(g.known))
}

// owedSince is since when a game is owed the time of its turn. What others write meanwhile at other nodes, such as a call, does not end that.
func (g *Games) owedSince(r *runningGame) engine.Millis {
	s := &r.now.Load().State
	if g.nodes != nil {
		return max(engine.Millis(r.owed.Load()), s.Turn.Started)
	}
	return max(engine.Millis(r.owed.Load()), s.At)
}

// Close stops the timers; a command still in hand is finished by its caller. The log is closed after it.
func (g *Games) Close() {
	g.closed.Store(true)
	for _, r := range g.all() {
		r.mu.Lock()
		r.clock.stop()
		r.mu.Unlock()
	}
	g.notes.close()
}

// IsStorage tells whether err is the database's: full, failing, locked or too slow. Nothing of the
// command is on the disk then, or its answer is unknown, and it may be sent again with the same key.
func IsStorage(err error) bool {
	return storage.IsFailing(err) || errors.Is(err, ErrLogClosed) || errors.Is(err, errNotOurs)
}

// asLeft is a game whose turn's time has run out with the table as the node knows it that had the last draft.
func (g *Games) asLeft(snap *Snapshot) *Snapshot {
	due := engine.Due(&snap.State)
	if g.nodes == nil || due == 0 || due >= g.DB.Millis() || snap.State.Phase != engine.PhasePlaying {
		return snap
	}
	var left leftTable
	turn := snap.State.Turn
	if !g.DB.Shelf(leftTables).See(strconv.FormatInt(snap.Ref.ID, 10), &left) || left.Turn != turn.Number || left.Disturbed == snap.disturbed() {
		return snap
	}
	as := *snap
	as.Draft = &Draft{Turn: turn.Number, Seat: turn.Seat, Disturbed: left.Disturbed}
	return &as
}
