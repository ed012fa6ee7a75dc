package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

const (
	serverLeast  = 150000           // PostgreSQL's number for version 15
	reachMost    = 10 * time.Second // timeout of a connection attempt
	writersClass = 0x6d656c65       // class of the lock that allows one writing transaction at a time
)

// server is the address and state of a PostgreSQL database.
type server struct {
	config *pgx.ConnConfig
	shown  string       // the address without its password
	folder string       // for this program's copies and printouts
	key    int32        // key of the locks for this schema
	claim  *claim       // nil if this program does not own the database
	told   atomic.Int64 // number of writes that this program has counted; see WrittenElsewhere
}

// IsServer reports whether a database's name is the address of a PostgreSQL server.
func IsServer(name string) bool {
	return strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://")
}

// Shown returns a database's name for display: an address without its password.
func Shown(name string) string {
	if !IsServer(name) {
		return name
	}
	address, err := url.Parse(name)
	if err != nil {
		return "postgres://…"
	}
	for _, secret := range []string{"password", "sslpassword"} {
		if q := address.Query(); q.Has(secret) {
			q.Set(secret, "xxxxx")
			address.RawQuery = q.Encode()
		}
	}
	return address.Redacted()
}

// serverAt parses an address. Its parameter folder is where copies and printouts are stored; all others are
// PostgreSQL's.
func serverAt(name string) (*server, error) {
	address, err := url.Parse(name)
	if err != nil {
		return nil, fmt.Errorf("%s is not the address of a database: postgres://user:password@host/name", Shown(name))
	}
	query := address.Query()
	v := &server{shown: Shown(name), folder: query.Get("folder")}
	if v.folder == "" {
		v.folder = "."
	}
	query.Del("folder")
	address.RawQuery = query.Encode()
	if v.config, err = pgx.ParseConfig(address.String()); err != nil {
		return nil, fmt.Errorf("%s is not the address of a database, such as postgres://user:password@host/name",
			v.shown)
	}
	if v.config.Database == "" {
		return nil, fmt.Errorf("%s names no database: postgres://user:password@host/name", v.shown)
	}
	v.config.ConnectTimeout = reachMost
	// pages are mostly cached: keeps PostgreSQL from scanning all results
	if v.config.RuntimeParams["random_page_cost"] == "" {
		v.config.RuntimeParams["random_page_cost"] = "1.1"
	}
	return v, nil
}

// openServer opens an existing database on a PostgreSQL server.
func (s *DB) openServer(ctx context.Context, alone bool) (err error) {
	if s.server, err = serverAt(s.path); err != nil {
		return err
	}
	s.path = s.server.shown
	if err := s.server.look(ctx); err != nil {
		return notReached(s.path, err)
	}
	if alone {
		if s.server.claim, err = s.server.own(ctx, s.Nodes != nil); err != nil {
			return err
		}
		defer s.server.claim.started()
	}
	if err := s.connectServer(ctx); err != nil {
		if fault := Fault(""); errors.As(err, &fault) {
			return &DamagedError{Path: s.path, Fault: string(fault)}
		}
		return fmt.Errorf("open database %s: %w", s.path, err)
	}
	return nil
}

func (s *DB) connectServer(ctx context.Context) (err error) {
	writes := s.server.config.Copy()
	for name, value := range map[string]string{"lock_timeout": "5000", "idle_in_transaction_session_timeout": "60000"} {
		writes.RuntimeParams[name] = value
	}
	if s.Scratch {
		writes.RuntimeParams["synchronous_commit"] = "off"
	}
	if s.Nodes != nil { // so that no node waits for one that hangs within a transaction
		for name, value := range map[string]string{"idle_in_transaction_session_timeout": "3000",
			"tcp_keepalives_idle": "2", "tcp_keepalives_interval": "1",
			"tcp_keepalives_count": "2", "tcp_user_timeout": "4000"} {
			writes.RuntimeParams[name] = value
		}
	}
	lock := fmt.Sprintf("SELECT pg_advisory_xact_lock(%d, %d)", writersClass, s.server.key)
	if s.Write, s.WriteSQL, err = connectPostgres(&serverConnector{config: writes, begin: "BEGIN; " + lock, lock: lock,
		claim: s.server.claim}, 1); err != nil {
		return err
	}
	if s.Nodes != nil {
		if err := s.Nodes.connect(writes, s.server.claim); err != nil {
			return err
		}
	}
	if err := s.migrateServer(ctx); err != nil {
		return err
	}
	if s.server.claim != nil {
		if err := s.CheckSchema(ctx); err != nil {
			return err
		}
	}
	if err := s.wake(ctx); err != nil {
		return err
	}
	reads := s.server.config.Copy()
	reads.RuntimeParams["default_transaction_read_only"] = "on"
	reads.RuntimeParams["default_transaction_isolation"] = "repeatable read"
	s.Read, s.ReadSQL, err = connectPostgres(&serverConnector{config: reads, begin: "BEGIN"}, readers)
	if err == nil && s.server.claim != nil {
		err = s.Damages.record(ctx, nil)
	}
	return err
}

