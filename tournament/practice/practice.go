// Package practice is the tables at which a person plays against bots: each is a tournament of its own, in no list of events.
package practice

import (
	"context"
	"strconv"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

const (
	Most = 50 // practice tables may be open at once
	Each = 20 // of them one reader's, once no more than Last are free
	Last = 10
)

// plan is the plan of a practice table: one round of one game.
var plan = format.Format{Name: "practice", Version: 1, Stages: []format.Stage{{
	Name: "practice", Kind: format.Preliminary, Rounds: 1, GamesPerRound: 1, Seating: format.Random, SeatChange: format.EveryRound, CarryOver: format.CarryAll,
}}}

// Open makes a practice table and starts its game: the tournament with its only round, which runs, and its only game. The
// person sits at seat 0. Without a place left it is refused as TooMany.
type Open struct {
	Strength string         `json:"strength"`
	Rules    engine.Ruleset `json:"rules"`
	Name     string         `json:"name"`
	Person   string         `json:"person"`
	Bots     []string       `json:"bots"` // as many as the rules have seats for take one
	Reader   string         `json:"-"`    // for whom it is counted among the nodes of a database; "": for nobody
}

// Place is where somebody practises. The token is the person's and told once.
type Place struct {
	Token string
	Me    rights.Actor
	Game  int64
}

var _ = door.NewKind[Open](door.Kind{Name: "practice.open", Right: rights.MayPractise, Guarded: true, Details: door.Keep[opened]})

// opened is what a record of a practice table keeps.
type opened struct {
	Strength string `json:"strength"`
	Rules    string `json:"rules"`
	Version  int    `json:"version"`
}

// After tells who plays by which rules.
func (p opened) After() []door.Phrase {
	return []door.Phrase{{Key: "practice." + p.Strength}, {Key: "rules." + p.Rules}}
}

func (n Open) Do(tx *door.Tx) (at Place, err error) {
	if n.Strength == "" { // it would be an event
		return at, refuse.Invalid("err_practice_bots", "name", "", "known", "")
	}
	n.Rules.Assist = engine.On // nothing is at stake
	t, err := tournament.CreateTournament{Name: n.Name, Format: plan, Rules: n.Rules}.New()
	if err != nil {
		return at, err
	}
	tx.InPractice()
	t.Status, t.Practice, t.CreatedAt = tournament.StatusRunning, n.Strength, tx.Now()
	var others int64
	if err := going(tx.DB).Count(&others).Error; err != nil {
		return at, err
	}
	if others >= Most {
		return at, refuse.TooMany("err_practice_full", "most", Most)
	}
	if err := tx.Create(&t).Error; err != nil {
		return at, err
	}
	if err := n.count(tx, t, others); err != nil {
		return at, err
	}
	at.Token = secret.NewToken()
	if at.Me, err = seat(tx.DB, t, n, secret.Hash(at.Token)); err != nil {
		return at, err
	}
	tx.Record(door.Entry{Event: t.ID, On: door.About{Name: t.Name}, Is: opened{n.Strength, n.Rules.Name, n.Rules.Version}})
	tx.Then(func(ctx context.Context, g *game.Games) error { return g.StartWaiting(ctx, at.Me.Table) })
	return at, tx.Raw(`SELECT id FROM games WHERE table_id = ? AND number = 1`, at.Me.Table).Scan(&at.Game).Error
}

// count counts a table for its reader, among the nodes of a database, and refuses it where that one has enough of the last.
func (n Open) count(tx *door.Tx, t tournament.Tournament, others int64) error {
	shelf, reader := tx.Desk.DB.Shelf("practice"), secret.Hash(n.Reader)
	if shelf == nil || n.Reader == "" {
		return nil
	}
	if others >= Most-Last {
		theirs, err := shelf.KeysOf(tx.DB, reader)
		if err == nil {
			err = going(tx.DB).Where("CAST(id AS TEXT) IN ?", theirs).Count(&others).Error
		}
		if err != nil {
			return err
		}
		if others >= Each {
			return refuse.TooMany("err_practice_full", "most", Most)
		}
	}
	return shelf.PutIn(tx.DB, strconv.FormatInt(t.ID, 10), reader, t.CreatedAt+engine.Millis(game.PracticeLife.Milliseconds()))
}

// going are the practice tables that are not over: their results are not confirmed.
func going(db *gorm.DB) *gorm.DB {
	return db.Model(&tournament.Tournament{}).Where("practice <> '' AND status = ?", tournament.StatusRunning)
}

// seat makes a practice table's players, round, table, seats and game; the device of the person is
// the one whose hash is given.
func seat(tx *gorm.DB, t tournament.Tournament, n Open, device string) (rights.Actor, error) {
	names := append([]string{n.Person}, n.Bots...)
	players := make([]tournament.Player, min(len(names), n.Rules.SeatsMax))
	for i := range players {
		players[i] = tournament.Player{TournamentID: t.ID, Number: i + 1, Name: names[i], Written: names[i], NameKey: spelling.Fold(names[i])}
	}
	players[0].DeviceHash, players[0].DeviceAt = &device, t.CreatedAt
	if err := tx.Create(&players).Error; err != nil {
		return rights.Actor{}, err
	}
	round := tournament.Round{TournamentID: t.ID, Number: 1, StageRound: 1, Games: 1, Status: tournament.RoundRunning, Method: format.Random,
		CreatedAt: t.CreatedAt, PublishedAt: t.CreatedAt, StartedAt: t.CreatedAt}
	if err := tx.Create(&round).Error; err != nil {
		return rights.Actor{}, err
	}
	table := tournament.Table{TournamentID: t.ID, RoundID: round.ID, Number: 1}
	if err := tx.Create(&table).Error; err != nil {
		return rights.Actor{}, err
	}
	seats := make([]tournament.Seat, len(players))
	for i, p := range players {
		seats[i] = tournament.Seat{RoundID: round.ID, TableID: table.ID, Seat: i, PlayerID: p.ID}
	}
	if err := tx.Create(&seats).Error; err != nil {
		return rights.Actor{}, err
	}
	if err := tx.Create(&tournament.Game{TournamentID: t.ID, TableID: table.ID, Number: 1, Status: game.Waiting}).Error; err != nil {
		return rights.Actor{}, err
	}
	return rights.Actor{Role: rights.RolePlayer, Tournament: t.ID, Player: players[0].ID, Name: players[0].Name, Table: table.ID, Seat: 0}, nil
}

// Games are the games of all practice tables that are not over, the oldest first.
func Games(ctx context.Context, s *storage.DB) ([]int64, error) {
	return s.IDs(ctx, `SELECT g.id FROM tournaments t JOIN games g ON g.tournament_id = t.id
		WHERE t.practice <> '' AND t.status = 'running' ORDER BY g.id`)
}

// Close confirms the result of a practice table's game that has ended, in the place of a referee: the
// table is over with it. One that is closed stays as it is.
func Close(ctx context.Context, d *door.Desk, gameID int64) error {
	result, err := tournament.LatestResult(ctx, d.DB, gameID)
	if err != nil || result.Confirmed() {
		return err
	}
	_, err = d.Do(ctx, game.PracticeActor, tournament.ConfirmResult{Game: gameID, Rev: result.Rev})
	return err
}
