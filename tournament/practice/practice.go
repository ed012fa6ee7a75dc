// Package practice provides tables at which a person plays against bots. Each table is a tournament of its own that no
// list contains.
package practice

import (
	"context"
	"strconv"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

const (
	Most = 50 // limit of open practice tables
	Each = 20 // limit per reader once at most Last are free
	Last = 10
)

// plan is the format of a practice table: one round of one game.
var plan = format.Format{Name: "practice", Version: 1, Stages: []format.Stage{{
	Name: "practice", Kind: format.Preliminary, Rounds: 1, GamesPerRound: 1, Seating: format.Random,
	SeatChange: format.EveryRound, CarryOver: format.CarryAll,
}}}

// Open creates a practice table and starts its game: a tournament with a single running round and a single game. The
// person sits in seat 0. If all tables are in use it is refused as TooMany.
type Open struct {
	Strength string          `json:"strength"`
	Rules    ruleset.Ruleset `json:"rules"`
	Name     string          `json:"name"`
	Person   string          `json:"person"`
	Bots     []string        `json:"bots"` // only as many as the rules have seats for are used
	Reader   string          `json:"-"`    // counts towards this reader's limit across nodes; "": no limit
}

// Place is the person's seat. The token is returned only once.
type Place struct {
	Token string
	Me    rights.Actor
	Game  int64
}

var _ = action.NewKind[Open](action.Kind{Name: "practice.open", Right: rights.MayPractise, Guarded: true,
	Details: action.Keep[opened]})

// opened is the content of a practice table's record.
type opened struct {
	Strength string `json:"strength"`
	Rules    string `json:"rules"`
	Version  int    `json:"version"`
}

// After describes the bots' strength and the rules.
func (p opened) After() []action.Phrase {
	return []action.Phrase{{Key: "practice." + p.Strength}, {Key: "rules." + p.Rules}}
}

func (n Open) Do(tx *action.Tx) (at Place, err error) {
	if n.Strength == "" { // otherwise it would be an ordinary tournament
		return at, refuse.Invalid("err_practice_bots", "name", "", "known", "")
	}
	n.Rules.Assist = ruleset.On // nothing is at stake
	t, err := people.CreateTournament{Name: n.Name, Format: plan, Rules: n.Rules}.New()
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
	tx.Record(action.Entry{Event: t.ID, On: action.About{Name: t.Name},
		Is: opened{n.Strength, n.Rules.Name, n.Rules.Version}})
	tx.Then(func(ctx context.Context, g *game.Games) error { return g.StartWaiting(ctx, at.Me.Table) })
	return at, tx.Raw(`SELECT id FROM games WHERE table_id = ? AND number = 1`, at.Me.Table).Scan(&at.Game).Error
}

// count counts a table towards its reader's limit, across the nodes of a database. It refuses the table if few tables
// are free and the reader already has Each.
func (n Open) count(tx *action.Tx, t tournament.Tournament, others int64) error {
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
	return shelf.PutIn(tx.DB, strconv.FormatInt(t.ID, 10), reader,
		t.CreatedAt+engine.Millis(game.PracticeLife.Milliseconds()))
}

// going selects the practice tables that are not over, that is, whose result is not confirmed.
func going(db *gorm.DB) *gorm.DB {
	return db.Model(&tournament.Tournament{}).Where("practice <> '' AND status = ?", tournament.StatusRunning)
}

// seat creates a practice table's players, round, table, seats and game. device is the hash of the token of the
// person's device.
func seat(tx *gorm.DB, t tournament.Tournament, n Open, device string) (rights.Actor, error) {
	names := append([]string{n.Person}, n.Bots...)
	players := make([]tournament.Player, min(len(names), n.Rules.SeatsMax))
	for i := range players {
		players[i] = tournament.Player{TournamentID: t.ID, Number: i + 1, Name: names[i], Written: names[i],
			NameKey: spelling.Fold(names[i])}
	}
	players[0].DeviceHash, players[0].DeviceAt = &device, t.CreatedAt
	if err := tx.Create(&players).Error; err != nil {
		return rights.Actor{}, err
	}
	round := tournament.Round{TournamentID: t.ID, Number: 1, StageRound: 1, Games: 1, Status: tournament.RoundRunning,
		Method:    format.Random,
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
	if err := tx.Create(&tournament.Game{TournamentID: t.ID, TableID: table.ID, Number: 1,
		Status: game.Waiting}).Error; err != nil {
		return rights.Actor{}, err
	}
	return rights.Actor{Role: rights.RolePlayer, Tournament: t.ID, Player: players[0].ID, Name: players[0].Name,
		Table: table.ID, Seat: 0}, nil
}

// Games returns the games of all practice tables that are not over, oldest first.
func Games(ctx context.Context, s *store.DB) ([]int64, error) {
	return s.IDs(ctx, `SELECT g.id FROM tournaments t JOIN games g ON g.tournament_id = t.id
		WHERE t.practice <> '' AND t.status = 'running' ORDER BY g.id`)
}

// Close confirms the result of a practice table's finished game in place of a referee, which ends the table. A table
// that is already closed does not change.
func Close(ctx context.Context, d *action.Desk, gameID int64) error {
	res, err := result.LatestResult(ctx, d.DB, gameID)
	if err != nil || res.Confirmed() {
		return err
	}
	_, err = d.Do(ctx, game.PracticeActor, result.ConfirmResult{Game: gameID, Rev: res.Rev})
	return err
}
