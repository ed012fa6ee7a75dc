package tournament

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// Rehearse makes a copy of an event with its players, rules and plan, to be played by bots with faster clocks: name is what
// it is called, by RehearsedAll or RehearsedTables. It is in no public list, no device plays in it, and it ends by itself.
// One rehearsal goes on at a time. It is for organizers.
func (s *Store) Rehearse(ctx context.Context, actor rights.Actor, event int64, name, by string) (Tournament, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: event}, rights.MayRehearse); err != nil {
		return Tournament{}, err
	}
	if by != RehearsedAll && by != RehearsedTables {
		return Tournament{}, refuse.Invalid("err_rehearsal_by", "by", by)
	}
	var t Tournament
	err := s.Tx(ctx, func(tx *gorm.DB) error {
		tx = unseatingTx(tx)
		original, err := findTournament(tx, event)
		if err != nil {
			return err
		}
		if original.Rehearses != 0 || original.Practice != "" {
			return refuse.Conflict("err_rehearsal_of")
		}
		going, err := rehearsals(tx, s.now())
		if err != nil {
			return err
		}
		if len(going) > 0 {
			return refuse.Conflict("err_rehearsal_running")
		}
		if t, err = s.copyFor(tx, original, name, by); err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: event, action: "rehearsal.start", subject: t.subject(), after: by})
	})
	return t, err
}

// copyFor makes the rehearsal of an event.
func (s *Store) copyFor(tx *gorm.DB, original Tournament, name, by string) (Tournament, error) {
	t := original
	if err := t.hurry(); err != nil {
		return t, err
	}
	t.ID, t.Name, t.Status, t.Tiles, t.CreatedAt = 0, cleanText(name), StatusDraft, DigitalTiles, s.now()
	t.Rehearses, t.RehearsedBy, t.EndsBy = original.ID, by, s.now()+engine.Millis(RehearsalLife.Milliseconds())
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
		hash := hashSecret(newToken()) // of a device that nobody has: the bots play without one
		p := &players[i]
		p.ID, p.TournamentID, p.Email, p.Ticket, p.DeviceHash, p.DeviceAt, p.ExtraSeconds = 0, t.ID, "", nil, &hash, s.now(), faster(p.ExtraSeconds)
	}
	if err := tx.Create(&players).Error; err != nil {
		return t, err
	}
	for i, p := range players {
		copies[was[i]] = p.ID
	}
	if err := copyWishes(tx, original.ID, t.ID, copies); err != nil {
		return t, err
	}
	slots, err := slotsOf(tx, original.ID)
	if slots = rehearsedSlots(slots, s.now()); err != nil || len(slots) == 0 {
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
	var all []Tournament
	err := db.Where("rehearses <> 0 AND removed_at = 0 AND status <> ? AND ends_by > ?", StatusFinished, now).Order("id").Find(&all).Error
	return all, err
}

// Rehearsals gives the rehearsals that bots play now.
func (s *Store) Rehearsals(ctx context.Context) ([]Tournament, error) {
	return rehearsals(s.Read.WithContext(ctx), s.now())
}

// RehearsalOf is the newest rehearsal of an event that was not removed, whether it is over or not; false for none.
func (s *Store) RehearsalOf(ctx context.Context, event int64) (Tournament, bool, error) {
	var t Tournament
	err := s.Read.WithContext(ctx).Where("rehearses = ? AND removed_at = 0", event).Order("id DESC").Take(&t).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return t, false, nil
	}
	return t, err == nil, err
}

// RemoveRehearsal ends a rehearsal and takes it out of everything; its log stays in the database, where nothing is ever
// deleted. It is for organizers.
func (s *Store) RemoveRehearsal(ctx context.Context, actor rights.Actor, id int64) (of int64, err error) {
	err = s.Tx(ctx, func(tx *gorm.DB) error {
		t, err := findTournament(tx, id)
		if err != nil {
			return err
		}
		if err := rights.Authorize(actor, rights.Place{Tournament: t.Rehearses}, rights.MayRehearse); err != nil {
			return err
		}
		if t.Rehearses == 0 {
			return refuse.Conflict("err_rehearsal_none")
		}
		of = t.Rehearses
		if err := tx.Model(&t).Update("removed_at", s.now()).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: of, action: "rehearsal.remove", subject: fmt.Sprintf("tournament %d", t.ID)})
	})
	return of, err
}
