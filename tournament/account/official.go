package account

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"meldhall/tournament/action"
	"meldhall/tournament/organization"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Actions of organizers on officials' accounts, and of officials on their own. Accounts belong to no tournament, and no
// record contains a password, a PIN or a token.

// aboutAccount records an action on an account and notifies the official's streams.
func aboutAccount(tx *action.Tx, a Account, is action.Details) {
	tx.Record(action.Entry{On: action.About{Name: a.Name}, Organization: a.OrganizationID, Is: is,
		Topics: []action.Topic{{What: action.TopicOfficials, ID: a.ID}}})
}

// CreateAccount adds an official. A removed account with the same name is reactivated.
type CreateAccount struct {
	Name     string      `json:"name" maxLength:"200"`
	Password string      `json:"password" maxLength:"1024"`
	Role     rights.Role `json:"role" enum:"organizer,head_referee,referee,scorekeeper,observer"`

	// Organization is for the server's organizers, who create an organization's first official. An organization's
	// organizers create only their own officials.
	Organization int64 `json:"organization,omitempty" doc:"by number; none: the server's owner, or the caller's organization"`

	account Account
}

var createAccountKind = action.NewKind[CreateAccount](action.Kind{Name: "account.create",
	Right: rights.MayManageAccounts, Guarded: true, Details: action.Steps("role.")})

func (c CreateAccount) Plan(ctx context.Context, d *action.Desk, _ rights.Actor) (_ action.Action, err error) {
	if c.account, err = newAccount(c.Name, c.Role); err == nil {
		c.account.Password, err = newPassword(ctx, d.DB, c.account.Name, c.Password)
	}
	return c, err
}

func (c CreateAccount) Do(tx *action.Tx) (Account, error) {
	account := c.account
	account.MadeBy = tx.Actor.Account
	org, err := organization.Choose(tx.Actor, c.Organization)
	if err == nil {
		err = account.placed(tx.DB, org)
	}
	if err == nil {
		err = insertAccount(tx.DB, tx.Now(), &account)
	}
	aboutAccount(tx, account, action.Step{Is: string(account.Role)})
	return account, err
}

// SetUp creates the first account, an organizer's, with the token that the server printed. The token is void
// afterwards.
type SetUp struct {
	Token    string `json:"token" maxLength:"200" doc:"the token that the server prints at startup if there is no account"`
	Name     string `json:"name" maxLength:"200"`
	Password string `json:"password" maxLength:"1024"`

	account Account
}

var _ = action.NewKind[SetUp](action.Kind{Name: "account.setup", Right: rights.MaySeePublic, Guarded: true,
	Details: action.Steps("role.")})

func (u SetUp) Plan(ctx context.Context, d *action.Desk, _ rights.Actor) (_ action.Action, err error) {
	if err := setupOpen(d.DB.Read.WithContext(ctx), u.Token); err != nil {
		return nil, err
	}
	if u.account, err = newAccount(u.Name, rights.RoleOrganizer); err == nil {
		u.account.Password, err = newPassword(ctx, d.DB, u.account.Name, u.Password)
	}
	return u, err
}

func (u SetUp) Do(tx *action.Tx) (rights.Actor, error) {
	if err := setupOpen(tx.DB, u.Token); err != nil {
		return rights.Actor{}, err
	}
	if err := tx.Delete(&setup{ID: 1}).Error; err != nil {
		return rights.Actor{}, err
	}
	account := u.account
	if err := insertAccount(tx.DB, tx.Now(), &account); err != nil {
		return rights.Actor{}, err
	}
	actor, err := actorOf(tx.DB, account)
	tx.Actor = actor
	aboutAccount(tx, account, action.Step{Is: string(account.Role)})
	return tx.Actor, err
}

// SetRole changes an official's role. The last organizer must stay one.
type SetRole struct {
	Account int64       `json:"account,omitempty" path:"id" minimum:"1"`
	Role    rights.Role `json:"role" enum:"organizer,head_referee,referee,scorekeeper,observer"`
}

var _ = action.NewKind[SetRole](action.Kind{Name: "account.role", Right: rights.MayManageAccounts,
	Details: action.Steps("role.")})

func (r SetRole) Do(tx *action.Tx) (Account, error) {
	if err := checkRole(r.Role); err != nil {
		return Account{}, err
	}
	account, err := administered(tx.DB, tx.Actor, r.Account)
	if err != nil || account.Role == r.Role {
		return account, err
	}
	if err := anotherOrganizer(tx.DB, account); err != nil {
		return account, err
	}
	aboutAccount(tx, account, action.Step{Was: string(account.Role), Is: string(r.Role)})
	account.Role = r.Role
	return account, tx.Model(&account).Update("role", r.Role).Error
}

// errPasswordOwn prevents bypassing the current password: access to a signed-in device must not be enough to take over
// an account.
var errPasswordOwn = refuse.Conflict("err_password_own")

// SetPassword gives another official a new password and ends all sessions except Keep (a session's hash, or empty).
// Officials change their own with ChangePassword, which asks for the current one.
type SetPassword struct {
	Account  int64  `json:"account,omitempty" path:"id" minimum:"1"`
	Password string `json:"password" maxLength:"1024"`
	Keep     string `json:"-"`

	hash string
}

var _ = action.NewKind[SetPassword](action.Kind{Name: "account.password", Right: rights.MayManageAccounts,
	Guarded: true})

