package door

import (
	"gorm.io/gorm"

	"meldhall/tournament/storage"
)

// Erase changes what records of events, and those of none of whose organization they are, say: about whom, how it was and is, and why. What was done, by whom and when stays. It
// gives how many are other ones now.
func (tx *Tx) Erase(events []int64, change func(*Record)) (n int, err error) {
	return tx.erase(tx.Table("audit").Where("tournament_id IN ? OR tournament_id IS NULL AND organization_id IN (SELECT organization_id FROM tournaments WHERE id IN ?)", events, events), change)
}

// EraseHouse is Erase for the house's records that belong to no event.
func (tx *Tx) EraseHouse(change func(*Record)) (n int, err error) {
	return tx.erase(tx.Table("audit").Where("tournament_id IS NULL AND organization_id = 0"), change)
}

// ErasedHash returns the hash of the replacement texts in an event's erased records. The record of the erasure stores
// it.
func (tx *Tx) ErasedHash(event int64) (string, error) {
	records, err := storage.All[Record](tx.Where("tournament_id = ?", event).Order("id"))
	var erased storage.ErasedRecords
	for _, r := range records {
		erased.Add(r.chained(), r.Chain)
	}
	return erased.Hash, err
}

func (tx *Tx) erase(of *gorm.DB, change func(*Record)) (n int, err error) {
	records, err := storage.All[struct {
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
			"salt": storage.EraseSalt(r.Salt, r.chained().Texts(), is.chained().Texts())}
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
