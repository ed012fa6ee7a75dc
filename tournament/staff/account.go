// Package staff is who works at events: accounts and their roles, passwords, PINs, invitations, devices and sessions.
package staff

import (
	"context"
	"crypto/subtle"
	"slices"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/hosting"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

// Account is an official. One without a password signs in by an invitation alone.
type Account struct {
	ID        int64
	Name      string
	NameKey   string // the name as it is compared
	Role      rights.Role
	Password  string        // argon2id, in PHC form; empty: none
	PIN       string        `gorm:"column:pin"` // likewise
	CreatedAt engine.Millis `gorm:"autoCreateTime:false"`
	RemovedAt engine.Millis // 0: not removed
	Events    []int64       `gorm:"serializer:json"` // that the account serves; none: all
	MadeBy    int64         // who made the account, or gave it a password or an invitation last; 0: not known
	OwnSince  engine.Millis // when its holder set a password after that; 0: never
	// OrganizationID is the organization whose official it is, for good, see package hosting; 0: the house's.
	OrganizationID int64
}

const accountNameMost = 60 // characters

// setup is the token that lets the first organizer in.
type setup struct {
	ID        int64
	Hash      string
	CreatedAt int64 `gorm:"autoCreateTime:false"`
}

// TableName is setup.
func (setup) TableName() string { return "setup" }

// SetupToken makes a new one-time token for the first organizer's account, for the server to print, and
// voids the one before. It is empty when there is an account already.
func SetupToken(ctx context.Context, s *storage.DB) (string, error) {
	token := secret.NewToken()
	err := s.Tx(ctx, func(tx *gorm.DB) error {
		var accounts int64
		if err := tx.Model(&Account{}).Count(&accounts).Error; err != nil || accounts > 0 {
			token = ""
			return err
		}
		return tx.Save(&setup{ID: 1, Hash: secret.Hash(token), CreatedAt: int64(s.Millis())}).Error
	})
	return token, err
}

// setupOpen refuses a token that is not the one that lets the first organizer in.
func setupOpen(db *gorm.DB, token string) error {
	have, open, err := storage.First[setup](db)
	switch {
	case err != nil:
		return err
	case !open:
		return refuse.Forbidden("err_setup_over")
	case subtle.ConstantTimeCompare([]byte(have.Hash), []byte(secret.Hash(token))) != 1:
		return refuse.Forbidden("err_setup_token_wrong")
	}
	return nil
}

func checkRole(role rights.Role) error {
	if !slices.Contains(rights.OfficialRoles, role) {
		return refuse.Invalid("err_account_role", "role", role)
	}
	return nil
}

func accountName(name string) (string, error) {
	name = spelling.Clean(name)
	if name == "" || utf8.RuneCountInString(name) > accountNameMost || strings.ContainsAny(name, ":#") {
		return "", refuse.Invalid("err_account_name", "most", accountNameMost)
	}
	return name, nil
}

// newAccount is an account that can be added, without a password.
func newAccount(name string, role rights.Role) (Account, error) {
	if err := checkRole(role); err != nil {
		return Account{}, err
	}
	name, err := accountName(name)
	return Account{Name: name, NameKey: spelling.Fold(name), Role: role}, err
}

// placed puts a new account into an organization, whose officials are told from all others by its part of their names; 0: the house.
func (a *Account) placed(db *gorm.DB, organization int64) (err error) {
	a.OrganizationID = organization
	a.Name, err = hosting.OfficialName(db, organization, a.Name)
	a.NameKey = spelling.Fold(a.Name)
	return err
}

// insertAccount adds an account, or takes one up again that was removed.
func insertAccount(tx *gorm.DB, now engine.Millis, account *Account) error {
	var removed Account
	if err := tx.Where("name_key = ? AND removed_at > 0", account.NameKey).Limit(1).Find(&removed).Error; err != nil {
		return err
	}
	account.ID, account.CreatedAt = removed.ID, now // the same person again, to whom the records belong
	write := tx.Create
	if removed.ID != 0 {
		write = tx.Save
	}
	return storage.Clash(write(account).Error, "err_account_exists", "name", account.Name)
}

// SignIn gives the actor of an account. A wrong name and a wrong password are the same error and take
// the same time. Whoever is not known at the account is sent away (Busy) when many wait.
func SignIn(ctx context.Context, s *storage.DB, name, password string, known bool) (rights.Actor, error) {
	account, _, err := storage.First[Account](s.Read.WithContext(ctx).Where("name_key = ? AND removed_at = 0", spelling.Fold(name)))
	if err == nil {
		err = prove(ctx, lineOf(known), password, account.Password, refuse.Unauthenticated("err_sign_in_wrong"))
	}
	if err == nil {
		err = hashAnew(ctx, s, account, password, known)
	}
	if err != nil {
		return rights.Actor{}, err
	}
	return actorOf(s.Read.WithContext(ctx), account)
}

// NameOf is the name of an account as it is written, by what was typed; "" where there is none.
func NameOf(ctx context.Context, s *storage.DB, typed string) (string, error) {
	account, _, err := storage.First[Account](s.Read.WithContext(ctx).Where("name_key = ? AND removed_at = 0", spelling.Fold(typed)))
	return account.Name, err
}

// AccountActor gives the actor of a signed-in account, for a session that remembers the number.
func AccountActor(ctx context.Context, s *storage.DB, id int64) (rights.Actor, error) {
	account, err := FindAccount(s.Read.WithContext(ctx), id)
	if err != nil {
		return rights.Actor{}, err
	}
	return actorOf(s.Read.WithContext(ctx), account)
}

// FindAccount gives an account that is not removed, or NotFound.
func FindAccount(db *gorm.DB, id int64) (Account, error) {
	return storage.ByID[Account](db.Where("removed_at = 0"), "account", id)
}

// administered is an account to which an organizer may do something: of an organization, to its own; of the house, to every one.
func administered(db *gorm.DB, actor rights.Actor, id int64) (Account, error) {
	if actor.Organization != 0 {
		db = db.Where("organization_id = ?", actor.Organization)
	}
	return FindAccount(db, id)
}

// Accounts lists the staff by name, of the house or of the organization whose organizer asks.
func Accounts(ctx context.Context, s *storage.DB, actor rights.Actor) ([]Account, error) {
	return AccountsIn(ctx, s, actor, actor.Organization)
}

// AccountsIn lists the staff of an organization, 0: of the house, by name; for an organizer of the house, or its own.
func AccountsIn(ctx context.Context, s *storage.DB, actor rights.Actor, organization int64) ([]Account, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayManageAccounts); err != nil {
		return nil, err
	}
	if err := hosting.Within(actor, organization); err != nil {
		return nil, err
	}
	return storage.All[Account](s.Read.WithContext(ctx).Omit("password", "pin").Where("removed_at = 0 AND organization_id = ?", organization).Order("name_key"))
}

// actorOf is the official of an account, with the limits of the rights.
func actorOf(db *gorm.DB, a Account) (rights.Actor, error) {
	limits, err := limitsOf(db, a)
	return rights.Actor{Account: a.ID, Name: a.Name, Role: a.Role, Seat: -1, Organization: a.OrganizationID, Limits: limits}, err
}
