// Package storage is the database of all tournaments, an SQLite file or a database of a PostgreSQL server: its tables, its copies.
package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"meldhall/engine"
	"meldhall/tournament/refuse"
)

const (
	readers  = 4
	readMost = 30 * time.Second // for which one reader may hold up what SQLite's log of writes is cut by
	readLong = 5 * time.Second  // likewise, once the log is as long as it may be
)

// DB is the database of all tournaments. A commit that returned is on the disk.
type DB struct {
	// Write is the only connection that writes; a transaction on it takes the write lock at once.
	Write *gorm.DB
	// Read is a pool of connections that cannot write.
	Read *gorm.DB
	// Now is the clock, for tests to set. It never goes back to before what the database has seen.
	Now func() time.Time
	// Wall is the machine's time of day, for tests to set. It is for codes that another clock makes as well; nothing is dated by it.
	Wall func() time.Time
	// Epoch is the life that the database is in; without a name where no program has ever owned it.
	Epoch Epoch
	// Behind is by how much the machine's clock was behind the database's newest time when it was opened; 0: it was not.
	Behind time.Duration

	path     string
	Scratch  bool // no commit waits for the disk
	WriteSQL *sql.DB
	ReadSQL  *sql.DB

	existing    bool         // only one that has tables is opened
	toFill      bool         // what it will hold comes from another one
	owned       *ownership   // nil where the file is not this program's alone
	server      *server      // nil where the database is a file
	node        *node        // nil where nobody else serves the database
	hasDamage   atomic.Bool  // see HasDamage
	broken      sync.Map     // games whose logs cannot be read, with the time of the discovery
	copier      *copier      // nil where there is no log of writes, or nobody waits for the disk
	dataVersion atomic.Int64 // see WrittenElsewhere
}

// Open opens the database file at path, making it if there is none, or the database of a server at its address, and brings its tables
// up to date, but not those of one that another program owns. One that was written by a newer program is refused.
func Open(path string) (*DB, error) { return (&DB{}).open(path, false) }

// OpenExisting is Open for a database that is there already.
func OpenExisting(path string) (*DB, error) {
	if !IsServer(path) {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("open the database: %w", err)
		}
	}
	return (&DB{existing: true}).open(path, false)
}

