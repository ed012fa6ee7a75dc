package game

import (
	"context"
	"fmt"

	"meldhall/tournament/refuse"
	"meldhall/tournament/storage"
)

// CurrentGame is the game that a table plays or counts now: the first one whose result is not confirmed,
// or the last one when all are. Rev is that of its result, 0 while it has none; Agreed is how many players have agreed
// to what it says.
type CurrentGame struct {
	Table, Game         int64
	TableNumber, Number int
	Rev                 int
	Confirmed           bool
	Agreed              int
}

const selectCurrent = `
	SELECT t.id, t.number, g.id, g.number, coalesce(r.rev, 0), coalesce(r.status, '') = 'confirmed',
		(SELECT count(DISTINCT s.player_id) FROM signatures s WHERE s.game_id = g.id AND s.rev >= (
			SELECT max(b.rev) FROM results b WHERE b.game_id = g.id AND (b.rev = 1 OR b.why <> '')))
	FROM tables t JOIN games g ON g.table_id = t.id
	LEFT JOIN results r ON r.game_id = g.id AND r.rev = (SELECT max(rev) FROM results WHERE game_id = g.id)
	WHERE %s ORDER BY t.number, g.number`

// CurrentAtTable gives a table's current game, NotFound for a table without games.
func CurrentAtTable(ctx context.Context, s *storage.DB, table int64) (CurrentGame, error) {
	all, err := current(ctx, s, "t.id = ?", table)
	if err == nil && len(all) == 0 {
		err = refuse.NotFound("err_table_not_found", "id", table)
	}
	if err != nil {
		return CurrentGame{}, err
	}
	return all[0], nil
}

// CurrentInRound gives the current game of every table of a round, by table number.
func CurrentInRound(ctx context.Context, s *storage.DB, round int64) ([]CurrentGame, error) {
	return current(ctx, s, "t.round_id = ?", round)
}

func current(ctx context.Context, s *storage.DB, where string, id int64) ([]CurrentGame, error) {
	rows, err := s.ReadSQL.QueryContext(ctx, fmt.Sprintf(selectCurrent, where), id)
	if err != nil {
		return nil, fmt.Errorf("find the current games: %w", err)
	}
	defer rows.Close()
	var all []CurrentGame
	for rows.Next() {
		var g CurrentGame
		if err := rows.Scan(&g.Table, &g.TableNumber, &g.Game, &g.Number, &g.Rev, &g.Confirmed, &g.Agreed); err != nil {
			return nil, fmt.Errorf("find the current games: %w", err)
		}
		n := len(all)
		switch {
		case n == 0 || all[n-1].Table != g.Table:
			all = append(all, g)
		case all[n-1].Confirmed:
			all[n-1] = g
		}
	}
	return all, rows.Err()
}
