package tournament

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"
)

// Results gives every revision of a game's result, the first one first.
func (s *Store) Results(ctx context.Context, gameID int64) ([]Result, error) {
	db := s.Read.WithContext(ctx)
	return resultsOf(db, db.Where("game_id = ?", gameID))
}

// LatestResult gives the revision that counts; NotFound before the game has ended.
func (s *Store) LatestResult(ctx context.Context, gameID int64) (Result, error) {
	return latestResult(s.Read.WithContext(ctx), gameID)
}

// RoundResults gives the results that count of a round's games, by game.
func (s *Store) RoundResults(ctx context.Context, roundID int64) (map[int64]Result, error) {
	db := s.Read.WithContext(ctx)
	results, err := resultsOf(db, db.Where(`rev = (SELECT max(rev) FROM results l WHERE l.game_id = results.game_id)
		AND game_id IN (SELECT g.id FROM games g JOIN tables t ON t.id = g.table_id WHERE t.round_id = ?)`, roundID))
	byGame := make(map[int64]Result, len(results))
	for _, r := range results {
		byGame[r.GameID] = r
	}
	return byGame, err
}

// ConfirmResult makes revision rev of a game's result final, as a new revision. When somebody has
// revised it meanwhile, it is a Conflict that tells the newest revision; pressing twice is not.
func (s *Store) ConfirmResult(ctx context.Context, actor Actor, gameID int64, rev int) error {
	return s.Tx(ctx, func(tx *gorm.DB) error {
		_, err := s.revise(tx, actor, gameID, rev, MayConfirmResult, func(_ *gorm.DB, _ Game, latest Result) (Result, error) {
			return Result{Ending: latest.Ending, Lines: latest.Lines}, nil
		})
		return err
	})
}

// revise writes the next revision after rev, and finishes the round and the tournament when it was the
// last one that they waited for.
func (s *Store) revise(tx *gorm.DB, actor Actor, gameID int64, rev int, right Right, next nextRevision) (Result, error) {
	game, err := playedGameByID(tx, gameID)
	if err != nil {
		return Result{}, err
	}
	if game.practice {
		tx = unseatingTx(tx)
	}
	if err := Authorize(actor, Place{Tournament: game.TournamentID, Table: game.TableID, Seat: -1, Practice: game.practice}, right); err != nil {
		return Result{}, err
	}
	results, err := resultsOf(tx, tx.Where("game_id = ?", gameID))
	if err == nil && len(results) == 0 {
		err = noResult(gameID)
	}
	if err != nil {
		return Result{}, err
	}
	latest := results[len(results)-1]
	pressedTwice := latest.Rev == rev+1 && latest.Actor == actor.String() && latest.Why == ""
	if right == MayConfirmResult && latest.Confirmed() && (latest.Rev == rev || pressedTwice) {
		return latest, nil
	}
	if latest.Rev != rev {
		return Result{}, Refuse(Conflict, "err_result_changed", "have", latest.Rev, "want", rev, "by", latest.Actor)
	}
	if right == MayCorrectResult && latest.Confirmed() {
		if err := Authorize(actor, Place{Tournament: game.TournamentID}, MayRuleHeavily); err != nil {
			return Result{}, err
		}
	}
	if game.protested {
		if err := protestsAllow(tx, results, right); err != nil {
			return Result{}, err
		}
	}
	result, err := next(tx, game.Game, latest)
	if err != nil {
		return Result{}, err
	}
	result.GameID, result.Rev, result.Status = gameID, rev+1, ResultConfirmed
	result.Actor, result.At = actor.String(), s.now()
	if err := insertResult(tx, &result); err != nil {
		return Result{}, err
	}
	if err := s.audit(tx, actor, change{tournament: game.TournamentID, action: "result." + string(right), subject: game.subject(),
		before: latest.String(), after: result.String(), because: result.Why}); err != nil {
		return Result{}, err
	}
	return result, s.finishRound(tx, actor, game.Game)
}

// playedGame is a game with what a revision of its result must know of it.
type playedGame struct {
	Game
	practice, protested bool
}

