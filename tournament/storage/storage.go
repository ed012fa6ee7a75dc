// Package storage is the database of all tournaments: one SQLite file, its tables, its copies.
package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"gorm.io/driver/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	msqlite "modernc.org/sqlite"

	"meldhall/engine"
	"meldhall/tournament/refuse"
)

// Below this version SQLite may corrupt a WAL that two connections write and checkpoint at once.
const (
	sqliteLeast = "3.51.3"
	readers     = 4
	walMost     = 64 << 20         // bytes that are kept of the log of writes: what a long reader made it longer is cut off after him
	readMost    = 30 * time.Second // for which one reader may hold it up
)

// DB is the database of all tournaments, one SQLite file. A commit that returned is on the disk.
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

	owned       *ownership   // nil where the file is not this program's alone
	dataVersion atomic.Int64 // see WrittenElsewhere
}

// Open opens the database file at path, making it if there is none, and brings its tables up to date, but not those of a file that
// another program owns. A file written by a newer program is refused.
func Open(path string) (*DB, error) { return (&DB{}).open(path, false) }

// OpenAlone is Open for the program that runs tournaments in the file: it owns it until Close or its end, and a second one is
// refused with an InUseError before it writes anything. A file that is damaged is refused with a DamagedError.
func OpenAlone(path string) (*DB, error) { return (&DB{}).open(path, true) }

// OpenScratch opens a database that is thrown away when the program ends: its commits do not wait for the disk.
func OpenScratch(path string) (*DB, error) { return (&DB{Scratch: true}).open(path, false) }

