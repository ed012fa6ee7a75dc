// Package audit is a second, independent referee for whole games. It checks a log against engine/RULES.md alone, in a
// slow and simple way. It keeps the history in force, derives all facts from it again at each event, and compares the
// log and the engine's state with them. It shares the event types and the exact search with the engine, but no
// decision.
package audit

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// Log returns an error for the first event of a log that breaks the rules of play. It does not check a log without an
// edition, because such a log was decided under other rules for rulings.
func Log(events []engine.Event) error {
	b := book{starts: map[int]moment{}}
	var s engine.State
	for i, e := range events {
		if started, ok := e.(engine.GameStarted); ok && started.Edition == 0 {
			return nil
		}
		b.seq, b.at = i+1, e.When()
		err := b.enter(e, events[i+1:])
		if s = engine.Apply(s, e); err == nil {
			err = b.agrees(s)
		}
		if err != nil {
			return fmt.Errorf("seq %d, %s: %w", i+1, e.Kind(), err)
		}
	}
	return nil
}

// book is the record of a game as a referee would keep it.
type book struct {
	seq      int
	at       engine.Millis
	edition  int // edition of the engine that decided the log
	rules    ruleset.Ruleset
	seats    int
	starter  int
	physical bool
	extra    [ruleset.MaxSeats]int
	phase    engine.Phase
	deal     int
	awaits   bool // a new deal has been asked for and must come next
	doubles  [ruleset.MaxSeats]bool
	now      moment
	starts   map[int]moment // by turn number: the moment at which the turn first began
	rulings  []*ruling
	out      [ruleset.MaxSeats]bool
	warnings [ruleset.MaxSeats]int
	called   bool // time was called
	stopped  bool // the clock is stopped
	left     engine.Millis
	ending   string
	proposes *engine.PenaltyProposed // this proposal must come next
	ends     string                  // the game must end next, for this reason
}

// moment is the state of the game that a rewind returns to.
type moment struct {
	seq      int
	number   int
	seat     int
	started  engine.Millis
	due      engine.Millis
	pool     tile.List
	touched  int  // seq of the event that changed the pool last
	dry      bool // with real tiles: the last tile has been drawn
	racks    [ruleset.MaxSeats]tile.List
	table    []tile.List
	opened   [ruleset.MaxSeats]bool
	able     [ruleset.MaxSeats]bool
	history  []step
	proposed []engine.Proposal
	drawn    map[int]tile.List // penalty tiles, by the seq of the ruling
	stands   map[int]bool      // by seq: the rulings in force, of the kinds that a rewind undoes
}

// step is an entry of the history in force.
type step struct {
	did   stepKind
	seat  int
	since []int // for emptied: seats that have begun a turn since, if reported later
}

type stepKind int

const (
	began    stepKind = iota // a turn began
	restarts                 // the current turn began again
	laid                     // a turn ended that was not passed: a play, a draw or a lost turn
	passed                   // a turn was passed with an empty pool
	placed                   // an official set the tiles
	emptied                  // the pool became empty
	filled                   // the pool has tiles again
)

// ruling is a ruling by an official.
type ruling struct {
	seq, turn, deal, seat int
	kind                  string
	at                    engine.Millis
	taken                 int // seq of the event that cancelled it; 0: it is in force
	proposal              int
	asked, tiles          int
	timed                 bool // it moved the turn's time
	moved, room           engine.Millis
	before                *moment // for a forfeit: the moment before it, if the turn was the seat's own
	left                  engine.Millis
	stood                 bool // the clock was stopped
}

var errRights = errors.New("the seat has no right to a redeal")

func (m moment) copied() moment {
	m.history, m.proposed = slices.Clone(m.history), slices.Clone(m.proposed)
	m.drawn, m.stands = maps.Clone(m.drawn), maps.Clone(m.stands)
	m.table = slices.Clone(m.table)
	return m
}

// empty reports whether the pool is empty.
func (b *book) empty() bool {
	if b.physical {
		return b.now.dry
	}
	return len(b.now.pool) == 0
}

// did adds an entry to the history.
func (b *book) did(kind stepKind, seat int) {
	b.now.history = append(b.now.history, step{did: kind, seat: seat})
}

// pooled records whether the pool has become empty or has tiles again. was reports whether it was empty before.
func (b *book) pooled(was bool) {
	switch {
	case !was && b.empty():
		b.did(emptied, 0)
	case was && !b.empty():
		b.did(filled, 0)
	}
}

// drew moves the pool's next tiles to a rack. They must be those that the log names: n of them, or all if the pool has
// fewer.
func (b *book) drew(seat int, tiles tile.List, n int) error {
	want := b.now.pool[:min(n, len(b.now.pool))]
	if !slices.Equal(tiles, want) {
		return fmt.Errorf("%v drawn, but the pool's next tiles are %v", tiles, want)
	}
	if len(tiles) == 0 {
		return nil
	}
	b.now.racks[seat] = slices.Concat(b.now.racks[seat], tiles)
	b.now.pool = b.now.pool[len(tiles):]
	if b.empty() {
		b.did(emptied, 0)
	}
	return nil
}

// ruled records a ruling.
func (b *book) ruled(e engine.Event, seat int) *ruling {
	r := &ruling{seq: b.seq, turn: b.now.number, deal: b.deal, seat: seat, kind: e.Kind(), at: b.at}
	b.rulings = append(b.rulings, r)
	return r
}

func (b *book) rulingOf(seq int) *ruling {
	for _, r := range b.rulings {
		if r.seq == seq {
			return r
		}
	}
	return nil
}
