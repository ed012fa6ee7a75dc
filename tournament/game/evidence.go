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
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// Evidence is one thing that is known of a turn besides its events. It is kept for officials, decides nothing, and is
// not the log: it is written up to a second later, and what a crash takes of it is gone. Turn is the log's number of
// the turn that ran, or, of a refused command, that it was for.
type Evidence struct {
	ID     int64
	GameID int64
	Turn   int
	Seat   int
	At     engine.Millis
	Kind   string
	Data   string // JSON, by kind
}

// TableName is evidence.
func (Evidence) TableName() string { return "evidence" }

// The kinds of evidence, with their data.
const (
	EvidenceDraft   = "draft"   // tiles were moved: DraftChange
	EvidenceRefused = "refused" // a submission was refused: Submission
	EvidenceLate    = "late"    // a submission came after the deadline and its grace, and the turn expired: Submission
	EvidenceOffline = "offline" // the device is silent: Gap
	EvidenceBack    = "back"    // it was silent for a while, and is there again: Gap
	EvidenceOpened  = "opened"  // the page of the seat was opened again: a reload, or another page
	EvidenceTaken   = "taken"   // a page was still there whose seat another one had taken
	EvidenceJoined  = "joined"  // a device took the seat with a code
	EvidenceBattery = "battery" // Battery
	EvidenceLost    = "lost"    // more came than could be kept: Lost
)

// Submission is what a player submitted in vain, and why. Table is as DraftChange.All.
type Submission struct {
	Command string `json:"command" doc:"play, draw or pass"`
	Table   string `json:"table,omitempty" doc:"the whole table as it was to lie, as text: cell and tiles of each set"`
	Code    string `json:"code,omitempty" doc:"why it was refused"`
	Set     int    `json:"set" doc:"the set at fault, counted from 0 in the table; -1: none"`
	Points  int    `json:"points,omitempty"`
	Need    int    `json:"need,omitempty"`
	Detail  string `json:"detail,omitempty"`
}

// Gap is a time without a sign of a seat's device.
type Gap struct {
	Since engine.Millis `json:"since"`
}

// Battery is the charge of a seat's device.
type Battery struct {
	Charge int  `json:"charge" doc:"percent"`
	Low    bool `json:"low"`
}

// Lost says how much could not be kept.
type Lost struct {
	Notes int `json:"notes"`
}

const (
	// notesMost bounds what waits to be written; a note holds two tables at most, some 2 KB.
	notesMost = 10_000
	// evidenceEvery is how long a note waits at most, and evidenceLeast the shortest time between two batches.
	evidenceEvery = time.Second
	evidenceLeast = 200 * time.Millisecond
	// evidenceBatch is how many rows are written in one transaction: the log's writer waits no longer than that.
	evidenceBatch = 500
)

// note is one thing on its way to the disk. A device's has no game yet, but a table.
type note struct {
	row           Evidence
	table         int64
	before, after []engine.LaidFaces // of a draft
	data          any                // of the others
}

// notes takes what is to be kept, without waiting, and writes it in batches, by one goroutine that the first note starts.
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

	writing sync.Mutex      // one batch after another
	played  map[int64]int64 // by table, the game that it played when one of its devices was noted last; writing is held
}

func newNotes(games *Games) *notes {
	return &notes{games: games, played: map[int64]int64{}, hurry: make(chan struct{}, 1), stop: make(chan struct{}), stopped: make(chan struct{})}
}

// add never blocks on the disk.
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

// turnEnded lets what is known of a turn be written soon.
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

// close writes what waits and ends the goroutine. Later notes are not kept.
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

// flush writes what waits. What cannot be written waits on.
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
		rows = append(rows, Evidence{GameID: last.GameID, Turn: last.Turn, Seat: last.Seat, At: last.At, Kind: EvidenceLost, Data: string(data)})
		slog.Warn("evidence was lost: more came than could be kept", "notes", lost)
	}
	for len(rows) > 0 {
		some := rows[:min(len(rows), evidenceBatch)]
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		err := addEvidence(ctx, n.games.DB, some)
		cancel()
		if storage.IsOrphan(err) {
			if left := n.ofGames(rows); len(left) < len(rows) {
				rows = left
				continue
			}
		}
		if err != nil {
			slog.Error("evidence could not be written yet", "rows", len(rows), "err", err)
			n.putBack(rows)
			return
		}
		rows = rows[len(some):]
	}
}

