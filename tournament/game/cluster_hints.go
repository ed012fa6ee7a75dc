package game

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// followLook is the interval at which the log is read for moves without a hint.
const followLook = 2 * time.Second

// Move is a hint that a game has moved. Its log is at Seq, and its time runs out at Due: 0 if its clock stands, nil if
// unknown.
type Move struct {
	Game       int64          `json:"game"`
	Seq        int            `json:"seq"`
	Tournament int64          `json:"event"`
	Table      int64          `json:"table"`
	Step       Step           `json:"step"`            // StepPhase also for a beginning, for older programs
	Began      bool           `json:"began,omitempty"` // older programs do not send this field
	Due        *engine.Millis `json:"due,omitempty"`
}

// MovedElsewhere handles a move that another node has written. If the game has viewers here, the log is read at once;
// otherwise when it is needed or when the game's time has run out. A node that runs the game's clock also reads the log
// when the game begins or ends, and when the hint has no deadline. MovedElsewhere does not block.
func (c *Cluster) MovedElsewhere(m Move) {
	r := c.games.inMemory(m.Game)
	ref, heard, set := Ref{ID: m.Game, TournamentID: m.Tournament, TableID: m.Table}, false, false
	if r != nil {
		if r.now.Load().State.Seq >= m.Seq {
			return
		}
		ref = r.now.Load().Ref
		heard, set = c.hear(r, m)
	}
	switch {
	case !set && c.games.holds(m.Game) && !c.games.closed.Load():
		go c.follow(m.Game)
		if r == nil {
			c.games.Moved(ref, m.step())
		}
	case r != nil && c.games.Watched != nil && c.games.Watched(ref):
		r.readSoon()
	case !heard:
		c.games.Moved(ref, m.step())
	}
}

func (m Move) step() Step {
	if m.Began {
		return StepBegin
	}
	return m.Step
}

// hear records the seq of a hint and reports whether it was heard before. If the clock runs on this node, the hint's
// deadline sets it; set reports whether the clock is now set for that seq.
func (c *Cluster) hear(r *runningGame, m Move) (heard, set bool) {
	kept := c.kept(m.Game)
	r.clock.mu.Lock()
	defer r.clock.mu.Unlock()
	if heard = int64(m.Seq) <= r.news.Load(); !heard {
		r.news.Store(int64(m.Seq))
		if m.Due != nil && m.Step != StepPhase && kept.fence != 0 && kept.back == backAll {
			if r.clock.heard = m.Seq; !r.clock.again {
				r.setClock(*m.Due)
			}
		}
	}
	return heard, r.clock.heard >= m.Seq
}

// behind reports whether a hint has announced a later seq than this node has.
func (r *runningGame) behind() bool { return r.news.Load() > int64(r.now.Load().State.Seq) }

// follow reads what another node has written about a game whose clock runs here.
func (c *Cluster) follow(game int64) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := c.keep(ctx, game); err != nil && !c.games.closed.Load() {
		slog.Error("following a game failed; retrying", "game", game, "err", err)
		time.AfterFunc(followLook, func() { c.followAgain(game) })
	}
}

func (c *Cluster) followAgain(game int64) {
	if c.games.holds(game) && !c.games.closed.Load() {
		c.follow(game)
	}
}

// Follow reads the log at intervals until ctx ends, for moves without a hint.
func (c *Cluster) Follow(ctx context.Context) {
	tick := time.NewTicker(followLook)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := c.LookElsewhere(ctx); err != nil && ctx.Err() == nil {
			slog.Error("reading the events of other nodes failed", "err", err)
		}
	}
}

// LookElsewhere reads the log once. Only one transaction writes at a time, so events appear in the order of their IDs.
func (c *Cluster) LookElsewhere(ctx context.Context) error {
	rows, err := c.games.DB.ReadSQL.QueryContext(ctx, `SELECT e.game_id, e.seq, e.id, g.tournament_id, g.table_id
		FROM (SELECT game_id, max(seq) seq, max(id) id FROM game_events WHERE id > $1 GROUP BY game_id) e JOIN games g ON g.id = e.game_id`, c.last)
	if err != nil {
		return err
	}
	defer rows.Close()
	var moves []Move
	last := c.last
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
	c.last = last
	for _, m := range moves {
		c.MovedElsewhere(m)
	}
	c.games.mu.Lock()
	known := slices.Collect(maps.Values(c.games.known))
	c.games.mu.Unlock()
	for _, r := range known { // hints that arrived while the game could not be read
		if r.behind() {
			c.MovedElsewhere(Move{Game: r.now.Load().Ref.ID, Seq: int(r.news.Load()), Step: StepEvent})
		}
	}
	return nil
}

// heardDrafts holds the number of the last draft from each other node, in a turn of a game.
type heardDrafts struct {
	mu   sync.Mutex
	turn int
	by   map[string]int
}

// later reports whether a draft is later than all earlier ones of its node.
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

// DraftElsewhere handles a draft that was sent to another node. A duplicate, or a draft that arrives after a later one,
// is ignored.
func (c *Cluster) DraftElsewhere(game int64, node string, d Draft) {
	r := c.games.inMemory(game)
	if r == nil {
		return
	}
	if s := &r.now.Load().State; s.Turn.Number != d.Turn || !r.heard.later(node, d) {
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
			c.games.Moved(snap.Ref, StepDraft)
			return
		}
	}
}
