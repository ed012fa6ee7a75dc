package store

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// TestWholeIndexes checks that the owner of a file creates missing whole indexes, and rebuilds one when its table gets
// another column. A reader does neither.
func TestWholeIndexes(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "meldhall.db")
	older := writeOlder(t, path, 37)
	if err := errors.Join(makeWhole(ctx, older), older.Close()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		by   string
		open func(string) (*DB, error)
		want bool
	}{{"a newer program", OpenAlone, true}, {"a tool", Open, false}, {"the owner", OpenAlone, true}} {
		s, err := c.open(path)
		if err != nil {
			t.Fatalf("%s: %v", c.by, err)
		}
		_, whole, err := isWhole(ctx, s.WriteSQL)
		if err := errors.Join(err, s.CheckSchema(ctx), s.CheckIntegrity(ctx)); err != nil || whole != c.want {
			t.Errorf("opened by %s: %t, %v", c.by, whole, err)
		}
		if err := errors.Join(dropWhole(ctx, s.WriteSQL), s.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWholeIndexesOfAnEarlierProgram checks files of a program that created whole indexes only for tables without
// checksums. They do not count as damaged, whether their tables must be migrated or not, and get the missing indexes.
// But a file that lacks one of the others does count as damaged.
func TestWholeIndexesOfAnEarlierProgram(t *testing.T) {
	ctx := t.Context()
	for _, version := range []int64{43, 0} {
		path := filepath.Join(t.TempDir(), "meldhall.db")
		if version == 0 { // the newest version
			s, err := OpenAlone(path)
			if err == nil {
				err = s.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		} else {
			older := writeOlder(t, path, version)
			if err := errors.Join(makeWhole(ctx, older), older.Close()); err != nil {
				t.Fatal(err)
			}
		}
		without := func(index string) {
			t.Helper()
			db, err := sql.Open("sqlite", "file:"+path)
			if err != nil {
				t.Fatal(err)
			}
			_, err = db.Exec("DROP INDEX " + index)
			if err := errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
		}
		without("whole_audit")
		if version == 0 {
			without("whole_game_events") // there was none before it had columns that no checksum covers
		}
		s, err := OpenAlone(path)
		if err != nil {
			t.Fatalf("version %d: %v", version, err)
		}
		_, whole, err := isWhole(ctx, s.WriteSQL)
		if err := errors.Join(err, s.CheckSchema(ctx), s.Close()); err != nil || !whole {
			t.Errorf("version %d: %t, %v", version, whole, err)
		}
		without("whole_players")
		if s, err := OpenAlone(path); err == nil {
			t.Error("a file without one of them is served")
			s.Close()
		}
	}
}

// TestNoQueryReadsAWholeIndex checks that rows come in the same order as without whole indexes.
func TestNoQueryReadsAWholeIndex(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "meldhall.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tables, err := texts(context.Background(), s.WriteSQL,
		`SELECT tbl_name FROM sqlite_schema WHERE type = 'index' AND name GLOB 'whole_*'`)
	if err != nil || len(tables) < 40 {
		t.Fatalf("%v, %v", tables, err)
	}
	for _, table := range tables {
		for _, query := range []string{"SELECT * FROM " + table, "SELECT count(*) FROM " + table, "SELECT * FROM " +
			table + " WHERE 1 = 1"} {
			var id, parent, unused int
			var plan string
			if err := s.ReadSQL.QueryRow("EXPLAIN QUERY PLAN "+query).Scan(&id, &parent, &unused, &plan); err != nil ||
				strings.Contains(plan, wholePrefix) {
				t.Errorf("%s: %s, %v", query, plan, err)
			}
		}
	}
}