// ofGames are the rows whose games are still there: a round that is taken back takes its games along, which this node may not know yet.
func (n *notes) ofGames(rows []Evidence) []Evidence {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	gone := map[int64]bool{}
	for _, row := range rows {
		if _, asked := gone[row.GameID]; asked {
			continue
		}
		found, err := n.games.DB.IDs(ctx, `SELECT id FROM games WHERE id = ?`, row.GameID)
		gone[row.GameID] = err == nil && len(found) == 0
	}
	return slices.DeleteFunc(rows, func(row Evidence) bool { return gone[row.GameID] })
}

// putBack lets rows that could not be written wait with those that have come since, as far as there is room.
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

// rows makes rows of notes, without those of practice tables and of devices at no game.
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
			slog.Error("evidence cannot be written down", "kind", one.row.Kind, "err", err)
			continue
		}
		one.row.Data = string(text)
		rows = append(rows, one.row)
	}
	return rows
}

// place finds the game that a table plays, and its turn.
func (n *notes) place(ctx context.Context, one *note) bool {
	snap, err := n.gameAt(ctx, one.table)
	if err != nil || snap.Ref.Practice != "" {
		return false
	}
	one.row.GameID, one.row.Turn = snap.Ref.ID, snap.State.Turn.Number
	return true
}

// placesMost bounds of how many tables it is remembered which game they play.
const placesMost = 50_000

// gameAt is the current game of a table. One that was it stays it until it is over: the devices of a table that come and go all the time
// ask the database once a game.
func (n *notes) gameAt(ctx context.Context, table int64) (*Snapshot, error) {
	if game := n.played[table]; n.games.inMemory(game) != nil {
		if snap, err := n.games.Look(ctx, game); err == nil && snap.State.Phase != engine.PhaseOver && snap.Ref.TableID == table {
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

// noteDraft keeps how a player has moved tiles.
func (g *Games) noteDraft(before, after *Snapshot) {
	if after.Ref.Practice != "" || g.noEvidence {
		return
	}
	d := after.Draft
	one := note{row: Evidence{GameID: after.Ref.ID, Turn: d.Turn, Seat: d.Seat, At: engine.MillisOf(g.DB.Now()), Kind: EvidenceDraft}, after: d.Table}
	if before.Draft != nil && before.Draft.Turn == d.Turn {
		one.before = before.Draft.Table
	} else {
		one.before = after.State.Table.Laid()
	}
	g.notes.add(one)
}

// noteSubmission keeps what a player submitted in vain. What was accepted stands in the log.
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

// submitted is the note of a command that was refused, or came too late.
func submitted(game int64, at engine.Millis, c engine.Command, refusal *engine.Refusal) note {
	row, s := submissionOf(c)
	row.GameID, row.At, row.Kind = game, at, EvidenceLate
	if refusal != nil {
		row.Kind = EvidenceRefused
		s.Code, s.Set, s.Points, s.Need, s.Detail = refusal.Code, refusal.Set, refusal.Points, refusal.Need, refusal.Detail
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

// NoteDevice keeps what became of the connection of a player's device: data is a Gap, a Battery, or nil. It never
// blocks, and finds the game that the player's table plays later.
func (g *Games) NoteDevice(me rights.Actor, kind string, at engine.Millis, data any) {
	if me.Table == 0 || me.Seat < 0 || g.noEvidence {
		return
	}
	if (kind == EvidenceOffline || kind == EvidenceBack) && !g.Owns(me.Table) { // every node notices that, and one keeps it
		return
	}
	if data == nil {
		data = struct{}{}
	}
	g.notes.add(note{row: Evidence{Seat: me.Seat, At: at, Kind: kind}, table: me.Table, data: data})
}
