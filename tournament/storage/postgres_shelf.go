package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"gorm.io/gorm"

	"meldhall/engine"
)

// Shelf is what the nodes of a database keep together for some minutes, by a key: a sign-in that is half done, a code on a screen. nil stands
// for a program that has its database alone, which keeps such things itself.
type Shelf struct {
	db   *DB
	kind string
}

// shelfMost is for how long a shelf is waited for.
const (
	shelfMost  = 5 * time.Second
	shelfSwept = 60_000 // ms after which what is over is taken away
)

// Shelf gives the one for things of a kind.
func (s *DB) Shelf(kind string) *Shelf {
	if s.node == nil {
		return nil
	}
	return &Shelf{s, kind}
}

// Put keeps something until a moment, in place of what has the key. Where that cannot be it is as if it were over already.
func (f *Shelf) Put(key string, what any, until time.Time) {
	f.put(key, what, until, `UPDATE SET value = excluded.value, until = excluded.until`)
}

// PutBack keeps what was taken, unless something has the key by now.
func (f *Shelf) PutBack(key string, what any, until time.Time) { f.put(key, what, until, `NOTHING`) }

func (f *Shelf) put(key string, what any, until time.Time, conflict string) {
	ctx, cancel := context.WithTimeout(context.Background(), shelfMost)
	defer cancel()
	text, err := json.Marshal(what)
	now := int64(f.db.Millis())
	if swept := f.db.node.swept.Load(); err == nil && now-swept > shelfSwept && f.db.node.swept.CompareAndSwap(swept, now) {
		_, err = f.db.WriteSQL.ExecContext(ctx, `DELETE FROM kept WHERE until <= ?`, now)
	}
	if err == nil {
		_, err = f.db.WriteSQL.ExecContext(ctx, `INSERT INTO kept (kind, key, value, until) VALUES (?, ?, ?, ?)
			ON CONFLICT (kind, key) DO `+conflict, f.kind, key, string(text), until.UnixMilli())
	}
	if err != nil {
		slog.Error("keep for other nodes", "kind", f.kind, "err", err)
	}
}

// Bound forgets what is over first, where more is kept than so many things.
func (f *Shelf) Bound(most int) {
	ctx, cancel := context.WithTimeout(context.Background(), shelfMost)
	defer cancel()
	_, err := f.db.WriteSQL.ExecContext(ctx, `DELETE FROM kept WHERE kind = ? AND key IN (SELECT key FROM kept WHERE kind = ? ORDER BY until DESC, key OFFSET ?)`, f.kind, f.kind, most)
	if err != nil {
		slog.Error("bound what nodes keep together", "kind", f.kind, "err", err)
	}
}

// See reads what is kept by a key, false where nothing is.
func (f *Shelf) See(key string, what any) bool {
	return f.read(f.db.ReadSQL, `SELECT value FROM kept WHERE kind = ? AND key = ? AND until > ?`, key, what)
}

// Take is See, and nobody else has it from then on.
func (f *Shelf) Take(key string, what any) bool {
	return f.read(f.db.WriteSQL, `DELETE FROM kept WHERE kind = ? AND key = ? AND until > ? RETURNING value`, key, what)
}

// PutIn keeps something under a key that nothing has yet, within a transaction.
func (f *Shelf) PutIn(tx *gorm.DB, key, value string, until engine.Millis) error {
	return tx.Exec(`INSERT INTO kept (kind, key, value, until) VALUES (?, ?, ?, ?)`, f.kind, key, value, until).Error
}

// KeysOf are the keys under which a value is kept that was put in a transaction.
func (f *Shelf) KeysOf(tx *gorm.DB, value string) (keys []string, err error) {
	return keys, tx.Raw(`SELECT key FROM kept WHERE kind = ? AND value = ? AND until > ?`, f.kind, value, f.db.Millis()).Scan(&keys).Error
}

func (f *Shelf) read(by *sql.DB, query, key string, what any) bool {
	ctx, cancel := context.WithTimeout(context.Background(), shelfMost)
	defer cancel()
	var text string
	err := by.QueryRowContext(ctx, query, f.kind, key, f.db.Millis()).Scan(&text)
	if err == nil {
		err = json.Unmarshal([]byte(text), what)
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		slog.Error("read what nodes keep together", "kind", f.kind, "err", err)
	}
	return err == nil
}
