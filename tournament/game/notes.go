package game

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

const (
	// notesMost limits the queue of notes to be written. A note holds at most two tables, about 2 KB.
	notesMost = 10_000
	// evidenceEvery is the longest time that a note waits, and evidenceLeast the shortest time between two batches.
	evidenceEvery = time.Second
	evidenceLeast = 200 * time.Millisecond
	// evidenceBatch is the number of rows per transaction. The log's writer never waits for more than one.
	evidenceBatch = 500
)

// note is evidence that has not been written yet. A note about a device has a table but no game yet.
type note struct {
	row           Evidence
	table         int64
	before, after []tile.LaidFaces // of a draft
	data          any              // of all other kinds
}

// Notes accepts evidence without blocking and writes it in batches, in a goroutine that the first note starts.
type Notes struct {
	games *Games
	off   bool // for measuring the cost of evidence

	mu      sync.Mutex
	waiting []note
	lost    int
	begun   bool
	closed  bool
	hurry   chan struct{}
	stop    chan struct{}
	stopped chan struct{}

	writing sync.Mutex      // serializes the batches
	played  map[int64]int64 // by table: its game at the last note of a device; guarded by writing
}

func newNotes(games *Games) *Notes {
	return &Notes{games: games, played: map[int64]int64{}, hurry: make(chan struct{}, 1), stop: make(chan struct{}),
		stopped: make(chan struct{})}
}

// add queues a note. It never waits for the disk.
func (n *Notes) add(one note) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.closed:
		return
	case len(n.waiting) >= notesMost:
		n.lost++
		return
	case !n.begun:
		n.begun = true
		go n.run()
	}
	n.waiting = append(n.waiting, one)
}

// turnEnded requests that the notes be written soon.
func (n *Notes) turnEnded() {
	select {
	case n.hurry <- struct{}{}:
	default:
	}
}

func (n *Notes) run() {
	defer close(n.stopped)
	tick := time.NewTicker(evidenceEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-n.hurry:
		case <-n.stop:
			n.flush()
			return
		}
		n.flush()
		select {
		case <-time.After(evidenceLeast):
		case <-n.stop:
			n.flush()
			return
		}
	}
}

// close writes the waiting notes and ends the goroutine. Later notes are dropped.
func (n *Notes) close() {
	n.mu.Lock()
	begun, closed := n.begun, n.closed
	n.closed = true
	n.mu.Unlock()
	if !closed && begun {
		close(n.stop)
		<-n.stopped
	}
}

// flush writes the waiting notes. Those that cannot be written keep waiting.
func (n *Notes) flush() {
	n.writing.Lock()
	defer n.writing.Unlock()
	n.mu.Lock()
	batch, lost := n.waiting, n.lost
	n.waiting, n.lost = nil, 0
	n.mu.Unlock()
	if len(batch) == 0 {
		return
	}
	rows := n.rows(context.Background(), batch)
	if lost > 0 && len(rows) > 0 {
		last := rows[len(rows)-1]
		data, _ := json.Marshal(Lost{lost})
		rows = append(rows, Evidence{GameID: last.GameID, Turn: last.Turn, Seat: last.Seat, At: last.At,
			Kind: EvidenceLost, Data: string(data)})
		slog.Warn("evidence was lost: the buffer is full", "notes", lost)
	}
	for len(rows) > 0 {
		some := rows[:min(len(rows), evidenceBatch)]
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		err := addEvidence(ctx, n.games.DB, some)
		cancel()
		if store.IsOrphan(err) {
			if left := n.ofGames(rows); len(left) < len(rows) {
				rows = left
				continue
			}
		}
		if err != nil {
			slog.Error("writing evidence failed; retrying", "rows", len(rows), "err", err)
			n.putBack(rows)
			return
		}
		rows = rows[len(some):]
	}
}

// ofGames returns the rows whose games still exist. Withdrawing a round deletes its games, and this program may not
// have noticed that yet.
func (n *Notes) ofGames(rows []Evidence) []Evidence {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	gone := map[int64]bool{}
	for _, row := range rows {
		if _, asked := gone[row.GameID]; asked {
			continue
		}
		found, err := n.games.DB.IDs(ctx, `SELECT id FROM games WHERE id = $1`, row.GameID)
		gone[row.GameID] = err == nil && len(found) == 0
	}
	return slices.DeleteFunc(rows, func(row Evidence) bool { return gone[row.GameID] })
}

