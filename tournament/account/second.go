package account

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
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// The second factor of an official is an app that shows codes (TOTP, RFC 6238): six digits, which change every 30 s.
// Recovery codes are for officials who have lost the app; each works once. An app uses the time of day, so its codes
// are compared with the machine's (store.DB.Wall) and not with the database's clock, which stops while the machine
// sleeps.

const (
	stepLength  = 30 * time.Second
	stepsAside  = 1  // steps by which a phone's clock may be off
	secretBytes = 20 // length of a new secret; at least 16 are accepted
	secretLeast = 16
	issuer      = "Meldhall"
)

// appCodes are the default parameters of apps.
var appCodes = totp.ValidateOpts{Period: uint(stepLength / time.Second), Digits: otp.DigitsSix,
	Algorithm: otp.AlgorithmSHA1}

type secondFactor struct {
	AccountID int64  `gorm:"primaryKey;autoIncrement:false"`
	Secret    string // base32
	Step      int64
	Since     engine.Millis
}

// NewSecret creates a secret for an official's app, and the address from which an app imports it as a QR code.
func NewSecret(name string) (typed, address string, err error) {
	key, err := totp.Generate(totp.GenerateOpts{Issuer: issuer, AccountName: name, SecretSize: secretBytes})
	if err != nil {
		return "", "", err
	}
	return key.Secret(), key.URL(), nil
}

// SecretAddress returns the address of a secret made by NewSecret.
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
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(spelling.Code(typed))
	if err != nil || len(raw) < secretLeast {
		return nil, refuse.Invalid("err_second_secret")
	}
	return raw, nil
}

// stepOf reports whether an app shows the code now, or just before or after, and returns the code's step.
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

// HasSecond reports whether an account needs a code or a passkey besides the password.
func HasSecond(ctx context.Context, s *store.DB, account int64) (bool, error) {
	return hasSecond(s.Read.WithContext(ctx), account)
}

func hasSecond(db *gorm.DB, account int64) (bool, error) {
	if _, has, err := secondOf(db, account); err != nil || has {
		return has, err
	}
	keys, err := passkeysOf(db, account)
	return len(keys) > 0, err
}

// HasApp reports whether an account has an authenticator app.
func HasApp(ctx context.Context, s *store.DB, account int64) (bool, error) {
	_, has, err := secondOf(s.Read.WithContext(ctx), account)
	return has, err
}

func secondOf(db *gorm.DB, account int64) (secondFactor, bool, error) {
	return store.First[secondFactor](db.Where("account_id = ?", account))
}

// UseCode accepts an app's code or a recovery code of an account, each once. A wrong or used code gives Forbidden.
func UseCode(ctx context.Context, s *store.DB, account int64, code string) error {
	return s.Tx(ctx, func(tx *gorm.DB) error { return useCode(tx, s, account, code) })
}

func useCode(tx *gorm.DB, s *store.DB, account int64, code string) error {
	code = spelling.Code(code)
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
		used = tx.Model(&recoveryCode{}).Where("account_id = ? AND hash = ? AND used_at = 0", account,
			secret.Hash(code)).Update("used_at", s.Millis())
	}
	if used.Error == nil && used.RowsAffected == 0 {
		return errSecondWrong
	}
	return used.Error
}

// AddSecond makes the actor's account require a code besides the password. It ends all sessions except Keep (a
// session's hash, or empty), since they began without a code. The code proves that the app has the secret.
type AddSecond struct {
	Password string `json:"password" maxLength:"1024" doc:"the account's password"`
	Secret   string `json:"secret" maxLength:"200" doc:"base32, at least 16 bytes; the secret set up in the app"`
	Code     string `json:"code" maxLength:"100" doc:"the app's current code"`
	Keep     string `json:"-"`
}

var _ = action.NewKind[AddSecond](action.Kind{Name: "account.second", Right: rights.MaySeeDesk, Guarded: true})

// Plan checks the password: access to a signed-in device must not be enough to lock its official out.
func (a AddSecond) Plan(ctx context.Context, d *action.Desk, actor rights.Actor) (action.Action, error) {
	return a, checkOwnPassword(ctx, d.DB, actor.Account, a.Password)
}

// Do returns the recovery codes, which are shown only this once.
func (a AddSecond) Do(tx *action.Tx) (codes []string, err error) {
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
	typed := spelling.Code(a.Secret)
	step, fits := stepOf(typed, spelling.Code(a.Code), tx.Desk.DB.Wall())
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

// DropSecond removes the app from the actor's account and ends all sessions except Keep. Without a passkey, the account
// then requires only the password.
type DropSecond struct {
	Password string `json:"password" maxLength:"1024" doc:"the account's password"`
	Code     string `json:"code" maxLength:"100" doc:"the app's current code, or a recovery code"`
	Keep     string `json:"-"`
}

var _ = action.NewKind[DropSecond](action.Kind{Name: "account.second_off", Right: rights.MaySeeDesk, Guarded: true})

func (r DropSecond) Plan(ctx context.Context, d *action.Desk, actor rights.Actor) (action.Action, error) {
	return r, checkOwnPassword(ctx, d.DB, actor.Account, r.Password)
}

func (r DropSecond) Do(tx *action.Tx) (Account, error) {
	account, err := FindAccount(tx.DB, tx.Actor.Account)
	if _, has, failed := secondOf(tx.DB, account.ID); err == nil && (failed != nil || !has) {
		err = cmp.Or(failed, error(errSecondWrong)) // do not use up a recovery code for nothing
	}
	if err == nil {
		err = useCode(tx.DB, tx.Desk.DB, account.ID, r.Code)
	}
	if err == nil {
		err = errors.Join(dropApp(tx.DB, account.ID), dropLoneRecoveries(tx.DB, account.ID),
			endSessions(tx.DB, account.ID, r.Keep))
	}
	aboutAccount(tx, account, nil)
	return account, err
}

// ResetSecond makes another official's account require only the password: app, passkeys and recovery codes are deleted.
type ResetSecond struct {
	Account int64 `json:"account,omitempty" path:"id" minimum:"1"`
}

var _ = action.NewKind[ResetSecond](action.Kind{Name: "account.second_reset", Right: rights.MayManageAccounts})

func (r ResetSecond) Do(tx *action.Tx) (Account, error) {
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
	return errors.Join(dropApp(tx, account), dropRecoveries(tx, account),
		tx.Where("account_id = ?", account).Delete(&Passkey{}).Error)
}

// checkOwnPassword rejects a wrong password and an account without one: a code alone is not a second factor.
func checkOwnPassword(ctx context.Context, s *store.DB, id int64, typed string) error {
	account, err := FindAccount(s.Read.WithContext(ctx), id)
	if err == nil && account.Password == "" {
		err = refuse.Conflict("err_second_password")
	}
	if err != nil {
		return err
	}
	return prove(ctx, officials, typed, account.Password, refuse.Forbidden("err_password_wrong"))
}
