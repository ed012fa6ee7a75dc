package tournament

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/pairing"
	"meldhall/tournament/standing"
)

// PublishRound makes a draft what everybody sees: its games' rows and the one-time codes of its seats and
// tables are made with it. A round that is published or running already is given as it is. A draft whose
// players have changed since is a Conflict. Whoever publishes a draft that nobody has checked has checked it: all of it happens, or nothing.
func (s *Store) PublishRound(ctx context.Context, actor Actor, roundID int64) (Round, error) {
	var round Round
	err := s.Tx(ctx, func(tx *gorm.DB) (err error) {
		if round, err = findRound(tx, roundID); err != nil {
			return err
		}
		if err := Authorize(actor, Place{Tournament: round.TournamentID}, MayPublishRound); err != nil {
			return err
		}
		switch round.Status {
		case RoundPublished, RoundRunning:
			return nil
		case RoundFinished:
			return Refuse(Conflict, "err_round_over", "round", round.Number)
		}
		if err := s.checkNow(tx, actor, &round); err != nil {
			return err
		}
		round.Status, round.PublishedAt = RoundPublished, s.now()
		if err := tx.Model(&round).Select("status", "published_at", "checked_at", "checked_by").Updates(&round).Error; err != nil {
			return err
		}
		if err := tx.Model(&Tournament{}).Where("id = ? AND status = ?", round.TournamentID, StatusDraft).
			Update("status", StatusRunning).Error; err != nil {
			return err
		}
		if err := furnish(tx, round); err != nil {
			return err
		}
		if err := noteMissed(tx, round); err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: round.TournamentID, action: "round.publish", subject: round.subject(),
			before: RoundDraft, after: RoundPublished})
	})
	return round, err
}

// checkNow is the check of a draft that is published: it seats exactly those who play now, everybody once.
func (s *Store) checkNow(tx *gorm.DB, actor Actor, round *Round) error {
	open, err := openDraft(tx, actor, MayPublishRound, round.ID)
	if err != nil {
		return err
	}
	if _, err := pairing.Assess(open.q, []pairing.Round{open.plan()}); err != nil {
		return Refuse(Invalid, "err_seats_wrong", "detail", err.Error())
	}
	if round.CheckedAt == 0 {
		round.CheckedAt, round.CheckedBy = s.now(), actor.Name
	}
	return nil
}

// furnish makes the games and the codes of a round.
func furnish(tx *gorm.DB, round Round) error {
	tables, err := fillTables(tx, tx.Where("round_id = ?", round.ID))
	if err != nil {
		return err
	}
	var games []Game
	for _, t := range tables {
		code := newCode()
		if err := tx.Model(&Table{}).Where("id = ?", t.ID).
			Updates(map[string]any{"code": code, "code_hash": hashSecret(code)}).Error; err != nil {
			return err
		}
		for _, seat := range t.Seats {
			code := newCode()
			if err := tx.Exec("UPDATE seats SET code = ?, code_hash = ? WHERE id = ?", code, hashSecret(code), seat.ID).Error; err != nil {
				return err
			}
		}
		for number := range round.Games {
			games = append(games, Game{TournamentID: round.TournamentID, TableID: t.ID, Number: number + 1, Status: GameWaiting})
		}
	}
	if err := closeFullTables(tx.Where("round_id = ?", round.ID)); err != nil {
		return err
	}
	return tx.CreateInBatches(games, 100).Error
}

// finishRound ends the round of a game when all its results are confirmed: its codes end with it. The
// tournament ends with its last round, or when a total has reached the rules' end.
func (s *Store) finishRound(tx *gorm.DB, actor Actor, game Game) error {
	var over []int64
	err := tx.Raw(`SELECT r.id FROM tables o JOIN rounds r ON r.id = o.round_id WHERE o.id = ? AND r.status = 'running' AND NOT EXISTS (
		SELECT 1 FROM tables t JOIN games g ON g.table_id = t.id WHERE t.round_id = r.id AND (g.status <> 'finished'
			OR coalesce((SELECT status FROM results WHERE game_id = g.id ORDER BY rev DESC LIMIT 1), '') <> 'confirmed'))`, game.TableID).Scan(&over).Error
	if err != nil || len(over) == 0 {
		return err
	}
	round, err := findRound(tx, over[0])
	if err != nil {
		return err
	}
	round.Status, round.FinishedAt = RoundFinished, s.now()
	if err := tx.Model(&round).Select("status", "finished_at").Updates(&round).Error; err != nil {
		return err
	}
	if err := tx.Model(&Seat{}).Where("round_id = ?", round.ID).Update("code", "").Error; err != nil {
		return err
	}
	if err := tx.Model(&Table{}).Where("round_id = ?", round.ID).Update("code", "").Error; err != nil {
		return err
	}
	if err := s.audit(tx, actor, change{tournament: round.TournamentID, action: "round.finish", subject: round.subject(),
		before: RoundRunning, after: RoundFinished}); err != nil {
		return err
	}
	return s.finishTournament(tx, actor, round.TournamentID)
}

// finishTournament ends an event that has had its last round and has nothing left to decide.
func (s *Store) finishTournament(tx *gorm.DB, actor Actor, event int64) error {
	t, err := findTournament(tx, event)
	if err != nil {
		return err
	}
	rules, err := t.Rules()
	if err != nil {
		return err
	}
	plan, err := t.Format()
	if err != nil {
		return err
	}
	var stage int
	if err := tx.Model(&Round{}).Where("tournament_id = ? AND status <> ?", t.ID, RoundDraft).Select("coalesce(max(stage), 0)").Scan(&stage).Error; err != nil {
		return err
	}
	if stage < len(plan.Stages)-1 && rules.EndsAt == 0 { // nothing that the standings could tell ends it yet
		return nil
	}
	board, err := loadBoard(tx, t.ID)
	if err != nil {
		return fmt.Errorf("find whether the event has ended: %w", err)
	}
	over, err := board.over(tx)
	if err != nil || !over && !board.totalReached(rules) {
		return err
	}
	if err := tx.Model(&t).Update("status", StatusFinished).Error; err != nil {
		return err
	}
	return s.audit(tx, actor, change{tournament: t.ID, action: "tournament.finish", subject: t.subject(),
		before: StatusRunning, after: StatusFinished})
}

// totalReached tells whether somebody has the points at which the rules end the event (rules.md
// section 7: lowest points, ends at 500).
func (b *board) totalReached(rules engine.Ruleset) bool {
	if rules.EndsAt == 0 || rules.Standings != engine.LowestPoints {
		return false
	}
	return slices.ContainsFunc(b.rows, func(r standing.Row) bool { return r.Total >= engine.Whole(rules.EndsAt) })
}
