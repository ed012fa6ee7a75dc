package storage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
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
	Path   string
	Server bool  // it is no file
	Owner  Owner // zero where the owner could not write who it is
}

// Error says who has the file, and what to do.
func (e *InUseError) Error() string {
	who := "another program has it"
	if e.Owner.PID != 0 {
		who = fmt.Sprintf("process %d on %s has had it since %s", e.Owner.PID, e.Owner.Host, e.Owner.Since.Local().Format("2006-01-02 15:04:05 MST"))
	}
	other := "file"
	if e.Server {
		other = "database, or start all of them with --nats"
	}
	return "the database " + e.Path + " is in use: " + who + ". Stop that one first, or name another " + other + ". Nothing was changed."
}

// errLocked tells that another process has the lock.
var errLocked = errors.New("locked")

// errNoLocks tells that the file system knows none.
var errNoLocks = errors.New("no locks here")

// ownership is the lock of a database's file, and what its file says.
type ownership struct {
	file *os.File
	mu   sync.Mutex // while a program stops, both its heartbeat and its end note something
	sign
}

// sign is what the file of a lock says: whose the database is, and how far it was served.
type sign struct {
	Owner
	Served served `json:"served,omitzero"`
}

// signBytes is how long the file of a lock is: it is written over as a whole, with blanks behind, and takes no more room of a full
// disk.
const signBytes = 512

// own makes this process the owner of the database file at path until what it returns is closed or the process ends, in whatever
// way: the system holds the lock, and the text beside the database only says whose it is, and how far the database was served. The
// file of the lock stays: one that is removed could be locked by two.
func own(path string) (*ownership, error) {
	path, err := filepath.EvalSymlinks(path) // a file has one owner, by whatever name
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	// Older programs left the file readable. An error is ignored: another user may own the file, or the system has no
	// modes.
	_ = f.Chmod(0o600)
	held := lock(f)
	o := &ownership{file: f}
	text, _ := io.ReadAll(io.LimitReader(f, 2*signBytes))
	_ = json.Unmarshal(text, &o.sign) // what is not written whole names nobody
	switch {
	case errors.Is(held, errNoLocks):
		slog.Warn("this file system has no file locks: make sure that no second program runs on the database", "file", path)
	case errors.Is(held, errLocked):
		return nil, errors.Join(&InUseError{Path: path, Owner: o.Owner}, f.Close())
	case held != nil:
		return nil, errors.Join(fmt.Errorf("lock %s: %w", f.Name(), held), f.Close())
	}
	o.Owner = Owner{PID: os.Getpid(), Since: time.Now()}
	o.Host, _ = os.Hostname()
	_ = o.write() // a full disk leaves the owner without a name, and the lock in force
	return o, nil
}

// close releases the lock and closes its file. Closing alone would keep the lock while a forked process has the file
// open.
func (o *ownership) close() error {
	return errors.Join(unlock(o.file), o.file.Close())
}

// note keeps how far the database was served.
func (o *ownership) note(now served) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.Served = now
	return o.write()
}

func (o *ownership) write() error {
	text, err := json.Marshal(o.sign)
	if err != nil {
		return err
	}
	_, err = o.file.WriteAt(append(text, bytes.Repeat([]byte{' '}, max(1, signBytes-len(text)))...), 0)
	return err
}
