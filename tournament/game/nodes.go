package game

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"meldhall/engine"
)

// followLook is how often the log is looked at for what no hint has told of.
const followLook = 2 * time.Second

// Move is a hint that a game has moved: its log is at Seq, and its time runs out at Due, 0 where its clock stands; nil: that is not known.
type Move struct {
	Game       int64          `json:"game"`
	Seq        int            `json:"seq"`
	Tournament int64          `json:"event"`
	Table      int64          `json:"table"`
	Step       Step           `json:"step"`            // StepPhase for a beginning too, which older programs know
	Began      bool           `json:"began,omitempty"` // older programs do not send it
	Due        *engine.Millis `json:"due,omitempty"`
}

// MovedElsewhere is told of a move that another node has written. The log is read at once where somebody watches the game here, else when
// somebody asks, or when its time has run out; where the clock is kept here, also when the game begins or ends, and when the hint does not
// tell of the deadline. It does not block.
func (g *Games) MovedElsewhere(m Move) {
	r := g.inMemory(m.Game)
	ref, heard, set := Ref{ID: m.Game, TournamentID: m.Tournament, TableID: m.Table}, false, false
	if r != nil {
		if r.now.Load().State.Seq >= m.Seq {
			return
		}
		ref = r.now.Load().Ref
		heard, set = g.hear(r, m)
	}
	switch {
	case !set && g.holds(m.Game) && !g.closed.Load():
		go g.follow(m.Game)
		if r == nil {
			g.Moved(ref, m.step())
		}
	case r != nil && g.Watched != nil && g.Watched(ref):
		g.readSoon(r)
	case !heard:
		g.Moved(ref, m.step())
	}
}

func (m Move) step() Step {
	if m.Began {
		return StepBegin
	}
	return m.Step
}

// hear notes how far a game is said to be, and tells whether that was known. Where the clock is kept here it is set by the hint: set tells
// whether it is by now.
func (g *Games) hear(r *runningGame, m Move) (heard, set bool) {
	kept := g.nodes.kept(m.Game)
	r.clock.mu.Lock()
	defer r.clock.mu.Unlock()
	if heard = int64(m.Seq) <= r.news.Load(); !heard {
		r.news.Store(int64(m.Seq))
		if m.Due != nil && m.Step != StepPhase && kept.fence != 0 && kept.back == backAll {
			if r.clock.heard = m.Seq; !r.clock.again {
				g.setClock(r, *m.Due)
			}
		}
	}
	return heard, r.clock.heard >= m.Seq
}

// behind tells whether a hint has told of more than what is known here.
func (r *runningGame) behind() bool { return r.news.Load() > int64(r.now.Load().State.Seq) }

// follow reads what another node has written of a game whose clock is kept here.
func (g *Games) follow(game int64) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := g.keep(ctx, game); err != nil && !g.closed.Load() {
		slog.Error("follow a game: tried again in a moment", "game", game, "err", err)
		time.AfterFunc(followLook, func() { g.followAgain(game) })
	}
}

func (g *Games) followAgain(game int64) {
	if g.holds(game) && !g.closed.Load() {
		g.follow(game)
	}
}

// refresh brings a game up to date that is said to have moved, unless a command holds it, which does so itself.
func (g *Games) refresh(ctx context.Context, r *runningGame) {
	if !r.behind() || !r.mu.TryLock() {
		return
	}
	if r.gone {
		r.mu.Unlock()
		return
	}
	err := g.catchUp(ctx, r)
	if err == nil {
		g.release(r)
		return
	}
	r.mu.Unlock()
	if ctx.Err() == nil && !g.closed.Load() {
		slog.Error("a game is shown as it was: its log cannot be read", "game", r.now.Load().Ref.ID, "err", err)
	}
}

// release lets go of a game. Of what was told of it meanwhile, when nobody else could read it, its watchers hear once more.
func (g *Games) release(r *runningGame) {
	r.mu.Unlock()
	if snap := r.now.Load(); r.behind() && !g.closed.Load() {
		g.Moved(snap.Ref, StepEvent)
	}
}

