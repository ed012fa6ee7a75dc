package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"log/slog"
	"time"

	"meldhall/engine"
)

// Epoch is a period in which the database is not replaced by an older copy. Restoring one, by the program or by hand,
// begins a new epoch. The same numbers may then refer to different boards, and command keys from the earlier epoch are
// invalid.
type Epoch struct {
	ID     int64
	Name   string        // random
	Began  engine.Millis // when the copy was first served
	Copied engine.Millis // the newest time in the copy; 0: not a copy
}

// TableName returns the database table of epochs.
func (Epoch) TableName() string { return "epochs" }

// served is what the lock file records about the database as its owner last served it. An older copy, or one that
// diverged, does not contain it.
type served struct {
	Epoch    string `json:"epoch,omitempty"`
	Beat     int64  `json:"beat,omitempty"`
	Event    int64  `json:"event,omitempty"` // the newest event of all games, see selectServed
	EventAt  int64  `json:"event_at,omitempty"`
	Record   int64  `json:"record,omitempty"` // the newest audit record
	RecordAt int64  `json:"record_at,omitempty"`
	Signed   int64  `json:"signed,omitempty"` // how many checkpoints of transparency logs were ever signed
}

const (
	// Referee calls are ignored: those before a game begins are deleted with it.
	selectServed = `WITH newest AS (SELECT id, at FROM game_events
			WHERE kind NOT IN ('referee_called', 'call_withdrawn', 'call_acknowledged', 'call_answered')
			ORDER BY id DESC LIMIT 1)
		SELECT coalesce((SELECT at FROM heartbeat), 0), coalesce((SELECT id FROM newest), 0),
		coalesce((SELECT at FROM newest), 0), coalesce((SELECT max(id) FROM audit), 0),
		coalesce((SELECT at FROM audit ORDER BY id DESC LIMIT 1), 0),
		coalesce((SELECT signed FROM log_keys), 0)`
	holdsServed = `SELECT coalesce((SELECT at FROM heartbeat), 0) >= $1
		AND ($2 = 0 OR EXISTS (SELECT 1 FROM game_events WHERE id = $2 AND at = $3))
		AND ($4 = 0 OR EXISTS (SELECT 1 FROM audit WHERE id = $4 AND at = $5))
		AND coalesce((SELECT signed FROM log_keys), 0) >= $6`
	epochLetters = 12 // 60 bits
)

// isIn reports whether a database contains the state last served.
func (v served) isIn(ctx context.Context, db *sql.DB) (same bool, err error) {
	return same, db.QueryRowContext(ctx, holdsServed, v.Beat, v.Event, v.EventAt, v.Record, v.RecordAt,
		v.Signed).Scan(&same)
}

// setEpoch finds the epoch of the database. The owner starts a new one if the database is not as it was last served
// here. newest is the newest time in the database.
func (s *DB) setEpoch(ctx context.Context, newest engine.Millis) error {
	last, known, err := First[Epoch](s.Write.WithContext(ctx).Order("id DESC"))
	if s.Epoch = last; err != nil || !s.alone() {
		return err
	}
	before, same, place := "", false, ""
	if s.server != nil {
		var served string
		place, served, before, err = settlement(ctx, s.WriteSQL)
		same = place == served
	} else {
		before = s.owned.Served.Epoch
		same, err = s.owned.Served.isIn(ctx, s.WriteSQL)
	}
	if err != nil {
		return fmt.Errorf("compare with the last served epoch: %w", err)
	}
	if last.Name == "" || last.Name != before || !same {
		s.Epoch = Epoch{Name: rand.Text()[:epochLetters], Began: s.Millis()}
		if newest != 0 && (known || before != "") {
			s.Epoch.Copied = newest
			slog.Warn("the database is an older version or a copy; later actions are missing", "file",
				s.path, "until", time.UnixMilli(int64(newest)))
		}
		if err := s.Write.WithContext(ctx).Create(&s.Epoch).Error; err != nil {
			return err
		}
	}
	if s.server != nil {
		return s.server.claim.note(ctx, s.WriteSQL, place, s.Epoch.Name)
	}
	return s.NoteServed(ctx)
}

// NoteServed records the newest rows of the database in the lock file, if this program owns a database file. Call it
// after a commit, so that it never records more than is on the disk.
func (s *DB) NoteServed(ctx context.Context) error {
	if s.owned == nil {
		return nil
	}
	now := served{Epoch: s.Epoch.Name}
	if err := s.WriteSQL.QueryRowContext(ctx, selectServed).Scan(&now.Beat, &now.Event, &now.EventAt, &now.Record,
		&now.RecordAt, &now.Signed); err != nil {
		return fmt.Errorf("record the served epoch: %w", err)
	}
	return s.owned.note(now)
}
