package game

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// This file follows logs to which other programs append (see Owner). Their hints announce that a log has moved on, and
// this program reads it when it needs the game. Moves without a hint are found the next time that the log is read.

// behind reports whether the log is known to have moved on from the state in memory.
func (r *runningGame) behind() bool { return r.news.Load() > int64(r.now.Load().State.Seq) }

// newer updates a game from the log before a command is refused, and reports whether the game has moved on. The caller
// must hold r.mu.
func (r *runningGame) newer(ctx context.Context) (bool, error) {
	if r.games.Owner.Alone() {
		return false, nil
	}
	before := r.now.Load().State.Seq
	err := r.catchUp(ctx)
	return r.now.Load().State.Seq > before, err
}

// newest is like newer, for callers that do not hold the game.
func (r *runningGame) newest(ctx context.Context) (bool, error) {
	if r.games.Owner.Alone() {
		return false, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.newer(ctx)
}

// refresh updates a game whose log has moved on. It does nothing while a command holds the game, because the command
// updates it.
func (r *runningGame) refresh(ctx context.Context) {
	if !r.behind() || !r.mu.TryLock() {
		return
	}
	if r.gone {
		r.mu.Unlock()
		return
	}
	err := r.catchUp(ctx)
	if err == nil {
		r.release()
		return
	}
	r.mu.Unlock()
	if ctx.Err() == nil && !r.games.Closed() {
		slog.Error("reading a game's log failed; showing its last state", "game", r.now.Load().Ref.ID, "err", err)
	}
}

// Resume updates a game, gives back the time owed to its players, and sets its clock.
func (g *Games) Resume(ctx context.Context, game int64) error {
	r, err := g.cache.load(ctx, game, false)
	if err != nil {
		return err
	}
	if r, err = g.cache.hold(ctx, r, game); err != nil {
		return err
	}
	defer r.release()
	if err = r.catchUp(ctx); err == nil {
		err = r.settle(ctx)
	}
	if err != nil {
		r.retry(time.Second)
		return err
	}
	r.schedule(&r.now.Load().State)
	return nil
}

// Hear records that the log of a game has reached seq, and that its time runs out at due then: nil if that is unknown,
// 0 if the clock is stopped. It does not read the log. It returns the game as it is in memory, or nil. again reports
// whether this seq, or a later one, was known before. timed reports whether the clock was set by a hint for this seq or
// a later one.
func (g *Games) Hear(game int64, seq int, due *engine.Millis) (snap *Snapshot, again, timed bool) {
	r := g.cache.inMemory(game)
	if r == nil {
		return nil, false, false
	}
	if snap = r.now.Load(); snap.State.Seq >= seq {
		return snap, true, false
	}
	r.clock.mu.Lock()
	defer r.clock.mu.Unlock()
	if again = int64(seq) <= r.news.Load(); !again {
		r.news.Store(int64(seq))
		if due != nil {
			if r.clock.heard = seq; !r.clock.again {
				r.setClock(*due)
			}
		}
	}
	return snap, again, r.clock.heard >= seq
}

// Behind returns the games in memory whose logs are known to have moved on, each with the seq that its log has reached.
func (g *Games) Behind() map[int64]int {
	behind := map[int64]int{}
	for _, r := range g.cache.all() {
		if r.behind() {
			behind[r.now.Load().Ref.ID] = int(r.news.Load())
		}
	}
	return behind
}

// CatchUp reads the logs of those games that are behind, with one query.
func (g *Games) CatchUp(ctx context.Context, games []int64) {
	var behind []*runningGame
	for _, game := range games {
		if r := g.cache.inMemory(game); r != nil && r.behind() {
			behind = append(behind, r)
		}
	}
	switch len(behind) {
	case 0:
	case 1:
		behind[0].refresh(ctx)
	default:
		g.refreshAll(ctx, behind)
	}
}

// refreshAll is like refresh for several games. If reading them together fails, it notifies the viewers of each game,
// which is then read on its own.
func (g *Games) refreshAll(ctx context.Context, games []*runningGame) {
	after := map[int64]int{}
	said := make([]int64, len(games))
	for i, r := range games {
		snap := r.now.Load()
		after[snap.Ref.ID], said[i] = snap.State.Seq, r.news.Load()
	}
	tails, err := g.Log.Tails(ctx, after)
	for i, r := range games {
		snap := r.now.Load()
		if err != nil {
			g.Moved(snap.Ref, StepEvent)
			continue
		}
		if !r.mu.TryLock() { // the holder notifies the viewers
			continue
		}
		if r.gone {
			r.mu.Unlock()
			continue
		}
		if failed := r.follows(ctx, tails[snap.Ref.ID], said[i]); failed != nil {
			slog.Error("reading a game's log failed; showing its last state", "game", snap.Ref.ID, "err", failed)
		}
		r.release()
	}
}

// heardDrafts holds the number of the last draft from each other program, in a turn of a game.
type heardDrafts struct {
	mu   sync.Mutex
	turn int
	by   map[string]int
}

// later reports whether a draft is later than all earlier ones of its program.
func (h *heardDrafts) later(program string, d Draft) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if d.Turn != h.turn {
		h.turn, h.by = d.Turn, map[string]int{}
	}
	if d.Number <= h.by[program] {
		return false
	}
	h.by[program] = d.Number
	return true
}

// HearDraft shows a draft that another program has received. It ignores a duplicate, and a draft that arrives after a
// later one of the same program.
func (g *Games) HearDraft(game int64, program string, d Draft) {
	r := g.cache.inMemory(game)
	if r == nil {
		return
	}
	if s := &r.now.Load().State; s.Turn.Number != d.Turn || !r.heard.later(program, d) {
		return
	}
	for {
		old := r.now.Load()
		if s := &old.State; s.Phase != engine.PhasePlaying || s.Turn.Seat != d.Seat || s.Turn.Number != d.Turn ||
			d.From.before(old.Draft, d.Turn) {
			return
		}
		snap := *old
		snap.DraftNumber = max(old.DraftNumber+1, d.Number)
		kept := d
		kept.Number = snap.DraftNumber
		kept.Disturbed = !tile.SameSets(snap.State.Table, d.Table)
		snap.Draft = &kept
		if r.now.CompareAndSwap(old, &snap) {
			g.Moved(snap.Ref, StepDraft)
			return
		}
	}
}
