package tournament

import (
	"context"

	"meldhall/tournament/rights"
)

// How officials come in: by an invitation, and on a player's tablet by a PIN; and how a device of theirs is signed out.

// InviteOfficial makes a link that signs an official in once: who is there already, on another phone, or one with a new name and a
// role, without a password. Earlier links of the official are void.
type InviteOfficial struct {
	Account int64       `json:"account,omitempty"`
	Name    string      `json:"name,omitempty"`
	Role    rights.Role `json:"role,omitempty"`
}

var inviteKind = action[InviteOfficial, Invite](ActionKind{Name: "account.invite", Right: rights.MayManageAccounts, Guarded: true, details: steps("role.")})

func (InviteOfficial) kind() *ActionKind { return inviteKind }

func (i InviteOfficial) do(tx *Tx) (Invite, error) {
	account, err := i.account(tx)
	if err != nil {
		return Invite{}, err
	}
	aboutAccount(tx, account, step{Is: string(account.Role)})
	return invite(tx.DB, tx.now(), tx.Actor, account)
}

func (i InviteOfficial) account(tx *Tx) (Account, error) {
	if i.Name == "" && i.Role == "" {
		return findAccount(tx.DB, i.Account)
	}
	account, err := newAccount(i.Name, i.Role)
	if err == nil {
		err = insertAccount(tx.DB, tx.now(), &account)
		tx.record(entry{kind: createAccountKind, on: About{Name: account.Name}, is: step{Is: string(account.Role)}})
	}
	return account, err
}

// AcceptInvite uses an invitation: the actor is signed in then. A password, if any is given, is the official's from now on.
type AcceptInvite struct {
	Token    string `json:"token"`
	Password string `json:"password,omitempty"`

	hash string
}

var acceptInviteKind = action[AcceptInvite, rights.Actor](ActionKind{Name: "account.accept", Right: rights.MaySeePublic, Guarded: true, details: steps("role.")})

func (AcceptInvite) kind() *ActionKind { return acceptInviteKind }

func (i AcceptInvite) plan(ctx context.Context, d *Desk, _ rights.Actor) (_ Action, err error) {
	if _, err := Invited(ctx, d.DB, i.Token); err != nil || i.Password == "" {
		return i, err
	}
	i.hash, err = newPassword(ctx, i.Password)
	return i, err
}

func (i AcceptInvite) do(tx *Tx) (rights.Actor, error) {
	account, err := acceptInvite(tx.DB, tx.now(), i.Token, i.hash)
	if err != nil {
		return rights.Actor{}, err
	}
	tx.Actor = actorOf(account)
	aboutAccount(tx, account, step{Is: string(account.Role)})
	return tx.Actor, nil
}

// RevokeDevice signs a device out, an official's own or, for an organizer, anybody's.
type RevokeDevice struct {
	Device int64 `json:"device"`
}

var revokeDeviceKind = action[RevokeDevice, Device](ActionKind{Name: "device.revoke", Right: rights.MayManageAccounts, Own: true,
	details: func() Details { return &value{} }})

func (RevokeDevice) kind() *ActionKind { return revokeDeviceKind }

func (r RevokeDevice) do(tx *Tx) (Device, error) {
	device, err := findDevice(tx.DB, r.Device)
	if device.AccountID != 0 && device.AccountID == tx.Actor.Account {
		tx.own()
	} else if err := tx.authorize(rights.Place{}, rights.MayManageAccounts); err != nil {
		return Device{}, err // who may not see whether there is one does not learn it
	}
	if err != nil {
		return Device{}, err
	}
	tx.record(entry{on: About{Name: device.Name}, is: value{Was: device.Agent}, topics: []Topic{{TopicOfficials, device.AccountID}}})
	return device, signOut(tx.DB, device)
}

// SetPIN gives who does it a PIN to rule with on a player's tablet, in place of the one before. An empty one takes it away.
type SetPIN struct {
	PIN string `json:"pin"`

	hash string
}

var setPINKind = action[SetPIN, Account](ActionKind{Name: "account.pin", Right: rights.MayRule, Guarded: true, details: steps("log.is.")})

func (SetPIN) kind() *ActionKind { return setPINKind }

func (p SetPIN) plan(ctx context.Context, d *Desk, _ rights.Actor) (_ Action, err error) {
	p.hash, err = newPIN(ctx, d.DB, p.PIN)
	return p, err
}

func (p SetPIN) do(tx *Tx) (Account, error) {
	account, err := setPIN(tx.DB, tx.Actor.Account, p.hash)
	aboutAccount(tx, account, step{Is: has(p.hash)})
	return account, err
}
