package tournament

import (
	"context"

	"gorm.io/gorm"

	"meldhall/tournament/format"
	"meldhall/tournament/standing"
)

// Standings recomputes everybody's standing from the results that count.
func (s *Store) Standings(ctx context.Context, tournamentID int64) (Standings, error) {
	var board *board
	err := s.snapshot(ctx, func(db *gorm.DB) (err error) {
		board, err = loadBoard(db, tournamentID)
		return err
	})
	if err != nil {
		return Standings{}, err
	}
	out := Standings{Tournament: board.tournament, Stages: board.format.Stages, Stage: max(len(board.input.Stages)-1, 0),
		Rounds: board.rounds, Rows: make([]StandingsRow, len(board.rows))}
	for i, row := range board.rows {
		p := board.players[row.Player]
		out.Rows[i] = StandingsRow{Row: row, Name: p.Name, Country: p.Country, Club: p.Club, Number: p.Number}
	}
	return out, nil
}

// board is what standings are made of, and they.
type board struct {
	tournament Tournament
	format     format.Format
	players    map[int64]Player
	input      standing.Input
	rounds     int
	rows       []standing.Row
}

func loadBoard(db *gorm.DB, tournamentID int64) (*board, error) {
	b := &board{players: map[int64]Player{}}
	var err error
	if b.tournament, err = findTournament(db, tournamentID); err != nil {
		return nil, err
	}
	if b.format, err = b.tournament.Format(); err != nil {
		return nil, err
	}
	rules, err := b.tournament.Rules()
	if err != nil {
		return nil, err
	}
	b.input.Method = rules.Standings
	var players []Player
	if err := db.Omit("email").Where("tournament_id = ?", tournamentID).Order("number").Find(&players).Error; err != nil {
		return nil, err
	}
	out, err := disqualified(db, tournamentID)
	if err != nil {
		return nil, err
	}
	for _, p := range players {
		b.players[p.ID] = p
		b.input.Players = append(b.input.Players, standing.Player{ID: p.ID, Number: p.Number, Withdrawn: p.Withdrawn, Disqualified: out[p.ID]})
	}
	if b.input.Penalties, err = penaltiesOf(db, tournamentID); err != nil {
		return nil, err
	}
	if err := b.loadStages(db); err != nil {
		return nil, err
	}
	err = db.Raw(`
		SELECT l.player_id AS player, r.number AS round, r.stage AS stage, l.wins AS wins, l.points AS points,
			x.status = 'provisional' AS provisional
		FROM rounds r JOIN tables t ON t.round_id = r.id JOIN games g ON g.table_id = t.id
		JOIN results x ON x.game_id = g.id AND x.rev = (SELECT max(rev) FROM results WHERE game_id = g.id)
		JOIN result_lines l ON l.result_id = x.id
		WHERE r.tournament_id = ? AND x.ending <> 'annulled'`, tournamentID).Scan(&b.input.Lines).Error
	if err != nil {
		return nil, err
	}
	b.rows = standing.Rank(b.input)
	return b, nil
}

// loadStages finds the stages that have begun, with who entered them. A draft does not begin a stage.
func (b *board) loadStages(db *gorm.DB) error {
	var rounds []Round
	if err := db.Where("tournament_id = ? AND status <> ?", b.tournament.ID, RoundDraft).Order("number").Find(&rounds).Error; err != nil {
		return err
	}
	b.rounds = len(rounds)
	b.input.Stages = []standing.Stage{{FirstRound: 1, CarryAll: true}}
	for _, p := range b.input.Players {
		b.input.Stages[0].Entrants = append(b.input.Stages[0].Entrants, p.ID)
	}
	for _, r := range rounds {
		if r.Stage == 0 || r.StageRound != 1 {
			continue
		}
		stage := standing.Stage{FirstRound: r.Number, CarryAll: b.format.Stages[r.Stage].CarryOver == format.CarryAll}
		if err := db.Model(&Seat{}).Where("round_id = ?", r.ID).Order("player_id").Pluck("player_id", &stage.Entrants).Error; err != nil {
			return err
		}
		b.input.Stages = append(b.input.Stages, stage)
	}
	return nil
}

// stageRows are the rows of those who reached a stage, best first.
func (b *board) stageRows(stage int) []standing.Row {
	var rows []standing.Row
	for _, row := range b.rows {
		if row.Stage == stage {
			rows = append(rows, row)
		}
	}
	return rows
}
