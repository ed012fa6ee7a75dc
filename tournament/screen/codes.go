package screen

import (
	"context"

	"meldhall/tournament/store"
)

// TriedCode counts the tries at a seat's code while a device had the seat. Seat counts from 0; -1 is a table with real
// tiles, which one device serves.
type TriedCode struct {
	Table       int64
	Seat, Times int
}

// TriedCodes returns the seats and tables of a round whose codes were used again. The second device may be the real
// player's, so an official must look.
func TriedCodes(ctx context.Context, s *store.DB, round int64) ([]TriedCode, error) {
	rows, err := s.ReadSQL.QueryContext(ctx, `
		SELECT table_id, seat, code_reused FROM seats WHERE round_id = $1 AND code_reused > 0
		UNION ALL SELECT id, -1, code_reused FROM tables WHERE round_id = $2 AND code_reused > 0 ORDER BY 1, 2`,
		round, round)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var tried []TriedCode
	for rows.Next() {
		var one TriedCode
		if err := rows.Scan(&one.Table, &one.Seat, &one.Times); err != nil {
			return nil, err
		}
		tried = append(tried, one)
	}
	return tried, rows.Err()
}
