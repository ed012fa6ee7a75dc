// Package copies is how the database is kept elsewhere: copies by hand and by themselves, what they hold, and the way back to one.
package copies

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// BackUpNow copies the database to a place, the folder backups beside it where none is named, and checks the copy.
type BackUpNow struct {
	Folder string `json:"folder,omitempty" query:"folder" doc:"a place of the copies; without one the folder backups beside the database"`

	made storage.BackupCopy
}

var _ = door.NewKind[BackUpNow](door.Kind{Name: "backup", Right: rights.MayBackUp, Changes: []door.What{door.TopicHall}, Details: door.Keep[copied]})

// copied is what a record of a copy keeps.
type copied struct {
	Bytes  int64  `json:"bytes"`
	Folder string `json:"folder,omitempty"`
}

// After tells how large the copy is, and where it went.
func (c copied) After() []door.Phrase {
	said := []door.Phrase{door.Say("log.is.bytes", "n", c.Bytes)}
	if c.Folder != "" {
		said = append(said, door.Tell(c.Folder))
	}
	return said
}

// Plan makes the copy.
func (b BackUpNow) Plan(ctx context.Context, d *door.Desk, _ rights.Actor) (door.Action, error) {
	place, err := placeOf(d, b.Folder)
	if err != nil {
		return b, err
	}
	b.made, err = d.DB.CopyIn(ctx, place.Folder, "")
	return b, refused(place.Root, err)
}

func (b BackUpNow) Do(tx *door.Tx) (storage.BackupCopy, error) {
	if tx.Preview {
		return b.made, os.Remove(Copy{Folder: b.Folder, File: b.made.File}.Path(tx.Desk))
	}
	tx.Record(door.Entry{On: door.About{Name: b.made.File}, Is: copied{b.made.Bytes, b.made.Folder}})
	return b.made, tx.Create(&b.made).Error
}

// refused says for people why a place takes no copy: a *refuse.Error.
func refused(root string, err error) error {
	switch {
	case err == nil:
		return nil
	case storage.IsFull(err):
		return refuse.Conflict("err_copy_full", "folder", root)
	case errors.Is(err, fs.ErrPermission) || storage.IsLocked(err):
		return refuse.Conflict("err_copy_locked", "folder", root)
	}
	var other *refuse.Error
	if errors.As(err, &other) {
		return err
	}
	return refuse.Conflict("err_copy_failed", "folder", root, "why", err.Error())
}
