package storage

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// ownersClass is of the lock that the owner of a database has.
const ownersClass = 0x6d656c64

// thisDatabase is a table that only PostgreSQL's databases have, of one row: where the database was served last (a copy of it is
// elsewhere), in which life, by whom, and how often others than the owner have written.
const thisDatabase = `CREATE TABLE IF NOT EXISTS this_database (id BIGINT PRIMARY KEY CHECK (id = 1), place TEXT NOT NULL DEFAULT '',
	epoch TEXT NOT NULL DEFAULT '', owner TEXT NOT NULL DEFAULT '', elsewhere BIGINT NOT NULL DEFAULT 0);
	INSERT INTO this_database (id) VALUES (1) ON CONFLICT DO NOTHING` + theNodes

// claim is the owner's lock on a database: a session of its own holds it, and its end, in whatever way, sets it free. Several have it
// together where all of them share.
type claim struct {
	server *server
	mark   string // by chance, written into the database: whoever owned it in between has written another one
	shares bool

	mu     sync.Mutex
	conn   *pgx.Conn
	marked bool
	lost   error // for good: somebody else has owned the database since
}

// own makes this process the owner of a database until the claim is closed or the process ends.
func (v *server) own(ctx context.Context, shares bool) (*claim, error) {
	c := &claim{server: v, mark: rand.Text(), shares: shares}
	if shares {
		c.mark = sharedMark
	}
	return c, c.sure(ctx)
}

// holds tells whether the session that has the lock is still there, as far as is known without asking.
func (c *claim) holds() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost == nil && c.conn != nil && !c.conn.IsClosed()
}

// sure asks whether the lock is still held, and takes it again after the connection was cut, where nobody else had it in between.
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
		_ = c.conn.Close(ctx) // it is cut
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

// take gets the lock for a session.
func (c *claim) take(ctx context.Context, conn *pgx.Conn) error {
	var got bool
	lock := `SELECT pg_try_advisory_lock($1, $2)`
	if c.shares {
		lock = `SELECT pg_try_advisory_lock_shared($1, $2)`
		if !c.marked { // one starts after the other: the first may have to make the tables, by itself
			if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock($1, $2)`, startClass, c.server.key); err != nil {
				return fmt.Errorf("wait for another program that is starting: %w", err)
			}
		}
	}
	if err := conn.QueryRow(ctx, lock, ownersClass, c.server.key).Scan(&got); err != nil {
		return err
	}
	if !got { // it may be our own session of before, which the server does not know yet to have ended
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
		c.lost = fmt.Errorf("another program has had the database %s since this one lost it: start this one again", c.server.shown)
	}
	return c.lost
}

// owner tells who has the lock, as far as this user may see.
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

// alone makes sure, for a moment, that nobody shares the database with this program.
func (c *claim) alone(ctx context.Context) (again func(), err error) {
	if !c.shares {
		return func() {}, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var got bool
	if err := c.conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1, $2)`, ownersClass, c.server.key).Scan(&got); err != nil {
		return nil, err
	}
	if !got {
		return nil, errors.New("its tables are of an older version, and other programs serve it: stop those first, then start this one. Nothing was changed")
	}
	return c.unlocks(ownersClass), nil
}

// started lets the next node start, which has waited since it asked for the lock.
func (c *claim) started() {
	if c.shares {
		c.unlocks(startClass)()
	}
}

func (c *claim) unlocks(class int) func() {
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		_, _ = c.conn.Exec(context.Background(), `SELECT pg_advisory_unlock($1, $2)`, class, c.server.key) // the end of the session does it too
	}
}

// written is called when the mark is in the database.
func (c *claim) written() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.marked = true
}

func (c *claim) close(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return nil
	}
	_, _ = c.conn.Exec(ctx, `SELECT pg_advisory_unlock_all()`) // the session ends a moment after this program has gone on
	return c.conn.Close(ctx)
}

// settle finds where the database is, and whether it is where it was served last: one that was made of a dump has another number, one
// that was wound back goes by another timeline. The owner leaves its mark.
func (s *DB) settle(ctx context.Context) (place, placeBefore, epochBefore string, err error) {
	err = s.WriteSQL.QueryRowContext(ctx, `SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())
		|| '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), place, epoch FROM this_database`).Scan(&place, &placeBefore, &epochBefore)
	return place, placeBefore, epochBefore, err
}

// noteSettled writes down where the database is served, in which life and by whom.
func (s *DB) noteSettled(ctx context.Context, place string) error {
	_, err := s.WriteSQL.ExecContext(ctx, `UPDATE this_database SET place = ?, epoch = ?, owner = ?`, place, s.Epoch.Name, s.server.claim.mark)
	if err == nil {
		s.server.claim.written()
	}
	return err
}
