package tournament

import (
	"cmp"
	"context"
	"time"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

// RehearsalSpeed is how many times faster than on the day the clocks of a rehearsal run, and its bots play.
const RehearsalSpeed = 10

// RehearsalLife is how long a rehearsal goes on at most.
const RehearsalLife = time.Hour

// Who runs the desk of a rehearsal: bots all of it, or the organizer, and bots the tables alone; of a training (package training)
// the official who rules, and nobody plays.
const (
	RehearsedAll      = "all"
	RehearsedTables   = "tables"
	RehearsedTraining = "training"
)

// rehearsed are the rules with clocks that run faster.
func rehearsed(rules engine.Ruleset) engine.Ruleset {
	rules.TurnSeconds = faster(rules.TurnSeconds)
	rules.StartSeconds = faster(rules.StartSeconds)
	return rules
}

// hurry lets all clocks of an event run faster: its own and those that a stage has.
func (t *Tournament) hurry() error {
	f, rules, err := t.plan()
	if err != nil {
		return err
	}
	for i, stage := range f.Stages {
		own, err := t.RulesAt(i)
		if err != nil {
			return err
		}
		own = rehearsed(own)
		for clock, seconds := range map[string]int{"turn_seconds": own.TurnSeconds, "start_seconds": own.StartSeconds} {
			if _, there := stage.Rules[clock]; there {
				stage.Rules[clock] = seconds
			}
		}
	}
	return t.keep(f, rehearsed(rules))
}

func faster(seconds int) int { return (seconds + RehearsalSpeed - 1) / RehearsalSpeed }

// rehearsedSlots are the slots of a plan as it is rehearsed: from now on, and faster.
func rehearsedSlots(slots []Slot, now engine.Millis) []Slot {
	var all []Slot
	for _, slot := range slots {
		from := slots[0].StartsAt
		slot.StartsAt = now + (slot.StartsAt-from)/RehearsalSpeed
		slot.EndsAt = now + (slot.EndsAt-from)/RehearsalSpeed
		all = append(all, slot)
	}
	return all
}

// Rehearsing tells whether bots play at the event's tables now.
func (t Tournament) Rehearsing(now engine.Millis) bool {
	return t.Rehearses != 0 && !t.Trains() && t.RemovedAt == 0 && t.Status != StatusFinished && now < t.EndsBy
}

// Trains tells whether the event is a training.
func (t Tournament) Trains() bool { return t.RehearsedBy == RehearsedTraining }

// Rehearse makes a copy of an event with its players, rules and plan, to be played by bots with faster clocks: Name is what
// it is called, By RehearsedAll or RehearsedTables. It is in no public list, no device plays in it, and it ends by itself.
// One rehearsal goes on at a time.
type Rehearse struct {
	Tournament int64  `json:"tournament"`
	Name       string `json:"name"`
	By         string `json:"by"`
}

var _ = door.NewKind[Rehearse](door.Kind{Name: "rehearsal.start", Right: rights.MayRehearse, Changes: []door.What{door.TopicHall},
	Details: door.Steps("rehearsal.")})

func (r Rehearse) Do(tx *door.Tx) (t Tournament, err error) {
	if r.By != RehearsedAll && r.By != RehearsedTables {
		return t, refuse.Invalid("err_rehearsal_by", "by", r.By)
	}
	tx.InPractice()
	original, err := FindTournament(tx.DB, r.Tournament)
	if err != nil {
		return t, err
	}
	if original.Rehearses != 0 || original.Practice != "" {
		return t, refuse.Conflict("err_rehearsal_of")
	}
	if going, err := rehearsals(tx.DB, tx.Now()); err != nil || len(going) > 0 {
		return t, cmp.Or(err, error(refuse.Conflict("err_rehearsal_running")))
	}
	if t, err = copyFor(tx, original, cmp.Or(spelling.Clean(r.Name), original.Name), r.By); err != nil {
		return t, err
	}
	tx.Then(func(_ context.Context, g *game.Games) error {
		if g.Rehearsed != nil {
			g.Rehearsed(t.ID)
		}
		return nil
	})
	tx.Record(door.Entry{Event: r.Tournament, On: t.about(), Is: door.Step{Is: r.By}})
	return t, nil
}

// copyFor makes the rehearsal of an event.
func copyFor(tx *door.Tx, original Tournament, name, by string) (Tournament, error) {
	t := original
	if err := t.hurry(); err != nil {
		return t, err
	}
	t.ID, t.Name, t.Status, t.Tiles, t.CreatedAt, t.RuleChangesJSON = 0, name, StatusDraft, DigitalTiles, tx.Now(), ""
	t.Rehearses, t.RehearsedBy, t.EndsBy = original.ID, by, tx.Now()+engine.Millis(RehearsalLife.Milliseconds())
	if err := tx.Create(&t).Error; err != nil {
		return t, err
	}
	var players []Player
	if err := tx.Where("tournament_id = ? AND withdrawn = 0", original.ID).Order("number").Find(&players).Error; err != nil {
		return t, err
	}
	if len(players) < 2 {
		return t, refuse.Conflict("err_players_too_few", "players", len(players))
	}
	was, copies := idsOf(players), map[int64]int64{} // the copy of each player
	for i := range players {
		hash := secret.Hash(secret.NewToken()) // of a device that nobody has: the bots play without one
		p := &players[i]
		p.ID, p.TournamentID, p.Email, p.Ticket, p.DeviceHash, p.DeviceAt, p.ExtraSeconds = 0, t.ID, "", nil, &hash, tx.Now(), faster(p.ExtraSeconds)
	}
	if err := tx.Create(&players).Error; err != nil {
		return t, err
	}
	for i, p := range players {
		copies[was[i]] = p.ID
	}
	if err := copyWishes(tx.DB, original.ID, t.ID, copies); err != nil {
		return t, err
	}
	slots, err := slotsOf(tx.DB, original.ID)
	if slots = rehearsedSlots(slots, tx.Now()); err != nil || len(slots) == 0 {
		return t, err
	}
	for i := range slots {
		slots[i].TournamentID = t.ID
	}
	return t, tx.Create(&slots).Error
}

// copyWishes tells a rehearsal who is kept apart and which tables are out of service; players without a copy are in none.
func copyWishes(tx *gorm.DB, from, to int64, copies map[int64]int64) error {
	var apart []keepApart
	if err := tx.Where("tournament_id = ?", from).Find(&apart).Error; err != nil {
		return err
	}
	for _, pair := range apart {
		a, b := copies[pair.A], copies[pair.B]
		if a == 0 || b == 0 {
			continue
		}
		if err := tx.Create(&keepApart{to, min(a, b), max(a, b)}).Error; err != nil {
			return err
		}
	}
	return tx.Exec("INSERT INTO closed_tables (tournament_id, number, reason) SELECT ?, number, reason FROM closed_tables WHERE tournament_id = ?", to, from).Error
}

func rehearsals(db *gorm.DB, now engine.Millis) ([]Tournament, error) {
	return storage.All[Tournament](db.Where("rehearses <> 0 AND rehearsed_by <> ? AND removed_at = 0 AND status <> ? AND ends_by > ?", RehearsedTraining, StatusFinished, now).Order("id"))
}

// Rehearsals gives the rehearsals that bots play now.
func Rehearsals(ctx context.Context, s *storage.DB) ([]Tournament, error) {
	return rehearsals(s.Read.WithContext(ctx), s.Millis())
}

// RehearsalOf is the newest rehearsal of an event that was not removed, whether it is over or not; false for none.
func RehearsalOf(ctx context.Context, s *storage.DB, event int64) (Tournament, bool, error) {
	return storage.First[Tournament](s.Read.WithContext(ctx).Where("rehearses = ? AND rehearsed_by <> ? AND removed_at = 0", event, RehearsedTraining).Order("id DESC"))
}

// RemoveRehearsal ends a rehearsal and takes it out of everything; its log stays in the database, where nothing is ever
// deleted. Its tables are called to their end. The outcome is the rehearsal.
type RemoveRehearsal struct {
	ID int64 `json:"id,omitempty" path:"id" of:"tournaments" minimum:"1"`
}

var _ = door.NewKind[RemoveRehearsal](door.Kind{Name: "rehearsal.remove", Right: rights.MayRehearse, Changes: []door.What{door.TopicHall}})

func (r RemoveRehearsal) Do(tx *door.Tx) (Tournament, error) {
	t, err := FindTournament(tx.DB, r.ID)
	if err != nil {
		return t, err
	}
	if t.Rehearses == 0 {
		return t, refuse.Conflict("err_rehearsal_none")
	}
	t.RemovedAt = tx.Now()
	tx.Then(func(ctx context.Context, g *game.Games) error { return EndRehearsal(ctx, g, t.ID) })
	tx.Record(door.Entry{Event: t.Rehearses, On: t.about()})
	return t, tx.Model(&t).Update("removed_at", t.RemovedAt).Error
}

// EndRehearsal calls time in the games that a rehearsal is still playing, so that they end by themselves.
func EndRehearsal(ctx context.Context, g *game.Games, id int64) error {
	rounds, err := Rounds(ctx, g.DB, id)
	if err != nil {
		return err
	}
	for _, r := range rounds {
		if r.Status != RoundRunning {
			continue
		}
		call := engine.CallTime{Grounds: engine.Grounds{Reason: "The rehearsal is over", By: rehearsalReferee.Name}}
		if _, err := g.RuleAll(ctx, rehearsalReferee, r.ID, "rehearsal-over", call); err != nil {
			return err
		}
	}
	return nil
}

// rehearsalReferee calls time in a rehearsal.
var rehearsalReferee = rights.Staff(rights.RoleReferee, "rehearsal")
