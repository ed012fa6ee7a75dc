package staff

import (
	"context"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// AccountByID gives an official to an organizer, or to the official.
func AccountByID(ctx context.Context, s *storage.DB, actor rights.Actor, id int64) (Account, error) {
	if err := ownAccount(actor, id); err != nil {
		return Account{}, err
	}
	account, err := FindAccount(s.Read.WithContext(ctx), id)
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

// ownAccount lets officials at what is their own, and organizers at everybody's.
func ownAccount(actor rights.Actor, id int64) error {
	if actor.Account != 0 && actor.Account == id {
		return nil
	}
	return rights.Authorize(actor, rights.Place{}, rights.MayManageAccounts)
}

// setRole gives an official another role, and tells the one before. The last organizer stays one.
func setRole(tx *gorm.DB, id int64, role rights.Role) (account Account, was rights.Role, err error) {
	if err := checkRole(role); err != nil {
		return account, "", err
	}
	if account, err = FindAccount(tx, id); err != nil || account.Role == role {
		return account, account.Role, err
	}
	if err := anotherOrganizer(tx, account); err != nil {
		return account, "", err
	}
	was, account.Role = account.Role, role
	return account, was, tx.Model(&account).Update("role", role).Error
}

// checkOldPassword refuses who does not know the password of an account that has one.
func checkOldPassword(ctx context.Context, s *storage.DB, id int64, old string) error {
	account, err := FindAccount(s.Read.WithContext(ctx), id)
	if err != nil || account.Password == "" {
		return err
	}
	fits, err := passwordFits(ctx, old[:min(len(old), passwordMost)], account.Password)
	if err == nil && !fits {
		err = refuse.Forbidden("err_password_wrong")
	}
	return err
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

// removeAccount takes an official's password, PIN, invitations and sessions away. The last organizer stays.
func removeAccount(tx *gorm.DB, now engine.Millis, id int64) (Account, error) {
	account, err := FindAccount(tx, id)
	if err != nil {
		return account, err
	}
	if err := anotherOrganizer(tx, account); err != nil {
		return account, err
	}
	account.RemovedAt = now
	if err := tx.Model(&account).Updates(map[string]any{"removed_at": now, "password": "", "pin": ""}).Error; err != nil {
		return account, err
	}
	if err := voidInvites(tx, id, now); err != nil {
		return account, err
	}
	return account, endSessions(tx, id, "")
}

// anotherOrganizer refuses to lose the last one who could put things right.
func anotherOrganizer(tx *gorm.DB, account Account) error {
	if account.Role != rights.RoleOrganizer {
		return nil
	}
	var others int64
	err := tx.Model(&Account{}).Where("role = ? AND removed_at = 0 AND id <> ?", rights.RoleOrganizer, account.ID).Count(&others).Error
	if err == nil && others == 0 {
		err = refuse.Conflict("err_last_organizer")
	}
	return err
}
