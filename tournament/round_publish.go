package tournament

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/standing"
)

// PublishRound makes a draft public and creates its games and the one-time codes of its seats and tables. A round
// already published or running is returned unchanged. A draft whose players have changed since is a Conflict.
// Publishing a draft also approves it. Everything happens in one transaction.
type PublishRound struct {
	Round int64 `json:"round,omitempty" path:"id" minimum:"1"`
}

var publishKind = action.NewKind[PublishRound](action.Kind{Name: "round.publish", Right: rights.MayPublishRound,
	Changes: []action.What{action.TopicSeats, action.TopicPeople},
	Details: action.Steps("status.")})

func (p PublishRound) Do(tx *action.Tx) (Round, error) {
	round, err := FindRound(tx.DB, p.Round)
	if err != nil {
		return round, err
	}
	switch round.Status {
	case RoundPublished, RoundRunning:
		return round, nil
	case RoundFinished:
		return round, refuse.Conflict("err_round_over", "round", round.Number)
	}
	return publish(tx, round)
}

// publish publishes a draft.
func publish(tx *action.Tx, round Round) (Round, error) {
	tables, err := checkNow(tx, &round)
	if err != nil {
		return round, err
	}
	if round.Status, round.PublishedAt = RoundPublished, tx.Now(); round.ChangedAt != 0 {
		round.ChangedAt = round.PublishedAt
	}
	if err := tx.Model(&round).Select("status", "published_at", "changed_at", "checked_at",
		"checked_by").Updates(&round).Error; err != nil {
		return round, err
	}
	if err := tx.Model(&Tournament{}).Where("id = ? AND status = ?", round.TournamentID, StatusDraft).
		Update("status", StatusRunning).Error; err != nil {
		return round, err
	}
	if err := furnish(tx.DB, round, tables); err != nil {
		return round, err
	}
	if round.Sealed = round.Sealed && round.Plan != ""; !round.Sealed {
		if err := unseal(tx.DB, round.TournamentID); err != nil {
			return round, err
		}
	}
	if err := promiseLot(tx, round.TournamentID); err != nil {
		return round, err
	}
	tx.Record(action.Entry{Kind: publishKind, Event: round.TournamentID, On: round.about(),
		Is: action.Step{Was: RoundDraft, Is: RoundPublished}})
	return round, noteMissed(tx.DB, round)
}

// checkNow checks that a draft about to be published seats exactly the current players, each once. It returns the
// tables.
func checkNow(tx *action.Tx, round *Round) ([]Table, error) {
	open, err := openDraft(tx.DB, round.ID)
	if err != nil {
		return nil, err
	}
	if err := pairing.Check(open.q, []pairing.Round{open.plan()}); err != nil {
		return nil, refuse.Invalid("err_seats_wrong", "detail", err.Error())
	}
	if round.CheckedAt == 0 {
		round.CheckedAt, round.CheckedBy = tx.Now(), tx.Actor.Name
	}
	return open.tables, nil
}

// furnish creates the games and codes of a round's tables.
func furnish(tx *gorm.DB, round Round, tables []Table) error {
	coded := func(update string, id int64) error { // without gorm for speed: a hall has hundreds
		code := secret.NewCode()
		_, err := tx.Statement.ConnPool.ExecContext(tx.Statement.Context, update, code, secret.Hash(code), id)
		return err
	}
	var games []Game
	for _, t := range tables {
		if err := coded("UPDATE tables SET code = ?, code_hash = ? WHERE id = ?", t.ID); err != nil {
			return err
		}
		for _, seat := range t.Seats {
			if err := coded("UPDATE seats SET code = ?, code_hash = ? WHERE id = ?", seat.ID); err != nil {
				return err
			}
		}
	}
	for number := range round.Games { // adjacent log index for simultaneous games: fewer pages per commit
		for _, t := range tables {
			games = append(games, Game{TournamentID: round.TournamentID, TableID: t.ID, Number: number + 1,
				Status: game.Waiting})
		}
	}
	return tx.CreateInBatches(games, 100).Error
}