// putBack requeues rows that could not be written, ahead of those that have arrived since. If the queue is full, it
// drops the newest notes and counts them as lost.
func (n *Notes) putBack(rows []Evidence) {
	n.mu.Lock()
	defer n.mu.Unlock()
	back := make([]note, 0, len(rows)+len(n.waiting))
	for _, row := range rows {
		back = append(back, note{row: row})
	}
	back = append(back, n.waiting...)
	n.waiting = back[:min(len(back), notesMost)]
	n.lost += len(back) - len(n.waiting)
}

// rows turns notes into rows. It skips those of practice tables and of devices without a game.
func (n *Notes) rows(ctx context.Context, batch []note) []Evidence {
	rows := make([]Evidence, 0, len(batch))
	for _, one := range batch {
		if one.row.Data != "" {
			rows = append(rows, one.row)
			continue
		}
		if one.row.GameID == 0 && !n.place(ctx, &one) {
			continue
		}
		data := one.data
		if one.row.Kind == EvidenceDraft {
			data = changeOf(one.before, one.after)
		}
		text, err := json.Marshal(data)
		if err != nil {
			slog.Error("encoding evidence failed", "kind", one.row.Kind, "err", err)
			continue
		}
		one.row.Data = string(text)
		rows = append(rows, one.row)
	}
	return rows
}

// place finds the game that a table is playing, and its turn.
func (n *Notes) place(ctx context.Context, one *note) bool {
	snap, err := n.gameAt(ctx, one.table)
	if err != nil || snap.Ref.Practice != "" {
		return false
	}
	one.row.GameID, one.row.Turn = snap.Ref.ID, snap.State.Turn.Number
	return true
}

// placesMost limits the number of tables whose current game is cached.
const placesMost = 50_000

// gameAt returns the current game of a table. A game stays the current one until it is over, so a device that keeps
// coming and going costs one database query per game.
func (n *Notes) gameAt(ctx context.Context, table int64) (*Snapshot, error) {
	if game := n.played[table]; n.games.cache.inMemory(game) != nil {
		if snap, err := n.games.Look(ctx, game); err == nil && snap.State.Phase != engine.PhaseOver &&
			snap.Ref.TableID == table {
			return snap, nil
		}
	}
	current, err := CurrentAtTable(ctx, n.games.DB, table)
	if err != nil {
		return nil, err
	}
	if len(n.played) >= placesMost {
		clear(n.played)
	}
	n.played[table] = current.Game
	return n.games.Look(ctx, current.Game)
}

// draft records how a player moved tiles.
func (n *Notes) draft(before, after *Snapshot) {
	if after.Ref.Practice != "" || n.off {
		return
	}
	d := after.Draft
	one := note{row: Evidence{GameID: after.Ref.ID, Turn: d.Turn, Seat: d.Seat, At: engine.MillisOf(n.games.DB.Now()),
		Kind: EvidenceDraft}, after: d.Table}
	if before.Draft != nil && before.Draft.Turn == d.Turn {
		one.before = before.Draft.Table
	} else {
		one.before = after.State.Table.Laid()
	}
	n.add(one)
}

// submission records a submission without success. Accepted ones are in the log.
func (n *Notes) submission(ref *Ref, at engine.Millis, c engine.Command, answer Answer, err error) {
	var refusal *engine.Refusal
	if ref.Practice != "" || n.off || err != nil && !errors.As(err, &refusal) {
		return
	}
	if refusal == nil && (answer.Again || answer.Outcome != (engine.TurnExpired{}).Kind()) {
		n.turnEnded()
		return
	}
	n.add(submitted(ref.ID, at, c, refusal))
}

// Device records a change in the connection of a player's device. data is a Gap, a Battery, or nil. Device
// never blocks; the table's game is looked up later.
func (n *Notes) Device(me rights.Actor, kind string, at engine.Millis, data any) {
	if me.Table == 0 || me.Seat < 0 || n.off {
		return
	}
	// every program notices these; only one records them
	if (kind == EvidenceOffline || kind == EvidenceBack) && !n.games.Owner.Owns(me.Table) {
		return
	}
	if data == nil {
		data = struct{}{}
	}
	n.add(note{row: Evidence{Seat: me.Seat, At: at, Kind: kind}, table: me.Table, data: data})
}
