package store

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

// Owner is the running program that has a database to itself.
type Owner struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
}

// InUseError rejects a database that another running program has to itself.
type InUseError struct {
	Path   string
	Server bool  // a database on a server, not a file
	Owner  Owner // zero if the owner could not record who it is
}

// Error says which program has the database, and what to do.
func (e *InUseError) Error() string {
	who := "another program uses it"
	if e.Owner.PID != 0 {
		who = fmt.Sprintf("process %d on %s has used it since %s", e.Owner.PID, e.Owner.Host,
			e.Owner.Since.Local().Format("2006-01-02 15:04:05 MST"))
	}
	other := "file"
	if e.Server {
		other = "database, or start all of them with --nats"
	}
	return "the database " + e.Path + " is in use: " + who + ". Stop that one first, or name another " + other +
		". Nothing was changed."
}

// errLocked means that another process holds the lock.
var errLocked = errors.New("locked")

// errNoLocks means that the file system does not support locks.
var errNoLocks = errors.New("file locks are not supported")

// ownership is the lock on a database file, with the contents of the lock file.
type ownership struct {
	file *os.File
	mu   sync.Mutex // during shutdown both the heartbeat and DB.Close call note
	sign
}

// sign is the content of a lock file: the owner of the database, and how far it was served.
type sign struct {
	Owner
	Served served `json:"served,omitzero"`
}

// signBytes is the length of a lock file. The file is always overwritten completely, padded with blanks, so that it
// needs no more space on a full disk.
const signBytes = 512

// own makes this process the owner of the database file at path until the result is closed or the process ends in any
// way. The operating system holds the lock; the text in the lock file only records the owner and how far the database
// was served. The lock file is never removed, because two processes could then lock it.
func own(path string) (*ownership, error) {
	path, err := filepath.EvalSymlinks(path) // a file has one owner, under any of its names
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	// Older versions of the program left the file readable to other users. The error is ignored: another user may own
	// the file, or the system may not support modes.
	_ = f.Chmod(0o600)
	held := lock(f)
	o := &ownership{file: f}
	text, _ := io.ReadAll(io.LimitReader(f, 2*signBytes))
	_ = json.Unmarshal(text, &o.sign) // an incomplete text names no owner
	switch {
	case errors.Is(held, errNoLocks):
		slog.Warn("this file system has no file locks; make sure that no other program uses the database", "file",
			path)
	case errors.Is(held, errLocked):
		return nil, errors.Join(&InUseError{Path: path, Owner: o.Owner}, f.Close())
	case held != nil:
		return nil, errors.Join(fmt.Errorf("lock %s: %w", f.Name(), held), f.Close())
	}
	o.Owner = Owner{PID: os.Getpid(), Since: time.Now()}
	o.Host, _ = os.Hostname()
	_ = o.write() // on a full disk the owner has no name, but the lock holds
	return o, nil
}

// close releases the lock and closes its file. Closing alone would keep the lock while a forked process has the file
// open.
func (o *ownership) close() error {
	return errors.Join(unlock(o.file), o.file.Close())
}

// note records in the lock file how far the database was served.
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
