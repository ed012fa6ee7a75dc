package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"meldhall/engine"
)

// BackupCopy describes a copy of the database that was written and then read in full to check it. File is its name
// without the folder.
type BackupCopy struct {
	ID    int64         `json:"-"`
	At    engine.Millis `json:"at"`
	File  string        `json:"file"`
	Bytes int64         `json:"bytes"`
	// Folder is where the copy is, empty for the folder backups beside the database.
	Folder string `json:"folder,omitempty" doc:"its folder; empty: the folder backups beside the database"`
}

// Backups is the name of the folder of copies beside the database.
const Backups = "backups"

// TableName returns the database table of copies.
func (BackupCopy) TableName() string { return "backups" }

// File returns the path of the database file.
func (s *DB) File() string { return s.path }

// FolderOf returns the Folder of a database that is not open.
func FolderOf(name string) string {
	if !IsServer(name) {
		return filepath.Dir(name)
	}
	if at, err := serverAt(name); err == nil {
		return at.folder
	}
	return "."
}

// Bytes returns the size of the database and, for a file, of its write-ahead log. A size that cannot be read is 0.
func (s *DB) Bytes() (data, log int64) {
	if s.server != nil {
		_ = s.ReadSQL.QueryRow(`SELECT pg_database_size(current_database())`).Scan(&data)
		return data, 0
	}
	for size, file := range map[*int64]string{&data: s.path, &log: s.path + "-wal"} {
		if info, err := os.Stat(file); err == nil {
			*size = info.Size()
		}
	}
	return data, log
}

// Folder returns the folder of the database file or, for a database on a server, the folder of this program's own files
// for it.
func (s *DB) Folder() string {
	if s.server != nil {
		return s.server.folder
	}
	return filepath.Dir(s.path)
}

// Name returns the name of the database file without its extension, or the database's name on a server. Copies are
// named after it.
func (s *DB) Name() string {
	if s.server != nil {
		return filepath.Base(s.server.config.Database)
	}
	return strings.TrimSuffix(filepath.Base(s.path), filepath.Ext(s.path))
}

// LastBackup returns the newest copy, or false if there is none.
func (s *DB) LastBackup(ctx context.Context) (BackupCopy, bool, error) {
	return First[BackupCopy](s.Read.WithContext(ctx).Order("id DESC"))
}

// Backup writes a consistent copy of the database to a new file while another process serves it, and checks the copy's
// integrity. It does not overwrite an existing file. It takes only a reader's lock on the database.
func (s *DB) Backup(ctx context.Context, path string) error {
	made, err := s.CopyTo(ctx, path)
	if err != nil {
		return err
	}
	return s.Write.WithContext(ctx).Create(&made).Error
}

// CopyBeside is like CopyTo for a new file in the folder backups beside the database, with the time in its name.
func (s *DB) CopyBeside(ctx context.Context) (BackupCopy, error) { return s.CopyIn(ctx, "", "") }

// CopyIn is like CopyTo for a new file in a folder, with the time in its name. It creates the folder if necessary; ""
// stands for the folder backups beside the database. In the file's name, mark follows the database's name.
func (s *DB) CopyIn(ctx context.Context, folder, mark string) (made BackupCopy, err error) {
	at := s.FolderOf(folder)
	if err := os.MkdirAll(at, 0o700); err != nil {
		return BackupCopy{}, fmt.Errorf("back up: %w", err)
	}
	removeCutOff(at, ".db")
	name := s.Name() + mark + time.UnixMilli(int64(s.Millis())).UTC().Format("-20060102-150405.000")
	for again := 2; ; again++ {
		made, err := s.CopyTo(ctx, filepath.Join(at, name+".db"))
		if made.Folder = folder; !errors.Is(err, fs.ErrExist) {
			return made, err
		}
		name = fmt.Sprintf("%s-%d", strings.TrimSuffix(name, fmt.Sprintf("-%d", again-1)), again)
	}
}

// FolderOf returns the path of a copy's folder; "" stands for the folder backups beside the database.
func (s *DB) FolderOf(folder string) string {
	if folder == "" {
		return filepath.Join(s.Folder(), Backups)
	}
	return folder
}

// vacuumInto writes the copy over a connection of its own, so that the writing connection stays free and no move waits.
func (s *DB) vacuumInto(ctx context.Context, path string) error {
	_, reader, err := connectSQLite("file:"+(&url.URL{Path: filepath.ToSlash(s.path)}).EscapedPath()+"?mode=ro&_pragma=busy_timeout(5000)", 1)
	if err != nil {
		return err
	}
	_, err = reader.ExecContext(ctx, `VACUUM INTO $1`, path)
	return errors.Join(err, reader.Close())
}

// CopyTo writes a consistent copy of the database to a new file, reads the copy in full and syncs it to the disk. Only
// then does the file get its name. CopyTo does not record that the copy was made.
func (s *DB) CopyTo(ctx context.Context, path string) (made BackupCopy, err error) {
	if _, err := os.Lstat(path); err == nil {
		return made, fmt.Errorf("back up: %w", &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist})
	}
	part := path + unfinished
	empty, err := os.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return made, fmt.Errorf("back up: %w", err)
	}
	if err := empty.Close(); err != nil {
		return made, err
	}
	defer func() {
		if err != nil { // an incomplete copy takes up space
			err = errors.Join(err, removeAll(part, part+"-wal", part+"-shm", part+".lock"))
		}
	}()
	err = s.copyTo(ctx, part)
	if err == nil {
		err = errors.Join(Settle(part, path), removeAll(part+".lock"))
	}
	if err != nil {
		return made, fmt.Errorf("back up to %s: %w", path, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return made, err
	}
	return BackupCopy{At: s.Millis(), File: filepath.Base(path), Bytes: info.Size()}, nil
}

// copyTo writes the copy to an empty file and checks it. The copy of a server's database is also a SQLite file.
func (s *DB) copyTo(ctx context.Context, path string) error {
	if s.server == nil {
		if err := s.vacuumInto(ctx, path); err != nil {
			return err
		}
	}
	written, err := Open(path)
	if err != nil {
		return fmt.Errorf("check the copy: %w", err)
	}
	if s.server != nil {
		_, err = s.CarryTo(ctx, written)
	} else {
		// a program that continues from it starts a new epoch
		err = written.Write.WithContext(ctx).Create(&Epoch{Began: s.Millis()}).Error
	}
	return errors.Join(err, written.CheckIntegrity(ctx), written.Close())
}
