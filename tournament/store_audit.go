package tournament

import (
	"context"

	"gorm.io/gorm"

	"meldhall/engine"
)

// change is what an audit record says of a change.
type change struct {
	tournament             int64 // 0: none
	action                 string
	subject                string
	before, after, because string
}

func (s *Store) audit(tx *gorm.DB, actor Actor, c change) error {
	var event any
	if c.tournament != 0 {
		event = c.tournament
	}
	return tx.Exec("INSERT INTO audit (at, tournament_id, actor, action, subject, before, after, why) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		s.now(), event, actor.String(), c.action, c.subject, c.before, c.after, c.because).Error
}

func (s *Store) now() engine.Millis { return engine.MillisOf(s.Now()) }

// Audit gives the newest records of a tournament first, at most limit; tournament 0: those of no tournament.
func (s *Store) Audit(ctx context.Context, actor Actor, tournamentID int64, limit int) ([]AuditEntry, error) {
	if err := Authorize(actor, Place{Tournament: tournamentID}, MaySeeAudit); err != nil {
		return nil, err
	}
	var entries []AuditEntry
	q := s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID)
	if tournamentID == 0 {
		q = s.Read.WithContext(ctx).Where("tournament_id IS NULL")
	}
	err := q.Order("id DESC").Limit(limit).Find(&entries).Error
	return entries, err
}
