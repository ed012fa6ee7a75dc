package account

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/organization"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// How officials sign in, by an invitation or on a player's tablet by a PIN, and how their devices are signed out.

// InviteOfficial creates a link that signs an official in once: an existing one, for example on another phone, or a new
// one with a name and a role but no password. Earlier links of the official become void.
type InviteOfficial struct {
	Account int64       `json:"account,omitempty"`
	Name    string      `json:"name,omitempty"`
	Role    rights.Role `json:"role,omitempty"`

	Organization int64 `json:"organization,omitempty"` // for a new official, as in CreateAccount
}

var _ = action.NewKind[InviteOfficial](action.Kind{Name: "account.invite", Right: rights.MayManageAccounts,
	Guarded: true, Details: action.Steps("role.")})

func (i InviteOfficial) Do(tx *action.Tx) (Invite, error) {
	account, err := i.account(tx)
	if err != nil {
		return Invite{}, err
	}
	aboutAccount(tx, account, action.Step{Is: string(account.Role)})
	if err := handTo(tx, account); err != nil {
		return Invite{}, err
	}
	return invite(tx.DB, tx.Now(), tx.Actor, account)
}

func (i InviteOfficial) account(tx *action.Tx) (Account, error) {
	if i.Name == "" && i.Role == "" {
		return administered(tx.DB, tx.Actor, i.Account)
	}
	org, err := organization.Choose(tx.Actor, i.Organization)
	if err != nil {
		return Account{}, err
	}
	account, err := newAccount(i.Name, i.Role)
	if err == nil {
		err = account.placed(tx.DB, org)
	}
	if err == nil {
		err = insertAccount(tx.DB, tx.Now(), &account)
		tx.Record(action.Entry{Kind: createAccountKind, On: action.About{Name: account.Name}, Organization: org,
			Is: action.Step{Is: string(account.Role)}})
	}
	return account, err
}

// AcceptInvite signs an official in with an invitation. A password, if given, replaces the official's and ends all
// earlier sessions.
type AcceptInvite struct {
	Token    string `json:"token" maxLength:"200"`
	Password string `json:"password,omitempty" maxLength:"1024" doc:"the official's new password; empty: none, or the current one"`
	Code     string `json:"code,omitempty" maxLength:"100" doc:"the code of the second step, if the account uses one"`

	hash string
}

var _ = action.NewKind[AcceptInvite](action.Kind{Name: "account.accept", Right: rights.MaySeePublic, Guarded: true,
	Details: action.Steps("role.")})

func (i AcceptInvite) Plan(ctx context.Context, d *action.Desk, _ rights.Actor) (_ action.Action, err error) {
	invited, err := Invited(ctx, d.DB, i.Token)
	if err != nil || i.Password == "" {
		return i, err
	}
	i.hash, err = newPassword(ctx, d.DB, invited.Name, i.Password)
	return i, err
}

func (i AcceptInvite) Do(tx *action.Tx) (rights.Actor, error) {
	invite, account, err := findInvite(tx.DB, tx.Now(), i.Token)
	if err == nil {
		err = i.checkCode(tx, account.ID)
	}
	// invited themselves, on another device
	if err == nil && i.hash != "" && account.Password != "" && account.MadeBy == account.ID {
		err = errPasswordOwn
	}
	if err == nil {
		err = tx.Model(&invite).Update("used_at", tx.Now()).Error
	}
	if err == nil && i.hash != "" {
		err = errors.Join(tx.Model(&account).Update("password", i.hash).Error, own(tx, account),
			endSessions(tx.DB, account.ID, ""))
	}
	if err != nil {
		return rights.Actor{}, err
	}
	tx.Actor, err = actorOf(tx.DB, account)
	aboutAccount(tx, account, action.Step{Is: string(account.Role)})
	return tx.Actor, err
}

// checkCode checks the code if the account has a second factor, since a link may be photographed.
func (i AcceptInvite) checkCode(tx *action.Tx, account int64) error {
	has, err := hasSecond(tx.DB, account)
	if err != nil || !has {
		return err
	}
	return useCode(tx.DB, tx.Desk.DB, account, i.Code)
}

// RevokeDevice signs a device out: an official's own or, for an organizer, any. The field Here is the hash of the
// current session. If a password is set, signing out another device of one's own requires it: access to one signed-in
// device must not be enough to sign its owner out of others.
type RevokeDevice struct {
	Device   int64  `json:"device,omitempty" path:"id" minimum:"1"`
	Password string `json:"password,omitempty" maxLength:"1024" doc:"the account's password if it has one; needed to sign out another of your own devices"`
	Here     string `json:"-"`
}

