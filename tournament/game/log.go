package game

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"meldhall/engine"
	"meldhall/tournament/signing"
	"meldhall/tournament/store"
)

// Entry is a stored event. Seq counts from 1 within a game. Chain is the event's hash, see store.ChainedEvent.
type Entry struct {
	Seq    int
	Event  engine.Event
	Actor  string
	Cmd    string // the command's key, only on its first event
	Signed signing.Signed
	Chain  string
}

// By says whose command caused an event. Cmd is the command's key and Signed how the player's device signed it; both
// are set only on the command's first event.
type By struct {
	Actor, Cmd string
	Signed     *signing.Signed // nil: unsigned
}

// ErrClash is returned for an append whose seq or command key is already in the log. Read the tail and decide again.
var ErrClash = errors.New("the log has moved on")

// ErrLogClosed is returned for an append while the program is stopping.
var ErrLogClosed = errors.New("append: the log is closed")

const (
	// The most appends per commit. If a hall asks for more than the machine can do, appends wait in the queue, where
	// those of the clock go first, rather than in a commit. A database server gets larger batches, because each commit
	// is a network round trip.
	batchMost, serverMost = 32, 500
	// Under load the writer waits a moment for more appends, because a commit writes about as many pages for one row as
	// for dozens. A lone command does not wait. If several programs append, each has only part of the load and
	// waits proportionally longer.
	busyBatch  = 3
	gather     = 4 * time.Millisecond
	gatherMost = 16 * time.Millisecond
	gatherDue  = 24 // with this many waiting, a commit without a disk sync begins
	atOnce     = 64 // the most events per statement
	// commitMost is the timeout of a commit.
	commitMost = 30 * time.Second

	insertEvent = `INSERT INTO game_events (game_id, seq, kind, version, data, actor, cmd_id, at, salt, chain,
		signed, sum) VALUES `
	oneEvent     = `(?,?,?,?,?,?,?,?,?,?,?,?)`
	eventColumns = 12
	readEvents   = `SELECT game_id, seq, kind, version, data, actor, coalesce(cmd_id, ''), at, sum, salt, chain,
		coalesce(signed, '')
		FROM game_events `
	// see selectTails
	selectEvents = readEvents +
		`WHERE game_id = (SELECT CAST($1 AS BIGINT)) AND seq > (SELECT CAST($2 AS BIGINT)) ORDER BY seq`
)

// Log is the append-only log of all games. One writer commits the appends of many games together, so a slow disk costs
// one sync for all of them. Each append gets its own answer after the commit, and one that clashes never fails the
// others.
type Log struct {
	// Committed is called after each commit, successful or not. It must not block, and must be set before the first
	// append.
	Committed func(Commit)

	store    *store.DB
	inserts  []insert // see insertsFor
	most     int      // the most appends per commit
	waiting  atomic.Int64
	writers  atomic.Int64        // programs that append to the logs; 0: only this one
	first    chan *appendRequest // appends of the clock and work of Together, which go first
	requests chan *appendRequest
	answered sync.Pool // requests that the writer has released, for reuse
	together []any     // owned by the writer: the values of its next statement
	stop     chan struct{}
	stopped  chan struct{}
}

// Commit describes one commit to the log: what it wrote, how long it took, and why it failed.
type Commit struct {
	Events, Turns int
	Took          time.Duration
	Err           error
}

// OpenLog starts the writer. Close ends it.
func OpenLog(db *store.DB) *Log {
	l := &Log{Committed: func(Commit) {}, store: db, inserts: insertsFor(db), most: batchMost,
		first:    make(chan *appendRequest, serverMost),
		requests: make(chan *appendRequest, serverMost), answered: sync.Pool{New: newRequest},
		stop: make(chan struct{}), stopped: make(chan struct{})}
	if db.Served() || db.Scratch {
		l.most = serverMost
	}
	go l.write()
	return l
}

// SetWriters sets how many programs append to the logs.
func (l *Log) SetWriters(n int) { l.writers.Store(int64(n)) }

// Close commits what is waiting and ends the writer. Appends after it fail.
func (l *Log) Close() {
	close(l.stop)
	<-l.stopped
}

