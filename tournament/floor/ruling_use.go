package floor

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/storage"
)

// selectRuled has the words of the index game_events_ruled, which SQLite takes only where they stand in the query too.
const selectRuled = `SELECT e.kind, e.version, e.data FROM games g JOIN game_events e ON e.game_id = g.id
	JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id WHERE g.tournament_id = ? AND r.number < ?
	AND (e.kind = 'penalty_given' OR e.kind = 'notice_given' OR e.kind = 'warning_given' OR e.kind = 'seat_forfeited' OR e.kind = 'redeal_granted' OR e.kind = 'redeal_refused'
	OR e.kind = 'turn_skipped' OR e.kind = 'illegal_ruled' OR e.kind = 'rewound' OR e.kind = 'position_set' OR e.kind = 'time_called')`

// RulingsUsed is how often an event's officials have given which ruling before a round, by the names of engine.RulingUse; a point
// penalty, which is no event of a game, by its kind. What is given in the round itself is not in it: what is ordered by it stands still.
func RulingsUsed(ctx context.Context, s *storage.DB, event int64, round int) (used map[string]int, err error) {
	used = map[string]int{}
	rows, err := s.ReadSQL.QueryContext(ctx, selectRuled, event, round)
	if err != nil {
		return nil, fmt.Errorf("read the rulings of event %d: %w", event, err)
	}
	defer func(rows *sql.Rows) { err = errors.Join(err, rows.Close()) }(rows)
	for rows.Next() {
		var kind, data string
		var version int
		if err := rows.Scan(&kind, &version, &data); err != nil {
			return nil, err
		}
		ruled, err := engine.Decode(kind, version, []byte(data))
		if err != nil {
			return nil, err
		}
		used[engine.RulingUse(ruled)]++
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	points := 0
	err = s.Read.WithContext(ctx).Raw(`SELECT count(*) FROM sanctions WHERE tournament_id = ? AND kind = ? AND round < ?`, event, tournament.PointPenalty, round).Scan(&points).Error
	used[tournament.PointPenalty] = points
	return used, err
}