// Follow looks at the log, until ctx ends, for what no hint has told of.
func (g *Games) Follow(ctx context.Context) {
	tick := time.NewTicker(followLook)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := g.LookElsewhere(ctx); err != nil && ctx.Err() == nil {
			slog.Error("look at what other nodes have written", "err", err)
		}
	}
}

// LookElsewhere looks once. One transaction writes at a time, so that events are seen in the order of their numbers.
func (g *Games) LookElsewhere(ctx context.Context) error {
	rows, err := g.DB.ReadSQL.QueryContext(ctx, `SELECT e.game_id, e.seq, e.id, g.tournament_id, g.table_id
		FROM (SELECT game_id, max(seq) seq, max(id) id FROM game_events WHERE id > ? GROUP BY game_id) e JOIN games g ON g.id = e.game_id`, g.nodes.last)
	if err != nil {
		return err
	}
	defer rows.Close()
	var moves []Move
	last := g.nodes.last
	for rows.Next() {
		m, id := Move{Step: StepPhase}, int64(0)
		if err := rows.Scan(&m.Game, &m.Seq, &id, &m.Tournament, &m.Table); err != nil {
			return err
		}
		last = max(last, id)
		moves = append(moves, m)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	g.nodes.last = last
	for _, m := range moves {
		g.MovedElsewhere(m)
	}
	g.mu.Lock()
	known := slices.Collect(maps.Values(g.known))
	g.mu.Unlock()
	for _, r := range known { // of which a hint was heard when it could not be read
		if r.behind() {
			g.MovedElsewhere(Move{Game: r.now.Load().Ref.ID, Seq: int(r.news.Load()), Step: StepEvent})
		}
	}
	return nil
}

// heardDrafts are the numbers of the drafts that other nodes have told of last, by node, in a turn of a game.
type heardDrafts struct {
	mu   sync.Mutex
	turn int
	by   map[string]int
}

// later tells whether a draft of a node is later than what that node has told of before.
func (h *heardDrafts) later(node string, d Draft) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if d.Turn != h.turn {
		h.turn, h.by = d.Turn, map[string]int{}
	}
	if d.Number <= h.by[node] {
		return false
	}
	h.by[node] = d.Number
	return true
}

// DraftElsewhere is told of a draft that was sent to another node. One that comes twice, or after a later one, is nothing new.
func (g *Games) DraftElsewhere(game int64, node string, d Draft) {
	r := g.inMemory(game)
	if r == nil {
		return
	}
	if s := &r.now.Load().State; s.Turn.Number != d.Turn || !r.heard.later(node, d) {
		return
	}
	for {
		old := r.now.Load()
		if s := &old.State; s.Phase != engine.PhasePlaying || s.Turn.Seat != d.Seat || s.Turn.Number != d.Turn || d.From.before(old.Draft, d.Turn) {
			return
		}
		snap := *old
		snap.DraftNumber = max(old.DraftNumber+1, d.Number)
		kept := d
		kept.Number = snap.DraftNumber
		kept.Disturbed = !engine.SameSets(snap.State.Table, d.Table)
		snap.Draft = &kept
		if r.now.CompareAndSwap(old, &snap) {
			g.Moved(snap.Ref, StepDraft)
			return
		}
	}
}

// RefreshSeats reads again where the games of an event are played that are not over, and by whom: another node may have seated others.
func (g *Games) RefreshSeats(ctx context.Context, event int64) error {
	g.mu.Lock()
	var refs []Ref
	for _, r := range g.known {
		if snap := r.now.Load(); snap.Ref.TournamentID == event && snap.State.Phase != engine.PhaseOver {
			refs = append(refs, snap.Ref)
		}
	}
	g.mu.Unlock()
	return g.refreshRefs(ctx, refs)
}