func (p SetPassword) Plan(ctx context.Context, d *action.Desk, actor rights.Actor) (action.Action, error) {
	if p.Account == actor.Account {
		return nil, errPasswordOwn
	}
	account, err := administered(d.DB.Read.WithContext(ctx), actor, p.Account)
	if err == nil {
		p.hash, err = newPassword(ctx, d.DB, account.Name, p.Password)
	}
	return p, err
}

func (p SetPassword) Do(tx *action.Tx) (Account, error) {
	account, err := setPassword(tx.DB, p.Account, p.hash, p.Keep)
	if err == nil {
		err = handTo(tx, account)
	}
	aboutAccount(tx, account, nil)
	return account, err
}

// ChangePassword changes the actor's password, for which the current one is needed, and ends the other sessions.
type ChangePassword struct {
	Old      string `json:"old,omitempty" maxLength:"1024" doc:"the current one, if any"`
	Password string `json:"password" maxLength:"1024"`
	Keep     string `json:"-"`

	hash string
}

var _ = action.NewKind[ChangePassword](action.Kind{Name: "account.own_password", Right: rights.MaySeeDesk,
	Guarded: true})

func (p ChangePassword) Plan(ctx context.Context, d *action.Desk, actor rights.Actor) (_ action.Action, err error) {
	if err := checkOldPassword(ctx, d.DB, actor.Account, p.Old); err != nil {
		return nil, err
	}
	p.hash, err = newPassword(ctx, d.DB, actor.Name, p.Password)
	return p, err
}

func (p ChangePassword) Do(tx *action.Tx) (Account, error) {
	account, err := setPassword(tx.DB, tx.Actor.Account, p.hash, p.Keep)
	if err == nil {
		err = own(tx, account)
	}
	aboutAccount(tx, account, nil)
	return account, err
}

// RemoveAccount removes an official's rights and ends all sessions. The name stays reserved and in the records; adding
// it again reactivates the account. The last organizer can't be removed.
type RemoveAccount struct {
	Account int64 `json:"account,omitempty" path:"id" minimum:"1"`
}

var _ = action.NewKind[RemoveAccount](action.Kind{Name: "account.remove", Right: rights.MayManageAccounts, Final: true,
	Details: action.Steps("role.")})

func (r RemoveAccount) Do(tx *action.Tx) (Account, error) {
	account, err := administered(tx.DB, tx.Actor, r.Account)
	if err != nil {
		return account, err
	}
	if err := anotherOrganizer(tx.DB, account); err != nil {
		return account, err
	}
	aboutAccount(tx, account, action.Step{Was: string(account.Role)})
	account.RemovedAt = tx.Now()
	return account, errors.Join(
		tx.Model(&account).Updates(map[string]any{"removed_at": account.RemovedAt, "password": "", "pin": ""}).Error,
		voidInvites(tx.DB, account.ID, account.RemovedAt),
		tx.Where("account_id = ?", account.ID).Delete(&knownDevice{}).Error,
		dropSecond(tx.DB, account.ID),
		endSessions(tx.DB, account.ID, ""),
		tx.Exec("DELETE FROM zones WHERE account_id = ?", account.ID).Error)
}

// AccountByID returns an official. Only an organizer or that official may call it. Password and PIN are "set" or empty.
func AccountByID(ctx context.Context, s *store.DB, actor rights.Actor, id int64) (Account, error) {
	db := s.Read.WithContext(ctx)
	if err := ownAccount(db, actor, id); err != nil {
		return Account{}, err
	}
	account, err := FindAccount(db, id)
	account.Password, account.PIN = Has(account.Password), Has(account.PIN)
	return account, err
}

// Has reports whether a hash is set, without revealing it: it returns "set" or "".
func Has(hash string) string {
	if hash == "" {
		return ""
	}
	return "set"
}

// ownAccount returns an error unless the account is the actor's own, or the actor is an organizer who may administer
// it. ID 0 stands for all accounts that an organizer may administer.
func ownAccount(db *gorm.DB, actor rights.Actor, id int64) error {
	if actor.Account != 0 && actor.Account == id {
		return nil
	}
	err := rights.Authorize(actor, rights.Place{}, rights.MayManageAccounts)
	if err == nil && id != 0 && actor.Organization != 0 {
		_, err = administered(db, actor, id)
	}
	return err
}

// checkOldPassword rejects a wrong password for an account that has one.
func checkOldPassword(ctx context.Context, s *store.DB, id int64, old string) error {
	account, err := FindAccount(s.Read.WithContext(ctx), id)
	if err != nil || account.Password == "" {
		return err
	}
	return prove(ctx, officials, old, account.Password, refuse.Forbidden("err_password_wrong"))
}

// setPassword stores the hash of an official's password and ends all sessions except keep (a session's hash, or empty).
func setPassword(tx *gorm.DB, id int64, hash, keep string) (Account, error) {
	account, err := FindAccount(tx, id)
	if err != nil {
		return Account{}, err
	}
	if err := tx.Model(&account).Update("password", hash).Error; err != nil {
		return Account{}, err
	}
	return account, endSessions(tx, id, keep)
}

// anotherOrganizer returns an error if an account is the last organizer of all tournaments in its organization, without
// whom mistakes could not be corrected.
func anotherOrganizer(tx *gorm.DB, account Account) error {
	if account.Role != rights.RoleOrganizer || len(account.Events) > 0 {
		return nil
	}
	var others int64
	err := tx.Model(&Account{}).Where("role = ? AND removed_at = 0 AND events IS NULL AND id <> ? AND organization_id = ?", rights.RoleOrganizer, account.ID, account.OrganizationID).Count(&others).Error
	if err == nil && others == 0 {
		err = refuse.Conflict("err_last_organizer")
	}
	return err
}
