package tournament

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
	"meldhall/tournament/standing"
	"meldhall/tournament/store"
)

// Penalties returns a tournament's penalties that count apart from the games, newest first, with their decisions; for
// officials.
func Penalties(ctx context.Context, s *store.DB, actor rights.Actor, tournamentID int64) ([]Penalty, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeDesk); err != nil {
		return nil, err
	}
	if _, err := TournamentByID(ctx, s, tournamentID); err != nil {
		return nil, err
	}
	return recordedPenalties(s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID))
}

// PenaltiesOf returns a player's penalties for the player's own page, newest first, without those only proposed.
func PenaltiesOf(ctx context.Context, s *store.DB, player int64) ([]Penalty, error) {
	all, err := recordedPenalties(s.Read.WithContext(ctx).Where("player_id = ?", player))
	var own []Penalty
	for _, one := range all {
		if !heavy(one.Kind) || one.Seconded != nil {
			own = append(own, one)
		}
	}
	return own, err
}

// WaitingPenalties returns the disqualifications and corrections of a tournament that await a second official, newest
// first.
func WaitingPenalties(ctx context.Context, s *store.DB, tournamentID int64) ([]Penalty, error) {
	all, err := recordedPenalties(s.Read.WithContext(ctx).Where("tournament_id = ? AND kind <> ?", tournamentID,
		PointPenalty))
	return slices.DeleteFunc(all, func(one Penalty) bool { return one.State() != PenaltyProposed }), err
}

// findPenalty returns one penalty.
func findPenalty(db *gorm.DB, id int64) (Penalty, error) {
	return store.ByID[Penalty](withDecisions(db), "sanction", id)
}

// recordedPenalties returns the penalties selected by where, newest first, with their players and decisions.
func recordedPenalties(where *gorm.DB) ([]Penalty, error) {
	return store.All[Penalty](withDecisions(where).Order("id DESC"))
}

func withDecisions(where *gorm.DB) *gorm.DB {
	return where.Preload("Player", store.Without("email")).
		Preload("Seconded", "decision = ?", decisionSeconded).Preload("Cancelled", "decision = ?", decisionCancelled)
}

// playedSeat is a seat in a running game.
type playedSeat struct {
	Game int64
	Seat int
}

// runningGames selects the games with a given status at the tables where a player sits.
const runningGames = `SELECT g.id AS game, e.seat FROM seats e JOIN games g ON g.table_id = e.table_id WHERE e.player_id = ? AND g.status = ?`

// runningGamesOf returns the player's seats in running games.
func runningGamesOf(ctx context.Context, s *store.DB, player int64) (games []playedSeat, err error) {
	err = s.Read.WithContext(ctx).Raw(runningGames, player, game.Running).Scan(&games).Error
	return games, err
}

// disqualifications returns a tournament's disqualifications in force.
func disqualifications(ctx context.Context, s *store.DB, tournamentID int64) ([]Penalty, error) {
	all, err := recordedPenalties(s.Read.WithContext(ctx).Where("tournament_id = ? AND kind = ?", tournamentID,
		Disqualification))
	return slices.DeleteFunc(all, func(one Penalty) bool { return one.State() != PenaltyInForce }), err
}

// disqualified returns the players whose disqualification is in force.
func disqualified(db *gorm.DB, tournamentID int64) (map[int64]bool, error) {
	return disqualifiedAt(db, tournamentID, Always)
}

// disqualifiedAt returns the players who were disqualified before at.
func disqualifiedAt(db *gorm.DB, tournamentID int64, at engine.Millis) (map[int64]bool, error) {
	var ids []int64
	err := db.Raw(`SELECT s.player_id FROM sanctions s JOIN sanction_decisions d ON d.sanction_id = s.id AND d.decision = 'seconded' AND d.at < ?
		WHERE s.tournament_id = ? AND s.kind = 'disqualification' AND NOT EXISTS (SELECT 1 FROM sanction_decisions c WHERE c.sanction_id = s.id AND c.decision = 'cancelled' AND c.at < ?)`, at, tournamentID, at).
		Scan(&ids).Error
	return store.MapOf(ids, func(id int64) (int64, bool) { return id, true }), err
}

// pointsOffTotals returns the point penalties that were in force before at.
func pointsOffTotals(db *gorm.DB, tournamentID int64, at engine.Millis) (penalties []standing.Penalty, err error) {
	err = db.Raw(`SELECT s.player_id AS player, s.round AS round, coalesce(r.stage, 0) AS stage, s.points AS points
		FROM sanctions s LEFT JOIN rounds r ON r.tournament_id = s.tournament_id AND r.number = s.round
		WHERE s.tournament_id = @event AND s.kind = 'points' AND s.at < @at
		AND NOT EXISTS (SELECT 1 FROM sanction_decisions c WHERE c.sanction_id = s.id AND c.decision = 'cancelled' AND c.at < @at)
		UNION ALL SELECT m.player_id, m.round, m.stage, m.charge FROM missed_rounds m JOIN rounds p ON p.tournament_id = m.tournament_id AND p.number = m.round
		WHERE m.tournament_id = @event AND m.charge > 0 AND p.published_at < @at`, map[string]any{"event": tournamentID, "at": at}).Scan(&penalties).Error
	return penalties, err
}
