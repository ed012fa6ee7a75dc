package hosting

import (
	"context"

	"gorm.io/gorm"

	"meldhall/tournament/refuse"
	"meldhall/tournament/storage"
)

// What bounds an organization. The house, and an organization without a bound, has room for everything.

// RoomForEvent refuses one event more where an organization has as many as it may.
func RoomForEvent(db *gorm.DB, organization int64) error {
	if organization == 0 {
		return nil
	}
	o, err := find(db, organization)
	if err != nil || o.Events == 0 {
		return err
	}
	var has int64
	if err := db.Table("tournaments").Where("organization_id = ? AND practice = '' AND rehearses = 0", organization).Count(&has).Error; err != nil {
		return err
	}
	if has >= int64(o.Events) {
		return refuse.Conflict("err_organization_events", "most", o.Events)
	}
	return nil
}

// RoomForPlayers refuses more players where an event of an organization would have more than it may, with those who wait for a place.
func RoomForPlayers(db *gorm.DB, organization, event int64, more int) error {
	if organization == 0 {
		return nil
	}
	o, err := find(db, organization)
	if err != nil || o.Players == 0 {
		return err
	}
	var has int64
	if err := db.Table("players").Where("tournament_id = ? AND state IN ('registered', 'checked_in', 'waiting')", event).Count(&has).Error; err != nil {
		return err
	}
	if int(has)+more > o.Players {
		return refuse.Conflict("err_hosted_players", "most", o.Players)
	}
	return nil
}

// EventOf is the event of a game, 0 for none.
func EventOf(ctx context.Context, s *storage.DB, game int64) (event int64, err error) {
	err = s.Read.WithContext(ctx).Raw("SELECT tournament_id FROM games WHERE id = ?", game).Scan(&event).Error
	return event, err
}

// StreamsOf is how many streams the readers of an event may have open with those of all others of its organization, and whose it is; 0: any
// number.
func StreamsOf(ctx context.Context, s *storage.DB, event int64) (organization int64, most int, err error) {
	var o Organization
	err = s.Read.WithContext(ctx).Raw("SELECT o.id, o.streams FROM tournaments t JOIN organizations o ON o.id = t.organization_id WHERE t.id = ?", event).Scan(&o).Error
	return o.ID, o.Streams, err
}
