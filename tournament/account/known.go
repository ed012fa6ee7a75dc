package account

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/engine"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// KnownLife is how long a device stays known after its last sign-in.
const KnownLife = 400 * 24 * time.Hour

// knownMost is how many devices are remembered per account, the most recent ones.
const knownMost = 50

// knownDevice is a browser or program that has signed in to an account before. It is not a session. It may still try a
// password after unknown devices have used up their tries.
type knownDevice struct {
	TokenHash string        `gorm:"primaryKey"`
	AccountID int64         `gorm:"primaryKey;autoIncrement:false"`
	SeenAt    engine.Millis // time of the last sign-in
}

// KnownAt reports whether the device with a token has signed in to the account with a name before.
func KnownAt(ctx context.Context, s *store.DB, token, name string) (bool, error) {
	if token == "" {
		return false, nil
	}
	_, known, err := store.First[knownDevice](s.Read.WithContext(ctx).Where(
		"token_hash = ? AND seen_at > ? AND account_id IN (SELECT id FROM accounts WHERE name_key = ? AND removed_at = 0)",
		secret.Hash(token), s.Millis()-engine.Millis(KnownLife.Milliseconds()), spelling.Fold(name)))
	return known, err
}

// Know remembers a device that has signed in to an account, and returns the token that the device must store. That is
// the token it sent if it is known for any account, since several officials may share a machine; otherwise it is a new
// one.
func Know(ctx context.Context, s *store.DB, token string, account int64) (string, error) {
	now := s.Millis()
	err := s.Tx(ctx, func(tx *gorm.DB) error {
		_, brought, err := store.First[knownDevice](tx.Where("token_hash = ?", secret.Hash(token)))
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
