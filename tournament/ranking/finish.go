package ranking

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/standing"
)

// FinishRound finishes a game's round once all its results are confirmed; its codes then end. The tournament ends with
// its last round, or when a total has reached the rules' limit. Most games are not the last of their round, so the
// query first checks for unfinished games, which is cheaper than reading the results.
func FinishRound(tx *action.Tx, game tournament.Game) error {
	var over int64
	err := tx.Statement.ConnPool.QueryRowContext(tx.Statement.Context, `SELECT r.id FROM tables o
		JOIN rounds r ON r.id = o.round_id WHERE o.id = $1 AND r.status = 'running'
		AND NOT EXISTS (SELECT 1 FROM games g WHERE g.table_id = o.id AND g.status <> 'finished')
		AND NOT EXISTS (SELECT 1 FROM tables t JOIN games g ON g.table_id = t.id WHERE t.round_id = r.id AND g.status <> 'finished')
		AND NOT EXISTS (SELECT 1 FROM tables t JOIN games g ON g.table_id = t.id WHERE t.round_id = r.id
			AND coalesce((SELECT status FROM results WHERE game_id = g.id ORDER BY rev DESC LIMIT 1), '') <> 'confirmed')`, game.TableID).Scan(&over)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	round, err := tournament.FindRound(tx.DB, over)
	if err != nil {
		return err
	}
	round.Status, round.FinishedAt = tournament.RoundFinished, tx.Now()
	if err := tx.Model(&round).Select("status", "finished_at").Updates(&round).Error; err != nil {
		return err
	}
	if err := tx.Model(&tournament.Seat{}).Where("round_id = ?", round.ID).Update("code", "").Error; err != nil {
		return err
	}
	if err := tx.Model(&tournament.Table{}).Where("round_id = ?", round.ID).Update("code", "").Error; err != nil {
		return err
	}
	tx.Record(action.Entry{Kind: tournament.FinishRoundKind, Event: round.TournamentID, On: round.About(),
		Is: action.Step{Was: tournament.RoundRunning, Is: tournament.RoundFinished}})
	return FinishTournament(tx, round.TournamentID)
}

// FinishTournament ends a tournament after its last round if nothing is left to decide.
func FinishTournament(tx *action.Tx, tournamentID int64) error {
	var open int64 // rounds that are not finished
	if err := tx.Model(&tournament.Round{}).Where("tournament_id = ? AND status <> ?", tournamentID,
		tournament.RoundFinished).Count(&open).Error; err != nil || open > 0 {
		return err
	}
	t, err := tournament.FindTournament(tx.DB, tournamentID)
	if err != nil {
		return err
	}
	plan, rules, err := t.Plan()
	if err != nil {
		return err
	}
	var stage int
	if err := tx.Model(&tournament.Round{}).Where("tournament_id = ? AND status <> ?", t.ID,
		tournament.RoundDraft).Select("coalesce(max(stage), 0)").Scan(&stage).Error; err != nil {
		return err
	}
	if stage < len(plan.Stages)-1 && rules.EndsAt == 0 { // the standings cannot end the tournament yet
		return nil
	}
	board, err := LoadBoard(tx.DB, t.ID)
	if err != nil {
		return fmt.Errorf("check whether the event has ended: %w", err)
	}
	over, err := board.Over(tx.DB)
	if err != nil || !over && !board.TotalReached(rules) {
		return err
	}
	tx.Record(action.Entry{Kind: tournament.FinishEventKind, Event: t.ID, On: t.About(),
		Is: action.Step{Was: tournament.StatusRunning, Is: tournament.StatusFinished}})
	if err := tournament.Unseal(tx.DB, t.ID); err != nil {
		return err
	}
	return tx.Model(&t).Update("status", tournament.StatusFinished).Error
}

// TotalReached reports whether a player has the points at which the rules end the tournament (engine/RULES.md section
// 7: lowest points, ends at 500).
func (b *Board) TotalReached(rules ruleset.Ruleset) bool {
	if rules.EndsAt == 0 || rules.Standings != ruleset.LowestPoints {
		return false
	}
	return slices.ContainsFunc(b.Rows, func(r standing.Row) bool { return r.Total >= score.Whole(rules.EndsAt) })
}
