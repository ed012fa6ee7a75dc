package ranking

import (
	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/standing"
	"meldhall/tournament/store"
)

// DisqualifiedAt returns the players who were disqualified before at.
func DisqualifiedAt(db *gorm.DB, tournamentID int64, at engine.Millis) (map[int64]bool, error) {
	var ids []int64
	err := db.Raw(`SELECT s.player_id FROM sanctions s JOIN sanction_decisions d ON d.sanction_id = s.id AND d.decision = 'seconded' AND d.at < ?
		WHERE s.tournament_id = ? AND s.kind = 'disqualification' AND NOT EXISTS (SELECT 1 FROM sanction_decisions c WHERE c.sanction_id = s.id AND c.decision = 'cancelled' AND c.at < ?)`, at, tournamentID, at).
		Scan(&ids).Error
	return store.MapOf(ids, func(id int64) (int64, bool) { return id, true }), err
}

// pointsOffTotals returns the point penalties in force at that time and the charges for missed rounds published by
// then.
func pointsOffTotals(db *gorm.DB, tournamentID int64, at engine.Millis) (penalties []standing.Penalty, err error) {
	err = db.Raw(`SELECT s.player_id AS player, s.round AS round, coalesce(r.stage, 0) AS stage, s.points AS points
		FROM sanctions s LEFT JOIN rounds r ON r.tournament_id = s.tournament_id AND r.number = s.round
		WHERE s.tournament_id = @event AND s.kind = 'points' AND s.at < @at
		AND NOT EXISTS (SELECT 1 FROM sanction_decisions c WHERE c.sanction_id = s.id AND c.decision = 'cancelled' AND c.at < @at)
		UNION ALL SELECT m.player_id, m.round, m.stage, m.charge FROM missed_rounds m JOIN rounds p ON p.tournament_id = m.tournament_id AND p.number = m.round
		WHERE m.tournament_id = @event AND m.charge > 0 AND p.published_at < @at`, map[string]any{"event": tournamentID, "at": at}).Scan(&penalties).Error
	return penalties, err
}