// finishRound finishes a game's round once all its results are confirmed; its codes then end. The tournament ends with
// its last round, or when a total has reached the rules' limit. Most games are not the last of their round, so the
// query first checks for unfinished games, which is cheaper than reading the results.
func finishRound(tx *action.Tx, game Game) error {
	var over int64
	err := tx.Statement.ConnPool.QueryRowContext(tx.Statement.Context, `SELECT r.id FROM tables o JOIN rounds r ON r.id = o.round_id WHERE o.id = ? AND r.status = 'running'
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
	round, err := FindRound(tx.DB, over)
	if err != nil {
		return err
	}
	round.Status, round.FinishedAt = RoundFinished, tx.Now()
	if err := tx.Model(&round).Select("status", "finished_at").Updates(&round).Error; err != nil {
		return err
	}
	if err := tx.Model(&Seat{}).Where("round_id = ?", round.ID).Update("code", "").Error; err != nil {
		return err
	}
	if err := tx.Model(&Table{}).Where("round_id = ?", round.ID).Update("code", "").Error; err != nil {
		return err
	}
	tx.Record(action.Entry{Kind: finishRoundKind, Event: round.TournamentID, On: round.about(),
		Is: action.Step{Was: RoundRunning, Is: RoundFinished}})
	return finishTournament(tx, round.TournamentID)
}

// The records of automatic endings.
var (
	finishRoundKind = action.RecordKind(action.Kind{Name: "round.finish",
		Changes: []action.What{action.TopicSeats, action.TopicStandings}, Details: action.Steps("status.")})
	finishEventKind = action.RecordKind(action.Kind{Name: "tournament.finish",
		Changes: []action.What{action.TopicSeats, action.TopicStandings}, Details: action.Steps("status.")})
)

// finishTournament ends a tournament after its last round if nothing is left to decide.
func finishTournament(tx *action.Tx, tournamentID int64) error {
	var open int64 // rounds that are not finished
	if err := tx.Model(&Round{}).Where("tournament_id = ? AND status <> ?", tournamentID,
		RoundFinished).Count(&open).Error; err != nil || open > 0 {
		return err
	}
	t, err := FindTournament(tx.DB, tournamentID)
	if err != nil {
		return err
	}
	plan, rules, err := t.Plan()
	if err != nil {
		return err
	}
	var stage int
	if err := tx.Model(&Round{}).Where("tournament_id = ? AND status <> ?", t.ID,
		RoundDraft).Select("coalesce(max(stage), 0)").Scan(&stage).Error; err != nil {
		return err
	}
	if stage < len(plan.Stages)-1 && rules.EndsAt == 0 { // the standings cannot end the tournament yet
		return nil
	}
	board, err := loadBoard(tx.DB, t.ID)
	if err != nil {
		return fmt.Errorf("check whether the event has ended: %w", err)
	}
	over, err := board.over(tx.DB)
	if err != nil || !over && !board.totalReached(rules) {
		return err
	}
	tx.Record(action.Entry{Kind: finishEventKind, Event: t.ID, On: t.about(),
		Is: action.Step{Was: StatusRunning, Is: StatusFinished}})
	if err := unseal(tx.DB, t.ID); err != nil {
		return err
	}
	return tx.Model(&t).Update("status", StatusFinished).Error
}

// totalReached reports whether a player has the points at which the rules end the tournament (engine/RULES.md section
// 7: lowest points, ends at 500).
func (b *board) totalReached(rules engine.Ruleset) bool {
	if rules.EndsAt == 0 || rules.Standings != engine.LowestPoints {
		return false
	}
	return slices.ContainsFunc(b.rows, func(r standing.Row) bool { return r.Total >= engine.Whole(rules.EndsAt) })
}
