package tournament

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/rights"
)

// BackupCopy is a copy that was made of the database, and read through. File is its name without the folder.
type BackupCopy struct {
	ID    int64
	At    engine.Millis
	File  string
	Bytes int64
}

// TableName is backups.
func (BackupCopy) TableName() string { return "backups" }

// Folder is where the database lies.
func (s *Store) Folder() string { return filepath.Dir(s.path) }

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
	name := time.UnixMilli(int64(d.DB.now())).UTC().Format("meldhall-20060102-150405.000.db")
	var err error
	b.made, err = d.DB.copyTo(ctx, filepath.Join(folder, name))
	return b, err
}

func (b BackUpNow) do(tx *Tx) (BackupCopy, error) {
	if tx.preview {
		return b.made, os.Remove(filepath.Join(tx.desk.DB.Folder(), "backups", b.made.File))
	}
	tx.record(entry{on: About{Name: b.made.File}, is: copied{b.made.Bytes}})
	return b.made, tx.Create(&b.made).Error
}

// LastBackup is the newest copy, false when none was made.
func (s *Store) LastBackup(ctx context.Context) (BackupCopy, bool, error) {
	var b BackupCopy
	err := s.Read.WithContext(ctx).Order("id DESC").Take(&b).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return b, false, nil
	}
	return b, err == nil, err
}

// Backup writes a consistent copy of the database to a new file while another process serves it, and checks
// the copy's integrity. A file that is there already is not overwritten. It holds this store's writing
// connection for its time, and no lock of the database but a reader's.
func (s *Store) Backup(ctx context.Context, path string) error {
	made, err := s.copyTo(ctx, path)
	if err != nil {
		return err
	}
	return s.Write.WithContext(ctx).Create(&made).Error
}

func (s *Store) copyTo(ctx context.Context, path string) (made BackupCopy, err error) {
	empty, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return made, fmt.Errorf("back up: %w", err)
	}
	if err := empty.Close(); err != nil {
		return made, err
	}
	if _, err := s.writeSQL.ExecContext(ctx, `VACUUM INTO ?`, path); err != nil {
		return made, fmt.Errorf("back up to %s: %w", path, err)
	}
	written, err := Open(path)
	if err != nil {
		return made, fmt.Errorf("check the copy: %w", err)
	}
	if err := errors.Join(written.CheckIntegrity(ctx), written.Close()); err != nil {
		return made, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return made, err
	}
	return BackupCopy{At: s.now(), File: filepath.Base(path), Bytes: info.Size()}, nil
}

// CheckIntegrity has SQLite read the whole file; an error names the first fault.
func (s *Store) CheckIntegrity(ctx context.Context) error {
	var verdict string
	if err := s.readSQL.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&verdict); err != nil {
		return fmt.Errorf("integrity check: %w", err)
	}
	if verdict != "ok" {
		return fmt.Errorf("integrity check: %s", verdict)
	}
	return nil
}
