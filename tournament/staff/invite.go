package staff

import (
	"context"
	"time"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/storage"
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

// invite makes an invitation for an official; earlier ones are void.
func invite(tx *gorm.DB, now engine.Millis, by rights.Actor, account Account) (Invite, error) {
	token := secret.NewToken()
	made := Invite{TokenHash: secret.Hash(token), AccountID: account.ID, Actor: by.String(), CreatedAt: now, ExpiresAt: now + inviteLife,
		Token: token, Account: account}
	if err := voidInvites(tx, account.ID, now); err != nil {
		return Invite{}, err
	}
	return made, tx.Create(&made).Error
}

func voidInvites(tx *gorm.DB, account int64, now engine.Millis) error {
	return tx.Model(&Invite{}).Where("account_id = ? AND used_at = 0 AND expires_at > ?", account, now).Update("expires_at", now).Error
}

// Invited gives whom a token invites, without using it; Unauthenticated when it is none, was used or has expired.
func Invited(ctx context.Context, s *storage.DB, token string) (rights.Actor, error) {
	_, account, err := findInvite(s.Read.WithContext(ctx), s.Millis(), token)
	return actorOf(account), err
}

func findInvite(db *gorm.DB, now engine.Millis, token string) (Invite, Account, error) {
	var invite Invite
	found := db.Where("token_hash = ? AND used_at = 0 AND expires_at > ?", secret.Hash(token), now).Limit(1).Find(&invite)
	if found.Error == nil && found.RowsAffected == 0 {
		return invite, Account{}, refuse.Unauthenticated("err_invite_over")
	}
	if found.Error != nil {
		return invite, Account{}, found.Error
	}
	account, err := FindAccount(db, invite.AccountID)
	return invite, account, err
}

// acceptInvite uses an invitation. The hash of a password, if any is given, is the official's from now on.
func acceptInvite(tx *gorm.DB, now engine.Millis, token, hash string) (Account, error) {
	invite, account, err := findInvite(tx, now, token)
	if err != nil {
		return account, err
	}
	if err := tx.Model(&invite).Update("used_at", now).Error; err != nil || hash == "" {
		return account, err
	}
	return account, tx.Model(&account).Update("password", hash).Error
}
