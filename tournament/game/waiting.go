package game

import (
	"context"
	"database/sql"
	"fmt"

	"meldhall/tournament/store"
)

// isToStart is the condition that game g at table t of round r is due: its table has been started, alone or with the
// round, and all earlier games at the table are confirmed.
const isToStart = `r.status = 'running' AND (r.started_at > 0 OR g.started_at > 0 OR g.number > 1) AND NOT EXISTS (
	SELECT 1 FROM games e WHERE e.table_id = g.table_id AND e.number < g.number AND coalesce((
		SELECT status FROM results WHERE game_id = e.id ORDER BY rev DESC LIMIT 1), '') <> 'confirmed')`

// tablesToStart returns the tables at which a game is due, in the order of the games.
func tablesToStart(ctx context.Context, s *store.DB) ([]int64, error) {
	return s.IDs(ctx, `SELECT t.id FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
		WHERE g.status = 'waiting' AND `+isToStart+` ORDER BY g.id`)
}

// waitingGame is a game that is due, with the data of its tournament, round and table that its start needs. Its ID is 0
// if the table has none.
type waitingGame struct {
	ref Ref
	ruling
	sameDeal bool   // one deal for the round's tables; not for replays, see DealInPlay
	physical bool   // real tiles: as in the table's first game, or as set for it
	logged   bool   // its log has entries: the referee was called
	absent   []int  // seats whose player has no device; empty where bots play
	extra    []int  // extra seconds by seat, nil if none has any
	seatings uint64 // Seatings before the game was read
}

// toStart returns the game that is due at a table, or one with ID 0 if none is. Every game of a hall asks for this as
// soon as the previous one is confirmed, so it takes one statement, with a row per seat. The || makes the database find
// games by table, which are fewer than the waiting ones.
func (s *starter) toStart(ctx context.Context, from store.Asked, table int64) (w waitingGame, err error) {
	w.seatings = s.games.Seatings.All()
	some := false
	err = store.EachRow(ctx, from, func(rows *sql.Rows) error {
		var player, rehearses int64
		var extra int
		var absent bool
		err := rows.Scan(append(w.ref.columns(), &w.format, &w.rules, &w.changes, &w.sameDeal, &w.physical, &w.logged,
			&rehearses, &player, &extra, &absent)...)
		if absent && rehearses == 0 && w.ref.Practice == "" {
			w.absent = append(w.absent, len(w.ref.Players))
		}
		w.ref.Players, w.extra, some = append(w.ref.Players, player), append(w.extra, extra), some || extra != 0
		return err
	}, `SELECT w.*, p.id, p.extra_seconds, p.device_hash IS NULL FROM (
		SELECT `+refColumns+`, e.format, e.rules, e.rule_changes, r.duplicate <> 0 AND g.number <= r.games, coalesce(
			(SELECT coalesce(`+store.JSONField(s.games.DB.Read, "v.data", "physical")+`, '0') FROM games f
				JOIN game_events v ON v.game_id = f.id AND v.kind = 'game_started'
				WHERE f.table_id = t.id AND f.number = 1 ORDER BY v.seq LIMIT 1),
			CASE WHEN t.tiles = 'real' OR t.tiles = '' AND e.tiles = 'real' THEN '1' ELSE '0' END),
			EXISTS (SELECT 1 FROM game_events WHERE game_id = g.id), e.rehearses
		`+refTables+`WHERE g.table_id = $1 AND g.status || '' = 'waiting' AND `+isToStart+` AND e.removed_at = 0
			AND `+eventStays+`
		ORDER BY g.number LIMIT 1) w JOIN seats s ON s.table_id = w.table_id JOIN players p ON p.id = s.player_id ORDER BY s.seat`, table)
	w.stage, w.round = w.ref.Stage, w.ref.Round
	if !some { // true for nearly every table
		w.extra = nil
	}
	return w, err
}

// NextAt finds the game that becomes due at a table, within the transaction that confirms the previous one in a SQLite
// file. It returns the function that starts the game after the commit, or nil if there is none. The rows are still in
// this connection's cache, while a reader's cache is lost with every commit. The returned function checks again only
// who sits where.
func (g *Games) NextAt(ctx context.Context, tx store.Asked, table int64) (start func(context.Context) error,
	err error) {
	w, err := g.starts.toStart(ctx, tx, table)
	if err != nil || w.ref.ID == 0 {
		return nil, err
	}
	return func(ctx context.Context) error {
		if g.closed.Load() { // it begins when the program next starts
			return nil
		}
		if g.Seatings.All() != w.seatings {
			return g.StartWaiting(ctx, table)
		}
		start, err := g.starts.prepare(ctx, w)
		if err == nil {
			err = g.starts.start(ctx, w, start)
		}
		return g.starts.tryLater(w.failed(err))
	}, nil
}

func (w waitingGame) failed(err error) error {
	if err != nil {
		err = fmt.Errorf("start game %d: %w", w.ref.ID, err)
	}
	return err
}
