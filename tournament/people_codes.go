package tournament

import (
	"slices"

	"meldhall/tournament/pairing"
)

// laidCodes are the codes of the tables and of the seats, by player, that a change takes away: the cards with them lie in the hall, and
// are good again when it is taken back.
type laidCodes struct {
	Tables map[int64]string `json:"tables,omitempty"`
	Seats  map[int64]string `json:"seats,omitempty"` // not of those that are used
}

// keepCodes keeps the codes of tables that go, and of seats whose players sit at none of the tables that are written.
func (tx *peopleTx) keepCodes(tables []pairing.Placing, gone []int64, had []Seat) error {
	var rows []Table
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
		sits := slices.ContainsFunc(tables, func(t pairing.Placing) bool { return slices.Contains(t.Players, s.PlayerID) })
		if !sits && s.Code != "" {
			tx.laid.Seats[s.PlayerID] = s.Code
		}
	}
	return nil
}