var _ = action.NewKind[RevokeDevice](action.Kind{Name: "device.revoke", Right: rights.MayManageAccounts, Own: true,
	Guarded: true, Details: action.Keep[action.Value]})

// Plan checks the password. Do rejects devices that are not the actor's.
func (r RevokeDevice) Plan(ctx context.Context, d *action.Desk, actor rights.Actor) (action.Action, error) {
	device, err := findDevice(d.DB.Read.WithContext(ctx), r.Device)
	if err != nil || device.AccountID == 0 || device.AccountID != actor.Account || device.Session == r.Here {
		return r, nil
	}
	return r, checkOldPassword(ctx, d.DB, actor.Account, r.Password)
}

func (r RevokeDevice) Do(tx *action.Tx) (Device, error) {
	device, err := findDevice(tx.DB, r.Device)
	if device.AccountID != 0 && device.AccountID == tx.Actor.Account {
		tx.Own()
	} else if err := tx.Authorize(rights.Place{}, rights.MayManageAccounts); err != nil {
		return Device{}, err // do not reveal whether the device exists
	}
	if err != nil {
		return Device{}, err
	}
	owner, err := administered(tx.DB, tx.Actor, device.AccountID)
	if err != nil {
		return Device{}, refuse.NotFound("err_device_not_found")
	}
	tx.Record(action.Entry{On: action.About{Name: device.Name}, Organization: owner.OrganizationID,
		Is: action.Value{Was: device.Agent}, Topics: []action.Topic{{What: action.TopicOfficials,
			ID: device.AccountID}}})
	return device, tx.Where("token = ?", device.Session).Delete(&session{}).Error
}

// SetPIN sets the actor's PIN for making rulings on a player's tablet and replaces the previous one. An empty PIN
// removes it.
type SetPIN struct {
	PIN      string `json:"pin" maxLength:"20" doc:"6 digits; empty: none"`
	Password string `json:"password,omitempty" maxLength:"1024" doc:"the account's password, if it has one"`

	hash string
}

var _ = action.NewKind[SetPIN](action.Kind{Name: "account.pin", Right: rights.MayRule, Guarded: true,
	Details: action.Steps("log.is.")})

// Plan checks the password, because a PIN outlives the session that sets it.
func (p SetPIN) Plan(ctx context.Context, d *action.Desk, actor rights.Actor) (_ action.Action, err error) {
	if p.PIN != "" && !pinFits(p.PIN) {
		return nil, refuse.Invalid("err_pin_form")
	}
	if err := checkOldPassword(ctx, d.DB, actor.Account, p.Password); err != nil {
		return nil, err
	}
	p.hash, err = newPIN(ctx, p.PIN)
	return p, err
}

func (p SetPIN) Do(tx *action.Tx) (Account, error) {
	account, err := FindAccount(tx.DB, tx.Actor.Account)
	if err != nil {
		return account, err
	}
	aboutAccount(tx, account, action.Step{Is: Has(p.hash)})
	return account, tx.Model(&account).Update("pin", p.hash).Error
}

// Sessions stores the sessions of signed-in officials. It implements the store interface of alexedwards/scs.
type Sessions struct{ Store *store.DB }

type session struct {
	Token  string `gorm:"primaryKey"`
	Data   []byte
	Expiry int64
}

// TableName returns the database table of sessions.
func (session) TableName() string { return "sessions" }

// Find returns the data of an unexpired session, or false if there is none.
func (k Sessions) Find(token string) ([]byte, bool, error) {
	row, ok, err := store.First[session](k.Store.Read.Where("token = ? AND expiry > ?", token, k.Store.Millis()))
	return row.Data, ok, err
}

// Commit stores a session and deletes expired ones.
func (k Sessions) Commit(token string, data []byte, expiry time.Time) error {
	if err := k.Store.Write.Where("expiry <= ?", k.Store.Millis()).Delete(&session{}).Error; err != nil {
		return err
	}
	return k.Store.Write.Clauses(clause.OnConflict{UpdateAll: true}).
		Create(&session{Token: token, Data: data, Expiry: expiry.UnixMilli()}).Error
}

