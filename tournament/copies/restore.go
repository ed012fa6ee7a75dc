package copies

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Restore continues with a copy: the program replaces the database with it, keeps the old database, and restarts. All
// clocks then stay stopped until an official resumes them.
type Restore struct {
	Folder string `json:"folder,omitempty" doc:"the place of the copy; empty: beside the database"`
	File   string `json:"file" maxLength:"255"`
}

var _ = action.NewKind[Restore](action.Kind{Name: "copy.restore", Right: rights.MayBackUp, Final: true,
	Changes: []action.What{action.TopicHall}})

// Plan checks the copy, so that an unusable one is rejected before anything has changed.
func (r Restore) Plan(ctx context.Context, d *action.Desk, _ rights.Actor) (action.Action, error) {
	if d.Machine.Restore == nil {
		return r, refuse.Conflict("err_copy_no_restore")
	}
	c, err := found(d, r.Folder, r.File)
	if err != nil {
		return r, err
	}
	if _, err := store.CheckCopy(ctx, c.Path(d)); err != nil {
		return r, refuse.Conflict("err_copy_bad", "file", r.File, "why", err.Error())
	}
	return r, nil
}

func (r Restore) Do(tx *action.Tx) (Copy, error) {
	c, err := found(tx.Desk, r.Folder, r.File)
	if err != nil {
		return c, err
	}
	tx.Record(action.Entry{On: action.About{Name: r.File}})
	tx.Then(func(context.Context, *game.Games) error {
		tx.Desk.Machine.Restore(c.Path(tx.Desk), tx.Actor)
		return nil
	})
	return c, nil
}

// GoneOn records in a database that it continues from a copy, and stops the clocks of its games. The program does this
// once its games are restored, on behalf of the official who chose the copy.
type GoneOn struct {
	Done  store.Restored `json:"-"`
	Fault string         `json:"-"` // why the copy was unusable, so that the old database stays in use
}

// stopped is the reason why the clocks are stopped, in the form of canned reasons of rulings. stoppedBy is its article
// of the rules.
const (
	stopped   = "@restored"
	stoppedBy = "8.11"
)

// goneOn is the record of GoneOn: the newest time in the copy, and the old database's file.
type goneOn struct {
	Until engine.Millis `json:"until,omitempty"`
	Kept  string        `json:"kept,omitempty"`
	Fault string        `json:"fault,omitempty"`
}

// After describes the time and the file, or the fault.
func (g goneOn) After() (said []action.Phrase) {
	if g.Fault != "" {
		return []action.Phrase{action.Say("log.is.copy_failed", "why", g.Fault)}
	}
	if g.Until != 0 {
		said = append(said, action.Say("log.is.copy_until", "time", g.Until))
	}
	if g.Kept != "" {
		said = append(said, action.Say("log.is.copy_kept", "file", g.Kept))
	}
	return said
}

var goneOnKind = action.NewKind[GoneOn](action.Kind{Name: "copy.gone_on", Right: rights.MayBackUp, Guarded: true,
	Changes: []action.What{action.TopicHall}, Details: action.Keep[goneOn]})

func (g GoneOn) Do(tx *action.Tx) (int, error) {
	on, is := action.About{Name: filepath.Base(g.Done.Copy)}, goneOn{Until: g.Done.Until, Fault: g.Fault}
	if g.Fault != "" {
		tx.Record(action.Entry{On: on, Is: is})
		return 0, nil
	}
	var games []int64
	if err := tx.Table("games").Where("status = ?", game.Running).Order("id").Pluck("id", &games).Error; err != nil {
		return 0, err
	}
	if g.Done.Kept != "" {
		is.Kept = filepath.Base(g.Done.Kept)
	}
	tx.Record(action.Entry{On: on, Is: is})
	tx.Then(func(ctx context.Context, all *game.Games) error {
		var errs []error
		for _, id := range games {
			var refusal *engine.Refusal
			_, err := all.Submit(ctx, tx.Actor, id, "", engine.PauseClock{Grounds: engine.Grounds{Rule: stoppedBy,
				Reason: stopped, By: tx.Actor.Name}})
			if err != nil && !errors.As(err, &refusal) { // a refusal: the clock is already stopped, or the game is over
				errs = append(errs, fmt.Errorf("stop the clock of game %d: %w", id, err))
			}
		}
		return errors.Join(errs...)
	})
	return len(games), nil
}

// LastGoneOn describes the newest attempt to restore a copy; see GoneOn.
type LastGoneOn struct {
	At          engine.Millis
	File        string
	Until       engine.Millis
	Kept, Fault string
}

// LastRestore returns the newest attempt to restore a copy; ok is false if there is none.
func LastRestore(ctx context.Context, s *store.DB) (last LastGoneOn, ok bool, err error) {
	r, ok, err := store.First[action.Record](s.Read.WithContext(ctx).Where("action = ?",
		goneOnKind.Name).Order("id DESC"))
	if is, readable := r.Details().(*goneOn); ok && readable {
		last = LastGoneOn{r.At, r.About().Name, is.Until, is.Kept, is.Fault}
	}
	return last, ok, err
}

// Take lets an official download a copy. The copy contains the tiles of running games and the officials' secrets, so
// the download is recorded.
type Take struct {
	Folder string `json:"folder,omitempty" doc:"the place of the copy; empty: beside the database"`
	File   string `json:"file" maxLength:"255"`
}

var _ = action.NewKind[Take](action.Kind{Name: "copy.take", Right: rights.MayBackUp,
	Changes: []action.What{action.TopicHall}})

func (t Take) Do(tx *action.Tx) (Copy, error) {
	c, err := found(tx.Desk, t.Folder, t.File)
	if err == nil {
		tx.Record(action.Entry{On: action.About{Name: t.File}})
	}
	return c, err
}
