package staff

import (
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/tournament/storage"
)

// Sessions keeps the sessions of signed-in staff; it has the methods that alexedwards/scs wants of a store.
type Sessions struct{ Store *storage.DB }

type session struct {
	Token  string `gorm:"primaryKey"`
	Data   []byte
	Expiry int64
}

// TableName is sessions.
func (session) TableName() string { return "sessions" }

// Find gives the data of a session that has not expired.
func (k Sessions) Find(token string) ([]byte, bool, error) {
	var row session
	err := k.Store.Read.Where("token = ? AND expiry > ?", token, k.Store.Millis()).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, false, nil
	}
	return row.Data, err == nil, err
}

// Commit stores a session, and takes the chance to delete those that have expired.
func (k Sessions) Commit(token string, data []byte, expiry time.Time) error {
	if err := k.Store.Write.Where("expiry <= ?", k.Store.Millis()).Delete(&session{}).Error; err != nil {
		return err
	}
	return k.Store.Write.Clauses(clause.OnConflict{UpdateAll: true}).
		Create(&session{Token: token, Data: data, Expiry: expiry.UnixMilli()}).Error
}

// Delete ends a session.
func (k Sessions) Delete(token string) error {
	return k.Store.Write.Where("token = ?", token).Delete(&session{}).Error
}

// All gives the data of every session that has not expired, by token.
func (k Sessions) All() (map[string][]byte, error) {
	var rows []session
	err := k.Store.Read.Where("expiry > ?", k.Store.Millis()).Find(&rows).Error
	all := make(map[string][]byte, len(rows))
	for _, row := range rows {
		all[row.Token] = row.Data
	}
	return all, err
}
