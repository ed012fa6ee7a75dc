package copies

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Drill tests a copy as a restore would: it migrates a second copy, reads it page by page and replays all its games
// through the engine. The copy and the database stay unchanged, and the second copy is deleted.
type Drill struct {
	Folder string `json:"folder,omitempty" doc:"the place of the copy; empty: beside the database"`
	File   string `json:"file" maxLength:"255"`

	found Drilled
}

// Drilled is the result of a drill. Fault is the damage in the words of the check that found it, empty for none.
type Drilled struct {
	File   string        `json:"file"`
	Folder string        `json:"folder,omitempty"`
	Until  engine.Millis `json:"until,omitempty" doc:"the newest timestamp in the copy"`
	Events int           `json:"events"`
	Games  int           `json:"games" doc:"games whose logs were verified"`
	Going  int           `json:"going" doc:"number of those that were in progress"`
	Fault  string        `json:"fault,omitempty"`
	Took   int64         `json:"took_ms"`
}

var drillKind = action.NewKind[Drill](action.Kind{Name: "copy.drill", Right: rights.MayBackUp,
	Changes: []action.What{action.TopicHall}, Details: action.Keep[Drilled]})

// After describes the result.
func (f Drilled) After() []action.Phrase {
	if f.Fault != "" {
		return []action.Phrase{action.Say("log.is.copy_bad", "why", f.Fault)}
	}
	return []action.Phrase{action.Say("log.is.copy_good", "events", f.Events, "games", f.Games)}
}

// Plan tests the copy.
func (t Drill) Plan(ctx context.Context, d *action.Desk, _ rights.Actor) (action.Action, error) {
	c, err := found(d, t.Folder, t.File)
	if err != nil {
		return t, err
	}
	began := time.Now()
	t.found = Drilled{File: t.File, Folder: t.Folder}
	if err := t.found.try(ctx, c.Path(d), filepath.Join(d.DB.Folder(), store.Backups)); err != nil {
		if ctx.Err() != nil { // the drill was canceled and says nothing about the copy
			return t, ctx.Err()
		}
		if store.IsFull(err) {
			return t, refused(d.DB.Folder(), err)
		}
		t.found.Fault = faultWords(err)
	}
	t.found.Took = time.Since(began).Milliseconds()
	return t, nil
}

func (t Drill) Do(tx *action.Tx) (Drilled, error) {
	tx.Record(action.Entry{On: action.About{Name: t.File}, Is: t.found})
	return t.found, nil
}

// try checks the copy itself, and then a second copy as the program would after restoring it.
func (f *Drilled) try(ctx context.Context, path, room string) (err error) {
	if f.Until, err = store.CheckCopy(ctx, path); err != nil {
		return err
	}
	if err := os.MkdirAll(room, 0o700); err != nil {
		return err
	}
	room, err = os.MkdirTemp(room, "drill-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(room)) }()
	tried := filepath.Join(room, "tried.db")
	if err := store.CopyFile(path, tried); err != nil {
		return err
	}
	s, err := store.OpenScratch(tried)
	if err != nil {
		return err
	}
	return errors.Join(f.verify(ctx, s), s.Close())
}

func (f *Drilled) verify(ctx context.Context, s *store.DB) error {
	if err := s.CheckWhole(ctx); err != nil {
		return err
	}
	err := s.ReadSQL.QueryRowContext(ctx,
		`SELECT (SELECT count(*) FROM tournaments), (SELECT count(*) FROM games WHERE status = $1)`,
		game.Running).Scan(&f.Events, &f.Going)
	if err != nil {
		return err
	}
	ids, err := export.GameIDs(ctx, s)
	if err != nil {
		return err
	}
	for _, id := range ids {
		g, err := export.OfGame(ctx, s, id)
		if err == nil {
			_, err = export.Verify(g)
		}
		if err != nil {
			return fmt.Errorf("game %d: %w", id, err)
		}
		f.Games++
	}
	return nil
}

// faultWords describes a copy's fault in words for officials, to whom the key of a refusal means nothing.
func faultWords(err error) string {
	var refused *refuse.Error
	if !errors.As(err, &refused) {
		return err.Error()
	}
	return strings.Replace(err.Error(), refused.Error(), "the copy lacks something that it belongs to", 1)
}

// Bad reports whether the copy cannot be used.
func (f Drilled) Bad() bool { return f.Fault != "" }

// Tried is an earlier drill, with its time.
type Tried struct {
	At engine.Millis
	Drilled
}

// Drills returns the last drill of each copy, by place and name, among the newest drillsShown drills.
func Drills(ctx context.Context, s *store.DB) (map[[2]string]Tried, error) {
	records, err := store.All[action.Record](s.Read.WithContext(ctx).Where("action = ?",
		drillKind.Name).Order("id DESC").Limit(drillsShown))
	last := map[[2]string]Tried{}
	for _, r := range records {
		f, ok := r.Details().(*Drilled)
		if !ok {
			continue
		}
		if at := [2]string{f.Folder, f.File}; last[at].At == 0 {
			last[at] = Tried{r.At, *f}
		}
	}
	return last, err
}

const drillsShown = 100
