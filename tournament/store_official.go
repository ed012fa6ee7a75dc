package tournament

import (
	"context"

	"gorm.io/gorm"

	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// AccountByID gives an official to an organizer, or to the official.
func (s *Store) AccountByID(ctx context.Context, actor rights.Actor, id int64) (Account, error) {
	if err := ownAccount(actor, id); err != nil {
		return Account{}, err
	}
	account, err := findAccount(s.Read.WithContext(ctx), id)
	account.Password, account.PIN = has(account.Password), has(account.PIN)
	return account, err
}

// has tells that there is a hash without telling it.
func has(hash string) string {
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

// SetRole gives an official another role; for organizers. The last organizer stays one.
func (s *Store) SetRole(ctx context.Context, actor rights.Actor, id int64, role rights.Role) (Account, error) {
	if err := checkRole(role); err != nil {
		return Account{}, err
	}
	return s.changeAccount(ctx, actor, id, func(tx *gorm.DB, a *Account) error {
		before := a.Role
		if before == role {
			return nil
		}
		if before == rights.RoleOrganizer {
			if err := anotherOrganizer(tx, id); err != nil {
				return err
			}
		}
		a.Role = role
		if err := tx.Model(a).Update("role", role).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{action: "account.role", subject: a.Name, before: string(before), after: string(role)})
	})
}

// SetPassword gives an official another password, and ends all sessions but keep (a session's hash, or empty). For
// organizers; officials change their own with ChangePassword.
func (s *Store) SetPassword(ctx context.Context, actor rights.Actor, id int64, password, keep string) (Account, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayManageAccounts); err != nil {
		return Account{}, err
	}
	return s.newPassword(ctx, actor, id, password, keep)
}

// ChangePassword gives the actor another password, who must know the old one, and ends the actor's other sessions.
func (s *Store) ChangePassword(ctx context.Context, actor rights.Actor, old, password, keep string) error {
	account, err := findAccount(s.Read.WithContext(ctx), actor.Account)
	if err != nil {
		return err
	}
	if account.Password != "" {
		fits, err := s.passwordFits(ctx, old[:min(len(old), passwordMost)], account.Password)
		if err == nil && !fits {
			err = refuse.Forbidden("err_password_wrong")
		}
		if err != nil {
			return err
		}
	}
	_, err = s.newPassword(ctx, actor, actor.Account, password, keep)
	return err
}

func (s *Store) newPassword(ctx context.Context, actor rights.Actor, id int64, password, keep string) (Account, error) {
	if err := checkPassword(password); err != nil {
		return Account{}, err
	}
	hash, err := s.hashPassword(ctx, password)
	if err != nil {
		return Account{}, err
	}
	var account Account
	err = s.Tx(ctx, func(tx *gorm.DB) (err error) {
		if account, err = findAccount(tx, id); err != nil {
			return err
		}
		if err := tx.Model(&account).Update("password", hash).Error; err != nil {
			return err
		}
		if err := endSessions(tx, id, keep); err != nil {
			return err
		}
		return s.audit(tx, actor, change{action: "account.password", subject: account.Name})
	})
	return account, err
}

// RemoveAccount takes an official's rights away, and ends all sessions. The name stays in the record, and taken; adding it
// again gives it back. For organizers; the last organizer stays.
func (s *Store) RemoveAccount(ctx context.Context, actor rights.Actor, id int64) (Account, error) {
	return s.changeAccount(ctx, actor, id, func(tx *gorm.DB, a *Account) error {
		if a.Role == rights.RoleOrganizer {
			if err := anotherOrganizer(tx, id); err != nil {
				return err
			}
		}
		a.RemovedAt = s.now()
		if err := tx.Model(a).Updates(map[string]any{"removed_at": a.RemovedAt, "password": "", "pin": ""}).Error; err != nil {
			return err
		}
		if err := tx.Where("account_id = ?", id).Delete(&zoneRow{}).Error; err != nil {
			return err
		}
		if err := voidInvites(tx, id, s.now()); err != nil {
			return err
		}
		if err := endSessions(tx, id, ""); err != nil {
			return err
		}
		return s.audit(tx, actor, change{action: "account.remove", subject: a.Name, before: string(a.Role)})
	})
}

func (s *Store) changeAccount(ctx context.Context, actor rights.Actor, id int64, do func(*gorm.DB, *Account) error) (Account, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayManageAccounts); err != nil {
		return Account{}, err
	}
	var account Account
	err := s.Tx(ctx, func(tx *gorm.DB) (err error) {
		if account, err = findAccount(tx, id); err != nil {
			return err
		}
		return do(tx, &account)
	})
	return account, err
}

// anotherOrganizer refuses to lose the last one who could put things right.
func anotherOrganizer(tx *gorm.DB, id int64) error {
	var others int64
	err := tx.Model(&Account{}).Where("role = ? AND removed_at = 0 AND id <> ?", rights.RoleOrganizer, id).Count(&others).Error
	if err == nil && others == 0 {
		err = refuse.Conflict("err_last_organizer")
	}
	return err
}
