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
	"meldhall/tournament/door"
	"meldhall/tournament/export"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// Drill tries a copy as a restore would: a second copy of it is brought up to this program's tables, read page by page, and all its games
// are decided again. The copy and the database stay untouched, and what was tried is thrown away.
type Drill struct {
	Folder string `json:"folder,omitempty" doc:"the place of the copy; empty: beside the database"`
	File   string `json:"file" maxLength:"255"`

	found Drilled
}

// Drilled is what a drill has found. Fault is what is wrong in the words of what found it, empty for nothing.
type Drilled struct {
	File   string        `json:"file"`
	Folder string        `json:"folder,omitempty"`
	Until  engine.Millis `json:"until,omitempty" doc:"the newest time in it"`
	Events int           `json:"events"`
	Games  int           `json:"games" doc:"whose logs were verified"`
	Going  int           `json:"going" doc:"of them, games that were being played"`
	Fault  string        `json:"fault,omitempty"`
	Took   int64         `json:"took_ms"`
}

var drillKind = door.NewKind[Drill](door.Kind{Name: "copy.drill", Right: rights.MayBackUp, Changes: []door.What{door.TopicHall}, Details: door.Keep[Drilled]})

// After tells what was found.
func (f Drilled) After() []door.Phrase {
	if f.Fault != "" {
		return []door.Phrase{door.Say("log.is.copy_bad", "why", f.Fault)}
	}
	return []door.Phrase{door.Say("log.is.copy_good", "events", f.Events, "games", f.Games)}
}

// Plan tries the copy.
func (t Drill) Plan(ctx context.Context, d *door.Desk, _ rights.Actor) (door.Action, error) {
	c, err := found(d, t.Folder, t.File)
	if err != nil {
		return t, err
	}
	began := time.Now()
	t.found = Drilled{File: t.File, Folder: t.Folder}
	if err := t.found.try(ctx, c.Path(d), filepath.Join(d.DB.Folder(), storage.Backups)); err != nil {
		if ctx.Err() != nil { // the drill was cut short and says nothing about the copy
			return t, ctx.Err()
		}
		if storage.IsFull(err) {
			return t, refused(d.DB.Folder(), err)
		}
		t.found.Fault = faultWords(err)
	}
	t.found.Took = time.Since(began).Milliseconds()
	return t, nil
}

func (t Drill) Do(tx *door.Tx) (Drilled, error) {
	tx.Record(door.Entry{On: door.About{Name: t.File}, Is: t.found})
	return t.found, nil
}

// try looks at the copy itself, then goes through a copy of it as the program would that went on with it.
func (f *Drilled) try(ctx context.Context, path, room string) (err error) {
	if f.Until, err = storage.CheckCopy(ctx, path); err != nil {
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
	if err := storage.CopyFile(path, tried); err != nil {
		return err
	}
	s, err := storage.OpenScratch(tried)
	if err != nil {
		return err
	}
	return errors.Join(f.verify(ctx, s), s.Close())
}

func (f *Drilled) verify(ctx context.Context, s *storage.DB) error {
	if err := s.CheckWhole(ctx); err != nil {
		return err
	}
	err := s.ReadSQL.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM tournaments), (SELECT count(*) FROM games WHERE status = ?)`, game.Running).Scan(&f.Events, &f.Going)
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

// faultWords describes a copy's fault in words. Officials read it, and the key of a refusal means nothing to them.
func faultWords(err error) string {
	var refused *refuse.Error
	if !errors.As(err, &refused) {
		return err.Error()
	}
	return strings.Replace(err.Error(), refused.Error(), "the copy lacks something that it belongs to", 1)
}

// Bad reports whether the copy cannot be used.
func (f Drilled) Bad() bool { return f.Fault != "" }

// Tried is a drill of the past.
type Tried struct {
	At engine.Millis
	Drilled
}

// Drills are the last drills of copies, by place and name.
func Drills(ctx context.Context, s *storage.DB) (map[[2]string]Tried, error) {
	records, err := storage.All[door.Record](s.Read.WithContext(ctx).Where("action = ?", drillKind.Name).Order("id DESC").Limit(drillsShown))
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
