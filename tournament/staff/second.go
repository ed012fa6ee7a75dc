package staff

import (
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/base32"
	"errors"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"
	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/storage"
)

// The second factor of an official is an app that shows codes (TOTP, RFC 6238): six digits, new ones every 30 s. Recovery codes are
// for whoever has lost the app; each is good once. An app knows the time of day alone, so its codes are held against the machine's
// (storage.DB.Wall), not against the database's clock, which stands still while the machine sleeps.

const (
	stepLength  = 30 * time.Second
	stepsAside  = 1  // by how many a phone's clock may be off
	secretBytes = 20 // of a new secret; at least 16 are taken
	secretLeast = 16
	issuer      = "Meldhall"
)

// appCodes is what apps make by default.
var appCodes = totp.ValidateOpts{Period: uint(stepLength / time.Second), Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1}

type secondFactor struct {
	AccountID int64  `gorm:"primaryKey;autoIncrement:false"`
	Secret    string // base32
	Step      int64
	Since     engine.Millis
}

// NewSecret makes a secret for an official's app, and the address by which an app that reads it as a QR code takes it over.
func NewSecret(name string) (typed, address string, err error) {
	key, err := totp.Generate(totp.GenerateOpts{Issuer: issuer, AccountName: name, SecretSize: secretBytes})
	if err != nil {
		return "", "", err
	}
	return key.Secret(), key.URL(), nil
}

// SecretAddress is the address of a secret that NewSecret has made.
func SecretAddress(name, typed string) (string, error) {
	raw, err := readSecret(typed)
	if err != nil {
		return "", err
	}
	key, err := totp.Generate(totp.GenerateOpts{Issuer: issuer, AccountName: name, Secret: raw})
	if err != nil {
		return "", err
	}
	return key.URL(), nil
}

func readSecret(typed string) ([]byte, error) {
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret.PlainCode(typed))
	if err != nil || len(raw) < secretLeast {
		return nil, refuse.Invalid("err_second_secret")
	}
	return raw, nil
}

// stepOf tells whether a code is the one that an app shows now, or just before or after, and of which step it is.
func stepOf(typed, code string, now time.Time) (step int64, fits bool) {
	for aside := -stepsAside; aside <= stepsAside; aside++ {
		at := now.Add(time.Duration(aside) * stepLength)
		want, err := totp.GenerateCodeCustom(typed, at, appCodes)
		if err == nil && subtle.ConstantTimeCompare([]byte(code), []byte(want)) == 1 {
			return at.Unix() / int64(stepLength/time.Second), true
		}
	}
	return 0, false
}

var errSecondWrong = refuse.Forbidden("err_second_wrong")

// HasSecond tells whether an account asks for something besides the password: a code, or a passkey.
func HasSecond(ctx context.Context, s *storage.DB, account int64) (bool, error) {
	return hasSecond(s.Read.WithContext(ctx), account)
}

func hasSecond(db *gorm.DB, account int64) (bool, error) {
	if _, has, err := secondOf(db, account); err != nil || has {
		return has, err
	}
	keys, err := passkeysOf(db, account)
	return len(keys) > 0, err
}

// HasApp tells whether an account has an app that shows codes.
func HasApp(ctx context.Context, s *storage.DB, account int64) (bool, error) {
	_, has, err := secondOf(s.Read.WithContext(ctx), account)
	return has, err
}

func secondOf(db *gorm.DB, account int64) (secondFactor, bool, error) {
	return storage.First[secondFactor](db.Where("account_id = ?", account))
}

// UseCode takes an app's code or a recovery code of an account, each once. A wrong one is Forbidden.
func UseCode(ctx context.Context, s *storage.DB, account int64, code string) error {
	return s.Tx(ctx, func(tx *gorm.DB) error { return useCode(tx, s, account, code) })
}

func useCode(tx *gorm.DB, s *storage.DB, account int64, code string) error {
	code = secret.PlainCode(code)
	factor, has, err := secondOf(tx, account)
	if err != nil {
		return err
	}
	step, fits := int64(0), false
	if has {
		step, fits = stepOf(factor.Secret, code, s.Wall())
	}
	var used *gorm.DB
	if fits {
		used = tx.Model(&secondFactor{}).Where("account_id = ? AND step < ?", account, step).Update("step", step)
	} else {
		used = tx.Model(&recoveryCode{}).Where("account_id = ? AND hash = ? AND used_at = 0", account, secret.Hash(code)).Update("used_at", s.Millis())
	}
	if used.Error == nil && used.RowsAffected == 0 {
		return errSecondWrong
	}
	return used.Error
}

// AddSecond lets the account of who does it ask for a code besides the password from now on, and ends all sessions but Keep (a session's
// hash, or empty), which began without one. The code shows that the app has the secret.
type AddSecond struct {
	Password string `json:"password" maxLength:"1024" doc:"the account's"`
	Secret   string `json:"secret" maxLength:"200" doc:"base32, at least 16 bytes, as the app was given it"`
	Code     string `json:"code" maxLength:"100" doc:"that the app shows now"`
	Keep     string `json:"-"`
}

