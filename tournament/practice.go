package tournament

import (
	"context"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

// PracticeMost is how many practice tables may be open at once.
const PracticeMost = 50

// practiceFormat is the plan of a practice table: one round of one game.
var practiceFormat = format.Format{Name: "practice", Version: 1, Stages: []format.Stage{{
	Name: "practice", Kind: format.Preliminary, Rounds: 1, GamesPerRound: 1, Seating: format.Random, SeatChange: format.EveryRound, CarryOver: format.CarryAll,
}}}

// OpenPractice makes a practice table and starts its game: the tournament with its only round, which runs, and its only game. The
// person sits at seat 0. Without a place left it is refused as TooMany.
type OpenPractice struct {
	Strength string         `json:"strength"`
	Rules    engine.Ruleset `json:"rules"`
	Name     string         `json:"name"`
	Person   string         `json:"person"`
	Bots     []string       `json:"bots"` // as many as the rules have seats for take one
}

// PracticePlace is where somebody practises. The token is the person's and told once.
type PracticePlace struct {
	Token string
	Me    rights.Actor
	Game  int64
}

var _ = door.NewKind[OpenPractice](door.Kind{Name: "practice.open", Right: rights.MayPractise, Guarded: true, Details: door.Keep[practiceOpened]})

// practiceOpened is what a record of a practice table keeps.
type practiceOpened struct {
	Strength string `json:"strength"`
	Rules    string `json:"rules"`
	Version  int    `json:"version"`
}

// After tells who plays by which rules.
func (p practiceOpened) After() []door.Phrase {
	return []door.Phrase{{Key: "practice." + p.Strength}, {Key: "rules." + p.Rules}}
}

func (n OpenPractice) Do(tx *door.Tx) (at PracticePlace, err error) {
	if n.Strength == "" { // it would be an event
		return at, refuse.Invalid("err_practice_bots", "name", "", "known", "")
	}
	n.Rules.Assist = engine.On // nothing is at stake
	t, err := CreateTournament{Name: n.Name, Format: practiceFormat, Rules: n.Rules}.tournament()
	if err != nil {
		return at, err
	}
	tx.InPractice()
	t.Status, t.Practice, t.CreatedAt = StatusRunning, n.Strength, tx.Now()
	var open int64
	if err := practiceTables(tx.DB).Count(&open).Error; err != nil {
		return at, err
	}
	if open >= PracticeMost {
		return at, refuse.TooMany("err_practice_full", "most", PracticeMost)
	}
	if err := tx.Create(&t).Error; err != nil {
		return at, err
	}
	at.Token = secret.NewToken()
	if at.Me, err = seatPractice(tx.DB, t, n, secret.Hash(at.Token)); err != nil {
		return at, err
	}
	tx.Record(door.Entry{Event: t.ID, On: t.about(), Is: practiceOpened{n.Strength, n.Rules.Name, n.Rules.Version}})
	tx.Then(func(ctx context.Context, g *game.Games) error { return g.StartWaiting(ctx, at.Me.Table) })
	return at, tx.Raw(`SELECT id FROM games WHERE table_id = ? AND number = 1`, at.Me.Table).Scan(&at.Game).Error
}

// practiceTables are the practice tables that are not over: their results are not confirmed.
func practiceTables(db *gorm.DB) *gorm.DB {
	return db.Model(&Tournament{}).Where("practice <> '' AND status = ?", StatusRunning)
}

// seatPractice makes a practice table's players, round, table, seats and game; the device of the person is
// the one whose hash is given.
func seatPractice(tx *gorm.DB, t Tournament, n OpenPractice, device string) (rights.Actor, error) {
	names := append([]string{n.Person}, n.Bots...)
	players := make([]Player, min(len(names), n.Rules.SeatsMax))
	for i := range players {
		players[i] = Player{TournamentID: t.ID, Number: i + 1, Name: names[i], Written: names[i], NameKey: spelling.Fold(names[i])}
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
	if err := tx.Create(&Game{TournamentID: t.ID, TableID: table.ID, Number: 1, Status: game.Waiting}).Error; err != nil {
		return rights.Actor{}, err
	}
	return rights.Actor{Role: rights.RolePlayer, Tournament: t.ID, Player: players[0].ID, Name: players[0].Name, Table: table.ID, Seat: 0}, nil
}

// PracticeGames are the games of all practice tables that are not over, the oldest first.
func PracticeGames(ctx context.Context, s *storage.DB) ([]int64, error) {
	return s.IDs(ctx, `SELECT g.id FROM tournaments t JOIN games g ON g.tournament_id = t.id
		WHERE t.practice <> '' AND t.status = 'running' ORDER BY g.id`)
}

// ClosePractice confirms the result of a practice table's game that has ended, in the place of a referee: the
// table is over with it. One that is closed stays as it is.
func ClosePractice(ctx context.Context, d *door.Desk, gameID int64) error {
	result, err := LatestResult(ctx, d.DB, gameID)
	if err != nil || result.Confirmed() {
		return err
	}
	_, err = d.Do(ctx, game.PracticeActor, ConfirmResult{gameID, result.Rev})
	return err
}
