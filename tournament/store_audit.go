package tournament

import (
	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/rights"
)

// change is what a record in sentences says of a change.
type change struct {
	tournament             int64 // 0: none
	action                 string
	subject                string
	before, after, because string
}

func (s *Store) audit(tx *gorm.DB, actor rights.Actor, c change) error {
	var event any
	if c.tournament != 0 {
		event = c.tournament
	}
	return tx.Exec("INSERT INTO audit (at, tournament_id, actor, action, subject, before, after, why) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		s.now(), event, actor.String(), c.action, c.subject, c.before, c.after, c.because).Error
}

func (s *Store) now() engine.Millis { return engine.MillisOf(s.Now()) }
