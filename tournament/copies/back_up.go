// Package copies manages copies of the database: manual and automatic ones, checking their contents, and restoring one.
package copies

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// BackUpNow copies the database to a place, by default the folder backups beside it, and checks the copy.
type BackUpNow struct {
	Folder string `json:"folder,omitempty" query:"folder" doc:"a copy location; empty: the folder backups beside the database"`

	made store.BackupCopy
}

var _ = action.NewKind[BackUpNow](action.Kind{Name: "backup", Right: rights.MayBackUp,
	Changes: []action.What{action.TopicHall}, Details: action.Keep[copied]})

// copied is the record of a copy.
type copied struct {
	Bytes  int64  `json:"bytes"`
	Folder string `json:"folder,omitempty"`
}

// After describes the size of the copy and its folder.
func (c copied) After() []action.Phrase {
	said := []action.Phrase{action.Say("log.is.bytes", "n", c.Bytes)}
	if c.Folder != "" {
		said = append(said, action.Tell(c.Folder))
	}
	return said
}

// Plan makes the copy.
func (b BackUpNow) Plan(ctx context.Context, d *action.Desk, _ rights.Actor) (action.Action, error) {
	place, err := placeOf(d, b.Folder)
	if err != nil {
		return b, err
	}
	b.made, err = d.DB.CopyIn(ctx, place.Folder, "")
	return b, refused(place.Root, err)
}

func (b BackUpNow) Do(tx *action.Tx) (store.BackupCopy, error) {
	if tx.Preview {
		return b.made, os.Remove(Copy{Folder: b.Folder, File: b.made.File}.Path(tx.Desk))
	}
	tx.Record(action.Entry{On: action.About{Name: b.made.File}, Is: copied{b.made.Bytes, b.made.Folder}})
	return b.made, tx.Create(&b.made).Error
}

// refused returns the error of a copy as a *refuse.Error that says why the place at root takes no copy.
func refused(root string, err error) error {
	switch {
	case err == nil:
		return nil
	case store.IsFull(err):
		return refuse.Conflict("err_copy_full", "folder", root)
	case errors.Is(err, fs.ErrPermission) || store.IsLocked(err):
		return refuse.Conflict("err_copy_locked", "folder", root)
	}
	var other *refuse.Error
	if errors.As(err, &other) {
		return err
	}
	return refuse.Conflict("err_copy_failed", "folder", root, "why", err.Error())
}
