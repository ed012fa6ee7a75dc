package staff

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/engine"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

// KnownLife is how long a device is known after it signed in last.
const KnownLife = 400 * 24 * time.Hour

// knownMost is how many devices are known of an account, those that signed in last.
const knownMost = 50

// knownDevice is a browser or program that has signed in to an account before. It is no session: it is let try a password where
// strangers have used up their tries.
type knownDevice struct {
	TokenHash string        `gorm:"primaryKey"`
	AccountID int64         `gorm:"primaryKey;autoIncrement:false"`
	SeenAt    engine.Millis // when it signed in last
}

// KnownAt tells whether the device with a token has signed in to the account of a name before.
func KnownAt(ctx context.Context, s *storage.DB, token, name string) (bool, error) {
	if token == "" {
		return false, nil
	}
	_, known, err := storage.First[knownDevice](s.Read.WithContext(ctx).Where(
		"token_hash = ? AND seen_at > ? AND account_id IN (SELECT id FROM accounts WHERE name_key = ? AND removed_at = 0)",
		secret.Hash(token), s.Millis()-engine.Millis(KnownLife.Milliseconds()), spelling.Fold(name)))
	return known, err
}

// Know makes a device known at an account that it has signed in to, and gives the token that it is to keep: the one that it
// brought, where that is known at some account, for several officials may share a machine; else a new one.
func Know(ctx context.Context, s *storage.DB, token string, account int64) (string, error) {
	now := s.Millis()
	err := s.Tx(ctx, func(tx *gorm.DB) error {
		_, brought, err := storage.First[knownDevice](tx.Where("token_hash = ?", secret.Hash(token)))
		if err != nil {
			return err
		}
		if !brought {
			token = secret.NewToken()
		}
		row := knownDevice{secret.Hash(token), account, now}
		if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
			return err
		}
		return tx.Exec(`DELETE FROM known_devices WHERE account_id = ? AND (seen_at <= ? OR token_hash NOT IN
			(SELECT token_hash FROM known_devices WHERE account_id = ? ORDER BY seen_at DESC, token_hash LIMIT ?))`,
			account, now-engine.Millis(KnownLife.Milliseconds()), account, knownMost).Error
	})
	return token, err
}
