package game

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"meldhall/engine"
)

// ErrBroken is returned for a game whose log cannot be replayed or is inconsistent. Only meldhall verify and an expert
// can find the cause; the other games keep running.
var ErrBroken = errors.New("the log is broken")

// gamesKept is the number of games kept in memory, at about 5 KB each, before ended ones are dropped.
const gamesKept = 1000

// find returns a game from memory, or from its log, with its clock running.
func (g *Games) find(ctx context.Context, game int64) (*runningGame, error) {
	return g.load(ctx, game, true)
}

// load is find, except that without ticking a game loaded from the log has no timer yet.
func (g *Games) load(ctx context.Context, game int64, ticking bool) (*runningGame, error) {
	if r := g.inMemory(game); r != nil {
		return r, nil
	}
	ref, err := FindRef(ctx, g.DB, game)
	if err != nil {
		return nil, err
	}
	return g.read(ctx, ref, ticking)
}

// inMemory returns a game that is in memory, or nil.
func (g *Games) inMemory(game int64) *runningGame {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.known[game]
}

// read loads a game from its log.
func (g *Games) read(ctx context.Context, ref Ref, ticking bool) (*runningGame, error) {
	game, snap := ref.ID, &Snapshot{Ref: ref, Stands: g.Unwritten()}
	tail, err := g.Log.Tail(ctx, game, 0)
	if err == nil {
		snap.State, err = replay(game, snap.State, tail)
		snap.Head = headOf(tail, "")
	}
	if err == nil {
		err = engine.Check(snap.State)
	}
	if err != nil {
		if IsStorage(err) || ctx.Err() != nil {
			return nil, err
		}
		g.DB.NoteBroken(game)
		return nil, fmt.Errorf("game %d: %w: %w", game, ErrBroken, err)
	}
	return g.remember(snap, ticking), nil
}

// remember puts a game into memory in its present state, unless it is there already.
func (g *Games) remember(snap *Snapshot, ticking bool) *runningGame {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.known[snap.Ref.ID]
	if r == nil {
		if len(g.known) >= g.room {
			g.letGo()
		}
		r = &runningGame{games: g}
		r.stalls.Store(int64(len(g.stalls.noticed(g.DB.Millis(), false))))
		r.now.Store(snap)
		g.known[snap.Ref.ID] = r
		if ticking {
			r.schedule(&snap.State)
		}
	}
	return r
}

// letGo drops the games that have ended; g.mu is held. They are loaded from their logs again when needed. A game that a
// command is holding stays.
func (g *Games) letGo() {
	for game, r := range g.known {
		if r.now.Load().State.Phase == engine.PhaseOver && r.mu.TryLock() {
			r.gone = true
			delete(g.known, game)
			r.mu.Unlock()
		}
	}
	g.room = max(gamesKept, 2*len(g.known))
}

// hold locks a game for a command. If the game was dropped in the meantime, it locks its replacement.
func (g *Games) hold(ctx context.Context, r *runningGame, game int64) (*runningGame, error) {
	for {
		r.mu.Lock()
		if !r.gone {
			return r, nil
		}
		r.mu.Unlock()
		var err error
		if r, err = g.find(ctx, game); err != nil {
			return nil, err
		}
	}
}

// headOf returns the hash of a log's last event. tail holds all events after the one whose hash is known.
func headOf(tail []Entry, known string) string {
	if len(tail) == 0 {
		return known
	}
	return tail[len(tail)-1].Chain
}

// replay applies a tail of a game's log to its state. The tail may begin before the state. If the log cannot be
// replayed, replay recovers from the panic and returns an error, so that one broken game never stops the others.
func replay(game int64, from engine.State, tail []Entry) (s engine.State, err error) {
	s = from
	defer func() {
		if p := recover(); p != nil {
			s, err = from, fmt.Errorf("game %d: the event after seq %d cannot be applied: %v", game, s.Seq, p)
		}
	}()
	for _, e := range tail {
		if e.Seq <= from.Seq {
			continue
		}
		if e.Seq != s.Seq+1 {
			return s, fmt.Errorf("game %d: seq %d follows %d", game, e.Seq, s.Seq)
		}
		s = engine.Apply(s, e.Event)
	}
	return s, nil
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

// Forget drops games from memory that have changed in the database or have been deleted.
func (g *Games) Forget(games []int64) {
	for _, game := range games {
		g.forget(game)
	}
}

// forget drops a game from memory, after the command that is holding it.
func (g *Games) forget(game int64) {
	r := g.inMemory(game)
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	r.gone = true
	if g.known[game] == r {
		delete(g.known, game)
	}
}

// RefreshWaiting reloads the tables and players of games that have not begun, because another process may have reseated
// them.
func (g *Games) RefreshWaiting(ctx context.Context) error { return g.refreshRefs(ctx, g.waiting()) }

// RefreshSeats reloads the tables and players of a tournament's unfinished games, because another program may have
// reseated them.
func (g *Games) RefreshSeats(ctx context.Context, tournamentID int64) error {
	g.mu.Lock()
	var refs []Ref
	for _, r := range g.known {
		if snap := r.now.Load(); snap.Ref.TournamentID == tournamentID && snap.State.Phase != engine.PhaseOver {
			refs = append(refs, snap.Ref)
		}
	}
	g.mu.Unlock()
	return g.refreshRefs(ctx, refs)
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
			g.forget(was.ID)
			g.Moved(was, StepDraft)
		}
	}
	return nil
}

// waiting returns the games in memory that have not begun.
func (g *Games) waiting() (refs []Ref) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range g.known {
		if snap := r.now.Load(); snap.State.Phase == engine.PhaseNew {
			refs = append(refs, snap.Ref)
		}
	}
	return refs
}
