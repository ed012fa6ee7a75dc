package game

import (
	"database/sql"
	"slices"

	"meldhall/engine"
	"meldhall/tournament/store"
)

// appendRequest holds a command's events on their way to the disk. project, if any, writes what follows from them in
// the same transaction; a request without events is one of Together. values are the rows as written; the appending
// goroutine builds them, not the writer, which would hold up all the others. done receives the answer after the commit.
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
func (r *appendRequest) fill(game int64, seq int, head *string, events []engine.Event, actor, cmd string) error {
	r.game = game
	for i, e := range events {
		data, err := engine.Encode(e)
		if err != nil {
			return err
		}
		r.rows = append(r.rows, eventRow{seq: seq + 1 + i, kind: e.Kind(), data: string(data), actor: actor,
			at: int64(e.When())})
	}
	if cmd != "" {
		r.rows[0].cmd = cmd
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
		var cmd any
		if row.cmd != "" {
			cmd = row.cmd
		}
		values = append(values, game, int64(row.seq), row.kind, int64(engine.EventVersion), row.data, row.actor, cmd,
			row.at, row.salt, row.chain)
		values = append(values, row.sum(game, engine.EventVersion))
	}
	return values
}
