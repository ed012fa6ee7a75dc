package staff

import (
	"context"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/storage"
)

// Recovery codes are one set for all ways of the second step: for whoever has lost the app or the device. Each is good once.

const (
	recoveries  = 10
	recoverySet = 3 // a code is as long as three of those that are typed at tables: 117 bits, so that a plain hash keeps it
)

type recoveryCode struct {
	Hash      string `gorm:"primaryKey"`
	AccountID int64
	UsedAt    engine.Millis
}

// RecoveriesLeft counts the recovery codes of an account that are still good; for the official and for organizers.
func RecoveriesLeft(ctx context.Context, s *storage.DB, actor rights.Actor, account int64) (int, error) {
	if err := ownAccount(s.Read.WithContext(ctx), actor, account); err != nil {
		return 0, err
	}
	var left int64
	err := s.Read.WithContext(ctx).Model(&recoveryCode{}).Where("account_id = ? AND used_at = 0", account).Count(&left).Error
	return int(left), err
}

// newRecoveries gives an account recovery codes in place of those that it may have.
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

// dropLoneRecoveries drops the recovery codes of an account that has no other second step any more: they are no way in by themselves.
func dropLoneRecoveries(tx *gorm.DB, account int64) error {
	if has, err := hasSecond(tx, account); err != nil || has {
		return err
	}
	return dropRecoveries(tx, account)
}
