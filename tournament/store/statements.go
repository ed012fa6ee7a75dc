package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"reflect"
	"strings"

	msqlite "modernc.org/sqlite"
)

// statementsMost limits the prepared statements that a connection keeps.
const statementsMost = 500

// keepingConnector opens connections that cache their prepared statements. Within a transaction, database/sql prepares
// every statement again. Nearly everything in this program runs within transactions, and preparing took a sixth of its
// processor time.
type keepingConnector struct {
	dsn    string
	driver msqlite.Driver
}

func (k *keepingConnector) Driver() driver.Driver { return &k.driver }

func (k *keepingConnector) Connect(context.Context) (driver.Conn, error) {
	conn, err := k.driver.Open(k.dsn)
	if err != nil {
		return nil, err
	}
	return &keepingConn{sqliteConn: conn.(sqliteConn), kept: map[string]sqliteStmt{}}, nil
}

// sqliteConn, sqliteStmt and sqliteRows are the interfaces that database/sql expects of a driver's connections,
// statements and rows.
type (
	sqliteConn interface {
		driver.Conn
		driver.ConnBeginTx
		driver.ConnPrepareContext
		driver.ExecerContext
		driver.QueryerContext
		driver.Pinger
		driver.SessionResetter
		driver.Validator
	}
	sqliteStmt interface {
		driver.Stmt
		driver.StmtExecContext
		driver.StmtQueryContext
	}
	sqliteRows interface {
		driver.Rows
		ColumnTypeDatabaseTypeName(int) string
		ColumnTypeLength(int) (int64, bool)
		ColumnTypeNullable(int) (nullable, ok bool)
		ColumnTypePrecisionScale(int) (precision, scale int64, ok bool)
		ColumnTypeScanType(int) reflect.Type
	}
)

// keepingConn is one connection, used by one goroutine at a time. A running statement is not in kept, since the same
// text may be needed again while its rows are being read.
type keepingConn struct {
	sqliteConn
	kept map[string]sqliteStmt
}

// take returns a statement for one run and removes it from the cache.
func (k *keepingConn) take(ctx context.Context, query string) (sqliteStmt, error) {
	if stmt, ok := k.kept[query]; ok {
		delete(k.kept, query)
		return stmt, nil
	}
	stmt, err := k.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.(sqliteStmt), nil
}

// keep returns a used statement to the cache.
func (k *keepingConn) keep(query string, stmt sqliteStmt) error {
	if _, twice := k.kept[query]; twice || len(k.kept) >= statementsMost {
		return stmt.Close()
	}
	k.kept[query] = stmt
	return nil
}

// ExecContext runs a statement without rows. A script of several statements is not cached.
func (k *keepingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if strings.Contains(query, ";") {
		return k.sqliteConn.ExecContext(ctx, query, args)
	}
	stmt, err := k.take(ctx, query)
	if err != nil {
		return nil, err
	}
	result, err := stmt.ExecContext(ctx, args)
	if err != nil {
		return nil, errors.Join(err, stmt.Close()) // a failed statement is not reused
	}
	return result, k.keep(query, stmt)
}

// QueryContext runs a statement with rows. Closing the rows returns the statement to the cache.
func (k *keepingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if strings.Contains(query, ";") {
		return k.sqliteConn.QueryContext(ctx, query, args)
	}
	stmt, err := k.take(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := stmt.QueryContext(ctx, args)
	if err != nil {
		return nil, errors.Join(err, stmt.Close())
	}
	return &keptRows{sqliteRows: rows.(sqliteRows), conn: k, query: query, stmt: stmt}, nil
}

func (k *keepingConn) Close() error {
	for _, stmt := range k.kept {
		_ = stmt.Close() // the connection is closed with everything it holds
	}
	return k.sqliteConn.Close()
}

type keptRows struct {
	sqliteRows
	conn  *keepingConn
	query string
	stmt  sqliteStmt
}

func (r *keptRows) Close() error {
	err := r.sqliteRows.Close()
	stmt := r.stmt
	r.stmt = nil
	switch {
	case stmt == nil:
		return err
	case err != nil:
		return errors.Join(err, stmt.Close())
	}
	return r.conn.keep(r.query, stmt)
}
