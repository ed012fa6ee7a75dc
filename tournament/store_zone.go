package tournament

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"meldhall/tournament/rights"
)

// zoneRow is a zone as it is stored.
type zoneRow struct {
	TournamentID int64 `gorm:"primaryKey;autoIncrement:false"`
	AccountID    int64 `gorm:"primaryKey;autoIncrement:false"`
	Tables       string
}

// TableName is zones.
func (zoneRow) TableName() string { return "zones" }

// Zones gives the tables of every official who has a zone in an event, by account.
func (s *Store) Zones(ctx context.Context, event int64) (map[int64][]int, error) {
	var rows []zoneRow
	err := s.Read.WithContext(ctx).Where("tournament_id = ? AND account_id IN (SELECT id FROM accounts WHERE removed_at = 0)", event).Find(&rows).Error
	if err != nil {
		return nil, err
	}
	zones := make(map[int64][]int, len(rows))
	for _, row := range rows {
		if zones[row.AccountID], err = ParseTables(row.Tables); err != nil {
			return nil, fmt.Errorf("zone of account %d in tournament %d: %w", row.AccountID, event, err)
		}
	}
	return zones, nil
}

// ZoneOf gives the tables that an official looks after in an event; nil when no zone was set: the whole hall.
func (s *Store) ZoneOf(ctx context.Context, event, account int64) ([]int, error) {
	if account == 0 {
		return nil, nil
	}
	zones, err := s.Zones(ctx, event)
	return zones[account], err
}

// ZoneList gives all officials with their zones in an event, by name; for officials.
func (s *Store) ZoneList(ctx context.Context, actor rights.Actor, event int64) ([]Zone, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: event}, rights.MaySeeDesk); err != nil {
		return nil, err
	}
	if _, err := s.TournamentByID(ctx, event); err != nil {
		return nil, err
	}
	tables, err := s.Zones(ctx, event)
	if err != nil {
		return nil, err
	}
	var accounts []Account
	if err := s.Read.WithContext(ctx).Select("id", "name", "role").Where("removed_at = 0").Order("name_key").Find(&accounts).Error; err != nil {
		return nil, err
	}
	zones := make([]Zone, len(accounts))
	for i, a := range accounts {
		zones[i] = Zone{Account: a.ID, Name: a.Name, Role: a.Role, Tables: tables[a.ID]}
	}
	return zones, nil
}

// SetZone says which tables an official looks after in an event, as people write them ("1-6, 9"); an empty text takes the
// zone away. For organizers and head referees.
func (s *Store) SetZone(ctx context.Context, actor rights.Actor, event, account int64, text string) (Zone, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: event}, rights.MayAssignZones); err != nil {
		return Zone{}, err
	}
	tables, err := ParseTables(text)
	if err != nil {
		return Zone{}, err
	}
	zone := Zone{Account: account, Tables: tables}
	err = s.Tx(ctx, func(tx *gorm.DB) error {
		if _, err := findTournament(tx, event); err != nil {
			return err
		}
		official, err := findAccount(tx, account)
		if err != nil {
			return err
		}
		zone.Name, zone.Role = official.Name, official.Role
		var before zoneRow
		if err := tx.Where("tournament_id = ? AND account_id = ?", event, account).Limit(1).Find(&before).Error; err != nil {
			return err
		}
		after := zoneRow{event, account, FormatTables(tables)}
		if after.Tables == before.Tables {
			return nil
		}
		write := tx.Save(&after)
		if after.Tables == "" {
			write = tx.Where("tournament_id = ? AND account_id = ?", event, account).Delete(&zoneRow{})
		}
		if write.Error != nil {
			return write.Error
		}
		return s.audit(tx, actor, change{tournament: event, action: "zone.set", subject: official.Name, before: before.Tables, after: after.Tables})
	})
	return zone, err
}
