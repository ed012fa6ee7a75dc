package store

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

// translate turns errors of both databases into gorm's: SQLite's extended result codes and PostgreSQL's states.
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

// state returns PostgreSQL's five-character error code, or "" for other errors.
func state(err error) string {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return server.Code
	}
	return ""
}

// Translate turns SQLite errors into gorm's.
func (d dialector) Translate(err error) error { return translate(err) }

// Translate turns PostgreSQL errors into gorm's.
func (d serverDialector) Translate(err error) error { return translate(err) }

// IsClash reports whether err is a violated unique key, from gorm or from raw SQL.
func IsClash(err error) bool { return errors.Is(translate(err), gorm.ErrDuplicatedKey) }

// IsOrphan reports whether err is a violated foreign key: the row's parent does not exist or was deleted.
func IsOrphan(err error) bool { return errors.Is(translate(err), gorm.ErrForeignKeyViolated) }

// Clash turns a violated unique key into a Conflict and returns other errors unchanged.
func Clash(err error, key string, nameValues ...any) error {
	if IsClash(err) {
		return refuse.Conflict(key, nameValues...)
	}
	return err
}

// IsFailing reports whether err means that the database itself fails: it is full, damaged, unreachable, locked or too
// slow.
func IsFailing(err error) bool {
	if err == nil { // the common case: skip the search
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
		return s == "28P01" || s == "3D000" // refused only now: an administrator is working on the database
	}
	var cut net.Error
	return IsCut(err) || errors.As(err, &cut) || errors.Is(err, driver.ErrBadConn) ||
		errors.As(err, new(*InUseError)) || errors.Is(err, context.DeadlineExceeded)
}

// Sparing filters the error of a dispensable write, such as the time a device was last seen. It returns nil if the
// database itself fails, so that users still get the page that reports the failure.
func Sparing(err error) error {
	if IsFailing(err) {
		return nil
	}
	return err
}

// IsCut reports whether the connection to the database server failed, as opposed to the one to the client.
func IsCut(err error) bool {
	var away *pgconn.ConnectError
	return errors.Is(err, errCut) || errors.As(err, &away)
}

// notReached returns an error that explains in plain words why the server cannot be reached.
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
