package tournament

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"meldhall/tournament/rights"
)

// BackUpNow copies the database into the folder backups beside it, and checks the copy.
type BackUpNow struct {
	made BackupCopy
}

var backupKind = action[BackUpNow, BackupCopy](ActionKind{Name: "backup", Right: rights.MayBackUp, Changes: []What{TopicHall},
	details: func() Details { return &copied{} }})

func (BackUpNow) kind() *ActionKind { return backupKind }

// copied is what a record of a copy keeps.
type copied struct {
	Bytes int64 `json:"bytes"`
}

// Before says nothing.
func (copied) Before() []Phrase { return nil }

// After tells how large the copy is.
func (c copied) After() []Phrase { return []Phrase{Say("log.is.bytes", "n", c.Bytes)} }

// plan makes the copy.
func (b BackUpNow) plan(ctx context.Context, d *Desk, _ rights.Actor) (Action, error) {
	folder := filepath.Join(d.DB.Folder(), "backups")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("back up: %w", err)
	}
	name := time.UnixMilli(int64(d.DB.Millis())).UTC().Format("meldhall-20060102-150405.000.db")
	var err error
	b.made, err = d.DB.CopyTo(ctx, filepath.Join(folder, name))
	return b, err
}

func (b BackUpNow) do(tx *Tx) (BackupCopy, error) {
	if tx.preview {
		return b.made, os.Remove(filepath.Join(tx.desk.DB.Folder(), "backups", b.made.File))
	}
	tx.record(entry{on: About{Name: b.made.File}, is: copied{b.made.Bytes}})
	return b.made, tx.Create(&b.made).Error
}
