package staff

import (
	"context"
	"errors"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

// Passkeys are another second factor of officials beside codes (second.go): a device signs a challenge with a key that never leaves
// it. What a device says is checked where it comes in, which knows the challenge and the address; here is what is kept of it.

const (
	passkeysMost    = 10
	passkeyNameMost = 40 // characters
)

// DeviceKey is what a device gives of a key of its own.
type DeviceKey struct {
	Credential []byte
	PublicKey  []byte // COSE
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
	// ErrPasskeyWrong refuses what no key of the account has signed, or not for this challenge and address.
	ErrPasskeyWrong = refuse.Forbidden("err_passkey_wrong")
	// ErrPasskeyCopied refuses a key whose counter has gone back, or has not moved.
	ErrPasskeyCopied = refuse.Forbidden("err_passkey_copied")
)

// PasskeysOf are an account's passkeys, the oldest first; for the sign-in and for the official.
func PasskeysOf(ctx context.Context, s *storage.DB, account int64) ([]Passkey, error) {
	return passkeysOf(s.Read.WithContext(ctx), account)
}

func passkeysOf(db *gorm.DB, account int64) ([]Passkey, error) {
	return storage.All[Passkey](db.Where("account_id = ?", account).Order("id"))
}

// UsePasskey notes that a key has signed, whose signature was right. One statement looks at the counter and moves it, so that the
// same answer is not taken twice at once. A key that does not count stays at 0.
func UsePasskey(ctx context.Context, s *storage.DB, account int64, key DeviceKey) error {
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

// AddPasskey lets the account of who does it be signed in to with a device's key besides the password, and ends all sessions but Keep
// (a session's hash, or empty). Key has been checked.
type AddPasskey struct {
	Password string    `json:"password" maxLength:"1024" doc:"the account's"`
	Name     string    `json:"name" maxLength:"200" doc:"what the official calls the device"`
	Key      DeviceKey `json:"-"`
	Keep     string    `json:"-"`
}

var _ = door.NewKind[AddPasskey](door.Kind{Name: "account.passkey", Right: rights.MaySeeDesk, Guarded: true})

// Plan asks for the password, as AddSecond does.
func (a AddPasskey) Plan(ctx context.Context, d *door.Desk, actor rights.Actor) (door.Action, error) {
	return a, checkOwnPassword(ctx, d.DB, actor.Account, a.Password)
}

// Do gives recovery codes, told this once, where the account has none yet; else the ones that it has stay good.
func (a AddPasskey) Do(tx *door.Tx) (codes []string, err error) {
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
	if _, taken, err := storage.First[Passkey](tx.Where("credential = ?", a.Key.Credential)); err != nil {
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
	return codes, errors.Join(tx.Create(&Passkey{AccountID: account.ID, DeviceKey: a.Key, Name: name, AddedAt: tx.Now()}).Error,
		endSessions(tx.DB, account.ID, a.Keep))
}

// DropPasskey takes a passkey from the account of who does it, and ends all sessions but Keep. The recovery codes go with the last
// way of the second step.
type DropPasskey struct {
	Password string `json:"password" maxLength:"1024" doc:"the account's"`
	Passkey  int64  `json:"passkey" minimum:"1"`
	Keep     string `json:"-"`
}

var _ = door.NewKind[DropPasskey](door.Kind{Name: "account.passkey_off", Right: rights.MaySeeDesk, Guarded: true})

func (d DropPasskey) Plan(ctx context.Context, desk *door.Desk, actor rights.Actor) (door.Action, error) {
	return d, checkOwnPassword(ctx, desk.DB, actor.Account, d.Password)
}

func (d DropPasskey) Do(tx *door.Tx) (Account, error) {
	account, err := FindAccount(tx.DB, tx.Actor.Account)
	if err != nil {
		return account, err
	}
	gone := tx.Where("id = ? AND account_id = ?", d.Passkey, account.ID).Delete(&Passkey{})
	if gone.Error == nil && gone.RowsAffected == 0 {
		return account, refuse.NotFound("err_passkey_not_found")
	}
	aboutAccount(tx, account, nil)
	return account, errors.Join(gone.Error, dropLoneRecoveries(tx.DB, account.ID), endSessions(tx.DB, account.ID, d.Keep))
}
