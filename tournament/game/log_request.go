package game

import (
	"database/sql"
	"slices"

	"meldhall/engine"
	"meldhall/tournament/storage"
)

// appendRequest is a command's events on their way to the disk. project, if any, writes what follows
// from them in the same transaction; without events it is what Together does. values are the rows as they are written: whoever appends
// makes them, not the writer, for whom everybody waits. done gets the answer after the commit.
type appendRequest struct {
	game    int64
	rows    []eventRow
	values  []any
	project func(tx *sql.Tx) error
	done    chan error
}

func newRequest() any { return &appendRequest{done: make(chan error, 1)} }

// fill makes it a request to append events after seq. *head is the hash of the event at seq; fill sets it to the hash
// of the last event.
func (r *appendRequest) fill(game int64, seq int, head *string, events []engine.Event, actor, cmd string) error {
	r.game = game
	var room [512]byte // for nearly every event
	for i, e := range events {
		data, err := engine.AppendEvent(room[:0], e)
		if err != nil {
			return err
		}
		r.rows = append(r.rows, eventRow{seq: seq + 1 + i, kind: e.Kind(), data: string(data), actor: actor, at: int64(e.When())})
	}
	if cmd != "" {
		r.rows[0].cmd = cmd
	}
	for i := range r.rows {
		row := &r.rows[i]
		if _, reason, _ := storage.CutReason(row.data); reason != "" {
			row.salt = storage.NewSalt()
		}
		row.chain = row.link(game, engine.EventVersion, *head)
		*head = row.chain
	}
	r.values = appendValues(r.values, game, r.rows)
	return nil
}

// appends tells whether it has events.
func (r *appendRequest) appends() bool { return len(r.rows) > 0 }

// empty holds nothing but the room for another append.
func (r *appendRequest) empty() *appendRequest {
	clear(r.rows)
	clear(r.values)
	*r = appendRequest{rows: r.rows[:0], values: r.values[:0], done: r.done}
	return r
}

type eventRow struct {
	seq               int
	kind, data, actor string
	cmd               string // "" for the later events of a command
	at                int64
	salt, chain       string // see storage.ChainedEvent
}

// link returns the row's hash; before is the hash of the row before it.
func (r eventRow) link(game int64, version int, before string) string {
	return storage.ChainedEvent{Seq: r.seq, Kind: r.kind, Version: version, At: r.at, Actor: r.actor, Data: r.data,
		Salt: r.salt}.Link(game, before)
}

// sum is the checksum that is kept with the row.
func (r eventRow) sum(game int64, version int) int64 {
	return storage.Sum(game, r.seq, r.kind, version, r.data, r.actor, r.cmd, r.at)
}

// appendValues appends what is kept of events, in the types that a driver takes as they are.
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
