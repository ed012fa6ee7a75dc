package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// ownersClass is the class of the lock of a database's owner.
const ownersClass = 0x6d656c64

// thisDatabase creates a table with one row that only PostgreSQL databases have, and the tables of nodes. The row
// records where the database was last served (a copy is in another place), its epoch, its owner, and how often programs
// other than the owner have written.
const thisDatabase = `CREATE TABLE IF NOT EXISTS this_database (id BIGINT PRIMARY KEY CHECK (id = 1), place TEXT NOT NULL DEFAULT '',
	epoch TEXT NOT NULL DEFAULT '', owner TEXT NOT NULL DEFAULT '', elsewhere BIGINT NOT NULL DEFAULT 0);
	INSERT INTO this_database (id) VALUES (1) ON CONFLICT DO NOTHING` + theNodes

// claim is the owner's lock on a database. A dedicated session holds the lock; any end of the session releases it.
// Nodes hold it together as a shared lock.
type claim struct {
	server *server
	mark   string // random, stored in the database: any later owner replaces it
	shares bool

	mu     sync.Mutex
	conn   *pgx.Conn
	marked bool
	lost   error // permanent: another program has owned the database since
}

// own makes this process the owner of a database until the claim is closed or the process ends.
func (v *server) own(ctx context.Context, shares bool) (*claim, error) {
	c := &claim{server: v, mark: rand.Text(), shares: shares}
	if shares {
		c.mark = sharedMark
	}
	return c, c.sure(ctx)
}

// holds reports whether the session with the lock is still open, without asking the server.
func (c *claim) holds() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost == nil && c.conn != nil && !c.conn.IsClosed()
}

// sure returns an error unless the lock is still held. If the connection is broken, sure takes the lock again, unless
// another program has owned the database since.
func (c *claim) sure(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost != nil {
		return c.lost
	}
	if c.conn != nil && !c.conn.IsClosed() && c.conn.Ping(ctx) == nil {
		return nil
	}
	if c.conn != nil {
		_ = c.conn.Close(ctx) // the connection is broken
		c.conn = nil
	}
	config := c.server.config.Copy()
	host, _ := os.Hostname()
	config.RuntimeParams["application_name"] = fmt.Sprintf("%.63s", fmt.Sprintf("meldhall %d %s", os.Getpid(), host))
	config.RuntimeParams["idle_session_timeout"] = "0"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return notReached(c.server.shown, err)
	}
	if err := c.take(ctx, conn); err != nil {
		_ = conn.Close(ctx)
		return err
	}
	c.conn = conn
	return nil
}

// take takes the lock in a session. It returns an InUseError if another program has the lock, and sets c.lost if
// another program has owned the database since. The caller must hold c.mu.
func (c *claim) take(ctx context.Context, conn *pgx.Conn) error {
	var got bool
	lock := `SELECT pg_try_advisory_lock($1, $2)`
	if c.shares {
		lock = `SELECT pg_try_advisory_lock_shared($1, $2)`
		if !c.marked { // nodes start one by one: the first may have to create the tables
			if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock($1, $2)`, startClass, c.server.key); err != nil {
				return fmt.Errorf("wait for another program that is starting: %w", err)
			}
		}
	}
	if err := conn.QueryRow(ctx, lock, ownersClass, c.server.key).Scan(&got); err != nil {
		return err
	}
	if !got { // it may be our old session, which the server has not ended yet
		return &InUseError{Path: c.server.shown, Server: true, Owner: c.owner(ctx, conn)}
	}
	if !c.marked {
		return nil
	}
	var mark string
	if err := conn.QueryRow(ctx, `SELECT owner FROM this_database`).Scan(&mark); err != nil {
		return err
	}
	if mark != c.mark {
		c.lost = fmt.Errorf("another program has used the database %s since this one lost it: restart this one",
			c.server.shown)
	}
	return c.lost
}

// owner returns the program that holds the lock, or a zero Owner if this user may not see it.
func (c *claim) owner(ctx context.Context, conn *pgx.Conn) (who Owner) {
	var name *string
	var since *time.Time
	err := conn.QueryRow(ctx, `SELECT a.application_name, a.backend_start FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
		WHERE l.locktype = 'advisory' AND l.granted AND l.classid = $1 AND l.objid = $2 AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
		ownersClass, c.server.key).Scan(&name, &since)
	if err != nil || name == nil || since == nil {
		return Owner{}
	}
	if is, _ := fmt.Sscanf(*name, "meldhall %d", &who.PID); is == 1 {
		_, who.Host, _ = strings.Cut(strings.TrimPrefix(*name, "meldhall "), " ")
		who.Since = *since
	}
	return who
}

// alone locks all other programs out of the database until the caller calls the returned function again. It returns an
// error if another program serves the database.
func (c *claim) alone(ctx context.Context) (again func(), err error) {
	if !c.shares {
		return func() {}, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var got bool
	if err := c.conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1, $2)`, ownersClass,
		c.server.key).Scan(&got); err != nil {
		return nil, err
	}
	if !got {
		return nil, errors.New("its schema is older, and other programs serve it: stop those first, then start " +
			"this one. Nothing was changed")
	}
	return c.unlocks(ownersClass), nil
}

// started releases the lock under which nodes start one by one, so that the next node can start.
func (c *claim) started() {
	if c.shares {
		c.unlocks(startClass)()
	}
}

func (c *claim) unlocks(class int) func() {
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		// the end of the session releases it too
		_, _ = c.conn.Exec(context.Background(), `SELECT pg_advisory_unlock($1, $2)`, class, c.server.key)
	}
}

func (c *claim) close(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return nil
	}
	_, _ = c.conn.Exec(ctx, `SELECT pg_advisory_unlock_all()`) // the server ends the session slightly later than Close
	return c.conn.Close(ctx)
}

// settlement returns an identifier of the place where the database is, and the place and epoch recorded when it was
// last served. A database restored from a dump has another ID, and one that was rewound is on another timeline.
func settlement(ctx context.Context, db *sql.DB) (place, placeBefore, epochBefore string, err error) {
	err = db.QueryRowContext(ctx, `SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || (SELECT oid
		FROM pg_database WHERE datname = current_database())
		|| '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), place, epoch FROM this_database`).Scan(&place, &placeBefore, &epochBefore)
	return place, placeBefore, epochBefore, err
}

// note records where the database is served, its epoch and its owner.
func (c *claim) note(ctx context.Context, db *sql.DB, place, epoch string) error {
	_, err := db.ExecContext(ctx, `UPDATE this_database SET place = $1, epoch = $2, owner = $3`, place, epoch, c.mark)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.marked = true
	return nil
}
