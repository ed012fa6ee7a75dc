package storage

import (
	"errors"
	"syscall"

	msqlite "modernc.org/sqlite"
)

// Result codes of SQLite: the disk is full, it cannot be written to.
const (
	codeReadOnly = 8
	codeFull     = 13
)

func hasCode(err error, code int) bool {
	var e *msqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == code
}

// IsFull tells whether something could not be written because there is no room.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || hasCode(err, codeFull)
}

// IsLocked tells whether something could not be written because the disk, or the stick by its switch, allows none.
func IsLocked(err error) bool { return errors.Is(err, syscall.EROFS) || hasCode(err, codeReadOnly) }
