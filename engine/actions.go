package engine

import (
	"slices"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// Actions holds the last actions of a game, for display: those that each seat has missed since its own last turn.
// Before is the table before the last play.
type Actions struct {
	Newest *deed
	Before tile.Table
	Since  [ruleset.MaxSeats]Since
}

// Since records the time since a seat's last turn ended. Table is the table at that moment. Did counts the actions
// since then, including the one that ended the turn, up to didMost.
type Since struct {
	Table tile.Table
	Did   int
}

// Last describes the last action: the tiles laid or drawn.
type Last struct {
	Kind   string
	Seat   int
	Played tile.List
	Drawn  tile.List
	Count  int // physical: tiles drawn by hand
	Code   string
	Points int
	Seq    int  // seq of the event, if the turn was lost
	Kept   bool // a lost turn: nothing had to be put back
	Dry    bool // a lost turn: the pool had no tile for its penalty
}

// deed is an action, linked to those before it. Seats and states share it, so it never changes.
type deed struct {
	Last
	before *deed
	n      int // number of actions up to this one
}

const (
	didMost  = 12 // actions kept for a seat: three turns, and rulings between them
	didSpare = 6  // most outdated actions that are kept before all of them are dropped
)

// Last returns the last action, or an empty Last before the first one.
func (a *Actions) Last() Last {
	if a.Newest == nil {
		return Last{}
	}
	return a.Newest.Last
}

// add records an action for all seats of a table.
func (a *Actions) add(last Last, seats int) {
	most := 0
	for seat := range seats {
		since := &a.Since[seat]
		since.Did = min(since.Did+1, didMost)
		most = max(most, since.Did)
	}
	before := a.Newest
	if before != nil && before.n >= most+didSpare {
		before = before.newest(most - 1)
	}
	a.Newest = before.then(last)
}

// then returns an action that follows those of d. d may be nil.
func (d *deed) then(last Last) *deed {
	if d == nil {
		return &deed{last, nil, 1}
	}
	return &deed{last, d, d.n + 1}
}

// newest returns a copy of the last n actions without those before them.
func (d *deed) newest(n int) *deed {
	if n = min(n, d.n); n <= 0 {
		return nil
	}
	all := make([]deed, n)
	for i := range all {
		all[i].Last, all[i].n = d.Last, n-i
		if d = d.before; i > 0 {
			all[i-1].before = &all[i]
		}
	}
	return &all[0]
}

// of returns the actions that a seat is shown, the oldest first.
func (a *Actions) of(seat int) []Last {
	list := make([]Last, a.Since[seat].Did)
	for i, d := len(list)-1, a.Newest; i >= 0 && d != nil; i, d = i-1, d.before {
		list[i] = d.Last
	}
	return list
}

// restart restarts Since for every seat after a rewind or a set position, because no turn caused the changes.
func (a *Actions) restart(table tile.Table) {
	for seat := range a.Since {
		a.Since[seat] = Since{Table: table}
	}
}

// Meanwhile is Since as its seat may see it.
type Meanwhile struct {
	Did   []LastView
	New   []int       // table cells, as in LaidView.At, with tiles that others have laid
	Moved []int       // cells with tiles that lay in another set
	Drawn []tile.Face // tiles on the seat's rack that it drew in its last turn or since
}

// MeanwhileOf returns what has happened since a seat's last turn ended. It is empty for a viewer without a seat.
func MeanwhileOf(s State, seat int) Meanwhile {
	if seat < 0 || seat >= s.Seats {
		return Meanwhile{}
	}
	since := s.Actions.Since[seat]
	m := Meanwhile{Drawn: inOrder(s.Actions.drawn(seat, s.Racks[seat]))}
	for _, last := range s.Actions.of(seat) {
		m.Did = append(m.Did, newLastView(last, &s.Rulings, true))
	}
	for k, laid := range s.Table {
		base := since.Table.MostOf(laid.Tiles)
		if base >= 0 && s.Table.MostOf(since.Table[base].Tiles) != k {
			base = -1 // its old set is now another set
		}
		for i, t := range laid.Tiles {
			if from := since.Table.SetOf(t); from < 0 {
				m.New = append(m.New, laid.At+i)
			} else if from != base {
				m.Moved = append(m.Moved, laid.At+i)
			}
		}
	}
	return m
}

// drawn returns the tiles that the seat drew in its last turn or since and that are still on its rack.
func (a *Actions) drawn(seat int, rack tile.List) (tiles tile.List) {
	for _, last := range a.of(seat) {
		if last.Seat != seat {
			continue
		}
		for _, t := range last.Drawn {
			if slices.Contains(rack, t) && !slices.Contains(tiles, t) {
				tiles = append(tiles, t)
			}
		}
	}
	return tiles
}
