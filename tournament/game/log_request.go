package game

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"runtime/debug"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/store"
)

// appendRequest holds a command's events on their way to the disk. project, if any, makes the writes that follow from
// them, in the same transaction. A request without events comes from Together. values are the rows as written; the
// appending goroutine builds them, not the writer, which would hold up all the others. done receives the answer after
// the commit.
type appendRequest struct {
	game    int64
	rows    []eventRow
	values  []any
	project func(tx *sql.Tx) error
	done    chan error
}

func newRequest() any { return &appendRequest{done: make(chan error, 1)} }

// fill turns r into a request to append events after seq. *head is the hash of the event at seq; fill sets it to the
// hash of the last event.
func (r *appendRequest) fill(game int64, seq int, head *string, events []engine.Event, by By) error {
	r.game = game
	for i, e := range events {
		data, err := engine.Encode(e)
		if err != nil {
			return err
		}
		r.rows = append(r.rows, eventRow{seq: seq + 1 + i, kind: e.Kind(), data: string(data), actor: by.Actor,
			at: int64(e.When())})
	}
	if len(r.rows) > 0 {
		if r.rows[0].cmd = by.Cmd; by.Signed != nil {
			r.rows[0].signed = by.Signed.String()
		}
	}
	for i := range r.rows {
		row := &r.rows[i]
		if _, reason, _ := store.CutReason(row.data); reason != "" {
			row.salt = store.NewSalt()
		}
		row.chain = row.link(game, engine.EventVersion, *head)
		*head = row.chain
	}
	r.values = appendValues(r.values, game, r.rows)
	return nil
}

// appends reports whether the request has events.
func (r *appendRequest) appends() bool { return len(r.rows) > 0 }

// empty clears the request and keeps its buffers for another append.
func (r *appendRequest) empty() *appendRequest {
	clear(r.rows)
	clear(r.values)
	*r = appendRequest{rows: r.rows[:0], values: r.values[:0], done: r.done}
	return r
}

type eventRow struct {
	seq               int
	kind, data, actor string
	cmd               string // "" for all but the first event of a command
	at                int64
	salt, chain       string // see store.ChainedEvent
	signed            string // see signing.Signed; "" if the command was not signed
}

// link returns the row's hash; before is the hash of the row before it.
func (r eventRow) link(game int64, version int, before string) string {
	return store.ChainedEvent{Seq: r.seq, Kind: r.kind, Version: version, At: r.at, Actor: r.actor, Data: r.data,
		Salt: r.salt}.Link(game, before)
}

// sum returns the checksum that is stored with the row.
func (r eventRow) sum(game int64, version int) int64 {
	return store.Sum(game, r.seq, r.kind, version, r.data, r.actor, r.cmd, r.at)
}

// appendValues appends the columns of events, in types that a driver takes without conversion.
func appendValues(values []any, game int64, rows []eventRow) []any {
	values = slices.Grow(values, len(rows)*eventColumns)
	for _, row := range rows {
		var cmd, signed any
		if row.cmd != "" {
			cmd = row.cmd
		}
		if row.signed != "" {
			signed = row.signed
		}
		values = append(values, game, int64(row.seq), row.kind, int64(engine.EventVersion), row.data, row.actor, cmd,
			row.at, row.salt, row.chain, signed)
		values = append(values, row.sum(game, engine.EventVersion))
	}
	return values
}

// errPanicked makes the writer roll back work that panicked.
var errPanicked = errors.New("the work panicked")

// Together runs f in the writer's next transaction, together with the appends in it. It is meant for short work that a
// whole hall asks for at once, so that it shares one commit. It goes before moves, however many wait, because a table
// waits for it. f must use only tx and must not wait for a game. Together returns after the commit. If f fails or
// panics, its work is rolled back and its caller gets the error or the panic; the rest is written. On a server's
// database f gets a transaction of its own, because commits do not wait for one another there.
func (l *Log) Together(ctx context.Context, f func(tx *gorm.DB) error) error {
	if l.store.Served() {
		return l.store.Tx(ctx, f)
	}
	var panicked any
	do := func(tx *sql.Tx) (err error) {
		defer func() {
			if panicked = recover(); panicked != nil {
				// the re-panic in the caller loses this stack
				slog.Error("panic", "what", panicked, "stack", string(debug.Stack()))
				err = errPanicked
			}
		}()
		return f(l.store.On(ctx, tx))
	}
	req := l.answered.Get().(*appendRequest)
	req.project = do
	err := l.ask(ctx, l.first, req)
	if panicked != nil {
		panic(panicked)
	}
	return err
}