// look checks that this program can use the server.
func (v *server) look(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, v.config)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var version int
	var encoding string
	var standby bool
	var schema *string
	err = conn.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, pg_encoding_to_char(encoding), pg_is_in_recovery(), current_schema(),
		hashtext(coalesce(current_schema(), '')) & 2147483647 FROM pg_database WHERE datname = current_database()`).Scan(&version, &encoding, &standby, &schema, &v.key)
	switch {
	case err != nil:
		return err
	case version < serverLeast:
		return fmt.Errorf("PostgreSQL %d is too old: this program needs %d or newer", version/10000, serverLeast/10000)
	case encoding != "UTF8":
		return fmt.Errorf("the encoding of the database is %s, not UTF-8: create one with createdb -E UTF8 -T "+
			"template0",
			encoding)
	case standby:
		return errors.New("this server is a standby: give the address of its primary server")
	case schema == nil:
		return errors.New("no schema of this database is in the user's search_path")
	}
	return nil
}

func connectPostgres(to *serverConnector, conns int) (*gorm.DB, *sql.DB, error) {
	to.driver = stdlib.GetConnector(*to.config)
	pool := sql.OpenDB(to)
	return gormOn(serverDialector{postgres.Dialector{Config: &postgres.Config{Conn: pool}}}, pool, conns)
}

// serverDialector is gorm's own dialect with this package's error translation.
type serverDialector struct{ postgres.Dialector }

// serverConnector opens connections that take and return the same values as SQLite's driver.
type serverConnector struct {
	config *pgx.ConnConfig
	begin  string // statement that begins a transaction
	lock   string // statement that lets one transaction write at a time
	claim  *claim // the ownership that the connection requires; nil: it reads, or the program is not the owner
	driver driver.Connector
}

// Driver returns pgx's driver.
func (c *serverConnector) Driver() driver.Driver { return c.driver.Driver() }

// Connect opens a connection. A connection that writes for the owner is opened only while this program still owns the
// database.
func (c *serverConnector) Connect(ctx context.Context) (driver.Conn, error) {
	if c.claim != nil {
		if err := c.claim.sure(ctx); err != nil {
			return nil, err
		}
	}
	conn, err := c.driver.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &serverConn{Conn: conn.(*stdlib.Conn), connector: c}, nil
}

type serverConn struct {
	*stdlib.Conn
	connector *serverConnector
}

// CheckNamedValue converts a value to the types of SQLite's driver: 64-bit numbers, which include booleans, strings and
// bytes.
func (c *serverConn) CheckNamedValue(v *driver.NamedValue) (err error) {
	if _, is := v.Value.(pgx.QueryExecMode); is {
		return nil
	}
	if v.Value, err = driver.DefaultParameterConverter.ConvertValue(v.Value); err != nil {
		return err
	}
	switch value := v.Value.(type) {
	case bool:
		v.Value = int64(0)
		if value {
			v.Value = int64(1)
		}
	case string:
		v.Value = escape(value)
	}
	return nil
}

// ExecContext runs a statement without rows.
func (c *serverConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	result, err := c.Conn.ExecContext(ctx, query, args)
	return result, c.cut(err)
}

// QueryContext runs a statement with rows.
func (c *serverConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.Conn.QueryContext(ctx, query, args)
	if err != nil {
		return nil, c.cut(err)
	}
	return serverRows{rows.(*stdlib.Rows), c}, nil
}

// serverRows are rows with unescaped texts.
type serverRows struct {
	*stdlib.Rows
	conn *serverConn
}

// Next reads a row.
func (r serverRows) Next(row []driver.Value) error {
	if err := r.Rows.Next(row); err != nil {
		return r.conn.cut(err)
	}
	for i, v := range row {
		if text, is := v.(string); is {
			row[i] = unescape(text)
		}
	}
	return nil
}

// ResetSession is called before a connection is reused. It rejects a connection that writes for the owner if this
// program no longer holds the owner's lock.
func (c *serverConn) ResetSession(ctx context.Context) error {
	if c.connector.claim != nil && !c.connector.claim.holds() {
		return driver.ErrBadConn
	}
	return c.Conn.ResetSession(ctx)
}

// BeginTx begins a transaction. On the connection for transactions that write, it also takes the lock that allows one
// writer at a time, as in SQLite, in the same round trip.
func (c *serverConn) BeginTx(ctx context.Context, _ driver.TxOptions) (driver.Tx, error) {
	if err := c.script(ctx, c.connector.begin); err != nil {
		if pgconn.SafeToRetry(err) {
			return nil, driver.ErrBadConn
		}
		return nil, errors.Join(err, c.rollback())
	}
	return serverTx{c}, nil
}

// script runs statements without values in one round trip.
func (c *serverConn) script(ctx context.Context, statements string) error {
	return c.cut(c.Conn.Conn().PgConn().Exec(ctx, statements).Close())
}

// errCut means that the outcome of a statement is unknown.
var errCut = errors.New("the connection to the database was cut")

// cut wraps an error in errCut if the connection is gone.
func (c *serverConn) cut(err error) error {
	if err == nil || err == io.EOF || errors.Is(err, driver.ErrBadConn) || !c.Conn.Conn().IsClosed() {
		return err
	}
	return fmt.Errorf("%w: %w", errCut, err)
}

// rollback rolls a transaction back. It does nothing on a closed connection, where the server has already done so.
func (c *serverConn) rollback() error {
	ctx, cancel := context.WithTimeout(context.Background(), reachMost)
	defer cancel()
	if c.Conn.Conn().IsClosed() {
		return nil
	}
	return c.script(ctx, "ROLLBACK")
}

type serverTx struct{ conn *serverConn }

// Commit commits a transaction. If a statement of the transaction has failed, PostgreSQL would roll back and report no
// error, so Commit checks for that first.
func (t serverTx) Commit() error {
	to := t.conn.Conn.Conn()
	if to.IsClosed() {
		return errCut
	}
	if to.PgConn().TxStatus() == 'E' {
		return errors.Join(errors.New("a statement of the transaction has failed"), t.conn.rollback())
	}
	ctx, cancel := context.WithTimeout(context.Background(), readMost)
	defer cancel()
	return t.conn.script(ctx, "COMMIT")
}

// Rollback rolls a transaction back.
func (t serverTx) Rollback() error { return t.conn.rollback() }
