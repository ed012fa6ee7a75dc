package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"meldhall/tournament/store"
)

// simFault is a fault of the disk or a crash. All but diskRefuses affect only the next commit.
type simFault string

const (
	diskRefuses      simFault = "refused writes"
	commitRefused    simFault = "refused commit"
	commitUnanswered simFault = "commit that is said to have failed"
	commitStands     simFault = "process stopped while it commits"
	crashBefore      simFault = "killed before a commit"
	crashTorn        simFault = "killed while a commit is written, its last pages torn"
	crashAfter       simFault = "killed between commit and answer"
)

var errSimGone = errors.New("the process is gone")

// simDisk is a process's writing connection on a simulated disk that fails as planned.
type simDisk struct {
	simConn
	p     *simProcess
	inTx  bool
	plays bool // writes a game's events or the heartbeat, which play depends on
}

// simConn lists the interfaces that the store's connections implement for database/sql.
type simConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// putDisk inserts the simulated disk between a store and its writing connection. takeDisk returns the borrowed
// connection.
func (p *simProcess) putDisk() error {
	p.pool = p.store.WriteSQL
	var err error
	if p.lent, err = p.pool.Conn(context.Background()); err != nil {
		return err
	}
	// simulated crashes do not lose data in the operating system
	if _, err = p.lent.ExecContext(context.Background(), "PRAGMA synchronous=off"); err != nil {
		return err
	}
	err = p.lent.Raw(func(conn any) error {
		p.disk = &simDisk{simConn: conn.(simConn), p: p}
		return nil
	})
	p.store.WriteSQL = sql.OpenDB(p.disk)
	p.store.WriteSQL.SetMaxOpenConns(1)
	p.store.Write.Config.ConnPool, p.store.Write.Statement.ConnPool = p.store.WriteSQL, p.store.WriteSQL
	return err
}

func (p *simProcess) takeDisk() error {
	err := p.store.WriteSQL.Close()
	p.store.WriteSQL = p.pool
	return errors.Join(err, p.lent.Close())
}

func (d *simDisk) Connect(context.Context) (driver.Conn, error) { return d, nil }
func (d *simDisk) Driver() driver.Driver                        { return nil }

// Close does nothing, because the connection belongs to the store.
func (d *simDisk) Close() error { return nil }

func (d *simDisk) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if verb, _, _ := strings.Cut(query, " "); strings.Contains("INSERT UPDATE DELETE", strings.ToUpper(verb)) {
		if d.p.dead.Load() {
			return nil, errSimGone
		}
		d.plays = d.inTx && d.plays || strings.Contains(query, "game_events") || strings.Contains(query, "heartbeat")
		if d.p.plan.refuses() {
			return nil, d.refused()
		}
		if !d.inTx {
			defer d.p.written()
		}
	}
	return d.simConn.ExecContext(ctx, query, args)
}

func (d *simDisk) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	tx, err := d.simConn.BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	d.inTx, d.plays = true, false
	return &simTx{tx, d}, nil
}

type simTx struct {
	driver.Tx
	disk *simDisk
}

func (t *simTx) Rollback() error {
	t.disk.inTx = false
	return t.Tx.Rollback()
}

// Commit commits, subject to the planned fault.
func (t *simTx) Commit() error {
	p := t.disk.p
	t.disk.inTx = false
	if p.dead.Load() {
		return errors.Join(errSimGone, t.Tx.Rollback())
	}
	fault, stands, tear := p.plan.meet()
	if fault != "" {
		p.sim.count(string(fault))
	}
	whole := -1
	switch fault {
	case diskRefuses, commitRefused:
		return errors.Join(t.disk.refused(), t.Tx.Rollback())
	case crashBefore:
		return errors.Join(p.die(whole), t.Tx.Rollback(), errSimGone)
	case commitStands:
		p.stand(stands)
	}
	before := p.walBytes()
	if err := t.Tx.Commit(); err != nil {
		return err
	}
	switch fault {
	case crashTorn:
		if grown := p.walBytes() - before; grown > 0 {
			whole = before + tear%grown
		}
		return errors.Join(p.die(whole), errSimGone)
	case crashAfter:
		return p.die(whole)
	case commitUnanswered:
		return p.sim.refusal
	}
	p.written()
	return nil
}

// refused records when game writes began to fail. From then on, players lose time.
func (d *simDisk) refused() error {
	d.p.plan.mu.Lock()
	defer d.p.plan.mu.Unlock()
	if d.plays && d.p.plan.refusedAt == 0 {
		d.p.plan.refusedAt = d.p.store.Millis()
	}
	return d.p.sim.refusal
}

// written ends an outage during which nothing could be written.
func (p *simProcess) written() {
	p.plan.mu.Lock()
	defer p.plan.mu.Unlock()
	if p.plan.refusedAt != 0 {
		p.sim.outage(p.plan.refusedAt, p.store.Millis())
		p.plan.refusedAt = 0
	}
}

func (p *simProcess) walBytes() int {
	info, err := os.Stat(p.path + "-wal")
	if err != nil {
		return 0
	}
	return int(info.Size())
}

// die kills the process. The next process finds a copy of the files as they are now, with only the first wal bytes of
// the write-ahead log; -1 keeps all.
func (p *simProcess) die(wal int) error {
	p.sim.lives++
	dir := filepath.Join(p.sim.dir, strconv.Itoa(p.sim.lives))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	p.sim.path = filepath.Join(dir, "hall.db")
	p.diedAt = p.store.Millis()
	for _, part := range []string{"", "-wal", ".lock"} {
		if err := copyPart(p.path+part, p.sim.path+part, wal, part == "-wal"); err != nil {
			return err
		}
	}
	p.dead.Store(true)
	return nil
}

func copyPart(from, to string, most int, cut bool) error {
	in, err := os.Open(from)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	source := io.Reader(in)
	if cut && most >= 0 {
		source = io.LimitReader(in, int64(most))
	}
	_, err = io.Copy(out, source)
	return err
}

// refusalOf returns the error that SQLite reports when it cannot write.
func refusalOf(s *store.DB) error {
	if _, err := s.WriteSQL.Exec("PRAGMA query_only(1)"); err != nil {
		return err
	}
	_, refusal := s.WriteSQL.Exec("DELETE FROM heartbeat")
	_, err := s.WriteSQL.Exec("PRAGMA query_only(0)")
	return errors.Join(refusal, err)
}

// stand suspends the process for a time.
func (p *simProcess) stand(long time.Duration) {
	from := p.store.Millis()
	p.sim.stood.Add(int64(long))
	if long >= simStall {
		p.sim.outage(from, p.store.Millis())
	}
}
