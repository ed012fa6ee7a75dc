package game

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Evidence is a fact about a turn besides its events. It is kept for officials and decides nothing. It is not part of
// the log: it is written up to a second later, and a crash may lose some of it. Turn is the log's number of the running
// turn or, for a refused command, of the turn that it was for.
type Evidence struct {
	ID     int64
	GameID int64
	Turn   int
	Seat   int
	At     engine.Millis
	Kind   string
	Data   string // JSON; its type depends on Kind
}

// TableName returns the database table of evidence.
func (Evidence) TableName() string { return "evidence" }

// The kinds of evidence, with the type of their data.
const (
	EvidenceDraft   = "draft"   // tiles were moved: DraftChange
	EvidenceRefused = "refused" // a submission was refused: Submission
	EvidenceLate    = "late"    // a submission came too late and the turn expired: Submission
	EvidenceOffline = "offline" // the device is silent: Gap
	EvidenceBack    = "back"    // the device is back after a silence: Gap
	EvidenceOpened  = "opened"  // the seat's page was opened again: a reload or another page
	EvidenceTaken   = "taken"   // a page was still open after another one took its seat
	EvidenceJoined  = "joined"  // a device took the seat with a code
	EvidenceBattery = "battery" // Battery
	EvidenceLost    = "lost"    // more arrived than could be stored: Lost
)

// Submission is what a player submitted without success, and why it failed. Table has the format of DraftChange.All.
type Submission struct {
	Command string `json:"command" doc:"play, draw or pass"`
	Table   string `json:"table,omitempty" doc:"the whole submitted table as text: cell and tiles of each set"`
	Code    string `json:"code,omitempty" doc:"the code of the refusal"`
	Set     int    `json:"set" doc:"the set at fault, counted from 0 in the table; -1: none"`
	Points  int    `json:"points,omitempty"`
	Need    int    `json:"need,omitempty"`
	Detail  string `json:"detail,omitempty"`
}

// Gap is a period without any sign of a seat's device.
type Gap struct {
	Since engine.Millis `json:"since"`
}

// Battery is the charge of a seat's device.
type Battery struct {
	Charge int  `json:"charge" doc:"percent"`
	Low    bool `json:"low"`
}

// Lost counts evidence that could not be stored.
type Lost struct {
	Notes int `json:"notes"`
}

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

// notes accepts evidence without blocking and writes it in batches, in a goroutine that the first note starts.
type notes struct {
	games *Games

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

func newNotes(games *Games) *notes {
	return &notes{games: games, played: map[int64]int64{}, hurry: make(chan struct{}, 1), stop: make(chan struct{}),
		stopped: make(chan struct{})}
}

// add queues a note. It never waits for the disk.
func (n *notes) add(one note) {
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
func (n *notes) turnEnded() {
	select {
	case n.hurry <- struct{}{}:
	default:
	}
}

func (n *notes) run() {
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
func (n *notes) close() {
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
func (n *notes) flush() {
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

// ofGames returns the rows whose games still exist. Taking a round back deletes its games, which this program may not
// have noticed yet.
func (n *notes) ofGames(rows []Evidence) []Evidence {
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

// putBack queues rows that could not be written again, in front of those that have arrived since, as far as there is
// room.
func (n *notes) putBack(rows []Evidence) {
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
func (n *notes) rows(ctx context.Context, batch []note) []Evidence {
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
func (n *notes) place(ctx context.Context, one *note) bool {
	snap, err := n.gameAt(ctx, one.table)
	if err != nil || snap.Ref.Practice != "" {
		return false
	}
	one.row.GameID, one.row.Turn = snap.Ref.ID, snap.State.Turn.Number
	return true
}

// placesMost limits for how many tables the current game is remembered.
const placesMost = 50_000

// gameAt returns the current game of a table. A game stays the current one until it is over, so a device that keeps
// coming and going costs one database query per game.
func (n *notes) gameAt(ctx context.Context, table int64) (*Snapshot, error) {
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

// noteDraft records how a player moved tiles.
func (g *Games) noteDraft(before, after *Snapshot) {
	if after.Ref.Practice != "" || g.noEvidence {
		return
	}
	d := after.Draft
	one := note{row: Evidence{GameID: after.Ref.ID, Turn: d.Turn, Seat: d.Seat, At: engine.MillisOf(g.DB.Now()),
		Kind: EvidenceDraft}, after: d.Table}
	if before.Draft != nil && before.Draft.Turn == d.Turn {
		one.before = before.Draft.Table
	} else {
		one.before = after.State.Table.Laid()
	}
	g.notes.add(one)
}

// noteSubmission records a submission without success. Accepted ones are in the log.
func (g *Games) noteSubmission(ref *Ref, at engine.Millis, c engine.Command, answer Answer, err error) {
	var refusal *engine.Refusal
	if ref.Practice != "" || g.noEvidence || err != nil && !errors.As(err, &refusal) {
		return
	}
	if refusal == nil && (answer.Again || answer.Outcome != (engine.TurnExpired{}).Kind()) {
		g.notes.turnEnded()
		return
	}
	g.notes.add(submitted(ref.ID, at, c, refusal))
}

// submitted returns the note of a command that was refused or came too late.
func submitted(game int64, at engine.Millis, c engine.Command, refusal *engine.Refusal) note {
	row, s := submissionOf(c)
	row.GameID, row.At, row.Kind = game, at, EvidenceLate
	if refusal != nil {
		row.Kind = EvidenceRefused
		s.Code, s.Set, s.Points, s.Need, s.Detail = refusal.Code, refusal.Set, refusal.Points, refusal.Need,
			refusal.Detail
	}
	return note{row: row, data: s}
}

func submissionOf(c engine.Command) (Evidence, Submission) {
	switch c := c.(type) {
	case engine.Play:
		return Evidence{Turn: c.Turn, Seat: c.Seat}, Submission{Command: "play", Table: tableText(c.Table), Set: -1}
	case engine.Draw:
		return Evidence{Turn: c.Turn, Seat: c.Seat}, Submission{Command: "draw", Set: -1}
	case engine.Pass:
		return Evidence{Turn: c.Turn, Seat: c.Seat}, Submission{Command: "pass", Set: -1}
	}
	return Evidence{}, Submission{Command: fmt.Sprintf("%T", c), Set: -1}
}

// NoteDevice records a change in the connection of a player's device. data is a Gap, a Battery, or nil. NoteDevice
// never blocks; the table's game is looked up later.
func (g *Games) NoteDevice(me rights.Actor, kind string, at engine.Millis, data any) {
	if me.Table == 0 || me.Seat < 0 || g.noEvidence {
		return
	}
	// every program notices these; only one records them
	if (kind == EvidenceOffline || kind == EvidenceBack) && !g.Owner.Owns(me.Table) {
		return
	}
	if data == nil {
		data = struct{}{}
	}
	g.notes.add(note{row: Evidence{Seat: me.Seat, At: at, Kind: kind}, table: me.Table, data: data})
}
