package game

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/storage"
)

// FindRef reads where a game is played and by whom.
func FindRef(ctx context.Context, s *storage.DB, game int64) (Ref, error) {
	ref := Ref{ID: game}
	err := s.ReadSQL.QueryRowContext(ctx, `
		SELECT g.tournament_id, t.round_id, g.table_id, g.number, (SELECT max(number) FROM games WHERE table_id = t.id), t.number, e.practice, e.created_at, r.stage
		FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id JOIN tournaments e ON e.id = g.tournament_id
		WHERE g.id = ?`, game).
		Scan(&ref.TournamentID, &ref.RoundID, &ref.TableID, &ref.Number, &ref.Of, &ref.TableNumber, &ref.Practice, &ref.Since, &ref.Stage)
	if errors.Is(err, sql.ErrNoRows) {
		return ref, refuse.NotFound("err_game_not_found", "id", game)
	}
	if err != nil {
		return ref, fmt.Errorf("find game %d: %w", game, err)
	}
	ref.Players, err = s.IDs(ctx, `SELECT player_id FROM seats WHERE table_id = ? ORDER BY seat`, ref.TableID)
	return ref, err
}

// eventOf is the tournament of a round.
func (g *Games) eventOf(ctx context.Context, round int64) (event int64, err error) {
	err = g.DB.ReadSQL.QueryRowContext(ctx, `SELECT tournament_id FROM rounds WHERE id = ?`, round).Scan(&event)
	if errors.Is(err, sql.ErrNoRows) {
		err = refuse.NotFound("err_round_not_found", "id", round)
	}
	return event, err
}

func gamesInStatus(ctx context.Context, s *storage.DB, status string) ([]int64, error) {
	return s.IDs(ctx, `SELECT id FROM games WHERE status = ? ORDER BY id`, status)
}

// gamesToStart are the waiting games, at one table or at all (0), whose table was started, alone or with its round, and before
// which every game at the table is confirmed.
func gamesToStart(ctx context.Context, s *storage.DB, table int64) ([]int64, error) {
	where, args := "g.status = 'waiting'", []any{}
	if table != 0 {
		where, args = "g.table_id = ? AND +g.status = 'waiting'", []any{table} // the + has them found by the table, which are fewer
	}
	return s.IDs(ctx, `
		SELECT g.id FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
		WHERE `+where+` AND r.status = 'running' AND (r.started_at > 0 OR g.started_at > 0 OR g.number > 1) AND NOT EXISTS (
			SELECT 1 FROM games e WHERE e.table_id = g.table_id AND e.number < g.number AND coalesce((
				SELECT status FROM results WHERE game_id = e.id ORDER BY rev DESC LIMIT 1), '') <> 'confirmed')
		ORDER BY g.id`, args...)
}

func gameAtTable(ctx context.Context, s *storage.DB, table int64, number int) (id int64, err error) {
	err = s.ReadSQL.QueryRowContext(ctx, `SELECT id FROM games WHERE table_id = ? AND number = ?`, table, number).Scan(&id)
	return id, err
}

// lastHeartbeat is when the program was last known to run; 0 when it never did.
func lastHeartbeat(ctx context.Context, s *storage.DB) (at engine.Millis, err error) {
	err = s.ReadSQL.QueryRowContext(ctx, `SELECT at FROM heartbeat WHERE id = 1`).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return at, err
}

func beat(ctx context.Context, s *storage.DB, at engine.Millis) error {
	_, err := s.WriteSQL.ExecContext(ctx, `INSERT INTO heartbeat (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at`, at)
	return err
}