var _ = door.NewKind[AddSecond](door.Kind{Name: "account.second", Right: rights.MaySeeDesk, Guarded: true})

// Plan asks for the password: a device that is left signed in must not be enough to keep its official out.
func (a AddSecond) Plan(ctx context.Context, d *door.Desk, actor rights.Actor) (door.Action, error) {
	return a, checkOwnPassword(ctx, d.DB, actor.Account, a.Password)
}

// Do gives the recovery codes, which are told this once.
func (a AddSecond) Do(tx *door.Tx) (codes []string, err error) {
	account, err := FindAccount(tx.DB, tx.Actor.Account)
	if err != nil {
		return nil, err
	}
	if _, has, err := secondOf(tx.DB, account.ID); err != nil {
		return nil, err
	} else if has {
		return nil, refuse.Conflict("err_second_on")
	}
	if _, err := readSecret(a.Secret); err != nil {
		return nil, err
	}
	typed := secret.PlainCode(a.Secret)
	step, fits := stepOf(typed, secret.PlainCode(a.Code), tx.Desk.DB.Wall())
	if !fits {
		return nil, errSecondWrong
	}
	if err := tx.Create(&secondFactor{account.ID, typed, step, tx.Now()}).Error; err != nil {
		return nil, err
	}
	if codes, err = newRecoveries(tx.DB, account.ID); err != nil {
		return nil, err
	}
	aboutAccount(tx, account, nil)
	return codes, endSessions(tx.DB, account.ID, a.Keep)
}

// DropSecond takes the app from the account of who does it, which without a passkey asks for the password alone again, and ends all
// sessions but Keep.
type DropSecond struct {
	Password string `json:"password" maxLength:"1024" doc:"the account's"`
	Code     string `json:"code" maxLength:"100" doc:"that the app shows now, or a recovery code"`
	Keep     string `json:"-"`
}

var _ = door.NewKind[DropSecond](door.Kind{Name: "account.second_off", Right: rights.MaySeeDesk, Guarded: true})

func (r DropSecond) Plan(ctx context.Context, d *door.Desk, actor rights.Actor) (door.Action, error) {
	return r, checkOwnPassword(ctx, d.DB, actor.Account, r.Password)
}

func (r DropSecond) Do(tx *door.Tx) (Account, error) {
	account, err := FindAccount(tx.DB, tx.Actor.Account)
	if _, has, failed := secondOf(tx.DB, account.ID); err == nil && (failed != nil || !has) {
		err = cmp.Or(failed, error(errSecondWrong)) // a recovery code is not spent for nothing
	}
	if err == nil {
		err = useCode(tx.DB, tx.Desk.DB, account.ID, r.Code)
	}
	if err == nil {
		err = errors.Join(dropApp(tx.DB, account.ID), dropLoneRecoveries(tx.DB, account.ID), endSessions(tx.DB, account.ID, r.Keep))
	}
	aboutAccount(tx, account, nil)
	return account, err
}

// ResetSecond lets another official's account ask for the password alone: app, passkeys and recovery codes are lost.
type ResetSecond struct {
	Account int64 `json:"account,omitempty" path:"id" minimum:"1"`
}

var _ = door.NewKind[ResetSecond](door.Kind{Name: "account.second_reset", Right: rights.MayManageAccounts})

func (r ResetSecond) Do(tx *door.Tx) (Account, error) {
	account, err := administered(tx.DB, tx.Actor, r.Account)
	if err != nil {
		return account, err
	}
	if account.ID == tx.Actor.Account {
		return account, refuse.Forbidden("err_second_own")
	}
	if has, err := hasSecond(tx.DB, account.ID); err != nil {
		return account, err
	} else if !has {
		return account, refuse.Conflict("err_second_none")
	}
	aboutAccount(tx, account, nil)
	return account, dropSecond(tx.DB, account.ID)
}

func dropApp(tx *gorm.DB, account int64) error {
	return tx.Where("account_id = ?", account).Delete(&secondFactor{}).Error
}

func dropSecond(tx *gorm.DB, account int64) error {
	return errors.Join(dropApp(tx, account), dropRecoveries(tx, account), tx.Where("account_id = ?", account).Delete(&Passkey{}).Error)
}

// checkOwnPassword refuses who does not know the password of an account, and an account without one: a code alone is no second factor.
func checkOwnPassword(ctx context.Context, s *storage.DB, id int64, typed string) error {
	account, err := FindAccount(s.Read.WithContext(ctx), id)
	if err == nil && account.Password == "" {
		err = refuse.Conflict("err_second_password")
	}
	if err != nil {
		return err
	}
	return prove(ctx, officials, typed, account.Password, refuse.Forbidden("err_password_wrong"))
}
