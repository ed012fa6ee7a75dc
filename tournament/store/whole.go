package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"
)

// wholePrefix begins the names of indexes that contain all columns of a table. SQLite's integrity_check compares a row
// with its index, so a flipped bit in either is found. For tables with checksums, the index contains the columns that
// these leave out. Queries never use such an index, because none has its condition, so it changes no plan and no order
// of rows.
const wholePrefix = "whole_"

// up migrates the tables and rebuilds their whole indexes. If it is interrupted, none of these indexes exist, and they
// are created when the file is next opened. A scratch database has none, since damage on its disk does not matter.
func up(ctx context.Context, db *sql.DB, provider *goose.Provider, scratch bool) error {
	if err := dropWhole(ctx, db); err != nil {
		return err
	}
	if err := upChained(ctx, db, provider); err != nil || scratch {
		return err
	}
	return makeWhole(ctx, db)
}

// chainedVersion is the schema version that requires a hash in every row of a chain.
const chainedVersion = 59

// upChained migrates a database. Before chainedVersion it hashes, once, the rows that older versions of the program
// wrote.
func upChained(ctx context.Context, db *sql.DB, provider *goose.Provider) error {
	if _, err := provider.UpTo(ctx, chainedVersion-1); err != nil {
		return err
	}
	var done bool
	err := db.QueryRowContext(ctx, `SELECT count(*) > 0 FROM goose_db_version WHERE version_id = $1 AND is_applied`,
		chainedVersion).Scan(&done)
	if err == nil && !done {
		err = ChainAll(ctx, db)
	}
	if err == nil {
		_, err = provider.Up(ctx)
	}
	return err
}

// isWhole reports which whole indexes a database has. some is true if it has any; every is true if they include those
// of the tables with checksums. One older version of the program created no whole indexes, and the next version only
// those of the tables without checksums.
func isWhole(ctx context.Context, db *sql.DB) (some, every bool, err error) {
	names, err := texts(ctx, db, `SELECT name FROM sqlite_schema WHERE type = 'index' AND name GLOB '`+wholePrefix+`*'`)
	return len(names) > 0, slices.ContainsFunc(names, isOfSummed), err
}

// isOfSummed reports whether an index is a whole index of a table with checksums.
func isOfSummed(index string) bool { return summed[strings.TrimPrefix(index, wholePrefix)] != nil }

// makeWhole creates all whole indexes or none.
func makeWhole(ctx context.Context, db *sql.DB) error {
	tables, err := texts(ctx, db,
		`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`)
	if err != nil {
		return err
	}
	var statements []string
	for _, table := range tables {
		columns, err := texts(ctx, db, `SELECT name FROM pragma_table_xinfo($1) WHERE hidden = 0 ORDER BY cid`, table)
		if err != nil {
			return err
		}
		if summed[table] != nil { // keep the columns that neither checksum nor chain covers
			columns = slices.DeleteFunc(columns, func(name string) bool {
				return slices.Contains([]string{"id", "sum", "salt", "chain"}, name) ||
					slices.Contains(summed[table], name)
			})
		}
		if len(columns) == 0 {
			continue
		}
		statements = append(statements, "CREATE INDEX "+wholePrefix+table+" ON "+table+" ("+strings.Join(columns,
			", ")+") WHERE 'whole' <> ''")
	}
	return atOnce(ctx, db, statements)
}

func dropWhole(ctx context.Context, db *sql.DB) error {
	drop, err := texts(ctx, db,
		`SELECT 'DROP INDEX ' || name FROM sqlite_schema WHERE type = 'index' AND name GLOB '`+wholePrefix+`*'`)
	if err != nil {
		return err
	}
	return atOnce(ctx, db, drop)
}

// atOnce runs statements in one transaction.
func atOnce(ctx context.Context, db *sql.DB, statements []string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, statement := range statements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", statement, err), tx.Rollback())
		}
	}
	return tx.Commit()
}

// texts runs a query that returns one column of texts.
func texts(ctx context.Context, db *sql.DB, query string, args ...any) (found []string, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		found = append(found, text)
	}
	return found, rows.Err()
}