func (s *DB) open(path string, alone bool) (_ *DB, err error) {
	s.path, s.Wall = path, time.Now
	if err := touch(path); err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	if alone {
		if s.owned, err = own(path); err != nil {
			return nil, err
		}
	}
	if err := s.begin(path); err != nil {
		if err = s.damaged(err); !errors.As(err, new(*DamagedError)) {
			err = fmt.Errorf("open database %s: %w", path, err)
		}
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// begin looks at the owner's file, every page and every definition, before a connection that writes touches it, and connects.
func (s *DB) begin(path string) error {
	info, err := os.Stat(path)
	if err == nil && s.owned != nil && info.Size() > 0 {
		err = lookAt(path, "quick_check")
	}
	if err != nil {
		return err
	}
	return s.connect(path)
}

func (s *DB) connect(path string) (err error) {
	const common = "_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)"
	synchronous := "full"
	if s.Scratch {
		synchronous = "off"
	}
	file := "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()
	if s.Write, s.WriteSQL, err = connect(file+"?"+common+"&_pragma=journal_mode(wal)&_pragma=synchronous("+synchronous+")"+
		"&_pragma=wal_autocheckpoint(4000)&_pragma=journal_size_limit("+strconv.Itoa(walMost)+")&_txlock=immediate", 1); err != nil {
		return err
	}
	var version string
	if err := s.WriteSQL.QueryRow("SELECT sqlite_version()").Scan(&version); err != nil {
		return err
	}
	if !atLeast(version, sqliteLeast) {
		return fmt.Errorf("SQLite %s is older than %s", version, sqliteLeast)
	}
	ctx := context.Background()
	if err := s.migrate(ctx); err != nil {
		return err
	}
	if _, err := s.WrittenElsewhere(ctx); err != nil {
		return err
	}
	newest, err := s.setClock(ctx, time.Now())
	if err != nil {
		return err
	}
	if err := s.setEpoch(ctx, newest); err != nil {
		return err
	}
	s.Read, s.ReadSQL, err = connect(file+"?mode=ro&"+common+"&_pragma=query_only(1)", readers)
	return err
}

const selectNewest = `SELECT max(coalesce((SELECT at FROM heartbeat WHERE id = 1), 0), coalesce((SELECT at FROM game_events ORDER BY id DESC LIMIT 1), 0))`

// setClock begins at the time of day, or at the newest time in the database where that is later, and goes on with the time that
// runs from then: setting the machine's clock moves no deadline, whether the program runs or not, and while the machine sleeps
// no turn runs (faults.md 30 and 31). Between two starts the heartbeat tells how long nothing ran. It gives the newest time that
// was found, 0 for none.
func (s *DB) setClock(ctx context.Context, wall time.Time) (newest engine.Millis, err error) {
	if err := s.WriteSQL.QueryRowContext(ctx, selectNewest).Scan(&newest); err != nil {
		return 0, err
	}
	start := wall
	if last := time.UnixMilli(int64(newest)); last.After(wall) {
		s.Behind = last.Sub(wall)
		start = last
	}
	s.Now = func() time.Time { return start.Add(time.Since(wall)) }
	return newest, nil
}

// Millis is the time by the database's clock.
func (s *DB) Millis() engine.Millis { return engine.MillisOf(s.Now()) }

// WrittenElsewhere tells whether another process has written to the database since it was last asked. This process writes by one
// connection, which does not count its own commits.
func (s *DB) WrittenElsewhere(ctx context.Context) (bool, error) {
	var version int64
	if err := s.WriteSQL.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&version); err != nil {
		return false, err
	}
	return s.dataVersion.Swap(version) != version, nil
}

// Close closes both pools, and gives the file free.
func (s *DB) Close() error {
	var errs []error
	if s.WriteSQL != nil && s.Epoch.Name != "" {
		errs = append(errs, s.NoteServed(context.Background()))
	}
	for _, db := range []*sql.DB{s.ReadSQL, s.WriteSQL} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	if s.owned != nil {
		errs = append(errs, s.owned.file.Close())
	}
	return errors.Join(errs...)
}

// Tx runs f in one transaction on the writing connection: all of it is kept, or nothing when f
// returns an error. f must use tx only, never s.Write, which would wait for itself.
func (s *DB) Tx(ctx context.Context, f func(tx *gorm.DB) error) error {
	return s.Write.WithContext(ctx).Transaction(f)
}

// Snapshot runs f in a reading transaction: everything it reads is of one moment.
func (s *DB) Snapshot(ctx context.Context, f func(db *gorm.DB) error) error {
	ctx, cancel := context.WithTimeout(ctx, readMost)
	defer cancel()
	return s.Read.WithContext(ctx).Transaction(f)
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

// IDs reads a column of ids.
func (s *DB) IDs(ctx context.Context, query string, args ...any) ([]int64, error) {
	rows, err := s.ReadSQL.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

func connect(dsn string, conns int) (*gorm.DB, *sql.DB, error) {
	pool := sql.OpenDB(&keepingConnector{dsn: dsn})
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	db, err := gorm.Open(dialector{sqlite.Dialector{Conn: pool}}, &gorm.Config{
		SkipDefaultTransaction: true,
		TranslateError:         true,
		Logger:                 logger.Discard,
	})
	if err != nil {
		return nil, nil, errors.Join(err, pool.Close())
	}
	create, update := db.Callback().Create(), db.Callback().Update() // which write a row alone: what belongs to it is only read along
	err = errors.Join(create.Remove("gorm:save_before_associations"), create.Remove("gorm:save_after_associations"),
		update.Remove("gorm:save_before_associations"), update.Remove("gorm:save_after_associations"))
	return db, pool, err
}

// dialector is gorm's own dialect over the pure-Go driver, whose errors it cannot read. It links the driver that it would use itself,
// without cgo a stub that is never opened: a dialect of our own would save that, and be one more thing to keep.
type dialector struct{ sqlite.Dialector }

// Translate makes gorm's errors of SQLite's extended result codes.
func (d dialector) Translate(err error) error {
	var e *msqlite.Error
	if errors.As(err, &e) {
		switch e.Code() {
		case 1555, 2067: // primary key, unique
			return gorm.ErrDuplicatedKey
		case 787:
			return gorm.ErrForeignKeyViolated
		}
	}
	return err
}

// IsClash tells whether err is a broken unique key, from gorm or from raw SQL.
func IsClash(err error) bool {
	return errors.Is(dialector{}.Translate(err), gorm.ErrDuplicatedKey) || errors.Is(err, gorm.ErrDuplicatedKey)
}

// Clash makes a Conflict of a broken unique key; other errors stay.
func Clash(err error, key string, nameValues ...any) error {
	if IsClash(err) {
		return refuse.Conflict(key, nameValues...)
	}
	return err
}

// touch makes the file readable by its owner alone: it holds password hashes and running games.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

func atLeast(version, least string) bool {
	have, want := strings.Split(version, "."), strings.Split(least, ".")
	for i := range want {
		if i >= len(have) {
			return false
		}
		h, _ := strconv.Atoi(have[i])
		w, _ := strconv.Atoi(want[i])
		if h != w {
			return h > w
		}
	}
	return true
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
