package tournament

import (
	"slices"
	"strings"

	"gorm.io/gorm"
)

// seatingTables are the rows that decide who sits where and which device plays for whom.
var seatingTables = []string{"rounds", "tables", "seats", "players", "table_devices"}

// unseating marks a transaction whose changes move nobody in any seat: those of practice tables.
const unseating = "meldhall:unseating"

// unseatingTx gives a transaction whose changes are not counted: whoever plays an event need not look again when
// somebody practises.
func unseatingTx(tx *gorm.DB) *gorm.DB { return tx.Set(unseating, true).Session(&gorm.Session{}) }

// watchSeating counts at every write to the seating's tables. Store.Tx counts once more after the
// commit, because a reader sees the change only then.
func (s *Store) watchSeating() error {
	count := func(db *gorm.DB) {
		if _, ok := db.Get(unseating); ok {
			return
		}
		table := db.Statement.Table
		if table == "" {
			for _, name := range seatingTables {
				if strings.Contains(db.Statement.SQL.String(), name) {
					table = name
				}
			}
		}
		if slices.Contains(seatingTables, table) {
			s.seatings.Add(1)
			if table == "rounds" {
				s.roundsMoved.Store(true)
			}
		}
	}
	on := s.Write.Callback()
	for _, register := range []error{
		on.Create().After("gorm:create").Register("seating", count),
		on.Update().After("gorm:update").Register("seating", count),
		on.Delete().After("gorm:delete").Register("seating", count),
		on.Raw().After("gorm:raw").Register("seating", count),
	} {
		if register != nil {
			return register
		}
	}
	return nil
}
