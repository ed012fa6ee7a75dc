package account

import (
	"context"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Who controls an account: the official who created it, or gave it a password or an invitation, could use it until its
// holder sets a password.

// handTo records that the actor, besides the account's holder, may be able to sign in to an account.
func handTo(tx *action.Tx, account Account) error {
	return tx.Model(&account).Updates(map[string]any{"made_by": tx.Actor.Account, "own_since": 0}).Error
}

// own records that a password was set by the signed-in user of the account: its holder, or the official who could use
// it.
func own(tx *action.Tx, account Account) error {
	return tx.Model(&account).Update("own_since", tx.Now()).Error
}

// InOneHand reports whether two officials could have been the same person at a moment: one had made the account of the
// other, who had not yet set their own password. It returns their names; maker is the one who made the account.
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

// Second lists the officials who could confirm another official's proposal.
type Second struct {
	Names []string
	// Maker and Made are the names of two officials who cannot confirm each other's proposals, because one made the
	// other's account; see InOneHand.
	Maker, Made string
}

// SecondFor returns the officials who could now confirm a proposal that needs a right in a tournament.
func SecondFor(ctx context.Context, s *store.DB, proposer rights.Actor, tournamentID, organization int64,
	right rights.Right) (second Second, err error) {
	db := s.Read.WithContext(ctx)
	accounts, err := store.All[Account](db.Omit("password", "pin").Order("name_key").
		Where("removed_at = 0 AND id <> ? AND organization_id IN (0, ?)", proposer.Account, organization))
	if err != nil {
		return second, err
	}
	for _, account := range accounts {
		actor, err := actorOf(db, account)
		if err != nil {
			return second, err
		}
		if rights.Authorize(actor, rights.Place{Tournament: tournamentID}, right) != nil {
			continue
		}
		maker, made, same, err := InOneHand(db, proposer.Account, account.ID, engine.MillisOf(s.Now()))
		switch {
		case err != nil:
			return second, err
		case same:
			second.Maker, second.Made = maker, made
		default:
			second.Names = append(second.Names, account.Name)
		}
	}
	return second, nil
}
