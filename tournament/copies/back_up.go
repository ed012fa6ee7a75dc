// Package copies is how the database is kept elsewhere.
package copies

import (
	"context"
	"os"
	"path/filepath"

	"meldhall/tournament/door"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// BackUpNow copies the database into the folder backups beside it, and checks the copy.
type BackUpNow struct {
	made storage.BackupCopy
}

var _ = door.NewKind[BackUpNow](door.Kind{Name: "backup", Right: rights.MayBackUp, Changes: []door.What{door.TopicHall}, Details: door.Keep[copied]})

// copied is what a record of a copy keeps.
type copied struct {
	Bytes int64 `json:"bytes"`
}

// After tells how large the copy is.
func (c copied) After() []door.Phrase { return []door.Phrase{door.Say("log.is.bytes", "n", c.Bytes)} }

// Plan makes the copy.
func (b BackUpNow) Plan(ctx context.Context, d *door.Desk, _ rights.Actor) (door.Action, error) {
	var err error
	b.made, err = d.DB.CopyBeside(ctx)
	return b, err
}

func (b BackUpNow) Do(tx *door.Tx) (storage.BackupCopy, error) {
	if tx.Preview {
		return b.made, os.Remove(filepath.Join(tx.Desk.DB.Folder(), storage.Backups, b.made.File))
	}
	tx.Record(door.Entry{On: door.About{Name: b.made.File}, Is: copied{b.made.Bytes}})
	return b.made, tx.Create(&b.made).Error
}