// OpenToFill opens a database alone that holds nothing, or makes it, for CarryTo: no life of it has begun.
func OpenToFill(path string) (s *DB, err error) {
	if s, err = (&DB{toFill: true}).open(path, true); err != nil {
		return nil, err
	}
	if held, err := s.holds(context.Background()); err != nil || held != "" {
		if err == nil {
			err = fmt.Errorf("the database %s holds something already (%s): name one that is empty. Nothing was changed", s.path, held)
		}
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// OpenAlone is Open for the program that runs tournaments in the database: it owns it until Close or its end, and a second one is
// refused with an InUseError before it writes anything. One that is damaged is refused with a DamagedError.
func OpenAlone(path string) (*DB, error) { return (&DB{}).open(path, true) }

// OpenScratch opens a database that is thrown away when the program ends: its commits do not wait for the disk.
func OpenScratch(path string) (*DB, error) { return (&DB{Scratch: true}).open(path, false) }

// OpenMemory opens an empty database that is gone once it is closed, or the program ends.
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
	s.Wall = time.Now
	if err := open(context.Background()); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// wake finds, on the writing connection, what others have written, the time, and the life of the database.
func (s *DB) wake(ctx context.Context) error {
	if _, err := s.WrittenElsewhere(ctx); err != nil {
		return err
	}
	wall, err := s.wall(ctx)
	if err != nil {
		return err
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

// Served tells whether the database is a server's, not a file.
func (s *DB) Served() bool { return s.server != nil }

// alone tells whether the database is this program's alone.
func (s *DB) alone() bool { return s.owned != nil || s.server != nil && s.server.claim != nil }

// newestTime is the newest time in a database, 0 for none.
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
	if s.node != nil {
		s.node.clock.set(start, time.Now())
		s.Now = s.node.clock.now
		return newest, nil
	}
	s.Now = func() time.Time { return start.Add(time.Since(wall)) }
	return newest, nil
}

// Millis is the time by the database's clock.
func (s *DB) Millis() engine.Millis { return engine.MillisOf(s.Now()) }

// WrittenElsewhere tells whether another process has written to the database since it was last asked. SQLite counts commits, but not
// those of the connection that asks, the only one that this process writes by. On PostgreSQL whoever writes beside an owner counts its
// transactions in the database, and its own apart; the owner asks by the way whether it still is the owner. Nodes are never alone.
func (s *DB) WrittenElsewhere(ctx context.Context) (bool, error) {
	query, own := `PRAGMA data_version`, int64(0)
	if s.server != nil {
		if s.server.claim != nil {
			if err := s.server.claim.sure(ctx); err != nil {
				return false, err
			}
		}
		if s.node != nil {
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

// Close closes both pools, and sets the database free.
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
	if s.node != nil && s.node.beats != nil {
		errs = append(errs, s.node.beats.Close())
	}
	if s.node != nil && s.node.counts != nil {
		errs = append(errs, s.node.counts.Close())
	}
	if s.owned != nil {
		errs = append(errs, s.owned.close())
	}
	if s.server != nil && s.server.claim != nil {
		errs = append(errs, s.server.claim.close(context.Background()))
	}
	return errors.Join(errs...)
}

// Tx runs f in one transaction on the writing connection: all of it is kept, or nothing when f
// returns an error. f must use tx only, never s.Write, which would wait for itself.
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

// fileTx is Tx on a file. Nobody who has gone cuts a statement short, for each of which SQLite's driver would start a watcher: the next
// one finds the transaction rolled back.
func (s *DB) fileTx(ctx context.Context, f func(tx *gorm.DB) error) error {
	err := s.Write.WithContext(ctx).Transaction(func(tx *gorm.DB) error { return f(tx.WithContext(context.WithoutCancel(ctx))) })
	if err != nil && ctx.Err() != nil && errors.Is(err, sql.ErrTxDone) {
		return ctx.Err()
	}
	s.Committed()
	return err
}

// On is gorm in a transaction that was begun without it on the writing connection. Nobody who has gone cuts a statement short, see fileTx.
func (s *DB) On(ctx context.Context, tx *sql.Tx) *gorm.DB {
	db := s.Write.Session(&gorm.Session{NewDB: true, Context: context.WithoutCancel(ctx)})
	db.Statement.ConnPool = tx
	return db
}

// Snapshot runs f in a reading transaction: everything it reads is of one moment.
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
		return fmt.Errorf("a long reader gives way to those who write: %w", context.DeadlineExceeded)
	}
	return err
}

// awaitLongLog waits until the log of writes is longer than it is to be, and is false where ctx ends first.
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

// Look is Snapshot for what reads one thing.
func Look[T any](ctx context.Context, s *DB, read func(db *gorm.DB) (T, error)) (seen T, err error) {
	err = s.Snapshot(ctx, func(db *gorm.DB) error {
		seen, err = read(db)
		return err
	})
	return seen, err
}

// errPreview rolls a preview back.
var errPreview = errors.New("only looked at")

// Try is Tx for what can be looked at first: a preview does the same, and is rolled back.
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

// Asked answers and runs statements: a pool of connections, or a transaction, of gorm or not.
type Asked interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// EachRow runs a statement without gorm and gives each of its rows to be scanned.
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

// IDs reads a column of ids.
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

// gormOn makes gorm of a pool of connections.
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
	create, update := db.Callback().Create(), db.Callback().Update() // which write a row alone: what belongs to it is only read along
	err = errors.Join(create.Remove("gorm:save_before_associations"), create.Remove("gorm:save_after_associations"),
		update.Remove("gorm:save_before_associations"), update.Remove("gorm:save_after_associations"))
	return db, pool, err
}

// InOrder lets the rows that Preload reads come in an order.
func InOrder(by string) func(*gorm.DB) *gorm.DB {
	return func(db *gorm.DB) *gorm.DB { return db.Order(by) }
}

// Without lets the rows that Preload reads come without a column.
func Without(column string) func(*gorm.DB) *gorm.DB {
	return func(db *gorm.DB) *gorm.DB { return db.Omit(column) }
}

// All gives the rows that a query finds.
func All[T any](query *gorm.DB) (rows []T, err error) {
	err = query.Find(&rows).Error
	return rows, err
}

// First gives the first row that a query finds, ok false where there is none.
func First[T any](query *gorm.DB) (row T, ok bool, err error) {
	found := query.Limit(1).Find(&row)
	return row, found.RowsAffected > 0, found.Error
}

// ByID gives the row with a number, or NotFound.
func ByID[T any](query *gorm.DB, what string, id int64) (row T, err error) {
	if err = query.Take(&row, id).Error; errors.Is(err, gorm.ErrRecordNotFound) {
		err = refuse.NotFound("err_"+what+"_not_found", "id", id)
	}
	return row, err
}

// MapOf makes a map of rows, of a key and a value of each.
func MapOf[T any, K comparable, V any](rows []T, of func(T) (K, V)) map[K]V {
	m := make(map[K]V, len(rows))
	for _, row := range rows {
		key, value := of(row)
		m[key] = value
	}
	return m
}
