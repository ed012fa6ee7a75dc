// Package store opens and maintains the database of all tournaments, a SQLite file or a database on a PostgreSQL
// server: its tables, integrity checks and copies.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"meldhall/engine"
	"meldhall/tournament/refuse"
)

const (
	readers  = 4
	readMost = 30 * time.Second // how long one reader may delay checkpoints of SQLite's WAL
	readLong = 5 * time.Second  // shorter limit once the WAL is longer than it should be
)

// DB is the database of all tournaments. When a commit returns, it is on the disk.
type DB struct {
	// Write is the only writing connection. A transaction on it takes the write lock at once.
	Write *gorm.DB
	// Read is a pool of read-only connections.
	Read *gorm.DB
	// Now is the clock; tests may replace it. It never returns a time before the newest one in the database.
	Now func() time.Time
	// Wall is the machine's time of day; tests may replace it. It is for codes that another device computes as well,
	// and never for dates.
	Wall func() time.Time
	// Epoch is the epoch of the database. It has no name if no program has ever owned the database.
	Epoch Epoch
	// Nodes are the programs that serve the database together; nil if this program is none of them.
	Nodes *Nodes
	// Damages are the rows that changed on the disk.
	Damages *Damages
	// Behind is how far the machine's clock was behind the newest time in the database when it was opened; 0 if it was
	// not.
	Behind time.Duration

	path     string
	Scratch  bool    // no commit waits for the disk
	WriteSQL *sql.DB // the connection of Write, without gorm
	ReadSQL  *sql.DB // the pool of Read, without gorm

	existing    bool         // open only a database that has tables
	toFill      bool         // its contents will come from another one
	owned       *ownership   // nil if this program does not own the file
	server      *server      // nil if the database is a file
	copier      *copier      // nil without a write-ahead log or durable commits
	dataVersion atomic.Int64 // see WrittenElsewhere
}

// Open opens the database file at path, creating it if there is none, or the database at a server's address. It brings
// the tables up to date unless another program owns them. It rejects a database of a newer program.
func Open(path string) (*DB, error) { return (&DB{}).open(path, false) }

// OpenExisting is Open for an existing database.
func OpenExisting(path string) (*DB, error) {
	if !IsServer(path) {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("open the database: %w", err)
		}
	}
	return (&DB{existing: true}).open(path, false)
}

