package tournament

import (
	"context"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// SetMissed says what a round that a player missed costs, in whole points. Number is the round's.
type SetMissed struct {
	Tournament int64  `json:"tournament"`
	Player     int64  `json:"player"`
	Number     int    `json:"number"`
	Points     int    `json:"points"`
	Why        string `json:"why,omitempty"`
}

var missedKind = peopleKind[SetMissed](PeopleMissed, rights.MayEditRoster, peopleDetails)

func (SetMissed) Kind() *door.Kind { return missedKind }

func (m SetMissed) Do(tx *door.Tx) (PeopleOutcome, error) {
	if m.Points < 0 || m.Points > missedMost {
		return PeopleOutcome{}, refuse.Invalid("err_missed_points", "most", missedMost)
	}
	w := peopleWork{event: m.Tournament, name: PeopleMissed, player: m.Player, why: m.Why}
	return changePlayer(tx, w, func(tx *peopleTx, p Player) error { return tx.setMissed(p, m.Number, m.Points) })
}

// noteMissed writes the explicit result of a round, when it is published, for those of its stage who are not in it.
func noteMissed(tx *gorm.DB, round Round) error {
	return tx.Exec(`INSERT INTO missed_rounds (tournament_id, player_id, round, stage, games, charge, reason)
		SELECT p.tournament_id, p.id, r.number, r.stage, r.games, 12 * t.missed_charge * r.games,
			CASE p.state WHEN 'no_show' THEN 'no_show' ELSE 'left' END
		FROM rounds r JOIN tournaments t ON t.id = r.tournament_id JOIN players p ON p.tournament_id = t.id
		WHERE r.id = ? AND r.play_off = 0 AND p.state IN ('withdrawn', 'no_show')
			AND NOT EXISTS (SELECT 1 FROM seats WHERE round_id = r.id AND player_id = p.id)
			AND (r.stage = 0 OR EXISTS (SELECT 1 FROM seats s JOIN rounds f ON f.id = s.round_id
				WHERE f.tournament_id = t.id AND f.stage = r.stage AND f.stage_round = 1 AND f.id <> r.id AND s.player_id = p.id))
		ON CONFLICT DO NOTHING`, round.ID).Error
}

// setMissed says what a round that a player missed costs, in whole points.
func (tx *peopleTx) setMissed(p Player, round, points int) error {
	set := tx.Model(&MissedRound{}).Where("player_id = ? AND round = ?", p.ID, round).Update("charge", engine.Whole(points))
	if set.Error == nil && set.RowsAffected == 0 {
		return refuse.Conflict("err_missed_none", "name", p.Name, "round", round)
	}
	return set.Error
}

// Missed gives the rounds of an event that players did not play, by round.
func Missed(ctx context.Context, s *storage.DB, tournamentID int64) ([]MissedRound, error) {
	var all []MissedRound
	err := s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Order("round, player_id").Find(&all).Error
	return all, err
}

// StandIns gives who plays in whose place in an event.
func StandIns(ctx context.Context, s *storage.DB, tournamentID int64) ([]StandIn, error) {
	var all []StandIn
	err := s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Order("round, game").Find(&all).Error
	return all, err
}

// ClosedTables gives the tables of the hall that are out of service, by number.
func ClosedTables(ctx context.Context, s *storage.DB, tournamentID int64) ([]ClosedTable, error) {
	var all []ClosedTable
	err := s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Order("number").Find(&all).Error
	return all, err
}

// nameStandIns writes who sits at each table instead of the entry's own player: in the current game, or the last one.
func nameStandIns(db *gorm.DB, tables []Table) error {
	var all []StandIn
	if err := db.Where("tournament_id = ?", tables[0].TournamentID).Find(&all).Error; err != nil || len(all) == 0 {
		return err
	}
	var rounds []Round
	if err := db.Select("id", "number").Where("tournament_id = ?", tables[0].TournamentID).Find(&rounds).Error; err != nil {
		return err
	}
	numbers := map[int64]int{}
	for _, r := range rounds {
		numbers[r.ID] = r.Number
	}
	for i, t := range tables {
		gameID := 1
		for _, g := range t.Games {
			if gameID = g.Number; g.Status != game.Finished {
				break
			}
		}
		for j := range t.Seats {
			p := &tables[i].Seats[j].Player
			if person := standInAt(all, p.ID, numbers[t.RoundID], gameID); person != "" {
				p.Name, p.For = person, p.Name
			}
		}
	}
	return nil
}
