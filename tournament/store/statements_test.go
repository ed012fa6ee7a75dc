package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
)

// keptBy returns the statements that the writing connection has cached.
func keptBy(t *testing.T, s *DB) map[string]sqliteStmt {
	t.Helper()
	conn, err := s.WriteSQL.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var kept map[string]sqliteStmt
	if err := conn.Raw(func(c any) error { kept = c.(*keepingConn).kept; return nil }); err != nil {
		t.Fatal(err)
	}
	return kept
}

// execute runs a statement that must succeed.
func execute(t *testing.T, db *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.Exec(query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

const insertX = "INSERT INTO x (a, b) VALUES (?, ?)"

func TestStatementsAreKept(t *testing.T) {
	s := newStore(t)
	db := s.WriteSQL
	execute(t, db, "CREATE TABLE x (a INTEGER PRIMARY KEY, b TEXT)")

	t.Run("over transactions", func(t *testing.T) { testStatementsAreKeptOverTransactions(t, s, db) })
	t.Run("the same query while its rows are read", func(t *testing.T) { testAQueryRunsWithinItself(t, db) })
	t.Run("not after a failure", func(t *testing.T) {
		if _, err := db.Exec(insertX, 0, "twice"); !IsClash(err) {
			t.Fatalf("got %v, want a broken key", err)
		}
		if keptBy(t, s)[insertX] != nil {
			t.Error("a statement that failed is kept")
		}
		execute(t, db, insertX, 4, "b4")
	})
	t.Run("a change of the tables is seen", func(t *testing.T) { testAChangeOfTheTablesIsSeen(t, db) })
	t.Run("never more than a bound", func(t *testing.T) {
		for i := range statementsMost + 50 {
			execute(t, db, fmt.Sprintf("UPDATE x SET b = 'same' WHERE a = %d", i))
		}
		if n := len(keptBy(t, s)); n != statementsMost {
			t.Errorf("got %d kept, want %d", n, statementsMost)
		}
	})
	t.Run("a wish that was given up does not run", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := db.ExecContext(ctx, insertX, 9, "late"); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

func testStatementsAreKeptOverTransactions(t *testing.T, s *DB, db *sql.DB) {
	for i := range 3 {
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec(insertX, i, fmt.Sprint("b", i)); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	first := keptBy(t, s)[insertX]
	execute(t, db, insertX, 3, "b3")
	if again := keptBy(t, s)[insertX]; first == nil || again != first {
		t.Errorf("got another statement: %v, %v", first, again)
	}
}

func testAQueryRunsWithinItself(t *testing.T, db *sql.DB) {
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	const query = "SELECT a FROM x WHERE a >= ? ORDER BY a"
	outer, err := tx.Query(query, 0)
	if err != nil {
		t.Fatal(err)
	}
	var seen []int
	for outer.Next() {
		var a, b int
		if err := outer.Scan(&a); err != nil {
			t.Fatal(err)
		}
		if err := tx.QueryRow(query, a).Scan(&b); err != nil || a != b {
			t.Fatalf("inside row %d: got %d, %v", a, b, err)
		}
		seen = append(seen, a)
	}
	if err := errors.Join(outer.Err(), outer.Close()); err != nil || fmt.Sprint(seen) != "[0 1 2 3]" {
		t.Errorf("got %v, %v", seen, err)
	}
}

func testAChangeOfTheTablesIsSeen(t *testing.T, db *sql.DB) {
	const query = "SELECT * FROM x WHERE a = 0"
	columns := func() int {
		rows, err := db.Query(query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		names, err := rows.Columns()
		if err != nil || !rows.Next() {
			t.Fatalf("no row: %v", err)
		}
		return len(names)
	}
	before := columns()
	execute(t, db, "ALTER TABLE x ADD COLUMN c TEXT")
	columns() // a cached statement's columns are read before it is prepared anew
	if after := columns(); before != 2 || after != 3 {
		t.Errorf("got %d columns, then %d; want 2, then 3", before, after)
	}
}
