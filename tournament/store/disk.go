package store

import (
	"errors"
	"syscall"

	msqlite "modernc.org/sqlite"
)

// SQLite result codes: the disk is read-only, the disk is full.
const (
	codeReadOnly = 8
	codeFull     = 13
)

func hasCode(err error, code int) bool {
	var e *msqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == code
}

// IsFull reports whether a write failed because the disk is full.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || hasCode(err, codeFull)
}

// IsLocked reports whether a write failed because the disk is read-only, for example by the switch of a USB stick.
func IsLocked(err error) bool { return errors.Is(err, syscall.EROFS) || hasCode(err, codeReadOnly) }
