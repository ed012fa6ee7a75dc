package organization

import (
	"context"

	"gorm.io/gorm"

	"meldhall/tournament/refuse"
	"meldhall/tournament/store"
)

// The limits of an organization. The server itself, and an organization without a limit, have room for everything.

// RoomForEvent returns an error if an organization has as many tournaments as its limit allows.
func RoomForEvent(db *gorm.DB, organization int64) error {
	if organization == 0 {
		return nil
	}
	o, err := find(db, organization)
	if err != nil || o.Events == 0 {
		return err
	}
	var has int64
	if err := db.Table("tournaments").Where("organization_id = ? AND practice = '' AND rehearses = 0",
		organization).Count(&has).Error; err != nil {
		return err
	}
	if has >= int64(o.Events) {
		return refuse.Conflict("err_organization_events", "most", o.Events)
	}
	return nil
}

// RoomForPlayers returns an error if more additional players would exceed the limit of a tournament of an organization.
// Players on the waiting list count too.
func RoomForPlayers(db *gorm.DB, organization, tournamentID int64, more int) error {
	if organization == 0 {
		return nil
	}
	o, err := find(db, organization)
	if err != nil || o.Players == 0 {
		return err
	}
	var has int64
	if err := db.Table("players").Where("tournament_id = ? AND state IN ('registered', 'checked_in', 'waiting')",
		tournamentID).Count(&has).Error; err != nil {
		return err
	}
	if int(has)+more > o.Players {
		return refuse.Conflict("err_hosted_players", "most", o.Players)
	}
	return nil
}

// EventOf returns the tournament of a game, or 0 if there is no such game.
func EventOf(ctx context.Context, s *store.DB, game int64) (tournamentID int64, err error) {
	err = s.Read.WithContext(ctx).Raw("SELECT tournament_id FROM games WHERE id = ?", game).Scan(&tournamentID).Error
	return tournamentID, err
}

// StreamsOf returns the organization of a tournament, or 0, and how many streams the viewers of all the organization's
// tournaments may have open at a time; 0 means any number.
func StreamsOf(ctx context.Context, s *store.DB, tournamentID int64) (organization int64, most int, err error) {
	var o Organization
	err = s.Read.WithContext(ctx).Joins("JOIN tournaments t ON t.organization_id = organizations.id").
		Where("t.id = ?", tournamentID).Limit(1).Find(&o).Error
	return o.ID, o.Streams, err
}
