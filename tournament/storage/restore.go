package storage

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

// Restored is what came of putting a copy in the place of a database. Kept is where the database of before is now, empty where there
// was none; Until is the newest time in the copy.
type Restored struct {
	Copy  string
	Kept  string
	Until engine.Millis
}

// Restore puts a copy in the place of the database file at path, which nobody may own meanwhile. The copy is looked at first, as a
// database is before it is served, and stays where it is; the database of before is kept in the folder backups. After a loss of power
// there is the one or the other, whole. Whoever opens the file next goes on with an older copy, and begins another epoch.
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
	if done.Kept, err = setAside(ctx, path); err != nil {
		return done, fmt.Errorf("keep the previous database: %w", err)
	}
	return done, Settle(part, path)
}

// CheckCopy looks at a copy, of which it changes nothing: a Fault names what is wrong with it. It gives the newest time in it.
func CheckCopy(ctx context.Context, copied string) (until engine.Millis, err error) {
	if info, err := os.Stat(copied); err != nil {
		return 0, err
	} else if !info.Mode().IsRegular() || info.Size() == 0 {
		return 0, Fault(copied + " is not a copy of a database")
	}
	if wal, err := os.Stat(copied + "-wal"); err == nil && wal.Size() > 0 {
		return 0, Fault(copied + " was not closed: " + filepath.Base(copied) + "-wal beside it holds later changes. Open it with this program, or copy it with meldhall backup")
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(copied)}).EscapedPath()+"?mode=ro&immutable=1")
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
		err = Fault(fmt.Sprintf("%s is of version %d, newer than this program's %d: use the newer program", copied, version, newest))
	}
	if err == nil {
		until, err = newestTime(ctx, db)
	}
	if fault, ok := faultIn(err); ok {
		err = fault
	}
	return until, err
}

// apart refuses a copy that is the database itself.
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

// CopyFile copies a file to another one that only its owner may read, in the place of one that is there.
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

// setAside keeps a database that is to be replaced under another name, also one that is damaged. What its log of writes still has is
// brought into it where that can be done, else kept beside it: a log that stayed would be read as that of its successor.
func setAside(ctx context.Context, path string) (kept string, err error) {
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return "", err
	}
	if db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()); err == nil {
		_, _ = db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
		_ = db.Close()
	}
	folder := filepath.Join(filepath.Dir(path), Backups)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) + time.Now().UTC().Format("-before-restore-20060102-150405.000")
	kept = filepath.Join(folder, name+".db")
	for _, beside := range []string{"-wal", "-shm"} {
		if err := os.Rename(path+beside, kept+beside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if os.Link(path, kept) != nil { // else its place is never empty
		err = os.Rename(path, kept)
	}
	for _, names := range []string{folder, filepath.Dir(path)} { // before the copy has its name: its predecessor is kept, and no log is beside it
		syncNames(names)
	}
	return kept, err
}
