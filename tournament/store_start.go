package tournament

import (
	"context"
	"fmt"

	"gorm.io/gorm"
)

// StartRound lets the games of a published round begin, and those of a round of which single tables were started that wait
// yet. A round that runs as a whole already stays as it is.
func (s *Store) StartRound(ctx context.Context, actor Actor, roundID int64) error {
	return s.Tx(ctx, func(tx *gorm.DB) error {
		round, err := findRound(tx, roundID)
		if err != nil {
			return err
		}
		if err := Authorize(actor, Place{Tournament: round.TournamentID}, MayStartRound); err != nil {
			return err
		}
		if err := round.mayStart(); err != nil || round.StartedAt != 0 {
			return err
		}
		before := round.Status
		if before == RoundRunning { // single tables of it
			before = ""
		}
		round.Status, round.StartedAt = RoundRunning, s.now()
		if err := tx.Model(&round).Select("status", "started_at").Updates(&round).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: round.TournamentID, action: "round.start", subject: round.subject(),
			before: before, after: RoundRunning})
	})
}

// mayStart refuses a round that is not published yet, or over.
func (r Round) mayStart() error {
	switch r.Status {
	case RoundDraft:
		return Refuse(Conflict, "err_round_not_published", "round", r.Number)
	case RoundFinished:
		return Refuse(Conflict, "err_round_over", "round", r.Number)
	}
	return nil
}

// StartTable lets the games of one table of a published round begin before the others: the round runs from then on, and its
// seating stays; the others begin with StartRound, or one by one. began is false for a table that was started already,
// which stays as it is.
func (s *Store) StartTable(ctx context.Context, actor Actor, tableID int64) (began bool, err error) {
	err = s.Tx(ctx, func(tx *gorm.DB) error {
		began = false
		table, err := findTable(tx, tableID)
		if err != nil {
			return err
		}
		if err := Authorize(actor, Place{Tournament: table.TournamentID, Table: tableID, Seat: -1}, MayStartRound); err != nil {
			return err
		}
		round, err := findRound(tx, table.RoundID)
		if err != nil {
			return err
		}
		if err := round.mayStart(); err != nil || table.Started(round) {
			return err
		}
		began = true
		if err := tx.Model(&Game{}).Where("id = ?", table.Games[0].ID).Update("started_at", s.now()).Error; err != nil {
			return err
		}
		var left int64
		if err := tx.Raw(`SELECT count(*) FROM tables t JOIN games g ON g.table_id = t.id WHERE t.round_id = ? AND g.number = 1 AND g.started_at = 0`,
			round.ID).Scan(&left).Error; err != nil {
			return err
		}
		round.Status = RoundRunning
		if left == 0 {
			round.StartedAt = s.now()
		}
		if err := tx.Model(&round).Select("status", "started_at").Updates(&round).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: round.TournamentID, action: "table.start",
			subject: fmt.Sprintf("round %d, table %d", round.Number, table.Number), before: GameWaiting, after: GameRunning})
	})
	return began, err
}

// Started tells whether a table of a round was started: alone, or with the round. Its games must be filled in.
func (t Table) Started(r Round) bool {
	return r.StartedAt != 0 || len(t.Games) > 0 && t.Games[0].StartedAt != 0
}
