package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"meldhall/engine"
)

// BackupCopy is a copy that was made of the database, and read through. File is its name without the folder.
type BackupCopy struct {
	ID    int64         `json:"-"`
	At    engine.Millis `json:"at"`
	File  string        `json:"file" doc:"in the folder backups beside the database"`
	Bytes int64         `json:"bytes"`
}

// Backups is the folder of the copies, beside the database.
const Backups = "backups"

// TableName is backups.
func (BackupCopy) TableName() string { return "backups" }

// File is where the database lies.
func (s *DB) File() string { return s.path }

// Folder is where its file is.
func (s *DB) Folder() string { return filepath.Dir(s.path) }

// Name is the database's file without its ending: copies are named after it.
func (s *DB) Name() string { return strings.TrimSuffix(filepath.Base(s.path), filepath.Ext(s.path)) }

// LastBackup is the newest copy, false when none was made.
func (s *DB) LastBackup(ctx context.Context) (BackupCopy, bool, error) {
	return First[BackupCopy](s.Read.WithContext(ctx).Order("id DESC"))
}

// Backup writes a consistent copy of the database to a new file while another process serves it, and checks
// the copy's integrity. A file that is there already is not overwritten. It holds this store's writing
// connection for its time, and no lock of the database but a reader's.
func (s *DB) Backup(ctx context.Context, path string) error {
	made, err := s.CopyTo(ctx, path)
	if err != nil {
		return err
	}
	return s.Write.WithContext(ctx).Create(&made).Error
}

// CopyBeside is CopyTo the folder backups beside the database, under a name that says when.
func (s *DB) CopyBeside(ctx context.Context) (BackupCopy, error) {
	folder := filepath.Join(s.Folder(), Backups)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return BackupCopy{}, fmt.Errorf("back up: %w", err)
	}
	name := s.Name() + time.UnixMilli(int64(s.Millis())).UTC().Format("-20060102-150405.000")
	for again := 2; ; again++ {
		made, err := s.CopyTo(ctx, filepath.Join(folder, name+".db"))
		if !errors.Is(err, fs.ErrExist) {
			return made, err
		}
		name = fmt.Sprintf("%s-%d", strings.TrimSuffix(name, fmt.Sprintf("-%d", again-1)), again)
	}
}

// CopyTo writes a consistent copy of the database to a new file, and reads it through; that it was made is not kept.
func (s *DB) CopyTo(ctx context.Context, path string) (made BackupCopy, err error) {
	empty, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return made, fmt.Errorf("back up: %w", err)
	}
	if err := empty.Close(); err != nil {
		return made, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(path)) // half a copy must not be taken for one
		}
	}()
	if _, err := s.WriteSQL.ExecContext(ctx, `VACUUM INTO ?`, path); err != nil {
		return made, fmt.Errorf("back up to %s: %w", path, err)
	}
	written, err := Open(path)
	if err != nil {
		return made, fmt.Errorf("check the copy: %w", err)
	}
	another := written.Write.WithContext(ctx).Create(&Epoch{Began: s.Millis()}).Error // whoever goes on with it does so in a life of its own
	if err := errors.Join(another, written.CheckIntegrity(ctx), written.Close()); err != nil {
		return made, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return made, err
	}
	return BackupCopy{At: s.Millis(), File: filepath.Base(path), Bytes: info.Size()}, nil
}
