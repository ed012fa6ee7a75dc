package account

import (
	"context"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/store"
)

// Recovery codes are one set for all kinds of second step, for officials who have lost the app or the device. Each
// works once.

const (
	recoveries  = 10
	recoverySet = 3 // length in table codes: 117 bits, so a plain hash is enough
)

type recoveryCode struct {
	Hash      string `gorm:"primaryKey"`
	AccountID int64
	UsedAt    engine.Millis
}

// RecoveriesLeft returns how many recovery codes of an account are still valid, for the official and for organizers.
func RecoveriesLeft(ctx context.Context, s *store.DB, actor rights.Actor, account int64) (int, error) {
	if err := ownAccount(s.Read.WithContext(ctx), actor, account); err != nil {
		return 0, err
	}
	var left int64
	err := s.Read.WithContext(ctx).Model(&recoveryCode{}).Where("account_id = ? AND used_at = 0",
		account).Count(&left).Error
	return int(left), err
}

// newRecoveries creates recovery codes for an account and replaces existing ones.
func newRecoveries(tx *gorm.DB, account int64) (codes []string, err error) {
	if err := dropRecoveries(tx, account); err != nil {
		return nil, err
	}
	for range recoveries {
		code := ""
		for range recoverySet {
			code += secret.NewCode()
		}
		if err := tx.Create(&recoveryCode{Hash: secret.Hash(code), AccountID: account}).Error; err != nil {
			return nil, err
		}
		codes = append(codes, secret.SpellCodes(code))
	}
	return codes, nil
}

func dropRecoveries(tx *gorm.DB, account int64) error {
	return tx.Where("account_id = ?", account).Delete(&recoveryCode{}).Error
}

// dropLoneRecoveries removes the recovery codes of an account that has no second step left, because the codes only
// replace a second step.
func dropLoneRecoveries(tx *gorm.DB, account int64) error {
	if has, err := hasSecond(tx, account); err != nil || has {
		return err
	}
	return dropRecoveries(tx, account)
}
