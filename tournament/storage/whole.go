package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"
)

// wholePrefix begins the names of the indexes that hold all that the rows of a table hold. SQLite compares a row with its index when
// it is asked for integrity_check, so that one bit that turns over in either is found. Of tables that have checksums it holds what those leave out. No
// query reads such an index, since none has its condition, so that no plan and no order of rows changes by it.
const wholePrefix = "whole_"

// up brings tables up to date, and makes the indexes of all that they hold anew. Whoever stops in between leaves none of these, and
// they are made when the file is opened next. A database that is thrown away has none: nobody asks it whether its disk is sound.
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

// upChained migrates a database. Before chainedVersion it hashes the rows of older programs, once.
func upChained(ctx context.Context, db *sql.DB, provider *goose.Provider) error {
	if _, err := provider.UpTo(ctx, chainedVersion-1); err != nil {
		return err
	}
	var done bool
	err := db.QueryRowContext(ctx, `SELECT count(*) > 0 FROM goose_db_version WHERE version_id = ? AND is_applied`,
		chainedVersion).Scan(&done)
	if err == nil && !done {
		err = ChainAll(ctx, db)
	}
	if err == nil {
		_, err = provider.Up(ctx)
	}
	return err
}

// isWhole tells whether a database has indexes of all that its tables hold: a program made none, and the next one none of the tables that
// have checksums.
func isWhole(ctx context.Context, db *sql.DB) (some, every bool, err error) {
	names, err := texts(ctx, db, `SELECT name FROM sqlite_schema WHERE type = 'index' AND name GLOB '`+wholePrefix+`*'`)
	return len(names) > 0, slices.ContainsFunc(names, isOfSummed), err
}

// isOfSummed tells whether an index is of all that the checksums of a table leave out.
func isOfSummed(index string) bool { return summed[strings.TrimPrefix(index, wholePrefix)] != nil }

// makeWhole makes them all, or none.
func makeWhole(ctx context.Context, db *sql.DB) error {
	tables, err := texts(ctx, db, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`)
	if err != nil {
		return err
	}
	var statements []string
	for _, table := range tables {
		columns, err := texts(ctx, db, `SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid`, table)
		if err != nil {
			return err
		}
		if summed[table] != nil { // the columns that neither its checksums nor its chain cover
			columns = slices.DeleteFunc(columns, func(name string) bool {
				return slices.Contains([]string{"id", "sum", "salt", "chain"}, name) ||
					slices.Contains(summed[table], name)
			})
		}
		if len(columns) == 0 {
			continue
		}
		statements = append(statements, "CREATE INDEX "+wholePrefix+table+" ON "+table+" ("+strings.Join(columns, ", ")+") WHERE 'whole' <> ''")
	}
	return atOnce(ctx, db, statements)
}

func dropWhole(ctx context.Context, db *sql.DB) error {
	drop, err := texts(ctx, db, `SELECT 'DROP INDEX ' || name FROM sqlite_schema WHERE type = 'index' AND name GLOB '`+wholePrefix+`*'`)
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

// texts reads a column of texts.
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
