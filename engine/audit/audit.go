// Package audit is a second referee for whole games. It checks a log by engine/RULES.md alone, in a slow and simple
// way. It keeps the history that stands, derives all facts from it again at each event, and compares the log and the
// engine's state with them. It shares the event types and the exact search with the engine, but no decision.
package audit

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// Log gives the first thing in a log that is not as the rules of play say. A log of an engine that kept no edition was
// decided by other rules for rulings: it is not held against those of now.
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

// book is a game as a referee would write it down.
type book struct {
	seq      int
	at       engine.Millis
	edition  int // of the engine that decided the log
	rules    engine.Ruleset
	seats    int
	starter  int
	physical bool
	extra    [engine.MaxSeats]int
	phase    engine.Phase
	deal     int
	awaits   bool // a new deal has been asked for, and comes next
	doubles  [engine.MaxSeats]bool
	now      moment
	starts   map[int]moment // by number: how it stood when a turn first had it
	rulings  []*ruling
	out      [engine.MaxSeats]bool
	warnings [engine.MaxSeats]int
	called   bool // time was
	stopped  bool // the clock is
	left     engine.Millis
	ending   string
	proposes *engine.PenaltyProposed // must come next
	ends     string                  // the game must end so next
}

// moment is how things stand: what a rewind goes back to.
type moment struct {
	seq      int
	number   int
	seat     int
	started  engine.Millis
	due      engine.Millis
	pool     tile.List
	touched  int  // seq of what changed the pool last
	dry      bool // with real tiles: somebody has drawn the last one
	racks    [engine.MaxSeats]tile.List
	table    []tile.List
	opened   [engine.MaxSeats]bool
	able     [engine.MaxSeats]bool
	history  []step
	proposed []engine.Proposal
	drawn    map[int]tile.List // penalty tiles, by the seq of the ruling
	stands   map[int]bool      // by seq, rulings that a rewind undoes
}

// step is a thing in the history that stands.
type step struct {
	did   stepKind
	seat  int
	since []int // emptied: who has begun a turn since then, it being known later
}

type stepKind int

const (
	began    stepKind = iota // a turn
	restarts                 // the running turn begins anew
	laid                     // or drew, or lost: a turn ended that was not passed
	passed                   // with an empty pool
	placed                   // an official put the tiles
	emptied                  // the pool
	filled                   // the pool again
)

// ruling is one that an official gave.
type ruling struct {
	seq, turn, deal, seat int
	kind                  string
	at                    engine.Millis
	taken                 int // seq of what took it back, 0: it stands
	proposal              int
	asked, tiles          int
	timed                 bool // it moved the turn's time
	moved, room           engine.Millis
	before                *moment // forfeit: as it stood, if the turn was the seat's own
	left                  engine.Millis
	stood                 bool // the clock did
}

var errRights = errors.New("the seat has no right to a redeal")

func (m moment) copied() moment {
	m.history, m.proposed = slices.Clone(m.history), slices.Clone(m.proposed)
	m.drawn, m.stands = maps.Clone(m.drawn), maps.Clone(m.stands)
	m.table = slices.Clone(m.table)
	return m
}

// empty tells whether there is nothing to draw.
func (b *book) empty() bool {
	if b.physical {
		return b.now.dry
	}
	return len(b.now.pool) == 0
}

// did adds to the history.
func (b *book) did(kind stepKind, seat int) {
	b.now.history = append(b.now.history, step{did: kind, seat: seat})
}

// pooled notes what an act made of the pool: was tells whether it was empty before.
func (b *book) pooled(was bool) {
	switch {
	case !was && b.empty():
		b.did(emptied, 0)
	case was && !b.empty():
		b.did(filled, 0)
	}
}

// drew moves the pool's next tiles to a rack; they must be those that the log names, as many as there are up to n.
func (b *book) drew(seat int, tiles tile.List, n int) error {
	want := b.now.pool[:min(n, len(b.now.pool))]
	if !slices.Equal(tiles, want) {
		return fmt.Errorf("%v drawn, the pool's next tiles are %v", tiles, want)
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

// ruled notes a ruling.
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
