package tournament

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// TableByNumber gives a round's table with the number, filled as Tables does; false when the round has none.
func (s *Store) TableByNumber(ctx context.Context, roundID int64, number int) (Table, bool, error) {
	db := s.Read.WithContext(ctx)
	tables, err := fillTables(db, db.Where("round_id = ? AND number = ?", roundID, number))
	if errors.Is(err, gorm.ErrRecordNotFound) || err == nil && len(tables) == 0 {
		return Table{}, false, nil
	}
	if err != nil {
		return Table{}, false, fmt.Errorf("find table %d of round %d: %w", number, roundID, err)
	}
	hideCodes(tables)
	return tables[0], true, nil
}

// PairDisplay puts the screen that holds a token at a table, or at another one than before; for officials.
func (s *Store) PairDisplay(ctx context.Context, actor rights.Actor, token string, to Display) (Display, error) {
	err := s.Tx(ctx, func(tx *gorm.DB) error {
		old := Display{}
		err := tx.Where("token_hash = ?", hashSecret(token)).Take(&old).Error
		if err != nil && !errors.Is(err, gorm.ErrRecordNotFound) {
			return err
		}
		to.ID, to.TokenHash, to.CreatedAt, to.SeenAt = old.ID, hashSecret(token), old.CreatedAt, old.SeenAt
		return s.placeDisplay(tx, actor, old, &to)
	})
	return to, err
}

// MoveDisplay puts a screen that is paired at another table of its tournament; for officials.
func (s *Store) MoveDisplay(ctx context.Context, actor rights.Actor, tournamentID, id int64, number int) (Display, error) {
	var to Display
	err := s.Tx(ctx, func(tx *gorm.DB) error {
		old, err := findDisplay(tx, tournamentID, id)
		if err != nil {
			return err
		}
		to = old
		to.Number = number
		return s.placeDisplay(tx, actor, old, &to)
	})
	return to, err
}

func (s *Store) placeDisplay(tx *gorm.DB, actor rights.Actor, old Display, to *Display) error {
	if err := rights.Authorize(actor, rights.Place{Tournament: to.TournamentID}, rights.MayPairDisplay); err != nil {
		return err
	}
	if _, err := findTournament(tx, to.TournamentID); err != nil {
		return err
	}
	if to.Number < 1 || to.Number > DisplayNumberMost || len(to.Settings) > displaySettings {
		return refuse.Invalid("err_display_number", "most", DisplayNumberMost)
	}
	if to.CreatedAt == 0 {
		to.CreatedAt = s.now()
	}
	if err := tx.Save(to).Error; err != nil {
		return err
	}
	return s.audit(tx, actor, change{tournament: to.TournamentID, action: "display.pair", subject: fmt.Sprintf("screen %d", to.ID),
		before: old.at(), after: to.at()})
}

// RemoveDisplay takes a screen's right away: it shows a code again; for officials.
func (s *Store) RemoveDisplay(ctx context.Context, actor rights.Actor, tournamentID, id int64) error {
	return s.Tx(ctx, func(tx *gorm.DB) error {
		d, err := findDisplay(tx, tournamentID, id)
		if err != nil {
			return err
		}
		if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayPairDisplay); err != nil {
			return err
		}
		if err := tx.Delete(&d).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: tournamentID, action: "display.remove", subject: fmt.Sprintf("screen %d", id), before: d.at()})
	})
}

// Displays gives a tournament's screens by the number of their tables; for officials.
func (s *Store) Displays(ctx context.Context, actor rights.Actor, tournamentID int64) ([]Display, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayPairDisplay); err != nil {
		return nil, err
	}
	var all []Display
	err := s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Order("number, id").Find(&all).Error
	return all, err
}

// DisplayByToken gives the screen that holds a token, or NotFound.
func (s *Store) DisplayByToken(ctx context.Context, token string) (Display, error) {
	var d Display
	err := s.Read.WithContext(ctx).Where("token_hash = ?", hashSecret(token)).Take(&d).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = refuse.NotFound("err_display_not_found")
	}
	return d, err
}

// SeeDisplay notes that a screen is there, not more often than every half minute.
func (s *Store) SeeDisplay(ctx context.Context, d Display) error {
	now := s.now()
	if now-d.SeenAt < displayTouch {
		return nil
	}
	return s.Write.WithContext(ctx).Model(&Display{}).Where("id = ?", d.ID).Update("seen_at", now).Error
}

func findDisplay(db *gorm.DB, tournamentID, id int64) (Display, error) {
	var d Display
	err := db.Where("tournament_id = ? AND id = ?", tournamentID, id).Take(&d).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = refuse.NotFound("err_display_not_found")
	}
	return d, err
}

// at says for the audit where a screen is; "" for nowhere.
func (d Display) at() string {
	if d.Number == 0 {
		return ""
	}
	return fmt.Sprintf("event %d, table %d %s", d.TournamentID, d.Number, d.Settings)
}
