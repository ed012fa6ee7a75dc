package solve

import (
	"math/bits"
	"slices"

	"meldhall/engine/tile"
)

// mostKept is the largest number of runs that one colour can have: 26 tiles and four jokers, with at least three in
// each run.
const mostKept = 10

// kept holds the sets of the old table that a play may leave as they lie. The zero value keeps none, and costs nothing.
//
// This file keeps one invariant: all sets of the table together cost less than one step of the aim, so keeping sets
// never makes a play worse by its aim.
type kept struct {
	runs   [colours][]keptRun
	at     [numbers + 1][]keptGroup
	wanted [colours][numbers + 1]uint8 // tiles in groups of the old table
	broken int32                       // cost of a set that does not stay
}

// keptRun is a run of the old table: its numbers, and the places of its jokers that may stand for anything.
type keptRun struct {
	first, last int
	jokers      uint16 // one bit for each number
	fixed       uint16 // places of the jokers that keep their face, one bit for each number
	set         int    // index in the table
}

// keptGroup is a group of the old table.
type keptGroup struct {
	takes  [colours]uint8
	fixed  [colours]uint8 // how many of those are jokers
	jokers uint8          // jokers that may stand for anything
	set    int
}

func (k *kept) clear() {
	for c := range k.runs {
		k.runs[c] = k.runs[c][:0]
	}
	for n := range k.at {
		k.at[n] = k.at[n][:0]
	}
	k.wanted = [colours][numbers + 1]uint8{}
	k.broken = 0
}

// beginning returns the runs of colour c that begin at number n, one bit each.
func (k *kept) beginning(c, n int) (begin uint32) {
	for i := range k.runs[c] {
		if k.runs[c][i].first == n {
			begin |= 1 << i
		}
	}
	return begin
}

// takes counts the tiles and the jokers that the runs in the bit mask on take at number n.
func (k *kept) takes(c, n int, on uint32) (naturals, jokers int) {
	for rest := on; rest != 0; rest &= rest - 1 {
		if k.runs[c][bits.TrailingZeros32(rest)].jokers>>n&1 == 1 {
			jokers++
		} else {
			naturals++
		}
	}
	return naturals, jokers
}

// goingOn returns those runs in the bit mask on that continue at the next number.
func (k *kept) goingOn(c, n int, on uint32) (still uint32) {
	for rest := on; rest != 0; rest &= rest - 1 {
		if i := bits.TrailingZeros32(rest); k.runs[c][i].last > n {
			still |= 1 << i
		}
	}
	return still
}

// choose returns what the chosen groups of number n take, and how many groups are not chosen.
func (k *kept) choose(n int, chosen uint8) (takes [colours]uint8, jokers, broken uint8) {
	for i := range k.at[n] {
		if chosen>>i&1 == 0 {
			broken++
			continue
		}
		g := &k.at[n][i]
		jokers += g.jokers
		for c := range takes {
			takes[c] += g.takes[c]
		}
	}
	return takes, jokers, broken
}

// add adds a set of the old table. stands holds, for each of its jokers, the face that the joker must keep, or
// tile.Joker if it may be moved. add returns false if the jokers of the set cannot stand for these faces.
func (k *kept) add(index int, set, stands []tile.Face) bool {
	if r, ok := tile.AsRun(set); ok && fits(r, set, stands) {
		k.addRun(index, set, r, stands)
		return true
	}
	if r, ok := tile.AsGroup(set); ok && fits(r, set, stands) {
		k.addGroup(index, set, stands)
		return true
	}
	return false
}

func fits(r tile.Reading, set, stands []tile.Face) bool {
	at := 0
	for i, f := range set {
		if f != tile.Joker {
			continue
		}
		if stands[at] != tile.Joker && !r.Stands(i).Has(stands[at]) {
			return false
		}
		at++
	}
	return true
}

func (k *kept) addRun(index int, set []tile.Face, r tile.Reading, stands []tile.Face) {
	run, at := keptRun{first: r.First().Number(), set: index}, 0
	run.last = run.first + len(set) - 1
	for i, f := range set {
		if f != tile.Joker {
			continue
		}
		if stands[at] == tile.Joker {
			run.jokers |= 1 << (run.first + i)
		} else {
			run.fixed |= 1 << (run.first + i)
		}
		at++
	}
	if c := r.First().Colour(); len(k.runs[c]) < mostKept {
		k.runs[c] = append(k.runs[c], run)
	}
}

