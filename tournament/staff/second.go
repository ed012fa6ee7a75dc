package staff

import (
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
	recoveries  = 10
	recoverySet = 3 // a code is as long as three of those that are typed at tables: 117 bits, so that a plain hash keeps it
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

type recoveryCode struct {
	Hash      string `gorm:"primaryKey"`
	AccountID int64
	UsedAt    engine.Millis
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

// HasSecond tells whether an account asks for a code besides the password.
func HasSecond(ctx context.Context, s *storage.DB, account int64) (bool, error) {
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
	if !has {
		return errSecondWrong
	}
	var used *gorm.DB
	if step, fits := stepOf(factor.Secret, code, s.Wall()); fits {
		used = tx.Model(&secondFactor{}).Where("account_id = ? AND step < ?", account, step).Update("step", step)
	} else {
		used = tx.Model(&recoveryCode{}).Where("account_id = ? AND hash = ? AND used_at = 0", account, secret.Hash(code)).Update("used_at", s.Millis())
	}
	if used.Error == nil && used.RowsAffected == 0 {
		return errSecondWrong
	}
	return used.Error
}

// RecoveriesLeft counts the recovery codes of an account that are still good; for the official and for organizers.
func RecoveriesLeft(ctx context.Context, s *storage.DB, actor rights.Actor, account int64) (int, error) {
	if err := ownAccount(actor, account); err != nil {
		return 0, err
	}
	var left int64
	err := s.Read.WithContext(ctx).Model(&recoveryCode{}).Where("account_id = ? AND used_at = 0", account).Count(&left).Error
	return int(left), err
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
	for range recoveries {
		code := ""
		for range recoverySet {
			code += secret.NewCode()
		}
		if err := tx.Create(&recoveryCode{Hash: secret.Hash(code), AccountID: account.ID}).Error; err != nil {
			return nil, err
		}
		codes = append(codes, secret.SpellCodes(code))
	}
	aboutAccount(tx, account, nil)
	return codes, endSessions(tx.DB, account.ID, a.Keep)
}

// DropSecond lets the account of who does it ask for the password alone again, and ends all sessions but Keep.
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
	if err == nil {
		err = useCode(tx.DB, tx.Desk.DB, account.ID, r.Code)
	}
	if err == nil {
		err = errors.Join(dropSecond(tx.DB, account.ID), endSessions(tx.DB, account.ID, r.Keep))
	}
	aboutAccount(tx, account, nil)
	return account, err
}

// ResetSecond lets another official's account ask for the password alone: the app and the recovery codes are lost.
type ResetSecond struct {
	Account int64 `json:"account,omitempty" path:"id" minimum:"1"`
}

var _ = door.NewKind[ResetSecond](door.Kind{Name: "account.second_reset", Right: rights.MayManageAccounts})

func (r ResetSecond) Do(tx *door.Tx) (Account, error) {
	account, err := FindAccount(tx.DB, r.Account)
	if err != nil {
		return account, err
	}
	if account.ID == tx.Actor.Account {
		return account, refuse.Forbidden("err_second_own")
	}
	if _, has, err := secondOf(tx.DB, account.ID); err != nil {
		return account, err
	} else if !has {
		return account, refuse.Conflict("err_second_none")
	}
	aboutAccount(tx, account, nil)
	return account, dropSecond(tx.DB, account.ID)
}

func dropSecond(tx *gorm.DB, account int64) error {
	return errors.Join(tx.Where("account_id = ?", account).Delete(&secondFactor{}).Error, tx.Where("account_id = ?", account).Delete(&recoveryCode{}).Error)
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
