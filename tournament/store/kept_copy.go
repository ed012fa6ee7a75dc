package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// KeptCopy is a copy of a database file that no program served when the copy was made.
type KeptCopy struct {
	Path string // of the copy

	of   string // the path of the database
	then served // what the lock file recorded
}

// Unserved returns an InUseError if a program serves the database file at path.
func Unserved(path string) error {
	held, err := own(path)
	if err != nil {
		return err
	}
	return held.close()
}

// KeepCopy copies a database file to the folder backups beside it, with mark in the copy's name. It returns an
// InUseError if a program serves the database: the copy has everything that was ever committed. Its owner is that of
// the database.
func KeepCopy(ctx context.Context, path, mark string) (c KeptCopy, err error) {
	held, err := own(path)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, held.close()) }()
	c.then = held.Served
	if c.of, err = filepath.EvalSymlinks(path); err != nil {
		return c, err
	}
	if log, err := os.Stat(c.of + "-wal"); err == nil && log.Size() > 0 { // the program was killed
		if err := emptyLog(ctx, c.of); err != nil {
			return c, fmt.Errorf("close the database: %w", err)
		}
	}
	original, err := os.Stat(c.of)
	if err != nil {
		return c, err
	}
	folder := filepath.Join(filepath.Dir(c.of), Backups)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return c, err
	}
	name := strings.TrimSuffix(filepath.Base(c.of), filepath.Ext(c.of)) + mark
	c.Path = filepath.Join(folder, name+time.Now().UTC().Format("-20060102-150405.000")+".db")
	if err := copySettled(c.of, c.Path, original); err != nil {
		return c, fmt.Errorf("copy the database: %w", err)
	}
	sameOwner(original, folder)
	return c, nil
}

// PutBack replaces the database with the copy. No program may serve it meanwhile. The next one continues in the epoch
// of the copy, as if nothing had been written since. The replaced file is kept in the folder backups.
func (c KeptCopy) PutBack(ctx context.Context) (kept string, err error) {
	held, err := own(c.of)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, held.close()) }()
	original, err := os.Stat(c.of)
	if err != nil {
		return "", err
	}
	if kept, err = setAside(ctx, c.of, "-of-update"); err != nil {
		return kept, err
	}
	if err := copySettled(c.Path, c.of, original); err != nil {
		return kept, err
	}
	return kept, held.note(c.then)
}

// copySettled copies a file, which gets its name only when it is complete and on the disk, and an owner.
func copySettled(from, to string, owner os.FileInfo) error {
	part := to + unfinished
	err := CopyFile(from, part)
	if err == nil {
		sameOwner(owner, part)
		err = Settle(part, to)
	}
	if err != nil {
		err = errors.Join(err, removeAll(part))
	}
	return err
}
