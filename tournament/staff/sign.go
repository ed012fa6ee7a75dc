package staff

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/hosting"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

// How officials come in: by an invitation, and on a player's tablet by a PIN; and how a device of theirs is signed out.

// InviteOfficial makes a link that signs an official in once: who is there already, on another phone, or one with a new name and a
// role, without a password. Earlier links of the official are void.
type InviteOfficial struct {
	Account int64       `json:"account,omitempty"`
	Name    string      `json:"name,omitempty"`
	Role    rights.Role `json:"role,omitempty"`

	Organization int64 `json:"organization,omitempty"` // of a new one, as of CreateAccount
}

var _ = door.NewKind[InviteOfficial](door.Kind{Name: "account.invite", Right: rights.MayManageAccounts, Guarded: true, Details: door.Steps("role.")})

func (i InviteOfficial) Do(tx *door.Tx) (Invite, error) {
	account, err := i.account(tx)
	if err != nil {
		return Invite{}, err
	}
	aboutAccount(tx, account, door.Step{Is: string(account.Role)})
	if err := handTo(tx, account); err != nil {
		return Invite{}, err
	}
	return invite(tx.DB, tx.Now(), tx.Actor, account)
}

func (i InviteOfficial) account(tx *door.Tx) (Account, error) {
	if i.Name == "" && i.Role == "" {
		return administered(tx.DB, tx.Actor, i.Account)
	}
	organization, err := hosting.Choose(tx.Actor, i.Organization)
	if err != nil {
		return Account{}, err
	}
	account, err := newAccount(i.Name, i.Role)
	if err == nil {
		err = account.placed(tx.DB, organization)
	}
	if err == nil {
		err = insertAccount(tx.DB, tx.Now(), &account)
		tx.Record(door.Entry{Kind: createAccountKind, On: door.About{Name: account.Name}, Organization: organization, Is: door.Step{Is: string(account.Role)}})
	}
	return account, err
}

// AcceptInvite uses an invitation: the actor is signed in then. A password, if any is given, is the official's from now on, and ends all
// sessions so far.
type AcceptInvite struct {
	Token    string `json:"token" maxLength:"200"`
	Password string `json:"password,omitempty" maxLength:"1024" doc:"the official's from now on; empty: none, or the one so far"`
	Code     string `json:"code,omitempty" maxLength:"100" doc:"of the second factor, where the account has one"`

	hash string
}

var _ = door.NewKind[AcceptInvite](door.Kind{Name: "account.accept", Right: rights.MaySeePublic, Guarded: true, Details: door.Steps("role.")})

func (i AcceptInvite) Plan(ctx context.Context, d *door.Desk, _ rights.Actor) (_ door.Action, err error) {
	invited, err := Invited(ctx, d.DB, i.Token)
	if err != nil || i.Password == "" {
		return i, err
	}
	i.hash, err = newPassword(ctx, d.DB, invited.Name, i.Password)
	return i, err
}

func (i AcceptInvite) Do(tx *door.Tx) (rights.Actor, error) {
	invite, account, err := findInvite(tx.DB, tx.Now(), i.Token)
	if err == nil {
		err = i.checkCode(tx, account.ID)
	}
	if err == nil && i.hash != "" && account.Password != "" && account.MadeBy == account.ID { // who invited itself, to another device
		err = errPasswordOwn
	}
	if err == nil {
		err = tx.Model(&invite).Update("used_at", tx.Now()).Error
	}
	if err == nil && i.hash != "" {
		err = errors.Join(tx.Model(&account).Update("password", i.hash).Error, own(tx, account), endSessions(tx.DB, account.ID, ""))
	}
	if err != nil {
		return rights.Actor{}, err
	}
	tx.Actor, err = actorOf(tx.DB, account)
	aboutAccount(tx, account, door.Step{Is: string(account.Role)})
	return tx.Actor, err
}

// checkCode asks for the code where the account has a second factor: a link may be photographed.
func (i AcceptInvite) checkCode(tx *door.Tx, account int64) error {
	has, err := hasSecond(tx.DB, account)
	if err != nil || !has {
		return err
	}
	return useCode(tx.DB, tx.Desk.DB, account, i.Code)
}

// RevokeDevice signs a device out, an official's own or, for an organizer, anybody's. Another one of one's own than Here (a session's
// hash), where it is asked for, asks for the password: who found a device signed in must not sign its owner out elsewhere.
type RevokeDevice struct {
	Device   int64  `json:"device,omitempty" path:"id" minimum:"1"`
	Password string `json:"password,omitempty" maxLength:"1024" doc:"the account's, if it has one, where another device of one's own is signed out"`
	Here     string `json:"-"`
}

var _ = door.NewKind[RevokeDevice](door.Kind{Name: "device.revoke", Right: rights.MayManageAccounts, Own: true, Guarded: true, Details: door.Keep[door.Value]})

// Plan asks for the password. What is no device of one's own is for Do to refuse.
func (r RevokeDevice) Plan(ctx context.Context, d *door.Desk, actor rights.Actor) (door.Action, error) {
	device, err := findDevice(d.DB.Read.WithContext(ctx), r.Device)
	if err != nil || device.AccountID == 0 || device.AccountID != actor.Account || device.Session == r.Here {
		return r, nil
	}
	return r, checkOldPassword(ctx, d.DB, actor.Account, r.Password)
}

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
	owner, err := administered(tx.DB, tx.Actor, device.AccountID)
	if err != nil {
		return Device{}, refuse.NotFound("err_device_not_found")
	}
	tx.Record(door.Entry{On: door.About{Name: device.Name}, Organization: owner.OrganizationID, Is: door.Value{Was: device.Agent}, Topics: []door.Topic{{What: door.TopicOfficials, ID: device.AccountID}}})
	return device, tx.Where("token = ?", device.Session).Delete(&session{}).Error
}

