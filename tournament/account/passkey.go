package account

import (
	"context"
	"errors"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// Passkeys are a second factor for officials, as an alternative to codes (second.go): a device signs a challenge with a
// key that never leaves it. The handler, which has the challenge and the address, verifies the device's response. This
// file stores the result.

const (
	passkeysMost    = 10
	passkeyNameMost = 40 // characters
)

// DeviceKey is what a device reports about its key.
type DeviceKey struct {
	Credential []byte
	PublicKey  []byte // in COSE format
	SignCount  uint32
	Flags      uint8
}

// Passkey is a key of an account. UsedAt is 0 before the first sign-in with it.
type Passkey struct {
	ID        int64
	AccountID int64
	DeviceKey `gorm:"embedded"`
	Name      string
	AddedAt   engine.Millis
	UsedAt    engine.Millis
}

var (
	// ErrPasskeyWrong means that no key of the account has signed, or not for this challenge and address.
	ErrPasskeyWrong = refuse.Forbidden("err_passkey_wrong")
	// ErrPasskeyCopied means that the key's counter has gone back or has not moved.
	ErrPasskeyCopied = refuse.Forbidden("err_passkey_copied")
)

// PasskeysOf returns an account's passkeys, oldest first, for the sign-in and for the official.
func PasskeysOf(ctx context.Context, s *store.DB, account int64) ([]Passkey, error) {
	return passkeysOf(s.Read.WithContext(ctx), account)
}

func passkeysOf(db *gorm.DB, account int64) ([]Passkey, error) {
	return store.All[Passkey](db.Where("account_id = ?", account).Order("id"))
}

// UsePasskey records the use of a key whose signature was correct. One statement checks and advances the counter, so
// that a response cannot be used twice at the same time. The counter of a key that does not count stays 0.
func UsePasskey(ctx context.Context, s *store.DB, account int64, key DeviceKey) error {
	return s.Tx(ctx, func(tx *gorm.DB) error {
		mine := tx.Model(&Passkey{}).Where("account_id = ? AND credential = ?", account, key.Credential)
		var known int64
		if err := mine.Session(&gorm.Session{}).Count(&known).Error; err != nil {
			return err
		}
		if known == 0 {
			return ErrPasskeyWrong
		}
		used := mine.Where("sign_count < ? OR sign_count = 0 AND ? = 0", key.SignCount, key.SignCount).
			Updates(map[string]any{"sign_count": key.SignCount, "used_at": s.Millis()})
		if used.Error == nil && used.RowsAffected == 0 {
			return ErrPasskeyCopied
		}
		return used.Error
	})
}

// AddPasskey adds a device's key as a second step for the actor's account and ends all sessions except Keep (a
// session's hash, or empty). The caller must have verified Key.
type AddPasskey struct {
	Password string    `json:"password" maxLength:"1024" doc:"the account's password"`
	Name     string    `json:"name" maxLength:"200" doc:"the official's name for the device"`
	Key      DeviceKey `json:"-"`
	Keep     string    `json:"-"`
}

var _ = action.NewKind[AddPasskey](action.Kind{Name: "account.passkey", Right: rights.MaySeeDesk, Guarded: true})

// Plan checks the password, as for AddSecond.
func (a AddPasskey) Plan(ctx context.Context, d *action.Desk, actor rights.Actor) (action.Action, error) {
	return a, checkOwnPassword(ctx, d.DB, actor.Account, a.Password)
}

// Do returns recovery codes, shown only this once, if the account has none yet. Existing codes stay valid.
func (a AddPasskey) Do(tx *action.Tx) (codes []string, err error) {
	account, err := FindAccount(tx.DB, tx.Actor.Account)
	if err != nil {
		return nil, err
	}
	name := spelling.Clean(a.Name)
	if name == "" || utf8.RuneCountInString(name) > passkeyNameMost {
		return nil, refuse.Invalid("err_passkey_name", "most", passkeyNameMost)
	}
	if len(a.Key.Credential) == 0 || len(a.Key.PublicKey) == 0 {
		return nil, ErrPasskeyWrong
	}
	has, err := passkeysOf(tx.DB, account.ID)
	if err != nil {
		return nil, err
	}
	if len(has) >= passkeysMost {
		return nil, refuse.Conflict("err_passkeys_most", "most", passkeysMost)
	}
	if _, taken, err := store.First[Passkey](tx.Where("credential = ?", a.Key.Credential)); err != nil {
		return nil, err
	} else if taken {
		return nil, refuse.Conflict("err_passkey_taken")
	}
	before, err := hasSecond(tx.DB, account.ID)
	if err == nil && !before {
		codes, err = newRecoveries(tx.DB, account.ID)
	}
	if err != nil {
		return nil, err
	}
	aboutAccount(tx, account, nil)
	return codes, errors.Join(tx.Create(&Passkey{AccountID: account.ID, DeviceKey: a.Key, Name: name,
		AddedAt: tx.Now()}).Error,
		endSessions(tx.DB, account.ID, a.Keep))
}

// DropPasskey removes a passkey from the actor's account and ends all sessions except Keep. Removing the last second
// step also removes the recovery codes.
type DropPasskey struct {
	Password string `json:"password" maxLength:"1024" doc:"the account's password"`
	Passkey  int64  `json:"passkey" minimum:"1"`
	Keep     string `json:"-"`
}

var _ = action.NewKind[DropPasskey](action.Kind{Name: "account.passkey_off", Right: rights.MaySeeDesk, Guarded: true})

func (d DropPasskey) Plan(ctx context.Context, desk *action.Desk, actor rights.Actor) (action.Action, error) {
	return d, checkOwnPassword(ctx, desk.DB, actor.Account, d.Password)
}

func (d DropPasskey) Do(tx *action.Tx) (Account, error) {
	account, err := FindAccount(tx.DB, tx.Actor.Account)
	if err != nil {
		return account, err
	}
	gone := tx.Where("id = ? AND account_id = ?", d.Passkey, account.ID).Delete(&Passkey{})
	if gone.Error == nil && gone.RowsAffected == 0 {
		return account, refuse.NotFound("err_passkey_not_found")
	}
	aboutAccount(tx, account, nil)
	return account, errors.Join(gone.Error, dropLoneRecoveries(tx.DB, account.ID),
		endSessions(tx.DB, account.ID, d.Keep))
}
