package torn

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"hash"
	"slices"
)

// state maps table.column to a hash of all its values.
type state map[string]string

// stateOf reads every table of a database except SQLite's own tables and the excluded ones, which are listed in but.
func stateOf(ctx context.Context, db *sql.DB, but ...string) (state, error) {
	names, err := names(ctx, db, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
	if err != nil {
		return nil, err
	}
	s := state{}
	for _, name := range names {
		if slices.Contains(but, name) {
			continue
		}
		if err := s.read(ctx, db, name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return s, nil
}

func names(ctx context.Context, db *sql.DB, query string) (found []string, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		found = append(found, name)
	}
	return found, rows.Err()
}

// read adds the hashes of a table's columns to s.
func (s state) read(ctx context.Context, db *sql.DB, table string) error {
	rows, err := db.QueryContext(ctx, `SELECT * FROM "`+table+`" NOT INDEXED`)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values, to, sums := make([]any, len(columns)), make([]any, len(columns)), make([]hash.Hash, len(columns))
	for i := range values {
		to[i], sums[i] = &values[i], sha256.New()
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return err
		}
		for i, v := range values {
			fmt.Fprintf(sums[i], "%#v\n", v)
		}
	}
	for i, name := range columns {
		s[table+"."+name] = fmt.Sprintf("%x", sums[i].Sum(nil))
	}
	return rows.Err()
}

// differs returns a column whose values differ, or "".
func (s state) differs(from state) string {
	for name, sum := range from {
		if s[name] != sum {
			return name
		}
	}
	return ""
}
