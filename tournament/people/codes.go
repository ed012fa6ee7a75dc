package people

import (
	"slices"

	"meldhall/tournament"
	"meldhall/tournament/pairing"
)

// laidCodes holds the table codes, and the seat codes by player, that a change removes. Their cards are still in the
// hall and become valid again when the change is undone.
type laidCodes struct {
	Tables map[int64]string `json:"tables,omitempty"`
	Seats  map[int64]string `json:"seats,omitempty"` // without used codes
}

// keepCodes adds to tx.laid the codes of the removed tables in gone, and the codes of the seats in had whose players
// have no seat in tables.
func (tx *peopleTx) keepCodes(tables []pairing.Placing, gone []int64, had []tournament.Seat) error {
	var rows []tournament.Table
	if err := tx.Where("id IN ? AND code <> ''", gone).Find(&rows).Error; err != nil {
		return err
	}
	if tx.laid.Tables == nil {
		tx.laid = laidCodes{map[int64]string{}, map[int64]string{}}
	}
	for _, t := range rows {
		tx.laid.Tables[t.ID] = t.Code
	}
	for _, s := range had {
		sits := slices.ContainsFunc(tables, func(t pairing.Placing) bool {
			return slices.Contains(t.Players,
				s.PlayerID)
		})
		if !sits && s.Code != "" {
			tx.laid.Seats[s.PlayerID] = s.Code
		}
	}
	return nil
}
