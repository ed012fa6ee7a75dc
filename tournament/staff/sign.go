package staff

import (
	"context"

	"meldhall/tournament/door"
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

var inviteKind = door.NewKind[InviteOfficial, Invite](door.Kind{Name: "account.invite", Right: rights.MayManageAccounts, Guarded: true, Details: door.Steps("role.")})

func (InviteOfficial) Kind() *door.Kind { return inviteKind }

func (i InviteOfficial) Do(tx *door.Tx) (Invite, error) {
	account, err := i.account(tx)
	if err != nil {
		return Invite{}, err
	}
	aboutAccount(tx, account, door.Step{Is: string(account.Role)})
	return invite(tx.DB, tx.Now(), tx.Actor, account)
}

func (i InviteOfficial) account(tx *door.Tx) (Account, error) {
	if i.Name == "" && i.Role == "" {
		return FindAccount(tx.DB, i.Account)
	}
	account, err := newAccount(i.Name, i.Role)
	if err == nil {
		err = insertAccount(tx.DB, tx.Now(), &account)
		tx.Record(door.Entry{Kind: createAccountKind, On: door.About{Name: account.Name}, Is: door.Step{Is: string(account.Role)}})
	}
	return account, err
}

// AcceptInvite uses an invitation: the actor is signed in then. A password, if any is given, is the official's from now on.
type AcceptInvite struct {
	Token    string `json:"token"`
	Password string `json:"password,omitempty"`

	hash string
}

var acceptInviteKind = door.NewKind[AcceptInvite, rights.Actor](door.Kind{Name: "account.accept", Right: rights.MaySeePublic, Guarded: true, Details: door.Steps("role.")})

func (AcceptInvite) Kind() *door.Kind { return acceptInviteKind }

func (i AcceptInvite) Plan(ctx context.Context, d *door.Desk, _ rights.Actor) (_ door.Action, err error) {
	if _, err := Invited(ctx, d.DB, i.Token); err != nil || i.Password == "" {
		return i, err
	}
	i.hash, err = newPassword(ctx, i.Password)
	return i, err
}

func (i AcceptInvite) Do(tx *door.Tx) (rights.Actor, error) {
	account, err := acceptInvite(tx.DB, tx.Now(), i.Token, i.hash)
	if err != nil {
		return rights.Actor{}, err
	}
	tx.Actor = actorOf(account)
	aboutAccount(tx, account, door.Step{Is: string(account.Role)})
	return tx.Actor, nil
}

// RevokeDevice signs a device out, an official's own or, for an organizer, anybody's.
type RevokeDevice struct {
	Device int64 `json:"device"`
}

var revokeDeviceKind = door.NewKind[RevokeDevice, Device](door.Kind{Name: "device.revoke", Right: rights.MayManageAccounts, Own: true,
	Details: func() door.Details { return &door.Value{} }})

func (RevokeDevice) Kind() *door.Kind { return revokeDeviceKind }

func (r RevokeDevice) Do(tx *door.Tx) (Device, error) {
	device, err := findDevice(tx.DB, r.Device)
	if device.AccountID != 0 && device.AccountID == tx.Actor.Account {
		tx.Own()
	} else if err := tx.Authorize(rights.Place{}, rights.MayManageAccounts); err != nil {
		return Device{}, err // who may not see whether there is one does not learn it
	}
	if err != nil {
		return Device{}, err
	}
	tx.Record(door.Entry{On: door.About{Name: device.Name}, Is: door.Value{Was: device.Agent}, Topics: []door.Topic{{What: door.TopicOfficials, ID: device.AccountID}}})
	return device, signOut(tx.DB, device)
}

// SetPIN gives who does it a PIN to rule with on a player's tablet, in place of the one before. An empty one takes it away.
type SetPIN struct {
	PIN string `json:"pin"`

	hash string
}

var setPINKind = door.NewKind[SetPIN, Account](door.Kind{Name: "account.pin", Right: rights.MayRule, Guarded: true, Details: door.Steps("log.is.")})

func (SetPIN) Kind() *door.Kind { return setPINKind }

func (p SetPIN) Plan(ctx context.Context, d *door.Desk, _ rights.Actor) (_ door.Action, err error) {
	p.hash, err = newPIN(ctx, d.DB, p.PIN)
	return p, err
}

func (p SetPIN) Do(tx *door.Tx) (Account, error) {
	account, err := setPIN(tx.DB, tx.Actor.Account, p.hash)
	aboutAccount(tx, account, door.Step{Is: Has(p.hash)})
	return account, err
}
