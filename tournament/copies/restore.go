package copies

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// Restore goes on with a copy: the program puts it in the place of the database, which it keeps, and starts again over it. All clocks
// stand then until an official lets them run.
type Restore struct {
	Folder string `json:"folder,omitempty" doc:"the place of the copy; empty: beside the database"`
	File   string `json:"file" maxLength:"255"`
}

var _ = door.NewKind[Restore](door.Kind{Name: "copy.restore", Right: rights.MayBackUp, Final: true, Changes: []door.What{door.TopicHall}})

// Plan looks at the copy: one that the program could not go on with is refused while nothing has happened.
func (r Restore) Plan(ctx context.Context, d *door.Desk, _ rights.Actor) (door.Action, error) {
	if d.Machine.Restore == nil {
		return r, refuse.Conflict("err_copy_no_restore")
	}
	c, err := found(d, r.Folder, r.File)
	if err != nil {
		return r, err
	}
	if _, err := storage.CheckCopy(ctx, c.Path(d)); err != nil {
		return r, refuse.Conflict("err_copy_bad", "file", r.File, "why", err.Error())
	}
	return r, nil
}

func (r Restore) Do(tx *door.Tx) (Copy, error) {
	c, err := found(tx.Desk, r.Folder, r.File)
	if err != nil {
		return c, err
	}
	tx.Record(door.Entry{On: door.About{Name: r.File}})
	tx.Then(func(context.Context, *game.Games) error {
		tx.Desk.Machine.Restore(c.Path(tx.Desk), tx.Actor)
		return nil
	})
	return c, nil
}

// GoneOn notes in a database that it goes on from a copy, and stops the clocks of its games: the program does it, once its games are back,
// for who restored it.
type GoneOn struct {
	Done  storage.Restored `json:"-"`
	Fault string           `json:"-"` // why the program could not go on with the copy, and has the database of before
}

// stopped is the reason for which the clocks stand, packed as rulings keep the reasons that have a text, and stoppedBy its article.
const (
	stopped   = "@restored"
	stoppedBy = "8.11"
)

// goneOn is what the record keeps: until when the copy goes, and where the database of before is.
type goneOn struct {
	Until engine.Millis `json:"until,omitempty"`
	Kept  string        `json:"kept,omitempty"`
	Fault string        `json:"fault,omitempty"`
}

// After tells both.
func (g goneOn) After() (said []door.Phrase) {
	if g.Fault != "" {
		return []door.Phrase{door.Say("log.is.copy_failed", "why", g.Fault)}
	}
	if g.Until != 0 {
		said = append(said, door.Say("log.is.copy_until", "time", g.Until))
	}
	if g.Kept != "" {
		said = append(said, door.Say("log.is.copy_kept", "file", g.Kept))
	}
	return said
}

var goneOnKind = door.NewKind[GoneOn](door.Kind{Name: "copy.gone_on", Right: rights.MayBackUp, Guarded: true, Changes: []door.What{door.TopicHall}, Details: door.Keep[goneOn]})

func (g GoneOn) Do(tx *door.Tx) (int, error) {
	on, is := door.About{Name: filepath.Base(g.Done.Copy)}, goneOn{Until: g.Done.Until, Fault: g.Fault}
	if g.Fault != "" {
		tx.Record(door.Entry{On: on, Is: is})
		return 0, nil
	}
	var games []int64
	if err := tx.Raw(`SELECT id FROM games WHERE status = ? ORDER BY id`, game.Running).Scan(&games).Error; err != nil {
		return 0, err
	}
	if g.Done.Kept != "" {
		is.Kept = filepath.Base(g.Done.Kept)
	}
	tx.Record(door.Entry{On: on, Is: is})
	tx.Then(func(ctx context.Context, all *game.Games) error {
		var errs []error
		for _, id := range games {
			var refusal *engine.Refusal
			_, err := all.Submit(ctx, tx.Actor, id, "", engine.PauseClock{Grounds: engine.Grounds{Rule: stoppedBy, Reason: stopped, By: tx.Actor.Name}})
			if err != nil && !errors.As(err, &refusal) { // it stands already, or is over
				errs = append(errs, fmt.Errorf("stop the clock of game %d: %w", id, err))
			}
		}
		return errors.Join(errs...)
	})
	return len(games), nil
}

// LastGoneOn is the newest record of a copy that was gone on with, or could not be.
type LastGoneOn struct {
	At          engine.Millis
	File        string
	Until       engine.Millis
	Kept, Fault string
}

// LastRestore gives it; not ok where there is none.
func LastRestore(ctx context.Context, s *storage.DB) (last LastGoneOn, ok bool, err error) {
	r, ok, err := storage.First[door.Record](s.Read.WithContext(ctx).Where("action = ?", goneOnKind.Name).Order("id DESC"))
	if is, readable := r.Details().(*goneOn); ok && readable {
		last = LastGoneOn{r.At, r.About().Name, is.Until, is.Kept, is.Fault}
	}
	return last, ok, err
}

// Take gives a copy to somebody as a file: it has the tiles of running games and the officials' secrets in it, so it is on record.
type Take struct {
	Folder string `json:"folder,omitempty" doc:"the place of the copy; empty: beside the database"`
	File   string `json:"file" maxLength:"255"`
}

var _ = door.NewKind[Take](door.Kind{Name: "copy.take", Right: rights.MayBackUp, Changes: []door.What{door.TopicHall}})

func (t Take) Do(tx *door.Tx) (Copy, error) {
	c, err := found(tx.Desk, t.Folder, t.File)
	if err == nil {
		tx.Record(door.Entry{On: door.About{Name: t.File}})
	}
	return c, err
}
