package practice

import (
	"cmp"
	"context"
	"time"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/housekeeping"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/schedule"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// RehearsalSpeed is the factor by which a rehearsal's clocks and bots are faster than in reality.
const RehearsalSpeed = 10

// RehearsalLife is the longest duration of a rehearsal.
const RehearsalLife = time.Hour

// rehearsed returns the rules with faster clocks.
func rehearsed(rules ruleset.Ruleset) ruleset.Ruleset {
	rules.TurnSeconds = faster(rules.TurnSeconds)
	rules.StartSeconds = faster(rules.StartSeconds)
	return rules
}

// hurry speeds up all clocks of a tournament: its own and those of its stages.
func hurry(t *tournament.Tournament) error {
	f, rules, err := t.Plan()
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
	return t.Keep(f, rehearsed(rules))
}

func faster(seconds int) int { return (seconds + RehearsalSpeed - 1) / RehearsalSpeed }

// rehearsedSlots returns a schedule's slots for the rehearsal: they start now and are shorter.
func rehearsedSlots(slots []schedule.Slot, now engine.Millis) []schedule.Slot {
	var all []schedule.Slot
	for _, slot := range slots {
		from := slots[0].StartsAt
		slot.StartsAt = now + (slot.StartsAt-from)/RehearsalSpeed
		slot.EndsAt = now + (slot.EndsAt-from)/RehearsalSpeed
		all = append(all, slot)
	}
	return all
}

// Rehearse copies a tournament with its players, rules and plan, for bots to play with faster clocks. Name is the
// copy's name; By is tournament.RehearsedAll or tournament.RehearsedTables. The copy is in no public list, no device
// plays in it, and it ends by itself. Only one rehearsal runs at a time.
type Rehearse struct {
	Tournament int64  `json:"tournament"`
	Name       string `json:"name"`
	By         string `json:"by"`
}

var _ = action.NewKind[Rehearse](action.Kind{Name: "rehearsal.start", Right: rights.MayRehearse,
	Changes: []action.What{action.TopicHall},
	Details: action.Steps("rehearsal.")})

func (r Rehearse) Do(tx *action.Tx) (t tournament.Tournament, err error) {
	if r.By != tournament.RehearsedAll && r.By != tournament.RehearsedTables {
		return t, refuse.Invalid("err_rehearsal_by", "by", r.By)
	}
	tx.InPractice()
	original, err := tournament.FindTournament(tx.DB, r.Tournament)
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
	letBotsPlay(tx, t.ID)
	tx.Record(action.Entry{Event: r.Tournament, On: action.About{Name: t.Name}, Is: action.Step{Is: r.By}})
	return t, nil
}

// copyFor creates the rehearsal of a tournament.
func copyFor(tx *action.Tx, original tournament.Tournament, name, by string) (tournament.Tournament, error) {
	t := original
	if err := hurry(&t); err != nil {
		return t, err
	}
	t.ID, t.Name, t.Status, t.Tiles, t.CreatedAt, t.RuleChangesJSON = 0, name, tournament.StatusDraft,
		tournament.DigitalTiles, tx.Now(), ""
	t.Rehearses, t.RehearsedBy, t.EndsBy = original.ID, by, tx.Now()+engine.Millis(RehearsalLife.Milliseconds())
	if err := tx.Create(&t).Error; err != nil {
		return t, err
	}
	var players []tournament.Player
	if err := tx.Where("tournament_id = ? AND withdrawn = 0",
		original.ID).Order("number").Find(&players).Error; err != nil {
		return t, err
	}
	if len(players) < 2 {
		return t, refuse.Conflict("err_players_too_few", "players", len(players))
	}
	was, copies := make([]int64, len(players)), map[int64]int64{} // original IDs; original ID -> ID of the copy
	for i := range players {
		was[i] = players[i].ID
		hash := secret.Hash(secret.NewToken()) // of no real device: bots play without one
		p := &players[i]
		p.ID, p.TournamentID, p.Email, p.Ticket, p.DeviceHash, p.DeviceAt, p.ExtraSeconds = 0, t.ID, "", nil, &hash,
			tx.Now(), faster(p.ExtraSeconds)
	}
	if err := tx.Create(&players).Error; err != nil {
		return t, err
	}
	for i, p := range players {
		copies[was[i]] = p.ID
	}
	if err := housekeeping.CopyWishes(tx.DB, original.ID, t.ID, copies); err != nil {
		return t, err
	}
	slots, err := schedule.FindSlots(tx.DB, original.ID)
	if slots = rehearsedSlots(slots, tx.Now()); err != nil || len(slots) == 0 {
		return t, err
	}
	for i := range slots {
		slots[i].TournamentID = t.ID
	}
	return t, tx.Create(&slots).Error
}

func rehearsals(db *gorm.DB, now engine.Millis) ([]tournament.Tournament, error) {
	return store.All[tournament.Tournament](db.Where("rehearses <> 0 AND rehearsed_by <> ? AND removed_at = 0 AND status <> ? AND ends_by > ?", tournament.RehearsedTraining, tournament.StatusFinished, now).Order("id"))
}

// Rehearsals returns the rehearsals that bots are playing now.
func Rehearsals(ctx context.Context, s *store.DB) ([]tournament.Tournament, error) {
	return rehearsals(s.Read.WithContext(ctx), s.Millis())
}

// RehearsalOf returns the newest rehearsal of a tournament that has not been removed, whether or not it is finished. It
// returns false if there is none.
func RehearsalOf(ctx context.Context, s *store.DB, tournamentID int64) (tournament.Tournament, bool, error) {
	return store.First[tournament.Tournament](s.Read.WithContext(ctx).Where("rehearses = ? AND rehearsed_by <> ? AND removed_at = 0", tournamentID, tournament.RehearsedTraining).Order("id DESC"))
}

// RemoveRehearsal ends a rehearsal and hides it everywhere. Time is called at its tables, and its log stays in the
// database.
type RemoveRehearsal struct {
	ID int64 `json:"id,omitempty" path:"id" of:"tournaments" minimum:"1"`
}

var _ = action.NewKind[RemoveRehearsal](action.Kind{Name: "rehearsal.remove", Right: rights.MayRehearse,
	Changes: []action.What{action.TopicHall}})

func (r RemoveRehearsal) Do(tx *action.Tx) (tournament.Tournament, error) {
	t, err := tournament.FindTournament(tx.DB, r.ID)
	if err != nil {
		return t, err
	}
	if t.Rehearses == 0 {
		return t, refuse.Conflict("err_rehearsal_none")
	}
	t.RemovedAt = tx.Now()
	tx.Then(func(ctx context.Context, g *game.Games) error { return End(ctx, g, t.ID) })
	tx.Record(action.Entry{Event: t.Rehearses, On: action.About{Name: t.Name}})
	return t, tx.Model(&t).Update("removed_at", t.RemovedAt).Error
}
