package tournament

import (
	"context"
	"time"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// inviteLife is how long an invitation can be used.
const inviteLife = engine.Millis(15 * time.Minute / time.Millisecond)

// Invite is a link that signs an official in once. Token is known only to who made it.
type Invite struct {
	ID        int64
	TokenHash string
	AccountID int64
	Actor     string
	CreatedAt engine.Millis `gorm:"autoCreateTime:false"`
	ExpiresAt engine.Millis
	UsedAt    engine.Millis

	Token   string  `gorm:"-"`
	Account Account `gorm:"-"`
}

// InviteNew adds an official without a password, and an invitation; for organizers.
func (s *Store) InviteNew(ctx context.Context, actor rights.Actor, name string, role rights.Role) (Invite, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayManageAccounts); err != nil {
		return Invite{}, err
	}
	if err := checkRole(role); err != nil {
		return Invite{}, err
	}
	name, err := accountName(name)
	if err != nil {
		return Invite{}, err
	}
	account := Account{Name: name, NameKey: foldText(name), Role: role, CreatedAt: s.now()}
	return s.invite(ctx, actor, func(tx *gorm.DB) (Account, error) {
		err := s.insertAccount(tx, actor, &account)
		return account, err
	})
}

// InviteAgain makes an invitation for an existing official, on another phone; earlier ones are void.
func (s *Store) InviteAgain(ctx context.Context, actor rights.Actor, id int64) (Invite, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayManageAccounts); err != nil {
		return Invite{}, err
	}
	return s.invite(ctx, actor, func(tx *gorm.DB) (Account, error) { return findAccount(tx, id) })
}

func (s *Store) invite(ctx context.Context, actor rights.Actor, find func(*gorm.DB) (Account, error)) (Invite, error) {
	now, token := s.now(), newToken()
	invite := Invite{TokenHash: hashSecret(token), Actor: actor.String(), CreatedAt: now, ExpiresAt: now + inviteLife, Token: token}
	err := s.Tx(ctx, func(tx *gorm.DB) (err error) {
		if invite.Account, err = find(tx); err != nil {
			return err
		}
		invite.AccountID = invite.Account.ID
		if err := voidInvites(tx, invite.AccountID, now); err != nil {
			return err
		}
		if err := tx.Create(&invite).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{action: "account.invite", subject: invite.Account.Name, after: string(invite.Account.Role)})
	})
	return invite, err
}

func voidInvites(tx *gorm.DB, account int64, now engine.Millis) error {
	return tx.Model(&Invite{}).Where("account_id = ? AND used_at = 0 AND expires_at > ?", account, now).Update("expires_at", now).Error
}

// Invited gives whom a token invites, without using it; Unauthenticated when it is none, was used or is over.
func (s *Store) Invited(ctx context.Context, token string) (rights.Actor, error) {
	_, account, err := s.findInvite(s.Read.WithContext(ctx), token)
	return actorOf(account), err
}

func (s *Store) findInvite(db *gorm.DB, token string) (Invite, Account, error) {
	var invite Invite
	found := db.Where("token_hash = ? AND used_at = 0 AND expires_at > ?", hashSecret(token), s.now()).Limit(1).Find(&invite)
	if found.Error == nil && found.RowsAffected == 0 {
		return invite, Account{}, refuse.Unauthenticated("err_invite_over")
	}
	if found.Error != nil {
		return invite, Account{}, found.Error
	}
	account, err := findAccount(db, invite.AccountID)
	return invite, account, err
}

// AcceptInvite uses an invitation: the actor is signed in then. A password, if any is given, is the official's from now on.
func (s *Store) AcceptInvite(ctx context.Context, token, password string) (rights.Actor, error) {
	if _, err := s.Invited(ctx, token); err != nil {
		return rights.Actor{}, err
	}
	hash := ""
	if password != "" {
		if err := checkPassword(password); err != nil {
			return rights.Actor{}, err
		}
		var err error
		if hash, err = s.hashPassword(ctx, password); err != nil {
			return rights.Actor{}, err
		}
	}
	var actor rights.Actor
	err := s.Tx(ctx, func(tx *gorm.DB) error {
		invite, account, err := s.findInvite(tx, token)
		if err != nil {
			return err
		}
		if err := tx.Model(&invite).Update("used_at", s.now()).Error; err != nil {
			return err
		}
		if hash != "" {
			if err := tx.Model(&account).Update("password", hash).Error; err != nil {
				return err
			}
		}
		actor = actorOf(account)
		return s.audit(tx, actor, change{action: "account.accept", subject: account.Name, after: string(account.Role)})
	})
	return actor, err
}
