package storage

import (
	"context"
	"database/sql/driver"
	"errors"
	"reflect"
	"strings"

	msqlite "modernc.org/sqlite"
)

// statementsMost bounds the statements that one connection keeps.
const statementsMost = 500

// keepingConnector opens connections that keep their prepared statements. database/sql prepares again what runs
// inside a transaction, because a statement of another transaction is of no use to it; nearly all that this program
// does is inside transactions, and preparing was a sixth of its processor time.
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

// sqliteConn and sqliteStmt are what database/sql asks of the driver's connections and statements.
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

// keepingConn is one connection, used by one goroutine at a time. A statement that runs is not in kept: the same text
// may be wanted again while its rows are read.
type keepingConn struct {
	sqliteConn
	kept map[string]sqliteStmt
}

// take gives a statement to run, once.
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

// keep takes a statement back that has run.
func (k *keepingConn) keep(query string, stmt sqliteStmt) error {
	if _, twice := k.kept[query]; twice || len(k.kept) >= statementsMost {
		return stmt.Close()
	}
	k.kept[query] = stmt
	return nil
}

// ExecContext runs a statement without rows; a script of several runs unkept.
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
		return nil, errors.Join(err, stmt.Close()) // what failed half way is not used again
	}
	return result, k.keep(query, stmt)
}

// QueryContext runs a statement with rows, which give it back when they are closed.
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
		_ = stmt.Close() // the connection goes with all it holds
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
