package storage

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// Owner is the running program that has a database file for itself.
type Owner struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
}

// InUseError refuses a database file that another running program has for itself.
type InUseError struct {
	Path  string
	Owner Owner // zero where the owner could not write who it is
}

// Error says who has the file, and what to do.
func (e *InUseError) Error() string {
	who := "another program has it"
	if e.Owner.PID != 0 {
		who = fmt.Sprintf("process %d on %s has had it since %s", e.Owner.PID, e.Owner.Host, e.Owner.Since.Local().Format("2006-01-02 15:04:05 MST"))
	}
	return "the database " + e.Path + " is in use: " + who + ". Stop that one first, or name another file. Nothing was changed."
}

// errLocked tells that another process has the lock.
var errLocked = errors.New("locked")

// errNoLocks tells that the file system knows none.
var errNoLocks = errors.New("no locks here")

// own makes this process the owner of the database file at path until what it returns is closed or the process ends, in whatever
// way: the system holds the lock, and the text beside the database only says whose it is. The file of the lock stays: one that
// is removed could be locked by two.
func own(path string) (*os.File, error) {
	path, err := filepath.EvalSymlinks(path) // a file has one owner, by whatever name
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := lock(f); errors.Is(err, errNoLocks) {
		slog.Warn("this file system knows no locks: see that no second program runs on the database", "file", path)
	} else if err != nil {
		defer f.Close()
		if !errors.Is(err, errLocked) {
			return nil, fmt.Errorf("lock %s: %w", f.Name(), err)
		}
		inUse := &InUseError{Path: path}
		if text, err := os.ReadFile(f.Name()); err == nil {
			_ = json.Unmarshal(text, &inUse.Owner) // what is not written whole names nobody
		}
		return nil, inUse
	}
	me := Owner{PID: os.Getpid(), Since: time.Now()}
	me.Host, _ = os.Hostname()
	text, err := json.Marshal(me)
	if err == nil {
		err = f.Truncate(0)
	}
	if err == nil {
		_, _ = f.WriteAt(text, 0) // a full disk leaves the owner without a name, and the lock in force
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
