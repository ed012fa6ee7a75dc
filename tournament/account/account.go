// Package account manages the officials: accounts and their roles, passwords, PINs, invitations, devices and sessions.
package account

import (
	"context"
	"crypto/subtle"
	"slices"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/organization"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// Account is an official. An account without a password can only be signed in to by invitation.
type Account struct {
	ID        int64
	Name      string
	NameKey   string // the name in the form used for comparisons
	Role      rights.Role
	Password  string        // argon2id, in PHC form; empty: none
	PIN       string        `gorm:"column:pin"` // argon2id, in PHC form; empty: none
	CreatedAt engine.Millis `gorm:"autoCreateTime:false"`
	RemovedAt engine.Millis // 0: active
	Events    []int64       `gorm:"serializer:json"` // the tournaments it serves; none: all
	MadeBy    int64         // the official who last gave it a password or invitation, or created it; 0: unknown
	OwnSince  engine.Millis // when its holder last set a password of their own; 0: never
	// OrganizationID is the organization to which the official permanently belongs, see package organization; 0: the
	// server.
	OrganizationID int64
}

const accountNameMost = 60 // characters

// setup is the token for creating the first organizer.
type setup struct {
	ID        int64
	Hash      string
	CreatedAt int64 `gorm:"autoCreateTime:false"`
}

// TableName returns the database table of the token.
func (setup) TableName() string { return "setup" }

// SetupToken creates a one-time token for the first organizer's account, for the server to print, and voids the
// previous one. It returns "" if an account exists already.
func SetupToken(ctx context.Context, s *store.DB) (string, error) {
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

// SetupOpen reports whether there is no account yet, so that a token creates the first organizer.
func SetupOpen(ctx context.Context, s *store.DB) (bool, error) {
	_, found, err := store.First[Account](s.Read.WithContext(ctx))
	return !found, err
}

// setupOpen rejects a token that is not the one for creating the first organizer.
func setupOpen(db *gorm.DB, token string) error {
	have, open, err := store.First[setup](db)
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

// newAccount returns a valid new account without a password.
func newAccount(name string, role rights.Role) (Account, error) {
	if err := checkRole(role); err != nil {
		return Account{}, err
	}
	name, err := accountName(name)
	return Account{Name: name, NameKey: spelling.Fold(name), Role: role}, err
}

// placed puts a new account into an organization, or the server's own accounts (0). The organization is part of its
// officials' names, which makes them unique.
func (a *Account) placed(db *gorm.DB, org int64) (err error) {
	a.OrganizationID = org
	a.Name, err = organization.OfficialName(db, org, a.Name)
	a.NameKey = spelling.Fold(a.Name)
	return err
}

// insertAccount adds an account, or reactivates a removed one. The name must not look like another account's.
func insertAccount(tx *gorm.DB, now engine.Millis, account *Account) error {
	others, err := store.All[Account](tx.Select("name", "name_key").Where("removed_at = 0"))
	if err != nil {
		return err
	}
	for _, other := range others {
		if other.NameKey != account.NameKey && spelling.Skeleton(other.Name) == spelling.Skeleton(account.Name) {
			return refuse.Conflict("err_name_alike", "name", account.Name, "other", other.Name)
		}
	}
	var removed Account
	if err := tx.Where("name_key = ? AND removed_at > 0", account.NameKey).Limit(1).Find(&removed).Error; err != nil {
		return err
	}
	account.ID, account.CreatedAt = removed.ID, now // the same person as before, to whom the records belong
	write := tx.Create
	if removed.ID != 0 {
		write = tx.Save
	}
	return store.Clash(write(account).Error, "err_account_exists", "name", account.Name)
}

// SignIn returns the actor of an account. A wrong name and a wrong password give the same error and take the same time.
// A client that is not known for the account gets Busy if many clients are waiting.
func SignIn(ctx context.Context, s *store.DB, name, password string, known bool) (rights.Actor, error) {
	account, _, err := store.First[Account](s.Read.WithContext(ctx).Where("name_key = ? AND removed_at = 0",
		spelling.Fold(name)))
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

// NameOf returns the proper spelling of an account's name as typed, or "" if there is none.
func NameOf(ctx context.Context, s *store.DB, typed string) (string, error) {
	account, _, err := store.First[Account](s.Read.WithContext(ctx).Where("name_key = ? AND removed_at = 0",
		spelling.Fold(typed)))
	return account.Name, err
}

// AccountActor returns the actor of a signed-in account, for a session that stores its ID.
func AccountActor(ctx context.Context, s *store.DB, id int64) (rights.Actor, error) {
	account, err := FindAccount(s.Read.WithContext(ctx), id)
	if err != nil {
		return rights.Actor{}, err
	}
	return actorOf(s.Read.WithContext(ctx), account)
}

// FindAccount returns an account that has not been removed, or NotFound.
func FindAccount(db *gorm.DB, id int64) (Account, error) {
	return store.ByID[Account](db.Where("removed_at = 0"), "account", id)
}

// administered returns an account that an actor may administer, or NotFound. An organization's organizers may
// administer only its accounts, the server's organizers all accounts.
func administered(db *gorm.DB, actor rights.Actor, id int64) (Account, error) {
	if actor.Organization != 0 {
		db = db.Where("organization_id = ?", actor.Organization)
	}
	return FindAccount(db, id)
}

// Accounts returns the officials of the server, or of the actor's organization, by name.
func Accounts(ctx context.Context, s *store.DB, actor rights.Actor) ([]Account, error) {
	return AccountsIn(ctx, s, actor, actor.Organization)
}

// AccountsIn returns the officials of an organization, or of the server (0), by name. The actor must be an organizer of
// the server or of that organization.
func AccountsIn(ctx context.Context, s *store.DB, actor rights.Actor, org int64) ([]Account, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayManageAccounts); err != nil {
		return nil, err
	}
	if err := organization.Within(actor, org); err != nil {
		return nil, err
	}
	return store.All[Account](s.Read.WithContext(ctx).Omit("password",
		"pin").Where("removed_at = 0 AND organization_id = ?", org).Order("name_key"))
}

// actorOf returns the actor of an account, with the limits of its rights.
func actorOf(db *gorm.DB, a Account) (rights.Actor, error) {
	limits, err := limitsOf(db, a)
	return rights.Actor{Account: a.ID, Name: a.Name, Role: a.Role, Seat: -1, Organization: a.OrganizationID,
		Limits: limits}, err
}
