package tournament

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/format"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// PracticeMost is how many practice tables may be open at once.
const PracticeMost = 50

// practiceFormat is the plan of a practice table: one round of one game.
var practiceFormat = format.Format{Name: "practice", Version: 1, Stages: []format.Stage{{
	Name: "practice", Kind: format.Preliminary, Rounds: 1, GamesPerRound: 1, Seating: format.Random, SeatChange: format.EveryRound, CarryOver: format.CarryAll,
}}}

// NewPractice is what a practice table is made of: how strong the bots are, as the pages name it, the rules,
// and what the table, the person and the bots are called.
type NewPractice struct {
	Strength string
	Rules    engine.Ruleset
	Name     string
	Person   string
	Bots     []string // as many as the rules have seats for take one
}

// openPractice makes a practice table: the tournament with its only round, which runs, and its only game, which
// waits. The person sits at seat 0; the token is the person's and told once. Without a place left it is
// refused as TooMany.
func (s *Store) openPractice(ctx context.Context, actor rights.Actor, n NewPractice) (token string, me rights.Actor, err error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayPractise); err != nil {
		return "", rights.Actor{}, err
	}
	if n.Strength == "" { // it would be an event
		return "", rights.Actor{}, refuse.Invalid("err_practice_bots", "name", "", "known", "")
	}
	t, err := CreateTournament{Name: n.Name, Format: practiceFormat, Rules: n.Rules}.tournament()
	if err != nil {
		return "", rights.Actor{}, err
	}
	t.Status, t.Practice, t.CreatedAt = StatusRunning, n.Strength, s.now()
	token = newToken()
	err = s.Tx(ctx, func(tx *gorm.DB) error {
		tx = unseatingTx(tx)
		var open int64
		if err := practiceTables(tx).Count(&open).Error; err != nil {
			return err
		}
		if open >= PracticeMost {
			return refuse.TooMany("err_practice_full", "most", PracticeMost)
		}
		if err := tx.Create(&t).Error; err != nil {
			return err
		}
		if me, err = seatPractice(tx, t, n, hashSecret(token)); err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: t.ID, action: "practice.open", subject: t.subject(),
			after: fmt.Sprintf("%s bots, rules %s %d", n.Strength, n.Rules.Name, n.Rules.Version)})
	})
	return token, me, err
}

// practiceTables are the practice tables that are not over: their results are not confirmed.
func practiceTables(db *gorm.DB) *gorm.DB {
	return db.Model(&Tournament{}).Where("practice <> '' AND status = ?", StatusRunning)
}

// seatPractice makes a practice table's players, round, table, seats and game; the device of the person is
// the one whose hash is given.
func seatPractice(tx *gorm.DB, t Tournament, n NewPractice, device string) (rights.Actor, error) {
	names := append([]string{n.Person}, n.Bots...)
	players := make([]Player, min(len(names), n.Rules.SeatsMax))
	for i := range players {
		players[i] = Player{TournamentID: t.ID, Number: i + 1, Name: names[i], NameKey: foldText(names[i])}
	}
	players[0].DeviceHash, players[0].DeviceAt = &device, t.CreatedAt
	if err := tx.Create(&players).Error; err != nil {
		return rights.Actor{}, err
	}
	round := Round{TournamentID: t.ID, Number: 1, StageRound: 1, Games: 1, Status: RoundRunning, Method: format.Random,
		CreatedAt: t.CreatedAt, PublishedAt: t.CreatedAt, StartedAt: t.CreatedAt}
	if err := tx.Create(&round).Error; err != nil {
		return rights.Actor{}, err
	}
	table := Table{TournamentID: t.ID, RoundID: round.ID, Number: 1}
	if err := tx.Create(&table).Error; err != nil {
		return rights.Actor{}, err
	}
	seats := make([]Seat, len(players))
	for i, p := range players {
		seats[i] = Seat{RoundID: round.ID, TableID: table.ID, Seat: i, PlayerID: p.ID}
	}
	if err := tx.Create(&seats).Error; err != nil {
		return rights.Actor{}, err
	}
	if err := tx.Create(&Game{TournamentID: t.ID, TableID: table.ID, Number: 1, Status: GameWaiting}).Error; err != nil {
		return rights.Actor{}, err
	}
	return rights.Actor{Role: rights.RolePlayer, Tournament: t.ID, Player: players[0].ID, Name: players[0].Name, Table: table.ID, Seat: 0}, nil
}

// PracticeGames are the games of all practice tables that are not over, the oldest first.
func (s *Store) PracticeGames(ctx context.Context) ([]int64, error) {
	return s.ids(ctx, `SELECT g.id FROM tournaments t JOIN games g ON g.tournament_id = t.id
		WHERE t.practice <> '' AND t.status = 'running' ORDER BY g.id`)
}
