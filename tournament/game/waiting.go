package game

import (
	"context"
	"database/sql"
	"fmt"

	"meldhall/tournament/storage"
)

// isToStart tells of a game g at a table t of a round r that its turn has come: its table was started, alone or with its round, and every
// game before it at the table is confirmed.
const isToStart = `r.status = 'running' AND (r.started_at > 0 OR g.started_at > 0 OR g.number > 1) AND NOT EXISTS (
	SELECT 1 FROM games e WHERE e.table_id = g.table_id AND e.number < g.number AND coalesce((
		SELECT status FROM results WHERE game_id = e.id ORDER BY rev DESC LIMIT 1), '') <> 'confirmed')`

// tablesToStart are the tables at which a game's turn has come, in the order of their games.
func tablesToStart(ctx context.Context, s *storage.DB) ([]int64, error) {
	return s.IDs(ctx, `SELECT t.id FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
		WHERE g.status = 'waiting' AND `+isToStart+` ORDER BY g.id`)
}

// waitingGame is a game whose turn has come, with what its start takes from its event, round and table; without a number where a table
// has none.
type waitingGame struct {
	ref Ref
	ruling
	sameDeal bool   // all tables of the round get the same deal; false for a replayed game, see DealInPlay
	physical bool   // with real tiles: as the table's first game, or as is set for it
	logged   bool   // something is in its log: the referee was called
	absent   []int  // seats whose player has no device; none where bots play
	extra    []int  // seconds more by seat, nil when nobody has any
	seatings uint64 // Seatings before it was read
}

// toStart finds the game at a table whose turn has come. Every game of a hall asks for it as soon as the one before is confirmed, so it is
// read in one statement, with a row for each seat. The || has games found by their table, which are fewer than those that wait.
func (g *Games) toStart(ctx context.Context, from storage.Asked, table int64) (w waitingGame, err error) {
	w.seatings = g.Seatings()
	some := false
	err = storage.EachRow(ctx, from, func(rows *sql.Rows) error {
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
			(SELECT coalesce(json_extract(v.data, '$.physical'), '0') FROM games f JOIN game_events v ON v.game_id = f.id AND v.kind = 'game_started'
				WHERE f.table_id = t.id AND f.number = 1 ORDER BY v.seq LIMIT 1),
			CASE WHEN t.tiles = 'real' OR t.tiles = '' AND e.tiles = 'real' THEN '1' ELSE '0' END),
			EXISTS (SELECT 1 FROM game_events WHERE game_id = g.id), e.rehearses
		`+refTables+`WHERE g.table_id = ? AND g.status || '' = 'waiting' AND `+isToStart+` AND e.removed_at = 0 AND `+eventStays+`
		ORDER BY g.number LIMIT 1) w JOIN seats s ON s.table_id = w.table_id JOIN players p ON p.id = s.player_id ORDER BY s.seat`, table)
	w.stage, w.round = w.ref.Stage, w.ref.Round
	if !some { // as nearly everywhere
		w.extra = nil
	}
	return w, err
}

// NextAt finds, in the transaction that confirms a game in a file, the one at its table whose turn has come with that, and gives what starts
// it after the commit; nil: there is none. What the transaction has read is still in its connection's cache, and a reader's is lost with every
// commit. Of what may change in between, only who sits where is looked at again.
func (g *Games) NextAt(ctx context.Context, tx storage.Asked, table int64) (start func(context.Context) error, err error) {
	w, err := g.toStart(ctx, tx, table)
	if err != nil || w.ref.ID == 0 {
		return nil, err
	}
	return func(ctx context.Context) error {
		if g.closed.Load() { // the next start of the program begins it
			return nil
		}
		if g.Seatings() != w.seatings {
			return g.StartWaiting(ctx, table)
		}
		start, err := g.prepare(ctx, w)
		if err == nil {
			err = g.start(ctx, w.ref, start)
		}
		return g.tryLater(w.failed(err))
	}, nil
}

func (w waitingGame) failed(err error) error {
	if err != nil {
		err = fmt.Errorf("start game %d: %w", w.ref.ID, err)
	}
	return err
}
