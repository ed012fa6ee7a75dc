package tournament

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

const insertEvidence = `INSERT INTO evidence (game_id, turn, seat, at, kind, data) VALUES (?,?,?,?,?,?)`

// addEvidence writes rows in one transaction.
func (s *Store) addEvidence(ctx context.Context, rows []Evidence) error {
	tx, err := s.writeSQL.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if _, err := tx.ExecContext(ctx, insertEvidence, r.GameID, r.Turn, r.Seat, int64(r.At), r.Kind, r.Data); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}

// Evidence gives what is kept of a game, in the order in which it was noted, to officials. What waits is written first.
func (g *Games) Evidence(ctx context.Context, actor Actor, game int64) ([]Evidence, error) {
	snap, err := g.Look(ctx, game)
	if err != nil {
		return nil, err
	}
	if err := Authorize(actor, Place{Tournament: snap.Ref.TournamentID, Table: snap.Ref.TableID, Seat: -1}, ActSeeDesk); err != nil {
		return nil, err
	}
	g.notes.flush()
	return g.store.evidence(ctx, game)
}

func (s *Store) evidence(ctx context.Context, game int64) (all []Evidence, err error) {
	rows, err := s.readSQL.QueryContext(ctx, `SELECT id, game_id, turn, seat, at, kind, data FROM evidence WHERE game_id = ? ORDER BY id`, game)
	if err != nil {
		return nil, fmt.Errorf("read the evidence of game %d: %w", game, err)
	}
	defer func(rows *sql.Rows) { err = errors.Join(err, rows.Close()) }(rows)
	for rows.Next() {
		var e Evidence
		if err := rows.Scan(&e.ID, &e.GameID, &e.Turn, &e.Seat, &e.At, &e.Kind, &e.Data); err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, rows.Err()
}
