package tournament

import (
	"context"

	"meldhall/tournament/rights"
)

// What organizers do with officials' accounts, and officials with their own. Accounts belong to no event, and no record has a
// password, a PIN or a token.

// aboutAccount records something of an account; the streams of the official look again.
func aboutAccount(tx *Tx, a Account, is Details) {
	tx.record(entry{on: About{Name: a.Name}, is: is, topics: []Topic{{TopicOfficials, a.ID}}})
}

// CreateAccount adds an official. A name that was removed is taken up again.
type CreateAccount struct {
	Name     string      `json:"name"`
	Password string      `json:"password"`
	Role     rights.Role `json:"role"`

	account Account
}

var createAccountKind = action[CreateAccount, Account](ActionKind{Name: "account.create", Right: rights.MayManageAccounts, Guarded: true, details: steps("role.")})

func (CreateAccount) kind() *ActionKind { return createAccountKind }

func (c CreateAccount) plan(ctx context.Context, d *Desk, _ rights.Actor) (_ Action, err error) {
	if c.account, err = newAccount(c.Name, c.Role); err == nil {
		c.account.Password, err = newPassword(ctx, c.Password)
	}
	return c, err
}

func (c CreateAccount) do(tx *Tx) (Account, error) {
	account := c.account
	err := insertAccount(tx.DB, tx.now(), &account)
	aboutAccount(tx, account, step{Is: string(account.Role)})
	return account, err
}

// SetUp makes the first account, an organizer's, with the token that the server printed; the token is void then.
type SetUp struct {
	Token    string `json:"token"`
	Name     string `json:"name"`
	Password string `json:"password"`

	account Account
}

var setUpKind = action[SetUp, rights.Actor](ActionKind{Name: "account.setup", Right: rights.MaySeePublic, Guarded: true, details: steps("role.")})

func (SetUp) kind() *ActionKind { return setUpKind }

func (u SetUp) plan(ctx context.Context, d *Desk, _ rights.Actor) (_ Action, err error) {
	if err := setupOpen(d.DB.Read.WithContext(ctx), u.Token); err != nil {
		return nil, err
	}
	if u.account, err = newAccount(u.Name, rights.RoleOrganizer); err == nil {
		u.account.Password, err = newPassword(ctx, u.Password)
	}
	return u, err
}

func (u SetUp) do(tx *Tx) (rights.Actor, error) {
	if err := endSetup(tx.DB, u.Token); err != nil {
		return rights.Actor{}, err
	}
	account := u.account
	if err := insertAccount(tx.DB, tx.now(), &account); err != nil {
		return rights.Actor{}, err
	}
	tx.Actor = actorOf(account)
	aboutAccount(tx, account, step{Is: string(account.Role)})
	return tx.Actor, nil
}

// SetRole gives an official another role. The last organizer stays one.
type SetRole struct {
	Account int64       `json:"account"`
	Role    rights.Role `json:"role"`
}

var setRoleKind = action[SetRole, Account](ActionKind{Name: "account.role", Right: rights.MayManageAccounts, details: steps("role.")})

func (SetRole) kind() *ActionKind { return setRoleKind }

func (r SetRole) do(tx *Tx) (Account, error) {
	account, was, err := setRole(tx.DB, r.Account, r.Role)
	if err == nil && was != r.Role {
		aboutAccount(tx, account, step{Was: string(was), Is: string(r.Role)})
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

var setPasswordKind = action[SetPassword, Account](ActionKind{Name: "account.password", Right: rights.MayManageAccounts, Guarded: true})

func (SetPassword) kind() *ActionKind { return setPasswordKind }

func (p SetPassword) plan(ctx context.Context, d *Desk, _ rights.Actor) (_ Action, err error) {
	p.hash, err = newPassword(ctx, p.Password)
	return p, err
}

func (p SetPassword) do(tx *Tx) (Account, error) {
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

var changePasswordKind = action[ChangePassword, Account](ActionKind{Name: "account.own_password", Right: rights.MaySeeDesk, Guarded: true})

func (ChangePassword) kind() *ActionKind { return changePasswordKind }

func (p ChangePassword) plan(ctx context.Context, d *Desk, actor rights.Actor) (_ Action, err error) {
	if err := checkOldPassword(ctx, d.DB, actor.Account, p.Old); err != nil {
		return nil, err
	}
	p.hash, err = newPassword(ctx, p.Password)
	return p, err
}

func (p ChangePassword) do(tx *Tx) (Account, error) {
	account, err := setPassword(tx.DB, tx.Actor.Account, p.hash, p.Keep)
	aboutAccount(tx, account, nil)
	return account, err
}

// RemoveAccount takes an official's rights away, and ends all sessions. The name stays in the records, and taken; adding it
// again gives it back. The last organizer stays.
type RemoveAccount struct {
	Account int64 `json:"account"`
}

var removeAccountKind = action[RemoveAccount, Account](ActionKind{Name: "account.remove", Right: rights.MayManageAccounts, details: steps("role.")})

func (RemoveAccount) kind() *ActionKind { return removeAccountKind }

func (r RemoveAccount) do(tx *Tx) (Account, error) {
	account, err := removeAccount(tx.DB, tx.now(), r.Account)
	if err != nil {
		return account, err
	}
	aboutAccount(tx, account, step{Was: string(account.Role)})
	return account, tx.Exec("DELETE FROM zones WHERE account_id = ?", account.ID).Error
}
