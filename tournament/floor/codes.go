package floor

import (
	"context"

	"meldhall/tournament/storage"
)

// TriedCode is a seat, counted from 0, whose code was tried while a device had the seat, and how often; -1 is the table of real
// tiles that one device serves.
type TriedCode struct {
	Table       int64
	Seat, Times int
}

// TriedCodes returns the seats and tables of a round whose codes were tried again: whoever came second may be the player.
func TriedCodes(ctx context.Context, s *storage.DB, round int64) ([]TriedCode, error) {
	rows, err := s.ReadSQL.QueryContext(ctx, `SELECT table_id, seat, code_reused FROM seats WHERE round_id = ? AND code_reused > 0
		UNION ALL SELECT id, -1, code_reused FROM tables WHERE round_id = ? AND code_reused > 0 ORDER BY 1, 2`, round, round)
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
