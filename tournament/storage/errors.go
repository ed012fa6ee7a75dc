package storage

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
	msqlite "modernc.org/sqlite"

	"meldhall/tournament/refuse"
)

// translate makes gorm's errors of what both databases say: SQLite's extended result codes, PostgreSQL's states.
func translate(err error) error {
	var file *msqlite.Error
	if errors.As(err, &file) {
		switch file.Code() {
		case 1555, 2067: // primary key, unique
			return gorm.ErrDuplicatedKey
		case 787:
			return gorm.ErrForeignKeyViolated
		}
	}
	switch state(err) {
	case "23505":
		return gorm.ErrDuplicatedKey
	case "23503":
		return gorm.ErrForeignKeyViolated
	}
	return err
}

// state is the five letters by which PostgreSQL tells what is wrong; empty for other errors.
func state(err error) string {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return server.Code
	}
	return ""
}

// Translate makes gorm's errors of SQLite's.
func (d dialector) Translate(err error) error { return translate(err) }

// Translate makes gorm's errors of PostgreSQL's.
func (d serverDialector) Translate(err error) error { return translate(err) }

// IsClash tells whether err is a broken unique key, from gorm or from raw SQL.
func IsClash(err error) bool { return errors.Is(translate(err), gorm.ErrDuplicatedKey) }

// IsOrphan tells whether err is that what a row belongs to is not there, or no more.
func IsOrphan(err error) bool { return errors.Is(translate(err), gorm.ErrForeignKeyViolated) }

// Clash makes a Conflict of a broken unique key; other errors stay.
func Clash(err error, key string, nameValues ...any) error {
	if IsClash(err) {
		return refuse.Conflict(key, nameValues...)
	}
	return err
}

// IsFailing tells whether the database itself cannot: it is full, failing, away, locked or too slow.
func IsFailing(err error) bool {
	if err == nil { // as after nearly every command, for which nothing is to be looked for
		return false
	}
	var file *msqlite.Error
	if errors.As(err, &file) {
		switch file.Code() & 0xff {
		case 5, 6, 8, 10, 11, 13, 14, 26: // busy, locked, read-only, I/O, corrupt, full, cannot open, no database
			return true
		}
	}
	if s := state(err); s != "" {
		switch s[:2] {
		case "08", "25", "53", "55", "57", "58", "XX": // connection, read-only, no room, locked, stopped, I/O, corrupt
			return true
		}
		return s == "28P01" || s == "3D000" // which it did not say before: somebody is working on it
	}
	var cut net.Error
	return IsCut(err) || errors.As(err, &cut) || errors.Is(err, driver.ErrBadConn) || errors.As(err, new(*InUseError)) || errors.Is(err, context.DeadlineExceeded)
}

// Sparing is the error of a write that can be spared, such as when a device was last seen: none where the database itself cannot write,
// which is to keep nobody from reading what it says about that.
func Sparing(err error) error {
	if IsFailing(err) {
		return nil
	}
	return err
}

// IsCut tells whether it is a connection with the database's server that failed, and not one with whoever asks.
func IsCut(err error) bool {
	var away *pgconn.ConnectError
	return errors.Is(err, errCut) || errors.As(err, &away)
}

// notReached says in plain words why there is no connection to a server.
func notReached(shown string, err error) error {
	var unknown *net.DNSError
	var away *net.OpError
	said := ""
	switch s := state(err); {
	case s == "28P01", s == "28000":
		said = "it refuses this user, or the password is wrong"
	case s == "3D000":
		said = "it has no database with this name: make one with createdb"
	case s == "42501":
		said = "this user may not use the database"
	case s == "53300":
		said = "it takes no more connections"
	case s == "57P03":
		said = "it is starting or stopping: try again in a moment"
	case s != "":
	case errors.As(err, &unknown):
		said = "there is no machine named " + unknown.Name
	case errors.Is(err, context.DeadlineExceeded):
		said = "nothing answered there in time"
	case errors.As(err, &away):
		said = "no PostgreSQL server answers there"
	}
	if said == "" {
		return fmt.Errorf("open database %s: %w", shown, err)
	}
	return fmt.Errorf("open database %s: %s (%w). Nothing was changed", shown, said, err)
}