func playedGameByID(tx *gorm.DB, id int64) (g playedGame, err error) {
	err = tx.Statement.ConnPool.QueryRowContext(tx.Statement.Context, `
		SELECT g.id, g.tournament_id, g.table_id, g.number, g.status, g.started_at, g.finished_at, e.practice <> '', EXISTS (SELECT 1 FROM protests WHERE game_id = g.id)
		FROM games g JOIN tournaments e ON e.id = g.tournament_id WHERE g.id = ? AND e.removed_at = 0`, id).
		Scan(&g.ID, &g.TournamentID, &g.TableID, &g.Number, &g.Status, (*int64)(&g.StartedAt), (*int64)(&g.FinishedAt), &g.practice, &g.protested)
	if errors.Is(err, sql.ErrNoRows) {
		err = Refuse(NotFound, "err_game_not_found", "id", id)
	}
	return g, err
}

// insertResult writes a revision, without gorm's ways of making a statement: every game of an event has two at least.
func insertResult(tx *gorm.DB, result *Result) error {
	ctx, pool := tx.Statement.Context, tx.Statement.ConnPool
	inserted, err := pool.ExecContext(ctx, `INSERT INTO results (game_id, rev, status, ending, actor, why, at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		result.GameID, result.Rev, result.Status, result.Ending, result.Actor, result.Why, int64(result.At))
	if err != nil {
		return clash(err, "err_result_changed", "have", result.Rev, "want", result.Rev-1, "by", "?")
	}
	if result.ID, err = inserted.LastInsertId(); err != nil {
		return err
	}
	result.Lines = slices.Clone(result.Lines)
	return insertLines(ctx, pool, result.GameID, result.ID, result.Lines)
}

// insertLines writes the lines of a result; players left 0 are read from the seats.
func insertLines(ctx context.Context, pool gorm.ConnPool, gameID, resultID int64, lines []ResultLine) error {
	for i := range lines {
		l := &lines[i]
		inserted, err := pool.ExecContext(ctx, `INSERT INTO result_lines (result_id, seat, player_id, points, wins, charge, reason, tiles, opened)
			VALUES (?, ?, CASE WHEN ? <> 0 THEN ? ELSE (SELECT s.player_id FROM seats s JOIN games g ON g.table_id = s.table_id WHERE g.id = ? AND s.seat = ?) END,
				?, ?, ?, ?, ?, ?)`,
			resultID, l.Seat, l.PlayerID, l.PlayerID, gameID, l.Seat, int64(l.Points), int64(l.Wins), l.Charge, l.Reason, l.Tiles, l.Opened)
		if err != nil {
			return fmt.Errorf("record the result of game %d, seat %d: %w", gameID, l.Seat, err)
		}
		l.ResultID = resultID
		if l.ID, err = inserted.LastInsertId(); err != nil {
			return err
		}
	}
	return nil
}

func latestResult(db *gorm.DB, gameID int64) (Result, error) {
	results, err := resultsOf(db, db.Where("game_id = ? AND rev = (SELECT max(rev) FROM results WHERE game_id = ?)", gameID, gameID))
	if err == nil && len(results) == 0 {
		err = noResult(gameID)
	}
	if err != nil {
		return Result{}, err
	}
	return results[0], nil
}

func noResult(gameID int64) error { return Refuse(NotFound, "err_result_not_found", "id", gameID) }

// resultsOf reads the results that where finds, with their lines.
func resultsOf(db, where *gorm.DB) ([]Result, error) {
	var results []Result
	if err := where.Order("game_id, rev").Find(&results).Error; err != nil || len(results) == 0 {
		return nil, err
	}
	index := make(map[int64]int, len(results))
	ids := make([]int64, len(results))
	for i, r := range results {
		index[r.ID], ids[i] = i, r.ID
	}
	var lines []ResultLine
	if err := db.Where("result_id IN ?", ids).Order("result_id, seat").Find(&lines).Error; err != nil {
		return nil, err
	}
	for _, l := range lines {
		i := index[l.ResultID]
		results[i].Lines = append(results[i].Lines, l)
	}
	return results, nil
}

func (g Game) subject() string { return fmt.Sprintf("game %d", g.ID) }
