package action

import (
	"gorm.io/gorm"

	"meldhall/tournament/store"
)

// Erase applies change to the records of the tournaments in events, and to the records of their organizations that
// belong to no tournament. It stores only changes of the subject, the details before and after, and the reason; action,
// actor and time stay. It returns how many records have changed.
func (tx *Tx) Erase(events []int64, change func(*Record)) (n int, err error) {
	return tx.erase(tx.Table("audit").Where("tournament_id IN ? OR tournament_id IS NULL AND organization_id IN (SELECT organization_id FROM tournaments WHERE id IN ?)", events, events), change)
}

// EraseServer is Erase for the server's records without a tournament.
func (tx *Tx) EraseServer(change func(*Record)) (n int, err error) {
	return tx.erase(tx.Table("audit").Where("tournament_id IS NULL AND organization_id = 0"), change)
}

// ErasedHash returns the hash of the replacement texts in a tournament's erased records. The record of the erasure
// stores it.
func (tx *Tx) ErasedHash(tournamentID int64) (string, error) {
	records, err := store.All[Record](tx.Where("tournament_id = ?", tournamentID).Order("id"))
	var erased store.ErasedRecords
	for _, r := range records {
		erased.Add(r.chained(), r.Chain)
	}
	return erased.Hash, err
}

func (tx *Tx) erase(of *gorm.DB, change func(*Record)) (n int, err error) {
	records, err := store.All[struct {
		Record
		Summed bool
	}](of.Select("audit.*, sum IS NOT NULL AS summed").Order("id"))
	for _, r := range records {
		is := r.Record
		if change(&is); is == r.Record {
			continue
		}
		changed := map[string]any{"about": is.AboutJSON, "data": is.Data, "subject": is.Subject, "before": is.Before,
			"after": is.After, "why": is.Why, "erased": tx.Now(),
			"salt": store.EraseSalt(r.Salt, r.chained().Texts(), is.chained().Texts())}
		if r.Summed {
			changed["sum"] = is.summed()
		}
		if err := tx.Table("audit").Where("id = ?", r.ID).Updates(changed).Error; err != nil {
			return n, err
		}
		n++
	}
	return n, err
}