// OpenToFill opens or creates an empty database as its owner, for CarryTo. The database has no epoch yet.
func OpenToFill(path string) (s *DB, err error) {
	if s, err = (&DB{toFill: true}).open(path, true); err != nil {
		return nil, err
	}
	if held, err := s.holds(context.Background()); err != nil || held != "" {
		if err == nil {
			err = fmt.Errorf("the database %s is not empty (%s): use an empty one. Nothing was changed", s.path, held)
		}
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// OpenAlone is Open for the program that runs tournaments in the database. It owns the database until Close or its end.
// A second owner gets an InUseError before it writes anything. A damaged database is rejected with a DamagedError.
func OpenAlone(path string) (*DB, error) { return (&DB{}).open(path, true) }

// OpenScratch opens a temporary database, whose commits do not wait for the disk.
func OpenScratch(path string) (*DB, error) { return (&DB{Scratch: true}).open(path, false) }

// OpenMemory opens an empty database that is gone once it is closed or the program ends.
func OpenMemory() (*DB, error) {
	s := &DB{Scratch: true}
	return s.openBy(s.openMemory)
}

func (s *DB) open(path string, alone bool) (*DB, error) {
	s.path = path
	open := s.openFile
	if IsServer(path) {
		open = s.openServer
	}
	return s.openBy(func(ctx context.Context) error { return open(ctx, alone) })
}

func (s *DB) openBy(open func(context.Context) error) (*DB, error) {
	s.Wall, s.Damages = time.Now, &Damages{db: s}
	if err := open(context.Background()); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// wake prepares an opened database: over the writing connection, it reads whether other programs have written. Then it
// sets the clock and, unless the database is to be filled, the epoch.
func (s *DB) wake(ctx context.Context) error {
	if _, err := s.WrittenElsewhere(ctx); err != nil {
		return err
	}
	wall := time.Now()
	if s.Nodes != nil {
		var err error
		if wall, err = s.Nodes.wall(ctx); err != nil {
			return err
		}
	}
	newest, err := s.setClock(ctx, wall)
	if err != nil {
		return err
	}
	if s.toFill {
		return nil
	}
	return s.setEpoch(ctx, newest)
}

// Served reports whether the database is on a database server rather than in a file.
func (s *DB) Served() bool { return s.server != nil }

// alone reports whether this program owns the database.
func (s *DB) alone() bool { return s.owned != nil || s.server != nil && s.server.claim != nil }

// Serves reports whether this program serves the database, alone or as a node, so that no other program has the same
// epoch.
func (s *DB) Serves() bool { return s.Epoch.Name != "" && (s.alone() || s.Nodes != nil) }

// newestTime returns the newest time in a database, or 0 if there is none.
func newestTime(ctx context.Context, db *sql.DB) (engine.Millis, error) {
	var beat, event engine.Millis
	err := db.QueryRowContext(ctx, `SELECT coalesce((SELECT at FROM heartbeat WHERE id = 1), 0),
		coalesce((SELECT at FROM game_events ORDER BY id DESC LIMIT 1), 0)`).Scan(&beat, &event)
	return max(beat, event), err
}

// setClock starts the program's clock at the time of day, or at the newest time in the database if that is later. From
// then on the clock counts the elapsed running time. So a change of the machine's clock moves no deadline, and no turn
// runs while the machine sleeps. Between two starts, the heartbeat shows how long the program did not run. setClock
// returns the newest time in the database, or 0 if there is none.
func (s *DB) setClock(ctx context.Context, wall time.Time) (newest engine.Millis, err error) {
	if newest, err = newestTime(ctx, s.WriteSQL); err != nil {
		return 0, err
	}
	start := wall
	if last := time.UnixMilli(int64(newest)); last.After(wall) {
		s.Behind = last.Sub(wall)
		start = last
	}
	if s.Nodes != nil {
		s.Nodes.clock.set(start, time.Now())
		s.Now = s.Nodes.clock.now
		return newest, nil
	}
	s.Now = func() time.Time { return start.Add(time.Since(wall)) }
	return newest, nil
}

// Millis returns the time of the database's clock.
func (s *DB) Millis() engine.Millis { return engine.MillisOf(s.Now()) }

// WrittenElsewhere reports whether another process has written to the database since the last call. SQLite counts the
// commits of all connections except the one that asks, and this process writes only on that one. On PostgreSQL,
// programs that do not own the database count their transactions in it, and their own separately. For the owner, the
// call also checks that it still is the owner. For nodes the result is always true.
func (s *DB) WrittenElsewhere(ctx context.Context) (bool, error) {
	query, own := `PRAGMA data_version`, int64(0)
	if s.server != nil {
		if s.server.claim != nil {
			if err := s.server.claim.sure(ctx); err != nil {
				return false, err
			}
		}
		if s.Nodes != nil {
			return true, nil
		}
		query, own = `SELECT elsewhere FROM this_database`, s.server.told.Load()
	}
	var version int64
	if err := s.WriteSQL.QueryRowContext(ctx, query).Scan(&version); err != nil {
		return false, err
	}
	return s.dataVersion.Swap(version-own) != version-own, nil
}

// Close closes both pools and releases the database.
func (s *DB) Close() error {
	var errs []error
	if s.WriteSQL != nil && s.Epoch.Name != "" {
		errs = append(errs, s.NoteServed(context.Background()))
	}
	if s.copier != nil {
		errs = append(errs, s.copier.close())
	}
	for _, db := range []*sql.DB{s.ReadSQL, s.WriteSQL} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	if s.Nodes != nil {
		errs = append(errs, s.Nodes.close())
	}
	if s.owned != nil {
		errs = append(errs, s.owned.close())
	}
	if s.server != nil && s.server.claim != nil {
		errs = append(errs, s.server.claim.close(context.Background()))
	}
	return errors.Join(errs...)
}

// Tx runs f in one transaction on the writing connection. If f returns an error, nothing is written. f must use only
// tx: using s.Write would be a deadlock.
func (s *DB) Tx(ctx context.Context, f func(tx *gorm.DB) error) error {
	if s.server == nil {
		return s.fileTx(ctx, f)
	}
	if s.server.claim != nil {
		return s.Write.WithContext(ctx).Transaction(f)
	}
	err := s.Write.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := f(tx); err != nil {
			return err
		}
		return tx.Exec(`UPDATE this_database SET elsewhere = elsewhere + 1`).Error
	})
	if err == nil {
		s.server.told.Add(1)
	}
	return err
}

// fileTx is Tx on a file. Cancelling ctx does not interrupt a statement, for which SQLite's driver would start a
// goroutine each time. Instead, the next statement finds the transaction rolled back.
func (s *DB) fileTx(ctx context.Context, f func(tx *gorm.DB) error) error {
	err := s.Write.WithContext(ctx).Transaction(func(tx *gorm.DB) error { return f(tx.WithContext(context.WithoutCancel(ctx))) })
	if err != nil && ctx.Err() != nil && errors.Is(err, sql.ErrTxDone) {
		return ctx.Err()
	}
	s.Committed()
	return err
}

// On returns gorm for a transaction that was begun without it on the writing connection. Cancelling ctx does not
// interrupt statements, see fileTx.
func (s *DB) On(ctx context.Context, tx *sql.Tx) *gorm.DB {
	db := s.Write.Session(&gorm.Session{NewDB: true, Context: context.WithoutCancel(ctx)})
	db.Statement.ConnPool = tx
	return db
}

// Snapshot runs f in a reading transaction, in which all data comes from one moment. It cancels the transaction after
// readMost, or after readLong if the write-ahead log is too long.
func (s *DB) Snapshot(ctx context.Context, f func(db *gorm.DB) error) error {
	ctx, cancel := context.WithTimeout(ctx, readMost)
	defer cancel()
	var gaveWay atomic.Bool
	if s.server == nil {
		defer time.AfterFunc(readLong, func() {
			if s.awaitLongLog(ctx) {
				gaveWay.Store(true)
				cancel()
			}
		}).Stop()
	}
	err := s.Read.WithContext(ctx).Transaction(f)
	if err != nil && gaveWay.Load() {
		return fmt.Errorf("a long reader was cut off in favour of writers: %w", context.DeadlineExceeded)
	}
	return err
}

// awaitLongLog waits until the write-ahead log is longer than it should be. It returns false if ctx ends first.
func (s *DB) awaitLongLog(ctx context.Context) bool {
	for {
		if _, log := s.Bytes(); log > walMost {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(readLong / 10):
		}
	}
}

// Look is like Snapshot, for a function that returns one value.
func Look[T any](ctx context.Context, s *DB, read func(db *gorm.DB) (T, error)) (seen T, err error) {
	err = s.Snapshot(ctx, func(db *gorm.DB) error {
		seen, err = read(db)
		return err
	})
	return seen, err
}

// errPreview rolls a preview back.
var errPreview = errors.New("rolled back: only a preview")

// Try is like Tx, but if preview is set, it rolls back the work of f.
func (s *DB) Try(ctx context.Context, preview bool, f func(tx *gorm.DB) error) error {
	err := s.Tx(ctx, func(tx *gorm.DB) error {
		if err := f(tx); err != nil || !preview {
			return err
		}
		return errPreview
	})
	if errors.Is(err, errPreview) {
		return nil
	}
	return err
}

// Asked is the common interface of everything that runs statements: a pool of connections or a transaction, with or
// without gorm.
type Asked interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// EachRow runs a statement without gorm and calls scan for each of its rows.
func EachRow(ctx context.Context, of Asked, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := of.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// IDs runs a query that returns one column of IDs.
func (s *DB) IDs(ctx context.Context, query string, args ...any) (ids []int64, err error) {
	return idsIn(ctx, s.ReadSQL, query, args...)
}

func idsIn(ctx context.Context, from Asked, query string, args ...any) (ids []int64, err error) {
	err = EachRow(ctx, from, func(rows *sql.Rows) error {
		var id int64
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// gormOn returns gorm on a pool, and the pool limited to conns connections.
func gormOn(dialect gorm.Dialector, pool *sql.DB, conns int) (*gorm.DB, *sql.DB, error) {
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	db, err := gorm.Open(dialect, &gorm.Config{
		SkipDefaultTransaction: true,
		TranslateError:         true,
		Logger:                 logger.Discard,
		DisableAutomaticPing:   true,
	})
	if err != nil {
		return nil, nil, errors.Join(err, pool.Close())
	}
	// write a row alone: its associations are only for reading
	create, update := db.Callback().Create(), db.Callback().Update()
	err = errors.Join(create.Remove("gorm:save_before_associations"), create.Remove("gorm:save_after_associations"),
		update.Remove("gorm:save_before_associations"), update.Remove("gorm:save_after_associations"))
	return db, pool, err
}

// InOrder returns an option of Preload that orders its rows.
func InOrder(by string) func(*gorm.DB) *gorm.DB {
	return func(db *gorm.DB) *gorm.DB { return db.Order(by) }
}

// Without returns an option of Preload that omits a column of its rows.
func Without(column string) func(*gorm.DB) *gorm.DB {
	return func(db *gorm.DB) *gorm.DB { return db.Omit(column) }
}

// Values returns the numbered placeholders of rows of an INSERT: ($1,$2),($3,$4). Statements without gorm number their
// placeholders because both databases accept that. SQLite searches all parameters for each number, so a statement
// should have at most about 200.
func Values(rows, columns int) string {
	var out []byte
	for i := range rows * columns {
		switch {
		case i == 0:
			out = append(out, '(')
		case i%columns == 0:
			out = append(out, "),("...)
		default:
			out = append(out, ',')
		}
		out = strconv.AppendInt(append(out, '$'), int64(i+1), 10)
	}
	return string(append(out, ')'))
}

// JSONField returns the SQL of a field of a JSON object in a text column: its text, or NULL if it is missing. A boolean
// is 1 or 0 in SQLite, and true or false in PostgreSQL.
func JSONField(db *gorm.DB, column, field string) string {
	if db.Name() == "postgres" {
		return "(CAST(" + column + " AS json) ->> '" + field + "')"
	}
	return "json_extract(" + column + ", '$." + field + "')"
}

// All returns the rows that a query finds.
func All[T any](query *gorm.DB) (rows []T, err error) {
	err = query.Find(&rows).Error
	return rows, err
}

// First returns the first row that a query finds; ok is false if there is none.
func First[T any](query *gorm.DB) (row T, ok bool, err error) {
	found := query.Limit(1).Find(&row)
	return row, found.RowsAffected > 0, found.Error
}

// ByID returns the row with the given ID or, if there is none, a NotFound error with the text err_WHAT_not_found.
func ByID[T any](query *gorm.DB, what string, id int64) (row T, err error) {
	if err = query.Take(&row, id).Error; errors.Is(err, gorm.ErrRecordNotFound) {
		err = refuse.NotFound("err_"+what+"_not_found", "id", id)
	}
	return row, err
}

// MapOf builds a map from rows, with a key and a value from each.
func MapOf[T any, K comparable, V any](rows []T, of func(T) (K, V)) map[K]V {
	m := make(map[K]V, len(rows))
	for _, row := range rows {
		key, value := of(row)
		m[key] = value
	}
	return m
}