// SetPIN gives who does it a PIN to rule with on a player's tablet, in place of the one before. An empty one takes it away.
type SetPIN struct {
	PIN      string `json:"pin" maxLength:"20" doc:"6 digits; empty: none"`
	Password string `json:"password,omitempty" maxLength:"1024" doc:"the account's, if it has one"`

	hash string
}

var _ = door.NewKind[SetPIN](door.Kind{Name: "account.pin", Right: rights.MayRule, Guarded: true, Details: door.Steps("log.is.")})

// Plan asks for the password: a PIN outlives the session in which it is set.
func (p SetPIN) Plan(ctx context.Context, d *door.Desk, actor rights.Actor) (_ door.Action, err error) {
	if p.PIN != "" && !pinFits(p.PIN) {
		return nil, refuse.Invalid("err_pin_form")
	}
	if err := checkOldPassword(ctx, d.DB, actor.Account, p.Password); err != nil {
		return nil, err
	}
	p.hash, err = newPIN(ctx, p.PIN)
	return p, err
}

func (p SetPIN) Do(tx *door.Tx) (Account, error) {
	account, err := FindAccount(tx.DB, tx.Actor.Account)
	if err != nil {
		return account, err
	}
	aboutAccount(tx, account, door.Step{Is: Has(p.hash)})
	return account, tx.Model(&account).Update("pin", p.hash).Error
}

// Sessions keeps the sessions of signed-in staff; it has the methods that alexedwards/scs wants of a store.
type Sessions struct{ Store *storage.DB }

type session struct {
	Token  string `gorm:"primaryKey"`
	Data   []byte
	Expiry int64
}

// TableName is sessions.
func (session) TableName() string { return "sessions" }

// Find gives the data of a session that has not expired.
func (k Sessions) Find(token string) ([]byte, bool, error) {
	row, ok, err := storage.First[session](k.Store.Read.Where("token = ? AND expiry > ?", token, k.Store.Millis()))
	return row.Data, ok, err
}

// Commit stores a session, and takes the chance to delete those that have expired.
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

// All gives the data of every session that has not expired, by token.
func (k Sessions) All() (map[string][]byte, error) {
	rows, err := storage.All[session](k.Store.Read.Where("expiry > ?", k.Store.Millis()))
	return storage.MapOf(rows, func(row session) (string, []byte) { return row.Token, row.Data }), err
}

// Device is a browser or a program in which an official is signed in. Session is the hash of its token.
type Device struct {
	ID        int64
	Session   string
	AccountID int64
	Agent     string // as the browser names itself
	Since     engine.Millis
	SeenAt    engine.Millis

	Name string      `gorm:"->;-:migration"` // of the account
	Role rights.Role `gorm:"->;-:migration"`
}

const (
	agentMost = 300                   // bytes
	seenTouch = engine.Millis(60_000) // how old the last sight of a device may be before it is written again
)

// SessionHash is what is stored of a session's token, as alexedwards/scs hashes it.
func SessionHash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// NoteDevice notes that a session has begun, or one that is not noted yet goes on.
func NoteDevice(ctx context.Context, s *storage.DB, session string, account int64, agent string) error {
	device := Device{Session: session, AccountID: account, Agent: spelling.Clean(agent[:min(len(agent), agentMost)]), Since: s.Millis(), SeenAt: s.Millis()}
	return s.Write.WithContext(ctx).Omit("name", "role").Clauses(clause.OnConflict{DoNothing: true}).Create(&device).Error
}

// SignedIn gives the actor of a session's account, NotFound when it was removed, and notes now and then that the device
// was seen.
func SignedIn(ctx context.Context, s *storage.DB, session string, account int64) (rights.Actor, error) {
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
		err = storage.Sparing(s.Write.WithContext(ctx).Model(&Device{}).Where("session = ?", session).Update("seen_at", now).Error)
	}
	return actor, err
}

// Devices gives where officials are signed in, those seen last first: an organizer everybody's of the house or the own organization
// (account 0) or one account's, others their own.
func Devices(ctx context.Context, s *storage.DB, actor rights.Actor, account int64) ([]Device, error) {
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
	return storage.All[Device](q.Order("seen_at DESC, devices.id DESC"))
}

// findDevice gives a device with its official.
func findDevice(db *gorm.DB, id int64) (Device, error) {
	device, ok, err := storage.First[Device](db.Model(&Device{}).Select("devices.*, accounts.name, accounts.role").
		Joins("JOIN accounts ON accounts.id = devices.account_id").Where("devices.id = ?", id))
	if err == nil && !ok {
		err = refuse.NotFound("err_device_not_found")
	}
	return device, err
}

// endSessions signs an account out everywhere but in the session keep.
func endSessions(tx *gorm.DB, account int64, keep string) error {
	return tx.Where("token IN (SELECT session FROM devices WHERE account_id = ?) AND token <> ?", account, keep).Delete(&session{}).Error
}
