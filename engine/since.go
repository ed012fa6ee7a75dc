package engine

import (
	"slices"

	"meldhall/engine/tile"
)

// Since is what has happened since a seat's last turn ended: Table is how the table lay then, and Did how many of the last actions there were,
// that end the first of them.
type Since struct {
	Table Table
	Did   int
}

// deed is an action, and those before it. Seats and states share it: it never changes.
type deed struct {
	Last
	before *deed
	n      int // with those before it
}

const (
	didMost  = 12 // actions that are kept for a seat: three turns, and what officials do meanwhile
	didSpare = 6  // that nobody asks for any more, until they are let go together
)

// Last is what the last action did; nothing before the first one.
func (s *State) Last() Last {
	if s.Did == nil {
		return Last{}
	}
	return s.Did.Last
}

// did notes an action for all seats.
func (s *State) did(last Last) {
	most := 0
	for seat := range s.Seats {
		since := &s.Since[seat]
		since.Did = min(since.Did+1, didMost)
		most = max(most, since.Did)
	}
	before := s.Did
	if before != nil && before.n >= most+didSpare {
		before = before.newest(most - 1)
	}
	s.Did = before.then(last)
}

// then is an action after those of d, nil for none.
func (d *deed) then(last Last) *deed {
	if d == nil {
		return &deed{last, nil, 1}
	}
	return &deed{last, d, d.n + 1}
}

// newest are the last n of actions without those before them.
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

// deeds are what a seat is told of, the oldest first.
func (s *State) deeds(seat int) []Last {
	list := make([]Last, s.Since[seat].Did)
	for i, d := len(list)-1, s.Did; i >= 0 && d != nil; i, d = i-1, d.before {
		list[i] = d.Last
	}
	return list
}

// anew forgets what happened before the table was laid by an official: nobody is to look for what changed by turns.
func (s *State) anew() {
	for seat := range s.Seats {
		s.Since[seat] = Since{Table: s.Table}
	}
}

// Meanwhile is Since as its seat may see it.
type Meanwhile struct {
	Did   []LastView
	New   []int       // cells of the table, as LaidView.At counts them, with tiles that others have laid
	Moved []int       // cells with tiles that lay in another set
	Drawn []tile.Face // tiles of the own rack that were drawn in that turn, or since
}

// MeanwhileOf tells a seat what has happened since its last turn ended; nothing for a viewer without one.
func MeanwhileOf(s State, seat int) Meanwhile {
	if seat < 0 || seat >= s.Seats {
		return Meanwhile{}
	}
	since := s.Since[seat]
	m := Meanwhile{Drawn: inOrder(s.drawn(seat))}
	for _, last := range s.deeds(seat) {
		m.Did = append(m.Did, s.lastView(last, true))
	}
	for k, laid := range s.Table {
		base := since.Table.mostOf(laid.Tiles)
		if base >= 0 && s.Table.mostOf(since.Table[base].Tiles) != k {
			base = -1 // what it was is another set by now
		}
		for i, t := range laid.Tiles {
			if from := since.Table.setOf(t); from < 0 {
				m.New = append(m.New, laid.At+i)
			} else if from != base {
				m.Moved = append(m.Moved, laid.At+i)
			}
		}
	}
	return m
}

// drawn are the tiles that the seat drew, in its last turn and since, as far as they are on its rack.
func (s *State) drawn(seat int) (tiles tile.List) {
	for _, last := range s.deeds(seat) {
		if last.Seat != seat {
			continue
		}
		for _, t := range last.Drawn {
			if slices.Contains(s.Racks[seat], t) && !slices.Contains(tiles, t) {
				tiles = append(tiles, t)
			}
		}
	}
	return tiles
}

// mostOf is the set in which most of these tiles lie, the first of those with as many; -1: none of them lies there.
func (t Table) mostOf(tiles tile.List) int {
	most, set := 0, -1
	for k, laid := range t {
		n := 0
		for _, one := range tiles {
			if slices.Contains(laid.Tiles, one) {
				n++
			}
		}
		if n > most {
			most, set = n, k
		}
	}
	return set
}

// setOf is the set in which a tile lies; -1: it does not.
func (t Table) setOf(one tile.Tile) int {
	return slices.IndexFunc(t, func(laid Laid) bool { return slices.Contains(laid.Tiles, one) })
}
