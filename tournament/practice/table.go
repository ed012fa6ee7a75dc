package practice

import (
	"context"
	"strconv"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/store"
)

const (
	Most = 50 // limit of open practice tables
	Each = 20 // limit per reader while at most Last are free
	Last = 10
)

// OpenTable creates a practice table and starts its game: a tournament with a single running round and a single game.
// The person sits in seat 0. With the strength Lesson, the game is a lesson. If all tables are in use, it is refused as
// TooMany.
type OpenTable struct {
	Strength string          `json:"strength"`
	Rules    ruleset.Ruleset `json:"rules"`
	Name     string          `json:"name"`
	Person   string          `json:"person"`
	Bots     []string        `json:"bots"` // only as many as the rules have seats for are used
	Reader   string          `json:"-"`    // counts towards this reader's limit across nodes; "": no limit

	lesson *story // of a lesson
}

// Place is the person's seat. The token is returned only once.
type Place struct {
	Token string
	Me    rights.Actor
	Game  int64
}

var _ = action.NewKind[OpenTable](action.Kind{Name: "practice.open", Right: rights.MayPractise, Guarded: true,
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

func (n OpenTable) Do(tx *action.Tx) (at Place, err error) {
	if n.Strength == "" { // otherwise it would be an ordinary tournament
		return at, refuse.Invalid("err_practice_bots", "name", "", "known", "")
	}
	n.Rules.Assist = ruleset.On // nothing is at stake
	if n.Strength == Lesson {
		n.Rules.TurnSeconds, n.Bots = 0, n.Bots[:min(1, len(n.Bots))]
		if n.lesson, err = lessonStory(n.Rules); err != nil {
			return at, err
		}
	}
	t, err := people.CreateTournament{Name: n.Name, Format: oneGame("practice"), Rules: n.Rules}.New()
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
	if at.Me, at.Game, err = n.seat(tx, t, secret.Hash(at.Token)); err != nil {
		return at, err
	}
	tx.Record(action.Entry{Event: t.ID, On: action.About{Name: t.Name},
		Is: opened{n.Strength, n.Rules.Name, n.Rules.Version}})
	tx.Then(func(ctx context.Context, g *game.Games) error {
		if n.lesson == nil {
			return g.StartWaiting(ctx, at.Me.Table)
		}
		return n.lesson.play(ctx, g, at.Game)
	})
	return at, nil
}

// count counts a table towards its reader's limit, across the nodes of a database. It refuses the table if few tables
// are free and the reader already has Each.
func (n OpenTable) count(tx *action.Tx, t tournament.Tournament, others int64) error {
	shelf, reader := tx.Desk.DB.Nodes.Shelf("practice"), secret.Hash(n.Reader)
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

// going selects the practice tables that are not over: those whose result is not confirmed.
func going(db *gorm.DB) *gorm.DB {
	return db.Model(&tournament.Tournament{}).Where("practice <> '' AND status = ?", tournament.StatusRunning)
}

// seat creates a practice table's players, round, table, seats and game, and returns the person's seat and the game.
// device is the hash of the token of the person's device.
func (n OpenTable) seat(tx *action.Tx, t tournament.Tournament, device string) (me rights.Actor, gameID int64,
	err error) {
	names := append([]string{n.Person}, n.Bots...)
	players := newPlayers(t.ID, 1, names[:min(len(names), n.Rules.SeatsMax)])
	players[0].DeviceHash, players[0].DeviceAt = &device, t.CreatedAt
	if err := tx.Create(&players).Error; err != nil {
		return me, 0, err
	}
	round, err := newRound(tx, t.ID)
	if err != nil {
		return me, 0, err
	}
	status := game.Waiting
	if n.lesson != nil { // the story deals
		status = game.Running
	}
	played, err := newTable(tx, round, tournament.Table{Number: 1}, players, status)
	return rights.Actor{Role: rights.RolePlayer, Tournament: t.ID, Player: players[0].ID, Name: players[0].Name,
		Table: played.TableID, Seat: 0}, played.ID, err
}

// Games returns the games of all practice tables that are not over, oldest first.
func Games(ctx context.Context, s *store.DB) ([]int64, error) {
	return s.IDs(ctx, `SELECT g.id FROM tournaments t JOIN games g ON g.tournament_id = t.id
		WHERE t.practice <> '' AND t.status = 'running' ORDER BY g.id`)
}
