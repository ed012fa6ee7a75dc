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

// BackUpNow copies the database into the folder backups beside it, and checks the copy; for organizers.
func (s *Store) BackUpNow(ctx context.Context, actor rights.Actor) (BackupCopy, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayBackUp); err != nil {
		return BackupCopy{}, err
	}
	folder := filepath.Join(s.Folder(), "backups")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return BackupCopy{}, fmt.Errorf("back up: %w", err)
	}
	name := time.UnixMilli(int64(s.now())).UTC().Format("meldhall-20060102-150405.000.db")
	if err := s.Backup(ctx, filepath.Join(folder, name)); err != nil {
		return BackupCopy{}, err
	}
	made, _, err := s.LastBackup(ctx)
	if err != nil {
		return made, err
	}
	return made, s.Tx(ctx, func(tx *gorm.DB) error {
		return s.audit(tx, actor, change{action: "backup", subject: made.File, after: fmt.Sprintf("%d bytes", made.Bytes)})
	})
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

func (s *Store) noteBackup(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return s.Write.WithContext(ctx).Create(&BackupCopy{At: s.now(), File: filepath.Base(path), Bytes: info.Size()}).Error
}
