package game

import (
	"context"
	"errors"

	msqlite "modernc.org/sqlite"
)

// IsStorage tells whether err is the database's: full, failing, locked or too slow. Nothing of the
// command is on the disk then, or its answer is unknown, and it may be sent again with the same key.
func IsStorage(err error) bool {
	var e *msqlite.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xff {
		case 5, 6, 8, 10, 11, 13, 14, 26: // busy, locked, read-only, I/O, corrupt, full, cannot open, no database
			return true
		}
	}
	return errors.Is(err, ErrLogClosed) || errors.Is(err, context.DeadlineExceeded)
}
