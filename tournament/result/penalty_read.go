package result

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Penalties returns a tournament's penalties that count apart from the games, newest first, with their decisions; for
// officials.
func Penalties(ctx context.Context, s *store.DB, actor rights.Actor, tournamentID int64) ([]Penalty, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeDesk); err != nil {
		return nil, err
	}
	if _, err := tournament.TournamentByID(ctx, s, tournamentID); err != nil {
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

// PenaltiesIn returns the penalties given at a game that count apart from it, newest first, for officials.
func PenaltiesIn(ctx context.Context, s *store.DB, game int64) ([]Penalty, error) {
	return recordedPenalties(s.Read.WithContext(ctx).Where("game_id = ? AND kind <> ?", game, CorrectedResult))
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
		Preload("Seconded", "decision = ?", decisionSeconded).Preload("Cancelled", "decision = ?", DecisionCancelled)
}

// disqualifications returns a tournament's disqualifications in force.
func disqualifications(ctx context.Context, s *store.DB, tournamentID int64) ([]Penalty, error) {
	all, err := recordedPenalties(s.Read.WithContext(ctx).Where("tournament_id = ? AND kind = ?", tournamentID,
		Disqualification))
	return slices.DeleteFunc(all, func(one Penalty) bool { return one.State() != PenaltyInForce }), err
}
