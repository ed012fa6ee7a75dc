package screen

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"meldhall/engine"
	"meldhall/tournament/result"
	"meldhall/tournament/store"
)

// selectRuled repeats the condition of the index game_events_ruled, because SQLite uses the index only if the query
// does.
const selectRuled = `SELECT e.kind, e.version, e.data FROM games g JOIN game_events e ON e.game_id = g.id
	JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id WHERE g.tournament_id = $1 AND r.number < $2
	AND (e.kind = 'penalty_given' OR e.kind = 'notice_given' OR e.kind = 'warning_given' OR e.kind = 'seat_forfeited' OR e.kind = 'redeal_granted' OR e.kind = 'redeal_refused'
	OR e.kind = 'turn_skipped' OR e.kind = 'illegal_ruled' OR e.kind = 'rewound' OR e.kind = 'position_set' OR e.kind = 'time_called')`

// RulingsUsed counts the rulings that a tournament's officials gave before a round, by the names of engine.RulingUse. A
// point penalty, which is not an event of a game, is counted by its kind. Rulings in the round itself do not count, so
// that lists ordered by these counts stay stable.
func RulingsUsed(ctx context.Context, s *store.DB, tournamentID int64, round int) (used map[string]int, err error) {
	used = map[string]int{}
	rows, err := s.ReadSQL.QueryContext(ctx, selectRuled, tournamentID, round)
	if err != nil {
		return nil, fmt.Errorf("read the rulings of event %d: %w", tournamentID, err)
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
	var points int64
	err = s.Read.WithContext(ctx).Model(&result.Penalty{}).Where("tournament_id = ? AND kind = ? AND round < ?",
		tournamentID, result.PointPenalty, round).Count(&points).Error
	used[result.PointPenalty] = int(points)
	return used, err
}