// Append durably writes the events of one command after seq, or returns ErrClash and writes nothing. *head is the hash
// of the event at seq, empty for a new log; Append sets it to the hash of the last event. Events of the clock go ahead
// of all others that wait.
func (l *Log) Append(ctx context.Context, game int64, seq int, head *string, events []engine.Event, by By,
	project func(*sql.Tx) error) error {
	req := l.answered.Get().(*appendRequest)
	if err := req.fill(game, seq, head, events, by); err != nil {
		return err
	}
	req.project = project
	to := l.requests
	if by.Actor == clockName {
		to = l.first
	}
	return l.ask(ctx, to, req)
}

// ask passes a request to the writer, which owns it from then on, and waits for the answer.
func (l *Log) ask(ctx context.Context, to chan<- *appendRequest, req *appendRequest) error {
	l.waiting.Add(1)
	defer l.waiting.Add(-1)
	if err := l.handOver(ctx, to, req); err != nil {
		return err
	}
	// Once the writer has the request, the caller must wait: the answer must match the disk.
	select {
	case err := <-req.done:
		l.answered.Put(req.empty())
		return err
	case <-l.stopped:
	}
	select {
	case err := <-req.done: // of the last batch
		return err
	default:
		return ErrLogClosed
	}
}

// handOver passes a request to the writer. There is nearly always room, so the caller's context need not be watched.
func (l *Log) handOver(ctx context.Context, to chan<- *appendRequest, req *appendRequest) error {
	select {
	case to <- req:
		return nil
	default:
	}
	select {
	case to <- req:
		return nil
	case <-l.stop:
		return ErrLogClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *Log) write() {
	defer close(l.stopped)
	batch := make([]*appendRequest, 0, l.most)
	for {
		writers := int(max(l.writers.Load(), 1))
		busy := len(batch)*writers >= busyBatch
		select {
		case req := <-l.first:
			batch = append(batch[:0], req)
		case req := <-l.requests:
			batch = append(batch[:0], req)
		case <-l.stop:
			for batch = l.drain(batch[:0]); len(batch) > 0; batch = l.drain(batch[:0]) {
				batch = l.commit(batch)
			}
			return
		}
		switch {
		case l.store.Scratch: // without disk syncs: batch callers that are about to ask, while more arrive
			for before := -1; before < len(l.requests) && len(l.requests) < gatherDue; {
				before = len(l.requests)
				runtime.Gosched()
			}
		case busy && len(l.requests) < l.most:
			time.Sleep(min(gather*time.Duration(writers), gatherMost))
		}
		batch = l.commit(batch)
	}
}

// drain adds waiting requests to a batch, as many as fit.
func (l *Log) drain(batch []*appendRequest) []*appendRequest {
	for len(batch) < l.most {
		select {
		case req := <-l.first:
			batch = append(batch, req)
			continue
		default:
		}
		select {
		case req := <-l.requests:
			batch = append(batch, req)
		default:
			return batch
		}
	}
	return batch
}

// commit writes a batch and everything that is waiting, sends each answer, and returns the batch. If the transaction
// itself fails, nothing has been written and all requests get the error.
func (l *Log) commit(batch []*appendRequest) []*appendRequest {
	began := time.Now()
	if l.store.Served() { // it may become a single query, which later requests cannot join
		batch = l.drain(batch)
	}
	var answers []error
	var err error
	if l.store.Served() && isPlain(batch) {
		answers, err = l.writeAtOnce(batch)
	} else {
		batch, answers, err = l.writeInTx(batch)
	}
	if answers == nil { // not begun, or outcome unknown: fail the waiting requests as well
		batch = l.drain(batch)
	}
	l.Committed(told(batch, answers, time.Since(began), err))
	for i, req := range batch {
		switch {
		case err == nil:
			req.done <- answers[i]
		case req.appends():
			req.done <- fmt.Errorf("append to game %d: %w", req.game, err)
		default:
			req.done <- err
		}
	}
	return batch
}

// writeInTx writes a batch in one transaction. Once the transaction has begun, it adds the requests that have arrived
// in the meantime, since another program's writer or an official's action may have held the database until then. If
// answers is nil, the transaction did not begin.
func (l *Log) writeInTx(batch []*appendRequest) (_ []*appendRequest, answers []error, err error) {
	err = l.inTx(func(tx *sql.Tx) error {
		batch = l.drain(batch)
		answers = make([]error, len(batch))
		together, err := l.writeTogether(tx, batch)
		for i, req := range batch {
			if err == nil && !(together && req.appends()) {
				answers[i], err = l.writeOne(tx, req)
			}
		}
		return err
	})
	return batch, answers, err
}

// Waiting returns how many requests wait for their commit: appends and work of Together.
func (l *Log) Waiting() int { return int(l.waiting.Load()) }

// told returns the summary of a commit.
func told(batch []*appendRequest, answers []error, took time.Duration, err error) Commit {
	c := Commit{Took: took, Err: err}
	for i, req := range batch {
		if err != nil || answers[i] != nil {
			continue
		}
		c.Events += len(req.rows)
		for _, row := range req.rows {
			if slices.Contains(turnEnds, row.kind) {
				c.Turns++
			}
		}
	}
	return c
}

// turnEnds are the events that end a player's turn.
var turnEnds = engine.TurnEnds()

func (l *Log) inTx(f func(*sql.Tx) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), commitMost)
	defer cancel()
	tx, err := l.store.WriteSQL.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	defer l.store.Committed()
	return tx.Commit()
}

