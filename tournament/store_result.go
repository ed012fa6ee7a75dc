package tournament

import (
	"context"
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
	_, err := s.revise(ctx, actor, gameID, rev, ActConfirmResult, func(_ *gorm.DB, _ Game, latest Result) (Result, error) {
		return Result{Ending: latest.Ending, Lines: latest.Lines}, nil
	})
	return err
}

// CorrectResult replaces revision rev of a game's result by what an official rules, who thereby confirms
// it. A confirmed one is changed by those who rule heavily. The rounds returned were seated by the result as it was and stay as they are: for the official to know.
func (s *Store) CorrectResult(ctx context.Context, actor Actor, gameID int64, rev int, c Correction) (seated []Round, err error) {
	result, err := s.revise(ctx, actor, gameID, rev, ActCorrectResult, func(_ *gorm.DB, _ Game, latest Result) (Result, error) {
		checked, err := c.check(latest)
		return Result{Ending: checked.Ending, Lines: checked.Lines, Why: checked.Why}, err
	})
	if err != nil {
		return nil, err
	}
	db := s.Read.WithContext(ctx)
	err = db.Where(`tournament_id = (SELECT tournament_id FROM games WHERE id = ?) AND number > (
		SELECT r.number FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id WHERE g.id = ?)`,
		result.GameID, result.GameID).Order("number").Find(&seated).Error
	return seated, err
}

// OrderReplay annuls a game, as revision rev of its result, and adds one to its table's games in its place. The round
// must still be running: what later rounds were drawn by is not played again.
func (s *Store) OrderReplay(ctx context.Context, actor Actor, gameID int64, rev int, why string) error {
	_, err := s.revise(ctx, actor, gameID, rev, ActCorrectResult, func(tx *gorm.DB, game Game, latest Result) (Result, error) {
		annulled := Correction{Ending: EndingAnnulled, Lines: slices.Clone(latest.Lines), Why: why}
		for i := range annulled.Lines {
			annulled.Lines[i].Points, annulled.Lines[i].Wins = 0, 0
		}
		checked, err := annulled.check(latest)
		if err != nil {
			return Result{}, err
		}
		if latest.Ending == EndingAnnulled {
			return Result{}, Refuse(Conflict, "err_game_annulled", "game", gameID)
		}
		var last struct {
			Status string
			Number int
		}
		err = tx.Raw(`SELECT r.status, (SELECT max(number) FROM games WHERE table_id = t.id) AS number
			FROM tables t JOIN rounds r ON r.id = t.round_id WHERE t.id = ?`, game.TableID).Scan(&last).Error
		if err != nil {
			return Result{}, err
		}
		if last.Status != RoundRunning {
			return Result{}, Refuse(Conflict, "err_replay_round_over")
		}
		again := Game{TournamentID: game.TournamentID, TableID: game.TableID, Number: last.Number + 1, Status: GameWaiting}
		if err := tx.Create(&again).Error; err != nil {
			return Result{}, err
		}
		return Result{Ending: checked.Ending, Lines: checked.Lines, Why: checked.Why}, nil
	})
	return err
}

// revise writes the next revision after rev, and finishes the round and the tournament when it was the
// last one that they waited for.
func (s *Store) revise(ctx context.Context, actor Actor, gameID int64, rev int, action Action, next func(*gorm.DB, Game, Result) (Result, error)) (Result, error) {
	var result Result
	err := s.Tx(ctx, func(tx *gorm.DB) error {
		game, err := findGame(tx, gameID)
		if err != nil {
			return err
		}
		t, err := findTournament(tx, game.TournamentID)
		if err != nil {
			return err
		}
		if t.Practice != "" {
			tx = unseatingTx(tx)
		}
		if err := Authorize(actor, Place{Tournament: t.ID, Table: game.TableID, Seat: -1, Practice: t.Practice != ""}, action); err != nil {
			return err
		}
		latest, err := latestResult(tx, gameID)
		if err != nil {
			return err
		}
		pressedTwice := latest.Rev == rev+1 && latest.Actor == actor.String() && latest.Why == ""
		if action == ActConfirmResult && latest.Confirmed() && (latest.Rev == rev || pressedTwice) {
			result = latest
			return nil
		}
		if latest.Rev != rev {
			return Refuse(Conflict, "err_result_changed", "have", latest.Rev, "want", rev, "by", latest.Actor)
		}
		if action == ActCorrectResult && latest.Confirmed() {
			if err := Authorize(actor, Place{Tournament: t.ID}, ActRuleHeavily); err != nil {
				return err
			}
		}
		results, err := resultsOf(tx, tx.Where("game_id = ?", gameID))
		if err == nil {
			err = protestsAllow(tx, results, action)
		}
		if err != nil {
			return err
		}
		if result, err = next(tx, game, latest); err != nil {
			return err
		}
		result.GameID, result.Rev, result.Status = gameID, rev+1, ResultConfirmed
		result.Actor, result.At = actor.String(), s.now()
		if err := insertResult(tx, &result); err != nil {
			return err
		}
		if err := s.audit(tx, actor, change{tournament: game.TournamentID, action: "result." + string(action), subject: game.subject(),
			before: latest.String(), after: result.String(), because: result.Why}); err != nil {
			return err
		}
		return s.finishRound(tx, actor, game)
	})
	return result, err
}

func insertResult(tx *gorm.DB, result *Result) error {
	if err := tx.Create(result).Error; err != nil {
		return clash(err, "err_result_changed", "have", result.Rev, "want", result.Rev-1, "by", "?")
	}
	lines := slices.Clone(result.Lines)
	for i := range lines {
		lines[i].ID, lines[i].ResultID = 0, result.ID
	}
	result.Lines = lines
	return tx.Create(&lines).Error
}

func latestResult(db *gorm.DB, gameID int64) (Result, error) {
	results, err := resultsOf(db, db.Where("game_id = ? AND rev = (SELECT max(rev) FROM results WHERE game_id = ?)", gameID, gameID))
	if err == nil && len(results) == 0 {
		err = Refuse(NotFound, "err_result_not_found", "id", gameID)
	}
	if err != nil {
		return Result{}, err
	}
	return results[0], nil
}

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
