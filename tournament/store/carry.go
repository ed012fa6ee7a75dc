package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/crc64"
	"strings"
	"sync"

	"gorm.io/gorm"
)

// carriedTable is a table that both databases have: the columns to copy, and the columns that identify its rows.
type carriedTable struct {
	name, columns, order string
	kinds                []string // types of the columns: INTEGER, TEXT or BLOB
	counts               bool     // the database assigns the IDs
}

// Carried is the result of copying a table, once both sides have been compared.
type Carried struct {
	Table string
	Rows  int64
	sum   uint64
}

// carriedTables lists all tables that the migrations create, with referenced tables first.
var carriedTables = sync.OnceValues(func() (all []carriedTable, err error) {
	ctx := context.Background()
	newest, err := SchemaVersion()
	if err != nil {
		return nil, err
	}
	db, err := inMemory(ctx, newest)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	names, err := texts(ctx, db,
		`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version' ORDER BY name`)
	if err != nil {
		return nil, err
	}
	done := map[string]bool{}
	for len(all) < len(names) {
		before := len(all)
		for _, name := range names {
			needs, err := texts(ctx, db, `SELECT DISTINCT "table" FROM pragma_foreign_key_list($1)`, name)
			if err != nil {
				return nil, err
			}
			ready := !done[name]
			for _, other := range needs {
				ready = ready && (done[other] || other == name)
			}
			if !ready {
				continue
			}
			columns, err := texts(ctx, db, `SELECT '"' || name || '"' FROM pragma_table_xinfo($1) WHERE hidden = 0`,
				name)
			if err != nil {
				return nil, err
			}
			kinds, err := texts(ctx, db, `SELECT type FROM pragma_table_xinfo($1) WHERE hidden = 0`, name)
			if err != nil {
				return nil, err
			}
			keys, err := texts(ctx, db,
				`SELECT '"' || name || '"' FROM pragma_table_xinfo($1) WHERE pk > 0 ORDER BY pk`,
				name)
			if err != nil {
				return nil, err
			}
			done[name] = true
			all = append(all, carriedTable{name: name, columns: strings.Join(columns, ", "), kinds: kinds,
				order:  strings.Join(keys, ", "),
				counts: len(keys) == 1 && keys[0] == `"id"`})
		}
		if len(all) == before {
			return nil, errors.New("the foreign keys of the tables form a cycle")
		}
	}
	return all, nil
})

var ecma = crc64.MakeTable(crc64.ECMA)

// each calls row for each row of a table, in order. It returns the number of rows and a checksum of all of them.
func (c carriedTable) each(ctx context.Context, from querier, row func(values []any) error) (done Carried, err error) {
	done.Table = c.name
	rows, err := from.QueryContext(ctx, "SELECT "+c.columns+" FROM "+c.name+" ORDER BY "+c.order)
	if err != nil {
		return done, err
	}
	defer rows.Close()
	sum := crc64.New(ecma)
	values, to := make([]any, len(c.kinds)), make([]any, len(c.kinds))
	for i := range to {
		to[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return done, err
		}
		done.Rows++
		for i, v := range values {
			if values[i], err = ofKind(c.kinds[i], v); err != nil {
				return done, fmt.Errorf("row %d: %w", done.Rows, err)
			}
			fmt.Fprintf(sum, "%T %v\x00", values[i], values[i])
		}
		if err := row(values); err != nil {
			return done, fmt.Errorf("row %d: %w", done.Rows, err)
		}
	}
	done.sum = sum.Sum64()
	return done, rows.Err()
}

// ofKind converts a value to the type of its column, since SQLite may store bytes in text columns.
func ofKind(kind string, value any) (any, error) {
	switch v := value.(type) {
	case nil:
		return nil, nil
	case int64:
		if kind == "INTEGER" {
			return v, nil
		}
	case string:
		switch kind {
		case "TEXT":
			return v, nil
		case "BLOB":
			return []byte(v), nil
		}
	case []byte:
		switch kind {
		case "TEXT":
			return string(v), nil
		case "BLOB":
			return v, nil
		}
	}
	return nil, fmt.Errorf("a column of type %s holds a %T", kind, value)
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// rowsAtOnce is the number of rows per INSERT statement.
const rowsAtOnce = 16

// CarryTo copies a snapshot of this whole database to an empty database of either kind and reads it again there. It
// writes in one transaction: all or nothing.
func (s *DB) CarryTo(ctx context.Context, to *DB) (all []Carried, err error) {
	tables, err := carriedTables()
	if err != nil {
		return nil, err
	}
	tx, err := s.ReadSQL.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	err = to.Write.WithContext(ctx).Transaction(func(into *gorm.DB) error {
		for _, table := range tables {
			done, err := table.carry(ctx, tx, into)
			if err != nil {
				return fmt.Errorf("copy table %s: %w", table.name, err)
			}
			all = append(all, done)
		}
		return into.Create(&Epoch{Began: s.Millis()}).Error // a program that continues from it starts a new epoch
	})
	return all, err
}

// carry writes a table's rows, reads them again, and sets the ID counter to continue after the last one.
func (c carriedTable) carry(ctx context.Context, from querier, into *gorm.DB) (Carried, error) {
	write := into.Statement.ConnPool
	var waiting []any
	flush := func() error {
		if len(waiting) == 0 {
			return nil
		}
		rows := Values(len(waiting)/len(c.kinds), len(c.kinds))
		_, err := write.ExecContext(ctx, "INSERT INTO "+c.name+" ("+c.columns+") VALUES "+rows, waiting...)
		waiting = waiting[:0]
		return err
	}
	done, err := c.each(ctx, from, func(values []any) error {
		waiting = append(waiting, values...)
		if len(waiting) < rowsAtOnce*len(c.kinds) {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if err != nil {
		return done, err
	}
	there, err := c.each(ctx, write, func([]any) error { return nil })
	if err == nil && there != done {
		err = fmt.Errorf("%d rows were read with checksum %x, but %d were written with checksum %x", done.Rows,
			done.sum, there.Rows, there.sum)
	}
	if err == nil && c.counts {
		err = CountOn(into, c.name)
	}
	return done, err
}

// holds returns the name of a table that has rows, or "" if all are empty.
func (s *DB) holds(ctx context.Context) (string, error) {
	tables, err := carriedTables()
	for i := 0; err == nil && i < len(tables); i++ {
		var any bool
		if err = s.WriteSQL.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM "+tables[i].name+")").Scan(&any); any {
			return tables[i].name, err
		}
	}
	return "", err
}

// CountOn makes the database continue its automatic IDs after the highest ID in each table. It is needed after rows
// were written with explicit IDs. SQLite does so by itself.
func CountOn(tx *gorm.DB, tables ...string) error {
	if tx.Dialector.Name() != "postgres" {
		return nil
	}
	for _, table := range tables {
		if err := tx.Exec(`SELECT setval(s, greatest((SELECT max(id) FROM ` + table + `), 1), EXISTS (SELECT 1 FROM ` + table + `))
			FROM (SELECT pg_get_serial_sequence('` + table + `', 'id') AS s) AS counter WHERE s IS NOT NULL`).Error; err != nil {
			return err
		}
	}
	return nil
}
