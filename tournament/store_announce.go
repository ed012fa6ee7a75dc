package tournament

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"meldhall/engine"
)

// Announce says something to a whole event; for organizers and head referees.
func (s *Store) Announce(ctx context.Context, actor Actor, event int64, n NewAnnouncement) (Announcement, error) {
	if err := Authorize(actor, Place{Tournament: event}, MayAnnounce); err != nil {
		return Announcement{}, err
	}
	a, err := n.announcement(s.now())
	if err != nil {
		return Announcement{}, err
	}
	a.TournamentID, a.Actor = event, actor.String()
	err = s.Tx(ctx, func(tx *gorm.DB) error {
		if _, err := findTournament(tx, event); err != nil {
			return err
		}
		if err := tx.Create(&a).Error; err != nil {
			return err
		}
		text, _ := a.TextFor("en")
		return s.audit(tx, actor, change{tournament: event, action: "announce", subject: fmt.Sprintf("announcement %d", a.ID),
			after: fmt.Sprintf("%s, %d minutes: %s", a.Level, n.Minutes, text)})
	})
	return a, err
}

// EndAnnouncement takes an announcement away before its time; for organizers and head referees.
func (s *Store) EndAnnouncement(ctx context.Context, actor Actor, id int64) (Announcement, error) {
	var a Announcement
	err := s.Tx(ctx, func(tx *gorm.DB) error {
		err := tx.Take(&a, id).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			a.TournamentID, err = 0, nil
		}
		if err != nil {
			return err
		}
		if err := Authorize(actor, Place{Tournament: a.TournamentID}, MayAnnounce); err != nil {
			return err
		}
		if a.ID == 0 {
			return Refuse(NotFound, "err_announcement_not_found")
		}
		if a.Until <= s.now() {
			return nil
		}
		a.Until = s.now()
		if err := tx.Model(&a).Update("until", a.Until).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: a.TournamentID, action: "announce.end", subject: fmt.Sprintf("announcement %d", a.ID)})
	})
	return a, err
}

// Announced gives what is said to an event now, the newest first; for everybody.
func (s *Store) Announced(ctx context.Context, event int64) ([]Announcement, error) {
	return s.announcements(ctx, event, s.now())
}

// Announcements gives all that was ever said to an event, the newest first; for officials.
func (s *Store) Announcements(ctx context.Context, actor Actor, event int64) ([]Announcement, error) {
	if err := Authorize(actor, Place{Tournament: event}, MaySeeDesk); err != nil {
		return nil, err
	}
	if _, err := s.TournamentByID(ctx, event); err != nil {
		return nil, err
	}
	return s.announcements(ctx, event, 0)
}

func (s *Store) announcements(ctx context.Context, event int64, after engine.Millis) ([]Announcement, error) {
	var all []Announcement
	err := s.Read.WithContext(ctx).Where("tournament_id = ? AND until > ?", event, after).Order("id DESC").Limit(100).Find(&all).Error
	return all, err
}
