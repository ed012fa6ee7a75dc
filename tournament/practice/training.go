package practice

import (
	"cmp"
	"context"
	"strings"

	"gorm.io/gorm"

	"meldhall/engine/ruleset"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// trainees are the players' names at a training, table by table.
var trainees = strings.Fields("Anna Bruno Chiara David Elena Farid Greta Hugo Ines Jonas Katya Liam Marta Nils Olga Pavel Rosa Samuel Tamar Ulrich Vera Wim Yael Zoe")

// Train opens a training for a tournament, replacing an older one of the same official, and plays its games up to their
// disputes. Name is the training's name; empty means the tournament's.
type Train struct {
	Tournament int64  `json:"tournament"`
	Name       string `json:"name,omitempty"`

	rules   ruleset.Ruleset
	stories []*story
}

// RepeatDispute restores the table of a dispute to its initial state.
type RepeatDispute struct {
	Table int64 `json:"table"`

	story *story
}

// EndTraining hides an official's own training. Its log stays in the database.
type EndTraining struct {
	Tournament int64 `json:"tournament"`
}

// The kinds of actions. Actions in a training do not affect the tournament that it accompanies.
var (
	_ = action.NewKind[Train](action.Kind{Name: "training.open", Right: rights.MayTrain,
		Changes: []action.What{action.TopicHall}})
	_ = action.NewKind[EndTraining](action.Kind{Name: "training.close", Right: rights.MayTrain,
		Changes: []action.What{action.TopicHall}})
	_ = action.NewKind[RepeatDispute](action.Kind{Name: "training.again", Right: rights.MayTrain,
		Changes: []action.What{action.TopicSeats}})
)

// training is the row that stores which official a training belongs to.
type training struct {
	TournamentID int64 `gorm:"primaryKey;autoIncrement:false"`
	Account      int64
}

// TableName returns the name of the table.
func (training) TableName() string { return "trainings" }

// Plan plays the stories of all disputes before the transaction begins, because the bots' choices take time.
func (o Train) Plan(ctx context.Context, d *action.Desk, _ rights.Actor) (action.Action, error) {
	beside, err := o.beside(d.DB.Read.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	rules, err := beside.Rules()
	if err != nil {
		return nil, err
	}
	o.rules, o.stories = rulesFor(rules), nil
	for _, dispute := range Disputes {
		told, err := dispute.story(o.rules)
		if err != nil {
			return nil, err
		}
		o.stories = append(o.stories, told)
	}
	return o, nil
}

// beside returns the tournament that the training accompanies. If Tournament is a copy, such as a rehearsal, that is
// the copy's original.
func (o Train) beside(db *gorm.DB) (tournament.Tournament, error) {
	t, err := tournament.FindTournament(db, o.Tournament)
	if err == nil && t.Rehearses != 0 {
		t, err = tournament.FindTournament(db, t.Rehearses)
	}
	if err == nil && t.Practice != "" {
		err = refuse.Conflict("err_training_of")
	}
	return t, err
}

func (o Train) Do(tx *action.Tx) (t tournament.Tournament, err error) {
	tx.InPractice()
	beside, err := o.beside(tx.DB)
	if err != nil {
		return t, err
	}
	if t, err = (people.CreateTournament{Name: cmp.Or(spelling.Clean(o.Name), beside.Name), Format: oneGame("training"),
		Rules: o.rules}).New(); err != nil {
		return t, err
	}
	t.Status, t.CreatedAt, t.Rehearses, t.RehearsedBy = tournament.StatusRunning, tx.Now(), beside.ID,
		tournament.RehearsedTraining
	t.OrganizationID = beside.OrganizationID
	if err := removeOlder(tx, beside.ID); err != nil {
		return t, err
	}
	if err := tx.Create(&t).Error; err != nil {
		return t, err
	}
	tx.Made(t.ID)
	if err := tx.Create(&training{t.ID, tx.Actor.Account}).Error; err != nil {
		return t, err
	}
	round, err := newRound(tx, t.ID)
	if err != nil {
		return t, err
	}
	for i, told := range o.stories {
		first := i * ruleset.MaxSeats
		players := newPlayers(t.ID, first+1, trainees[first:first+told.seats])
		if err := tx.Create(&players).Error; err != nil {
			return t, err
		}
		if err := lay(tx, round, i+1, players, told); err != nil {
			return t, err
		}
	}
	letBotsPlay(tx, t.ID)
	tx.Record(action.Entry{Event: t.ID, On: action.About{Name: t.Name}})
	return t, nil
}

// removeOlder hides the official's earlier training for a tournament, if there is one.
func removeOlder(tx *action.Tx, beside int64) error {
	older, ok, err := trainingOf(tx.DB, tx.Actor, beside)
	if err != nil || !ok {
		return err
	}
	tx.Then(func(ctx context.Context, g *game.Games) error { return End(ctx, g, older.ID) })
	return tx.Model(&older).Update("removed_at", tx.Now()).Error
}

func (c EndTraining) Do(tx *action.Tx) (t tournament.Tournament, err error) {
	if t, err = tournament.FindTournament(tx.DB, c.Tournament); err != nil {
		return t, err
	}
	own, ok, err := trainingOf(tx.DB, tx.Actor, t.Rehearses)
	if err != nil || !ok || own.ID != t.ID {
		return t, cmp.Or(err, error(refuse.Conflict("err_training_over")))
	}
	tx.Record(action.Entry{Event: t.ID, On: action.About{Name: t.Name}})
	return t, removeOlder(tx, t.Rehearses)
}

// lay creates the table of a dispute with its game, and plays the story after the commit. The game is not created as
// waiting, because it would then be dealt.
func lay(tx *action.Tx, round tournament.Round, number int, players []tournament.Player, told *story) error {
	table := tournament.Table{Number: number, Tiles: tournament.DigitalTiles}
	if Disputes[number-1].Real {
		table.Tiles = tournament.RealTiles
	}
	played, err := newTable(tx, round, table, players, game.Running)
	if err != nil {
		return err
	}
	tx.Then(func(ctx context.Context, g *game.Games) error { return told.play(ctx, g, played.ID) })
	return nil
}

// Plan plays the table's story before the transaction begins.
func (a RepeatDispute) Plan(ctx context.Context, d *action.Desk, _ rights.Actor) (action.Action, error) {
	table, t, err := a.find(d.DB.Read.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	rules, err := t.Rules()
	if err == nil {
		a.story, err = Disputes[table.Number-1].story(rules)
	}
	return a, err
}

// find returns the table, which must belong to a training.
func (a RepeatDispute) find(db *gorm.DB) (table tournament.Table, t tournament.Tournament, err error) {
	if table, err = store.ByID[tournament.Table](db, "table", a.Table); err != nil {
		return table, t, err
	}
	if t, err = tournament.FindTournament(db, table.TournamentID); err != nil {
		return table, t, err
	}
	if _, ok := DisputeAt(t, table.Number); !ok {
		err = refuse.Conflict("err_training_none")
	}
	return table, t, err
}

func (a RepeatDispute) Do(tx *action.Tx) (t tournament.Tournament, err error) {
	table, t, err := a.find(tx.DB)
	if err != nil {
		return t, err
	}
	var players []tournament.Player
	if err := tx.Model(&tournament.Seat{}).Select("player_id AS id").Where("table_id = ?", table.ID).Order("seat").
		Scan(&players).Error; err != nil {
		return t, err
	}
	round := tournament.Round{ID: table.RoundID, TournamentID: t.ID}
	if err := putAway(tx, t, table); err != nil {
		return t, err
	}
	tx.Record(action.Entry{Event: t.ID, On: action.About{Table: table.Number}})
	return t, lay(tx, round, table.Number, players, a.story)
}

// putAway moves a table with its log from its training to a new tournament that is created as removed.
func putAway(tx *action.Tx, t tournament.Tournament, table tournament.Table) error {
	t.ID, t.RemovedAt = 0, tx.Now()
	if err := tx.Create(&t).Error; err != nil {
		return err
	}
	round, err := newRound(tx, t.ID)
	if err != nil {
		return err
	}
	tx.Then(func(ctx context.Context, g *game.Games) error { return End(ctx, g, t.ID) })
	for _, sql := range []string{
		"UPDATE tables SET tournament_id = @event, round_id = @round WHERE id = @table",
		"UPDATE seats SET round_id = @round WHERE table_id = @table",
		"UPDATE games SET tournament_id = @event WHERE table_id = @table",
	} {
		if err := tx.Exec(sql, map[string]any{"event": t.ID, "round": round.ID, "table": table.ID}).Error; err != nil {
			return err
		}
	}
	return nil
}

// TrainingOf returns an official's training for a tournament, or false if there is none.
func TrainingOf(ctx context.Context, s *store.DB, actor rights.Actor, tournamentID int64) (tournament.Tournament, bool,
	error) {
	return trainingOf(s.Read.WithContext(ctx), actor, tournamentID)
}

// Trainings returns all trainings that have not been removed.
func Trainings(ctx context.Context, s *store.DB) ([]tournament.Tournament, error) {
	return store.All[tournament.Tournament](s.Read.WithContext(ctx).Where("removed_at = 0 AND id IN (SELECT tournament_id FROM trainings)").Order("id"))
}

func trainingOf(db *gorm.DB, actor rights.Actor, tournamentID int64) (tournament.Tournament, bool, error) {
	return store.First[tournament.Tournament](db.Where("rehearses = ? AND removed_at = 0 AND id IN (SELECT tournament_id FROM trainings WHERE account = ?)",
		tournamentID, actor.Account).Order("id DESC"))
}

// DisputeAt returns the dispute of a training's table; ok is false for tables of other tournaments.
func DisputeAt(t tournament.Tournament, number int) (d Dispute, ok bool) {
	if !t.Trains() || number < 1 || number > len(Disputes) {
		return d, false
	}
	return Disputes[number-1], true
}
