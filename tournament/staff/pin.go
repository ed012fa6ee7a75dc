package staff

import (
	"context"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

const pinDigits = 6

// newPIN is the hash of a PIN; of none it is empty.
func newPIN(ctx context.Context, s *storage.DB, pin string) (string, error) {
	switch {
	case pin == "":
		return "", nil
	case !pinFits(pin):
		return "", refuse.Invalid("err_pin_form")
	}
	return hashPassword(ctx, pin)
}

// setPIN gives an official a PIN by its hash; an empty one takes it away.
func setPIN(tx *gorm.DB, id int64, hash string) (Account, error) {
	account, err := FindAccount(tx, id)
	if err != nil {
		return account, err
	}
	return account, tx.Model(&account).Update("pin", hash).Error
}

// pinFits wants six digits that are not the first ones that somebody would try.
func pinFits(pin string) bool {
	if len(pin) != pinDigits || strings.Trim(pin, "0123456789") != "" {
		return false
	}
	return !strings.Contains("0123456789012345", pin) && !strings.Contains("9876543210987654", pin) && strings.Count(pin, pin[:1]) < pinDigits
}

// AccountNamed gives the account that a number or a name means to ShowPIN; 0 for none.
func AccountNamed(ctx context.Context, s *storage.DB, who string) (int64, error) {
	account, err := accountNamed(s.Read.WithContext(ctx), who)
	return account.ID, err
}

func accountNamed(db *gorm.DB, who string) (Account, error) {
	number, _ := strconv.ParseInt(strings.TrimSpace(who), 10, 64)
	var account Account
	err := db.Where("removed_at = 0 AND (name_key = ? OR id = ?)", spelling.Fold(who), number).Order("id").Limit(1).Find(&account).Error
	return account, err
}

// ByPIN gives the official whose number or name and PIN these are, who must be one that rules. Whatever is wrong is the
// same error and takes the same time.
func ByPIN(ctx context.Context, s *storage.DB, who, pin string) (rights.Actor, error) {
	wrong := refuse.Unauthenticated("err_pin_wrong")
	if len(pin) > passwordMost {
		return rights.Actor{}, wrong
	}
	account, err := accountNamed(s.Read.WithContext(ctx), who)
	if err != nil {
		return rights.Actor{}, err
	}
	actor := actorOf(account)
	if account.PIN == "" || rights.Authorize(actor, rights.Place{}, rights.MayRule) != nil {
		if _, err := hashPassword(ctx, pin); err != nil {
			return rights.Actor{}, err
		}
		return rights.Actor{}, wrong
	}
	fits, err := passwordFits(ctx, pin, account.PIN)
	if err == nil && !fits {
		err = wrong
	}
	if err != nil {
		return rights.Actor{}, err
	}
	return actor, nil
}
