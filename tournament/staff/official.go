package staff

import (
	"context"

	"meldhall/tournament/door"
	"meldhall/tournament/rights"
)

// What organizers do with officials' accounts, and officials with their own. Accounts belong to no event, and no record has a
// password, a PIN or a token.

// aboutAccount records something of an account; the streams of the official look again.
func aboutAccount(tx *door.Tx, a Account, is door.Details) {
	tx.Record(door.Entry{On: door.About{Name: a.Name}, Is: is, Topics: []door.Topic{{What: door.TopicOfficials, ID: a.ID}}})
}

// CreateAccount adds an official. A name that was removed is taken up again.
type CreateAccount struct {
	Name     string      `json:"name"`
	Password string      `json:"password"`
	Role     rights.Role `json:"role"`

	account Account
}

var createAccountKind = door.NewKind[CreateAccount, Account](door.Kind{Name: "account.create", Right: rights.MayManageAccounts, Guarded: true, Details: door.Steps("role.")})

func (CreateAccount) Kind() *door.Kind { return createAccountKind }

func (c CreateAccount) Plan(ctx context.Context, d *door.Desk, _ rights.Actor) (_ door.Action, err error) {
	if c.account, err = newAccount(c.Name, c.Role); err == nil {
		c.account.Password, err = newPassword(ctx, c.Password)
	}
	return c, err
}

func (c CreateAccount) Do(tx *door.Tx) (Account, error) {
	account := c.account
	err := insertAccount(tx.DB, tx.Now(), &account)
	aboutAccount(tx, account, door.Step{Is: string(account.Role)})
	return account, err
}

// SetUp makes the first account, an organizer's, with the token that the server printed; the token is void then.
type SetUp struct {
	Token    string `json:"token"`
	Name     string `json:"name"`
	Password string `json:"password"`

	account Account
}

var setUpKind = door.NewKind[SetUp, rights.Actor](door.Kind{Name: "account.setup", Right: rights.MaySeePublic, Guarded: true, Details: door.Steps("role.")})

func (SetUp) Kind() *door.Kind { return setUpKind }

func (u SetUp) Plan(ctx context.Context, d *door.Desk, _ rights.Actor) (_ door.Action, err error) {
	if err := setupOpen(d.DB.Read.WithContext(ctx), u.Token); err != nil {
		return nil, err
	}
	if u.account, err = newAccount(u.Name, rights.RoleOrganizer); err == nil {
		u.account.Password, err = newPassword(ctx, u.Password)
	}
	return u, err
}

func (u SetUp) Do(tx *door.Tx) (rights.Actor, error) {
	if err := endSetup(tx.DB, u.Token); err != nil {
		return rights.Actor{}, err
	}
	account := u.account
	if err := insertAccount(tx.DB, tx.Now(), &account); err != nil {
		return rights.Actor{}, err
	}
	tx.Actor = actorOf(account)
	aboutAccount(tx, account, door.Step{Is: string(account.Role)})
	return tx.Actor, nil
}

// SetRole gives an official another role. The last organizer stays one.
type SetRole struct {
	Account int64       `json:"account"`
	Role    rights.Role `json:"role"`
}

var setRoleKind = door.NewKind[SetRole, Account](door.Kind{Name: "account.role", Right: rights.MayManageAccounts, Details: door.Steps("role.")})

func (SetRole) Kind() *door.Kind { return setRoleKind }

func (r SetRole) Do(tx *door.Tx) (Account, error) {
	account, was, err := setRole(tx.DB, r.Account, r.Role)
	if err == nil && was != r.Role {
		aboutAccount(tx, account, door.Step{Was: string(was), Is: string(r.Role)})
	}
	return account, err
}

// SetPassword gives an official another password, and ends all sessions but Keep (a session's hash, or empty). Officials change
// their own with ChangePassword.
type SetPassword struct {
	Account  int64  `json:"account"`
	Password string `json:"password"`
	Keep     string `json:"-"`

	hash string
}

var setPasswordKind = door.NewKind[SetPassword, Account](door.Kind{Name: "account.password", Right: rights.MayManageAccounts, Guarded: true})

func (SetPassword) Kind() *door.Kind { return setPasswordKind }

func (p SetPassword) Plan(ctx context.Context, d *door.Desk, _ rights.Actor) (_ door.Action, err error) {
	p.hash, err = newPassword(ctx, p.Password)
	return p, err
}

func (p SetPassword) Do(tx *door.Tx) (Account, error) {
	account, err := setPassword(tx.DB, p.Account, p.hash, p.Keep)
	aboutAccount(tx, account, nil)
	return account, err
}

// ChangePassword gives who does it another password, who must know the old one, and ends the other sessions.
type ChangePassword struct {
	Old      string `json:"old"`
	Password string `json:"password"`
	Keep     string `json:"-"`

	hash string
}

var changePasswordKind = door.NewKind[ChangePassword, Account](door.Kind{Name: "account.own_password", Right: rights.MaySeeDesk, Guarded: true})

func (ChangePassword) Kind() *door.Kind { return changePasswordKind }

func (p ChangePassword) Plan(ctx context.Context, d *door.Desk, actor rights.Actor) (_ door.Action, err error) {
	if err := checkOldPassword(ctx, d.DB, actor.Account, p.Old); err != nil {
		return nil, err
	}
	p.hash, err = newPassword(ctx, p.Password)
	return p, err
}

func (p ChangePassword) Do(tx *door.Tx) (Account, error) {
	account, err := setPassword(tx.DB, tx.Actor.Account, p.hash, p.Keep)
	aboutAccount(tx, account, nil)
	return account, err
}

// RemoveAccount takes an official's rights away, and ends all sessions. The name stays in the records, and taken; adding it
// again gives it back. The last organizer stays.
type RemoveAccount struct {
	Account int64 `json:"account"`
}

var removeAccountKind = door.NewKind[RemoveAccount, Account](door.Kind{Name: "account.remove", Right: rights.MayManageAccounts, Details: door.Steps("role.")})

func (RemoveAccount) Kind() *door.Kind { return removeAccountKind }

func (r RemoveAccount) Do(tx *door.Tx) (Account, error) {
	account, err := removeAccount(tx.DB, tx.Now(), r.Account)
	if err != nil {
		return account, err
	}
	aboutAccount(tx, account, door.Step{Was: string(account.Role)})
	return account, tx.Exec("DELETE FROM zones WHERE account_id = ?", account.ID).Error
}
