package screen

import (
	"context"
	"fmt"

	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Zone is the tables that an official looks after in a tournament, sorted by number. Tables is empty without a zone:
// the official looks after the whole hall.
type Zone struct {
	Account int64       `json:"account"`
	Name    string      `json:"name"`
	Role    rights.Role `json:"role" enum:"organizer,head_referee,referee,scorekeeper,observer"`
	Tables  []int       `json:"tables" doc:"table numbers; empty: the whole hall"`
}

// zoneRow is a stored zone.
type zoneRow struct {
	TournamentID int64 `gorm:"primaryKey;autoIncrement:false"`
	AccountID    int64 `gorm:"primaryKey;autoIncrement:false"`
	Tables       string
}

// TableName returns the database table of zones.
func (zoneRow) TableName() string { return "zones" }

// Zones returns the tables of every official who has a zone in a tournament, by account.
func Zones(ctx context.Context, s *store.DB, tournamentID int64) (map[int64][]int, error) {
	rows, err := store.All[zoneRow](s.Read.WithContext(ctx).Where("tournament_id = ? AND account_id IN (SELECT id FROM accounts WHERE removed_at = 0)", tournamentID))
	if err != nil {
		return nil, err
	}
	zones := make(map[int64][]int, len(rows))
	for _, row := range rows {
		if zones[row.AccountID], err = rights.ParseTables(row.Tables); err != nil {
			return nil, fmt.Errorf("zone of account %d in tournament %d: %w", row.AccountID, tournamentID, err)
		}
	}
	return zones, nil
}

// ZoneOf returns the tables that an official looks after in a tournament, or nil without a zone, which means the whole
// hall.
func ZoneOf(ctx context.Context, s *store.DB, tournamentID, account int64) ([]int, error) {
	if account == 0 {
		return nil, nil
	}
	zones, err := Zones(ctx, s, tournamentID)
	return zones[account], err
}

// ZoneList returns the officials of a tournament's organization, by name, with their zones in the tournament. Only
// officials may call it.
func ZoneList(ctx context.Context, s *store.DB, actor rights.Actor, tournamentID int64) ([]Zone, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeDesk); err != nil {
		return nil, err
	}
	t, err := tournament.TournamentByID(ctx, s, tournamentID)
	if err != nil {
		return nil, err
	}
	tables, err := Zones(ctx, s, tournamentID)
	if err != nil {
		return nil, err
	}
	var accounts []account.Account
	if err := s.Read.WithContext(ctx).Select("id", "name", "role").Where("removed_at = 0 AND organization_id = ?",
		t.OrganizationID).Order("name_key").Find(&accounts).Error; err != nil {
		return nil, err
	}
	zones := make([]Zone, len(accounts))
	for i, a := range accounts {
		zones[i] = Zone{Account: a.ID, Name: a.Name, Role: a.Role, Tables: tables[a.ID]}
	}
	return zones, nil
}

// SetZone sets the tables that an official looks after in a tournament, as people write them ("1-6, 9"). An empty text
// removes the zone.
type SetZone struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Account    int64  `json:"account" minimum:"1"`
	Tables     string `json:"tables" maxLength:"500" doc:"table numbers such as 1-6, 9; empty: the whole hall"`
}

var _ = action.NewKind[SetZone](action.Kind{Name: "zone.set", Right: rights.MayAssignZones,
	Changes: []action.What{action.TopicHall},
	Details: action.Keep[action.Value]})

func (s SetZone) Do(tx *action.Tx) (zone Zone, err error) {
	zone.Account = s.Account
	if zone.Tables, err = rights.ParseTables(s.Tables); err != nil {
		return zone, err
	}
	t, err := tournament.FindTournament(tx.DB, s.Tournament)
	if err != nil {
		return zone, err
	}
	official, err := account.FindAccount(tx.Where("organization_id = ?", t.OrganizationID), s.Account)
	if err != nil {
		return zone, err
	}
	zone.Name, zone.Role = official.Name, official.Role
	var before zoneRow
	if err := tx.Where("tournament_id = ? AND account_id = ?", s.Tournament,
		s.Account).Limit(1).Find(&before).Error; err != nil {
		return zone, err
	}
	after := zoneRow{s.Tournament, s.Account, rights.FormatTables(zone.Tables)}
	if after.Tables == before.Tables {
		return zone, nil
	}
	tx.Record(action.Entry{Event: s.Tournament, On: action.About{Name: official.Name, Tables: zone.Tables},
		Is: action.Value{Was: before.Tables, Is: after.Tables}})
	if after.Tables == "" {
		return zone, tx.Where("tournament_id = ? AND account_id = ?", s.Tournament, s.Account).Delete(&zoneRow{}).Error
	}
	return zone, tx.Save(&after).Error
}

// BindZones limits the referees and scorekeepers of a tournament to their zones: they may only rule and count at their
// own tables. Officials without a zone still have the whole hall, as do head referees and organizers.
type BindZones struct {
	Tournament int64 `json:"tournament,omitempty" path:"id" minimum:"1"`
	Bind       bool  `json:"bind"`
}

var _ = action.NewKind[BindZones](action.Kind{Name: "zone.bind", Right: rights.MayAssignZones,
	Changes: []action.What{action.TopicHall},
	Details: action.Steps("log.is.")})

func (b BindZones) Do(tx *action.Tx) (tournament.Tournament, error) {
	t, err := tournament.FindTournament(tx.DB, b.Tournament)
	if err != nil || t.ZonesBind == b.Bind {
		return t, err
	}
	is := action.Step{Was: "zones_free", Is: "zones_bind"}
	if !b.Bind {
		is = action.Step{Was: is.Is, Is: is.Was}
	}
	t.ZonesBind = b.Bind
	tx.Record(action.Entry{Event: t.ID, On: action.About{Name: t.Name}, Is: is})
	return t, tx.Model(&t).Update("zones_bind", b.Bind).Error
}
