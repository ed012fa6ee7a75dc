package storage

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// TestWholeIndexes: who owns a file makes the indexes of all that its tables hold where there are none, and anew when a table gets
// another column. Who only looks does not.
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
		whole, err := isWhole(ctx, s.WriteSQL)
		if err := errors.Join(err, s.CheckSchema(ctx), s.CheckIntegrity(ctx)); err != nil || whole != c.want {
			t.Errorf("opened by %s: %t, %v", c.by, whole, err)
		}
		if err := errors.Join(dropWhole(ctx, s.WriteSQL), s.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNoQueryReadsAWholeIndex: rows come in the order in which they came before there were such indexes.
func TestNoQueryReadsAWholeIndex(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "meldhall.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tables, err := texts(context.Background(), s.WriteSQL, `SELECT tbl_name FROM sqlite_schema WHERE type = 'index' AND name GLOB 'whole_*'`)
	if err != nil || len(tables) < 40 {
		t.Fatalf("%v, %v", tables, err)
	}
	for _, table := range tables {
		for _, query := range []string{"SELECT * FROM " + table, "SELECT count(*) FROM " + table, "SELECT * FROM " + table + " WHERE 1 = 1"} {
			var id, parent, unused int
			var plan string
			if err := s.ReadSQL.QueryRow("EXPLAIN QUERY PLAN "+query).Scan(&id, &parent, &unused, &plan); err != nil || strings.Contains(plan, wholePrefix) {
				t.Errorf("%s: %s, %v", query, plan, err)
			}
		}
	}
}
