package game

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"meldhall/engine"
)

// ErrBroken is returned for a game whose log cannot be replayed or is inconsistent. Finding the cause takes meldhall
// verify and an expert. The other games keep running.
var ErrBroken = errors.New("the log is broken")

// gamesKept is the number of games kept in memory, at about 5 KB each, before ended ones are dropped.
const gamesKept = 1000

// cache holds the games in memory.
type cache struct {
	games *Games

	mu    sync.Mutex
	known map[int64]*runningGame
	room  int // number of games from which ended ones are dropped
}

// find returns a game from memory, or from its log, with its clock running.
func (c *cache) find(ctx context.Context, game int64) (*runningGame, error) {
	return c.load(ctx, game, true)
}

// load is like find, but unless ticking is set, a game loaded from the log gets no timer yet.
func (c *cache) load(ctx context.Context, game int64, ticking bool) (*runningGame, error) {
	if r := c.inMemory(game); r != nil {
		return r, nil
	}
	ref, err := FindRef(ctx, c.games.DB, game)
	if err != nil {
		return nil, err
	}
	return c.read(ctx, ref, ticking)
}

// inMemory returns a game that is in memory, or nil.
func (c *cache) inMemory(game int64) *runningGame {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[game]
}

// all returns the games in memory.
func (c *cache) all() []*runningGame {
	c.mu.Lock()
	defer c.mu.Unlock() // a command may look up a game while it holds its own
	return slices.Collect(maps.Values(c.known))
}

// read loads a game from its log.
func (c *cache) read(ctx context.Context, ref Ref, ticking bool) (*runningGame, error) {
	game, snap := ref.ID, &Snapshot{Ref: ref, Stands: c.games.Unwritten()}
	tail, err := c.games.Log.Tail(ctx, game, 0)
	if err == nil {
		snap.State, err = replay(game, snap.State, tail)
		snap.Head = headOf(tail, "")
		snap.sign(tail)
	}
	if err == nil {
		err = engine.Check(snap.State)
	}
	if err != nil {
		if IsStorage(err) || ctx.Err() != nil {
			return nil, err
		}
		c.games.DB.Damages.NoteBroken(game)
		return nil, fmt.Errorf("game %d: %w: %w", game, ErrBroken, err)
	}
	return c.remember(snap, ticking), nil
}

// remember puts a game into memory in its present state, unless it is already in memory, and returns the game in
// memory.
func (c *cache) remember(snap *Snapshot, ticking bool) *runningGame {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.known[snap.Ref.ID]
	if r == nil {
		if len(c.known) >= c.room {
			c.letGo()
		}
		r = &runningGame{games: c.games}
		r.stalls.Store(int64(len(c.games.stalls.noticed(c.games.DB.Millis(), false))))
		r.now.Store(snap)
		c.known[snap.Ref.ID] = r
		if ticking {
			r.schedule(&snap.State)
		}
	}
	return r
}

// letGo drops the games that have ended, except those that a command holds. They are loaded from their logs again when
// needed. The caller must hold c.mu.
func (c *cache) letGo() {
	for game, r := range c.known {
		if r.now.Load().State.Phase == engine.PhaseOver && r.mu.TryLock() {
			r.gone = true
			delete(c.known, game)
			r.mu.Unlock()
		}
	}
	c.room = max(gamesKept, 2*len(c.known))
}

// hold locks a game for a command. If the game was dropped in the meantime, it locks its replacement.
func (c *cache) hold(ctx context.Context, r *runningGame, game int64) (*runningGame, error) {
	for {
		r.mu.Lock()
		if !r.gone {
			return r, nil
		}
		r.mu.Unlock()
		var err error
		if r, err = c.find(ctx, game); err != nil {
			return nil, err
		}
	}
}

// release unlocks a game. If its log moved on while it was locked and could not be refreshed, its viewers are notified
// again.
func (r *runningGame) release() {
	r.mu.Unlock()
	if snap := r.now.Load(); r.behind() && !r.games.Closed() {
		r.games.Moved(snap.Ref, StepEvent)
	}
}

// Reseated drops the cached data of games at tables whose seats or numbers changed, so that it is read again.
func (g *Games) Reseated(ctx context.Context, tables []int64) error {
	for _, table := range tables {
		games, err := g.DB.IDs(ctx, `SELECT id FROM games WHERE table_id = $1`, table)
		if err != nil {
			return err
		}
		g.Forget(games)
	}
	return nil
}

// Forget drops from memory games that were changed in the database or deleted from it.
func (g *Games) Forget(games []int64) {
	for _, game := range games {
		g.cache.forget(game)
	}
}

// forget drops a game from memory. It first waits for the command that holds the game, if any.
func (c *cache) forget(game int64) {
	r := c.inMemory(game)
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	r.gone = true
	if c.known[game] == r {
		delete(c.known, game)
	}
}

// RefreshWaiting reloads the tables and players of games that have not begun, because another process may have reseated
// them.
func (g *Games) RefreshWaiting(ctx context.Context) error {
	return g.refreshRefs(ctx, g.cache.refs(func(snap *Snapshot) bool { return snap.State.Phase == engine.PhaseNew }))
}

// RefreshSeats reloads the tables and players of a tournament's unfinished games, because another program may have
// reseated them.
func (g *Games) RefreshSeats(ctx context.Context, tournamentID int64) error {
	return g.refreshRefs(ctx, g.cache.refs(func(snap *Snapshot) bool {
		return snap.Ref.TournamentID == tournamentID && snap.State.Phase != engine.PhaseOver
	}))
}

func (g *Games) refreshRefs(ctx context.Context, refs []Ref) error {
	slices.SortFunc(refs, func(a, b Ref) int { return cmp.Compare(a.TournamentID, b.TournamentID) })
	var all map[int64]Ref
	for i, was := range refs {
		if i == 0 || was.TournamentID != refs[i-1].TournamentID {
			var err error
			if all, err = refsOf(ctx, g.DB, was.TournamentID); err != nil {
				return err
			}
		}
		now := all[was.ID] // its table may be deleted
		if !reflect.DeepEqual(now, was) {
			g.cache.forget(was.ID)
			g.Moved(was, StepDraft)
		}
	}
	return nil
}

// refs returns the refs of the games in memory for which is returns true.
func (c *cache) refs(is func(*Snapshot) bool) (refs []Ref) {
	for _, r := range c.all() {
		if snap := r.now.Load(); is(snap) {
			refs = append(refs, snap.Ref)
		}
	}
	return refs
}
