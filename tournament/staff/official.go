package staff

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"meldhall/tournament/door"
	"meldhall/tournament/hosting"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// What organizers do with officials' accounts, and officials with their own. Accounts belong to no event, and no record has a
// password, a PIN or a token.

// aboutAccount records something of an account; the streams of the official look again.
func aboutAccount(tx *door.Tx, a Account, is door.Details) {
	tx.Record(door.Entry{On: door.About{Name: a.Name}, Organization: a.OrganizationID, Is: is, Topics: []door.Topic{{What: door.TopicOfficials, ID: a.ID}}})
}

// CreateAccount adds an official. A name that was removed is taken up again.
type CreateAccount struct {
	Name     string      `json:"name" maxLength:"200"`
	Password string      `json:"password" maxLength:"1024"`
	Role     rights.Role `json:"role" enum:"organizer,head_referee,referee,scorekeeper,observer"`

	// Organization is for the house's organizers, who give an organization its first official; whom an organization's make is its own.
	Organization int64 `json:"organization,omitempty" doc:"by number; none: the house, or the organization of who asks"`

	account Account
}

var createAccountKind = door.NewKind[CreateAccount](door.Kind{Name: "account.create", Right: rights.MayManageAccounts, Guarded: true, Details: door.Steps("role.")})

func (c CreateAccount) Plan(ctx context.Context, d *door.Desk, _ rights.Actor) (_ door.Action, err error) {
	if c.account, err = newAccount(c.Name, c.Role); err == nil {
		c.account.Password, err = newPassword(ctx, d.DB, c.account.Name, c.Password)
	}
	return c, err
}

func (c CreateAccount) Do(tx *door.Tx) (Account, error) {
	account := c.account
	account.MadeBy = tx.Actor.Account
	organization, err := hosting.Choose(tx.Actor, c.Organization)
	if err == nil {
		err = account.placed(tx.DB, organization)
	}
	if err == nil {
		err = insertAccount(tx.DB, tx.Now(), &account)
	}
	aboutAccount(tx, account, door.Step{Is: string(account.Role)})
	return account, err
}

// SetUp makes the first account, an organizer's, with the token that the server printed; the token is void then.
type SetUp struct {
	Token    string `json:"token" maxLength:"200" doc:"printed by the server when it starts without an account"`
	Name     string `json:"name" maxLength:"200"`
	Password string `json:"password" maxLength:"1024"`

	account Account
}

var _ = door.NewKind[SetUp](door.Kind{Name: "account.setup", Right: rights.MaySeePublic, Guarded: true, Details: door.Steps("role.")})

func (u SetUp) Plan(ctx context.Context, d *door.Desk, _ rights.Actor) (_ door.Action, err error) {
	if err := setupOpen(d.DB.Read.WithContext(ctx), u.Token); err != nil {
		return nil, err
	}
	if u.account, err = newAccount(u.Name, rights.RoleOrganizer); err == nil {
		u.account.Password, err = newPassword(ctx, d.DB, u.account.Name, u.Password)
	}
	return u, err
}

func (u SetUp) Do(tx *door.Tx) (rights.Actor, error) {
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
	aboutAccount(tx, account, door.Step{Is: string(account.Role)})
	return tx.Actor, err
}

// SetRole gives an official another role. The last organizer stays one.
type SetRole struct {
	Account int64       `json:"account,omitempty" path:"id" minimum:"1"`
	Role    rights.Role `json:"role" enum:"organizer,head_referee,referee,scorekeeper,observer"`
}

var _ = door.NewKind[SetRole](door.Kind{Name: "account.role", Right: rights.MayManageAccounts, Details: door.Steps("role.")})

func (r SetRole) Do(tx *door.Tx) (Account, error) {
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
	aboutAccount(tx, account, door.Step{Was: string(account.Role), Is: string(r.Role)})
	account.Role = r.Role
	return account, tx.Model(&account).Update("role", r.Role).Error
}

// errPasswordOwn refuses a way around the password so far: a device that is left signed in must not be enough to take an account over.
var errPasswordOwn = refuse.Conflict("err_password_own")

// SetPassword gives another official a new password, and ends all sessions but Keep (a session's hash, or empty). Officials change
// their own with ChangePassword, which asks for the one so far.
type SetPassword struct {
	Account  int64  `json:"account,omitempty" path:"id" minimum:"1"`
	Password string `json:"password" maxLength:"1024"`
	Keep     string `json:"-"`

	hash string
}