// insertsFor returns the statements that write several events at once. There are only a few, because each stays
// prepared. SQLite does not get numbered placeholders, because it takes as long to find each as there are parameters:
// 64 events would take 1.9 ms instead of 0.1 ms.
func insertsFor(db *store.DB) (by []insert) {
	for n := atOnce; n >= 1; n /= 2 {
		rows := strings.Repeat(oneEvent+",", n-1) + oneEvent
		if db.Served() {
			rows = store.Values(n, eventColumns)
		}
		by = append(by, insert{n, insertEvent + rows + " ON CONFLICT DO NOTHING"})
	}
	return by
}

type insert struct {
	n    int
	text string
}

// leastTogether is the smallest number of events for which a savepoint saves more than it costs.
const leastTogether = 4

// writeTogether writes all appends with as few statements as possible and then runs each one's project. If one clashes
// or a project fails, it writes nothing and returns false, and each append must be written alone. That is rare, because
// it takes two commands for the same turn.
func (l *Log) writeTogether(tx *sql.Tx, batch []*appendRequest) (bool, error) {
	rows := 0
	for _, req := range batch {
		rows += len(req.rows)
	}
	if rows < leastTogether {
		return false, nil
	}
	values := l.together[:0]
	for _, req := range batch {
		values = append(values, req.values...)
	}
	defer clear(values)
	l.together = values
	if _, err := tx.Exec("SAVEPOINT together"); err != nil {
		return false, err
	}
	written, err := l.insertEvents(tx, values)
	if err != nil {
		return false, err
	}
	whole := written == rows
	for _, req := range batch {
		if whole && req.appends() && req.project != nil {
			whole = req.project(tx) == nil
		}
	}
	if !whole {
		if _, err := tx.Exec("ROLLBACK TO together"); err != nil {
			return false, err
		}
	}
	_, err = tx.Exec("RELEASE together")
	return whole, err
}

// insertEvents writes events and returns how many were not there yet.
func (l *Log) insertEvents(tx *sql.Tx, values []any) (written int, err error) {
	for _, insert := range l.inserts {
		for ; len(values) >= insert.n*eventColumns; values = values[insert.n*eventColumns:] {
			result, err := tx.Exec(insert.text, values[:insert.n*eventColumns]...)
			if err != nil {
				return written, err
			}
			n, err := result.RowsAffected()
			if err != nil {
				return written, err
			}
			written += int(n)
		}
	}
	return written, nil
}

// writeOne writes one append. The first error is the answer to this append; the second aborts the whole batch.
func (l *Log) writeOne(tx *sql.Tx, req *appendRequest) (own, fatal error) {
	if req.project != nil {
		if _, err := tx.Exec("SAVEPOINT one"); err != nil {
			return nil, err
		}
		defer func() {
			if fatal == nil && own != nil {
				_, fatal = tx.Exec("ROLLBACK TO one")
			}
			if fatal == nil {
				_, fatal = tx.Exec("RELEASE one")
			}
		}()
	}
	for i, row := range req.rows {
		n, err := l.insertEvents(tx, req.values[i*eventColumns:(i+1)*eventColumns])
		if err != nil {
			return nil, err
		}
		if n == 0 {
			if i > 0 {
				return nil, fmt.Errorf("seq %d is taken, but seq %d was not", row.seq, req.rows[0].seq)
			}
			return ErrClash, nil
		}
	}
	if req.project != nil {
		return req.project(tx), nil
	}
	return nil, nil
}