func (k *kept) addGroup(index int, set, stands []tile.Face) {
	group, n, at := keptGroup{set: index}, 0, 0
	for _, f := range set {
		joker := f == tile.Joker
		if joker {
			f = stands[at]
			at++
		}
		if f == tile.Joker {
			group.jokers++
			continue
		}
		n = f.Number()
		group.takes[f.Colour()]++
		if joker {
			group.fixed[f.Colour()]++
		}
	}
	for c, t := range group.takes {
		k.wanted[c][n] += t
	}
	k.at[n] = append(k.at[n], group)
}

func ones(mask uint32) uint8 { return uint8(bits.OnesCount32(mask)) }

// tidy searches the equally good plays for one that keeps more of the table. It does not change proven, even if the
// limit ends this search.
func (s *solver) tidy() {
	if !s.has || s.stayed == len(s.position.Table) {
		return
	}
	proven := s.proven
	defer func() { s.proven = proven }()
	for i := range s.cases {
		c := &s.cases[i]
		s.tidyCase(c)
		if c.jokers == 2 && c.stands[0] != c.stands[1] {
			c.stands[0], c.stands[1] = c.stands[1], c.stands[0] // jokers are alike: each may stay in the other's set
			s.tidyCase(c)
		}
	}
}

func (s *solver) tidyCase(c *joined) {
	each := int32(len(s.position.Table) + 1)
	s.fill(c, unit*each)
	left := s.keepSets(c)
	s.tidyBelow(left)
	if !s.position.Rules.WithRackTile || c.free == 0 {
		return
	}
	at := 0
	for i, set := range s.position.Table {
		jokers := countJokers(set)
		if jokers == 1 && c.stands[at] == tile.Joker {
			s.tidyHosts(c, i, each)
		}
		at += jokers
	}
}

// tidyHosts looks for plays that leave a set with a released joker as it lies, but with a rack tile in place of an
// equal tile of the table.
func (s *solver) tidyHosts(c *joined, set int, each int32) {
	for _, f := range s.position.Table[set] {
		if f == tile.Joker || s.position.Rack[f] <= c.must[f] {
			continue
		}
		s.fill(c, unit*each)
		left := s.keepSets(c)
		for _, g := range s.position.Table[set] {
			if g != tile.Joker {
				colour, n := g.Colour(), g.Number()
				s.tiles.have[colour][n]--
				s.tiles.idle[colour][n] = min(s.tiles.idle[colour][n], s.tiles.have[colour][n])
			}
		}
		s.tiles.rackTiles[f.Colour()][f.Number()]--
		s.tiles.idle[f.Colour()][f.Number()] = min(s.tiles.idle[f.Colour()][f.Number()], s.position.Rack[f]-c.must[f]-1)
		s.tiles.jokers--
		s.tiles.host = c.free > 1
		s.search.table.staying = set
		s.tidyBelow(left - 1)
	}
}

// tidyBelow searches for a play that keeps more sets than the best so far. left is the number of old sets that cannot
// be kept anyway.
func (s *solver) tidyBelow(left int) {
	each := int32(len(s.position.Table) + 1)
	if s.solve(s.least*unit*each + int32(len(s.position.Table)-s.stayed-left)*unit) {
		if sets, kept := s.answer(); kept > s.stayed {
			s.sets, s.stayed = sets, kept
		}
	}
}

func countJokers(set []tile.Face) (n int) {
	for _, f := range set {
		if f == tile.Joker {
			n++
		}
	}
	return n
}

// keepSets adds the sets of the table as sets to keep, and returns the number of sets that it leaves out. It leaves out
// sets whose jokers do not stand for the faces of the case. If released jokers need hosts, it also leaves out sets with
// a released joker; they are kept in the case in which that joker is not released.
func (s *solver) keepSets(c *joined) (not int) {
	k := &s.tiles.kept
	k.broken = unit
	stands := c.stands[:]
	for i, set := range s.position.Table {
		jokers := countJokers(set)
		here := stands[:jokers]
		stands = stands[jokers:]
		if jokers > 0 && (c.set.size > 0 || s.tiles.host && slices.Contains(here, tile.Joker)) || !k.add(i, set, here) {
			not++
		}
	}
	return not
}