// Delete ends a session.
func (k Sessions) Delete(token string) error {
	return k.Store.Write.Where("token = ?", token).Delete(&session{}).Error
}

// All returns the data of all unexpired sessions, by token.
func (k Sessions) All() (map[string][]byte, error) {
	rows, err := store.All[session](k.Store.Read.Where("expiry > ?", k.Store.Millis()))
	return store.MapOf(rows, func(row session) (string, []byte) { return row.Token, row.Data }), err
}

// Device is a browser or program on which an official is signed in. Session is the hash of its token.
type Device struct {
	ID        int64
	Session   string
	AccountID int64
	Agent     string // the browser's User-Agent
	Since     engine.Millis
	SeenAt    engine.Millis

	Name string      `gorm:"->;-:migration"` // the account's
	Role rights.Role `gorm:"->;-:migration"`
}

const (
	agentMost = 300                   // bytes
	seenTouch = engine.Millis(60_000) // age of SeenAt from which it is written again
)

// SessionHash returns the stored hash of a session's token, as alexedwards/scs computes it.
func SessionHash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// NoteDevice records that a session has begun, or that an unrecorded one is in use.
func NoteDevice(ctx context.Context, s *store.DB, session string, account int64, agent string) error {
	device := Device{Session: session, AccountID: account, Agent: spelling.Clean(agent[:min(len(agent), agentMost)]),
		Since: s.Millis(), SeenAt: s.Millis()}
	return s.Write.WithContext(ctx).Omit("name",
		"role").Clauses(clause.OnConflict{DoNothing: true}).Create(&device).Error
}

// SignedIn returns the actor of a session's account, or NotFound if the account was removed. At most once a minute it
// records that the device was seen.
func SignedIn(ctx context.Context, s *store.DB, session string, account int64) (rights.Actor, error) {
	var row struct {
		Account
		Seen engine.Millis
	}
	db := s.Read.WithContext(ctx)
	found := db.Raw(`SELECT a.id, a.name, a.role, a.events, a.organization_id, coalesce(d.seen_at, 0) AS seen FROM accounts a
		LEFT JOIN devices d ON d.session = ? AND d.account_id = a.id WHERE a.id = ? AND a.removed_at = 0`, session, account).Scan(&row)
	if found.Error != nil {
		return rights.Actor{}, found.Error
	}
	if row.ID == 0 {
		return rights.Actor{}, refuse.NotFound("err_account_not_found", "id", account)
	}
	actor, err := actorOf(db, row.Account)
	if err != nil {
		return actor, err
	}
	if now := s.Millis(); row.Seen != 0 && now-row.Seen > seenTouch {
		err = store.Sparing(s.Write.WithContext(ctx).Model(&Device{}).Where("session = ?", session).Update("seen_at",
			now).Error)
	}
	return actor, err
}

// Devices returns the devices on which an official is signed in, most recently seen first. Only an organizer or that
// official may call it. Account 0 stands for all officials of the server, or of the actor's organization.
func Devices(ctx context.Context, s *store.DB, actor rights.Actor, account int64) ([]Device, error) {
	if err := ownAccount(s.Read.WithContext(ctx), actor, account); err != nil {
		return nil, err
	}
	q := s.Read.WithContext(ctx).Model(&Device{}).Select("devices.*, accounts.name, accounts.role").
		Joins("JOIN accounts ON accounts.id = devices.account_id").Joins("JOIN sessions ON sessions.token = devices.session AND sessions.expiry > ?", s.Millis())
	if account != 0 {
		q = q.Where("account_id = ?", account)
	} else {
		q = q.Where("accounts.organization_id = ?", actor.Organization)
	}
	return store.All[Device](q.Order("seen_at DESC, devices.id DESC"))
}

// findDevice returns a device with its official.
func findDevice(db *gorm.DB, id int64) (Device, error) {
	device, ok, err := store.First[Device](db.Model(&Device{}).Select("devices.*, accounts.name, accounts.role").
		Joins("JOIN accounts ON accounts.id = devices.account_id").Where("devices.id = ?", id))
	if err == nil && !ok {
		err = refuse.NotFound("err_device_not_found")
	}
	return device, err
}

// endSessions ends all sessions of an account except keep.
func endSessions(tx *gorm.DB, account int64, keep string) error {
	return tx.Where("token IN (SELECT session FROM devices WHERE account_id = ?) AND token <> ?", account,
		keep).Delete(&session{}).Error
}
