package engine

import (
	"slices"

	"meldhall/engine/tile"
)

// Since is what has happened since a seat's last turn ended: Did begins with that end, the oldest first, and Table is how the
// table lay then.
type Since struct {
	Table Table
	Did   []Last
}

const didMost = 12 // actions that are kept for a seat: three turns, and what officials do meanwhile

// did notes an action for all seats. What a seat has is the end of what the seat has that acted longest ago: they share one list.
func (s *State) did(last Last) {
	s.Last = last
	var longest []Last
	for _, since := range s.Since[:s.Seats] {
		if len(since.Did) > len(longest) {
			longest = since.Did
		}
	}
	first := max(0, len(longest)+1-didMost)
	all := append(make([]Last, 0, len(longest)-first+1), longest[first:]...)
	all = append(all, last)
	for seat := range s.Seats {
		since := &s.Since[seat]
		since.Did = all[max(0, len(all)-len(since.Did)-1):]
	}
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
	for _, last := range since.Did {
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
	for _, last := range s.Since[seat].Did {
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
