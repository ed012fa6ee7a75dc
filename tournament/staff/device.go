package staff

import (
	"context"
	"crypto/sha256"
	"encoding/base64"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

// Device is a browser or a program in which an official is signed in. Session is the hash of its token.
type Device struct {
	ID        int64
	Session   string
	AccountID int64
	Agent     string // as the browser names itself
	Since     engine.Millis
	SeenAt    engine.Millis

	Name string      `gorm:"->;-:migration"` // of the account
	Role rights.Role `gorm:"->;-:migration"`
}

const (
	agentMost = 300                   // bytes
	seenTouch = engine.Millis(60_000) // how old the last sight of a device may be before it is written again
)

// SessionHash is what is stored of a session's token, as alexedwards/scs hashes it.
func SessionHash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// NoteDevice notes that a session has begun, or one that is not noted yet goes on.
func NoteDevice(ctx context.Context, s *storage.DB, session string, account int64, agent string) error {
	device := Device{Session: session, AccountID: account, Agent: spelling.Clean(agent[:min(len(agent), agentMost)]), Since: s.Millis(), SeenAt: s.Millis()}
	return s.Write.WithContext(ctx).Omit("name", "role").Clauses(clause.OnConflict{DoNothing: true}).Create(&device).Error
}

// SignedIn gives the actor of a session's account, NotFound when it was removed, and notes now and then that the device
// was seen.
func SignedIn(ctx context.Context, s *storage.DB, session string, account int64) (rights.Actor, error) {
	var row struct {
		ID   int64
		Name string
		Role rights.Role
		Seen engine.Millis
	}
	found := s.Read.WithContext(ctx).Raw(`SELECT a.id, a.name, a.role, coalesce(d.seen_at, 0) AS seen FROM accounts a
		LEFT JOIN devices d ON d.session = ? AND d.account_id = a.id WHERE a.id = ? AND a.removed_at = 0`, session, account).Scan(&row)
	if found.Error != nil {
		return rights.Actor{}, found.Error
	}
	if row.ID == 0 {
		return rights.Actor{}, refuse.NotFound("err_account_not_found", "id", account)
	}
	actor := rights.Actor{Account: row.ID, Name: row.Name, Role: row.Role, Seat: -1}
	if now := s.Millis(); row.Seen != 0 && now-row.Seen > seenTouch {
		return actor, s.Write.WithContext(ctx).Model(&Device{}).Where("session = ?", session).Update("seen_at", now).Error
	}
	return actor, nil
}

// Devices gives where officials are signed in, those seen last first: an organizer everybody's (account 0) or one
// account's, others their own.
func Devices(ctx context.Context, s *storage.DB, actor rights.Actor, account int64) ([]Device, error) {
	if err := ownAccount(actor, account); err != nil {
		return nil, err
	}
	q := s.Read.WithContext(ctx).Model(&Device{}).Select("devices.*, accounts.name, accounts.role").
		Joins("JOIN accounts ON accounts.id = devices.account_id").Joins("JOIN sessions ON sessions.token = devices.session AND sessions.expiry > ?", s.Millis())
	if account != 0 {
		q = q.Where("account_id = ?", account)
	}
	var all []Device
	err := q.Order("seen_at DESC, devices.id DESC").Find(&all).Error
	return all, err
}

// findDevice gives a device with its official.
func findDevice(db *gorm.DB, id int64) (device Device, err error) {
	found := db.Model(&Device{}).Select("devices.*, accounts.name, accounts.role").Joins("JOIN accounts ON accounts.id = devices.account_id").
		Where("devices.id = ?", id).Limit(1).Find(&device)
	if found.Error == nil && found.RowsAffected == 0 {
		return device, refuse.NotFound("err_device_not_found")
	}
	return device, found.Error
}

// signOut ends the session of a device.
func signOut(tx *gorm.DB, device Device) error {
	return tx.Where("token = ?", device.Session).Delete(&session{}).Error
}

// endSessions signs an account out everywhere but in the session keep.
func endSessions(tx *gorm.DB, account int64, keep string) error {
	return tx.Where("token IN (SELECT session FROM devices WHERE account_id = ?) AND token <> ?", account, keep).Delete(&session{}).Error
}
