package solve

import (
	"math/bits"
	"slices"

	"meldhall/engine/tile"
)

// stepTaken is what a way does at one number.
type stepTaken struct {
	arcs   [colours]arc
	on     [colours]uint32 // runs of the old table that stay, through this number
	groups uint8           // new ones
	used   uint8           // jokers in them
	chosen uint8           // groups of the old table that stay
}

// trace notes the way that the search is at the end of.
func (s *search) trace() {
	var at [colours]uint8
	for n := 1; n <= numbers; n++ {
		k, t := &s.way[n], &s.trial[n]
		t.groups, t.used, t.chosen = k.groups, k.used, k.chosen
		for c := range colours {
			t.arcs[c] = s.arcs[k.arcs[c]]
			t.on[c] = s.links[c][n][at[c]].runs.kept() | s.links[c][n+1][k.to[c]].runs.kept()
			at[c] = k.to[c]
		}
	}
}

// laying makes a table of a way. Its memory is used again.
type laying struct {
	old  [][]tile.Face
	sets []row
	open [colours][]int // by colour, the sets that are runs and may go on
}

// row is a set being laid.
type row struct {
	faces [numbers + mostJokers]tile.Face
	tiles int
	old   int // index in the old table of a set that stays; else -1
	first int // number that a run begins with; 0 for a group
}

func (l *laying) lay(t *tiles, way *[numbers + 1]stepTaken) {
	l.sets = l.sets[:0]
	for c := range l.open {
		l.open[c] = l.open[c][:0]
	}
	for n := 1; n <= numbers; n++ {
		l.number(t, n, &way[n])
	}
}

// stock is what there is of one face for sets that are new.
type stock struct {
	face             tile.Face
	jokers, naturals int
}

// take gives a tile, jokers first, so that what lies idle is a tile of the rack.
func (s *stock) take() tile.Face {
	if s.jokers > 0 {
		s.jokers--
		return tile.Joker
	}
	s.naturals--
	return s.face
}

func (l *laying) number(t *tiles, n int, by *stepTaken) {
	k := &t.kept
	for i, g := range k.at[n] {
		if by.chosen>>i&1 == 1 {
			l.stay(g.set, 0)
		}
	}
	first, next := len(l.sets), 0
	for range by.groups {
		l.sets = append(l.sets, row{old: -1})
	}
	for c := range colours {
		have := stock{tile.NewFace(tile.Colour(c), n), int(t.fixed[c][n]) + int(by.arcs[c].jokers), int(t.have[c][n]) - int(t.fixed[c][n])}
		for rest := by.on[c]; rest != 0; rest &= rest - 1 {
			run := &k.runs[c][bits.TrailingZeros32(rest)]
			if (run.jokers|run.fixed)>>n&1 == 1 {
				have.jokers--
			} else {
				have.naturals--
			}
			if run.first == n {
				l.stay(run.set, n)
			}
		}
		spare := int(by.arcs[c].spare)
		for i, g := range k.at[n] {
			if by.chosen>>i&1 == 1 {
				have.jokers -= int(g.fixed[c])
				have.naturals -= int(g.takes[c] - g.fixed[c])
				spare -= int(g.takes[c])
			}
		}
		l.runs(c, n, &by.arcs[c], &have)
		for range min(int(by.groups), spare) {
			l.sets[first+next%int(by.groups)].add(have.take())
			next++
		}
	}
	for jokers := int(by.used); jokers > 0; jokers-- {
		least := first
		for i := first; i < first+int(by.groups); i++ {
			if l.sets[i].tiles < l.sets[least].tiles {
				least = i
			}
		}
		l.sets[least].add(tile.Joker)
	}
}

func (r *row) add(f tile.Face) {
	r.faces[r.tiles] = f
	r.tiles++
}

// stay lays a set of the old table as it was.
func (l *laying) stay(set, first int) {
	r := row{old: set, first: first, tiles: len(l.old[set])}
	copy(r.faces[:], l.old[set])
	l.sets = append(l.sets, r)
}

// runs carries the open runs of a colour on: the short ones must go on, of the long ones the first may.
func (l *laying) runs(c, n int, by *arc, have *stock) {
	open := l.open[c][:0]
	longer := by.longer
	for _, i := range l.open[c] {
		if l.sets[i].tiles >= 3 {
			if longer == 0 {
				continue
			}
			longer--
		}
		l.sets[i].add(have.take())
		open = append(open, i)
	}
	for range by.begun {
		l.sets = append(l.sets, row{old: -1, first: n})
		l.sets[len(l.sets)-1].add(have.take())
		open = append(open, len(l.sets)-1)
	}
	l.open[c] = open
}

// place lays jokers that are left over, in new sets if it can. It gives how many it could lay, and how many sets of the
// old table it changed for that.
func (l *laying) place(jokers int) (laid, broken int) {
	for ; laid < jokers; laid++ {
		i := slices.IndexFunc(l.sets, func(r row) bool { return r.old < 0 && r.hasRoom() })
		if i < 0 {
			if i = slices.IndexFunc(l.sets, func(r row) bool { return r.hasRoom() }); i < 0 {
				return laid, broken
			}
			broken++
			l.sets[i].old = -1
		}
		l.sets[i].addJoker()
	}
	return laid, broken
}

func (r *row) hasRoom() bool { return r.first > 0 && r.tiles < numbers || r.first == 0 && r.tiles < 4 }

func (r *row) addJoker() {
	if r.first > 0 && r.first+r.tiles > numbers {
		copy(r.faces[1:], r.faces[:r.tiles])
		r.faces[0] = tile.Joker
		r.tiles++
		r.first--
		return
	}
	r.add(tile.Joker)
}

// answer gives the table: the sets that lie as they did first, in their old order, and how many they are.
func (l *laying) answer() (sets [][]tile.Face, kept int) {
	size := 0
	for i := range l.sets {
		size += l.sets[i].tiles
	}
	sets, all := make([][]tile.Face, 0, len(l.sets)), make([]tile.Face, 0, size)
	for _, old := range l.old {
		if i := slices.IndexFunc(l.sets, func(r row) bool { return r.tiles > 0 && same(old, r.faces[:r.tiles]) }); i >= 0 {
			sets = append(sets, old)
			l.sets[i].tiles = 0
		}
	}
	kept = len(sets)
	for i := range l.sets {
		if r := &l.sets[i]; r.tiles > 0 {
			from := len(all)
			all = append(all, r.faces[:r.tiles]...)
			sets = append(sets, all[from:len(all):len(all)])
		}
	}
	return sets, kept
}

// same tells whether a set lies as it did: a run in its order, a group in any.
func same(old, set []tile.Face) bool {
	if len(old) != len(set) {
		return false
	}
	if slices.Equal(old, set) {
		return true
	}
	_, was := tile.AsGroup(old)
	_, is := tile.AsGroup(set)
	return was && is && tile.CountFaces(old) == tile.CountFaces(set)
}
