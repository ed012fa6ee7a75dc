package staff

import (
	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
)

// Whose an account is: who made it, or gave it a password or an invitation, could use it until its holder sets a password.

// handTo notes who has a way into an account beside its holder.
func handTo(tx *door.Tx, account Account) error {
	return tx.Model(&account).Updates(map[string]any{"made_by": tx.Actor.Account, "own_since": 0}).Error
}

// own notes that a password was set by who was signed in to the account: its holder, or who signed in with what had been given.
func own(tx *door.Tx, account Account) error {
	return tx.Model(&account).Update("own_since", tx.Now()).Error
}

// InOneHand tells whether two officials could have been one person at a moment: one has made the account of the other, who had no
// password of their own by then. Their names are in the order in which that is so: the maker and the made.
func InOneHand(db *gorm.DB, one, other int64, at engine.Millis) (maker, made string, is bool, err error) {
	for _, pair := range [][2]int64{{one, other}, {other, one}} {
		var names []struct{ Maker, Made string }
		err := db.Raw(`SELECT a.name AS maker, b.name AS made FROM accounts a JOIN accounts b ON b.made_by = a.id
			WHERE a.id = ? AND b.id = ? AND (b.own_since = 0 OR b.own_since > ?)`, pair[0], pair[1], at).Scan(&names).Error
		if err != nil {
			return "", "", false, err
		}
		if len(names) > 0 {
			return names[0].Maker, names[0].Made, true, nil
		}
	}
	return "", "", false, nil
}
