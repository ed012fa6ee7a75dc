package tournament

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"
)

// TableByNumber gives a round's table with the number, filled as Tables does; false when the round has none.
func (s *Store) TableByNumber(ctx context.Context, roundID int64, number int) (Table, bool, error) {
	db := s.Read.WithContext(ctx)
	tables, err := fillTables(db, db.Where("round_id = ? AND number = ?", roundID, number))
	if errors.Is(err, gorm.ErrRecordNotFound) || err == nil && len(tables) == 0 {
		return Table{}, false, nil
	}
	if err != nil {
		return Table{}, false, fmt.Errorf("find table %d of round %d: %w", number, roundID, err)
	}
	hideCodes(tables)
	return tables[0], true, nil
}
