package store

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

// Shelf holds data that the nodes of a database share for some minutes, by key, such as a half-finished sign-in or a
// code on a screen. A nil Shelf stands for a program that has its database to itself and keeps such data in memory.
type Shelf struct {
	nodes *Nodes
	kind  string
}

// Limits of a shelf: the timeout of its queries, and how often expired data is removed.
const (
	shelfMost  = 5 * time.Second
	shelfSwept = 60_000 // ms between removals of expired data
)

// Shelf returns the shelf for data of a kind, or nil for a nil Nodes.
func (n *Nodes) Shelf(kind string) *Shelf {
	if n == nil {
		return nil
	}
	return &Shelf{n, kind}
}

// Put stores a value until the given time and replaces the previous value of the key. If storing it fails, the value
// counts as expired.
func (f *Shelf) Put(key string, what any, until time.Time) {
	f.put(key, what, until, `UPDATE SET value = excluded.value, until = excluded.until`)
}

// PutBack restores a value that was taken, unless the key has a new value.
func (f *Shelf) PutBack(key string, what any, until time.Time) { f.put(key, what, until, `NOTHING`) }

func (f *Shelf) put(key string, what any, until time.Time, conflict string) {
	ctx, cancel := context.WithTimeout(context.Background(), shelfMost)
	defer cancel()
	text, err := json.Marshal(what)
	now := int64(f.nodes.db.Millis())
	if swept := f.nodes.swept.Load(); err == nil && now-swept > shelfSwept &&
		f.nodes.swept.CompareAndSwap(swept, now) {
		_, err = f.nodes.db.WriteSQL.ExecContext(ctx, `DELETE FROM kept WHERE until <= $1`, now)
	}
	if err == nil {
		_, err = f.nodes.db.WriteSQL.ExecContext(ctx, `INSERT INTO kept (kind, key, value, until)
			VALUES ($1, $2, $3, $4)
			ON CONFLICT (kind, key) DO `+conflict, f.kind, key, string(text), until.UnixMilli())
	}
	if err != nil {
		slog.Error("storing shared data for other nodes failed", "kind", f.kind, "err", err)
	}
}

// Bound limits the number of values to most, dropping those that expire first.
func (f *Shelf) Bound(most int) {
	ctx, cancel := context.WithTimeout(context.Background(), shelfMost)
	defer cancel()
	_, err := f.nodes.db.WriteSQL.ExecContext(ctx,
		`DELETE FROM kept WHERE kind = $1 AND key IN (SELECT key FROM kept WHERE kind = $2
			ORDER BY until DESC, key OFFSET $3)`, f.kind, f.kind, most)
	if err != nil {
		slog.Error("trimming the nodes' shared data failed", "kind", f.kind, "err", err)
	}
}

// See reads the value of a key into the variable that what points to, and reports whether there was a value that could
// be read.
func (f *Shelf) See(key string, what any) bool {
	return f.read(f.nodes.db.ReadSQL, `SELECT value FROM kept WHERE kind = $1 AND key = $2 AND until > $3`, key, what)
}

// Take is like See, but also removes the value, so that only one caller gets it.
func (f *Shelf) Take(key string, what any) bool {
	return f.read(f.nodes.db.WriteSQL,
		`DELETE FROM kept WHERE kind = $1 AND key = $2 AND until > $3 RETURNING value`, key, what)
}

// PutIn stores a value under an unused key, within a transaction.
func (f *Shelf) PutIn(tx *gorm.DB, key, value string, until engine.Millis) error {
	return tx.Exec(`INSERT INTO kept (kind, key, value, until) VALUES (?, ?, ?, ?)`, f.kind, key, value, until).Error
}

// KeysOf returns the keys under which a value was stored with PutIn.
func (f *Shelf) KeysOf(tx *gorm.DB, value string) (keys []string, err error) {
	return keys, tx.Raw(`SELECT key FROM kept WHERE kind = ? AND value = ? AND until > ?`, f.kind, value,
		f.nodes.db.Millis()).Scan(&keys).Error
}

func (f *Shelf) read(by *sql.DB, query, key string, what any) bool {
	ctx, cancel := context.WithTimeout(context.Background(), shelfMost)
	defer cancel()
	var text string
	err := by.QueryRowContext(ctx, query, f.kind, key, f.nodes.db.Millis()).Scan(&text)
	if err == nil {
		err = json.Unmarshal([]byte(text), what)
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		slog.Error("reading the nodes' shared data failed", "kind", f.kind, "err", err)
	}
	return err == nil
}
