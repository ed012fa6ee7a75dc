package tournament

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
	"meldhall/tournament/standing"
	"meldhall/tournament/storage"
)

// Penalties gives an event's penalties apart from the games, the newest first, with what became of them; for officials.
func Penalties(ctx context.Context, s *storage.DB, actor rights.Actor, event int64) ([]Penalty, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: event}, rights.MaySeeDesk); err != nil {
		return nil, err
	}
	if _, err := TournamentByID(ctx, s, event); err != nil {
		return nil, err
	}
	return recordedPenalties(s.Read.WithContext(ctx).Where("tournament_id = ?", event))
}

// PenaltiesOf gives a player's own penalties, the newest first, without those that were only proposed: for the player's
// page.
func PenaltiesOf(ctx context.Context, s *storage.DB, player int64) ([]Penalty, error) {
	all, err := recordedPenalties(s.Read.WithContext(ctx).Where("player_id = ?", player))
	var own []Penalty
	for _, one := range all {
		if !heavy(one.Kind) || one.Seconded != nil {
			own = append(own, one)
		}
	}
	return own, err
}

// WaitingPenalties are the disqualifications and corrections of an event that a second official has still to confirm, the newest first.
func WaitingPenalties(ctx context.Context, s *storage.DB, event int64) ([]Penalty, error) {
	all, err := recordedPenalties(s.Read.WithContext(ctx).Where("tournament_id = ? AND kind <> ?", event, PointPenalty))
	return slices.DeleteFunc(all, func(one Penalty) bool { return one.State() != PenaltyProposed }), err
}

// findPenalty reads one penalty.
func findPenalty(db *gorm.DB, id int64) (Penalty, error) {
	return storage.ByID[Penalty](withDecisions(db), "sanction", id)
}

// recordedPenalties reads the penalties that where finds, the newest first, with their players and decisions.
func recordedPenalties(where *gorm.DB) ([]Penalty, error) {
	return storage.All[Penalty](withDecisions(where).Order("id DESC"))
}

func withDecisions(where *gorm.DB) *gorm.DB {
	return where.Preload("Player", storage.Without("email")).
		Preload("Seconded", "decision = ?", decisionSeconded).Preload("Cancelled", "decision = ?", decisionCancelled)
}

// playedSeat is a seat in a game that is on.
type playedSeat struct {
	Game int64
	Seat int
}

// runningGames are the games that a player sits in and that are on.
const runningGames = `SELECT g.id AS game, e.seat FROM seats e JOIN games g ON g.table_id = e.table_id WHERE e.player_id = ? AND g.status = ?`

// runningGamesOf are the games that a player sits in and that are on.
func runningGamesOf(ctx context.Context, s *storage.DB, player int64) (games []playedSeat, err error) {
	err = s.Read.WithContext(ctx).Raw(runningGames, player, game.Running).Scan(&games).Error
	return games, err
}

// disqualifications are those of an event that are in force.
func disqualifications(ctx context.Context, s *storage.DB, event int64) ([]Penalty, error) {
	all, err := recordedPenalties(s.Read.WithContext(ctx).Where("tournament_id = ? AND kind = ?", event, Disqualification))
	return slices.DeleteFunc(all, func(one Penalty) bool { return one.State() != PenaltyInForce }), err
}

// disqualified are the players of an event who are, in force.
func disqualified(db *gorm.DB, event int64) (map[int64]bool, error) {
	return disqualifiedAt(db, event, Always)
}

// disqualifiedAt are those who were before a moment.
func disqualifiedAt(db *gorm.DB, event int64, at engine.Millis) (map[int64]bool, error) {
	var ids []int64
	err := db.Raw(`SELECT s.player_id FROM sanctions s JOIN sanction_decisions d ON d.sanction_id = s.id AND d.decision = 'seconded' AND d.at < ?
		WHERE s.tournament_id = ? AND s.kind = 'disqualification' AND NOT EXISTS (SELECT 1 FROM sanction_decisions c WHERE c.sanction_id = s.id AND c.decision = 'cancelled' AND c.at < ?)`, at, event, at).
		Scan(&ids).Error
	return storage.MapOf(ids, func(id int64) (int64, bool) { return id, true }), err
}

// pointsOffTotals are the points off totals that counted in an event before a moment.
func pointsOffTotals(db *gorm.DB, event int64, at engine.Millis) (penalties []standing.Penalty, err error) {
	err = db.Raw(`SELECT s.player_id AS player, s.round AS round, coalesce(r.stage, 0) AS stage, s.points AS points
		FROM sanctions s LEFT JOIN rounds r ON r.tournament_id = s.tournament_id AND r.number = s.round
		WHERE s.tournament_id = @event AND s.kind = 'points' AND s.at < @at
		AND NOT EXISTS (SELECT 1 FROM sanction_decisions c WHERE c.sanction_id = s.id AND c.decision = 'cancelled' AND c.at < @at)
		UNION ALL SELECT m.player_id, m.round, m.stage, m.charge FROM missed_rounds m JOIN rounds p ON p.tournament_id = m.tournament_id AND p.number = m.round
		WHERE m.tournament_id = @event AND m.charge > 0 AND p.published_at < @at`, map[string]any{"event": event, "at": at}).Scan(&penalties).Error
	return penalties, err
}