var _ = door.NewKind[SetPassword](door.Kind{Name: "account.password", Right: rights.MayManageAccounts, Guarded: true})

func (p SetPassword) Plan(ctx context.Context, d *door.Desk, actor rights.Actor) (door.Action, error) {
	if p.Account == actor.Account {
		return nil, errPasswordOwn
	}
	account, err := administered(d.DB.Read.WithContext(ctx), actor, p.Account)
	if err == nil {
		p.hash, err = newPassword(ctx, d.DB, account.Name, p.Password)
	}
	return p, err
}

func (p SetPassword) Do(tx *door.Tx) (Account, error) {
	account, err := setPassword(tx.DB, p.Account, p.hash, p.Keep)
	if err == nil {
		err = handTo(tx, account)
	}
	aboutAccount(tx, account, nil)
	return account, err
}

// ChangePassword gives who does it another password, who must know the old one, and ends the other sessions.
type ChangePassword struct {
	Old      string `json:"old,omitempty" maxLength:"1024" doc:"the one so far, if there is one"`
	Password string `json:"password" maxLength:"1024"`
	Keep     string `json:"-"`

	hash string
}

var _ = door.NewKind[ChangePassword](door.Kind{Name: "account.own_password", Right: rights.MaySeeDesk, Guarded: true})

func (p ChangePassword) Plan(ctx context.Context, d *door.Desk, actor rights.Actor) (_ door.Action, err error) {
	if err := checkOldPassword(ctx, d.DB, actor.Account, p.Old); err != nil {
		return nil, err
	}
	p.hash, err = newPassword(ctx, d.DB, actor.Name, p.Password)
	return p, err
}

func (p ChangePassword) Do(tx *door.Tx) (Account, error) {
	account, err := setPassword(tx.DB, tx.Actor.Account, p.hash, p.Keep)
	if err == nil {
		err = own(tx, account)
	}
	aboutAccount(tx, account, nil)
	return account, err
}

// RemoveAccount takes an official's rights away, and ends all sessions. The name stays in the records, and taken; adding it
// again gives it back. The last organizer stays.
type RemoveAccount struct {
	Account int64 `json:"account,omitempty" path:"id" minimum:"1"`
}

var _ = door.NewKind[RemoveAccount](door.Kind{Name: "account.remove", Right: rights.MayManageAccounts, Final: true, Details: door.Steps("role.")})

func (r RemoveAccount) Do(tx *door.Tx) (Account, error) {
	account, err := administered(tx.DB, tx.Actor, r.Account)
	if err != nil {
		return account, err
	}
	if err := anotherOrganizer(tx.DB, account); err != nil {
		return account, err
	}
	aboutAccount(tx, account, door.Step{Was: string(account.Role)})
	account.RemovedAt = tx.Now()
	return account, errors.Join(
		tx.Model(&account).Updates(map[string]any{"removed_at": account.RemovedAt, "password": "", "pin": ""}).Error,
		voidInvites(tx.DB, account.ID, account.RemovedAt),
		tx.Exec("DELETE FROM known_devices WHERE account_id = ?", account.ID).Error,
		dropSecond(tx.DB, account.ID),
		endSessions(tx.DB, account.ID, ""),
		tx.Exec("DELETE FROM zones WHERE account_id = ?", account.ID).Error)
}

// AccountByID gives an official to an organizer, or to the official.
func AccountByID(ctx context.Context, s *storage.DB, actor rights.Actor, id int64) (Account, error) {
	db := s.Read.WithContext(ctx)
	if err := ownAccount(db, actor, id); err != nil {
		return Account{}, err
	}
	account, err := FindAccount(db, id)
	account.Password, account.PIN = Has(account.Password), Has(account.PIN)
	return account, err
}

// Has tells that there is a hash without telling it.
func Has(hash string) string {
	if hash == "" {
		return ""
	}
	return "set"
}

// ownAccount lets officials at what is their own, and organizers at everybody's of theirs; 0 is all of those.
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

// checkOldPassword refuses who does not know the password of an account that has one.
func checkOldPassword(ctx context.Context, s *storage.DB, id int64, old string) error {
	account, err := FindAccount(s.Read.WithContext(ctx), id)
	if err != nil || account.Password == "" {
		return err
	}
	return prove(ctx, officials, old, account.Password, refuse.Forbidden("err_password_wrong"))
}

// setPassword gives an official a password by its hash, and ends all sessions but keep (a session's hash, or empty).
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

// anotherOrganizer refuses to lose the last one who could put things right.
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
