package cluster

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	"meldhall/engine"
	"meldhall/tournament/game"
)

// followLook is the interval at which the log is read for moves without a hint.
const followLook = 2 * time.Second

// Move is a hint that a game has moved. Its log has reached Seq. Due is its deadline: 0 if the clock is stopped, nil if
// unknown.
type Move struct {
	Game       int64          `json:"game"`
	Seq        int            `json:"seq"`
	Tournament int64          `json:"event"`
	Table      int64          `json:"table"`
	Step       game.Step      `json:"step"`            // also StepPhase when the game begins, for older versions
	Began      bool           `json:"began,omitempty"` // older versions do not send this field
	Due        *engine.Millis `json:"due,omitempty"`
}

// MovedElsewhere handles a move that another node has written. If the game has viewers here, the log is read at once;
// otherwise it is read when the game is needed or when the game's time has run out. A node that runs the game's clock
// also reads the log when the game begins or ends, and when the hint has no deadline. MovedElsewhere does not block.
func (c *Cluster) MovedElsewhere(m Move) {
	var due *engine.Millis
	keeps := c.kept(m.Game)
	if keeps.fence != 0 && keeps.back == backAll && m.Step != game.StepPhase {
		due = m.Due
	}
	ref := game.Ref{ID: m.Game, TournamentID: m.Tournament, TableID: m.Table}
	snap, again, timed := c.games.Hear(m.Game, m.Seq, due)
	if snap != nil {
		if snap.State.Seq >= m.Seq {
			return
		}
		ref = snap.Ref
	}
	switch {
	case !timed && keeps.fence != 0 && !c.games.Closed():
		go c.follow(m.Game)
		if snap == nil {
			c.games.Moved(ref, m.step())
		}
	case snap != nil && c.Watched != nil && c.Watched(ref):
		c.tails.readSoon(m.Game)
	case !again:
		c.games.Moved(ref, m.step())
	}
}

func (m Move) step() game.Step {
	if m.Began {
		return game.StepBegin
	}
	return m.Step
}

// follow reads what another node has written to the log of a game whose clock runs on this node.
func (c *Cluster) follow(game int64) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := c.games.Resume(ctx, game); err != nil && !c.games.Closed() {
		slog.Error("following a game failed; retrying", "game", game, "err", err)
		time.AfterFunc(followLook, func() { c.followAgain(game) })
	}
}

func (c *Cluster) followAgain(game int64) {
	if c.Keeps(game) && !c.games.Closed() {
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

// LookElsewhere reads the newest moves in the log once. Only one transaction writes at a time, so events appear in the
// order of their IDs.
func (c *Cluster) LookElsewhere(ctx context.Context) error {
	rows, err := c.games.DB.ReadSQL.QueryContext(ctx, `SELECT e.game_id, e.seq, e.id, g.tournament_id, g.table_id
		FROM (SELECT game_id, max(seq) seq, max(id) id FROM game_events WHERE id > $1 GROUP BY game_id) e
			JOIN games g ON g.id = e.game_id`, c.last)
	if err != nil {
		return err
	}
	defer rows.Close()
	var moves []Move
	last := c.last
	for rows.Next() {
		m, id := Move{Step: game.StepPhase}, int64(0)
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
	for id, seq := range c.games.Behind() { // hints that arrived while the game could not be read
		c.MovedElsewhere(Move{Game: id, Seq: seq, Step: game.StepEvent})
	}
	return nil
}

// DraftElsewhere handles a draft that was sent to another node. A duplicate, or a draft that arrives after a later one,
// is ignored.
func (c *Cluster) DraftElsewhere(id int64, node string, d game.Draft) { c.games.HearDraft(id, node, d) }

// Wrote notifies the other nodes of a move, with the deadline for the node that runs the clock.
func (c *Cluster) Wrote(now *game.Snapshot, due engine.Millis, step game.Step) {
	if c.SendMove != nil {
		c.SendMove(Move{Game: now.Ref.ID, Seq: now.State.Seq, Tournament: now.Ref.TournamentID,
			Table: now.Ref.TableID, Step: min(step, game.StepPhase), Began: step == game.StepBegin, Due: &due})
	}
}

// leftTable is the part of a draft that nodes share: whether the table is disturbed in a turn, for which the player
// pays when time runs out. The draft itself may get lost when the game moves to another node.
type leftTable struct {
	Turn      int
	Disturbed bool
}

const (
	leftTables = "table left" // the name of the shelf
	leftLife   = time.Hour
)

// Drafted stores whether the table is disturbed, if that has changed, for the node that lets the turn's time run out.
// It notifies the other nodes of the draft.
func (c *Cluster) Drafted(before, now *game.Snapshot) {
	id, d := now.Ref.ID, *now.Draft
	if before.Draft == nil || before.Draft.Turn != d.Turn || before.Draft.Disturbed != d.Disturbed {
		c.games.DB.Nodes.Shelf(leftTables).Put(strconv.FormatInt(id, 10), leftTable{d.Turn, d.Disturbed},
			c.games.DB.Now().Add(leftLife))
	}
	if c.SendDraft != nil {
		c.SendDraft(id, d)
	}
}

// Disturbed reports whether the table is disturbed, as recorded by the node that had the turn's last draft.
func (c *Cluster) Disturbed(snap *game.Snapshot) bool {
	var left leftTable
	if !c.games.DB.Nodes.Shelf(leftTables).See(strconv.FormatInt(snap.Ref.ID, 10), &left) ||
		left.Turn != snap.State.Turn.Number {
		return snap.Disturbed()
	}
	return left.Disturbed
}
