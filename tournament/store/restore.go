package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"meldhall/engine"
)

// Restored is the result of replacing a database with a copy. Kept is where the previous database is now, empty if
// there was none. Until is the newest time in the copy.
type Restored struct {
	Copy  string
	Kept  string
	Until engine.Millis
}

// Restore replaces the database file at path with a copy. No program may own the database meanwhile. Restore checks the
// copy as thoroughly as a database that is about to be served, and leaves the copy where it is. The previous database
// is kept in the folder backups. A loss of power leaves either the old or the new file, complete. The program that
// opens the file next starts a new epoch.
func Restore(ctx context.Context, copied, path string) (done Restored, err error) {
	done.Copy = copied
	if done.Until, err = CheckCopy(ctx, copied); err != nil {
		return done, err
	}
	if err := touch(path); err != nil {
		return done, err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return done, err
	}
	if err := apart(copied, path); err != nil {
		return done, err
	}
	held, err := own(path)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, held.close()) }()
	part := path + unfinished
	defer func() { err = errors.Join(err, removeAll(part)) }()
	if err := CopyFile(copied, part); err != nil {
		return done, fmt.Errorf("restore %s: %w", copied, err)
	}
	if done.Kept, err = setAside(ctx, path, "-before-restore"); err != nil {
		return done, fmt.Errorf("keep the previous database: %w", err)
	}
	return done, Settle(part, path)
}

// CheckCopy checks a copy without changing it and returns the newest time in it. A Fault names the problem with the
// copy.
func CheckCopy(ctx context.Context, copied string) (until engine.Millis, err error) {
	if info, err := os.Stat(copied); err != nil {
		return 0, err
	} else if !info.Mode().IsRegular() || info.Size() == 0 {
		return 0, Fault(copied + " is not a copy of a database")
	}
	if wal, err := os.Stat(copied + "-wal"); err == nil && wal.Size() > 0 {
		return 0, Fault(copied + " was not closed: " + filepath.Base(copied) +
			"-wal beside it holds later changes. Open it with this program, or copy it with meldhall backup")
	}
	db, err := sql.Open("sqlite",
		"file:"+(&url.URL{Path: filepath.ToSlash(copied)}).EscapedPath()+"?mode=ro&immutable=1")
	if err != nil {
		return 0, err
	}
	defer db.Close()
	err = check(ctx, db, "integrity_check")
	if err == nil {
		err = checkSchema(ctx, db)
	}
	var version, newest int64
	if err == nil {
		err = db.QueryRowContext(ctx, `SELECT max(version_id) FROM goose_db_version WHERE is_applied`).Scan(&version)
	}
	if err == nil {
		newest, err = SchemaVersion()
	}
	if err == nil && version > newest {
		err = Fault(fmt.Sprintf("%s has schema version %d, newer than this program's %d: use the newer program", copied,
			version, newest))
	}
	if err == nil {
		until, err = newestTime(ctx, db)
	}
	if fault, ok := faultIn(err); ok {
		err = fault
	}
	return until, err
}

// apart returns an error if the copy is the database file itself.
func apart(copied, path string) error {
	a, err := os.Stat(copied)
	if err != nil {
		return err
	}
	b, err := os.Stat(path)
	if err == nil && os.SameFile(a, b) {
		err = fmt.Errorf("%s is the database itself", copied)
	}
	return err
}

// CopyFile copies a file. The new file is readable only by its owner and replaces an existing one.
func CopyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// setAside keeps a database that is to be replaced, damaged or not, under another name. It merges the contents of the
// write-ahead log into the database if possible; otherwise it keeps the log beside it. A log left in place would be
// applied to the new file. mark becomes part of the name. kept is empty if there was no database.
func setAside(ctx context.Context, path, mark string) (kept string, err error) {
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return "", err
	}
	_ = emptyLog(ctx, path) // a damaged database has to be kept, too
	folder := filepath.Join(filepath.Dir(path), Backups)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) +
		mark + time.Now().UTC().Format("-20060102-150405.000")
	kept = filepath.Join(folder, name+".db")
	for _, beside := range []string{"-wal", "-shm"} {
		if err := os.Rename(path+beside, kept+beside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if os.Link(path, kept) != nil { // a link leaves no moment without a file at path
		err = os.Rename(path, kept)
	}
	// the old file must be safe, without a log, before the copy's rename
	for _, names := range []string{folder, filepath.Dir(path)} {
		syncNames(names)
	}
	return kept, err
}

// emptyLog moves the contents of the write-ahead log into the database file.
func emptyLog(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath())
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return errors.Join(err, db.Close())
}
